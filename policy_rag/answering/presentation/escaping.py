"""Text of others as it is shown: what would steer a terminal or turn the reading direction is written out instead."""

import re
import unicodedata

# Embeddings, overrides and isolates reorder what stands around them; tag characters spell unseen text.
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]")


def as_shown(text: str) -> str:
    r"""A text in which every character that acts stands as its code: `<U+001B>` for escape.

    Line ends and tabs stay, and so do joiners and marks that scripts need. What is written out can be looked up in the
    document, at the place that the citation names.

    >>> as_shown("\x1b[31mred\u202e")
    '<U+001B>[31mred<U+202E>'
    """
    return STEERING.sub(lambda found: f"<U+{ord(found[0]):04X}>", text.replace("\r\n", "\n"))


def without_unseen(text: str) -> str:
    r"""A text without characters that have no shape, but for line ends and tabs.

    >>> without_unseen("25\u200b days\x1b")
    '25 days'
    """
    return "".join(
        char for char in text if char in "\n\t" or unicodedata.category(char) not in {"Cf", "Cc", "Co", "Cs"}
    )
