"""Review by people: a question set as a table that a spreadsheet opens, and the table read back with checks."""

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from policy_rag.errors import UsageError
from policy_rag_eval.data.quote_search import find_quote
from policy_rag_eval.data.spreadsheet import as_cell, read_cells
from policy_rag_eval.questions.drafts import (
    DraftQuote,
    GeneratedQuestion,
    QuestionDraft,
    QuestionStyle,
    SectionKey,
    SectionSpan,
)
from policy_rag_eval.questions.question_filter import question_id
from policy_rag_eval.questions.question_set import QuestionSet

DECISIONS = ("", "accept", "edit", "drop")
BETWEEN_QUOTES = "\n---\n"
_REQUIRED = ("id", "decision", "question", "quote")
_MAX_SECTION = 4000

Texts = Mapping[str, str]
"""A file to its text, as the parser reads it."""


def review_table(made: QuestionSet, texts: Texts, titles: Mapping[str, str]) -> str:
    """The table as CSV: a row a question, those not yet reviewed first.

    Several quotes stand in one cell with `---` on a line between them.

    Texts are by file, titles by `doc_id`.
    """
    rows = [
        _row(question, made.sections, texts, titles) for question in sorted(made.questions, key=lambda q: q.reviewed)
    ]
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]) if rows else _REQUIRED, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({column: as_cell(text) for column, text in row.items()} for row in rows)
    return out.getvalue()


def _row(
    question: GeneratedQuestion, spans: Mapping[SectionKey, SectionSpan], texts: Texts, titles: Mapping[str, str]
) -> dict[str, str]:
    draft = question.draft
    sections = [spans[key] for key in draft.sections if key in spans]
    return {
        "id": question.question_id,
        "decision": "accept" if question.reviewed else "",
        "type": str(draft.style),
        **editable_cells(draft),
        "found_at": "" if question.found_at is None else str(question.found_at),
        "document": "; ".join(dict.fromkeys(titles.get(doc_id, doc_id) for doc_id, _ in draft.sections)),
        "section": "; ".join(section_id for _, section_id in draft.sections),
        "section_text": BETWEEN_QUOTES.join(texts[one.file][one.start : one.end] for one in sections)[:_MAX_SECTION],
        "made_by": draft.made_by,
        "note": "",
    }


def editable_cells(draft: QuestionDraft) -> dict[str, str]:
    """The columns that a reviewer may change."""
    return {
        "question": draft.text,
        "quote": BETWEEN_QUOTES.join(quote.text for quote in draft.quotes),
        "answer": BETWEEN_QUOTES.join(draft.answers),
    }


def read_review(path: Path) -> dict[str, dict[str, str]]:
    """The rows of a reviewed table by question id: commas, semicolons or tabs between cells, as spreadsheets save it.

    Raises:
        UsageError: the file cannot be read, lacks a column, or has a question twice or a row without its id.
    """
    if not path.is_file():
        raise UsageError(f"there is no file {path}: write one with --review-to")
    columns, rows = read_cells(path)
    missing = [name for name in _REQUIRED if name not in columns]
    if missing:
        raise UsageError(f"{path} has no column {missing[0]!r}: write it anew with --review-to")
    found: dict[str, dict[str, str]] = {}
    for where, cells in rows:
        name = cells.get("id", "").strip()
        if not name:
            raise UsageError(
                f"{where}: the row has no id: a review takes no new questions, so put them into a data set of their own"
            )
        if name in found:
            raise UsageError(f"{where}: question {name} comes twice: keep one row")
        found[name] = {**cells, "where": where}
    return found


def apply_review(
    made: QuestionSet, rows: Mapping[str, Mapping[str, str]], texts: Texts, path: Path
) -> tuple[QuestionSet, Counter[str]]:
    """The question set after a review, and how many were accepted, edited, dropped and left open.

    `accept` keeps a row as it was made; `edit` takes over the question, the quotes and the answers as they now stand;
    `drop` takes it out for good; blank leaves it for later. Quotes must stand in one of the question's sections, and
    answers in one of the quotes; with the last quote the answers go too.

    Raises:
        UsageError: a row is of no question of the set, its decision is unknown, `accept` stands beside a changed text,
            a quote is not in the section, or an answer in no quote. The message names the line. Nothing is taken over
            then.
    """
    unknown = sorted(rows.keys() - {question.question_id for question in made.questions})
    if unknown:
        raise UsageError(
            f"{rows[unknown[0]].get('where', path)}: the set has no question {unknown[0]!r}: review the table that "
            "--review-to wrote last"
        )
    counts: Counter[str] = Counter()
    remaining: list[GeneratedQuestion] = []
    refused = dict.fromkeys(made.refused)
    for question in made.questions:
        row = rows.get(question.question_id, {})
        decision = row.get("decision", "").strip().lower()
        where = row.get("where", str(path))
        if decision not in DECISIONS:
            raise UsageError(f"{where}: the decision {decision!r} is none of accept, edit, drop, or blank")
        if decision == "accept" and _is_changed(question.draft, row):
            raise UsageError(f"{where}: the row was changed but says accept: write edit, or undo the change")
        counts[decision or "open"] += 1
        if decision == "drop":
            refused[question.draft.text] = None
        elif decision == "edit":
            remaining.append(_edited(question, row, texts, made.sections, where))
        else:
            remaining.append(replace(question, reviewed=question.reviewed or decision == "accept"))
    ids = Counter(question.question_id for question in remaining)
    twice = next((question for question in remaining if ids[question.question_id] > 1), None)
    if twice is not None:
        raise UsageError(f"{path}: after editing, two questions are the same: {twice.draft.text!r}: drop one")
    return replace(made, questions=tuple(remaining), refused=tuple(refused)), counts


def _is_changed(draft: QuestionDraft, row: Mapping[str, str]) -> bool:
    quotes = [quote.text for quote in draft.quotes]
    return (
        row["question"].split() != draft.text.split()
        or _differ(_parts(row["quote"]), quotes)
        or ("answer" in row and _differ(_parts(row["answer"]), draft.answers))
    )


def _differ(texts: Sequence[str], others: Sequence[str]) -> bool:
    """Whether they have other words, or another order."""
    return [text.split() for text in texts] != [other.split() for other in others]


def _parts(cell: str) -> list[str]:
    return [part.strip() for part in cell.replace("\r\n", "\n").split(BETWEEN_QUOTES) if part.strip()]


def _edited(
    question: GeneratedQuestion,
    row: Mapping[str, str],
    texts: Texts,
    spans: Mapping[SectionKey, SectionSpan],
    where: str,
) -> GeneratedQuestion:
    draft = question.draft
    text = " ".join(row["question"].split())
    if not text:
        raise UsageError(f"{where}: the question is empty: write one, or drop the row")
    quotes = tuple(_quote(part, draft.sections, texts, spans, where) for part in _parts(row["quote"]))
    style = draft.style
    if not quotes:
        style = QuestionStyle.UNANSWERABLE
    elif style is QuestionStyle.UNANSWERABLE:
        style = QuestionStyle.FACTUAL
    edited = replace(draft, text=text, quotes=quotes, style=style, answers=_answers(draft, row, quotes, where))
    changed = (quotes, text) != (draft.quotes, draft.text)
    found_at = None if changed else question.found_at
    return replace(question, question_id=question_id(edited), draft=edited, found_at=found_at, reviewed=True)


def _answers(draft: QuestionDraft, row: Mapping[str, str], quotes: Sequence[DraftQuote], where: str) -> tuple[str, ...]:
    if "answer" not in row:
        return tuple(one for one in draft.answers if any(one in quote.text for quote in quotes))
    given = _parts(row["answer"])
    if not quotes and not _differ(given, draft.answers):
        return ()
    return tuple(_answer(text, quotes, where) for text in given)


def _answer(text: str, quotes: Sequence[DraftQuote], where: str) -> str:
    """The answer in the words of the quote that it stands in."""
    if any(text in quote.text for quote in quotes):
        return text
    for quote in quotes:
        span = find_quote(quote.text, 0, len(quote.text), text)
        if span is not None:
            return quote.text[slice(*span)]
    shown = " ".join(text.split())[:60]
    raise UsageError(f"{where}: the answer {shown!r} stands in no quote: copy the words from one, or leave it out")


def _quote(
    text: str, sections: Sequence[SectionKey], texts: Texts, spans: Mapping[SectionKey, SectionSpan], where: str
) -> DraftQuote:
    for key in sections:
        section = spans.get(key)
        span = find_quote(texts[section.file], section.start, section.end, text) if section else None
        if section is not None and span is not None:
            return DraftQuote(key[0], section.file, key[1], *span, texts[section.file][slice(*span)])
    shown = " ".join(text.split())[:60]
    raise UsageError(f"{where}: the quote {shown!r} does not stand in its section: copy the words from there")
