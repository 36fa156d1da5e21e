"""HTML: the text that a browser shows, a block a line, with headings, numbered lists and tables.

Left out, as a reader does not read it as part of the policy: scripts, styles, menus (`nav`), what is hidden, what is
struck out (`del`, `s`, a line through it), comments of Word, form controls but for check boxes, where the page has a
`main` part, the page's header, footer and side columns, and what is marked as the site's (`boilerplate`):
breadcrumbs, contents, page data.
"""

import codecs
import re
from dataclasses import replace
from typing import Final

from lxml import etree

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.access_keys import entries, may_mean_access, means_access
from policy_rag_parsers.loaders.access_statements import unread_statement
from policy_rag_parsers.loaders.encoding import decode
from policy_rag_parsers.loaders.html.boilerplate import boilerplate
from policy_rag_parsers.loaders.html.counters import write_counted
from policy_rag_parsers.loaders.html.hidden_text import is_unseen
from policy_rag_parsers.loaders.html.lists import HtmlList, is_marker, without_counted
from policy_rag_parsers.loaders.html.style_sheets import StyleSheets
from policy_rag_parsers.loaders.html.superscripts import joined, raised_text
from policy_rag_parsers.loaders.html.symbols import sign_text
from policy_rag_parsers.loaders.html.table import cell_text, clause_cells, is_layout, table_rows
from policy_rag_parsers.loaders.list_numerals import BULLET
from policy_rag_parsers.loaders.size_limits import MOST_ELEMENTS, require_at_most
from policy_rag_parsers.loaders.style_groups import BOLD, LineLook, StyleGroups
from policy_rag_parsers.loaders.text_builder import TextBuilder, lines, one_line
from policy_rag_parsers.records import FileFormat, SourceText

_BLOCKS: Final = frozenset({
    "html", "body", "main", "article", "section", "aside", "header", "footer", "div", "p", "pre", "blockquote",
    "address", "figure", "figcaption", "ul", "ol", "li", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6",
    "table", "caption", "tr", "td", "th", "thead", "tbody", "tfoot", "form", "fieldset", "legend", "details",
    "summary", "hr", "center", "dir", "menu", "hgroup", "search",
})  # fmt: skip
_HEADING: Final = re.compile(r"h([1-6])\Z")
# Python's own codecs, which no browser knows: some fail on all bytes, some take quadratic time.
_NO_CHARSETS: Final = frozenset({
    "undefined", "idna", "punycode", "unicode-escape", "unicode_escape", "raw-unicode-escape", "raw_unicode_escape",
    "utf-7", "mbcs", "oem", "base64", "bz2", "hex", "quopri", "rot13", "uu", "zlib",
})  # fmt: skip
_LONGEST_TERM: Final = 80
_HEAD_BYTES: Final = 20_000
_INDENT: Final = "   "  # before the items of a list inside another, once for each list around it
_DEEPEST: Final = 12  # lists inside lists; deeper ones stand no further in
_COMMENT: Final = re.compile(r"<!--(.*?)-->", re.DOTALL)
_FRAME: Final = re.compile(
    r"<!--.*?-->|<[!?][^>]*>|</?(?:html|head|body|main|article|div|pre|p)\b[^>]*>", re.DOTALL | re.IGNORECASE
)
_META_CHARSET: Final = re.compile(rb"""<meta[^>]{0,300}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]+)""", re.IGNORECASE)
_XML_ENCODING: Final = re.compile(rb"""\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9_:.-]+)""")


def load_html(data: bytes) -> SourceText:
    """Read an HTML page.

    Raises:
        LoadError: the bytes are no text, or there is no HTML in them.
    """
    # A lone surrogate (from a broken character reference) could be written nowhere.
    markup = _decode(data).encode("utf-8", errors="replace")
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True)
    try:
        root = etree.fromstring(markup, parser)
    except etree.XMLSyntaxError as error:
        raise LoadError("holds no HTML that can be read; open it in a browser and save it again") from error
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        # The parser stops there: reading on would lose the rest without a word.
        raise LoadError("nests its elements more than 2,000 deep; open it in a browser and save it as text")
    if root is None:
        raise LoadError("holds no HTML; put text in it, or take it out")
    require_at_most(sum(1 for _ in root.iter("*")), MOST_ELEMENTS, "elements")
    title = one_line(root.findtext(".//title") or "")
    sheets = StyleSheets(root)
    write_counted(root, sheets)
    sheets.write(root)
    page = _Page(_has_main(root), boilerplate(root))
    page.walk(root)
    return replace(
        page.finish(title or None), access_claim=_access_claim(markup[:_HEAD_BYTES].decode(errors="replace"), root)
    )


def _access_claim(head: str, root: etree._Element) -> str:
    """What a page says of who may read it in `meta` elements, in comments, and before its first element with text."""
    for meta in root.iter("meta"):
        for naming in ("name", "property", "itemprop", "http-equiv"):
            name = meta.get(naming) or ""
            if may_mean_access(name) or may_mean_access(re.split(r"[.:]", name)[-1]):  # "DCTERMS.accessRights"
                return one_line(f'<meta {naming}="{name}" content="{meta.get("content") or ""}">')
    comments = (line for match in _COMMENT.finditer(head) for line in match.group(1).splitlines())
    said = next((line for line in comments if any(means_access(key) for key, _ in entries(line))), "")
    # As it is written: line ends are lost in the text.
    return one_line(said or unread_statement(_FRAME.sub("", head).partition("<")[0]))


def _decode(data: bytes) -> str:
    """By byte order mark, else by what the page declares, else as any text file."""
    codec = _declared_codec(data)
    if codec is None:
        return decode(data)
    try:
        text = data.decode(codec)
    except UnicodeError:
        return decode(data)
    return decode(data) if "\x00" in text else text.replace("\r\n", "\n").replace("\r", "\n")


def _declared_codec(data: bytes) -> str | None:
    """Python's name of the encoding that a page declares; None where it declares none that is to be believed."""
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")) or b"\x00" in data[:1024]:
        return None
    declared = _XML_ENCODING.search(data[:1024]) or _META_CHARSET.search(data[:4096])
    if declared is None:
        return None
    name = declared.group(1).decode("ascii").lower()
    # Browsers read these names as Windows-1252; no page that declares UTF-16 in ASCII bytes is UTF-16.
    name = {"iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252"}.get(name, name)
    try:
        codec = codecs.lookup(name).name
    except LookupError:
        return None
    return None if codec.startswith("utf-16") or codec in _NO_CHARSETS else codec


def _has_main(root: etree._Element) -> bool:
    return any(element.tag == "main" or element.get("role") == "main" for element in root.iter(etree.Element))


def _goes_on(term: etree._Element | None) -> bool:
    """Whether a term of a list of definitions stands in one paragraph with its definition, as "Gift: any favour"."""
    told = term.getnext() if term is not None else None
    if term is None or told is None or term.tag != "dt" or told.tag != "dd":
        return False
    inside = [one.tag for element in (term, told) for one in element.iterdescendants(etree.Element)]
    said = cell_text(term)
    short = 0 < len(said) <= _LONGEST_TERM and said[-1] not in ":?.!" and not is_marker(said)
    return short and not any(tag in _BLOCKS or tag in {"b", "strong"} for tag in inside)


class _Page:
    """The state of one pass over a page: the inline text collected so far, and where it will go."""

    def __init__(self, has_main: bool, site: frozenset[etree._Element]) -> None:
        self._out = TextBuilder()
        self._bold = StyleGroups(LineLook())
        self._has_main = has_main
        self._site = site
        self._inline: list[str] = []
        self._plain = False  # whether any of the inline text is not bold
        self._bold_depth = 0
        self._main_depth = 0
        self._pre_depth = 0
        self._heading = 0
        self._lists: list[HtmlList] = []
        self._items = 0  # how many li are open
        self._marker = ""
        self._counted = ""  # the last part of the marker, where the list gave it
        self._numbered: list[bool] = []  # of each open dd: whether its dt is a marker
        self._clauses: dict[etree._Element, bool] = {}  # cells of clauses: whether they hold the number
        self._in_number = False

    def walk(self, root: etree._Element) -> None:
        """Read all of the page. Not recursive: pages nest as deep as they like."""
        steps = etree.iterwalk(root, events=("start", "end"))
        for event, element in steps:
            if event == "start":
                if self._skip(element):
                    if element.tag in _BLOCKS:
                        self._flush()
                    steps.skip_subtree()
                elif element.tag == "table" and not self._sets_clauses(element) and not is_layout(element):
                    self._flush()
                    self._table(element)
                    steps.skip_subtree()
                elif (sign := sign_text(element)) is not None:
                    self._text(sign)
                    steps.skip_subtree()
                elif (raised := raised_text(element)) is not None:
                    self._inline.append(raised)
                    steps.skip_subtree()
                else:
                    self._start(element)
                    self._text(element.text)
            else:
                if element.tag == "table" or not self._skip(element):
                    self._end(element)
                self._text(element.tail)
        self._flush()

    def finish(self, title: str | None) -> SourceText:
        """The page as text."""
        self._bold.mark(self._out)
        return self._out.build(FileFormat.HTML, title=title)

    def _skip(self, element: etree._Element) -> bool:
        tag = element.tag
        if element in self._site or is_unseen(element):
            return True
        if tag == "a" and "headerlink" in (element.get("class") or ""):
            return True
        outside = self._has_main and not self._main_depth and tag in {"header", "footer", "aside"}
        # A page's own title often stands in its header.
        return outside and (tag != "header" or element.find(".//h1") is None)

    def _start(self, element: etree._Element) -> None:
        tag = element.tag
        if tag == "br":
            self._inline.append("\n")
            return
        if tag in _BLOCKS and not (tag == "dd" and _goes_on(element.getprevious())):
            self._flush()
        if tag == "main" or element.get("role") == "main":
            self._main_depth += 1
        if tag in {"b", "strong"}:
            self._bold_depth += 1
        elif tag == "pre":
            self._pre_depth += 1
        elif tag in {"ul", "ol", "menu", "dir"}:
            self._lists.append(HtmlList(element))
        elif tag == "li":
            self._counted = self._lists[-1].marker(element) if self._lists else f"{BULLET} "
            self._marker += self._counted
            self._items += 1
        elif tag == "dd":
            self._numbered.append(bool(self._marker) and not self._counted)
            self._items += self._numbered[-1]
        elif element in self._clauses:
            self._in_number = self._clauses[element]
            self._items += not self._in_number
        elif heading := _HEADING.match(tag):
            self._heading = int(heading.group(1))

    def _sets_clauses(self, table: etree._Element) -> bool:
        cells = clause_cells(table)
        for number, text in cells:
            self._clauses[number], self._clauses[text] = True, False
        return bool(cells)

    def _end(self, element: etree._Element) -> None:
        tag = element.tag
        if tag == "dt" and is_marker(marker := one_line("".join(self._inline))):
            self._inline.clear()
            self._marker, self._counted = f"{self._marker}{marker} ", ""
        elif tag == "dt" and _goes_on(element):
            self._inline.append(": ")
        elif tag in _BLOCKS:
            self._flush()
        if tag == "main" or element.get("role") == "main":
            self._main_depth -= 1
        if tag in {"b", "strong"}:
            self._bold_depth -= 1
        elif tag == "pre":
            self._pre_depth -= 1
        elif tag in {"ul", "ol", "menu", "dir"} and self._lists:
            self._lists.pop()
        elif tag == "li":
            self._items -= 1
            self._marker = ""
        elif tag == "dd" and self._numbered:
            self._items -= self._numbered.pop()
            self._marker = ""
        elif element in self._clauses:
            self._end_of_cell()
        elif _HEADING.match(tag):
            self._heading = 0

    def _end_of_cell(self) -> None:
        if self._in_number:
            self._in_number = False
            return
        self._items -= 1
        if self._marker:
            self._out.item(self._marker.strip())
        self._marker = ""

    def _text(self, text: str | None) -> None:
        if not text:
            return
        if not self._pre_depth:
            text = re.sub(r"[ \t\n\r\f]+", " ", text)
        if text.strip() and not self._bold_depth:
            self._plain = True
        self._inline.append(text)

    def _flush(self) -> None:
        """End the block that is being read, if there is anything in it."""
        text = lines(joined(self._inline))
        bold = not self._plain
        self._inline.clear()
        self._plain = False
        if not text:
            return
        if self._in_number:
            self._marker, self._counted = f"{one_line(text)} ", ""
            return
        marker = without_counted(self._marker, self._counted, text)
        self._marker = self._counted = ""
        if self._heading:
            self._out.heading(one_line(marker + text), self._heading)
        elif self._items:
            # A list inside another stands further in; some pages hang it into the list, not into an item.
            depth = min(max(self._items, len(self._lists)), _DEEPEST)
            self._out.item(_INDENT * (depth - 1) + marker + text)
        else:
            start = self._out.block(text)
            if bold:
                self._bold.add(start, text, BOLD)

    def _table(self, table: etree._Element) -> None:
        caption = table.find("caption")
        if caption is not None and (text := cell_text(caption)):
            self._out.block(text)
        rows, header_rows = table_rows(table)
        self._out.table(rows, header_rows)
