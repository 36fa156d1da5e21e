"""Signs on an HTML page that are no text of it and are read by everybody: formulas, check boxes, symbol fonts."""

import re
from typing import Final

from lxml import etree

from policy_rag_parsers.loaders.symbol_fonts import readable

CHECKED: Final = "☒"
UNCHECKED: Final = "☐"
_INLINE: Final = frozenset({"label", "span", "b", "strong", "i", "em", "a", "font", "u"})
_HOLDERS: Final = frozenset({"label", "td", "th"})
_ANNOTATIONS: Final = frozenset({"annotation", "annotation-xml", "mphantom"})
_FONT: Final = re.compile(r"font-family\s*:\s*[\"']?(symbol|wingdings(?: [23])?)\s*(?:[\"',;]|\Z)", re.IGNORECASE)
_STYLE_CHARS: Final = 1000  # of a style, at most, are read
_DEEPEST: Final = 100
_OPERATORS: Final = frozenset("=+-−×·⋅≤≥<>≈÷")
_ROOTS: Final = {"msqrt": "√", "mroot": "√"}
_RAISED: Final = {"msup": ("^",), "msub": ("_",), "msubsup": ("_", "^"), "munder": ("_",), "mover": ("^",),
                  "munderover": ("_", "^"), "mfrac": ("/",)}  # fmt: skip


def sign_text(element: etree._Element) -> str | None:
    """What a reader sees of a formula, a check box or a sign of a symbol font, "" for another control; else None."""
    if element.tag == "math":
        return _formula(element).strip() or element.get("alttext", "")
    if element.tag == "input":
        return _box(element)
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
