"""Given what a search finds, the answerer of stress tests says what the application says."""

from pathlib import Path
from typing import Any

import pytest
from small_dataset import WordHashes

from policy_rag.assistant import PolicyAssistant
from policy_rag.retrieval.transforms.decomposition import question_parts
from policy_rag.settings import load_settings
from policy_rag_eval.data.corpora import open_corpus
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.stress.answering import NOTHING, Answerer
from policy_rag_eval.stress.question_sections import prepare
from policy_rag_eval.stress.trials import StressAnswer, StressOutcome

pytestmark = pytest.mark.usefixtures("no_reranker")


def opened(folder: Path, **settings: Any) -> tuple[Dataset, PolicyAssistant]:
    data = read_dataset(folder).for_corpus(Corpus.FILES)
    return data, open_corpus(data, Corpus.FILES, load_settings({"llm": "extractive", **settings}), Path("here"))[0]


def judge(given: StressAnswer) -> tuple[StressOutcome, None]:
    return (StressOutcome.OTHER if given.citations else StressOutcome.REFUSED), None


@pytest.mark.parametrize("threshold", [0.0, 1.0])
def test_the_first_five_hits_give_the_answer_of_ask(folder: Path, model: WordHashes, threshold: float) -> None:
    data, assistant = opened(folder, threshold=threshold, certain=0.0)
    answered = 0
    with assistant:
        answer = Answerer(assistant, None)
        assert answer.name == "extractive"
        for one in prepare(assistant, data, data.questions):
            assert answer(one.trial((), judge)) == NOTHING
            request = one.question.request()
            if question_parts(request.question):
                continue  # which `ask` takes apart, and searches part by part
            asked = assistant.ask(request.question, where=request.where, groups=request.groups, as_of=request.as_of)
            given = answer(one.trial(one.hits[:5], judge, evidence=one.hits[:20]))
            assert given.citations == asked.citations
            answered += asked.answered
            if asked.answered:
                assert given.text == asked.answer
    assert (answered > 0) is (threshold < 1)


def test_gold_sections_are_found_wherever_they_rank(folder: Path, model: WordHashes) -> None:
    data, assistant = opened(folder, search="and", candidates=1)
    with assistant:
        made = {one.question.question_id: one for one in prepare(assistant, data, data.questions)}
    titles = {name: [hit.title for hit in one.gold] for name, one in made.items()}
    assert titles == {
        "q1": ["Annual leave"],
        "q2": ["Sick leave"],
        "q3": ["Trains"],
        "q4": ["Trains", "Hotels"],
        "q6": [],
    }
    assert all(len(one.hits) <= 1 for one in made.values())
    for one in made.values():
        for passage in one.passages:
            holder = one.holder(passage)
            assert holder is not None
            assert passage.text in holder.text
