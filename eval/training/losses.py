"""What the network is taught to lower."""

import torch
from torch.nn import functional

_NOT_ENTAILED = 3


def loss_of(outputs: tuple[torch.Tensor, ...], batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """The sum of the heads' losses, each a mean over the rows whose labels are known.

    Relevance: cross entropy of each relevant row against the others of its group (listwise), and a fifth of binary
    cross entropy, so that logits compare between questions. Answerability: binary cross entropy, and cross entropy of
    each answering row against those of its group that do not answer. Spans: cross entropy over tokens, at the first
    token where there is no answer. Support: cross entropy; of a row that is only known not to be entailed, that of the
    two other labels together. Nothing here waits for the device to say which rows those are.
    """
    relevance, answerable, support, start, end = (output.float() for output in outputs)
    group = batch["group"]
    return (
        0.2 * _binary(relevance, batch["relevant"])
        + _listwise(relevance, batch["relevant"], group)
        + _binary(answerable, batch["answerable"])
        + _listwise(answerable, batch["answerable"], group)
        + 0.5 * (_placed(start, batch, "start") + _placed(end, batch, "end"))
        + _support(support, batch["support"])
    )


def _mean(losses: torch.Tensor, counted: torch.Tensor) -> torch.Tensor:
    return torch.where(counted, losses, 0.0).sum() / counted.sum().clamp(min=1)


def _binary(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    losses = functional.binary_cross_entropy_with_logits(logits, labels.clamp(min=0).float(), reduction="none")
    return _mean(losses, labels >= 0)


def _placed(logits: torch.Tensor, batch: dict[str, torch.Tensor], name: str) -> torch.Tensor:
    """Cross entropy over the passage and the first token alone."""
    allowed = batch["token_type_ids"].bool()
    allowed = torch.cat([torch.ones_like(allowed[:, :1]), allowed[:, 1:]], dim=1)
    labels = batch[name]
    losses = functional.cross_entropy(logits.masked_fill(~allowed, -1e4), labels.clamp(min=0), reduction="none")
    return _mean(losses, labels >= 0)


def _listwise(logits: torch.Tensor, labels: torch.Tensor, group: torch.Tensor) -> torch.Tensor:
    others = (group[:, None] == group[None, :]) & (labels == 0)[None, :]
    among = logits[None, :].expand(len(logits), -1).masked_fill(~others, -1e4)
    losses = torch.logaddexp(torch.logsumexp(among, dim=1), logits) - logits
    return _mean(losses, (labels == 1) & others.any(dim=1))


def _support(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    logs = functional.log_softmax(logits, dim=1)
    whole = torch.cat([logs, torch.logsumexp(logs[:, 1:], dim=1, keepdim=True)], dim=1)
    losses = -whole.gather(1, labels.clamp(0, _NOT_ENTAILED)[:, None])[:, 0]
    return _mean(losses, labels >= 0)
