import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_parsers.blocks.section_blocks import find_blocks
from policy_rag_parsers.chunking.passages import BareHeading, section_passages
from policy_rag_parsers.records import FileFormat, Passage, Section, SourceText

TEXT = st.text(alphabet=st.sampled_from("ab1 .;,\n\t|é"), max_size=300)


def words(texts: Sequence[str]) -> list[int]:
    return [len(re.findall(r"\w+|[^\w\s]", text)) for text in texts]


def letters(texts: Sequence[str]) -> list[int]:
    return [len("".join(text.split())) for text in texts]


def more_together(texts: Sequence[str]) -> list[int]:
    """A counter that finds more in a text than in its parts."""
    return [len(text.split()) + text.count(" ") // 3 for text in texts]


def section(start: int, end: int, section_id: str = "1", body: int | None = None, **more: object) -> Section:
    made = Section(
        section_id, section_id, "T", 1, ("Doc", "T"), None, None, None, start, end, start if body is None else body, end
    )
    return replace(made, **more)  # type: ignore[arg-type]


def passages(text: str, *sections: Section, max_tokens: int = 10, **more: object) -> tuple[Passage, ...]:
    settings = {"count_tokens": words, "max_tokens": max_tokens, "hit_chars": 10_000, **more}
    source = SourceText(text, FileFormat.TEXT)
    return section_passages(source, sections or (section(0, len(text)),), **settings)  # type: ignore[arg-type]


def chunks(text: str, **more: object) -> list[str]:
    return [text[c.start : c.end] for p in passages(text, **more) for c in p.chunks]  # type: ignore[arg-type]


def test_a_section_that_fits_is_one_chunk() -> None:
    assert passages("  One two. Three.\n") == (Passage("1", 2, 17, passages("  One two. Three.\n")[0].chunks),)
    assert chunks("  One two. Three.\n") == ["One two. Three."]


def test_a_section_of_blanks_gives_none() -> None:
    assert passages(" \n\t ") == ()
    assert passages("") == ()


def test_cut_at_sentence_ends_and_evenly() -> None:
    # 3 tokens a sentence; 4 sentences do not go into 10, and 2 + 2 is more even than 3 + 1
    assert chunks("Aa bb. Cc dd. Ee ff. Gg hh.") == ["Aa bb. Cc dd.", "Ee ff. Gg hh."]


def test_an_overlong_sentence_is_cut_at_a_clause_then_at_words() -> None:
    assert chunks("one two three four; five six seven eight", max_tokens=6) == [
        "one two three four;",
        "five six seven eight",
    ]
    assert chunks("one two three four five six", max_tokens=3) == ["one two three", "four five six"]


def test_a_word_without_end_is_cut_anywhere() -> None:
    text = "x" * 1000
    parts = chunks(text, max_tokens=10)
    assert "".join(parts) == text
    assert max(len(part) for part in parts) <= 120


def test_the_prefix_takes_its_room() -> None:
    text = "Aa bb. Cc dd. Ee ff."
    assert chunks(text, prefix=lambda _: "") == [text]
    # "Doc T" leaves 8 of 10 tokens, the three sentences have 9
    assert chunks(text, prefix=lambda s: " ".join(s.path)) == ["Aa bb. Cc dd.", "Ee ff."]


def test_a_prefix_longer_than_half_counts_half() -> None:
    assert chunks("Aa bb. Cc dd.", prefix=lambda _: "p " * 50) == ["Aa bb.", "Cc dd."]


def test_above_the_set_length_chunks_are_passages() -> None:
    text = "Aa bb. Cc dd. Ee ff. Gg hh."
    whole = passages(text, hit_chars=27)
    apart = passages(text, hit_chars=26)
    assert [(p.start, p.end) for p in whole] == [(0, 27)]
    assert [(p.start, p.end, len(p.chunks)) for p in apart] == [(0, 13, 1), (14, 27, 1)]


TABLE = (
    "Limits are these.\n\n| Item | Sum |\n|---|---|\n" + "".join(f"| thing{i} | {i} |\n" for i in range(6)) + "\nEnd."
)


def test_a_table_that_fits_stays_whole() -> None:
    made = chunks(TABLE, max_tokens=60)
    assert any(part.count("| thing") == 6 for part in made)


def test_a_table_is_cut_between_rows_and_its_header_repeated() -> None:
    [passage] = passages(TABLE, max_tokens=24)
    texts = [(c.context, TABLE[c.start : c.end]) for c in passage.chunks]
    assert texts[0][0] == ""
    assert texts[0][1].startswith("Limits are these.")
    later = [(context, text) for context, text in texts[1:] if "| thing" in text]
    assert later
    for context, text in later:
        assert context == "| Item | Sum |"
        assert text.startswith("| thing")
        assert words([context])[0] + words([text])[0] <= 24


CONTENTS = "Contents\n\n1 Trains\t4\n2 Meals\t5"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"Travel\n\nSee below.\n\n{CONTENTS}", "Travel\n\nSee below."),
        (f"{CONTENTS}\n\nSee below.", f"{CONTENTS}\n\nSee below."),
        (CONTENTS, CONTENTS),  # there is nothing else
        ("Paid\n\n- Trains\n- Meals", "Paid\n\n- Trains\n- Meals"),
    ],
)
def test_contents_at_the_end_of_a_section_are_left_out(text: str, kept: str) -> None:
    top = replace(section(0, len(text)), title="", level=0)
    blocks = find_blocks(SourceText(text, FileFormat.TEXT), (top, section(0, 0, title="Trains")))
    [passage] = passages(text, top, blocks=blocks)
    assert text[passage.start : passage.end] == kept


def test_a_section_of_nothing_but_contents_gives_none() -> None:
    text = f"Handbook\n\n{CONTENTS}\n\nTrains are paid."
    second = text.index("Trains are")
    sections = section(0, second, "top", body=8), section(second, len(text), "1")
    blocks = find_blocks(SourceText(text, FileFormat.TEXT), sections)
    assert [found.section_id for found in passages(text, *sections, blocks=blocks)] == ["1"]


def test_a_bare_heading_is_embedded_with_what_follows() -> None:
    text = "1 Travel\n\n1.1 Book early. Keep receipts.\n\n2 Other\n"
    top = section(0, 8, "1", body=8, subtree_end=42)
    under = section(10, 40, "1.1", body=14, parent="1")
    last = section(42, 49, "2", body=49)
    made = passages(text, top, under, last, max_tokens=40)
    assert made[0].chunks[0].context == "1.1 Book early.\nKeep receipts."
    assert made[1].chunks[0].context == ""
    assert made[2].chunks[0].context == ""  # nothing is under it
    alone = passages(text, top, under, last, max_tokens=40, bare=BareHeading.ALONE)
    assert all(c.context == "" for p in alone for c in p.chunks)
    tight = passages(text, top, under, last, max_tokens=10)
    assert tight[0].chunks[0].context == "1.1 Book early."  # 2 + 6 tokens and one for the seam; the next does not fit


def test_a_chunk_needs_two_tokens() -> None:
    with pytest.raises(ValueError, match="max_tokens=1"):
        passages("a", max_tokens=1)


@pytest.mark.parametrize("count", [words, letters, more_together])
@given(text=TEXT, cuts=st.lists(st.integers(0, 300), max_size=4), room=st.integers(2, 30), hit=st.integers(1, 200))
def test_chunks_fit_and_hold_every_visible_character_once(
    count: object, text: str, cuts: list[int], room: int, hit: int
) -> None:
    edges = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    parts = [section(a, b, str(a)) for a, b in pairwise(edges)]
    made = passages(text, *(parts or [section(0, 0)]), max_tokens=room, hit_chars=hit, count_tokens=count)
    again = passages(text, *(parts or [section(0, 0)]), max_tokens=room, hit_chars=hit, count_tokens=count)
    assert made == again
    at = 0
    for passage in made:
        assert passage.start == passage.chunks[0].start
        assert passage.end == passage.chunks[-1].end
        for chunk in passage.chunks:
            assert at <= chunk.start < chunk.end
            assert not text[at : chunk.start].strip()
            at = chunk.end
            total = sum(count([chunk.context, text[chunk.start : chunk.end]]))  # type: ignore[operator]
            assert total <= room or chunk.end - chunk.start == 1
        home = next(part for part in parts if part.section_id == passage.section_id)
        assert home.start <= passage.start < passage.end <= home.end
    assert not text[at:].strip()


def test_a_bare_heading_may_be_left_to_the_path_of_what_is_under_it() -> None:
    text = "1 Travel\n\n1.1 Book early.\n\n2 Other\n"
    top = section(0, 8, "1", body=8, subtree_end=25)
    under = section(10, 25, "1.1", body=14, parent="1")
    last = section(27, 34, "2", body=34)  # nothing under it: it would be lost
    made = passages(text, top, under, last, max_tokens=40, bare=BareHeading.IN_PATH)
    assert [(p.section_id, text[p.start : p.end]) for p in made] == [("1.1", "1.1 Book early."), ("2", "2 Other")]
