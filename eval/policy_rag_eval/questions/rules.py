"""The questions that can be made of a section by rule: from its number, title, definitions, tables and sentences."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from policy_rag.answering.verification.prompt_injection import gives_orders
from policy_rag.index.search.tokens import terms
from policy_rag_eval.questions.documents import SourceDocument
from policy_rag_eval.questions.drafts import Draft, Quote, Style
from policy_rag_eval.questions.rules_english import Asked, english_questions
from policy_rag_eval.questions.rules_german import german_questions
from policy_rag_eval.questions.sentences import as_plain, plain_sentences
from policy_rag_eval.questions.wording import PHRASES, Phrases, column_kind
from policy_rag_parsers.blocks.tables import find_tables, header_text, table_rows
from policy_rag_parsers.records import Section, TableMark
from policy_rag_parsers.references.defined_terms import Definition, find_definitions
from policy_rag_parsers.text.sentences import Span, trimmed

_LEAST_BODY = 40
_MOST_BODY = 1500
_LEAST_TERMS = 3
_LONGEST_TITLE = 60
_LONGEST_CELL = 60
_MOST_CELLS = 8
_UNIT_WORD = re.compile(r"\A(?:§|[^\W\d_]{3,})")
_ASKING = re.compile(r"\A(?:how|what|who|when|where|why|which|wer|was|wie|wann|wo)\b", re.IGNORECASE)
_INVERTED = re.compile(
    r"\A(?:how|what|who|when|where|why|which|wer|was|wie|wann|wo)\s(?:is|are|can|may|must|does|do|happens?|applies|decides|"
    r"pays|ist|sind|kann|darf|muss|gilt|passiert)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\A(?:within what time|by when at the latest|how long in advance|for how long|how often|by whom|"
    r"up to what amount|"
    r"how many|under what condition|in which cases|with what limitation|what applies if|"
    r"innerhalb welcher frist|wie viel)\b",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"\s+[-–—|·]\s+")
_HOW_TO = re.compile(r"\Ahow to (.+)\Z", re.IGNORECASE)
_CAPITALISED = re.compile(r"(?<=[a-z,] )[A-Z][\w’'-]*")
_BOUNDS = re.compile(
    r"\b(?:above|below|up to|over|under|from|at least|at most|more than|less than|to|ab|bis)\b|[\d.,%]+"
)
_RELATION = re.compile(r"\A(?:from|to|by|of|in|von|nach|\W*)\Z", re.IGNORECASE)
_DEFINITE = re.compile(r"\b(?:the|der|die|das)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """A document as the rules read it; what needs the whole document is worked out once."""

    document: SourceDocument

    @property
    def phrases(self) -> Phrases | None:
        """The words of its language; None where there are none."""
        return PHRASES.get(self.document.info.language)

    @cached_property
    def tables(self) -> tuple[TableMark, ...]:
        """All tables, in order."""
        return find_tables(self.document.source)

    @cached_property
    def definitions(self) -> dict[str, tuple[Definition, ...]]:
        """Definitions by `section_id`."""
        found: dict[str, list[Definition]] = {}
        for one in find_definitions(self.document.source, self.document.sections):
            found.setdefault(one.section_id, []).append(one)
        return {section_id: tuple(several) for section_id, several in found.items()}

    @cached_property
    def names(self) -> frozenset[str]:
        """Words that are written with a capital inside sentences, and never without one."""
        sentences = [
            sentence.text
            for section in self.document.sections
            for sentence in plain_sentences(self.document, section, self.tables)
        ]
        small = {word for text in sentences for word in re.findall(r"\b[a-z][\w’'-]*", text)}
        return frozenset(word for text in sentences for word in _CAPITALISED.findall(text) if word.lower() not in small)

    @property
    def title(self) -> str:
        """The document's title as it stands behind an article; a web page's without the site's name behind it."""
        title = self.document.info.title
        own, *site = _BEHIND.split(title)
        if site and self.document.info.file.lower().endswith((".html", ".htm")):
            headings = (section.title.casefold() for section in self.document.sections)
            title = own if any(heading.endswith(own.casefold()) for heading in headings) else title
        return re.sub(r"\Athe\s", "", title, flags=re.IGNORECASE)


def by_rule(reading: Reading, section: Section, seed: int) -> list[Draft]:
    """All questions that the rules make of one section, in an order that the seed fixes; no two of one sentence."""
    phrases = reading.phrases
    if phrases is None:
        return []
    maker = Maker(reading, section, phrases, seed)
    drafts = [*maker.whole_section(), *maker.definitions(), *maker.cells(), *maker.sentences()]
    return [draft for draft in drafts if not any(gives_orders(quote.text) for quote in draft.quotes)]


def joined(first: Draft, second: Draft, phrases: Phrases, seed: int) -> Draft:
    """One question of two, on the gold of both; what both are about is said once."""
    again = second.text.removeprefix(second.context) if first.context == second.context else second.text
    text = phrases.joins.format(first=first.text.rstrip("?"), second=_small_first(again))
    return Draft(
        style=Style.MULTI,
        text=text,
        quotes=(*first.quotes, *second.quotes),
        sections=(*first.sections, *second.sections),
        language=first.language,
        answers=(*first.answers, *second.answers),
        rule=f"{first.rule}+{second.rule}",
        seed=seed,
    )


@dataclass(frozen=True)
class Maker:
    """Makes the questions of one section."""

    reading: Reading
    section: Section
    phrases: Phrases
    seed: int

    @property
    def text(self) -> str:
        """The document's text."""
        return self.reading.document.text

    def whole_section(self) -> Iterator[Draft]:
        """By number, and by title."""
        start, end = trimmed(self.text, self.section.body, self.section.end)
        if not _LEAST_BODY <= end - start <= _MOST_BODY or self.section.level == 0:
            return
        number, title = self.section.number, self.topic()
        if number:
            named = number if _UNIT_WORD.match(number) else f"{self.phrases.unit} {number}"
            asked = self.phrases.clause.format(number=named, document=self.reading.title)
            yield self.draft(Style.CLAUSE, asked, "number", (start, end))
        if title:
            how, asking = _HOW_TO.match(title), _INVERTED.match(title)
            if how and self.reading.document.info.language == "english":
                yield self.draft(Style.PARAPHRASE, f"How do I {how[1]}?", "how_to", (start, end))
            elif asking:
                context = self.phrases.under.format(document=self.reading.title)
                asked = f"{context}{_small_first(title.rstrip('?'))}?"
                yield self.draft(Style.FACTUAL, asked, "title", (start, end))
            elif not _ASKING.match(title):
                asked = self.phrases.topic.format(document=self.reading.title, title=title)
                yield self.draft(Style.FACTUAL, asked, "title", (start, end))

    def topic(self, section: Section | None = None) -> str:
        """A section's title, by default its own, as it stands inside a question; "" where it says nothing by itself."""
        title = " ".join((section or self.section).title.split()).rstrip(".:")
        own = title.casefold() == self.reading.title.casefold()
        if not title or own or len(title) > _LONGEST_TITLE or self.phrases.generic.match(title):
            return ""
        if title.isupper():
            title = title.capitalize()
        if self.reading.document.info.language == "german":
            return title
        words = title.split(" ")
        named = any(word[:1].isupper() and not word.isupper() for word in words[1:])
        return _small_first(title) if named else " ".join(self._small(word) for word in words)

    def _small(self, word: str) -> str:
        """A title's word in small letters, unless it is a name in the document's sentences or an acronym."""
        return word if word in self.reading.names or any(char.isupper() for char in word[1:]) else word.lower()

    def definitions(self) -> Iterator[Draft]:
        """What a term means, for each that the section defines."""
        for one in self.reading.definitions.get(self.section.section_id, ()):
            asked = self.phrases.definition.format(term=one.term, document=self.reading.title)
            yield self.draft(Style.FACTUAL, asked, "definition", trimmed(self.text, one.start, one.end))

    def cells(self) -> Iterator[Draft]:
        """A cell of a table, and two rows compared; of a long table some rows, by the seed."""
        for table in self.reading.tables:
            columns = _row_cells(header_text(self.text, table))
            if not self.section.start <= table.start < self.section.end or _RELATION.match(columns[0]):
                continue
            rows = [(span, _row_cells(self.text[slice(*span)])) for span in table_rows(self.text, table)]
            whole = [(span, cells) for span, cells in rows if len(cells) == len(columns) >= 2 and all(cells)]
            chosen = _rng(self.seed, self.section, "cells").sample(whole, min(len(whole), _MOST_CELLS))
            for i, (span, cells) in enumerate(chosen):
                column = 1 + i % (len(columns) - 1)
                yield from self._cell(columns, span, cells, column)
            for one, other in zip(chosen[::2], chosen[1::2], strict=False):
                yield from self._compared(columns, one, other)

    def _cell(self, columns: list[str], span: Span, cells: list[str], column: int) -> Iterator[Draft]:
        if max(len(cells[0]), len(columns[column])) > _LONGEST_CELL:
            return
        kind = column_kind(columns[column], cells[column])
        template = self.phrases.cell.get(kind, self.phrases.cell[""])
        name = columns[column] if kind in {"who", "period", "", "amount"} else columns[column].lower()
        asked = template.format(
            column=name, row=self._row_name(columns, cells, always=not kind), document=self.reading.title
        )
        yield self.draft(Style.FACTUAL, asked, "cell", span, answers=self._answers(span, cells[column]))

    def _row_name(self, columns: list[str], cells: list[str], *, always: bool = False) -> str:
        """What a row is called inside a question: with its column's name where its own is short ("class A")."""
        opening, closing = self.phrases.marks
        named = f"{opening}{cells[0]}{closing}"
        says_little = len(re.findall(r"[^\W\d_]{2,}", _BOUNDS.sub("", cells[0]))) < 2 and not cells[0].istitle()
        if (says_little or always) and not cells[0].lower().startswith(columns[0].lower()):
            return (
                f"{columns[0] if self.reading.document.info.language == 'german' else _small_first(columns[0])} {named}"
            )
        return named

    def _compared(
        self, columns: list[str], one: tuple[Span, list[str]], other: tuple[Span, list[str]]
    ) -> Iterator[Draft]:
        differing = [i for i in range(1, len(columns)) if one[1][i] != other[1][i]]
        if one[1][0] == other[1][0] or not differing or max(len(one[1][0]), len(other[1][0])) > _LONGEST_CELL:
            return
        first, second = sorted((one, other))
        opening, closing = self.phrases.marks
        column = min(differing, key=lambda i: len(first[1][i]) + len(second[1][i]))  # the shortest cells are facts
        asked = self.phrases.comparison.format(
            row=self._row_name(columns, first[1]),
            other=f"{opening}{second[1][0]}{closing}",
            column=columns[column],
            document=self.reading.title,
        )
        answers = (*self._answers(first[0], first[1][column]), *self._answers(second[0], second[1][column]))
        yield self.draft(Style.COMPARISON, asked, "rows", first[0], second[0], answers=answers)

    def sentences(self) -> Iterator[Draft]:
        """One question a sentence, chosen by the seed among those that it answers."""
        document, language = self.reading.document, self.reading.document.info.language
        defined = {one.start for one in self.reading.definitions.get(self.section.section_id, ())}
        for sentence in plain_sentences(document, self.section, self.reading.tables):
            if sentence.start in defined:
                continue
            asked = (
                english_questions(sentence.text, self.reading.names)
                if language == "english"
                else german_questions(sentence.text)
            )
            for one in _one_each(asked):
                answers = self._answers((sentence.start, sentence.end), one.answer)
                context = self.context() if self._needs_context(one) else ""
                text = context + _small_first(one.text) if context else one.text
                made = self.draft(one.style, text, one.rule, (sentence.start, sentence.end), answers=answers)
                yield replace(made, context=context)

    def _needs_context(self, asked: Asked) -> bool:
        """Whether a question is too general to be asked without saying what it is about."""
        if asked.rule == "if_first":
            return True
        stems = terms(_ASKS.sub("", asked.text), self.reading.document.info.language)
        if re.search(r"\b(?:I|my)\b", asked.text):
            return len(stems) < _LEAST_TERMS
        return len(stems) <= _LEAST_TERMS or bool(_DEFINITE.search(asked.text) and len(stems) <= _LEAST_TERMS + 2)

    def context(self) -> str:
        """What goes before a question that is too general: the document, and the nearest title that says something."""
        by_id, section = self.reading.document.by_id, self.section
        topic = self.topic(section)
        while not topic and section.parent is not None and section.parent in by_id:
            section = by_id[section.parent]
            topic = self.topic(section)
        if not topic or _ASKING.match(topic):
            return self.phrases.under.format(document=self.reading.title)
        return self.phrases.under_topic.format(document=self.reading.title, title=topic)

    def _answers(self, span: Span, answer: str) -> tuple[str, ...]:
        return (answer,) if answer and answer in self.text[slice(*span)] else ()

    def draft(self, style: Style, text: str, rule: str, *spans: Span, answers: tuple[str, ...] = ()) -> Draft:
        """A draft of this section with these spans of the document for gold."""
        info, section_id = self.reading.document.info, self.section.section_id
        return Draft(
            style=style,
            text=" ".join(text.split()),
            quotes=tuple(Quote(info.doc_id, info.file, section_id, a, b, self.text[a:b]) for a, b in spans),
            sections=((info.doc_id, section_id),),
            language=info.language,
            answers=answers,
            rule=rule,
            seed=self.seed,
        )


def _one_each(asked: Iterator[Asked]) -> list[Asked]:
    """The first question of each style: two of one style would ask for the same."""
    first: dict[Style, Asked] = {}
    for one in asked:
        first.setdefault(one.style, one)
    return list(first.values())


def _row_cells(row: str) -> list[str]:
    """The cells of a row, plain."""
    parts = re.split(r"\s*\|\s*", row.strip().strip("|").strip()) if "|" in row else row.split("\t")
    return [as_plain(part) for part in parts]


def _small_first(text: str) -> str:
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def _rng(seed: int, section: Section, what: str) -> random.Random:
    return random.Random(f"{seed} {section.section_id} {section.start} {what}")


def sections_worth_asking(document: SourceDocument) -> Sequence[Section]:
    """The sections with a body to ask about."""
    return [s for s in document.sections if s.end - s.body >= _LEAST_BODY]
