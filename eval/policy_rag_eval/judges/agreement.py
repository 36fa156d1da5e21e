"""How far raters agree beyond chance: Cohen's kappa, Fleiss' kappa, Krippendorff's alpha.

A rating is any hashable label; None is "could not be judged" and counts for nothing. Each statistic is 1 for agreement
throughout, 0 for what chance would give, and None where it is not defined: nothing rated twice, or one label
throughout, when chance alone agrees on everything.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

Label = Hashable


def cohen_kappa(first: Sequence[Label | None], second: Sequence[Label | None]) -> float | None:
    """Cohen's kappa of two raters, over what both rated (Cohen 1960), as scikit-learn computes it.

    Raises:
        ValueError: the raters did not rate the same items.

    >>> cohen_kappa("yynn", "yynn"), cohen_kappa("yynn", "ynyn"), cohen_kappa("yy", "yy")
    (1.0, 0.0, None)
    """
    from sklearn.metrics import cohen_kappa_score

    rows = _coded([row for row in zip(first, second, strict=True) if None not in row])
    return float(cohen_kappa_score(*zip(*rows, strict=True))) if rows else None


def fleiss_kappa(ratings: Sequence[Sequence[Label | None]]) -> float | None:
    """Fleiss' kappa over the items that every rater rated (Fleiss 1971), as statsmodels computes it.

    A row is an item, in it a rating a rater; at least two raters.

    Raises:
        ValueError: rows of different length, or fewer than two raters.
    """
    from statsmodels.stats import inter_rater

    raters = {len(row) for row in ratings}
    if len(raters) > 1 or min(raters, default=2) < 2:
        raise ValueError("Fleiss' kappa needs the same two or more raters for every item")
    rows = _coded([row for row in ratings if None not in row])
    return float(inter_rater.fleiss_kappa(inter_rater.aggregate_raters(rows)[0])) if rows else None


def _coded(rows: Sequence[Sequence[Label]]) -> list[list[int]]:
    """The labels as numbers, as the libraries take them; nothing where they are all the same."""
    codes = {label: code for code, label in enumerate(dict.fromkeys(label for row in rows for label in row))}
    return [[codes[label] for label in row] for row in rows] if len(codes) > 1 else []


def krippendorff_alpha(ratings: Sequence[Sequence[Label | None]]) -> float | None:
    """Krippendorff's alpha of labels without order, `1 - observed / expected` disagreement (Krippendorff 2004, ch. 11).

    Observed is the share of unequal pairs of ratings within an item, each item weighed by its ratings; expected is
    that of all pairs of ratings. Ratings may be missing; items with fewer than two are left out.

    A row is an item, in it a rating a rater, or None.

    >>> krippendorff_alpha([("a", "a"), ("b", "b"), ("a", None)])
    1.0
    """
    rows = [[label for label in row if label is not None] for row in ratings]
    rows = [row for row in rows if len(row) > 1]
    values = [label for row in rows for label in row]
    if not values:
        return None
    observed = sum(_unequal_pairs(row) / (len(row) - 1) for row in rows) / len(values)
    expected = _unequal_pairs(values) / (len(values) * (len(values) - 1))
    return None if expected == 0 else 1 - observed / expected


def _unequal_pairs(labels: Sequence[Label]) -> int:
    """The number of ordered pairs of different labels."""
    return len(labels) ** 2 - sum(count**2 for count in Counter(labels).values())
