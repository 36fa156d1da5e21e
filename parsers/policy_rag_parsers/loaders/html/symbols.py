"""Signs on an HTML page that are no text of it, and everybody reads: formulas, boxes, ticks, symbol fonts."""

import re
from typing import Final

from lxml import etree

from policy_rag_parsers.loaders.symbol_fonts import readable
from policy_rag_parsers.loaders.text_builder import one_line

CHECKED: Final = "☒"
UNCHECKED: Final = "☐"
_INLINE: Final = frozenset({"label", "span", "b", "strong", "i", "em", "a", "font", "u"})
_HOLDERS: Final = frozenset({"label", "td", "th"})
_TICKS: Final = {"(tick)": "✓", "(error)": "✗"}  # as Confluence writes its two signs for yes and no
_ANNOTATIONS: Final = frozenset({"annotation", "annotation-xml", "mphantom"})
_FONT: Final = re.compile(r"font-family\s*:\s*[\"']?(symbol|wingdings(?: [23])?)\s*(?:[\"',;]|\Z)", re.IGNORECASE)
_STYLE_CHARS: Final = 1000  # of a style, at most, are read
_DEEPEST: Final = 100
_OPERATORS: Final = frozenset("=+-−×·⋅≤≥<>≈÷")
_ROOTS: Final = {"msqrt": "√", "mroot": "√"}
_RAISED: Final = {"msup": ("^",), "msub": ("_",), "msubsup": ("_", "^"), "munder": ("_",), "mover": ("^",),
                  "munderover": ("_", "^"), "mfrac": ("/",)}  # fmt: skip


def sign_text(element: etree._Element) -> str | None:
    """What a reader sees of a formula, a box, a picture or a symbol font; "" for another control, None for the rest.

    >>> sign_text(etree.fromstring('<img class="emoticon emoticon-tick" alt="(tick)" src="images/check.png"/>'))
    '✓'
    """
    if element.tag == "math":
        return _formula(element).strip() or element.get("alttext", "")
    if element.tag == "input":
        return _box(element)
    if element.tag == "img":
        return _picture(element)
    font = _symbol_font(element) if element.tag in {"span", "font"} else ""
    if not font:
        return None
    sign, _ = readable(element.text or "", font)
    return sign + "".join(f"{''.join(map(str, child.itertext()))}{child.tail or ''}" for child in element)


def _symbol_font(element: etree._Element) -> str:
    """The symbol font that an element names, as Word does when it saves a page; "" without one."""
    face = element.get("face", "")
    match = _FONT.search(f"{(element.get('style') or '')[:_STYLE_CHARS]};font-family:{face}")
    return match[1] if match else ""


def _picture(element: etree._Element) -> str | None:
    """What a picture stands for that is a sign in a line, or all that a cell of a table holds."""
    classes = (element.get("class") or "").lower()
    said = one_line(element.get("data-emoji-fallback") or element.get("alt") or "")
    if not said or not ("emoji" in classes or "emoticon" in classes or _fills_cell(element)):
        return None
    return _TICKS.get(said, said)


def _fills_cell(element: etree._Element) -> bool:
    cell = next(element.iterancestors("td", "th", "body"), element)
    return cell.tag in {"td", "th"} and not "".join(map(str, cell.itertext())).strip()


def _box(element: etree._Element) -> str:
    """A box with words beside it, or alone in its cell; one without opens a menu of the site."""
    if element.get("type", "").lower() not in {"checkbox", "radio"} or not _labels(element):
        return ""
    return f"{UNCHECKED if element.get('checked') is None else CHECKED} "


def _labels(element: etree._Element) -> bool:
    parent, following = element.getparent(), element.getnext()
    if (element.tail or "").strip() or (parent is not None and parent.tag in _HOLDERS):
        return True
    return following is not None and following.tag in _INLINE and bool((following.text or "").strip())


def _formula(element: etree._Element, depth: int = 0) -> str:
    """A formula in one line: `a/(b + c)`, `x^2`; what is nested deeper than anybody writes is left out."""
    tag = _local(element)
    if tag in _ANNOTATIONS or depth > _DEEPEST:
        return ""
    children = [part for child in element.iterchildren(etree.Element) if (part := _formula(child, depth + 1))]
    if tag in _RAISED and len(children) == len(_RAISED[tag]) + 1:
        grouped = [_grouped(child) for child in children]
        return grouped[0] + "".join(f"{sign}{part}" for sign, part in zip(_RAISED[tag], grouped[1:], strict=True))
    if tag in _ROOTS and children:
        index = children[1] if tag == "mroot" and len(children) > 1 else ""
        return f"{index}{_ROOTS[tag]}({''.join(children[:1] if tag == 'mroot' else children)})"
    written = " ".join((element.text or "").split())
    if tag == "mo" and written in _OPERATORS:
        return f" {written} "
    return (f" {written} " if tag == "mtext" else written) + "".join(children)


def _local(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2].rpartition(":")[2]


def _grouped(part: str) -> str:
    return part if " " not in part.strip() else f"({part.strip()})"
