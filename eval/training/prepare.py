"""Makes the examples of the stages from the shared data and from what was written for it.

    python -m training.prepare DATA BENCHMARKS WORK [--seed N]

DATA holds the training sets, BENCHMARKS the development sets beside them; WORK gets a file a stage of
`training.train.STAGES`, and needs `candidates/obliqa.jsonl` and `candidates/policyqa.jsonl`.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from training.examples import PairGroup, TrainingTask, json_rows, write_groups
from training.folds import is_held_out
from training.policies import (
    heading_groups,
    joined_passages,
    obliqa_groups,
    obliqa_keys,
    passages_of,
    policyqa_groups,
    rule_groups,
    sections_of,
    swapped_rule_group,
)
from training.reading_sets import negated_groups, reading_groups
from training.sentence_sets import groups_of, policy_rows, sentence_groups
from training.support_sets import (
    altered_groups,
    contract_groups,
    entailment_groups,
    overlap_balanced_groups,
    usable_rows,
)
from training.written import WRITTEN_FOLDS, WrittenSection, read_written
from training.written import ranking_groups as written_ranking
from training.written import reading_groups as written_reading
from training.written import sentence_groups as written_sentences

SEED = 15
_READING = {
    "squadshifts_new_wiki": 3200,
    "covidqa": 300,
    "qamr": 3200,
}
_SUPPORT = {
    "mnli_dev": 2200,
    "mnli_test": 2200,
    "fever_dev": 1100,
    "fever_test": 1100,
    "snli_dev": 600,
    "conjnli": 900,
    "breaking_nli": 700,
    "dnc_modality": 500,
}
_SENTENCES = {
    "squadshifts_new_wiki": 7000,
    "squadshifts_reddit": 3500,
    "squadshifts_amazon_reviews": 3500,
    "qamr": 4000,
    "covidqa": 800,
}
_MORE_SUPPORT = {
    "mnli_dev": 4000,
    "mnli_test": 8000,
    "fever_dev": 1500,
    "snli_dev": 2500,
    "conjnli": 1000,
}
_READING_ALONE = {
    "squadshifts_new_wiki": 8000,
    "squadshifts_reddit": 10000,
    "squadshifts_amazon_reviews": 10000,
    "qamr": 14000,
    "covidqa": 1200,
}
_CHANGED = 0.3
_READ_AGAIN = {"rank": 0.2, "sentences": 0.1, "policies": 0.5}
"""Of the groups of relevance, of sentences and of the policies' questions, how many the fourth stage sees again."""
_SUPPORT_ALONE = {
    "mnli_dev": 7000,
    "mnli_test": 13000,
    "fever_dev": 5000,
    "fever_test": 5000,
    "snli_dev": 6000,
    "snli_test": 6000,
    "conjnli": 10000,
    "breaking_nli": 3000,
    "dnc_modality": 3000,
}
_CONTRACTS_SEEN, _ALTERED_SEEN = 3, 2
_WRITTEN_RANKED = 11  # groups of relevance, of ten sections
_RULES = 1900
_ALTERED = 3600
_REPLAYED = 0.15
_AGAIN = {TrainingTask.RANK: 0.2, TrainingTask.READ: 0.4, TrainingTask.SUPPORT: 0.3}
"""Of the first two stages' groups, how many the third sees again."""


def policy_passages(benchmarks: Path, candidates: Path) -> list[str]:
    """Policy texts that no held-out question is about, in pieces of some 700 characters."""
    held = set()
    rows = list(json_rows(candidates / "obliqa.jsonl"))
    keys = obliqa_keys(rows)
    for row in rows:
        if row["id"] in keys and is_held_out(keys[row["id"]]):
            held.update(row["gold"])
    own = [text for label, text in passages_of(benchmarks / "obliqa").items() if label not in held]
    pieces = joined_passages(own)
    policy = [
        row["text"]
        for row in json_rows(benchmarks / "policyqa" / "corpus.jsonl")
        if row["text"].strip() and not is_held_out(row["doc_id"])
    ]
    sections = [
        body
        for file in sorted((benchmarks / "headings" / "documents").iterdir())
        if not file.name.startswith(("18f-", "github-")) and file.suffix in {".md", ".html", ".docx"}
        for _, body in sections_of(file)
    ]
    return [*pieces, *joined_passages(policy), *[body for body in sections if len(body) < 2000]]


def ranking(benchmarks: Path, candidates: Path, seed: int) -> list[PairGroup]:
    """The groups that teach relevance."""
    made = [
        *obliqa_groups(list(json_rows(candidates / "obliqa.jsonl")), passages_of(benchmarks / "obliqa"), seed),
        *(
            group
            for group in policyqa_groups(
                list(json_rows(candidates / "policyqa.jsonl")), passages_of(benchmarks / "policyqa"), seed
            )
            if group.task is TrainingTask.RANK
        ),
        *heading_groups(benchmarks / "headings" / "documents", seed),
    ]
    random.Random(seed).shuffle(made)
    return made


def everything(
    data: Path, benchmarks: Path, candidates: Path, ranked: Sequence[PairGroup], seed: int
) -> list[PairGroup]:
    """The groups of all heads, with some of those that teach relevance again."""
    rng = random.Random(f"{seed} all")
    made = rng.sample(list(ranked), int(_REPLAYED * len(ranked)))
    for name, count in _READING.items():
        made += reading_groups(data / "reading" / f"{name}.jsonl.gz", name, seed, count=count)
    policyqa = list(json_rows(candidates / "policyqa.jsonl"))
    made += [
        g for g in policyqa_groups(policyqa, passages_of(benchmarks / "policyqa"), seed) if g.task is TrainingTask.READ
    ]
    passages = policy_passages(benchmarks, candidates)
    ruled = list(rule_groups(passages, "policies", _RULES, seed))
    swapped = [swapped_rule_group(group, rng) for group in rng.sample(ruled, len(ruled) // 2)]
    made += [*ruled, *(group for group in swapped if group is not None)]
    for name, count in _SUPPORT.items():
        made += entailment_groups(data / "support" / f"{name}.jsonl.gz", name, seed, count=count)
    made += contract_groups(data / "support" / "contractnli_dev.jsonl.gz")
    made += altered_groups(passages, seed, count=_ALTERED)
    rng.shuffle(made)
    return made


def sentences(
    data: Path, benchmarks: Path, ranked: Sequence[PairGroup], learnt: Sequence[PairGroup], seed: int
) -> list[PairGroup]:
    """The groups that teach which sentence answers, more of support, and some of what was learnt before."""
    rng = random.Random(f"{seed} sentences")
    made: list[PairGroup] = []
    for name, count in _SENTENCES.items():
        titled = name == "squadshifts_new_wiki"
        made += sentence_groups(data / "reading" / f"{name}.jsonl.gz", name, seed, count=count, titled=titled)
    made += groups_of(policy_rows(benchmarks / "policyqa"), "policyqa", rng)
    for name, count in _MORE_SUPPORT.items():
        made += entailment_groups(data / "support" / f"{name}.jsonl.gz", name, seed + 1, count=count)
    made += rng.sample(list(ranked), int(_AGAIN[TrainingTask.RANK] * len(ranked)))
    for task in (TrainingTask.READ, TrainingTask.SUPPORT):
        own = [group for group in learnt if group.task is task]
        made += rng.sample(own, int(_AGAIN[task] * len(own)))
    rng.shuffle(made)
    return made


def reading(
    data: Path, ranked: Sequence[PairGroup], learnt: Sequence[PairGroup], told: Sequence[PairGroup], seed: int
) -> list[PairGroup]:
    """The groups that teach where in a whole passage the answer stands and whether it does, and some of before.

    Relevance is left as it was: told that what does not answer is irrelevant, the reader no longer tells a passage
    about the question from one that answers it.
    """
    rng = random.Random(f"{seed} reading")
    made: list[PairGroup] = []
    for name, count in _READING_ALONE.items():
        file = data / "reading" / f"{name}.jsonl.gz"
        made += map(_without_relevance, reading_groups(file, name, seed + 1, count=count, changed=_CHANGED))
    made += negated_groups(data / "reading" / "condaqa_dev.jsonl.gz", "condaqa")
    again = rng.sample(list(ranked), int(_READ_AGAIN["rank"] * len(ranked)))
    own = [g for g in learnt if g.task is TrainingTask.READ and g.source.startswith(("policyqa", "rules"))]
    again += rng.sample(own, int(_READ_AGAIN["policies"] * len(own)))
    single = [g for g in told if g.task is TrainingTask.READ and g.source.endswith("sentences")]
    again += rng.sample(single, int(_READ_AGAIN["sentences"] * len(single)))
    made += [replace(group, held=True) for group in again]
    rng.shuffle(made)
    return made


def _without_relevance(group: PairGroup) -> PairGroup:
    return replace(group, pairs=tuple(replace(pair, relevant=None) for pair in group.pairs))


def support(data: Path, learnt: Sequence[PairGroup], seed: int) -> list[PairGroup]:
    """The groups that teach support by itself; those of agreements and altered policies more than once."""
    rows = {
        name: usable_rows(data / "support" / f"{name}.jsonl.gz", count, seed) for name, count in _SUPPORT_ALONE.items()
    }
    made = list(overlap_balanced_groups(rows, seed))
    made += _CONTRACTS_SEEN * list(contract_groups(data / "support" / "contractnli_dev.jsonl.gz"))
    made += _ALTERED_SEEN * [group for group in learnt if group.source.startswith("altered")]
    random.Random(f"{seed} support").shuffle(made)
    return made


def written(
    sections: Sequence[WrittenSection], stages: Mapping[str, Sequence[PairGroup]], seed: int
) -> dict[str, list[PairGroup]]:
    """The groups of the last two stages: what was written, and some of what each network learnt before."""
    rng = random.Random(f"{seed} written")

    def again(name: str, share: float, new: Sequence[PairGroup]) -> list[PairGroup]:
        return rng.sample(list(stages[name]), min(int(share * len(new)), len(stages[name])))

    sentences = list(written_sentences(sections, seed))
    reading = list(map(_without_relevance, written_reading(sections, seed)))
    ranked = list(written_ranking(sections, seed))
    ranked = rng.sample(ranked, min(len(ranked), _WRITTEN_RANKED * len(sections) // 10))
    made = {
        "written-sentences": [
            *sentences,
            *ranked,
            *again("sentences", 0.25, sentences),
            *again("relevance", 0.07, sentences),
        ],
        "written-reading": [*reading, *again("reading", 0.3, reading)],
    }
    for groups in made.values():
        rng.shuffle(groups)
    return made


def counts(groups: Iterable[PairGroup]) -> dict[str, int]:
    """How many pairs there are of each source."""
    found: Counter[str] = Counter()
    for group in groups:
        found[group.source.split(" ")[0]] += len(group.pairs)
    return dict(found.most_common())


def main(arguments: Sequence[str] | None = None) -> None:
    """Writes a file a stage."""
    parser = argparse.ArgumentParser(description="Prepare the reader's training examples.")
    parser.add_argument("data", type=Path)
    parser.add_argument("benchmarks", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    chosen = parser.parse_args(arguments)
    candidates = chosen.work / "candidates"
    seed = chosen.seed
    ranked = ranking(chosen.benchmarks, candidates, seed)
    made = everything(chosen.data, chosen.benchmarks, candidates, ranked, seed)
    told_apart = sentences(chosen.data, chosen.benchmarks, ranked, made, seed)
    stages = {
        "relevance": ranked,
        "all": made,
        "sentences": told_apart,
        "reading": reading(chosen.data, ranked, made, told_apart, seed),
        "support": support(chosen.data, made, seed),
    }
    learnt_from = [one for one in read_written() if not is_held_out(one.organisation, WRITTEN_FOLDS)]
    stages |= written(learnt_from, stages, seed)
    for name, groups in stages.items():
        write_groups(groups, chosen.work / f"{name}.jsonl")
    told = {name: counts(groups) for name, groups in stages.items()}
    (chosen.work / "counts.json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    sys.stderr.writelines(f"{name}: {one}\n" for name, one in told.items())


if __name__ == "__main__":
    main()
