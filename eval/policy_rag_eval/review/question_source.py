"""A question set to be reviewed: questions accepted, edited or dropped, and the set written anew."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.questions.drafts import GeneratedQuestion
from policy_rag_eval.questions.question_set import QuestionSet, read_set, rewrite_questions
from policy_rag_eval.questions.review import apply_review, editable_cells
from policy_rag_eval.review.decisions import Decided, ReviewDecision, settled
from policy_rag_eval.review.items import Choice, ReviewItem, ReviewPassage
from policy_rag_parsers.loaders import load

DECISIONS = "reviews.jsonl"


@dataclass(frozen=True, slots=True)
class QuestionSource:
    """The questions of a folder that `policy-rag eval questions` made."""

    folder: Path
    choices: tuple[Choice, ...] = (Choice.ACCEPT, Choice.EDIT, Choice.DROP)

    @property
    def title(self) -> str:
        """The folder's name."""
        return self.folder.resolve().name

    @property
    def decisions(self) -> Path:
        """The file of decisions, in the folder."""
        return self.folder / DECISIONS

    def items(self) -> Sequence[ReviewItem]:
        """The questions, those that were not reviewed yet first."""
        made, texts, titles = self.read()
        ordered = sorted(made.questions, key=lambda one: one.reviewed)
        return tuple(_item(one, made, texts, titles) for one in ordered)

    def check(self, decision: ReviewDecision) -> None:
        """Whether an edit's quotes stand in the question's sections.

        Raises:
            UsageError: they do not, or the question is empty or gone.
        """
        made, texts, _ = self.read()
        apply_review(made, {decision.item: _row(made, decision)}, texts, Path(decision.item))

    def apply(self, decided: Decided) -> dict[str, int]:
        """Writes the set anew with what is settled; nothing is written where one of it does not fit.

        Raises:
            UsageError: two edited questions are the same.
            DatasetError: the set cannot be written.
        """
        made, texts, _ = self.read()
        known = {one.question_id for one in made.questions}
        agreed = {item: one for item, of in decided.items() if item in known and (one := settled(of)) is not None}
        rows = {item: _row(made, one) for item, one in agreed.items()}
        reviewed, counts = apply_review(made, rows, texts, self.folder)
        if agreed:
            rewrite_questions(self.folder, reviewed)
        return {**{choice.value: counts[choice] for choice in self.choices}, "open": counts["open"]}

    def read(self) -> tuple[QuestionSet, Mapping[str, str], Mapping[str, str]]:
        """The set, the texts of its documents by file, and their titles by `doc_id`."""
        dataset = read_dataset(self.folder)
        texts = {one.file: text_of(dataset.documents_folder / one.file) for one in dataset.documents}
        return read_set(self.folder), texts, {one.doc_id: one.title for one in dataset.documents}


def text_of(path: Path) -> str:
    """The text of a document, as the parser reads it."""
    return _loaded(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _loaded(path: Path, _changed: int) -> str:
    return load(path).text


def _row(made: QuestionSet, decision: ReviewDecision) -> dict[str, str]:
    """A decision as a row of the table that a spreadsheet would hold."""
    draft = next((one.draft for one in made.questions if one.question_id == decision.item), None)
    return {"decision": decision.decision, **(editable_cells(draft) if draft else {}), **decision.edited}


def _item(
    question: GeneratedQuestion, made: QuestionSet, texts: Mapping[str, str], titles: Mapping[str, str]
) -> ReviewItem:
    draft = question.draft
    passages = []
    for key in draft.sections:
        span = made.sections.get(key)
        if span is None:
            continue
        inside = [
            one for one in draft.quotes if one.file == span.file and span.start <= one.start < one.end <= span.end
        ]
        marks = tuple(sorted((one.start - span.start, one.end - span.start) for one in inside))
        title = f"{titles.get(key[0], key[0])}, {key[1]}"
        passages.append(ReviewPassage(title, texts[span.file][span.start : span.end], marks))
    return ReviewItem(
        item_id=question.question_id,
        question=draft.text,
        answer="\n".join(draft.answers),
        kind=str(draft.style),
        passages=tuple(passages),
        quotes=tuple(one.text for one in draft.quotes),
        said=(f"made by {draft.made_by}", *([f"found at rank {question.found_at}"] if question.found_at else [])),
        done=question.reviewed,
    )
