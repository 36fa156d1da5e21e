"""From hits to gold labels: the design's rule case by case, and against a plain reading of it."""

from hypothesis import given
from hypothesis import strategies as st

from policy_rag_eval.data.dataset import GoldPassage
from policy_rag_eval.measures.gold_matching import GoldPlaces, Range, passage_labels


def gold(*places: tuple[str, int, int], file: str = "f") -> GoldPlaces:
    return GoldPlaces(GoldPassage(label, "", file=file, start=start, end=end) for label, start, end in places)


def hits(*ranges: tuple[int, int], file: str = "f") -> list[Range]:
    return [Range(file, start, end) for start, end in ranges]


def test_half_the_characters_are_enough_and_one_less_is_not() -> None:
    assert gold(("a", 0, 10)).labels(hits((5, 30))) == ("a",)
    assert gold(("a", 0, 10)).labels(hits((6, 30))) == ("f:6-30",)
    assert gold(("a", 0, 11)).labels(hits((0, 5))) == ("f:0-5",)


def test_hits_add_up_as_a_union() -> None:
    places = gold(("a", 0, 10))
    assert places.labels(hits((0, 3), (7, 9))) == ("f:0-3", "a")
    # The same three characters again are no more than three.
    assert places.labels(hits((0, 3), (1, 4))) == ("f:0-3", "f:1-4")
    assert places.labels(hits((0, 3), (1, 5))) == ("f:0-3", "a")


def test_one_hit_wins_its_gold_in_file_order_not_in_the_data_set_s() -> None:
    assert gold(("z", 20, 30), ("a", 0, 10), ("m", 10, 20)).labels(hits((0, 30))) == ("a", "m", "z")


def test_a_hit_of_the_whole_document_lists_everything_before_what_is_sought() -> None:
    places = gold(*((f"p{i}", 10 * i, 10 * i + 10) for i in range(50)))
    assert places.labels(hits((0, 500))).index("p40") == 40


def test_a_label_is_listed_once_and_a_hit_that_adds_none_stays() -> None:
    assert gold(("a", 0, 10)).labels(hits((0, 10), (0, 10), (2, 10))) == ("a", "f:0-10", "f:2-10")


def test_any_of_a_label_s_places_counts() -> None:
    places = gold(("a", 0, 10), ("b", 20, 30), ("a", 40, 50))
    assert places.labels(hits((40, 50))) == ("a",)
    assert places.labels(hits((40, 50), (0, 10))) == ("a", "f:0-10")
    # Halves of two places do not make one.
    assert places.labels(hits((0, 4), (40, 44))) == ("f:0-4", "f:40-44")
    assert places.labels(hits((0, 50))) == ("a", "b")


def test_nested_gold_is_won_by_its_own_coverage() -> None:
    places = gold(("whole", 0, 100), ("part", 10, 20))
    assert places.labels(hits((10, 20))) == ("part",)
    assert places.labels(hits((10, 20), (30, 70))) == ("part", "whole")


def test_files_are_apart_and_gold_without_a_place_is_passed_over() -> None:
    places = GoldPlaces([GoldPassage("a", "x", file="f", start=0, end=5), GoldPassage("b", "x", file="f")])
    assert places.labels([Range("g", 0, 5), Range("f", 0, 5)]) == ("g:0-5", "a")
    assert places.labels([]) == ()


def test_passages_that_share_a_label_are_one_hit() -> None:
    assert passage_labels(["b", "a", "b", "c"]) == ("b", "a", "c")


ranges = st.tuples(st.integers(0, 30), st.integers(1, 12)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@given(
    places=st.lists(st.tuples(st.sampled_from("abcd"), ranges).map(lambda p: (p[0], *p[1])), max_size=8),
    found=st.lists(ranges, max_size=8),
)
def test_the_same_as_counting_characters_one_by_one(
    places: list[tuple[str, int, int]], found: list[tuple[int, int]]
) -> None:
    covered: set[int] = set()
    expected: list[str] = []
    for start, end in found:
        covered |= set(range(start, end))
        ordered = sorted(places, key=lambda place: place[1:])
        new = [
            label
            for label, first, last in ordered
            if 2 * len(covered & set(range(first, last))) >= last - first and label not in expected
        ]
        for label in new or [f"f:{start}-{end}"]:
            if label not in expected:
                expected.append(label)
    assert list(gold(*places).labels(hits(*found))) == expected
