"""How the lines of a PDF are set."""

from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from policy_rag_parsers.loaders.pdf.lines import TextLine

_LARGER: Final = 1.07  # times the size of the text, at least, has what stands out by its size
_SMALLER: Final = 0.93  # times the size of the text, at least, has what stands out by its weight or colour
_CAPITALS: Final = 4  # letters, at least, are in capitals where that is a style


class LineStyle(NamedTuple):
    """How a paragraph is set; the size is rounded to half a point."""

    size: float
    bold: bool
    italic: bool = False
    colour: int = 0
    capitals: bool = False


def style_of(line: TextLine) -> LineStyle:
    """The style of a line."""
    capitals = line.text.isupper() and sum(map(str.isalpha, line.text)) >= _CAPITALS
    return LineStyle(round(line.size * 2) / 2, line.bold, line.italic, line.colour, capitals)


def body_style(styles: Iterable[tuple[LineStyle, int]]) -> LineStyle:
    """The style of most characters, each style with a count of them; of size 0 without any."""
    counts: Counter[LineStyle] = Counter()
    for style, count in styles:
        counts[style] += count
    return counts.most_common(1)[0][0] if counts else LineStyle(0.0, bold=False)


def stands_out(style: LineStyle, body: LineStyle) -> bool:
    """Whether a style is larger or bolder than that of the text."""
    if style.size > body.size * _LARGER:
        return True
    return style.bold and not body.bold and style.size >= body.size * _SMALLER
