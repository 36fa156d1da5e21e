"""What supports the questions of a data set is what `ask` would weigh, whichever search is asked for."""

from dataclasses import replace
from pathlib import Path

import pytest
from small_dataset import WordHashes

from policy_rag.answering.confidence.model import DEFAULT_WEIGHTS, confidence
from policy_rag.settings import load_settings
from policy_rag_eval.answers.answer_set import Condition, answer_all
from policy_rag_eval.answers.plans import answer_configurations
from policy_rag_eval.calibration.support_features import weighed
from policy_rag_eval.data.corpora import open_corpus
from policy_rag_eval.data.dataset import Corpus
from policy_rag_eval.data.dataset_reader import read_dataset

POLITE = "Hi team, could you please tell me: {} Thanks in advance!"


@pytest.mark.parametrize(
    ("wording", "changes"),
    [
        ("{}", {"search": "vector", "reranker": "none"}),
        ("{}", {"search": "keyword", "reranker": "none"}),
        (POLITE, {"search": "vector", "reranker": "none"}),
        (POLITE, {"search": "weighted"}),
    ],
)
def test_questions_are_weighed_and_refused_as_ask_does(
    folder: Path, tmp_path: Path, model: WordHashes, wording: str, changes: dict[str, str]
) -> None:
    changes = {**changes, "llm": "extractive"}
    dataset = read_dataset(folder).for_corpus(Corpus.FILES)
    questions = tuple(replace(question, text=wording.format(question.text)) for question in dataset.questions)
    dataset = replace(dataset, questions=questions)
    requests = [question.request() for question in dataset.questions]
    assistant, _ = open_corpus(dataset, Corpus.FILES, load_settings(changes), tmp_path)
    with assistant:
        scores = [confidence(one.features, DEFAULT_WEIGHTS) for one in weighed(assistant, requests)]
        threshold = sorted(scores)[len(scores) // 2]  # so that what is answered hangs on each figure
        asked = [
            assistant.ask(one.question, where=one.where, groups=one.groups, as_of=one.as_of, threshold=threshold)
            for one in requests
        ]
    assert [score >= threshold for score in scores] == [answer.shown for answer in asked]
    assert len({answer.shown for answer in asked}) == 2
    (same,) = answer_configurations({}, {**changes, "threshold": threshold})
    cases = answer_all(dataset, same, tmp_path, model=None).cases[Condition.FOUND]
    assert [case.refused for case in cases] == [not answer.shown for answer in asked]
    assert [case.question for case in cases] == [question.text for question in questions], "told as it was asked"
