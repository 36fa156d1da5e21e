r"""Lines of Markdown by what a reader sees of them: words, or marks that only lay them out.

Unseen are fences, link definitions, comments, lines of HTML tags, of template tags that open or close a block, of
attributes, and the mark of an admonition ("[!NOTE]", "!!! warning"): nothing that could be quoted.
"""

import re
from functools import lru_cache

_QUOTE = re.compile(r"(?:>[ \t]?)+[ \t]*(?:\[![A-Za-z]{3,12}\][ \t]+)?")
_UNSEEN = re.compile(
    r"""(?:`{3,}|~{3,})[^`\n]*
      | \[(?!\^)[^\]\n]{1,200}\]:[ \t]*(?:(?:<[^>\n]*>|\{%[^\n]*%\}|\S+)?(?:[ \t]+["'(][^\n]*)?)
      | <!--.*?-->
      | (?:</?[a-zA-Z][\w-]*(?:[ \t][^<>\n]*)?/?>[ \t]*)+
      | <th\b[^\n]*</th>[ \t]*
      | \{:[^}\n]*\}
      | \[![A-Za-z]{3,12}\]
      | (?:!!!|\?\?\?\+?|:::+)(?:[ \t]*[\w-]+)?(?:[ \t]+["{].*)?
      | (?:!\[[^\]\n]*\]\([^)\n]*\)[ \t]*)+
      | \[\[?_?toc_?\]?\]
    """,
    re.VERBOSE | re.IGNORECASE,
)
_TAGS = re.compile(r"(?:\{%[^%]*%\}\s*)+")
_TAG_NAME = re.compile(r"\{%-?\s{0,9}(\w+)")
_BOLD = re.compile(r"(?:\*\*(?:(?!\*\*)[^\n]){1,200}\*\*|__(?:(?!__)[^\n]){1,200}__):?")
_ELEMENT = r"(?:table|thead|tbody|tr|ul|ol|li|dl|dt|dd|p|div|details|summary|section|blockquote|h[1-6]|hr|button|pre)\b"
_OPENS = re.compile(rf"</?{_ELEMENT}", re.IGNORECASE)
_CLOSES = re.compile(
    rf"</{_ELEMENT}>$|<(?:table|thead|tbody|ul|ol|dl|div|details|section|blockquote|hr)\b[^<>]*>$", re.IGNORECASE
)
_HARD = re.compile(r"\\[ \t]*(?=\n)|[ \t]{2,}(?=\n)|<br[ \t]*/?>[ \t]*(?=\n)", re.IGNORECASE)
_OPENS_COMMENT = re.compile(r"<!--|\{%-?\s{0,9}comment\b")
_ENDS_COMMENT = {"<": re.compile(r"-->"), "{": re.compile(r"\{%-?\s{0,9}endcomment\s{0,9}-?%\}")}
_END_TAG = re.compile(r"\{%-?\s{0,9}end(\w+)")
_ENTRY = re.compile(r"(?:\.[ \t]?){4,}[ \t]*\w{1,6}$|[…·_]{2,}[ \t]*\d{1,4}$|(?:\t| {2,})\d{1,4}$")
_LONGEST_BREAK = 8


def words_start(text: str, first: int, last: int) -> int:
    """Where a line's words begin, behind the marks of a quoted block and of an admonition; `last` where none do.

    >>> words_start("> [!NOTE] Ask first.", 0, 20), words_start("Ask.", 0, 4)
    (10, 0)
    """
    mark = _QUOTE.match(text, first, last)
    return mark.end() if mark else first


def is_unread(text: str, first: int, last: int) -> bool:
    """Whether no reader sees a line, or what runs over several.

    >>> [is_unread(line, 0, len(line)) for line in ("```yaml", "[hr]: https://x", "<div>", "{% endalert %}", "Ask.")]
    [True, True, True, True, False]
    """
    if _UNSEEN.fullmatch(text, first, last):
        return True
    if not _TAGS.fullmatch(text, first, last):
        return False
    names = _TAG_NAME.findall(text[first:last])
    return all(name.startswith("end") or name in _closed(text) for name in names)


@lru_cache(maxsize=4)
def _closed(text: str) -> frozenset[str]:
    """The names of template tags that open something in a text, since another closes it."""
    return frozenset(_END_TAG.findall(text))


def is_template(text: str, first: int, last: int) -> bool:
    """Whether a paragraph holds nothing but template tags: what they stand for is not there."""
    return _TAGS.fullmatch(text, first, last) is not None


def is_bold_line(text: str, first: int, last: int) -> bool:
    """Whether a line is bold from end to end, as a heading that is none."""
    return _BOLD.fullmatch(text, first, last) is not None


def opens_element(text: str, first: int, last: int) -> bool:
    """Whether a line begins with a tag of HTML that stands on a line of its own in what a reader sees."""
    return _OPENS.match(text, first, last) is not None


def closes_element(text: str, first: int, last: int) -> bool:
    """Whether a line ends with a tag of HTML behind which a new line begins."""
    return _CLOSES.search(text, max(first, last - 200), last) is not None


def breaks_hard(text: str, last: int) -> bool:
    r"""Whether the line that ends at `last` is broken on purpose: by blanks, a backslash or `<br>`.

    >>> breaks_hard("Desk 4  \nRoom 2\n", 6), breaks_hard("Desk\nRoom", 4)
    (True, False)
    """
    return _HARD.search(text, max(0, last - _LONGEST_BREAK), min(len(text), last + _LONGEST_BREAK)) is not None


def ends_with_page(text: str, first: int, last: int) -> bool:
    """Whether a line ends with what leads to a page and the page, as those of a table of contents do."""
    return _ENTRY.search(text, max(first, last - 200), last) is not None


def comments(text: str) -> list[tuple[int, int]]:
    """Where comments stand, of HTML and of templates; one that is never closed is none."""
    found: list[tuple[int, int]] = []
    at = 0
    unclosed: set[str] = set()
    while opened := _OPENS_COMMENT.search(text, at):
        kind = opened[0][0]
        ended = None if kind in unclosed else _ENDS_COMMENT[kind].search(text, opened.end())
        if ended is None:
            unclosed.add(kind)  # none of its kind is closed from here on
        else:
            found.append((opened.start(), ended.end()))
        at = ended.end() if ended else opened.end()
    return found
