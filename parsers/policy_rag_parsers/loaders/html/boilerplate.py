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
# What Confluence prints below a page.
_ATTACHED: Final = frozenset({"attachments", "comments", "comments-section-title"})
_SIDE_COLUMNS: Final = frozenset({
    "sidebar", "side-bar", "side_bar", "site-sidebar", "page-sidebar", "mw-sidebar", "sphinxsidebar", "bd-sidebar",
    "md-sidebar", "primary-sidebar", "secondary-sidebar", "left-sidebar", "right-sidebar", "sidebar-left",
    "sidebar-right", "sidebar-first", "sidebar-second", "sidebar-nav", "sidebar-menu", "sidebar-navigation",
    "side-nav", "sidenav", "side-navigation", "side-menu", "sidemenu", "wy-nav-side", "mw-panel", "left-nav",
    "leftnav", "left-menu", "leftmenu", "right-nav", "rightnav", "right-menu", "nav", "navigation", "navbar",
    "nav-bar", "nav-menu", "navmenu", "main-nav", "mainnav", "main-menu", "mainmenu", "main-navigation", "site-nav",
    "site-navigation", "global-nav", "primary-nav", "secondary-nav", "section-nav", "subnav", "top-nav", "topnav",
    "page-nav", "page-tree", "pagetree", "menu",
})  # fmt: skip
_COMMENTS: Final = frozenset({
    "comments", "comments-section", "comment-section", "comments-area", "comments-list", "comment-list", "commentlist",
    "comments-container", "comments-wrapper", "comment-thread", "comment-threads", "comments-thread", "page-comments",
    "post-comments", "user-comments", "reader-comments", "disqus_thread",
})  # fmt: skip
_PARTS: Final = frozenset({"div", "section", "aside", "ol", "ul"})
# Programs that write a document as a page give each of its sections an identifier made of its title.
_OF_SECTIONS: Final = frozenset({"section", "level1", "level2", "level3", "level4", "level5", "level6"})
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


def _given_names(element: etree._Element) -> set[str]:
    """The names of an element without an identifier that may be made of its title."""
    classes = set(element.get("class", "").lower().split())
    return classes if element.tag == "section" or classes & _OF_SECTIONS else _names(element)


def _is_page_data(element: etree._Element) -> bool:
    role = element.get("role")
    if element.tag in _KEPT or role in _ROLES or _leads_about(element):
        return element.tag not in _KEPT
    names = _names(element)
    if not names and role is None and element.get("aria-label") is None:
        return False
    if "pagesection" in names and any(inner.get("id") in _ATTACHED for inner in element.iter("h1", "h2", "h3")):
        return True
    if element.tag in _PARTS and (_are_comments(element) or _is_side_column(element)):
        return next(element.iter("main", "h1"), None) is None
    leads = any("breadcrumb" in name for name in (*names, element.get("aria-label", "").lower()))
    if leads or (not names.isdisjoint(_STRIPS) and _is_linked(element)):
        return _is_small(element)
    return (role in _PAGE_ROLES or not names.isdisjoint(_PAGE_DATA)) and _is_small(element) and not _states(element)


def _are_comments(element: etree._Element) -> bool:
    """Whether an element holds what readers wrote below a page."""
    return not _given_names(element).isdisjoint(_COMMENTS)


def _is_side_column(element: etree._Element) -> bool:
    """Whether an element is named a side column or a menu, and has no sentence, table or statement of the document."""
    if _given_names(element).isdisjoint(_SIDE_COLUMNS) or any(
        text.rstrip().endswith(".") for text in _strings(element)
    ):
        return False
    return element.find(".//table") is None and not _states(element)


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
