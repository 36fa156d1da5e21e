"""A reply while it is being written: what of it can be shown already."""

from policy_rag_parsers.llm.tokens import without_thinking

_TAGS = tuple(f"<{slash}{name}>" for name in ("think", "thinking", "thought") for slash in ("", "/"))


def text_so_far(reply: str) -> str:
    """What a reply that is still being written says so far, without the model's thinking.

    An end that may turn out to be the beginning of a tag is left out. What is shown later begins with what was shown
    before, but for one case: a closing tag without an opening one makes all that stands before it thinking, and the
    text begins anew.

    >>> text_so_far("<think>Section 2"), text_so_far("<think>Section 2.</think> It is 25 days <"), text_so_far("a < b")
    ('', 'It is 25 days', 'a < b')
    """
    return without_thinking(without_begun(reply, *_TAGS))


def without_begun(text: str, *wholes: str) -> str:
    """A text without an end that is the beginning of one of `wholes`, whatever its case, and not all of it.

    >>> without_begun("the key is sk-1", "sk-123"), without_begun("the key is sk-123", "sk-123")
    ('the key is ', 'the key is sk-123')
    """
    lower = text.lower()
    longest = max((_begun(lower, whole.lower()) for whole in wholes), default=0)
    return text[: len(text) - longest]


def _begun(text: str, whole: str) -> int:
    """How many characters at the end of `text` begin `whole` without being all of it."""
    most = min(len(text), len(whole) - 1)
    return next((length for length in range(most, 0, -1) if text.endswith(whole[:length])), 0)
