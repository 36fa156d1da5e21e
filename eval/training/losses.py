"""What the network is taught to lower."""

import torch
from torch.nn import functional

_NOT_ENTAILED = 3
_HELD = 0.25


def loss_of(outputs: tuple[torch.Tensor, ...], batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """The sum of the heads' losses over the rows whose labels are known.

    Relevance: cross entropy of the relevant row within its group (listwise, where a group has exactly one and others),
    and a fifth of binary cross entropy, so that logits compare between questions. Answerability: binary cross entropy,
    and cross entropy of the answering row within its group. Spans: cross entropy over tokens, at the first
    token where there is no answer. Support: cross entropy; of a row that is only known not to be entailed, that of the
    two other labels together.
    """
    relevance, answerable, support, start, end = (output.float() for output in outputs)
    total = relevance.new_zeros(())
    known = batch["relevant"] >= 0
    if known.any():
        total = total + 0.2 * functional.binary_cross_entropy_with_logits(
            relevance[known], batch["relevant"][known].float()
        )
        total = total + _listwise(relevance[known], batch["relevant"][known], batch["group"][known])
    known = batch["answerable"] >= 0
    if known.any():
        labels = batch["answerable"][known]
        total = total + functional.binary_cross_entropy_with_logits(answerable[known], labels.float())
        total = total + _listwise(answerable[known], labels, batch["group"][known])
    known = batch["start"] >= 0
    if known.any():
        total = total + 0.5 * (
            functional.cross_entropy(_inside(start, batch)[known], batch["start"][known])
            + functional.cross_entropy(_inside(end, batch)[known], batch["end"][known])
        )
    known = batch["support"] >= 0
    if known.any():
        total = total + _support(support[known], batch["support"][known])
    return total


def drift(
    outputs: tuple[torch.Tensor, ...], before: tuple[torch.Tensor, ...], batch: dict[str, torch.Tensor]
) -> torch.Tensor:
    """How far relevance and answerability of the held rows are from what they were: a quarter of the squared distance.

    A stage that learns from other texts than policies forgets less so (Li and Hoiem, Learning without Forgetting,
    ECCV 2016).

    Args:
        outputs: of the network, for all rows.
        before: of the network as it was, for the held rows alone.
        batch: see `encoding.tensors`.
    """
    held = batch["held"] > 0
    now, then = (torch.stack(logits).float() for logits in ([one[held] for one in outputs[:2]], list(before[:2])))
    return _HELD * 2 * functional.mse_loss(now, then)


def _inside(logits: torch.Tensor, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """Logits over the passage and the first token alone."""
    allowed = batch["token_type_ids"].bool()
    allowed = torch.cat([torch.ones_like(allowed[:, :1]), allowed[:, 1:]], dim=1)
    return logits.masked_fill(~allowed, -1e4)


def _listwise(logits: torch.Tensor, labels: torch.Tensor, group: torch.Tensor) -> torch.Tensor:
    same = group[:, None] == group[None, :]
    alone = (same & (labels[None, :] == 1)).sum(dim=1) == 1
    rows = (labels == 1) & alone & (same.sum(dim=1) > 1)
    if not rows.any():
        return logits.new_zeros(())
    among = logits[None, :].expand(len(logits), -1).masked_fill(~same, -1e4)
    return (torch.logsumexp(among, dim=1) - logits)[rows].mean()


def _support(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    logs = functional.log_softmax(logits, dim=1)
    whole = torch.cat([logs, torch.logsumexp(logs[:, 1:], dim=1, keepdim=True)], dim=1)
    return -whole.gather(1, labels.clamp(max=_NOT_ENTAILED)[:, None]).mean()
