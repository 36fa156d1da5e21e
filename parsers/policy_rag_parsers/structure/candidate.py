"""A candidate heading: a line that might be one, with what speaks for it."""

from enum import StrEnum
from typing import NamedTuple

from policy_rag_parsers.structure.numbering import Closing, NumberMarker


class HeadingKind(StrEnum):
    """How a line shows that it may be a heading."""

    MARKED = "marked"  # by the file's format: <h2>, the style "Heading 2", a large font
    ATX = "atx"  # Markdown: ## Scope
    SETEXT = "setext"  # Markdown: underlined
    BOLD = "bold"  # Markdown: a whole line in bold
    WORDED = "worded"  # Part 6, Article IV, § 3.2
    ANNEXED = "annexed"  # Schedule 1, Appendix A, Annex II
    NUMBERED = "numbered"  # 4.2, A.3, 1.2.1.(2): two components or more
    SINGLE = "single"  # 1. or 1) or A. or IV.
    CAPITALS = "capitals"  # a line of its own in capitals
    CUSTOM = "custom"  # matched by a user's pattern


STRONG = frozenset({HeadingKind.MARKED, HeadingKind.ATX, HeadingKind.SETEXT, HeadingKind.BOLD, HeadingKind.CUSTOM})


class HeadingCandidate(NamedTuple):
    """A line that may be a heading.

    Attributes:
        start: its first visible character.
        end: one past the heading's last line, without the line end.
        body: where its body begins: after the line, or behind the number where the text beside it is no title.
        kind: what makes it a candidate.
        title: its title, cleaned; empty for a clause whose text follows its number.
        marker: its number, or None. The marker's own offsets count from the start of the line.
        level: the level that its format or pattern gives it, from 1, or the depth of its list in Markdown; None where
            only the number tells.
        weight: 2 for the shape of a heading or clause, 1 for a doubtful one, 0 for running text.
        line_end: where its first line ends.
    """

    start: int
    end: int
    body: int
    kind: HeadingKind
    title: str
    marker: NumberMarker | None
    level: int | None
    weight: int
    line_end: int

    @property
    def strong(self) -> bool:
        """Whether the format itself says that this is a heading."""
        return self.kind in STRONG


def is_bare_unit(heading: HeadingCandidate) -> bool:
    """Whether a heading has a unit's word and no number: "Schedule" and "Schedule of fees" are titles."""
    marker = heading.marker
    if marker is None or len(marker.parts) != 1 or marker.parts[0].value:
        return False
    return not heading.title or (marker.closing is Closing.NONE and marker.rest == marker.end + 1)


def is_list_item(candidate: HeadingCandidate) -> bool:
    """Whether a candidate is an item of a numbered list of Markdown, whose indentation tells where it lies."""
    return candidate.kind is HeadingKind.SINGLE and candidate.level is not None
