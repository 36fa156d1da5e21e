"""Tuning: an honest division of the questions, a search that goes on where it stopped, and figures that count."""

import csv
import dataclasses
import functools
import html
import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from one_evaluation import evaluated
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from small_dataset import WordHashes

from policy_rag.cli import run
from policy_rag.errors import PolicyRagError, UsageError
from policy_rag.settings import load_settings
from policy_rag_eval.commands.tune import _save, as_json
from policy_rag_eval.data.corpora import open_corpus
from policy_rag_eval.data.dataset import Corpus, find_dataset
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.errors import TuningError
from policy_rag_eval.measures.measures import Measure
from policy_rag_eval.sweep.tuning import STUDIES, divide, tune

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
SPACE = {
    "search": CategoricalDistribution(("vector", "keyword", "weighted")),
    "vector_weight": FloatDistribution(0, 1, step=0.25),
}
tune_few = functools.partial(tune, held_out=0.5)


@pytest.fixture(scope="module")
def company():
    return read_dataset(find_dataset("brannholt"))


@pytest.fixture(scope="module")
def few(company):
    """A sixth of its questions: enough to divide in halves."""
    return dataclasses.replace(company, questions=company.questions[::6])


@pytest.fixture(scope="module")
def indexed(company, tmp_path_factory) -> Path:
    """The folder in which evaluations with the small model find the company's files indexed."""
    folder = tmp_path_factory.mktemp("indexed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("policy_rag.models.factory.load_embedder", lambda *_, **__: WordHashes())
        assistant, _ = open_corpus(company.for_corpus(Corpus.FILES), Corpus.FILES, load_settings(), folder)
        assistant.close()
    return folder


@pytest.fixture(scope="module")
def searched(indexed, tmp_path_factory) -> Path:
    """A copy in which all tests find what others have searched."""
    return shutil.copytree(indexed, tmp_path_factory.mktemp("searched") / "i")


@pytest.fixture
def index(searched: Path, model: WordHashes) -> Path:
    """That copy, of which no trial is known."""
    (searched / "eval" / STUDIES).unlink(missing_ok=True)
    return searched


def test_the_questions_are_divided_by_kind_and_none_is_in_both_parts(company):
    tuning, held = divide(company.for_corpus(Corpus.FILES), 0.3, 1)
    ids = [{q.question_id for q in part.questions} for part in (tuning, held)]
    assert not ids[0] & ids[1]
    assert ids[0] | ids[1] == {q.question_id for q in company.questions}
    whole, part = (Counter((q.kind, q.answerable) for q in d.questions) for d in (company, held))
    assert {kind: round(n * 0.3) for kind, n in whole.items()} == {kind: part[kind] for kind in whole}
    assert held.qrels.keys() <= ids[1]
    assert len({company.digest, tuning.digest, held.digest}) == 3
    assert divide(company.for_corpus(Corpus.FILES), 0.3, 1) == (tuning, held)
    assert divide(company.for_corpus(Corpus.FILES), 0.3, 2) != (tuning, held)


@pytest.mark.parametrize("share", [0, 1, -0.2, 0.02])
def test_a_division_that_leaves_too_little_is_refused(company, share):
    with pytest.raises(UsageError, match=r"held-out|too few"):
        divide(company.for_corpus(Corpus.FILES), share, 1)


def test_how_many_questions_a_division_needs_is_said(company):
    few = company.for_corpus(Corpus.FILES)
    few = dataclasses.replace(few, questions=few.scored[:23])
    # 30 % of 34 questions are 10; of 23 each half has at least 10.
    with pytest.raises(UsageError, match=r"23 questions .* each part needs 10, .*about 34 in all\), or .* 0\.5"):
        divide(few, 0.3, 1)
    parts = divide(few, 0.5, 1)
    assert min(len(part.scored) for part in parts) >= 10
    with pytest.raises(UsageError, match=r"about 34 in all\), or compare"):
        divide(dataclasses.replace(few, questions=few.scored[:19]), 0.3, 1)


def test_each_choice_is_tried_once_and_no_more_than_there_are(few, index):
    space = {"search": CategoricalDistribution(("vector", "or")), "candidates": CategoricalDistribution((10, 50))}
    found = tune_few(few, Corpus.FILES, space, index, trials=3)
    assert len({tuple(t.settings.items()) for t in found.trials}) == 3
    found = tune_few(few, Corpus.FILES, space, index, trials=9)
    assert [t.number for t in found.trials] == [0, 1, 2, 3]
    assert {tuple(sorted(t.settings.items())) for t in found.trials} == {
        (("candidates", size), ("search", search)) for size in (10, 50) for search in ("vector", "or")
    }


def test_the_best_is_the_best_of_the_trials_and_its_figures_are_those_of_questions_held_out(
    few, index: Path, indexed: Path, tmp_path: Path
):
    told, other = [], shutil.copytree(indexed, tmp_path / "other")
    found = tune_few(few, Corpus.FILES, SPACE, index, trials=5, seed=3, tried=told.append)
    assert list(found.trials) == told
    assert [t.number for t in found.trials] == [0, 1, 2, 3, 4]
    assert found.best == max(found.trials, key=lambda t: t.value).settings
    ndcg = Measure.parse("ndcg@10")
    assert found.tuned_on.scores.mean(ndcg) == max(t.value for t in found.trials)
    again = evaluated(found.held_out_set, Corpus.FILES, other, **found.best)
    assert again.scores.values == found.held_out.scores.values
    plain = evaluated(found.held_out_set, Corpus.FILES, other)
    assert plain.measures[ndcg] == found.baseline.measures[ndcg]
    assert "the settings as they are" in found.verdict
    said = json.loads(json.dumps(as_json("brannholt", Corpus.FILES, found)))
    assert list(said) == [
        "dataset", "corpus", "measure", "best", "tuned_on", "held_out", "baseline", "verdict", "trials",
    ]  # fmt: skip
    assert said["held_out"]["questions"] + said["tuned_on"]["questions"] == len(few.for_corpus(Corpus.FILES).scored)
    assert said["held_out"]["measures"]["ndcg@10"]["mean"] == pytest.approx(found.held_out.scores.mean(ndcg), abs=1e-12)


def test_a_tuning_goes_on_where_it_stopped(few, index: Path):
    def stop(result):
        if result.number == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune_few(few, Corpus.FILES, SPACE, index, trials=4, tried=stop)
    told = []
    found = tune_few(few, Corpus.FILES, SPACE, index, trials=4, tried=told.append)
    assert len(told) == 4
    whole = tune_few(few, Corpus.FILES, SPACE, index, trials=4)
    assert whole.trials == found.trials, "nothing was left to try"
    other = tune_few(few, Corpus.FILES, SPACE, index, trials=1, held_out=0.6)
    assert len(other.trials) == 1, "another division is another study"


def test_a_setting_that_the_others_switch_off_is_not_tried(few, index: Path):
    found = tune_few(few, Corpus.FILES, SPACE, index, trials=8)
    assert len(found.trials) == 7, "two searches, and five weights of the third"
    assert {t.settings["search"] for t in found.trials} > {"weighted"}
    for trial in found.trials:
        assert ("vector_weight" in trial.settings) == (trial.settings["search"] == "weighted")


def test_what_cuts_otherwise_is_tuned_for_text_not_ranks(few, index: Path):
    space = {"hit_chars": IntDistribution(300, 6000, step=5700)}
    assert str(tune_few(few, Corpus.FILES, space, index, trials=1).measure) == "recall@2000chars"


def test_lists_are_searched_as_deep_as_the_longest_choice(few, index: Path):
    space = {"top_k": CategoricalDistribution((3, 40))}
    recall = Measure.parse("recall")
    found = tune_few(few, Corpus.FILES, space, index, trials=4, measure=recall, against={"top_k": "25"})
    for settings, tried in (({"top_k": 40}, found.evaluations), ({"top_k": 25}, (found.baseline,))):
        one = next(one for one in tried if one.settings["top_k"] == settings["top_k"])
        part = found.held_out_set if one is found.baseline else found.tuning_set
        alone = evaluated(part, Corpus.FILES, index, measures=(recall,), **settings)
        assert one.scores.values[recall] == alone.scores.values[recall]
        assert max(one.hits) == settings["top_k"]


def test_a_model_that_is_not_there_is_named_and_others_are_tried(few, index: Path):
    space = {"reranker": CategoricalDistribution(("/nowhere/at-all", "none"))}
    found = tune_few(few, Corpus.FILES, space, index, trials=6)
    assert found.best == {"reranker": "none"}
    skipped = [t for t in found.trials if t.value is None]
    assert skipped
    assert all("/nowhere/at-all" in t.why for t in skipped)
    with pytest.raises(TuningError, match=r"no choice of the space could be run: .*nowhere"):
        tune_few(few, Corpus.FILES, {"reranker": CategoricalDistribution(("/nowhere/at-all",))}, index, trials=1)


@pytest.mark.parametrize(
    ("space", "message"),
    [
        (
            {"search": CategoricalDistribution(("or",)), "chunker": CategoricalDistribution(("section", "fixed"))},
            "unknown chunker 'fixed'",
        ),
        ({"search": CategoricalDistribution(("or", "vektor"))}, "vektor"),
        ({"top_k": IntDistribution(0, 5)}, "top_k=0"),
        ({"profile": CategoricalDistribution(("nowhere.yaml",))}, "no heading profile 'nowhere.yaml'"),
    ],
)
def test_a_value_that_cannot_be_is_said_before_any_trial(company, model: WordHashes, tmp_path: Path, space, message):
    tried: list[object] = []
    with pytest.raises(PolicyRagError, match=message):
        tune(company, Corpus.FILES, space, tmp_path / "i", trials=9, tried=tried.append)
    assert tried == []
    assert model.embedded == 0


def test_a_setting_given_twice_is_refused(company, model: WordHashes, tmp_path: Path):
    with pytest.raises(UsageError, match="search is given with --set and in the space"):
        tune(company, Corpus.FILES, SPACE, tmp_path / "i", trials=1, changes={"search": "or"})


def test_on_the_command_line(stored: Path, indexed: Path, model: WordHashes, capfd):
    shutil.copytree(indexed, stored, dirs_exist_ok=True)
    Path("space.yaml").write_text("search: [vector, keyword]\n")
    call = ["eval", "tune", "brannholt", "--trials", "3", "--grid", "space.yaml", "--measure", "recall@10"]
    call += ["--questions", "50"]
    Path("policy_rag.toml").write_text('top_k = 4\nsearch = "and"\n')
    assert (
        run([*call, "--save-best", "--report", "page.html", "--csv", "t.csv", "--against", "search=and top_k=2"]) == 0
    )
    out, err = capfd.readouterr()
    page = Path("page.html").read_text()
    assert "search=and top_k=2, held out" in out
    assert "policy-rag eval tune brannholt" in page
    assert "On the questions held out" in page
    rows = list(csv.DictReader(Path("t.csv").read_text().splitlines()))
    assert [row["questions"] for row in rows] == ["held out", "held out", "tuned on", "tuned on"]
    assert rows[1]["configuration"] == "search=and top_k=2"
    assert {row["configuration"] for row in rows[2:]} == {"search=vector", "search=keyword"}
    assert all(float(row["recall@10_low"]) <= float(row["recall@10"]) for row in rows)
    assert "best, held out" in out
    assert err.count("trial ") == 2
    assert "the trials end with 2: no other choice was found in the grid" in err
    assert "kept in MLflow as run" in err
    assert "policy_rag.toml now says search = " in err
    assert load_settings().search.top_k == 4
    assert str(load_settings().search.search) in {"vector", "keyword"}
    from mlflow import MlflowClient

    client = MlflowClient(f"sqlite:///{stored.resolve() / 'mlflow.db'}")
    (experiment,) = [e for e in client.search_experiments() if "brannholt" in e.name]
    names = [run.info.run_name for run in client.search_runs([experiment.experiment_id])]
    assert names.count("brannholt: tuning of 2 choices") == 1
    assert names.count("search=keyword") >= 1
    (noted,) = [run.data.tags["mlflow.note.content"] for run in client.search_runs([experiment.experiment_id])
                if "mlflow.note.content" in run.data.tags]  # fmt: skip
    assert html.escape(noted) in page


def test_what_does_not_beat_the_settings_on_held_out_questions_is_not_saved(few, index: Path, capfd):
    space = {"search": CategoricalDistribution(("and",))}
    found = tune_few(few, Corpus.FILES, space, index, trials=1, changes={"top_k": 6})
    assert found.held_out.scores.mean(found.measure) < found.baseline.scores.mean(found.measure)
    _save(found, {"top_k": 6}, index)
    assert "not saved" in capfd.readouterr().err
    assert not Path("policy_rag.toml").exists()
