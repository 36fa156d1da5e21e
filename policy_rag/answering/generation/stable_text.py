"""How much of a reply that is still being written is stable: its sentences are the same whatever comes behind it.

A sentence is stable when a further one has begun behind it. That is harder to tell than it looks: a citation mark may
follow the full stop, the next word decides whether a full stop ended anything ("Dr. Li", "no. 5"), whether a line
break is one depends on the lines around it, and a line may turn out to be a heading at its end. Where more than one
reading is left, the text is not stable.
"""

import re

from policy_rag.answering.generation.reply_parser import MARK, RAISED, ROUND_NAME, raw_sentences

_OPENING = r"[\"'“‘«„(*_]{0,6}"
_NO_ROUND_MARK = rf"(?!\((?:see\s+\w*\Z|{ROUND_NAME}))"
_WORD = rf"{_NO_ROUND_MARK}{_OPENING}[^\W_]\w*(?=\W)"  # a whole one: what follows it is there
_ITEM = rf"(?:[-*+•–—]|\(?(?:\d{{1,3}}|[A-Za-z])\)|(?:\d{{1,3}}|[A-Za-z])\.)[ \t]+{_OPENING}[^\W_]"
_TITLE = r"\#{1,6}[ \t]+\S"
_NO_MARK = r"(?!\(?(?:\d{1,3}|[A-Za-z])[.)])"  # which may still turn out to begin an item
_BEGINNINGS = (
    re.compile(r"\n\s*\n\s*(?=[^\s\[【(])"),  # behind a blank line, but for a mark
    re.compile(rf"\n[ \t]*(?={_ITEM}|{_TITLE}|{_NO_MARK}{_WORD})"),
    re.compile(rf"[.!?…]+[\"'”’»)\]*_]*(?:[ \t]*(?:{MARK}|{RAISED}))*\.?[^\S\n]+(?={_WORD})", re.IGNORECASE),
)
_OF_ITS_OWN = re.compile(rf"[ \t]*(?:{_ITEM}|{_TITLE})")
_HEADING = re.compile(r"\s*(?:#{1,6}[ \t].*|(?:\*\*|__)[^\n]{1,200}(?:\*\*|__):?)\s*")
_MAY_BE_HEADING = re.compile(r"\s*(?:\*\*|__).{0,210}\Z")


class StableText:
    """How much of a reply is stable, as the reply grows.

    For any text `t`, `split_reply(reply + t)` and `split_reply(reply)` begin with the sentences of the stable part.

    >>> stable = StableText()
    >>> [stable.grow(reply) for reply in ("It is 25 days. ", "It is 25 days. [1] Ask", "It is 25 days. [1] Ask HR")]
    ['', '', 'It is 25 days. [1] ']
    """

    def __init__(self) -> None:
        self.text = ""
        self._tried: set[int] = set()

    def grow(self, reply: str) -> str:
        """The stable part of a reply that goes on from what was read before; another reply is read anew.

        Args:
            reply: what is written so far, without thinking and unseen characters.
        """
        if not reply.startswith(self.text):
            self.text = ""
            self._tried.clear()
        end = len(self.text)
        found = {match.end() for pattern in _BEGINNINGS for match in pattern.finditer(reply, end)}
        for place in sorted(found - self._tried):  # each is looked at once: a long line has many
            if _is_firm(reply, end, place):
                end = place
        self._tried |= found
        self.text = reply[:end]
        return self.text


def _is_firm(reply: str, stable: int, end: int) -> bool:
    """Whether a sentence begins at `end`, and will; everything before `stable` is known to stay."""
    before = reply[:end].rstrip()
    breaks = reply.count("\n", len(before), end)
    if breaks < 2:
        if "\n" in reply[stable:end].strip():
            return False  # how that line break reads is known at the next blank line
        line, following = before[before.rfind("\n") + 1 :], reply[end:].partition("\n")[0]
        if not (_are_apart(line, following) if breaks else _is_prose(line, following)):
            return False
    return _reads_on(reply[:end], reply)


def _are_apart(line: str, following: str) -> bool:
    """Whether a sentence ends with a line, however wide the lines of its paragraph turn out to be."""
    if _OF_ITS_OWN.match(following) or _HEADING.fullmatch(line):
        return True
    return _reads_on(line, f"{line} {following}")


def _is_prose(line: str, following: str) -> bool:
    """Whether a sentence ends within a line, which is none as a whole and will not be: no heading and no row."""
    return _MAY_BE_HEADING.match(line) is None and _reads_on(line, f"{line} {following}")


def _reads_on(beginning: str, text: str) -> bool:
    """Whether the sentences of a beginning are those with which the text begins."""
    kept = raw_sentences(beginning)
    return raw_sentences(text)[: len(kept)] == kept
