"""One configuration scored by itself."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from policy_rag.settings import load_settings
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.measures.measures import DEFAULT_MEASURES, Measure
from policy_rag_eval.sweep.evaluation import Configuration, Evaluation
from policy_rag_eval.sweep.sweep import sweep


def evaluated(
    dataset: Dataset,
    corpus: Corpus,
    index: Path,
    *,
    name: str = "it",
    measures: Sequence[Measure] = DEFAULT_MEASURES,
    **changes: Any,
) -> Evaluation:
    """What the settings score that are the defaults but for some changes."""
    made = Configuration(name, load_settings(changes))
    return sweep(dataset, corpus, [made], index, measures=measures).evaluations[0]
