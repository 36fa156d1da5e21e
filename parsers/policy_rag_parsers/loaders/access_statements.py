"""What looks like a statement on who may read a document, and stands where none is read.

Front matter with a blank line or a comment before it, with four dashes, in the wrong format, a second block, a line of
the title block: whoever wrote it meant to restrict the document. Such a file is kept out until it says so where it is
read. Only the head of a text is looked at: its first lines while they are `key: value`, what stands between two rules
among them, and short lines that hold nothing but such a statement before the first numbered section.
"""

import re
from typing import Final

from policy_rag_parsers.loaders.access_keys import entries, may_mean_access, means_access, visible
from policy_rag_parsers.loaders.front_matter import KNOWN_KEYS

_OTHER_KEYS: Final = frozenset(KNOWN_KEYS) - {"access"}
_HEAD_CHARS: Final = 20_000
_HEAD_LINES: Final = 200
_TITLE_LINES: Final = 25  # lines with text in which the title block may stand
_VALUE_CHARS: Final = 60
_VALUE_WORDS: Final = 6
_RULE: Final = re.compile(r"\s*(?:([-=~+*_#%—–―‐‑‒−─━.])\s?)(?:\1\s?){2,}(?:yaml|yml|toml|json)?\s*|\s*`{3,}\s*\w*\s*")
_INLINE: Final = re.compile(r"\s*[-+—–─]{2,}\s+\S")
_COMMENT: Final = re.compile(r"\s*(?:#|//|%|;|<!--|/\*)")
_GOES_ON: Final = re.compile(r"\s+\S|\s*[-\]})*]")
_SECTION: Final = re.compile(
    r"\s*(?:#{1,6}\s*)?(?:§|(?:section|part|chapter|article|clause)\s)?\s*\d+(?:\.\d+)*[.)]?\s+\S", re.IGNORECASE
)


def access_line(text: str) -> str:
    """The first line of a text in which an entry is meant to say who may read it; "" where there is none.

    For data, such as YAML: keys that may mean something else in prose count.
    """
    found = (line for line in text.splitlines() if any(may_mean_access(key) for key, _ in entries(line)))
    return next(found, "").strip()


def unread_statement(text: str, start: int = 0) -> str:
    r"""The line at the head of a text, from `start` on, that looks like a statement on access; "" without one.

    >>> unread_statement("\n---\naccess: hr\n---\n# Leave\n")
    'access: hr'
    >>> unread_statement("# Leave\n\nAccess: the right to enter a building is given by the officer in charge.\n")
    ''
    """
    lines = text[start : start + _HEAD_CHARS].splitlines()[:_HEAD_LINES]
    return _in_first_lines(lines) or _between_rules(lines) or _in_title_block(lines)


def _in_first_lines(lines: list[str]) -> str:
    """In the lines of entries that a text begins with; blanks, rules, comments and directives are passed over."""
    doubtful, is_data = "", False
    for line in lines:
        shown = visible(line)
        if not shown.strip():
            continue
        is_data |= (is_rule := _RULE.fullmatch(shown) is not None)
        if is_rule or _COMMENT.match(shown):
            if not is_rule and _surely(shown.lstrip(" #/%;<!-*")):
                return line.strip()
            continue
        found = [key for key, _ in entries(line)]
        if _surely(shown) or (_INLINE.match(shown) and any(means_access(key) for key in _words_before_colons(shown))):
            return line.strip()
        is_data |= any(key.strip().casefold().replace("-", "_") in _OTHER_KEYS for key in found)
        doubtful = doubtful or (line.strip() if any(may_mean_access(key) for key in found) else "")
        if not found and not _GOES_ON.match(shown):
            break
    return doubtful if is_data else ""


def _between_rules(lines: list[str]) -> str:
    """In a run of entries between two rules, the first of them in the first lines."""
    block: list[str] | None = None
    for at, line in enumerate(lines):
        shown = visible(line)
        if _RULE.fullmatch(shown):
            if block is not None and (found := access_line("\n".join(block))):
                return found
            block = [] if at < _TITLE_LINES or block is not None else None
        elif block is not None and shown.strip():
            is_entry = any(True for _ in entries(line)) or _GOES_ON.match(shown) or _COMMENT.match(shown)
            block = [*block, line] if is_entry else None
    return ""


def _in_title_block(lines: list[str]) -> str:
    """In a short line with nothing else, before the first section."""
    for line in [line for line in lines if line.strip()][:_TITLE_LINES]:
        if _SECTION.match(line):
            break
        if _surely(visible(line)):
            return line.strip()
    return ""


def _surely(shown: str) -> bool:
    """Whether an entry of a line is surely a statement on access, and its value is no sentence."""
    return any(means_access(key) and _is_value(value) for key, value in entries(shown))


def _is_value(value: str) -> bool:
    value = value.strip()
    return len(value) <= _VALUE_CHARS and len(value.split()) <= _VALUE_WORDS and not value.endswith((".", ";", ":"))


def _words_before_colons(shown: str) -> list[str]:
    return re.findall(r"([^\W\d][\w-]{1,40})\s*:", shown)
