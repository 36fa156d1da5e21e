"""The offline route as a whole: deterministic, complete, exact, and calm about any text."""

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy_rag_parsers.loaders import load
from policy_rag_parsers.metadata.extraction_report import MetadataOutcome, Progress
from policy_rag_parsers.metadata.extraction_results import Kind
from policy_rag_parsers.metadata.rule_extractor import extract_by_rule
from policy_rag_parsers.metadata.sanitise import cut_at_word, one_line
from policy_rag_parsers.metadata.section_texts import SectionedDocument, SectionText, sectioned_document
from policy_rag_parsers.structure.sections import parse_sections
from policy_rag_parsers.text.tokenizer import detect_language

COMPANY = Path(__file__).parents[3] / "eval" / "datasets" / "brannholt" / "documents"


Extracted = tuple[list[SectionedDocument], MetadataOutcome]


@pytest.fixture(scope="module")
def extracted() -> Extracted:
    """The sample company's texts, and all that is found in them."""
    documents = []
    for file in sorted(COMPANY.glob("*.*")):
        if file.suffix in {".md", ".txt", ".html"}:
            source = load(file)
            sections = parse_sections(source, title=file.stem)
            language = detect_language(source.text)
            documents.append(sectioned_document(source, sections, doc_id=file.name, language=language))
    return documents, extract_by_rule(documents, list(Kind))


def test_every_section_has_a_record_and_every_kind_a_count(extracted: Extracted) -> None:
    documents, outcome = extracted
    sections = sum(len(document.sections) for document in documents)
    assert list(outcome.counts) == list(Kind)
    for kind, counts in outcome.counts.items():
        wanted = len(documents) if kind in {Kind.TITLE, Kind.DOCUMENT_SUMMARY} else sections
        assert (counts.wanted, counts.extracted, counts.failed, counts.calls) == (wanted, wanted, 0, 0)
    for document, found in zip(documents, outcome.documents, strict=True):
        assert [s.section_id for s in document.sections] == [s.section_id for s in found.sections]
        assert found.title == document.title
        assert found.summary
    assert outcome.failures == ()


def test_ranges_are_exact_and_summaries_are_the_sections_own_words(extracted: Extracted) -> None:
    entities = obligations = 0
    for document, found in zip(extracted[0], extracted[1].documents, strict=True):
        for section, metadata in zip(document.sections, found.sections, strict=True):
            for entity in metadata.entities or ():
                entities += 1
                assert section.body <= entity.start < entity.end <= len(section.text)
                assert one_line(section.text[entity.start : entity.end]) == entity.text
            for obligation in metadata.obligations or ():
                obligations += 1
                assert section.body <= obligation.start < obligation.end <= len(section.text)
            flat = one_line(section.text).replace("*", "")
            assert metadata.summary is not None
            assert all(word.strip("*") in flat for word in metadata.summary.rstrip("…").split())
            assert bool(metadata.summary) == any(c.isalnum() for c in section.text[section.body :])
    assert entities > 500
    assert obligations > 20


def test_the_same_again_and_whatever_else_is_asked_for(extracted: Extracted) -> None:
    documents, outcome = extracted
    assert extract_by_rule(documents, list(Kind)).documents == outcome.documents
    alone = extract_by_rule(documents, [Kind.KEYWORDS]).documents[0].sections[2]
    assert alone.keywords == outcome.documents[0].sections[2].keywords
    assert alone.summary is alone.questions is alone.entities is None


def test_neighbours_are_the_nearest_summaries() -> None:
    sections = (
        SectionText("1", "One section has one sentence."),
        SectionText("2", "2 Bare", "Bare", 6),
        SectionText("3", "Three follows after the bare one."),
    )
    outcome = extract_by_rule([SectionedDocument("d", "D", sections)], [Kind.NEIGHBOURS])
    first, bare, third = outcome.documents[0].sections
    assert (first.previous_summary, first.next_summary) == ("", "Three follows after the bare one.")
    assert bare.previous_summary == "One section has one sentence."
    assert (third.previous_summary, third.next_summary) == ("One section has one sentence.", "")
    assert first.summary is None


def test_progress_counts_sections() -> None:
    told: list[Progress] = []
    documents = [SectionedDocument(name, name, (SectionText("1", "Text."), SectionText("2", "More."))) for name in "ab"]
    extract_by_rule(documents, [Kind.KEYWORDS], on_progress=told.append)
    assert [(p.done, p.total) for p in told] == [(2, 4), (4, 4)]


def test_nothing_to_do() -> None:
    assert extract_by_rule([], list(Kind)).documents == ()
    empty = extract_by_rule([SectionedDocument("d", "", ())], list(Kind)).documents[0]
    assert (empty.title, empty.summary, empty.sections) == ("", "", ())


@pytest.mark.parametrize("text", ["Noted.", "must", "\x00\x1b[31m", "— | — | —", "a" * 50_000, "(a)\n(b)\n(c)"])
def test_odd_sections(text: str) -> None:
    (found,) = extract_by_rule([SectionedDocument("d", "D", (SectionText("1", text),))], list(Kind)).documents
    section = found.sections[0]
    assert section.summary is not None
    assert len(section.summary) <= 400
    assert not any(ord(c) < 32 for c in section.summary)


@pytest.mark.parametrize(
    ("language", "piece"),
    [
        ("german", "muss darf nicht ist "),
        *(("english", piece) for piece in ("employees must report it and ", "if the firm, the bank must pay, ")),
        *(("english", piece) for piece in ("'’'", '("a ', "**a ", "X-", "X&", "Aa ")),
    ],
)
def test_what_no_full_stop_ends_is_read_in_time_that_grows_with_it(language: str, piece: str) -> None:
    section = SectionText("1", piece * (50_000 // len(piece)))
    begun = time.process_time()
    (found,) = extract_by_rule([SectionedDocument("d", "D", (section,), language)], list(Kind)).documents
    assert time.process_time() - begun < 2  # a quarter of a second; what grew with the square took three and more
    assert len(found.sections[0].obligations or ()) <= 30


def test_a_very_long_section() -> None:
    text = " ".join(f"Employees must hand in form {n} within {n} days." for n in range(2, 500))
    (found,) = extract_by_rule([SectionedDocument("d", "D", (SectionText("1", text),))], list(Kind)).documents
    section = found.sections[0]
    assert len(section.obligations or ()) == 30
    assert len(section.entities or ()) == 40
    assert len(section.questions or ()) <= 5
    assert section.summary


@settings(max_examples=60)
@given(st.lists(st.text(max_size=200), max_size=4), st.sampled_from(["english", "german", "french", "klingon"]))
def test_any_text_is_survived(texts: list[str], language: str) -> None:
    sections = tuple(SectionText(str(at), text, text[:20]) for at, text in enumerate(texts))
    (found,) = extract_by_rule([SectionedDocument("d", "D", sections, language)], list(Kind)).documents
    for section in found.sections:
        shown = [section.summary or "", *(section.questions or ()), *(section.keywords or ())]
        assert not any(ord(c) < 32 for text in shown for c in text)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("a\x00b\u202ec\u200bd", "abcd"),
        ("<script>x</script> <b>bold</b>", "x bold"),
        ("5 < 6 and 7 > 6", "5 < 6 and 7 > 6"),
        ("**bold** `code`\n\n# not a heading", "bold code # not a heading"),
    ],
)
def test_extracted_text_is_one_plain_line(text: str, clean: str) -> None:
    assert one_line(text) == clean


@given(st.text(max_size=60), st.integers(1, 40))
def test_cut_text_is_no_longer_than_asked(text: str, chars: int) -> None:
    assert len(cut_at_word(text, chars)) <= max(chars, 1)
