"""What is shown of a ranked list, one step after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from policy_rag.index.store.document_rows import PassageRow
from policy_rag.retrieval.postprocessing.mmr import marginal_relevance
from policy_rag.retrieval.postprocessing.near_duplicates import merged
from policy_rag.retrieval.postprocessing.score_cutoff import above, before_gap
from policy_rag.retrieval.ranked_passages import RankedPassage
from policy_rag.settings import SearchOptions


def postprocess(
    passages: Sequence[RankedPassage],
    options: SearchOptions,
    n: int,
    *,
    vectors: Mapping[int, NDArray[np.float32]],
    rows: Mapping[int, PassageRow],
) -> list[RankedPassage]:
    """What is shown of a ranked list: duplicates merged, weak hits dropped, the rest made diverse, then cut.

    `vectors` of the chunks are looked up for MMR only, `rows` of the passages for duplicates only.
    """
    left = list(passages)
    if options.merge_duplicates is not None:
        texts = [_without_number(rows[passage.key]) for passage in left]
        left = [
            replace(left[i], same=tuple(left[j].key for j in others))
            for i, others in merged(texts, least=options.merge_duplicates)
        ]
    if options.min_score is not None:
        left = left[: above([passage.score for passage in left], options.min_score)]
    if options.mmr is not None and left:
        chosen = marginal_relevance(
            [passage.score for passage in left],
            np.stack([vectors[passage.chunk_row] for passage in left]),
            trade=options.mmr,
            n=n,
        )
        left = [replace(left[i], score=value) for i, value in chosen]
    left = left[:n]
    if options.gap_share is not None:
        left = left[: before_gap([passage.score for passage in left], options.gap_share)]
    return left


def _without_number(row: PassageRow) -> str:
    """The text without the section's own number, which differs where the same clause stands in two policies."""
    text = row.text.lstrip()
    return text.removeprefix(row.number) if row.number else text
