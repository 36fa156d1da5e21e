"""Heading profiles: which lines of a document may be headings. Named, or supplied by a user in a file."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from policy_rag_parsers.errors import ProfileError
from policy_rag_parsers.records import SourceText
from policy_rag_parsers.structure.candidate import HeadingCandidate, HeadingKind
from policy_rag_parsers.structure.excluded_regions import code_regions, table_regions
from policy_rag_parsers.structure.line_features import LONG_LINE, clean_title, end_of_line
from policy_rag_parsers.structure.numbering import Closing, Component, NumberMarker

if TYPE_CHECKING:
    import regex

LINE_SECONDS = 0.25  # a sound pattern needs microseconds for a line
DOCUMENT_SECONDS = 10.0  # and no more than this for a document
_HIGHEST_LEVEL = 9


@dataclass(frozen=True, slots=True)
class HeadingPattern:
    """A user's pattern: a line that it matches from its beginning is a heading of that level.

    Attributes:
        name: what errors call it.
        regex: in the syntax of the `regex` module; its groups `number` and `title`, where it has them, tell them apart.
        level: from 1, the highest, to 9.
    """

    name: str
    regex: str
    level: int


@dataclass(frozen=True, slots=True)
class Profile:
    """Which lines of a document may be headings.

    Attributes:
        name: of a built-in profile, or as the user's file says.
        description: one line.
        kinds: the kinds of heading to look for; empty where `patterns` are given.
        patterns: a user's own, in order; the first that matches a line decides.
    """

    name: str
    description: str
    kinds: frozenset[HeadingKind] = frozenset()
    patterns: tuple[HeadingPattern, ...] = ()


_MARKDOWN = frozenset({HeadingKind.ATX, HeadingKind.SETEXT, HeadingKind.BOLD})
_OUTLINE = _MARKDOWN | {HeadingKind.NUMBERED, HeadingKind.SINGLE, HeadingKind.ANNEXED}
_LEGAL = _OUTLINE | {HeadingKind.WORDED}
_BUILTIN = (
    Profile(
        "marked",
        "Headings marked by the file's format (HTML, DOCX, PDF), and clauses by number",
        _LEGAL | {HeadingKind.MARKED},
    ),
    Profile("markdown", "Markdown headings, whole lines in bold, and clauses by number", _LEGAL),
    Profile("legal", "Part, Chapter, Section, Article, Rule and Schedule, and clauses by number", _LEGAL),
    Profile("numbered", "1., 1.1, 1) or A., and appendices", _OUTLINE),
    Profile("capitals", "Unnumbered titles in capitals on lines of their own", frozenset({HeadingKind.CAPITALS})),
    Profile("prose", "No headings: the document is one section", frozenset()),
)
BUILTIN_PROFILES = MappingProxyType({profile.name: profile for profile in _BUILTIN})
EVERY_KIND = frozenset(HeadingKind) - {HeadingKind.CUSTOM}


def load_profile(name_or_path: str | Path) -> Profile:
    """Return a built-in profile by its name, or a user's from a YAML file.

    The file holds `name`, optionally `description`, and `patterns`: a list of `name`, `regex` and `level` (1 to 9). Its
    patterns alone decide what a heading is, except that tables, code blocks and tables of contents hold none.

    Raises:
        ProfileError: no such profile or file, or the file is not such a profile.
    """
    if str(name_or_path) in BUILTIN_PROFILES:
        return BUILTIN_PROFILES[str(name_or_path)]
    path = Path(name_or_path)
    if not path.is_file():
        raise ProfileError(
            f"there is no heading profile '{name_or_path}': use one of {', '.join(BUILTIN_PROFILES)}, or a YAML file"
        )
    import yaml

    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise ProfileError(f"{path} is not a heading profile: {reason}; write it as UTF-8 YAML") from error
    return _checked(content, str(path))


def _checked(content: Any, where: str) -> Profile:
    if not isinstance(content, dict) or not isinstance(content.get("patterns"), list) or not content["patterns"]:
        raise ProfileError(f"{where} needs a list 'patterns' with 'name', 'regex' and 'level' in each entry")
    unknown = sorted(map(str, set(content) - {"name", "description", "patterns"}))
    if unknown:
        raise ProfileError(f"{where} has the unknown key '{unknown[0]}': use name, description and patterns")
    patterns = tuple(_checked_pattern(entry, position, where) for position, entry in enumerate(content["patterns"], 1))
    names = [pattern.name for pattern in patterns]
    for name in names:
        if names.count(name) > 1:
            raise ProfileError(f"{where} has two patterns named '{name}': give each a name of its own")
    return Profile(str(content.get("name", Path(where).stem)), str(content.get("description", "")), patterns=patterns)


def _checked_pattern(entry: Any, position: int, where: str) -> HeadingPattern:
    if not isinstance(entry, dict) or set(entry) != {"name", "regex", "level"}:
        raise ProfileError(f"pattern {position} of {where} needs exactly 'name', 'regex' and 'level'")
    pattern = HeadingPattern(str(entry["name"]), str(entry["regex"]), entry["level"])
    if type(pattern.level) is not int or not 1 <= pattern.level <= _HIGHEST_LEVEL:
        raise ProfileError(
            f"pattern '{pattern.name}' of {where} has level {pattern.level!r}: use a whole number from 1 to 9"
        )
    compiled = _compiled(pattern)
    unknown = sorted(set(compiled.groupindex) - {"number", "title"})
    if unknown:
        raise ProfileError(
            f"pattern '{pattern.name}' of {where} has a group '{unknown[0]}': name groups number and title"
        )
    if compiled.match("") is not None:
        raise ProfileError(f"pattern '{pattern.name}' of {where} matches an empty line: every line would be a heading")
    return pattern


def _compiled(pattern: HeadingPattern) -> "regex.Pattern[str]":
    import regex

    try:
        return regex.compile(pattern.regex)
    except regex.error as error:
        raise ProfileError(
            f"pattern '{pattern.name}' is no regular expression: {error}; test it with the regex module"
        ) from error


def custom_candidates(source: SourceText, text: str, profile: Profile) -> list[HeadingCandidate]:
    """Return the lines that a user's patterns match, in order; only the first 400 characters of a line are tried.

    Raises:
        ProfileError: a pattern takes too long: it backtracks without end.
    """
    compiled = [(pattern, _compiled(pattern)) for pattern in profile.patterns]
    tables, code = table_regions(source, text), code_regions(source, text)
    deadline = time.monotonic() + DOCUMENT_SECONDS
    found = []
    for start, end in _lines(text, source.body_start):
        line = text[start : min(end, start + LONG_LINE)]
        for pattern, expression in compiled:
            match = _match(pattern, expression, line, deadline)
            if match and start not in tables and start not in code:
                found.append(_custom(pattern, match, start, end))
                break
    return found


def _lines(text: str, begin: int) -> Iterator[tuple[int, int]]:
    while begin < len(text):
        end = end_of_line(text, begin)
        if end > begin and not text[begin : min(end, begin + LONG_LINE)].isspace():
            yield begin, end
        begin = end + 1


def _match(
    pattern: HeadingPattern, expression: "regex.Pattern[str]", line: str, deadline: float
) -> "regex.Match[str] | None":
    try:
        match = expression.match(line, timeout=LINE_SECONDS)
    except TimeoutError as error:
        raise ProfileError(
            f"pattern '{pattern.name}' backtracks without end on the line {line[:40]!r}: "
            "avoid nested repeats such as (a+)+, or use possessive ones such as (a++)+"
        ) from error
    if time.monotonic() > deadline:
        raise ProfileError(f"pattern '{pattern.name}' takes over {DOCUMENT_SECONDS:g} s for one document: simplify it")
    return match


def _custom(pattern: HeadingPattern, match: "regex.Match[str]", start: int, end: int) -> HeadingCandidate:
    groups = match.groupdict()
    number = (groups.get("number") or "").strip().rstrip(".):")
    title = groups.get("title")
    if title is None:
        title = match.string[match.end("number") :] if number else match.string
    marker = None
    if number:
        parts = (Component("custom", number),)
        marker = NumberMarker(
            parts, number, 0, len(number), len(number), Closing.NONE, tab=False, glued=False, abuts=False
        )
    first = start + len(match.string) - len(match.string.lstrip())
    return HeadingCandidate(
        first, end, end, HeadingKind.CUSTOM, clean_title(title.lstrip(" .):\t–—-")), marker, pattern.level, 2, end
    )
