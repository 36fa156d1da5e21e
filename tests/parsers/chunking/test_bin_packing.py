from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from policy_rag_parsers.chunking.bin_packing import pack


def test_the_last_run_is_no_scrap() -> None:
    # greedy would give 5 + 1; two runs of three are as few and even
    assert pack([1] * 6, [0] * 6, 5) == [(0, 3), (3, 6)]


def test_a_repeated_header_counts_where_a_run_begins() -> None:
    assert pack([4, 4, 4, 4], [0, 1, 1, 1], 9) == [(0, 2), (2, 4)]
    assert pack([4, 4, 4, 4], [0, 2, 2, 2], 9) == [(0, 2), (2, 3), (3, 4)]


def test_too_large_a_piece_stands_alone() -> None:
    assert pack([1, 9, 1], [0, 0, 0], 4) == [(0, 1), (1, 2), (2, 3)]
    assert pack([], [], 4) == []


@given(st.lists(st.integers(0, 6), min_size=1, max_size=8), st.integers(6, 12))
def test_as_few_and_as_even_as_trying_all_ways(costs: list[int], room: int) -> None:
    ways = []
    for count in range(len(costs)):
        for cuts in combinations(range(1, len(costs)), count):
            edges = [0, *cuts, len(costs)]
            sums = [sum(costs[a:b]) for a, b in pairwise(edges)]
            if max(sums) <= room:
                ways.append((len(sums), max(sums)))
    runs = pack(costs, [0] * len(costs), room)
    assert [i for a, b in runs for i in range(a, b)] == list(range(len(costs)))
    loads = [sum(costs[a:b]) for a, b in runs]
    assert (len(loads), max(loads)) == min(ways)
