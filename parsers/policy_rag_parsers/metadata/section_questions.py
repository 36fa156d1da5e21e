"""Questions that a section answers, by rule: from its title and its definitions."""

import re
from collections.abc import Iterator

from policy_rag_parsers.metadata.sanitise import one_line
from policy_rag_parsers.metadata.section_texts import SectionText
from policy_rag_parsers.records import FileFormat, Section, SourceText
from policy_rag_parsers.references.defined_terms import find_definitions
from policy_rag_parsers.text.lexicon import LEXICONS, line_words

MOST_QUESTIONS = 5
_MOST_WORDS = 8  # of a title or term
_SAYS_NOTHING = re.compile(rf"(?:{line_words('empty_titles')})\Z", re.IGNORECASE)


def section_questions(section: SectionText, *, document_title: str, language: str) -> tuple[str, ...]:
    r"""The questions of one section: by its title, then its definitions. At most five; none in other languages.

    >>> section = SectionText("1", 'Approval\n"Approver" means the line manager.', "Approval", 9)
    >>> section_questions(section, document_title="Leave Policy", language="english")
    ('What are the rules on “Approval”?', 'What does "Approver" mean?')
    """
    if language not in LEXICONS:
        return ()
    words = LEXICONS[language].document.lines
    title = one_line(section.title)
    found: dict[str, None] = {}
    if title.endswith("?") and len(title.split()) > 2:
        found[title] = None
    elif _is_subject(title) and title.casefold() != one_line(document_title).casefold():
        found[words.about.format(title)] = None
    found.update((words.meaning.format(term), None) for term in _terms(section))
    return tuple(found)[:MOST_QUESTIONS]


def _is_subject(title: str) -> bool:
    """Whether a title says what its section is about."""
    return bool(title) and not _SAYS_NOTHING.match(title) and len(title.split()) <= _MOST_WORDS


def _terms(section: SectionText) -> Iterator[str]:
    """The terms that a section defines, each once."""
    whole = Section(
        section_id=section.section_id, number=None, title=" ".join((*section.path[1:], section.title)), level=1,
        path=section.path, parent=None, previous=None, next=None,
        start=0, end=len(section.text), body=section.body, subtree_end=len(section.text),
    )  # fmt: skip
    seen: set[str] = set()
    for definition in find_definitions(SourceText(section.text, FileFormat.TEXT), [whole]):
        term = one_line(definition.term).replace('"', "").strip()
        if definition.start >= section.body and term.casefold() not in seen and len(term.split()) <= _MOST_WORDS:
            seen.add(term.casefold())
            yield term
