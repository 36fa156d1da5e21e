"""Review by people: a question set as a table that a spreadsheet opens, and the table read back with checks."""

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from policy_rag.errors import UsageError
from policy_rag_eval.data.quotes import find_quote
from policy_rag_eval.questions.drafts import Draft, GeneratedQuestion, Quote, SectionKey, SectionSpan, Style
from policy_rag_eval.questions.question_filter import question_id
from policy_rag_eval.questions.writing import QuestionSet

COLUMNS = (
    "id",
    "decision",
    "type",
    "question",
    "quote",
    "answer",
    "found_at",
    "document",
    "section",
    "section_text",
    "made_by",
    "note",
)
DECISIONS = ("", "accept", "edit", "drop")
BETWEEN_QUOTES = "\n---\n"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MOST_SECTION = 4000

Texts = Mapping[str, str]
"""A file to its text, as the parser reads it."""


def review_table(made: QuestionSet, texts: Texts, titles: Mapping[str, str]) -> str:
    """The table as CSV: a row a question, those not yet reviewed first.

    Several quotes stand in one cell with `---` on a line between them. A cell that a spreadsheet would take for a
    formula begins with an apostrophe, which reading takes off again.

    Args:
        made: the question set.
        texts: of its documents, by file.
        titles: of its documents, by `doc_id`.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for kept in sorted(made.questions, key=lambda one: one.reviewed):
        draft = kept.draft
        spans = [made.sections[key] for key in draft.sections if key in made.sections]
        shown = [texts[place.file][place.start : place.end] for place in spans]
        row = {
            "id": kept.question_id,
            "decision": "accept" if kept.reviewed else "",
            "type": str(draft.style),
            "question": draft.text,
            "quote": BETWEEN_QUOTES.join(quote.text for quote in draft.quotes),
            "answer": BETWEEN_QUOTES.join(draft.answers),
            "found_at": "" if kept.found_at is None else str(kept.found_at),
            "document": "; ".join(dict.fromkeys(titles.get(doc_id, doc_id) for doc_id, _ in draft.sections)),
            "section": "; ".join(section_id for _, section_id in draft.sections),
            "section_text": BETWEEN_QUOTES.join(shown)[:_MOST_SECTION],
            "made_by": draft.made_by,
            "note": "",
        }
        writer.writerow([_cell(row[column]) for column in COLUMNS])
    return out.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _uncell(text: str) -> str:
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA) else text


def read_review(path: Path) -> dict[str, dict[str, str]]:
    """The rows of a reviewed table by question id: commas, semicolons or tabs between cells, as spreadsheets save it.

    Raises:
        UsageError: the file cannot be read, lacks a column, or has a question twice.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read ({error}): save it as CSV in UTF-8") from error
    header = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=header.count)
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error as error:
        raise UsageError(f"{path} is no CSV ({error}): write it anew with --review-to") from error
    missing = [name for name in ("id", "decision", "question", "quote") if name not in (reader.fieldnames or ())]
    if missing:
        raise UsageError(f"{path} has no column {missing[0]!r}: write it anew with --review-to")
    found: dict[str, dict[str, str]] = {}
    for line, row in rows:
        cells = {str(key): _uncell(value or "") for key, value in row.items() if isinstance(value, str)}
        name = cells.get("id", "").strip()
        if not name:
            continue
        if name in found:
            raise UsageError(f"{path}, line {line}: question {name} comes twice: keep one row")
        found[name] = {**cells, "line": str(line)}
    return found


def apply_review(
    made: QuestionSet, rows: Mapping[str, Mapping[str, str]], texts: Texts, path: Path
) -> tuple[QuestionSet, Counter[str]]:
    """The question set after a review, and how many were accepted, edited, dropped and left open.

    `accept` keeps a row as it was made; `edit` takes over the question, the quotes and the answers as they now stand;
    `drop` takes it out for good; blank leaves it for later. Quotes must stand in one of the question's sections.

    Raises:
        UsageError: a row is of no question of the set, its decision is unknown, `accept` stands beside a changed text,
            or a quote is not in the section. The message names the line. Nothing is taken over then.
    """
    known = {kept.question_id: kept for kept in made.questions}
    unknown = [name for name in rows if name not in known]
    if unknown:
        raise UsageError(
            f"{path}, line {rows[unknown[0]]['line']}: the set has no question {unknown[0]!r}: review the table that "
            "--review-to wrote last"
        )
    counts: Counter[str] = Counter()
    kept: list[GeneratedQuestion] = []
    refused = list(made.refused)
    for one in made.questions:
        row = rows.get(one.question_id, {})
        decision = row.get("decision", "").strip().lower()
        where = f"{path}, line {row.get('line', '')}"
        if decision not in DECISIONS:
            raise UsageError(f"{where}: the decision {decision!r} is none of accept, edit, drop, or blank")
        counts[decision or "open"] += 1
        if decision == "drop":
            refused.append(one.draft.text)
        elif decision == "edit":
            kept.append(_edited(one, row, texts, made.sections, where))
        else:
            if decision == "accept" and _is_changed(one.draft, row):
                raise UsageError(f"{where}: the row was changed but says accept: write edit, or undo the change")
            kept.append(replace(one, reviewed=one.reviewed or decision == "accept"))
    return replace(made, questions=_unique(kept, path), refused=tuple(dict.fromkeys(refused))), counts


def _is_changed(draft: Draft, row: Mapping[str, str]) -> bool:
    quotes = [" ".join(quote.text.split()) for quote in draft.quotes]
    said = [" ".join(quote.split()) for quote in _parts(row["quote"])]
    return " ".join(row["question"].split()) != " ".join(draft.text.split()) or said != quotes


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
    quotes = tuple(_found(said, draft.sections, texts, spans, where) for said in _parts(row["quote"]))
    style = draft.style
    if quotes and style is Style.UNANSWERABLE:
        style = Style.FACTUAL
    elif not quotes:
        style = Style.UNANSWERABLE
    answers = tuple(part for part in _parts(row.get("answer", "")) if any(part in quote.text for quote in quotes))
    edited = replace(draft, text=text, quotes=quotes, style=style, answers=answers)
    moved = edited.quotes != draft.quotes
    return replace(
        question,
        question_id=question_id(edited),
        draft=edited,
        found_at=None if moved or text != draft.text else question.found_at,
        reviewed=True,
    )


def _found(
    said: str, sections: Sequence[SectionKey], texts: Texts, spans: Mapping[SectionKey, SectionSpan], where: str
) -> Quote:
    for key in sections:
        place = spans.get(key)
        span = find_quote(texts[place.file], place.start, place.end, said) if place else None
        if place is not None and span is not None:
            return Quote(key[0], place.file, key[1], *span, texts[place.file][slice(*span)])
    shown = " ".join(said.split())[:60]
    raise UsageError(f"{where}: the quote {shown!r} does not stand in its section: copy the words from there")


def _unique(kept: Sequence[GeneratedQuestion], path: Path) -> tuple[GeneratedQuestion, ...]:
    counts = Counter(one.question_id for one in kept)
    twice = next((one for one in kept if counts[one.question_id] > 1), None)
    if twice is not None:
        raise UsageError(f"{path}: after editing, two questions are the same: {twice.draft.text!r}: drop one")
    return tuple(kept)
