"""What was asked of real policies for this training: the sections of public documents, with questions on each.

`training/asked.jsonl` has a line a section: the document, the beginning of the SHA-256 of the section's text (see
`context_key`), and the questions that it answers, each with the characters of its answer in that text, or that it only
treats. The texts themselves are not there.
"""

from collections.abc import Iterator
from pathlib import Path

from policy_rag_parsers.loaders import load
from policy_rag_parsers.structure.sections import document_title, parse_sections
from training.examples import json_rows
from training.reading_sets import context_key
from training.written import WrittenItem, WrittenSection

QUESTIONS = Path(__file__).with_name("asked.jsonl")
ASKED = "asked"
ASKED_FOLDS = 6
"""A sixth of the documents is held out."""


def read_asked(documents: Path, file: Path = QUESTIONS) -> list[WrittenSection]:
    """The sections of the documents that were asked about, in their order; `organisation` is a document's name.

    Those that nobody asked about are among them: what answers has to be told from them.

    Args:
        documents: the folder of the documents.
        file: the questions.

    Raises:
        ValueError: a document does not have a section that was asked about.
    """
    rows: dict[str, dict[str, list[WrittenItem]]] = {}
    for row in json_rows(file):
        items = [
            WrittenItem(kind, text, tuple((start, end) for start, end in quotes)) for kind, text, quotes in row["items"]
        ]
        rows.setdefault(row["document"], {}).setdefault(row["section"], []).extend(items)
    found = []
    for name, asked in rows.items():
        sections = dict(_sections(documents / name))
        if missing := asked.keys() - sections.keys():
            raise ValueError(f"{file}: sections that {documents / name} does not have: {', '.join(sorted(missing))}")
        for key, (titles, passage) in sections.items():
            found.append(WrittenSection(name, titles, passage, tuple(asked.get(key, ())), ASKED))
    return found


def _sections(file: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    """A document's sections that can be asked about: the key of each, its titles and its text."""
    source = load(file)
    for section in parse_sections(source, title=document_title(source) or file.stem):
        passage = source.text[section.body : section.end].strip()
        if passage:
            yield context_key(passage), (" > ".join(section.path), passage)
