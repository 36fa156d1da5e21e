"""An LLM's reply as text: its sentences, the numbers of the sections that each cites, and whether it refuses."""

import re
from dataclasses import dataclass

from policy_rag_parsers.text.sentences import sentence_spans

REFUSAL = "NOT ANSWERED"

_WORD = r"(?:(?:sections?|sec\.?|§)\s*)?"
MARK = rf"[\[【]\s*{_WORD}\d+(?:\s*(?:,|;|&|and|und|-|–)\s*{_WORD}\d+)*\s*[\]】]"
_CITATION = re.compile(MARK, re.IGNORECASE)
_BEHIND_STOP = re.compile(rf"([.!?]+[\"”’)*_]*)[ \t]*((?:{MARK}[ \t]*)+)\.?(?=\s|$)", re.IGNORECASE)
_BEHIND_BREAK = re.compile(rf"([.!?]+[\"”’)*_]*)\s*\n\s*((?:{MARK}[ \t]*)+)\.?[ \t]*$", re.IGNORECASE | re.MULTILINE)
_SOURCES = re.compile(
    r"^[ \t#*_]*(?:sources?|references?|citations?|quellen)[ \t*_]*:?[ \t*_]*$.*",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_LIST_MARK = re.compile(r"\A\s*(?:[-*+•–—]|\(?(?:\d{1,2}|[a-z])[.)])\s+")
_MARKUP = re.compile(r"\*\*|__|`|^\s*(?:#{1,6}|>)\s*", re.MULTILINE)
_BAR = re.compile(r"(?<= )\|(?= )")
_SAYS_SECTION = re.compile(
    r"\A(?:according to|as (?:stated|described|set out) in|based on|per|under|in)?\s*(?:the )?(?:numbered )?"
    r"section (\d{1,2})(?![\d.(])(?: says| states)?(?: that)?,?\s+(?=\S)",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\A\W*(?:answer\s*:\s*)?not[ _-]?answered\b", re.IGNORECASE)
_TOKEN_ANYWHERE = re.compile(r"\bNOT[ _]ANSWERED\b")
_SUBJECT = (
    r"(?:provided|given|numbered|above|available|these|policy|policies|sections?|documents?|texts?|context|excerpts?)"
)
_REFUSALS = re.compile(
    rf"""\A\W*(?:(?:answer|unfortunately|sorry|apologies)\W+)*(?:
        i\s(?:do\snot|don['’]?t)\s(?:know|have)\b
      | i(?:['’]m|\sam)\s(?:sorry|unable|not\sable|not\ssure)\b
      | (?:i|we)\s(?:cannot|can['’]?t|could\snot|couldn['’]?t)\b
      | (?:based\son\s[^,.]{{0,60}},\s*)?(?:there\sis|there['’]s)\s(?:no|not\s(?:any|enough))\s
        (?:\w+\s){{0,2}}(?:information|mention|answer|section|policy)\b
      | (?:based\son\s[^,.]{{0,60}},\s*)?(?:none\sof\s)?(?:the|these|this|any)?\s*(?:{_SUBJECT}\s){{1,5}}
        (?:(?:do|does|did)(?:\snot|n['’]t)\b|contains?\sno\b|provides?\sno\b|answers?\b)
      | (?:no|not\senough)\s(?:\w+\s){{0,2}}(?:information|answer)\b
      | it\s(?:is|was)\snot\s(?:specified|mentioned|stated|clear|possible)\b
      | (?:die|diese|den)\s\w*\s?(?:abschnitte\w*|richtlinien?|dokumente?|texte?)\s[^.]{{0,60}}\b(?:nicht|keine?)\b
      | ich\s(?:weiß|kann)\s[^.]{{0,40}}\bnicht\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class ReplySentence:
    """A sentence of a reply.

    Attributes:
        shown: as the model wrote it, on one line.
        text: the same without citation marks and markup.
        cited: the numbers in its marks, in order, each once; not yet checked.
        item: whether it is an item of a list.
    """

    shown: str
    text: str
    cited: tuple[int, ...]
    item: bool


def is_refusal(reply: str) -> bool:
    """Whether a reply says that the sections do not answer: by the agreed word, or as small models put it.

    A sentence that cites a section is a statement, whatever it says ("The policy does not cover contractors [2]").

    >>> is_refusal("Not answered."), is_refusal("The provided sections do not mention pets."), is_refusal("No [1].")
    (True, True, False)
    """
    if not reply.strip() or _TOKEN.match(reply):
        return True
    first = next(iter(split_reply(reply)), None)
    return first is None or (not first.cited and _REFUSALS.match(first.text) is not None)


def has_mark(text: str) -> bool:
    """Whether a text holds what reads as a citation mark.

    >>> has_mark("See note [1]."), has_mark("See note 1.")
    (True, False)
    """
    return _CITATION.search(text) is not None


def split_reply(reply: str) -> list[ReplySentence]:
    """The sentences of a reply in order; headings of a list of sources, and the list, are left out.

    A mark behind the full stop belongs to the sentence before it, as one in front of it does.

    >>> [(s.text, s.cited) for s in split_reply("Leave is 25 days. [1][2] Ask HR [Section 3]. Be well.")]
    [('Leave is 25 days.', (1, 2)), ('Ask HR.', (3,)), ('Be well.', ())]
    """
    return [sentence for raw in raw_sentences(reply) if (sentence := _sentence(raw)) is not None]


def raw_sentences(reply: str) -> list[str]:
    r"""The same as the model wrote them, each mark before its full stop; those that say nothing are among them.

    >>> raw_sentences("Leave is 25 days. [1] - Ask **HR**.\n\nSources:\n[1] Leave policy")
    ['Leave is 25 days [1].', '- Ask **HR**.']
    """
    body = _SOURCES.sub("", reply)
    body = _BEHIND_BREAK.sub(_before_the_stop, body)
    body = _BEHIND_STOP.sub(_before_the_stop, body)
    read = "\n".join(map(_as_prose, body.split("\n")))
    return [body[start:end] for start, end in sentence_spans(read, 0, len(read))]


def _as_prose(line: str) -> str:
    """A line that is no row of a table although it has bars: one begins with a bar, or has it in its first sentence.

    Whether a line is a row is thus known when its first sentence ends, and not changed by what comes after.
    """
    bar = _BAR.search(line)
    if bar is None or line.lstrip().startswith("|"):
        return line
    prose = _BAR.sub("¦", line)
    _, end = sentence_spans(prose, 0, len(prose))[0]
    return prose if end < bar.start() else line


def _before_the_stop(found: re.Match[str]) -> str:
    return f" {found[2].strip()}{found[1]}"


def _sentence(raw: str) -> ReplySentence | None:
    cited = [number for mark in _CITATION.findall(raw) for number in _numbers(mark)]
    bare = _CITATION.sub(" ", _MARKUP.sub("", raw))
    item = _LIST_MARK.match(bare) is not None
    text = re.sub(r"\s+([.,;:!?])", r"\1", " ".join(_LIST_MARK.sub("", bare).split()))
    said = _SAYS_SECTION.match(text)
    if said and (not cited or int(said[1]) in cited):  # "According to section 2, ..." cites like a mark
        cited.append(int(said[1]))
        text = text[said.end()].upper() + text[said.end() + 1 :]
    if not any(char.isalnum() for char in text) or _TOKEN_ANYWHERE.search(text):
        return None
    return ReplySentence(" ".join(raw.split()), text, tuple(dict.fromkeys(cited)), item)


def _numbers(mark: str) -> list[int]:
    """The numbers of one mark; "1-3" names all three.

    >>> _numbers("[Sections 1-3, 7]")
    [1, 2, 3, 7]
    """
    numbers: list[int] = []
    for first, last in re.findall(r"(\d+)(?:\s*[-–]\s*(\d+))?", mark):
        numbers += range(int(first), min(int(last or first), int(first) + 20) + 1)
    return numbers
