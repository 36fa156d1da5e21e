"""Summaries of the section before and the section after, once the sections have their own."""

from collections.abc import Sequence
from dataclasses import replace

from policy_rag_parsers.metadata.records import SectionMetadata


def with_neighbours(sections: Sequence[SectionMetadata], *, keep: bool) -> list[SectionMetadata]:
    """Each section with the nearest summaries before and after it; headings without a body are passed over.

    Args:
        sections: of one document, in order.
        keep: whether they keep their own summary.

    >>> [s.next_summary for s in with_neighbours([SectionMetadata("1", "a"), SectionMetadata("2", "b")], keep=True)]
    ['b', '']
    """
    before = _nearest(sections)
    after = _nearest(sections[::-1])[::-1]
    return [
        replace(section, summary=section.summary if keep else None, previous_summary=previous, next_summary=following)
        for section, previous, following in zip(sections, before, after, strict=True)
    ]


def _nearest(sections: Sequence[SectionMetadata]) -> list[str]:
    last = ""
    found: list[str] = []
    for section in sections:
        found.append(last)
        last = section.summary or last
    return found
