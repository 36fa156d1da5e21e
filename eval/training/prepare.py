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
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from policy_rag.models.factory import load_embedder
from policy_rag.records.choices import Backend
from training.asked import ASKED, ASKED_FOLDS, read_asked
from training.clauses import clause_groups, read_clauses
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
from training.reading_sets import negated_groups, reading_groups, written_unanswered
from training.sentence_sets import groups_of, policy_rows, sentence_groups
from training.support_sets import (
    altered_groups,
    contract_groups,
    overlap_balanced_groups,
    usable_rows,
)
from training.written import SOURCE, WRITTEN_FOLDS, WrittenSection, read_written
from training.written_groups import ranking_groups as written_ranking
from training.written_groups import reading_groups as written_reading
from training.written_groups import sentence_groups as written_sentences
from training.written_groups import support_groups as written_support

SEED = 15
_ALL = 1_000_000
_READING = {
    "squadshifts_new_wiki": _ALL,
    "squadshifts_reddit": _ALL,
    "squadshifts_amazon_reviews": _ALL,
    "qamr": 14000,
    "covidqa": _ALL,
}
"""Of each set, how many questions are read in whole passages; the same, in sentences; and rows of statements."""
_SENTENCES = {**_READING, "squadshifts_reddit": 3000, "squadshifts_amazon_reviews": 3000, "qamr": 4000}
_SUPPORT = {
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
_CHANGED = 0.3
_CONTRACTS_SEEN, _ALTERED_SEEN, _CLAUSES_SEEN = 3, 2, 2
_ASKED_SEEN = 2
_RULES = 1900
_ALTERED = 3600
_JOINT = {"relevance": 0.3, "ranked": 0.4, "read": 0.5, "stated": 0.5}
"""How many of each stage's groups all heads learn together before."""
_RELEVANCE_READ = 0.3
_SENTENCES_READ = 0.1


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


def ranked(
    data: Path, benchmarks: Path, relevance: Sequence[PairGroup], sections: Sequence[WrittenSection], seed: int
) -> list[PairGroup]:
    """The groups that teach which sentence answers, and which passage is about what is asked."""
    rng = random.Random(f"{seed} sentences")
    made: list[PairGroup] = [*relevance]
    for name, count in _SENTENCES.items():
        titled = name == "squadshifts_new_wiki"
        made += sentence_groups(data / "reading" / f"{name}.jsonl.gz", name, seed, count=count, titled=titled)
    made += groups_of(policy_rows(benchmarks / "policyqa"), "policyqa", rng)
    embed = load_embedder(backend=Backend.ONNX_INT8).embed
    for source, seen in ((SOURCE, 1), (ASKED, _ASKED_SEEN)):
        made += seen * list(written_sentences([one for one in sections if one.source == source], seed, embed))
    made += written_ranking(sections, seed)
    rng.shuffle(made)
    return made


def read(
    data: Path,
    benchmarks: Path,
    candidates: Path,
    ranks: Sequence[PairGroup],
    sections: Sequence[WrittenSection],
    passages: Sequence[str],
    seed: int,
) -> list[PairGroup]:
    """The groups that teach whether a whole passage answers and where, and what of all else keeps that comparable.

    Of passages with an answer or near to one nothing is said of relevance: told that what does not answer is
    irrelevant, the reader no longer tells a passage about the question from one that answers it.
    """
    rng = random.Random(f"{seed} reading")
    made: list[PairGroup] = []
    for name, count in _READING.items():
        file = data / "reading" / f"{name}.jsonl.gz"
        made += map(_without_relevance, reading_groups(file, name, seed, count=count, changed=_CHANGED))
    made += written_unanswered(data / "reading" / "squadshifts_new_wiki.jsonl.gz")
    made += negated_groups(data / "reading" / "condaqa_dev.jsonl.gz", "condaqa")
    policyqa = list(json_rows(candidates / "policyqa.jsonl"))
    made += [
        g for g in policyqa_groups(policyqa, passages_of(benchmarks / "policyqa"), seed) if g.task is TrainingTask.READ
    ]
    ruled = list(rule_groups(passages, "policies", _RULES, seed))
    swapped = [swapped_rule_group(group, rng) for group in rng.sample(ruled, len(ruled) // 2)]
    made += [*ruled, *(group for group in swapped if group is not None)]
    for turn in (0, 1):  # with other passages that do not answer
        made += map(_without_relevance, written_reading(sections, seed + turn))
    single = [group for group in ranks if group.task is TrainingTask.READ]
    made += rng.sample(single, int(_SENTENCES_READ * len(single)))
    whole = [group for group in ranks if group.task is TrainingTask.RANK and group.source not in {SOURCE, ASKED}]
    made += rng.sample(whole, int(_RELEVANCE_READ * len(whole)))
    rng.shuffle(made)
    return made


def _without_relevance(group: PairGroup) -> PairGroup:
    return replace(group, pairs=tuple(replace(pair, relevant=None) for pair in group.pairs))


def stated(data: Path, passages: Sequence[str], sections: Sequence[WrittenSection], seed: int) -> list[PairGroup]:
    """The groups that teach support; those of agreements and altered policies more than once."""
    rows = {name: usable_rows(data / "support" / f"{name}.jsonl.gz", count, seed) for name, count in _SUPPORT.items()}
    made = list(overlap_balanced_groups(rows, seed))
    made += _CONTRACTS_SEEN * list(contract_groups(data / "support" / "contractnli_dev.jsonl.gz"))
    made += _ALTERED_SEEN * list(altered_groups(passages, seed, count=_ALTERED))
    made += written_support(sections, seed)
    made += _CLAUSES_SEEN * list(clause_groups([one for one in read_clauses() if not one.held_out]))
    random.Random(f"{seed} support").shuffle(made)
    return made


def stages_of(
    data: Path, benchmarks: Path, candidates: Path, sections: Sequence[WrittenSection], seed: int
) -> dict[str, list[PairGroup]]:
    """The groups of each stage of `training.train.STAGES`."""
    relevance = ranking(benchmarks, candidates, seed)
    passages = policy_passages(benchmarks, candidates)
    ranks = ranked(data, benchmarks, relevance, sections, seed)
    stages = {
        "relevance": relevance,
        "ranked": ranks,
        "read": read(data, benchmarks, candidates, ranks, sections, passages, seed),
        "stated": stated(data, passages, sections, seed),
    }
    rng = random.Random(f"{seed} joint")
    joint = [
        group for name, share in _JOINT.items() for group in rng.sample(stages[name], int(share * len(stages[name])))
    ]
    rng.shuffle(joint)
    return {**stages, "joint": joint}


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
    sections = [one for one in read_written() if not is_held_out(one.organisation, WRITTEN_FOLDS)]
    asked = read_asked(chosen.benchmarks / "headings" / "documents")
    sections += [one for one in asked if not is_held_out(one.organisation, ASKED_FOLDS)]
    stages = stages_of(chosen.data, chosen.benchmarks, chosen.work / "candidates", sections, chosen.seed)
    for name, groups in stages.items():
        write_groups(groups, chosen.work / f"{name}.jsonl")
    told = {name: counts(groups) for name, groups in stages.items()}
    (chosen.work / "counts.json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    sys.stderr.writelines(f"{name}: {one}\n" for name, one in told.items())


if __name__ == "__main__":
    main()
