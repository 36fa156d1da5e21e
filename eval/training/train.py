"""Trains the network in stages: relevance, all heads together, then the upper layers three times, for what each reads.

    python -m training.train WORK [--base FOLDER] [--device NAME] [--tokens N] [--minutes M] [--after FILE]
        [--stages NAME...]

Reads `WORK/NAME.jsonl` for each stage and writes `WORK/after-NAME.pt` behind it; in between `WORK/NAME.part.pt` every
few minutes, and goes on from it. A stage that is done is not done again. `ranked`, `read` and `stated` each go on
from `joint` with what the three ship, so they can run side by side. The same seed gives the same batches;
`WORK/log.jsonl` has the losses and the learning curve.
"""

import argparse
import json
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional
from torch.utils.data import DataLoader

from policy_rag.whole_files import written_whole
from training.encoding import EncodedGroup, Encoder, batches, padded, parts, tensors
from training.examples import read_groups
from training.losses import loss_of
from training.network import (
    OUTPUTS,
    SHARED_LAYERS,
    Branch,
    ReaderNetwork,
    autocast,
    base_folder,
    freeze,
    make_network,
)
from training.shipped import load_shipped

SEED = 15
TOKENS = {"cpu": 2048, "cuda": 16384}
"""Of a batch, padding included."""
_PARTS = {"cpu": 3, "cuda": 1}  # a processor waits for each token, another device for each call
Probe = Callable[[ReaderNetwork], Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class StagePlan:
    """How one stage is trained.

    Attributes:
        name: of the stage.
        rate: the largest learning rate at batches of 2,048 tokens, more with the square root of more; it rises over the
            first 5 % of the stage and falls to nought in a line.
        passes: how often each group is seen.
        minutes: when the stage ends even if groups are left; the learning rate falls by what is nearer, the last
            step or the last minute.
        window: tokens of a row.
        begins: the stage that it goes on from; None for the base.
        frozen: how many of the lowest layers stay as they were.
        branch: whose weights it goes on from where it is given what ships.
    """

    name: str
    rate: float
    passes: int
    minutes: float
    window: int
    begins: str | None = None
    frozen: int = 0
    branch: Branch = Branch.RANKED


STAGES = {
    plan.name: plan
    for plan in (
        StagePlan("relevance", 6e-5, 1, 60.0, 144),
        StagePlan("joint", 8e-5, 2, 180.0, 192, "relevance"),
        *(
            StagePlan(branch.value, 6e-5, passes, 120.0, window, "joint", SHARED_LAYERS, branch)
            for branch, passes, window in ((Branch.RANKED, 3, 192), (Branch.READ, 3, 256), (Branch.STATED, 4, 192))
        ),
    )
}
"""The stages in their order."""


def plan_batches(groups: Sequence[EncodedGroup], plan: StagePlan, tokens: int, seed: int) -> list[list[EncodedGroup]]:
    """The batches of a stage, each of which makes a step."""
    made: list[list[EncodedGroup]] = []
    for turn in range(plan.passes):
        made += batches(groups, tokens, random.Random(f"{seed} {plan.name} {turn}"))
    return made


def rate_at(done: float, largest: float) -> float:
    """The learning rate when a share of the stage is done.

    >>> [round(rate_at(done, 1.0), 2) for done in (0.01, 0.05, 0.525, 1.0)]
    [0.2, 1.0, 0.5, 0.0]
    """
    warm = 0.05
    return largest * (done / warm if done < warm else max(0.0, (1 - done) / (1 - warm)))


class Trainer:
    """Trains stages, from where a checkpoint left off.

    Args:
        network: whose weights are trained.
        work: the folder of checkpoints and the log.
        seed: of the order of the groups.
        tokens: of a batch, padding included; None for what suits the device.
        device: as PyTorch names it.
        every_s: seconds between checkpoints.
    """

    def __init__(
        self,
        network: ReaderNetwork,
        work: Path,
        *,
        seed: int,
        tokens: int | None = None,
        device: str = "cpu",
        every_s: float = 180.0,
    ) -> None:
        self.network = network.to(device)
        self._work = work
        self._seed = seed
        self._tokens = tokens or TOKENS[device]
        self._device = device
        self._every_s = every_s

    def run(self, plan: StagePlan, groups: Sequence[EncodedGroup], probe: Probe | None = None) -> None:
        """Trains a stage, or what is left of it, and keeps the network behind it."""
        behind = self._work / f"after-{plan.name}.pt"
        if behind.is_file():
            self._load(behind)
            return
        begins = self._work / f"after-{plan.begins}.pt"
        if begins.is_file():
            self._load(begins)
        freeze(self.network, plan.frozen)
        optimizer = torch.optim.AdamW(_parameters(self.network), lr=0.0, weight_decay=0.01, fused=True)
        begun, spent_s = 0, 0.0
        part = self._work / f"{plan.name}.part.pt"
        if part.is_file():
            kept = torch.load(part, weights_only=True, map_location=self._device)
            self.network.load_state_dict(kept["network"])
            optimizer.load_state_dict(kept["optimizer"])
            begun, spent_s = kept["step"], kept["spent_s"]
        steps = plan_batches(groups, plan, self._tokens, self._seed)
        rate = plan.rate * math.sqrt(self._tokens / TOKENS["cpu"])
        workers = 0 if self._device == "cpu" else 4
        loader: Any = DataLoader(
            steps[begun:],  # type: ignore[arg-type]
            batch_size=None,
            collate_fn=tensors,
            num_workers=workers,
            pin_memory=workers > 0,  # without it each copy waits for the step before
        )
        self.network.train()
        kept_at, before_s = time.monotonic(), spent_s
        began = kept_at
        pairs, losses = 0, []
        for step, read in enumerate(loader, begun):
            if spent_s / 60 >= plan.minutes:
                break
            done = max((step + 1) / len(steps), spent_s / 60 / plan.minutes)
            for group in optimizer.param_groups:
                group["lr"] = rate_at(done, rate) * group["times"]
            losses.append(self._learn(read, optimizer))
            pairs += len(read["group"])
            now = time.monotonic()
            spent_s = before_s + now - began
            if now - kept_at > self._every_s:
                told = {"step": step + 1, "of": len(steps), "done": round(done, 3), "pairs": pairs}
                told["pairs_a_second"] = round(pairs / (now - kept_at), 1)
                self._keep(part, optimizer, step + 1, spent_s)
                self._tell(plan, told, losses, probe)
                kept_at, before_s, began = time.monotonic(), spent_s, time.monotonic()
                pairs, losses = 0, []
        _save(self.network.state_dict(), behind)
        part.unlink(missing_ok=True)

    def _load(self, weights: Path) -> None:
        self.network.load_state_dict(torch.load(weights, weights_only=True, map_location=self._device))

    def _learn(self, read: Mapping[str, torch.Tensor], optimizer: torch.optim.Optimizer) -> torch.Tensor:
        lengths = read["attention_mask"].sum(dim=1).tolist()
        here = {name: rows.to(self._device, non_blocking=True) for name, rows in read.items()}
        with autocast(self._device):
            outputs = outputs_of(self.network, here, lengths, _PARTS[self._device])
        loss = loss_of(outputs, here)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        return loss.detach()

    def _tell(
        self, plan: StagePlan, told: Mapping[str, float], losses: Sequence[torch.Tensor], probe: Probe | None
    ) -> None:
        line: dict[str, Any] = {"stage": plan.name, **told, "loss": round(float(torch.stack(list(losses)).mean()), 4)}
        if probe is not None:
            self.network.eval()
            line |= probe(self.network)
            self.network.train()
        with (self._work / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")

    def _keep(self, file: Path, optimizer: torch.optim.Optimizer, step: int, spent_s: float) -> None:
        kept = {"network": self.network.state_dict(), "optimizer": optimizer.state_dict()}
        _save(kept | {"step": step, "spent_s": spent_s}, file)


def outputs_of(
    network: ReaderNetwork, read: Mapping[str, torch.Tensor], lengths: Sequence[int], most: int
) -> tuple[torch.Tensor, ...]:
    """What the network gives for rows whose longest come first, read in `most` parts of like length at most."""
    whole = read["input_ids"].shape[1]
    found: list[list[torch.Tensor]] = [[] for _ in OUTPUTS]
    for part in parts(lengths, most):
        width = padded(lengths[part.start])
        given = network(*(read[name][part, :width] for name in ("input_ids", "attention_mask", "token_type_ids")))
        for kept, output in zip(found, given, strict=True):
            by_token = output.dim() == 2 and output.shape[1] == width
            kept.append(functional.pad(output, (0, whole - width)) if by_token else output)
    return tuple(torch.cat(kept) for kept in found)


def _save(what: Any, file: Path) -> None:
    with written_whole(file) as beside:
        torch.save(what, beside)


def _parameters(network: ReaderNetwork) -> list[dict[str, Any]]:
    """Heads learn five times as fast as the encoder; vectors and biases are not decayed."""
    named = [(name, p) for name, p in network.named_parameters() if p.requires_grad]
    found: list[dict[str, Any]] = []
    for inside, times in ((True, 1.0), (False, 5.0)):
        for matrix in (True, False):
            chosen = [p for name, p in named if name.startswith("encoder.") is inside and (p.dim() > 1) is matrix]
            found.append({"params": chosen, "times": times, "weight_decay": 0.01 if matrix else 0.0})
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Trains, or goes on training."""
    parser = argparse.ArgumentParser(description="Train the reader.")
    parser.add_argument("work", type=Path)
    parser.add_argument("--base", type=Path, default=base_folder(), help="the encoder to begin from")
    parser.add_argument("--device", choices=TOKENS, default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--tokens", type=int, help="of a batch")
    parser.add_argument("--minutes", type=float, default=math.inf, help="most minutes of each stage")
    parser.add_argument("--after", type=Path, help="what the first stage goes on from, or what ships")
    parser.add_argument("--stages", nargs="+", choices=STAGES, default=list(STAGES), help="these alone, in their order")
    parser.add_argument("--every", type=float, default=180.0, help="seconds between checkpoints")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--data", type=Path, help="the training sets, for the learning curve")
    chosen = parser.parse_args(arguments)
    torch.set_num_threads(chosen.threads)
    torch.manual_seed(SEED)
    network = make_network(chosen.base, dropout=0.0 if chosen.device == "cpu" else 0.1)
    if chosen.after is not None and chosen.after.suffix == ".onnx":
        load_shipped(network, chosen.after, STAGES[chosen.stages[0]].branch)
    elif chosen.after is not None:
        network.load_state_dict(torch.load(chosen.after, weights_only=True))
    trainer = Trainer(network, chosen.work, seed=SEED, tokens=chosen.tokens, device=chosen.device, every_s=chosen.every)
    probe = None
    if chosen.data is not None:
        from training.probe import make_probe

        probe = make_probe(chosen.data, chosen.work, Encoder(chosen.base))
    for name, plan in STAGES.items():
        if name in chosen.stages:
            groups = read_groups(chosen.work / f"{name}.jsonl")
            rows = Encoder(chosen.base, plan.window).rows(groups, random.Random(f"{SEED} windows {name}"))
            trainer.run(replace(plan, minutes=min(plan.minutes, chosen.minutes)), rows, probe)


if __name__ == "__main__":
    main()
