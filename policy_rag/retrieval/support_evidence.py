"""What both searches find before a reranker, or where one alone was asked for: support is weighed by their order."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from policy_rag.records.choices import Search
from policy_rag.records.search import Query, SearchRequest, SearchResult
from policy_rag.retrieval.searcher import Searcher
from policy_rag.settings import SearchOptions

ONE_SEARCH = frozenset({Search.VECTOR, Search.KEYWORD})
"""Those that ask one search alone."""
_AS_FITTED = {"min_score": None, "gap_share": None, "mmr": None, "merge_duplicates": None, "expand": ()}
_DAY = "as_of="


def with_evidence(
    searcher: Searcher,
    requests: Sequence[SearchRequest],
    results: Sequence[SearchResult],
    options: SearchOptions,
    *,
    today: dt.date,
    reranked: bool = False,
) -> tuple[SearchResult, ...]:
    """The results, with what both searches together find as the `evidence` of those that have hits.

    It is searched for what each result was searched for (`asked`, `filters`, `queries`): nothing is read out of a
    question or rewritten a second time. The order is that of the weighted fusion alone, neither reranked nor thinned,
    and nothing is cut by score: the weights of support were fitted on that order, and a limit that was set for the
    scores of one search means nothing for those of both.

    Args:
        searcher: of the index that was searched; its reranker is not asked.
        requests: as they were made.
        results: of the requests, in their order.
        options: those that the results were found with; a search that is both already, and was not reranked, is the
            evidence itself.
        today: the day of requests that name none.
        reranked: whether a reranker ordered the results.
    """
    found = [place for place, result in enumerate(results) if result.hits]
    if not found or not (reranked or options.search in ONE_SEARCH):
        return tuple(results)
    search = Search.WEIGHTED if options.search in ONE_SEARCH else options.search
    both = options.changed({**_AS_FITTED, "search": search})
    asked = [_searched(requests[place], results[place]) for place in found]
    queries = [
        results[place].queries or (Query(request.question),) for place, request in zip(found, asked, strict=True)
    ]
    made = searcher.without_reranker().search_many(asked, both, today=today, queries=queries)
    evidence = {place: one.hits for place, one in zip(found, made, strict=True)}
    return tuple(replace(result, evidence=evidence.get(place, ())) for place, result in enumerate(results))


def _searched(request: SearchRequest, result: SearchResult) -> SearchRequest:
    """A request as it was searched: under the filters that were read out of its question, without their words."""
    day = next((text.removeprefix(_DAY) for text in result.filters if text.startswith(_DAY)), None)
    return replace(
        request,
        question=result.asked or request.question,
        where=(*request.where, *(text for text in result.filters if not text.startswith(_DAY))),
        as_of=dt.date.fromisoformat(day) if day else request.as_of,
    )
