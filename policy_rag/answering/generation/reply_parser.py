"""An LLM's reply as text: its sentences, the numbers of the sections that each cites, and whether it refuses."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from policy_rag_parsers.llm.json_reply import read_json
from policy_rag_parsers.text.lexicon import any_word, in_all
from policy_rag_parsers.text.sentences import sentence_spans

REFUSAL = "NOT ANSWERED"

_NAME = rf"(?:{in_all('reply.names')}|§)"
_NUMBER = rf"(?:{_NAME}\s*+)?(?:n\s*+=|[:#^])?\s*+\"?\d+\"?"
_NUMBERS = rf"{_NUMBER}(?:\s*+(?:,|;|&|{in_all('and_')}|-|–)\s*+{_NUMBER})*"
_TITLE_BEHIND = r"\s*+[,:;>†]\s*+[^\W\d][^\[\]【】\n]{0,100}"
MARK = rf"[\[【]\s*+{_NUMBERS}(?:{_TITLE_BEHIND})?\s*+[\]】]"
_RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
RAISED = f"[{_RAISED_DIGITS}]"
ROUND_NAME = rf"(?:see\s)?(?={_NAME})"
_CITATION = re.compile(MARK, re.IGNORECASE)
# Brackets of a text ("three months (3)", "paragraph (1)") look alike: they count where nothing else cites.
_ROUND_MARK = re.compile(
    rf"(?<!\s){''.join(f'(?<!{word})' for word in in_all('reply.inside').split('|'))}"
    rf"\s{{1,9}}\((?:see\s)?(?={_NAME}|\d{{1,2}}\b){_NUMBERS}\)"
    r"(?=[.!?\"”’*_\s]*\Z)",
    re.IGNORECASE,
)
_CLAUSE_MARK = re.compile(rf"[\[【]\s*(?:{_NAME}\s*)?(\d{{1,3}}(?:\.\d{{1,3}})+)\s*[\]】]", re.IGNORECASE)
# "25 days¹", but neither "25 m²" nor "10³"
_RAISED = re.compile(
    rf"(^[ \t]*|[^\W\d_{_RAISED_DIGITS}]{{3}}|[A-Z]{{2}}|[.,;:!?%)\]\"”’*_])({RAISED}(?:[ ,]*{RAISED})*)(?!\w)",
    re.MULTILINE,
)
_ROUND_BEHIND_STOP = re.compile(rf"([.!?]+[\"”’)*_]*\s*)\({ROUND_NAME}({_NUMBERS})\)", re.IGNORECASE)
_BEHIND_STOP = re.compile(rf"([.!?]+[\"”’)*_]*)[ \t]*((?:{MARK}[ \t]*)+)\.?(?=\s|$)", re.IGNORECASE)
_BEHIND_BREAK = re.compile(rf"([.!?]+[\"”’)*_]*)\s*\n\s*((?:{MARK}[ \t]*)+)\.?[ \t]*$", re.IGNORECASE | re.MULTILINE)
_SOURCES = re.compile(
    rf"^[ \t#*_]*(?:{in_all('reply.sources')})[ \t*_]*:?[ \t*_]*$.*",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_LIST_MARK = re.compile(r"\A\s*(?:[-*+•–—]|\(?(?:\d{1,2}|[a-z])[.)])\s+")
_TITLE = re.compile(r"\s*#{1,6}\s")
_FOOTNOTE = re.compile(r"\s*\[\^\d+\]:\s")
_ROW = re.compile(r"\s*\|.*\|", re.DOTALL)
_LABEL = re.compile(rf"\A(?:{in_all('reply.answer')})\s*:\s*", re.IGNORECASE)
_MARKUP = re.compile(r"\*\*|__|`|</?(?:answer|response)>|^\s*(?:#{1,6}|>)\s*", re.MULTILINE)
_EMPTY = re.compile(r"\(\s*\)|\[\s*\]")
_BAR = re.compile(r"(?<= )\|(?= )")
# How a sentence is joined to others, and that it is from the sections: the source says neither.
_LEAD = re.compile(rf"\A(?:{in_all('reply.opens')})+(?=\S)", re.IGNORECASE)
_SAYS_SECTION = re.compile(
    rf"\A(?:{in_all('reply.section')}) (\d{{1,2}})(?![\d.(])(?: (?:{in_all('reply.section_says')}))*,?\s+(?=\S)",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\A\W*(?:answer\s*:\s*)?not[ _-]?answered\b", re.IGNORECASE)
_TOKEN_ANYWHERE = re.compile(r"\bNOT[ _]ANSWERED\b")
_PARTLY = any_word(in_all("reply.partly"))
_REFUSALS = re.compile(
    rf"\A\W*(?:(?:{in_all('reply.answer')}|{in_all('reply.regrets')})\W+)*{any_word(in_all('reply.refuses')).pattern}",
    re.IGNORECASE,
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
    Nor does a reply refuse that only says in front that what follows does not answer everything.

    >>> is_refusal("Not answered."), is_refusal("The provided sections do not mention pets."), is_refusal("No [1].")
    (True, True, False)
    """
    if not reply.strip() or _TOKEN.match(reply):
        return True
    sentences = split_reply(reply)
    if not sentences:
        return True
    first = sentences[0]
    partly = _PARTLY.search(first.text) is not None and any(one.cited for one in sentences)
    return not first.cited and not partly and _REFUSALS.match(first.text) is not None


def has_mark(text: str) -> bool:
    """Whether a text holds what reads as a citation mark.

    >>> has_mark("See note [1]."), has_mark("See note 1.")
    (True, False)
    """
    return _CITATION.search(text) is not None


def plain_reply(reply: str, clauses: Mapping[str, int]) -> str:
    """A reply as the text that was asked for.

    Of a JSON object it is the longest text in it, and a mark with a clause's number is one with its section's.

    Args:
        reply: without thinking.
        clauses: the numbers that the sections' clauses have, to the number of the section.

    >>> plain_reply('{"answer": "Leave is 25 days [4.2].", "sources": [1]}', {"4.2": 1})
    'Leave is 25 days [1].'
    """
    if begins_as_json(reply):
        try:
            value = read_json(reply)[0]
        except ValueError:
            value = None
        texts = [text for text in value.values() if isinstance(text, str)] if isinstance(value, dict) else []
        reply = max(texts, key=len, default=reply)
    return _CLAUSE_MARK.sub(lambda mark: f"[{clauses[mark[1]]}]" if mark[1] in clauses else mark[0], reply)


def begins_as_json(reply: str) -> bool:
    """Whether a reply may turn out to be JSON, in a code fence or not."""
    return reply.lstrip().startswith(("{", "`"))


def is_whole(reply: str) -> bool:
    """Whether a reply ends with a whole sentence or its mark.

    >>> is_whole("Leave is 25 days."), is_whole("Leave is 25 days [1]"), is_whole("Leave is")
    (True, True, False)
    """
    return re.search(rf"(?:[.!?…]|{MARK})[\"”’)*_|`\s]*\Z", reply, re.IGNORECASE) is not None


def split_reply(reply: str) -> list[ReplySentence]:
    """The sentences of a reply in order; headings, and a list of sources under one, are left out.

    A mark behind the full stop belongs to the sentence before it, as one in front of it does; a raised digit is one. A
    row of a table is an item, its first cell what the others are about.

    >>> [(s.text, s.cited) for s in split_reply("Leave is 25 days. [1][2] Ask HR [Section 3]. Be well.")]
    [('Leave is 25 days.', (1, 2)), ('Ask HR.', (3,)), ('Be well.', ())]
    """
    return [sentence for raw in raw_sentences(reply) if (sentence := _sentence(raw)) is not None]


def raw_sentences(reply: str) -> list[str]:
    r"""The same as the model wrote them, each mark before its full stop; those that say nothing are among them.

    >>> raw_sentences("Leave is 25 days. [1] - Ask **HR**.\n\nSources:\n[1] Leave policy")
    ['Leave is 25 days [1].', '- Ask **HR**.']
    """
    body = _RAISED.sub(_in_brackets, _SOURCES.sub("", reply))
    body = _ROUND_BEHIND_STOP.sub(r"\1[\2]", body)
    body = _BEHIND_BREAK.sub(_before_the_stop, body)
    body = _BEHIND_STOP.sub(_before_the_stop, body)
    read = "\n".join(map(_as_prose, body.split("\n")))
    return [body[start:end] for start, end in sentence_spans(read, 0, len(read))]


def _in_brackets(found: re.Match[str]) -> str:
    return found[1] + "".join(f"[{_RAISED_DIGITS.index(one)}]" for one in found[2] if one in _RAISED_DIGITS)


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
    if (_TITLE.match(raw) and not has_mark(raw)) or _FOOTNOTE.match(raw):
        return None
    marks = _CITATION if has_mark(raw) else _ROUND_MARK
    cited = [number for mark in marks.finditer(raw) for number in _numbers(mark[0])]
    bare = marks.sub(" ", _MARKUP.sub("", raw))
    row = _ROW.fullmatch(bare) is not None
    item = row or _LIST_MARK.match(bare) is not None
    bare = _EMPTY.sub("", _cells(bare) if row else _LIST_MARK.sub("", bare))
    text = _LABEL.sub("", re.sub(r"\s+([.,;:!?])", r"\1", " ".join(bare.split())).lstrip(":;, "))
    text = _without(_LEAD.match(text), text)
    said = _SAYS_SECTION.match(text)
    if said and (not cited or int(said[1]) in cited):  # "According to section 2, ..." cites like a mark
        cited.append(int(said[1]))
        text = _without(said, text)
    if not any(char.isalnum() for char in text) or _TOKEN_ANYWHERE.search(text):
        return None
    return ReplySentence(" ".join(raw.split()), text, tuple(dict.fromkeys(cited)), item)


def _without(lead: re.Match[str] | None, text: str) -> str:
    """A sentence without what it begins with."""
    return text[lead.end()].upper() + text[lead.end() + 1 :] if lead else text


def _cells(row: str) -> str:
    """A row of a table as a line of text.

    >>> _cells("| Hotel | 120 euros |  |"), _cells("| --- | --- |")
    ('Hotel: 120 euros', '')
    """
    first, *others = [cell.strip() for cell in row.split("|") if any(map(str.isalnum, cell))] or [""]
    return f"{first}: {'; '.join(others)}" if others else first


def _numbers(mark: str) -> list[int]:
    """The numbers of one mark; "1-3" names all three.

    >>> _numbers("[Sections 1-3, 7]"), _numbers("[1, Leave Policy 2026]")
    ([1, 2, 3, 7], [1])
    """
    numbers: list[int] = []
    listed = re.search(_NUMBERS, mark, re.IGNORECASE)
    for first, last in re.findall(r"(\d+)(?:\s*[-–]\s*(\d+))?", listed[0] if listed else ""):
        numbers += range(int(first), min(int(last or first), int(first) + 20) + 1)
    return numbers
