"""The offline route: metadata by rule and by the statistics of the corpus, the same each time, without an LLM."""

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from policy_rag_parsers.metadata.outcome import Outcome, Progress
from policy_rag_parsers.metadata.records import Kind
from policy_rag_parsers.metadata.texts import SectionedDocument

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts to vectors of length one, `(texts, dimension)`, in their order."""


def extract_offline(
    documents: Sequence[SectionedDocument],
    kinds: Collection[Kind],
    *,
    embed: Embed | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Outcome:
    """Extract `kinds` from every section of `documents`.

    Args:
        documents: the corpus; keywords and summaries weigh words by how many of its sections hold them.
        kinds: which to extract; summaries of neighbours are those of the sections, with `SUMMARY` or without.
        embed: says how alike two sentences are; without it shared words do.
        on_progress: told after each document.
    """
    raise NotImplementedError
