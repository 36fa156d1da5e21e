"""An answer as HTML, for notebooks. Everything that comes from a question, a policy or a model is escaped."""

import html
import re

from policy_rag.answering.presentation.escaping import as_shown
from policy_rag.answering.presentation.wording import headline, likelihood, written_by
from policy_rag.records.answer import Answer, Citation, Status
from policy_rag.records.locations import numbered, validity
from policy_rag.records.search import Hit

_MARK = re.compile(r"\[(\d{1,4})\]")
# Half-transparent colours and `inherit` read well on a light and on a dark ground.
_BOX = (
    "font-family:system-ui,sans-serif;line-height:1.5;max-width:52rem;padding:.75rem 1rem;"
    "border:1px solid rgba(128,128,128,.4);border-left:4px solid {edge};border-radius:6px;color:inherit"
)
_EDGES = {
    Status.ANSWERED: "#2f9e6e",
    Status.UNCERTAIN: "#b8a21f",
    Status.REFUSED: "#c98a1b",
    Status.CLARIFY: "#4a86c8",
}
_TEXT = "white-space:pre-wrap;overflow-wrap:anywhere"
_QUIET = "opacity:.75;font-size:.85em"
_QUOTE = (
    "margin:.15rem 0 .7rem 0;padding:.1rem .7rem;border-left:2px solid rgba(128,128,128,.5);"
    "white-space:pre-wrap;overflow-wrap:anywhere;color:inherit"
)
_HEADLINE = "font-size:.85em;opacity:.75;margin:.8rem 0 .3rem"


def answer_html(answer: Answer) -> str:
    """The question, the answer with its `[n]`, each citation with its quotation, and the support for it.

    A refusal shows the nearest sections instead, a question back the question. No script, no address, no
    identifier: nothing in it acts, and two answers in one notebook do not meet.
    """
    parts = [
        f'<div style="{_BOX.format(edge=_EDGES[answer.status])}">',
        f'<div style="font-weight:600;{_TEXT}">{_escaped(answer.question)}</div>',
        f'<div style="margin:.5rem 0;{_TEXT}">{_marked(answer)}</div>',
    ]
    if answer.clarification and answer.clarification != answer.answer:
        parts.append(f'<div style="margin:.5rem 0;{_TEXT}">{_escaped(answer.clarification)}</div>')
    if answer.citations:
        parts.append(f'<div style="{_HEADLINE}">Where it is written</div>')
        parts.extend(_citation(citation) for citation in answer.citations)
    if answer.nearest:
        parts.append(f'<div style="{_HEADLINE}">{_escaped(headline(answer))}</div>')
        parts.extend(_nearest(hit) for hit in answer.nearest)
    if answer.removed:
        parts.append(f'<div style="{_HEADLINE}">Removed, since the source does not say so</div>')
        parts.extend(f'<div style="{_TEXT};{_QUIET}">{_escaped(text)}</div>' for text in answer.removed)
    parts.extend(f'<div style="{_TEXT};{_QUIET}">{_escaped(notice)}</div>' for notice in answer.notices)
    told = " · ".join((answer.status.value, likelihood(answer), written_by(answer)))
    parts.append(f'<div style="{_QUIET};margin-top:.6rem">{_escaped(told)}</div></div>')
    return "\n".join(parts)


def _escaped(text: str) -> str:
    return html.escape(as_shown(text), quote=True)


def _marked(answer: Answer) -> str:
    """The answer's text with the marks of its own citations set off; a number without a citation stays plain text."""
    known = {citation.n for citation in answer.citations}

    def mark(match: re.Match[str]) -> str:
        return f'<sup style="font-weight:600">{match[0]}</sup>' if int(match[1]) in known else match[0]

    return _MARK.sub(mark, _escaped(answer.answer))


def _citation(citation: Citation) -> str:
    return (
        f'<div style="font-size:.9em"><b>[{citation.n}]</b> {_source(citation)}'
        f'<blockquote style="{_QUOTE}">{_escaped(citation.text or citation.quote)}</blockquote></div>'
    )


def _nearest(hit: Hit) -> str:
    return f'<div style="font-size:.9em;margin-bottom:.3rem">{_source(hit)}</div>'


def _source(one: Citation | Hit) -> str:
    """The path, then line or page, file, version and days in force: what is needed to open the place."""
    path = " › ".join(numbered(one.path, one.path_numbers)) or one.file
    at = f"line {one.line}" if one.line else f"page {one.page}" if one.page is not None else ""
    place = " · ".join(part for part in (at, one.file, *validity(one)) if part)
    return f'{_escaped(path)}<div style="{_QUIET};overflow-wrap:anywhere">{_escaped(place)}</div>'
