"""Pairs of clauses: what is written, what is held out, and which way round each is learnt."""

from collections import Counter

from training.clauses import ClausePair, clause_groups, read_clauses
from training.examples import SupportLabel


def test_the_written_pairs_are_whole_and_none_is_there_twice() -> None:
    pairs = read_clauses()
    assert len({frozenset((one.first, one.second)) for one in pairs}) == len(pairs)
    assert all(len(one.first.split()) > 2 and len(one.second.split()) > 2 for one in pairs)
    labels = Counter(one.label for one in pairs)
    assert set(labels) == {SupportLabel.ENTAILED, SupportLabel.CONTRADICTED, SupportLabel.NEUTRAL}
    assert max(labels.values()) < 1.3 * min(labels.values())


def test_about_a_tenth_is_held_out() -> None:
    pairs = read_clauses()
    assert 0.07 < sum(one.held_out for one in pairs) / len(pairs) < 0.13


def test_what_clashes_is_learnt_both_ways_and_what_follows_one_way() -> None:
    def made(label: SupportLabel) -> list[tuple[str, str]]:
        groups = clause_groups([ClausePair("Ask Ann.", "Ask Ben.", label, "who")])
        return [(pair.passage, group.text) for group in groups for pair in group.pairs if pair.support is label]

    both = [("Ask Ann.", "Ask Ben."), ("Ask Ben.", "Ask Ann.")]
    assert made(SupportLabel.CONTRADICTED) == both
    assert made(SupportLabel.NEUTRAL) == both
    assert made(SupportLabel.ENTAILED) == both[:1]
