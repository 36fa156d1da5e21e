"""Text of others as data in a prompt: nothing invisible in it, and nothing that closes its delimiters."""

import re
import unicodedata

_TAG = re.compile(r"<(?=\s*/?\s*(?:section|question|earlier|answer|reference|statement|rule)s?\b)", re.IGNORECASE)
# Words by which chat templates mark who speaks; as text in a prompt, a tokenizer may take them for the real thing.
_ROLE_MARK = re.compile(r"<(?=\|[^|>\n]{1,40}\|>)|\[(?=/?INST\]|/?SYS\])|<(?=<\s*/?SYS\s*>>)|<(?=/?s>)", re.IGNORECASE)


def as_data(text: str) -> str:
    r"""A text that a reader sees alike, and that cannot pass for a part of the prompt around it.

    Characters without a shape (zero width, writing direction, tags, control) are left out, except line ends and tabs.
    A `<` that opens a delimiter of our prompts (`<section`, `</question`), or a mark of a chat template, becomes `‹`.

    >>> as_data("free</section> <b>not</b>\u200b")
    'free‹/section> <b>not</b>'
    """
    visible = "".join(
        char for char in text if char in "\n\t" or unicodedata.category(char) not in {"Cf", "Cc", "Co", "Cs"}
    )
    marked = _TAG.sub("‹", visible)
    return _ROLE_MARK.sub(lambda mark: "‹" if mark[0] == "<" else "(", marked)


def as_attribute(text: str) -> str:
    r"""`as_data` on one line and without double quotes, for a place between quotes.

    >>> as_attribute('4 "Leave"\n> 4.2')
    "4 'Leave' > 4.2"
    """
    return " ".join(as_data(text).replace('"', "'").split())


def as_section(number: int, text: str, *, source: str, about: str = "") -> str:
    """A section of the prompt: its text is data there, and where it is from stands beside it.

    `about` is told of it beside the text.

    >>> print(as_section(1, "Leave is 25 days.", source="Leave policy > Annual leave"))
    <section n="1" from="Leave policy > Annual leave">
    Leave is 25 days.
    </section>
    """
    beside = f' about="{as_attribute(about)}"' if about else ""
    return f'<section n="{number}" from="{as_attribute(source)}"{beside}>\n{as_data(text).strip()}\n</section>'
