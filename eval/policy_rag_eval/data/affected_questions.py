"""Which questions of a data set a new version affects: those whose gold passage stands in what changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from policy_rag.index.maintenance.version_diff import ChangeKind, Clause, ClauseChange, VersionDiff
from policy_rag_eval.data.dataset import Dataset, GoldPassage


class Effect(StrEnum):
    """What a change does to a question: its answer may be another, or only the place that is cited."""

    ANSWER = "answer"
    PLACE = "place"


@dataclass(frozen=True, slots=True)
class AffectedQuestion:
    """A question, with the change of a clause that its gold passage stands in.

    The effect is the worst that the change does to it, `kinds` are what became of the clause, which is `new` in the new
    version: None where it was removed.
    """

    effect: Effect
    question_id: str
    text: str
    gold_id: str
    kinds: tuple[ChangeKind, ...]
    old: Clause
    new: Clause | None


def affected_questions(dataset: Dataset, file: str, comparison: VersionDiff) -> tuple[AffectedQuestion, ...]:
    """The questions whose gold passages lie in clauses of the old version that changed.

    Gold labels name places in files, those without a place are passed over; `file` is the old version's, which
    `comparison` lays beside the new one.

    Returns:
        In order of the questions, then of the old version's text; a question once a clause.
    """
    relevant = _gold_by_question(dataset, file)
    found: list[AffectedQuestion] = []
    for question in dataset.questions:
        own: list[AffectedQuestion] = []
        seen: set[str] = set()
        for gold in relevant.get(question.question_id, ()):
            for change in comparison.changes:
                old = change.old
                if old is None or old.section_id in seen or not _overlap(gold, old):
                    continue
                seen.add(old.section_id)
                own.append(
                    AffectedQuestion(
                        _effect(change),
                        question.question_id,
                        question.text,
                        gold.gold_id,
                        change.kinds,
                        old,
                        change.new,
                    )
                )
        found += sorted(own, key=lambda one: one.old.start)
    return tuple(found)


def _gold_by_question(dataset: Dataset, file: str) -> Mapping[str, list[GoldPassage]]:
    places: dict[str, list[GoldPassage]] = {}
    for gold in dataset.passages:
        if gold.placed and gold.file == file:
            places.setdefault(gold.gold_id, []).append(gold)
    return {
        question_id: [gold for gold_id, grade in grades.items() if grade > 0 for gold in places.get(gold_id, ())]
        for question_id, grades in dataset.qrels.items()
    }


def _overlap(gold: GoldPassage, clause: Clause) -> bool:
    return gold.start is not None and gold.end is not None and gold.start < clause.end and clause.start < gold.end


def _effect(change: ClauseChange) -> Effect:
    words = {ChangeKind.CHANGED, ChangeKind.REMOVED}
    return Effect.ANSWER if words & set(change.kinds) else Effect.PLACE
