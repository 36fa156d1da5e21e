"""How far raters agree beyond chance: Cohen's kappa, Fleiss' kappa, Krippendorff's alpha.

A rating is any hashable label; None is "could not be judged" and counts for nothing. Each statistic is 1 for agreement
throughout, 0 for what chance would give, and None where it is not defined: nothing rated twice, or one label
throughout, when chance alone agrees on everything.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence

Label = Hashable
Distance = Callable[[Label, Label], float]


def cohen_kappa(first: Sequence[Label | None], second: Sequence[Label | None]) -> float | None:
    """Cohen's kappa of two raters, over what both rated: `(o - e) / (1 - e)` (Cohen 1960).

    `o` is the share of items with the same label, `e` the same expected from each rater's own shares of labels.

    Raises:
        ValueError: the raters did not rate the same items.

    >>> cohen_kappa("yynn", "yynn"), cohen_kappa("yynn", "ynyn"), cohen_kappa("yy", "yy")
    (1.0, 0.0, None)
    """
    if len(first) != len(second):
        raise ValueError("two raters are compared on the same items")
    both = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    if not both:
        return None
    items = len(both)
    observed = sum(a == b for a, b in both) / items
    ones, others = Counter(a for a, _ in both), Counter(b for _, b in both)
    expected = sum(ones[label] * others[label] for label in ones) / items**2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def fleiss_kappa(ratings: Sequence[Sequence[Label | None]]) -> float | None:
    """Fleiss' kappa over the items that every rater rated (Fleiss 1971).

    With `m` raters, an item's agreement is the share of its pairs of ratings that are equal, and chance's is the sum of
    the squares of the labels' shares over all ratings.

    Args:
        ratings: a row an item, in it a rating a rater; at least two raters.

    Raises:
        ValueError: rows of different length, or fewer than two raters.
    """
    raters = {len(row) for row in ratings}
    if len(raters) > 1 or min(raters, default=2) < 2:
        raise ValueError("Fleiss' kappa needs the same two or more raters for every item")
    rows = [row for row in ratings if None not in row]
    if not rows:
        return None
    count = len(rows[0])
    pairs = count * (count - 1)
    observed = sum(sum(n * (n - 1) for n in Counter(row).values()) / pairs for row in rows) / len(rows)
    totals = Counter(label for row in rows for label in row)
    expected = sum((n / (count * len(rows))) ** 2 for n in totals.values())
    return None if expected == 1 else (observed - expected) / (1 - expected)


def nominal(first: Label, second: Label) -> float:
    """0 for the same label, else 1."""
    return float(first != second)


def interval(first: Label, second: Label) -> float:
    """The square of the difference of two numbers."""
    return float(first - second) ** 2  # type: ignore[operator]


def krippendorff_alpha(ratings: Sequence[Sequence[Label | None]], distance: Distance = nominal) -> float | None:
    """Krippendorff's alpha, `1 - observed / expected` disagreement; ratings may be missing (Krippendorff 2004, ch. 11).

    Observed is the mean distance of the pairs of ratings within an item, each item weighed by its ratings; expected is
    that of all pairs of ratings. Items with fewer than two ratings are left out.

    Args:
        ratings: a row an item, in it a rating a rater, or None.
        distance: of two labels, 0 for equal ones: `nominal`, or `interval` for grades.

    >>> krippendorff_alpha([("a", "a"), ("b", "b"), ("a", None)])
    1.0
    """
    rows = [[label for label in row if label is not None] for row in ratings]
    rows = [row for row in rows if len(row) > 1]
    values = [label for row in rows for label in row]
    if not values:
        return None
    observed = sum(_distances(row, distance) / (len(row) - 1) for row in rows) / len(values)
    expected = _distances(values, distance) / (len(values) * (len(values) - 1))
    return None if expected == 0 else 1 - observed / expected


def _distances(labels: Sequence[Label], distance: Distance) -> float:
    """The sum of the distances of all ordered pairs."""
    counts = Counter(labels)
    return sum(n * m * distance(a, b) for a, n in counts.items() for b, m in counts.items())
