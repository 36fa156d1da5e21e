"""How a question names an edition beside a title: "the 2025 code", "version 2023/24 of", "in der alten Fassung der"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from policy_rag_parsers.text.lexicon import in_all

_EDITION: Final = (
    rf"(?:{in_all('document.title_block.versions')}|{in_all('document.title_block.issues')}|release|ver\.?|v\.?)"
)
_NUMBER: Final = r"\d\w{0,20}(?:[./–-]\w{1,20}){0,5}"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_OLD: Final = in_all("naming.old")
_OLD_EDITION: Final = rf"(?P<old>(?:{_OLD})\s+{_EDITION}|{_EDITION}\s+(?:{_OLD}))"
_OF: Final = in_all("document.reference_words.of")
_THE: Final = f"{in_all('question.articles')}|{in_all('document.reference_words.the')}"
_BESIDE: Final = f"{in_all('naming.place')}|{in_all('naming.for_')}|{_OF}|{in_all('document.title_block.dated')}"
_AMOUNT: Final = rf"[%€$£]|(?:km|{in_all('document.reference_words.amounts')})\b"
_JOINTS: Final = re.compile(r"\s*[/–-]\s*")
_YEARS: Final = re.compile(r"((?:19|20)\d\d)/(?:(?:19|20)(?=\d\d\Z))?(\d\d)\Z")


@dataclass(frozen=True, slots=True)
class EditionForms:
    """Patterns of what names an edition, with the groups `version`, `bare`, `year` and `old`.

    Attributes:
        modifier: at the end of what stands before a title and its other modifiers: "old", "version 3.2", "2025".
        of: at the end of what stands before a title: "version 3.2 of".
        behind: at the beginning of what stands behind a title: ", version 3.2".
    """

    modifier: re.Pattern[str]
    of: re.Pattern[str]
    behind: re.Pattern[str]


@lru_cache(maxsize=1_000)
def edition_forms(versions: tuple[str, ...]) -> EditionForms:
    """The patterns beside titles whose documents declare these versions, of whatever form they are.

    A version that is more than a dotted number ("2023/24", "Issue B") counts without a word like "version" too.
    """
    declared = sorted({text for one in versions if (text := one.strip())}, key=lambda text: (-len(text), text))
    version = "|".join([*(_written(one) for one in declared), _NUMBER])
    telling = [_written(one) for one in declared if len(one) > 1 and not re.fullmatch(r"[\d.]+", one)]
    bare = rf"(?<!\w)(?P<bare>{'|'.join(telling) or '(?!)'})"
    numbered = rf"{_EDITION}\s*(?P<version>{version})"
    return EditionForms(
        modifier=re.compile(
            rf"(?:\b{_YEAR}|\b{numbered}|\b(?P<old>{_OLD})|\b(?:{in_all('naming.new')})|{bare})\s+$", re.IGNORECASE
        ),
        of=re.compile(
            rf"(?:(?:\b{numbered}|\b{_YEAR}(?:['’]s)?\s+{_EDITION}|{bare})\s+(?:{_OF})|\b{_OLD_EDITION}(?:\s+(?:{_OF}))?)"
            rf"(?:\s+(?:{_THE}))?(?:\s+|(?<=['’]))$",
            re.IGNORECASE,
        ),
        behind=re.compile(
            rf"\s*+(?:[,(]\s*+)?(?:(?:{_BESIDE})\s++)?(?:(?:{_THE})\s++)?"
            rf"(?:{numbered}|{bare}|{_YEAR}(?:\s+{_EDITION})?|{_OLD_EDITION})(?!\w|[-/]\d|\s*(?:{_AMOUNT}))",
            re.IGNORECASE,
        ),
    )


def _written(version: str) -> str:
    """A declared version as a pattern: "2023/24" may be written "2023-24"."""
    return r"[/–-]".join(re.escape(part) for part in _JOINTS.split(version)) + r"(?!\w|[./–-]\w)"


def same_version(declared: Sequence[str | None], named: str) -> tuple[str, ...]:
    """Those of the declared versions that a question's spelling means, each once.

    >>> same_version(("2023/24", "v2.0", None), "2023-2024"), same_version(("v2.0",), "2.0")
    (('2023/24',), ('v2.0',))
    """
    return tuple(dict.fromkeys(one for one in declared if one is not None and _plain(one) == _plain(named)))


def _plain(version: str) -> str:
    plain = _JOINTS.sub("/", version.strip().casefold())
    plain = re.sub(rf"\A{_EDITION}(?![^\W\d_])\s*(?=\w)", "", plain)
    return _YEARS.sub(r"\1/\2", plain)
