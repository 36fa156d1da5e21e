"""What a plan is worth: questions with several parts answered as a whole, and part by part.

    python -m benchmarks.parts DATASET --index DIR

Every question that rules take apart is asked twice, by quotation: without and with the transform `decompose`. For those
with gold passages it counts the gold passages that a quotation shares at least half of its own characters with, and
the length of the answer; for those without, whether it is refused. It prints means over the questions, their 95 %
intervals and the paired randomisation test.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from policy_rag.assistant import PolicyAssistant
from policy_rag.records.answer import Answer, Citation
from policy_rag.records.choices import Transform
from policy_rag.retrieval.transforms.decomposition import sub_questions
from policy_rag.settings import load_settings
from policy_rag_eval.data.corpora import open_corpus
from policy_rag_eval.data.dataset import Corpus, Dataset, GoldPassage, Question
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.statistics.intervals import bootstrap_intervals
from policy_rag_eval.statistics.permutation import paired_p_value

_LEAST = 0.5


@dataclass(frozen=True, slots=True)
class AnsweredByParts:
    """A question's gold passages and its two answers, whole and by plan."""

    question: Question
    gold: tuple[GoldPassage, ...]
    whole: Answer
    planned: Answer


def ask_twice(dataset: Dataset, assistant: PolicyAssistant) -> list[AnsweredByParts]:
    """The questions that have parts, each asked as a whole and by plan."""
    by_label: dict[str, list[GoldPassage]] = {}
    for passage in dataset.passages:
        by_label.setdefault(passage.gold_id, []).append(passage)
    asked = []
    for question in dataset.questions:
        if not sub_questions(question.text):
            continue
        request = question.request()
        answers = [
            assistant.ask(
                request.question, where=request.where, groups=request.groups, as_of=request.as_of, transforms=transforms
            )
            for transforms in ((), (Transform.DECOMPOSE,))
        ]
        labels = dataset.qrels.get(question.question_id, {})
        gold = tuple(passage for label in labels for passage in by_label.get(label, ()) if passage.placed)
        asked.append(AnsweredByParts(question, gold, *answers))
    return asked


def cited_share(answer: Answer, gold: Sequence[GoldPassage]) -> float:
    """The share of the gold passages that some citation lies in by at least half of its characters, 0 to 1."""
    return sum(any(_lies_in(citation, passage) for citation in answer.citations) for passage in gold) / len(gold)


def _lies_in(citation: Citation, passage: GoldPassage) -> bool:
    if citation.file != passage.file or passage.start is None or passage.end is None:
        return False
    shared = min(citation.end, passage.end) - max(citation.start, passage.start)
    return shared >= _LEAST * (citation.end - citation.start)


def report(asked: Sequence[AnsweredByParts]) -> list[str]:
    """The lines that are printed."""
    answerable = [one for one in asked if one.question.answerable and one.gold]
    others = [one for one in asked if not one.question.answerable]
    lines = [f"{len(asked)} questions with parts: {len(answerable)} with gold passages, {len(others)} unanswerable"]
    if answerable:
        whole = [cited_share(one.whole, one.gold) for one in answerable]
        planned = [cited_share(one.planned, one.gold) for one in answerable]
        lengths = [[float(len(answer.answer)) for answer in (one.whole, one.planned)] for one in answerable]
        for name, values in (
            ("gold passages quoted, whole", whole),
            ("gold passages quoted, by plan", planned),
            ("characters, whole", [pair[0] for pair in lengths]),
            ("characters, by plan", [pair[1] for pair in lengths]),
        ):
            interval = bootstrap_intervals({name: values})[name]
            lines.append(f"{name}: {interval.mean:.3f} ({interval.low:.3f} to {interval.high:.3f})")
        lines.append(f"gold passages quoted, paired p: {paired_p_value(planned, whole):.4f}")
        lines.append(f"refused, whole and by plan: {_refused(answerable)}")
    if others:
        lines.append(f"unanswerable refused, whole and by plan: {_refused(others)}")
    return lines


def _refused(asked: Sequence[AnsweredByParts]) -> str:
    whole = sum(not one.whole.answered for one in asked)
    planned = sum(not one.planned.answered for one in asked)
    return f"{whole} and {planned} of {len(asked)}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", help="folder of a data set, or the name of one that is built in")
    parser.add_argument("--index", type=Path, required=True, help="folder for the index")
    options = parser.parse_args(arguments)
    dataset = read_dataset(options.dataset).for_corpus(Corpus.FILES)
    assistant, _ = open_corpus(dataset, Corpus.FILES, load_settings({"llm": "extractive"}), options.index)
    with assistant:
        sys.stdout.write("\n".join(report(ask_twice(dataset, assistant))) + "\n")


if __name__ == "__main__":
    main()
