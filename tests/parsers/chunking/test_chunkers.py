import re
from collections.abc import Sequence
from itertools import pairwise
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy_rag_parsers.chunking import Chunker, cut
from policy_rag_parsers.chunking.llama_index_splitters import sentence_ranges, token_ranges
from policy_rag_parsers.chunking.span_alignment import locate
from policy_rag_parsers.errors import PolicyRagError, UsageError
from policy_rag_parsers.records import FileFormat, Passage, Section, SourceText
from tests.support.parsed_text import parsed

REPEATING = (
    "# Leave\n\n1. Ask first. Staff must not wait. Ask first. Staff must not wait.\n\n"
    "# Travel\n\n2. Ask first. Staff must not wait. Book a train. Ask first.\n\n"
    "Keep receipts. Ask first. Staff must not wait. Keep receipts. Ask first.\n"
)


def words(texts: Sequence[str]) -> list[int]:
    return [len(re.findall(r"\w+|[^\w\s]", text)) for text in texts]


def bags(texts: Sequence[str]) -> np.ndarray:
    """Vectors of word counts, a word's place from its checksum."""
    rows = np.zeros((len(texts), 256), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for word in re.findall(r"\w+", text.lower()):
            row[crc32(word.encode()) % 256] += 1
    return rows


def halves(text: str) -> tuple[Section, ...]:
    middle = len(text) // 2
    return tuple(
        Section(name, None, name, 1, ("Doc", name), None, None, None, a, b, a, b)
        for name, a, b in (("one", 0, middle), ("two", middle, len(text)))
    )


def passages(text: str, chunker: Chunker, **more: object) -> tuple[Passage, ...]:
    given_settings = {"count_tokens": words, "max_tokens": 24, "embed": bags, **more}
    return cut(SourceText(text, FileFormat.MARKDOWN), halves(text), chunker=chunker, **given_settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("chunker", list(Chunker))
def test_every_chunker_covers_the_document_with_exact_ranges(chunker: Chunker) -> None:
    made = passages(REPEATING, chunker)
    assert made == passages(REPEATING, chunker)
    at = 0
    for passage in made:
        text = REPEATING[passage.start : passage.end]
        assert text == text.strip() != ""
        assert passage.start < at or not REPEATING[at : passage.start].strip()
        at = max(at, passage.end)
        assert passage.section_id == ("one" if passage.start < len(REPEATING) // 2 else "two")
        assert passage.chunks[0].start == passage.start
        assert passage.chunks[-1].end == passage.end
        for chunk in passage.chunks:
            assert words([REPEATING[chunk.start : chunk.end]])[0] <= 24
    assert not REPEATING[at:].strip()
    assert [p.start for p in made] == sorted(p.start for p in made)


@pytest.mark.parametrize("chunker", list(Chunker))
def test_every_chunker_leaves_front_matter_out_and_bears_an_empty_body(chunker: Chunker) -> None:
    text = "---\ntitle: X\n---\nOne. Two."
    section = Section("1", None, "", 0, ("X",), None, None, None, 17, len(text), 17, len(text))
    source = SourceText(text, FileFormat.MARKDOWN, body_start=17)
    made = cut(source, (section,), chunker=chunker, count_tokens=words, max_tokens=20, embed=bags)
    assert min(p.start for p in made) == 17
    empty = SourceText("---\n---\n \n", FileFormat.MARKDOWN, body_start=8)
    assert cut(empty, (), chunker=chunker, count_tokens=words, max_tokens=20, embed=bags) == ()


def test_an_unknown_name_is_answered_with_the_valid_ones() -> None:
    with pytest.raises(UsageError, match=r"'sections': did you mean section\?"):
        Chunker("sections")
    with pytest.raises(UsageError, match=r"'pages'.*section, sentence, token, markdown, semantic, sentence-window"):
        Chunker("pages")


def test_sizes_and_embedders_are_checked() -> None:
    with pytest.raises(UsageError, match="overlap 8 and chunk size 8"):
        passages(REPEATING, Chunker.TOKEN, chunk_size=8, overlap=8)
    for chunker in (Chunker.SEMANTIC, Chunker.LLM_CONTEXT):
        with pytest.raises(UsageError, match="embedder"):
            passages(REPEATING, chunker, embed=None)


def test_sentence_window_gives_a_passage_a_sentence() -> None:
    text = "Ask first. Then go. Ask first."
    assert [(p.start, p.end) for p in passages(text, Chunker.SENTENCE_WINDOW)] == [(0, 10), (11, 19), (20, 30)]


def test_semantic_breaks_where_the_words_change() -> None:
    text = "Leave is paid. Leave is paid leave. Leave is paid now. Trains go fast. Trains go far. Trains go on."
    made = passages(text, Chunker.SEMANTIC, breakpoint_percentile=70)
    assert any(text[p.start :].startswith(("Trains go fast", "Leave is paid now")) for p in made[1:])


@pytest.mark.parametrize(
    ("text", "overlap", "pieces"),
    [
        ("aa bb cc\n\ndd ee\nff gg\n\nhh ii", 0, ["aa bb cc", "dd ee", "ff gg", "hh ii"]),
        ("aa bb cc dd ee", 1, ["aa bb cc", "cc dd ee"]),
    ],
)
def test_recursive_cuts_at_the_coarsest_separator_that_will_do(text: str, overlap: int, pieces: list[str]) -> None:
    made = passages(text, Chunker.RECURSIVE, chunk_size=3, overlap=overlap)
    assert [text[p.start : p.end] for p in made] == pieces


def test_llm_context_asks_the_judge_about_neighbours() -> None:
    text = "Leave a.\n\nLeave b.\n\nTravel c.\n\nTravel d."
    asked: list[tuple[str, str]] = []

    def judge(before: str, piece: str) -> bool:
        asked.append((before, piece))
        return before[:5] == piece[:5]

    made = passages(text, Chunker.LLM_CONTEXT, judge=judge, embed=None, chunk_size=9)
    assert [text[p.start : p.end] for p in made] == ["Leave a.\n\nLeave b.", "Travel c.\n\nTravel d."]
    assert asked[1] == ("Leave a.\n\nLeave b.", "Travel c.")
    small = passages(text, Chunker.LLM_CONTEXT, judge=lambda *_: True, embed=None, chunk_size=6)
    assert [text[p.start : p.end] for p in small] == ["Leave a.\n\nLeave b.", "Travel c.\n\nTravel d."]


def test_llm_context_without_a_judge_compares_vectors() -> None:
    text = "Leave a b.\n\nLeave a c.\n\nTrains go.\n\nTrains go."
    made = passages(text, Chunker.LLM_CONTEXT, similarity=0.5)  # 2 of 3 words in common: cosine 2/3
    assert [text[p.start : p.end] for p in made] == ["Leave a b.\n\nLeave a c.", "Trains go.\n\nTrains go."]
    assert len(passages(text, Chunker.LLM_CONTEXT, similarity=0.7)) == 3


def test_pieces_are_placed_where_they_stand_when_they_repeat() -> None:
    assert locate("x. x. x.", 0, ["x.", "x.", "x."]) == [(0, 2), (3, 5), (6, 8)]
    assert locate("# T\t1\nx", 0, ["# T 1", "x"]) == [(0, 5), (6, 7)]
    assert locate("skip x. x.", 5, ["x. x."]) == [(5, 10)]


def test_a_piece_inside_a_word_is_not_taken_for_a_repeated_word() -> None:
    # by length "a c." could stand at the end of "aaa c."; then the last sentence would be lost
    text = "aaa c. a c."
    assert locate(text, 0, ["aaa c.", "a c."], overlaps=lambda part: len(part) < 6) == [(0, 6), (7, 11)]


def test_a_piece_that_is_not_in_the_text_is_an_error() -> None:
    with pytest.raises(PolicyRagError, match="not in its document"):
        locate("one two", 0, ["one", "three"])


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(["Ask.", "Ask first.", "No.", "Go on, go.", "\n\n", "x" * 30]), min_size=1, max_size=40),
    st.integers(6, 14),
    st.integers(0, 4),
)
def test_llamaindex_pieces_are_found_in_full_whatever_repeats(parts: list[str], size: int, overlap: int) -> None:
    from llama_index.core.node_parser import SentenceSplitter, TokenTextSplitter

    text = " ".join(parts)
    source = SourceText(text, FileFormat.TEXT)
    for ranges, splitter in ((sentence_ranges, SentenceSplitter), (token_ranges, TokenTextSplitter)):
        given_settings = {"chunk_size": size, "chunk_overlap": overlap, "tokenizer": lambda t: range(words([t])[0])}
        pieces = [piece for piece in splitter(**given_settings).split_text(text) if piece.strip()]
        spans = ranges(source, words, size, overlap)
        assert ["".join(text[a:b].split()) for a, b in spans] == ["".join(piece.split()) for piece in pieces]
        assert all(a[0] < b[0] and not text[a[1] : b[0]].strip() for a, b in pairwise(spans))
        if spans:
            assert not text[: spans[0][0]].strip()
            assert not text[max(b for _, b in spans) :].strip()


LONG = "".join(f"{n}. Title {n}\n\n" + "Some words about it here. " * 8 + "\n\n" for n in range(1, 6))


def long_pieces(**more: object) -> tuple[dict[str, Section], tuple[Passage, ...]]:
    """A text without a heading of Markdown, one piece in all: its sections by id, and its passages."""
    source, sections = parsed(LONG)
    made = cut(source, sections, chunker=Chunker.MARKDOWN, count_tokens=words, max_tokens=50, **more)  # type: ignore[arg-type]
    return {section.section_id: section for section in sections}, made


def test_a_long_piece_gives_its_chunks_as_passages() -> None:
    _, one = long_pieces(hit_chars=len(LONG))
    sections, many = long_pieces(hit_chars=300)
    assert len(one) == 1
    assert len(many) > 3
    assert [passage.chunks for passage in many] == [(chunk,) for chunk in one[0].chunks]
    assert [(passage.start, passage.end) for passage in many] == [(c.start, c.end) for c in one[0].chunks]
    assert all(sections[p.section_id].start <= p.start < sections[p.section_id].end for p in many)


def test_a_long_piece_leaves_room_for_the_longest_prefix_in_it() -> None:
    def prefix(section: Section) -> str:
        return "far " * (20 if section.number == "4" else 2)

    sections, found = long_pieces(hit_chars=300, prefix=prefix)
    for passage in found:
        assert words([prefix(sections[passage.section_id]) + LONG[passage.start : passage.end]])[0] <= 50
