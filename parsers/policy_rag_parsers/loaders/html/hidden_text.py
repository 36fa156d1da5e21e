"""What on an HTML page a reader does not see, or sees struck out: no part of the text."""

import re
from typing import Final

from lxml import etree

_TAGS: Final = frozenset({
    "script", "style", "nav", "template", "noscript", "head", "title", "svg", "iframe", "object", "embed", "audio",
    "video", "canvas", "select", "option", "textarea", "button", "datalist", "map", "area", "link", "meta",
    "del", "s", "strike", "rt", "rp",
})  # fmt: skip
_STYLE: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|mso-element\s*:\s*comment|"
    r"text-decoration(?:-line)?\s*:[^;]{0,60}line-through",
    re.IGNORECASE,
)
# Word's comments and the marks that point to them.
_COMMENTS: Final = frozenset({"msocomtxt", "msocomanchor", "msocomoff", "msocommentreference"})


def is_unseen(element: etree._Element) -> bool:
    """Whether an element, with all that is in it, is left out: scripts, controls, hidden or deleted words, notes."""
    if element.tag in _TAGS or element.get("hidden") is not None:
        return True
    classes = element.get("class")
    if classes and not _COMMENTS.isdisjoint(classes.lower().split()):
        return True
    style = element.get("style")
    return style is not None and _STYLE.search(style) is not None
