"""What comparisons of some configurations say of the best one, in a sentence, and of each other one, in a cell."""

from collections.abc import Sequence

from policy_rag_eval.measures.measures import MARGIN
from policy_rag_eval.sweep.verdicts import Comparison, shown_p


def compared_with(best: str, comparisons: Sequence[Comparison]) -> str:
    """With whom all others were compared: the best, or a baseline.

    Args:
        best: the name of the one with the highest mean.
        comparisons: of one of them with each other one.
    """
    if all(best in (one.first, one.second) for one in comparisons):
        return best
    common = set.intersection(*({one.first, one.second} for one in comparisons))
    return min(common, default=best)


def choice(best: str, mean: float, measure: str, comparisons: Sequence[Comparison], margin: float = MARGIN) -> str:
    """What to take: the choice, its lead, and what is undecided. Those that are level by the measure are no rivals.

    Args:
        best: the name of the one with the highest mean.
        mean: its figure.
        measure: the one that decides.
        comparisons: of the best, or of a baseline, with each other one; none where no question tells them apart.
        margin: a configuration that is worse by no more is said to be no worse.
    """
    score = f"{mean:.3f} {measure}"
    if not comparisons:
        return f"{best}: {score}"
    base = compared_with(best, comparisons)
    if base != best:
        return _beside_baseline(best, score, base, comparisons)
    alike = [one for one in comparisons if one.same]
    if len(alike) == len(comparisons):
        return f"{best}: {score}, and the same under every configuration"
    equals = f"; {len(alike)} the same by {measure}" if alike else ""
    beaten = [one for one in comparisons if one.decided and one.first == best]
    undecided = [one for one in comparisons if not one.decided and not one.same]
    if not undecided:
        nearest = beaten[0]
        lead = f"{nearest.difference.mean:.3f} ahead of the next, {nearest.second} ({shown_p(nearest.deciding_p)})"
        return f"Take {best}: {score}, {lead}; nothing is undecided{equals}"
    as_good = sum(one.as_good(margin) for one in undecided)
    no_worse = f", {as_good} of them no worse than {margin:g}" if as_good else ""
    ahead = f"ahead of {len(beaten)} of {len(comparisons)} others" if beaten else "ahead of none for certain"
    against = listed([one.second if one.first == best else one.first for one in undecided])
    return f"{'Take ' if beaten else ''}{best}: {score}, {ahead}; undecided against {against}{no_worse}{equals}"


def _beside_baseline(best: str, score: str, base: str, comparisons: Sequence[Comparison]) -> str:
    (one,) = (one for one in comparisons if best in (one.first, one.second))
    if one.same:
        return f"{best}: {score}, the same as the baseline {base}"
    leads = one.first == best
    side = "ahead of" if leads else "behind"
    gap = f"{one.difference.mean:.3f} {side} the baseline {base} ({shown_p(one.deciding_p)})"
    if one.decided:
        return f"{'Take ' if leads else ''}{best}: {score}, {gap}"
    return f"{best}: {score}, {gap}: undecided"


def standing(name: str, base: str, comparisons: Sequence[Comparison], margin: float = MARGIN) -> str:
    """How a configuration stands to the one that all were compared with; "" of that one itself."""
    one = next((one for one in comparisons if {one.first, one.second} == {name, base}), None)
    if one is None or name == base:
        return ""
    if one.same:
        return "the same"
    if one.decided:
        ahead = "ahead" if one.first == name else "behind"
        return f"{ahead} by {one.difference.mean:.3f}, {shown_p(one.deciding_p)}"
    if one.second == name and one.as_good(margin):
        return f"no worse than {margin:g}"
    return f"undecided, {shown_p(one.deciding_p)}"


def listed(names: list[str], most: int = 2) -> str:
    """Names in a sentence, the first few of many.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c", "d"])
    ('a', 'a and b', 'a, b and 2 more')
    """
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(names)
