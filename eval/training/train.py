"""Trains the network in stages: relevance, all heads together, which sentence answers, whole passages, support.

    python -m training.train WORK [--base FOLDER] [--tokens N] [--rate R] [--minutes M] [--after FILE]
        [--stages NAME...]

Reads `WORK/NAME.jsonl` for each stage; writes `WORK/checkpoint.pt` every few minutes and goes on from it, and behind
each stage `WORK/after-NAME.pt`. From the network behind `sentences` go on `reading`, for what reads whole passages, and
`support`, for what reads statements; then each of the three learns from what was written for it, and these three ship.
The same seed gives the same batches; `WORK/log.jsonl` has the losses and the learning curve.
"""

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional

from training.encoding import EncodedGroup, Encoder, batches, padded, parts, tensors
from training.examples import read_groups
from training.losses import drift, loss_of
from training.network import OUTPUTS, Branch, ReaderNetwork, autocast, base_folder, make_network
from training.shipped import load_shipped

SEED = 15
Probe = Callable[[ReaderNetwork], Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class StagePlan:
    """How one stage is trained.

    Attributes:
        name: of the stage.
        rate: the largest learning rate; it rises over the first 5 % of the stage and falls to nought in a line.
        passes: how often each group is seen.
        tokens: of a batch, padding included.
        minutes: when the stage ends even if groups are left; the learning rate falls by what is nearer, the last
            step or the last minute.
        begins: the stage behind whose weights it begins, where they are kept; else it begins where training is.
        share: how much is kept of what the stage changed, 0 to 1: with a half, the mean of the weights before and
            behind it (Wortsman et al., CVPR 2022, "Robust fine-tuning").
    """

    name: str
    rate: float
    passes: int
    tokens: int
    minutes: float
    begins: str | None = None
    share: float = 1.0


def plan_batches(groups: Sequence[EncodedGroup], plan: StagePlan, seed: int) -> list[list[EncodedGroup]]:
    """The batches of a stage, each of which makes a step."""
    made: list[list[EncodedGroup]] = []
    for turn in range(plan.passes):
        made += batches(groups, plan.tokens, random.Random(f"{seed} {plan.name} {turn}"))
    return made


def rate_at(done: float, largest: float) -> float:
    """The learning rate when a share of the stage is done.

    >>> [round(rate_at(done, 1.0), 2) for done in (0.01, 0.05, 0.525, 1.0)]
    [0.2, 1.0, 0.5, 0.0]
    """
    warm = 0.05
    return largest * (done / warm if done < warm else max(0.0, (1 - done) / (1 - warm)))


class Trainer:
    """One stage after the other, from where a checkpoint left off."""

    def __init__(self, network: ReaderNetwork, work: Path, *, seed: int, every_s: float = 180.0) -> None:
        self.network = network
        self._work = work
        self._seed = seed
        self._every_s = every_s
        self._optimizer = torch.optim.AdamW(_parameters(network), lr=0.0, weight_decay=0.01, fused=True)
        self._stage = 0
        self._step = 0
        self._spent_s = 0.0
        self._before = network
        checkpoint = work / "checkpoint.pt"
        if checkpoint.is_file():
            kept = torch.load(checkpoint, weights_only=True)
            network.load_state_dict(kept["network"])
            self._optimizer.load_state_dict(kept["optimizer"])
            self._stage, self._step, self._spent_s = kept["stage"], kept["step"], kept["spent_s"]

    def run(
        self, stages: Sequence[tuple[StagePlan, Callable[[], Sequence[EncodedGroup]]]], probe: Probe | None = None
    ) -> None:
        """Trains what is left of the stages, and keeps the network behind each."""
        for number, (plan, rows) in enumerate(stages):
            if number < self._stage:
                continue
            begins = self._work / f"after-{plan.begins}.pt"
            if self._step == 0 and begins.is_file():
                self.network.load_state_dict(torch.load(begins, weights_only=True))
            self._before = self._as_before(plan)
            self._train(number, plan, plan_batches(rows(), plan, self._seed), probe)
            self.network.load_state_dict(between(self._before.state_dict(), self.network.state_dict(), plan.share))
            self._stage, self._step, self._spent_s = number + 1, 0, 0.0
            self._keep()
            _save(self.network.state_dict(), self._work / f"after-{plan.name}.pt")

    def _as_before(self, plan: StagePlan) -> ReaderNetwork:
        """The network as it was when the stage began; kept, as a stage may go on from a checkpoint."""
        kept = self._work / f"before-{plan.name}.pt"
        if self._step == 0:
            _save(self.network.state_dict(), kept)
        before = deepcopy(self.network).eval()
        before.load_state_dict(torch.load(kept, weights_only=True))
        return before

    def _train(self, number: int, plan: StagePlan, steps: list[list[EncodedGroup]], probe: Probe | None) -> None:
        self.network.train()
        kept_at = time.monotonic()
        pairs, losses = 0, []
        for step in range(self._step, len(steps)):
            began = time.monotonic()
            if self._spent_s / 60 >= plan.minutes:
                break
            done = max((step + 1) / len(steps), self._spent_s / 60 / plan.minutes)
            for group in self._optimizer.param_groups:
                group["lr"] = rate_at(done, plan.rate) * group["times"]
            losses.append(self._learn(steps[step]))
            pairs += sum(len(group.rows) for group in steps[step])
            self._spent_s += time.monotonic() - began
            if time.monotonic() - kept_at > self._every_s:
                self._stage, self._step = number, step + 1
                self._keep()
                told = {"step": step + 1, "of": len(steps), "done": round(done, 3), "pairs": pairs}
                told["pairs_a_second"] = round(pairs / (time.monotonic() - kept_at), 1)
                self._tell(plan, told, losses, probe)
                kept_at = time.monotonic()
                pairs, losses = 0, []

    def _learn(self, batch: Sequence[EncodedGroup]) -> float:
        read = tensors(batch)
        with autocast():
            outputs = outputs_of(self.network, read)
        loss = loss_of(outputs, read)
        held = read["held"] > 0
        if held.any():
            with torch.no_grad(), autocast():
                before = outputs_of(self._before, {name: rows[held] for name, rows in read.items()})
            loss = loss + drift(outputs, before, read)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self._optimizer.step()
        self._optimizer.zero_grad()
        return float(loss.detach())

    def _tell(self, plan: StagePlan, told: Mapping[str, float], losses: Sequence[float], probe: Probe | None) -> None:
        line: dict[str, Any] = {"stage": plan.name, **told, "loss": round(sum(losses) / max(1, len(losses)), 4)}
        if probe is not None:
            self.network.eval()
            line |= probe(self.network)
            self.network.train()
        with (self._work / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")

    def _keep(self) -> None:
        _save(
            {
                "network": self.network.state_dict(),
                "optimizer": self._optimizer.state_dict(),
                "stage": self._stage,
                "step": self._step,
                "spent_s": self._spent_s,
            },
            self._work / "checkpoint.pt",
        )


def outputs_of(network: ReaderNetwork, read: Mapping[str, torch.Tensor]) -> tuple[torch.Tensor, ...]:
    """What the network gives for rows whose longest come first, read in parts of like length."""
    lengths = read["attention_mask"].sum(dim=1).tolist()
    whole = read["input_ids"].shape[1]
    found: list[list[torch.Tensor]] = [[] for _ in OUTPUTS]
    for part in parts(lengths):
        width = padded(lengths[part.start])
        given = network(*(read[name][part, :width] for name in ("input_ids", "attention_mask", "token_type_ids")))
        for kept, output in zip(found, given, strict=True):
            by_token = output.dim() == 2 and output.shape[1] == width
            kept.append(functional.pad(output, (0, whole - width)) if by_token else output)
    return tuple(torch.cat(kept) for kept in found)


def _save(what: Any, file: Path) -> None:
    beside = file.with_name(f".{file.name}.part")
    torch.save(what, beside)
    beside.replace(file)


def between(before: Mapping[str, Any], behind: Mapping[str, Any], share: float) -> dict[str, Any]:
    """Weights that far from `before` to `behind`, 0 to 1; what is the same in both stays so to the bit.

    >>> between({"w": torch.zeros(1)}, {"w": torch.ones(1)}, 0.5)
    {'w': tensor([0.5000])}
    """
    return {
        name: torch.lerp(old, behind[name], share) if old.is_floating_point() else old for name, old in before.items()
    }


def _parameters(network: ReaderNetwork) -> list[dict[str, Any]]:
    """Heads learn ten times as fast as the encoder; vectors and biases are not decayed."""
    named = [(name, p) for name, p in network.named_parameters() if p.requires_grad]
    found: list[dict[str, Any]] = []
    for inside, times in ((True, 1.0), (False, 5.0)):
        for matrix in (True, False):
            chosen = [p for name, p in named if name.startswith("encoder.") is inside and (p.dim() > 1) is matrix]
            found.append({"params": chosen, "times": times, "weight_decay": 0.01 if matrix else 0.0})
    return found


def encoded(file: Path, encoder: Encoder, seed: int) -> list[EncodedGroup]:
    """The groups of a file as rows."""
    rng = random.Random(f"{seed} windows {file.name}")
    return [encoder.rows(group, rng) for group in read_groups(file)]


@dataclass(frozen=True, slots=True)
class StageDefaults:
    """What a stage is trained with: learning rate, minutes at most, tokens of a row; see `StagePlan` for the rest."""

    rate: float
    minutes: float
    window: int
    begins: str | None = None
    branch: Branch = Branch.RANKED
    share: float = 1.0


STAGES = {
    "relevance": StageDefaults(6e-5, 60.0, 144),
    "all": StageDefaults(1e-4, 240.0, 192),
    "sentences": StageDefaults(6e-5, 120.0, 144),
    "reading": StageDefaults(8e-5, 90.0, 192, "sentences", Branch.READ),
    "support": StageDefaults(8e-5, 60.0, 192, "sentences", Branch.STATED),
    "written-sentences": StageDefaults(8e-5, 120.0, 192, "sentences", share=0.875),
    "written-reading": StageDefaults(8e-5, 120.0, 256, "reading", Branch.READ, share=0.5),
}
"""The stages in their order."""


def stages_of(work: Path, chosen: Any) -> Iterator[tuple[StagePlan, Callable[[], Sequence[EncodedGroup]]]]:
    """The chosen stages in their order; the rows of one are made when it begins."""
    for name, own in STAGES.items():
        if name in chosen.stages:
            rate, minutes = chosen.rate or own.rate, chosen.minutes or own.minutes
            plan = StagePlan(name, rate, 1, chosen.tokens, minutes, own.begins, own.share)
            yield plan, partial(_rows, work / f"{name}.jsonl", chosen.base, own.window)


def _rows(file: Path, base: Path, window: int) -> list[EncodedGroup]:
    return encoded(file, Encoder(base, window), SEED)


def main(arguments: Sequence[str] | None = None) -> None:
    """Trains, or goes on training."""
    parser = argparse.ArgumentParser(description="Train the reader.")
    parser.add_argument("work", type=Path)
    parser.add_argument("--base", type=Path, default=base_folder(), help="the encoder to begin from")
    parser.add_argument("--frozen", type=int, default=2, help="lowest layers that stay as they are")
    parser.add_argument("--tokens", type=int, default=2048)
    parser.add_argument("--rate", type=float, help="the largest learning rate of each stage, in place of its own")
    parser.add_argument("--minutes", type=float, help="most minutes of each stage, in place of its own")
    parser.add_argument("--after", type=Path, help="weights to go on from: an `after-NAME.pt` or a `reader.onnx`")
    parser.add_argument("--stages", nargs="+", choices=STAGES, default=list(STAGES), help="these alone, in their order")
    parser.add_argument("--every", type=float, default=180.0, help="seconds between checkpoints")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--data", type=Path, help="the training sets, for the learning curve")
    chosen = parser.parse_args(arguments)
    torch.set_num_threads(chosen.threads)
    torch.manual_seed(SEED)
    network = make_network(chosen.base, frozen=chosen.frozen)
    if chosen.after is not None and chosen.after.suffix == ".onnx":
        load_shipped(network, chosen.after, STAGES[chosen.stages[0]].branch)
    elif chosen.after is not None:
        network.load_state_dict(torch.load(chosen.after, weights_only=True))
    trainer = Trainer(network, chosen.work, seed=SEED, every_s=chosen.every)
    probe = None
    if chosen.data is not None:
        from training.probe import make_probe

        probe = make_probe(chosen.data, chosen.work, Encoder(chosen.base))
    trainer.run(list(stages_of(chosen.work, chosen)), probe)


if __name__ == "__main__":
    main()
