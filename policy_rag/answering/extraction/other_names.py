"""Texts read with the names that the question uses: where it asks for a politically exposed person, "PEP" is one."""

import re
from collections import Counter
from collections.abc import Callable, Iterable

from policy_rag.retrieval.transforms.aliases import Aliases, find_aliases
from policy_rag_parsers.text.lexicon import alternatives


def named_as_asked(question: str, texts: Iterable[str]) -> Callable[[str], str]:
    """What puts the question's own name in a text for another name of the same thing, as `texts` give the two.

    >>> as_asked = named_as_asked("Who is a data protection officer?", ["A Data Protection Officer (DPO) is named."])
    >>> as_asked("Ask the DPO, not the DPOA.")
    'Ask the data protection officer, not the DPOA.'
    """
    pairs = Counter(pair for text in texts for pair in find_aliases(text))
    said = {other: question[start:end] for start, end, other in Aliases(pairs).named(question)} if pairs else {}
    if not said:
        return lambda text: text
    other = re.compile(rf"(?<!\w)(?:{alternatives(said)})(?!\w)")
    return lambda text: other.sub(lambda found: said[found[0]], text)
