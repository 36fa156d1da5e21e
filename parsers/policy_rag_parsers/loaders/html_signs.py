"""Signs on an HTML page that are no text of it and are read by everybody: formulas and check boxes."""

from typing import Final

from lxml import etree

CHECKED: Final = "☒"
UNCHECKED: Final = "☐"
_INLINE: Final = frozenset({"label", "span", "b", "strong", "i", "em", "a", "font", "u"})
_HOLDERS: Final = frozenset({"label", "td", "th"})
_ANNOTATIONS: Final = frozenset({"annotation", "annotation-xml", "mphantom"})
_DEEPEST: Final = 100
_OPERATORS: Final = frozenset("=+-−×·⋅≤≥<>≈÷")
_ROOTS: Final = {"msqrt": "√", "mroot": "√"}
_RAISED: Final = {"msup": ("^",), "msub": ("_",), "msubsup": ("_", "^"), "munder": ("_",), "mover": ("^",),
                  "munderover": ("_", "^"), "mfrac": ("/",)}  # fmt: skip


def sign_text(element: etree._Element) -> str | None:
    """What a reader sees of a formula or a check box, "" for another control; None for any other element."""
    if element.tag == "math":
        return _formula(element).strip() or element.get("alttext", "")
    return _box(element) if element.tag == "input" else None


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


__all__ = ["CHECKED", "UNCHECKED", "sign_text"]
