"""What on an HTML page belongs to the site and not to the document: breadcrumbs, contents, page data, footers.

Wikis and other programs that export pages mark these by roles, identifiers and classes. A footer that states something
of the document (its version, who approved it) is kept, whatever it is marked as, and so is all that holds the title.
"""

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from policy_rag_parsers.text.contents_titles import names_contents
from policy_rag_parsers.text.lexicon import line_words

_ROLES: Final = frozenset({"navigation", "menu", "menubar", "search", "toolbar", "doc-toc", "doc-backlink"})
_PAGE_ROLES: Final = frozenset({"banner", "contentinfo"})
_CONTENTS: Final = frozenset({
    "toc", "toc-macro", "client-side-toc-macro", "toc-container", "toc_container", "toctree-wrapper", "page-toc",
    "table-of-contents", "table_of_contents", "tableofcontents", "on-this-page", "dw__toc", "contents", "msotoc1",
    "msotoc2", "msotoc3", "msotoc4",
})  # fmt: skip
# A strip at a page's top or foot; of the site where there is nothing in it but links.
_STRIPS: Final = frozenset({
    "header", "page-header", "site-header", "top", "topbar", "kopf", "kopfzeile", "oben", "footer", "fuss", "fusszeile",
    "fußzeile", "bottom", "unten",
})  # fmt: skip
# What a link says that leads about the page and not into a document.
_ABOUT: Final = re.compile(rf"{line_words('breadcrumb')}|↑|↩\ufe0e?", re.IGNORECASE)
_PAGE_DATA: Final = frozenset({
    "footer", "page-footer", "site-footer", "pagefooter", "footer-body", "page-metadata", "page-metadata-secondary",
    "mw-editsection", "editsection", "printfooter", "catlinks", "sitesub", "contentsub", "jump-to-nav", "mw-jump-link",
    "mw-navigation", "last-modified", "lastmod", "docinfo",
})  # fmt: skip
_ATTACHED: Final = frozenset({"attachments", "comments"})  # what Confluence prints below a page
_STATES: Final = re.compile(rf"\b(?:{line_words('states')})", re.IGNORECASE)
_LONGEST: Final = 400  # characters of a line of page data
_LISTS: Final = frozenset({"ul", "ol"})
_KEPT: Final = frozenset({"html", "body", "main", "article"})


def boilerplate(root: etree._Element) -> frozenset[etree._Element]:
    """The outermost elements that belong to the site, each to be left out with all that is in it."""
    found: set[etree._Element] = set()
    lists = 0
    steps = etree.iterwalk(root, events=("start", "end"))
    for event, element in steps:
        if event == "end":
            lists -= element.tag in _LISTS
            continue
        contents = _is_contents(element, outermost=not lists)
        lists += element.tag in _LISTS  # its end is reported, even where what is in it is passed over
        if contents:
            found.update(_contents_title(element))
        if contents or _is_page_data(element):
            found.add(element)
            steps.skip_subtree()
    return frozenset(found)


def _names(element: etree._Element) -> set[str]:
    return set(f"{element.get('id', '')} {element.get('class', '')}".lower().split())


def _is_page_data(element: etree._Element) -> bool:
    role = element.get("role")
    if element.tag in _KEPT or role in _ROLES or _leads_about(element):
        return element.tag not in _KEPT
    names = _names(element)
    if not names and role is None and element.get("aria-label") is None:
        return False
    if "pagesection" in names and any(inner.get("id") in _ATTACHED for inner in element.iter("h1", "h2", "h3")):
        return True
    if any("breadcrumb" in name for name in (*names, element.get("aria-label", "").lower())):
        return _is_small(element)
    if not names.isdisjoint(_STRIPS) and _is_linked(element):
        return _is_small(element)
    return (role in _PAGE_ROLES or not names.isdisjoint(_PAGE_DATA)) and _is_small(element) and not _states(element)


def _leads_about(element: etree._Element) -> bool:
    """Whether an element is a link such as "Skip to main content"."""
    return element.tag == "a" and _ABOUT.fullmatch(" ".join("".join(_strings(element)).split())) is not None


def _is_linked(element: etree._Element) -> bool:
    """Whether all text of an element is that of links."""
    return 0 < _linked(element) == _ink(element)


def _is_small(element: etree._Element) -> bool:
    """Whether an element holds a line or two, and neither title nor table."""
    held = next(element.iter("h1", "h2", "h3", "table"), None)
    return held is None and _ink(element) <= _LONGEST


def _states(element: etree._Element) -> bool:
    return _STATES.search("".join(_strings(element))) is not None


def _is_contents(element: etree._Element, *, outermost: bool) -> bool:
    """Whether an element is a table of contents: named so and mostly links, or a list of links into the page only."""
    if element.tag in _LISTS and outermost and _lists_anchors(element):
        return True
    if element.tag in _KEPT or _names(element).isdisjoint(_CONTENTS):
        return False
    linked = _linked(element)
    return linked > 0 and linked * 10 >= _ink(element) * 6


def _lists_anchors(element: etree._Element) -> bool:
    links = list(element.iter("a"))
    if len(links) < 2 or not all((link.get("href") or "").startswith("#") for link in links):
        return False
    return _is_linked(element)


def _contents_title(element: etree._Element) -> Iterator[etree._Element]:
    """The line "Contents" before a table of contents, or before the element that it begins."""
    for one in (element, element.getparent()):
        before = one.getprevious() if one is not None else None
        if before is not None:
            if names_contents("".join(_strings(before))):
                yield before
            return


def _linked(element: etree._Element) -> int:
    """How many characters of an element's links are no blanks."""
    return sum(map(_ink, element.iter("a")))


def _ink(element: etree._Element) -> int:
    """How many characters of an element's text are no blanks."""
    return len("".join("".join(_strings(element)).split()))


def _strings(element: etree._Element) -> Iterator[str]:
    """The texts of an element without those of scripts and styles."""
    steps = etree.iterwalk(element, events=("start", "end"))
    for event, inner in steps:
        if event == "start":
            if inner.tag in {"script", "style"}:
                steps.skip_subtree()
            else:
                yield inner.text or ""
        elif inner is not element:
            yield inner.tail or ""
