"""Words that look like a key for who may read a document: `access`, its misspellings, its look-alikes, its synonyms.

What is compared is the skeleton of a key: compatibility forms and letters of other alphabets that look like Latin ones
made Latin, accents, invisible characters, blanks and punctuation dropped.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from policy_rag_parsers.text.look_alikes import LOOK_ALIKES

_NAME: Final = "access"
# What may follow `access` in a key that means it, and what means it alone.
_ACCESS_OF: Final = re.compile(
    r"access(?:es|groups?|roles?|lists?|to|for|by|from|rights?|levels?|controls?(?:lists?)?|restrict\w*|permissions?|"
    r"allowed|only|users?|readers?|granted(?:to)?)"
)
_SURELY: Final = re.compile(
    r"acl|acls|accessible(?:to|by|for)?|(?:allowed|permitted|authorised|authorized|read|reader|user|restricted)(?:access|"
    r"groups?|roles?|users?|readers?)|(?:read|group|user|role|team|department|document|file|policy)access|"
    r"restrict(?:ed)?to|visible(?:to|for)|readable(?:by|for)|shared?(?:with|to)|who(?:may|can)(?:read|see|access)|"
    r"zugriff\w*|zugang|zugriffs?gruppen?|acceso|acesso|accesso"
)
_MAYBE: Final = re.compile(
    r"groups?|roles?|readers?|viewers?|permissions?|visibility|private|confidential(?:to|for)?|allow(?:ed)?|restricted|"
    r"gruppen?|grupos?|groupes?|gruppi"
)
_INVISIBLE: Final = frozenset({"Cf", "Cc", "Mn", "Me", "Co", "Cn"})
_ENTRY: Final = re.compile(r"""(?:^|[{%:,;|#>(\[-])[\s"'`*_?!]*([^\W\d][\w .\-/]{1,40}?)["'`*_\s]*[:=|](?=([^,}|]*))""")


def skeleton(key: str) -> str:
    r"""The letters that a reader sees in a key; `?` for one that looks like no Latin letter.

    >>> skeleton("Аccess-Groups"), skeleton("ac\u200bcess ")
    ('accessgroups', 'access')
    """
    seen = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", key)).casefold().translate(LOOK_ALIKES)
    letters = (char for char in seen if char.isalpha() and unicodedata.category(char) not in _INVISIBLE)
    return "".join(char if char.isascii() else "?" for char in letters)


def means_access(key: str) -> bool:
    """Whether a key is surely meant to say who may read a document, however it is spelt.

    >>> [key for key in ("acess", "access_groups", "ACL", "accessibility", "excess", "success") if means_access(key)]
    ['acess', 'access_groups', 'ACL']
    """
    seen = skeleton(key)
    return _near(seen) or _ACCESS_OF.fullmatch(seen) is not None or _SURELY.fullmatch(seen) is not None


def may_mean_access(key: str) -> bool:
    """Whether a key may be meant so where a document's data stand, as `groups` may."""
    return means_access(key) or _MAYBE.fullmatch(skeleton(key)) is not None


def visible(line: str) -> str:
    """A line as a reader sees it: compatibility forms resolved, invisible characters dropped, tabs made blanks."""
    shown = unicodedata.normalize("NFKC", line.replace("\t", " "))
    return "".join(char for char in shown if unicodedata.category(char) not in {"Cf", "Cc", "Co", "Cn"})


def entries(line: str) -> Iterator[tuple[str, str]]:
    """The keys of a line with what follows each: `title: Leave`, `{a: 1, b: 2}`, `- a = 1`, `| a | b |`.

    >>> list(entries("{title: Leave, access: [hr]}"))
    [('title', ' Leave'), ('access', ' [hr]')]
    """
    for match in _ENTRY.finditer(visible(line)):
        yield match.group(1), match.group(2)


def _near(seen: str) -> bool:
    """Whether one letter less, more, other or exchanged with its neighbour makes it `access`."""
    if abs(len(seen) - len(_NAME)) > 1 or len(seen.replace("?", "")) < len(_NAME) // 2:
        return False
    if len(seen) == len(_NAME):
        other = [at for at, (a, b) in enumerate(zip(seen, _NAME, strict=True)) if a not in {b, "?"}]
        exchanged = len(other) == 2 and other[1] == other[0] + 1 and seen[other[0]] == _NAME[other[1]]
        return len(other) < 2 or (exchanged and seen[other[1]] == _NAME[other[0]])
    longer, shorter = (seen, _NAME) if len(seen) > len(_NAME) else (_NAME, seen)
    return any(
        all(a == b or "?" in {a, b} for a, b in zip(longer[:at] + longer[at + 1 :], shorter, strict=True))
        for at in range(len(longer))
    )
