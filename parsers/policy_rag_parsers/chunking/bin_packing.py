"""Putting pieces in a row into as few bins as possible, as evenly filled as possible."""

from collections.abc import Sequence


def pack(costs: Sequence[int], opening: Sequence[int], room: int) -> list[tuple[int, int]]:
    """Runs of neighbouring pieces, each within `room` unless it is a single piece that is larger.

    First as few runs as filling greedily gives, then the smallest fill that still gives no more, so that the last
    run is not a scrap. The smallest fill is found by bisection: O(n log room).

    Args:
        costs: what each piece takes, 0 or more.
        opening: what a run takes on top when it begins with that piece (a repeated table header).
        room: what a run may take, at least 1.

    Returns:
        Half-open ranges of indices that cover all pieces in order; none for no pieces.

    >>> pack([4, 4, 4, 4, 1], [0] * 5, 16)
    [(0, 2), (2, 5)]
    """
    if not costs:
        return []
    best = _filled(costs, opening, room)
    fewest = len(best)
    low, high = -(-sum(costs) // fewest), room
    while low < high:
        middle = (low + high) // 2
        tried = _filled(costs, opening, middle)
        if len(tried) <= fewest:
            best, high = tried, middle
        else:
            low = middle + 1
    return best


def _filled(costs: Sequence[int], opening: Sequence[int], room: int) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    begin, load = 0, opening[0]
    for index, cost in enumerate(costs):
        if index > begin and load + cost > room:
            runs.append((begin, index))
            begin, load = index, opening[index]
        load += cost
    runs.append((begin, len(costs)))
    return runs
