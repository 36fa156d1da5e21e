"""How the lines of a PDF are set."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from policy_rag_parsers.loaders.pdf.lines import TextLine
from policy_rag_parsers.loaders.pdf.ruling_lines import Rule

_LARGER: Final = 1.07  # times the size of the text, at least, has what stands out by its size
_SMALLER: Final = 0.93  # times the size of the text, at least, has what stands out by its weight or colour
_UNDER: Final = (-0.35, 0.1)  # font sizes from the end of a line's letters, descenders with them, to a line under it
_ENDS: Final = 0.5  # font sizes by which the ends of the two may differ
_CAPITALS: Final = 4  # letters, at least, are in capitals where that is a style


class LineStyle(NamedTuple):
    """How a paragraph is set; the size is rounded to half a point."""

    size: float
    bold: bool
    italic: bool = False
    colour: int = 0
    capitals: bool = False
    underlined: bool = False


def style_of(line: TextLine, rules: Sequence[Rule] = ()) -> LineStyle:
    """The style of a line; it is underlined where a rule of its page ends with it, right below its letters."""
    capitals = line.text.isupper() and sum(map(str.isalpha, line.text)) >= _CAPITALS
    near = _ENDS * line.size
    underlined = any(
        _UNDER[0] * line.size <= rule.at - line.bottom <= _UNDER[1] * line.size
        and abs(rule.low - line.x0) < near
        and abs(rule.high - line.x1) < near
        for rule in rules
    )
    return LineStyle(round(line.size * 2) / 2, line.bold, line.italic, line.colour, capitals, underlined)


def body_style(styles: Iterable[tuple[LineStyle, int]]) -> LineStyle:
    """The style of most characters, each style with a count of them; of size 0 without any."""
    counts: Counter[LineStyle] = Counter()
    for style, count in styles:
        counts[style] += count
    return counts.most_common(1)[0][0] if counts else LineStyle(0.0, bold=False)


def stands_out(style: LineStyle, body: LineStyle) -> bool:
    """Whether a style is larger or bolder than that of the text, or underlined in its colour, as links are not."""
    if style.size > body.size * _LARGER:
        return True
    underlined = style.underlined and not body.underlined and style.colour == body.colour
    return (underlined or (style.bold and not body.bold)) and style.size >= body.size * _SMALLER
