"""One configuration on one data set: what is asked, how deep, and what is scored."""

import dataclasses
from pathlib import Path

import pytest
from one_evaluation import evaluated
from small_dataset import WordHashes

from policy_rag.assistant import PolicyAssistant
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.measures.measures import Measure
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.sweep.evaluation import Evaluation, hits_needed, ranked


def test_passages_are_found_and_scored(dataset: Dataset, tmp_path: Path, model: WordHashes) -> None:
    found = evaluated(dataset, Corpus.PASSAGES, tmp_path)
    assert found.scores.questions == ("q1", "q2", "q3", "q4", "q5")
    assert found.measures[Measure.parse("recall@10")].mean == 1.0
    assert found.rankings["q1"][0] == "holiday"
    assert found.rankings["q5"][0] == "nowhere"
    interval = found.measures[Measure.parse("mrr@10")]
    assert interval.low <= interval.mean <= interval.high


def test_files_go_through_the_parser_and_hits_become_gold(dataset: Dataset, tmp_path: Path, model: WordHashes) -> None:
    found = evaluated(dataset, Corpus.FILES, tmp_path)
    assert found.scores.questions == ("q1", "q2", "q3", "q4")
    assert found.measures[Measure.parse("recall@10")].mean == 1.0
    assert set(found.rankings["q4"]) >= {"hotel", "train"}


def test_a_question_about_one_document_sees_no_other(dataset: Dataset, tmp_path: Path, model: WordHashes) -> None:
    for corpus in Corpus:
        ranking = evaluated(dataset, corpus, tmp_path).rankings
        assert not {"train", "hotel", "nowhere"} & set(ranking["q2"])  # asked of `leave`
        assert not {"holiday", "sick"} & set(ranking["q3"])  # asked with a filter on `travel`


def test_what_is_level_by_the_deciding_measure_is_ranked_by_the_next_ones(evaluations: list[Evaluation]) -> None:
    by = {str(measure): measure for measure in evaluations[0].measures}

    def with_means(evaluation: Evaluation, **means: float) -> Evaluation:
        changed = {by[name]: Interval(mean, mean, mean) for name, mean in means.items()}
        zero = dict.fromkeys(evaluation.measures, Interval(0.0, 0.0, 0.0))
        return dataclasses.replace(evaluation, measures={**zero, **changed})

    first, second, third = evaluations
    level = 0.1 + 0.2  # which is not 0.3
    assert [
        one.name
        for one in ranked(
            [
                with_means(first, **{"ndcg@10": 0.3, "recall@10": 0.5, "hits": 9.0}),
                with_means(second, **{"ndcg@10": level, "recall@10": 0.6}),
                with_means(third, **{"ndcg@10": 0.3, "recall@10": 0.5}),
            ],
            by["ndcg@10"],
        )
    ] == [second.name, first.name, third.name]


def test_the_list_is_as_deep_as_the_deepest_cutoff(dataset: Dataset, tmp_path: Path, model: WordHashes) -> None:
    shallow = evaluated(dataset, Corpus.PASSAGES, tmp_path, top_k=1)
    assert shallow.settings["top_k"] == 1
    assert len(shallow.returned["q1"]) == 1
    assert len(shallow.rankings["q1"]) > 1


def test_any_cut_off_in_characters_is_counted_and_kept_by_itself(
    dataset: Dataset, tmp_path: Path, model: WordHashes
) -> None:
    def at(*chars: int) -> list[float]:
        measures = [Measure.parse(f"recall@{one}chars") for one in chars]
        found = evaluated(dataset, Corpus.FILES, tmp_path, measures=measures, top_k=1)
        return [found.measures[one].mean for one in measures]

    (default,) = at(2000)
    few, same, more = at(5, 2000, 9000)
    assert few < same == default == more  # all is within 2,000 characters
    assert at(9000, 5) == [more, few]


def test_repeated_labels_are_searched_for_more_deeply(dataset: Dataset) -> None:
    at_ten = [Measure.parse("recall@10"), Measure.parse("ndcg@3")]
    assert hits_needed(dataset, Corpus.PASSAGES, at_ten, 5) == 10
    assert hits_needed(dataset, Corpus.PASSAGES, at_ten, 25) == 25
    again = dataclasses.replace(dataset, passages=dataset.passages + dataset.passages[:1] * 2)
    assert hits_needed(again, Corpus.PASSAGES, at_ten, 5) == 12  # two repeats, less than ten times three
    assert hits_needed(again, Corpus.FILES, at_ten, 5) == 10
    all_thrice = dataclasses.replace(dataset, passages=dataset.passages * 3)
    assert hits_needed(all_thrice, Corpus.PASSAGES, [Measure.parse("mrr@2")], 2) == 6


def test_the_settings_that_shaped_the_run_are_told_and_no_others(
    dataset: Dataset, tmp_path: Path, model: WordHashes
) -> None:
    settings = evaluated(dataset, Corpus.FILES, tmp_path, search="keyword").settings
    assert settings["embedding"] == "word-hashes"  # what the default stood for
    assert settings["chunker"] == "section"
    assert settings["search"] == "keyword"
    assert "llm" not in settings
    assert "chunker" not in evaluated(dataset, Corpus.PASSAGES, tmp_path).settings


def test_finding_nothing_is_a_result(
    dataset: Dataset, tmp_path: Path, model: WordHashes, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = PolicyAssistant.search_many

    def nothing(self: PolicyAssistant, requests: object, **changes: object) -> tuple[object, ...]:
        return tuple(dataclasses.replace(result, hits=()) for result in search(self, requests, **changes))

    monkeypatch.setattr(PolicyAssistant, "search_many", nothing)
    found = evaluated(dataset, Corpus.FILES, tmp_path)
    assert all(interval.mean == 0.0 for interval in found.measures.values())
    assert set(found.rankings.values()) == {()}
