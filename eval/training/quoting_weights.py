"""Fits the weights by which quotations are chosen, on questions whose gold places are known.

    python -m training.quoting_weights DATASET... --cache DIR

Prints JSON: the weights fitted on all data sets with what the reader says and without it, and for each data set how
often the first choice, and one of the first three, touches gold, by weights that were fitted on the other sets alone.
Only questions of which something that can be quoted touches gold are counted.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.answers import gold_places, open_index
from policy_rag.answering.confidence.model import EVIDENCE
from policy_rag.answering.extraction.extractor import candidates_of
from policy_rag.answering.extraction.quotable_units import units
from policy_rag.answering.extraction.scoring import UnitFeatures, unit_features
from policy_rag.models.reader import Reader
from policy_rag.retrieval.hit_blocks import QUOTED_HITS, with_stored_blocks
from policy_rag_eval.data.dataset import Dataset
from policy_rag_eval.data.dataset_reader import read_dataset
from training.fitting import apply, fit

_FIRST = 3


@dataclass(frozen=True, slots=True)
class Weighed:
    """The candidates of a question: their features, and which of them touch gold, `(candidates,)`."""

    features: UnitFeatures
    gold: NDArray[np.bool_]

    def matrix(self, *, is_read: bool) -> NDArray[np.float64]:
        """The features, `(candidates, features)`; what a reader said counts where `is_read`."""
        used = self.features if is_read else replace(self.features, read=None)
        return used.matrix.astype(float)


def weighed(dataset: Dataset, cache: Path) -> list[Weighed]:
    """The candidates of the answerable questions, as a user's question finds them."""
    questions = [question for question in dataset.questions if gold_places(dataset, question)]
    found = []
    reader = Reader.load()
    with open_index(dataset, cache) as assistant:
        model = assistant.embedder()
        results = assistant.search_many([question.request() for question in questions], top_k=EVIDENCE)
        with assistant.index.snapshot() as snapshot:
            languages, idf = snapshot.derived.languages, snapshot.derived.keywords.idf
            hits = [with_stored_blocks(snapshot, result.hits[:QUOTED_HITS]) for result in results]
    for question, own in zip(questions, hits, strict=True):
        candidates = candidates_of(question.text, [(hit, units(hit)) for hit in own], languages)
        if not candidates:
            continue
        features = unit_features(
            question.text,
            candidates,
            embed=model.embed,
            embed_query=lambda text: model.embed_queries([text])[0],
            idf=idf,
            reader=reader,
            languages=languages,
        )
        golds = gold_places(dataset, question)
        places = [(one.hit.file, one.unit.start, one.unit.end) for one in candidates]
        touching = [any(f == g and a < d and c < b for g, c, d in golds) for f, a, b in places]
        found.append(Weighed(features, np.array(touching, dtype=np.bool_)))
    return found


def weights_of(sets: Sequence[Sequence[Weighed]], *, is_read: bool) -> NDArray[np.float64]:
    """Weights of the features and, last, an intercept."""
    rows = [one for own in sets for one in own]
    features = np.vstack([one.matrix(is_read=is_read) for one in rows])
    return fit(features, np.concatenate([one.gold for one in rows]).astype(float))


def first_choices(rows: Sequence[Weighed], weights: NDArray[np.float64], *, is_read: bool) -> dict[str, int]:
    """For how many questions the first choice touches gold, and one of the first three."""
    able = [one for one in rows if one.gold.any()]
    ranked = [one.gold[np.argsort(-apply(weights, one.matrix(is_read=is_read)), kind="stable")] for one in able]
    return {
        "questions": len(able),
        "first": sum(bool(one[0]) for one in ranked),
        "first_three": sum(bool(one[:_FIRST].any()) for one in ranked),
    }


def figures(sets: dict[str, list[Weighed]]) -> dict[str, Any]:
    """The weights of both kinds, and what each set has of those of the others."""
    made: dict[str, Any] = {}
    for kind, is_read in (("with_reader", True), ("words_alone", False)):
        made[kind] = {"weights": weights_of(list(sets.values()), is_read=is_read).round(3).tolist()}
        for name, rows in sets.items():
            others = [own for other, own in sets.items() if other != name]
            if others:
                made[kind][name] = first_choices(rows, weights_of(others, is_read=is_read), is_read=is_read)
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints weights and figures."""
    parser = argparse.ArgumentParser(description="Fit the weights of quotations.")
    parser.add_argument("dataset", nargs="+")
    parser.add_argument("--cache", type=Path, required=True, help="folder for indexes")
    chosen = parser.parse_args(arguments)
    sets = {dataset.name: weighed(dataset, chosen.cache) for dataset in map(read_dataset, chosen.dataset)}
    sys.stdout.write(json.dumps(figures(sets), indent=2) + "\n")


if __name__ == "__main__":
    main()
