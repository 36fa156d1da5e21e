"""Makes questions by rule: from section titles, clause numbers, definitions and cells of tables.

What is to have no answer is made by a swap: a clause number that the document does not have, and a section's title put
to another document that never speaks of it. Both are likely, not proved, to have no answer: people review them.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from policy_rag.answering.verification.prompt_injection import gives_orders
from policy_rag.index.search.terms import terms
from policy_rag_eval.questions.drafts import DraftQuote, QuestionDraft, QuestionStyle, SectionKey
from policy_rag_eval.questions.linked_sections import linked_sections
from policy_rag_eval.questions.question_filter import QuestionFilter
from policy_rag_eval.questions.source_documents import SourceDocument
from policy_rag_eval.words import WORDS
from policy_rag_eval.words.record import QuestionTemplates
from policy_rag_parsers.blocks.table_blocks import find_tables, header_text, table_rows
from policy_rag_parsers.records import Section, TableMark
from policy_rag_parsers.references.defined_terms import Definition, find_definitions
from policy_rag_parsers.text.sentences import Span, trimmed
from policy_rag_parsers.text.unit_words import BACK_MATTER

TEMPLATES: Mapping[str, QuestionTemplates] = {name: one.templates for name, one in WORDS.items()}
"""By language; rules have no words for the others."""
_ANNEXED = rf"(?:(?:{'|'.join(BACK_MATTER)})\s+(?:\d+|[A-Z]|[IVX]+)\b\s*[:.–—-]?\s*)?"
_GENERIC = re.compile(rf"{_ANNEXED}(?:{'|'.join(one.generic for one in TEMPLATES.values())})?\Z", re.IGNORECASE)
_MIN_BODY, _MAX_BODY = 40, 1500
_MAX_TITLE, _MAX_CELL = 60, 60
_MAX_ROWS = 8  # of one table
_MAX_FOREIGN = 4  # titles of others asked of one document: the same wording again teaches nothing
_MAX_LINKED = 2  # questions of one section on it and another
_UNIT_WORD = re.compile(r"\A(?:§|[^\W\d_]{3,})")
_MARKUP = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`")
_LINK = re.compile(r"\[([^\]\n]{1,200})\]\([^)\s]{1,300}\)")
_WHOLE_NUMBER = re.compile(r"(?P<sign>§ ?)?(?P<number>\d{1,3})")

DraftsBySection = dict[SectionKey, list[QuestionDraft]]


def make_by_rules(
    documents: Sequence[SourceDocument],
    accepted: QuestionFilter,
    *,
    styles: Collection[QuestionStyle],
    count: int,
    per_section: int,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Offers drafts to the filter until it has accepted `count` questions or no draft is left.

    The style that is rarest so far comes next, and of its drafts one of the section that has fewest questions so far;
    the seed orders equals. Each section gives `per_section` questions at most.
    """
    by_section = drafts_by_section(documents, styles, seed)
    accepted.prepare([draft.text for drafts in by_section.values() for draft in drafts])
    order = sorted(by_section)
    random.Random(f"{seed} order").shuffle(order)
    remaining: dict[QuestionStyle, list[QuestionDraft]] = {style: [] for style in QuestionStyle}
    for key in order:
        for draft in by_section[key]:
            remaining[draft.style].append(draft)
    by_style = Counter(one.draft.style for one in accepted.questions)
    of_section = Counter(one.draft.sections[0] for one in accepted.questions)
    while len(accepted.questions) < count:
        available = [style for style, drafts in remaining.items() if drafts]
        if not available:
            return
        style = min(available, key=lambda one: by_style[one])
        draft = min(remaining[style], key=lambda one: of_section[one.sections[0]])
        if of_section[draft.sections[0]] >= per_section:
            remaining[style].clear()
            continue
        remaining[style].remove(draft)
        if accepted.offer(draft):
            by_style[style] += 1
            of_section[draft.sections[0]] += 1
        if progress:
            progress(len(accepted.questions), count)


def drafts_by_section(
    documents: Sequence[SourceDocument], styles: Collection[QuestionStyle], seed: int
) -> DraftsBySection:
    """The drafts of each section, shuffled by the seed; one on two sections lies with that which refers to the other.

    Documents in a language without templates give none.
    """
    answerable: DraftsBySection = {}
    unanswerable: DraftsBySection = {}
    for document in documents:
        templates = TEMPLATES.get(document.info.language)
        if templates is None:
            continue
        definitions = find_definitions(document.source, document.sections)
        tables = find_tables(document.source)
        for section in askable_sections(document):
            key = (document.info.doc_id, section.section_id)
            drafts = [
                *_whole_section(document, section, templates),
                *_definitions(document, section, templates, definitions),
                *_table_rows(document, section, templates, tables, random.Random(f"{seed} {key} rows")),
            ]
            answerable[key] = [d for d in drafts if not any(gives_orders(quote.text) for quote in d.quotes)]
            unanswerable[key] = [*_missing_number(document, section, templates)]
        for draft in _titles_of_others(document, documents, templates, seed):
            unanswerable.setdefault(draft.sections[0], []).append(draft)
    linked = _on_two_sections(documents, answerable, seed)
    made: DraftsBySection = {}
    for key in sorted(answerable):
        drafts = [*answerable[key], *unanswerable.get(key, ()), *linked.get(key, ())]
        chosen = [replace(draft, seed=seed) for draft in drafts if draft.style in styles]
        random.Random(f"{seed} {key}").shuffle(chosen)
        if chosen:
            made[key] = chosen
    return made


def askable_sections(document: SourceDocument) -> list[Section]:
    """The sections with a body to ask about."""
    return [section for section in document.sections if section.end - section.body >= _MIN_BODY]


def _whole_section(document: SourceDocument, section: Section, templates: QuestionTemplates) -> Iterator[QuestionDraft]:
    """By number, and by title."""
    span = trimmed(document.text, section.body, section.end)
    if not _MIN_BODY <= span[1] - span[0] <= _MAX_BODY or section.level == 0:
        return
    if section.number:
        yield _draft(
            document, section, QuestionStyle.CLAUSE, _clause(document, section.number, templates), "number", span
        )
    topic = _topic(document, section)
    if topic:
        text = templates.topic.format(document=_name(document), title=topic)
        yield _draft(document, section, QuestionStyle.FACTUAL, text, "title", span)


def _clause(document: SourceDocument, number: str, templates: QuestionTemplates) -> str:
    named = number if _UNIT_WORD.match(number) else f"{templates.unit} {number}"
    return templates.clause.format(number=named, document=_name(document))


def _topic(document: SourceDocument, section: Section) -> str:
    """A section's title; "" where it says nothing by itself."""
    title = as_plain(section.title).rstrip(".:?")
    if title.casefold() == _name(document).casefold() or len(title) > _MAX_TITLE or _GENERIC.match(title):
        return ""
    return title.capitalize() if title.isupper() else title


def _name(document: SourceDocument) -> str:
    """The document's title as it stands behind an article."""
    return re.sub(r"\Athe\s", "", document.info.title, flags=re.IGNORECASE)


def _definitions(
    document: SourceDocument, section: Section, templates: QuestionTemplates, definitions: Sequence[Definition]
) -> Iterator[QuestionDraft]:
    for one in definitions:
        if one.section_id == section.section_id:
            text = templates.definition.format(term=one.term, document=_name(document))
            span = trimmed(document.text, one.start, one.end)
            yield _draft(document, section, QuestionStyle.FACTUAL, text, "definition", span)


def _table_rows(
    document: SourceDocument,
    section: Section,
    templates: QuestionTemplates,
    tables: Sequence[TableMark],
    rng: random.Random,
) -> Iterator[QuestionDraft]:
    """A cell of each of some rows, and each two of these rows compared."""
    for table in tables:
        columns = _cells(header_text(document.text, table))
        if not section.start <= table.start < section.end or not columns[0]:
            continue
        rows = [(span, _cells(document.text[slice(*span)])) for span in table_rows(document.text, table)]
        whole = [row for row in rows if len(row[1]) == len(columns) >= 2 and all(row[1]) and len(row[1][0]) < _MAX_CELL]
        chosen = rng.sample(whole, min(len(whole), _MAX_ROWS))
        for place, (span, cells) in enumerate(chosen):
            column = 1 + place % (len(columns) - 1)
            text = templates.cell.format(
                column=columns[column], head=columns[0], row=cells[0], document=_name(document)
            )
            answers = _verbatim(document, (span,), (cells[column],))
            yield _draft(document, section, QuestionStyle.FACTUAL, text, "cell", span, answers=answers)
        for pair in zip(chosen[::2], chosen[1::2], strict=False):
            yield from _comparison(document, section, templates, columns, sorted(pair))


def _comparison(
    document: SourceDocument,
    section: Section,
    templates: QuestionTemplates,
    columns: Sequence[str],
    pair: Sequence[tuple[Span, list[str]]],
) -> Iterator[QuestionDraft]:
    (first, first_cells), (second, second_cells) = pair
    differing = [i for i in range(1, len(columns)) if first_cells[i] != second_cells[i]]
    if first_cells[0] == second_cells[0] or not differing:
        return
    column = min(differing, key=lambda i: len(first_cells[i]) + len(second_cells[i]))  # the shortest cells are facts
    text = templates.comparison.format(
        head=columns[0], row=first_cells[0], other=second_cells[0], column=columns[column], document=_name(document)
    )
    answers = _verbatim(document, (first, second), (first_cells[column], second_cells[column]))
    yield _draft(document, section, QuestionStyle.COMPARISON, text, "rows", first, second, answers=answers)


def _verbatim(document: SourceDocument, spans: Sequence[Span], cells: Sequence[str]) -> tuple[str, ...]:
    """The cells that stand in their rows as they are, without markup inside."""
    return tuple(cell for span, cell in zip(spans, cells, strict=True) if cell in document.text[slice(*span)])


def _missing_number(
    document: SourceDocument, section: Section, templates: QuestionTemplates
) -> Iterator[QuestionDraft]:
    """A number beyond the document's last one, for its last section that has a whole number."""
    numbered = [(s, found) for s in document.sections if (found := _WHOLE_NUMBER.fullmatch(s.number or ""))]
    if not numbered or numbered[-1][0] is not section:
        return
    beyond = max(int(found["number"]) for _, found in numbered) + 3
    text = _clause(document, f"{numbered[-1][1]['sign'] or ''}{beyond}", templates)
    yield _draft(document, section, QuestionStyle.UNANSWERABLE, text, "no_such_number")


def _titles_of_others(
    document: SourceDocument, documents: Sequence[SourceDocument], templates: QuestionTemplates, seed: int
) -> Iterator[QuestionDraft]:
    """Titles of the other documents' sections, asked of this one where it has not one of their words.

    Each lies with one of this document's sections, which it is near to in nothing but the document.
    """
    language = document.info.language
    own = set(terms(document.text, language))
    others = [one for one in documents if one is not document and one.info.language == language]
    topics = {_topic(one, section): None for one in others for section in askable_sections(one)}
    foreign = [topic for topic in topics if terms(topic, language) and not own & set(terms(topic, language))]
    sections = [section for section in askable_sections(document) if section.level > 0]
    rng = random.Random(f"{seed} {document.info.doc_id} titles")
    chosen = rng.sample(foreign, min(len(foreign), len(sections), _MAX_FOREIGN))
    for topic, section in zip(chosen, sections, strict=False):
        text = templates.topic.format(document=_name(document), title=topic)
        yield _draft(document, section, QuestionStyle.UNANSWERABLE, text, "title_of_another")


def _on_two_sections(documents: Sequence[SourceDocument], drafts: DraftsBySection, seed: int) -> DraftsBySection:
    """Questions that need a section and one that it refers to, or the next under its heading, in one language."""
    by_id = {document.info.doc_id: document for document in documents}
    linked = linked_sections(documents)
    made: DraftsBySection = {}
    for key in drafts:
        targets = [*linked.get(key, ()), *_next_sibling(key, by_id)]
        partners = [target for target in dict.fromkeys(targets) if target != key and _halves(drafts.get(target, []))]
        for target in partners[:_MAX_LINKED]:
            first, second = _halves(drafts[key]), _halves(drafts[target])
            if first and first[0].language == second[0].language:
                rng = random.Random(f"{seed} {key} {target}")
                made.setdefault(key, []).append(_joined(rng.choice(first), rng.choice(second)))
    return made


def _next_sibling(key: SectionKey, documents: Mapping[str, SourceDocument]) -> list[SectionKey]:
    by_id = documents[key[0]].by_id
    section = by_id[key[1]]
    following = by_id.get(section.next or "")
    sibling = following is not None and section.parent is not None and following.parent == section.parent
    return [(key[0], following.section_id)] if following is not None and sibling else []


def _halves(drafts: Sequence[QuestionDraft]) -> list[QuestionDraft]:
    """Those that can be half of a question."""
    return [draft for draft in drafts if draft.rule in {"title", "definition"}]


def _joined(first: QuestionDraft, second: QuestionDraft) -> QuestionDraft:
    """One question of two, on the gold of both."""
    asked = second.text.lstrip("¿")
    text = TEMPLATES[first.language].joins.format(first=first.text.rstrip("? "), second=asked[:1].lower() + asked[1:])
    return replace(
        first,
        style=QuestionStyle.MULTI,
        text=text,
        quotes=(*first.quotes, *second.quotes),
        sections=(*first.sections, *second.sections),
        rule=f"{first.rule}+{second.rule}",
    )


def _draft(
    document: SourceDocument,
    section: Section,
    style: QuestionStyle,
    text: str,
    rule: str,
    *spans: Span,
    answers: tuple[str, ...] = (),
) -> QuestionDraft:
    """A draft of a section with these spans of the document for gold."""
    info = document.info
    quotes = (DraftQuote(info.doc_id, info.file, section.section_id, a, b, document.text[a:b]) for a, b in spans)
    return QuestionDraft(
        style=style,
        text=" ".join(text.split()),
        quotes=tuple(quotes),
        sections=((info.doc_id, section.section_id),),
        language=info.language,
        answers=answers,
        rule=rule,
    )


def _cells(row: str) -> list[str]:
    """The cells of a row, plain."""
    parts = re.split(r"\s*\|\s*", row.strip().strip("|").strip()) if "|" in row else row.split("\t")
    return [as_plain(part) for part in parts]


def as_plain(text: str) -> str:
    r"""A text on one line, without emphasis, links and code marks.

    >>> as_plain("**Term**: the *Data\n Officer* `x_y`")
    'Term: the Data Officer x_y'
    """
    return " ".join(_MARKUP.sub("", _LINK.sub(r"\1", text)).split())
