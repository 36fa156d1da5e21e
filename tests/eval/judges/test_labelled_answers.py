"""The labelled answers, what a judge is worth on them, and the panel."""

import csv
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from command import Cli
from numpy.typing import NDArray
from ollama_server import OllamaStandIn
from small_dataset import WordHashes

from policy_rag.models.embedder import DEFAULT_EMBEDDING
from policy_rag.models.factory import load_embedder
from policy_rag.models.reader import Support
from policy_rag.records.choices import Backend
from policy_rag_eval.errors import DatasetError
from policy_rag_eval.judges.accuracy import accuracy, fit_threshold
from policy_rag_eval.judges.judge import judge_all
from policy_rag_eval.judges.judge_cases import Case, JudgeVerdict
from policy_rag_eval.judges.labelled import LabelledAnswer, LabelledHalf, builtin_labelled, read_labelled
from policy_rag_eval.judges.panel import disputed_csv, panel
from policy_rag_eval.judges.reader_support import ReaderSupport
from policy_rag_eval.judges.statements import statements, without_lead
from policy_rag_eval.judges.support_overlap import SupportOverlap


@pytest.fixture(scope="module")
def shipped() -> tuple[LabelledAnswer, ...]:
    return read_labelled(builtin_labelled())


def test_half_of_the_shipped_answers_are_wrong_in_many_ways_and_the_halves_are_alike(
    shipped: tuple[LabelledAnswer, ...],
) -> None:
    assert len({(one.case.question, one.case.answer) for one in shipped}) == len(shipped) >= 160
    assert 0.45 <= sum(one.right for one in shipped) / len(shipped) <= 0.55
    wrong = Counter(one.kind for one in shipped if not one.right)
    assert len(wrong) >= 12
    assert max(wrong.values()) <= 0.1 * wrong.total()
    first, second = ([one for one in shipped if one.half is half] for half in LabelledHalf)
    assert not {one.case.question for one in first} & {one.case.question for one in second}
    counts, others = (Counter((one.right, one.kind) for one in of) for of in (first, second))
    assert all(abs(counts[kind] - others[kind]) <= 1 for kind in counts | others)
    for one in shipped:
        refused, half = one.kind.startswith("refusal"), one.kind == "half_answer"  # which is wrong, and faithful
        assert not (half and one.right)
        assert one.faithful is (None if refused else True if half else one.right)


class AllAtOnce:
    """The default embedding model, which embeds the statements of all answers in one go: one by one takes a minute."""

    def __init__(self, shipped: Sequence[LabelledAnswer]) -> None:
        self._model = load_embedder(DEFAULT_EMBEDDING, backend=Backend.ONNX)
        self.fingerprint, self.dimension = self._model.fingerprint, self._model.dimension
        told = {without_lead(text) for one in shipped for text in statements(one.case.answer).texts}
        texts = sorted(told | {one.case.question for one in shipped}, key=len)
        self._known = dict(zip(texts, self._model.embed(texts), strict=True))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if all(text in self._known for text in texts):
            return np.stack([self._known[text] for text in texts])
        return self._model.embed(texts)

    embed_queries = embed


@pytest.fixture(scope="module")
def embedder(shipped: tuple[LabelledAnswer, ...]) -> AllAtOnce:
    return AllAtOnce(shipped)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [SupportOverlap, ReaderSupport])
def test_the_support_judges_are_right_three_times_in_four(
    shipped: tuple[LabelledAnswer, ...], embedder: AllAtOnce, kind: type[SupportOverlap]
) -> None:
    judge = kind(embedder)
    judged = list(zip(shipped, judge_all(judge, [one.case for one in shipped], workers=4), strict=True))
    fixing, reporting = (zip(*(pair for pair in judged if pair[0].half is half), strict=True) for half in LabelledHalf)
    assert fit_threshold(*fixing) == pytest.approx(judge.threshold, abs=0.02)
    found = accuracy(judge.name, *reporting, judge.threshold)
    assert found.unjudged == 0
    assert found.accuracy is not None
    assert found.accuracy.mean >= 0.75


class Supports:
    """A reader that supports what it is told to, whatever the passage, and remembers what it was shown."""

    def __init__(self, supported: float) -> None:
        self.supported, self.shown = supported, list[str]()

    def support(self, passages: Sequence[str], statements: Sequence[str]) -> list[Support]:
        self.shown += passages
        return [Support(self.supported, 0.0, 1 - self.supported) for _ in statements]


def test_the_reader_is_shown_neighbouring_sentences_of_one_section(embedder: AllAtOnce) -> None:
    reader = Supports(0.9)
    judge = ReaderSupport(embedder, reader=reader)  # type: ignore[arg-type]
    sections = ("Leave is 25 days. It is asked for in writing. HR decides.", "Parking is free.")
    said = judge.judge(Case("1", "How is leave asked for?", "You ask for leave in writing.", contexts=sections))
    assert said.score == pytest.approx(0.9)
    assert reader.shown == [
        "Leave is 25 days. It is asked for in writing.", "It is asked for in writing. HR decides.", "Parking is free.",
    ]  # fmt: skip
    fewer = judge.judge(Case("1", "How much leave?", "Leave is 20 days.", contexts=sections))
    assert fewer.score == pytest.approx(0.9 * 0.3), "the rules find another number, whatever the reader says"
    assert judge.judge(Case("1", "Q?", "HR decides.", contexts=sections)).score == 1.0, "word for word: nobody is asked"
    assert len(reader.shown) == 6


def labelled(right: str) -> list[LabelledAnswer]:
    return [
        LabelledAnswer(Case(str(i), f"question {i}", "a"), letter == "r", "kind", None, LabelledHalf.FIX)
        for i, letter in enumerate(right)
    ]


def verdicts(*scores: float | None) -> list[JudgeVerdict]:
    return [JudgeVerdict.unjudged("j", "no") if s is None else JudgeVerdict("j", s, "x", "why") for s in scores]


def test_accuracy_by_hand() -> None:
    found = accuracy("j", labelled("rrrwww"), verdicts(0.9, 0.8, 0.2, 0.1, 0.7, None))
    # Judged: right answers passed 2 of 3, wrong ones failed 1 of 2; 3 of 5 in all. Chance: 0.6*0.6 + 0.4*0.4 = 0.52.
    assert found.accuracy is not None
    assert found.balanced is not None
    assert found.accuracy.mean == pytest.approx(3 / 5)
    assert (found.passes_right, found.fails_wrong, found.unjudged) == (pytest.approx(2 / 3), 0.5, 1)
    assert found.balanced.mean == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert found.kappa == pytest.approx((0.6 - 0.52) / 0.48)
    assert found.accuracy.low < found.accuracy.mean < found.accuracy.high


def test_a_kind_with_right_and_wrong_answers_is_counted_as_two() -> None:
    answers = [replace(one, kind="disputed" if place < 3 else "plain") for place, one in enumerate(labelled("wrww"))]
    found = accuracy("j", answers, verdicts(0.1, 0.9, 0.9, 0.1))
    assert {kind: (of.right, of.correct, of.judged) for kind, of in found.kinds.items()} == {
        "disputed, right": (True, 1, 1), "disputed, wrong": (False, 1, 2), "plain": (False, 1, 1),
    }  # fmt: skip


def test_judges_of_one_opinion_are_worth_nothing() -> None:
    for score in (0.0, 1.0):
        found = accuracy("j", labelled("rrww"), verdicts(*[score] * 4))
        assert found.balanced is not None
        assert (found.balanced.mean, found.kappa) == (0.5, 0.0)
    none = accuracy("j", labelled("rw"), verdicts(None, None))
    assert (none.accuracy, none.kappa, none.unjudged) == (None, None, 2)


def test_a_threshold_is_the_middle_of_the_widest_best_stretch() -> None:
    assert fit_threshold(labelled("wwrr"), verdicts(0.1, 0.3, 0.7, 0.9)) == pytest.approx(0.5)
    assert fit_threshold(labelled("wwrr"), verdicts(0.1, 0.6, 0.7, 0.9)) == pytest.approx(0.65)  # 0.7 passes at 0.7
    assert fit_threshold(labelled("rr"), verdicts(0.1, 0.3)) == 0.5
    assert fit_threshold(labelled("rw"), verdicts(None, None)) == 0.5


def test_a_panel_decides_by_majority_and_leaves_the_rest_to_a_person() -> None:
    cases = [one.case for one in labelled("rrww")]
    said = {"a": verdicts(1, 1, 0, None), "b": verdicts(1, 0, 0, None), "c": verdicts(1, 1, None, None)}
    found = panel(cases, said, dict.fromkeys(said, 0.5))
    assert [one.passes for one in found.decisions] == [True, True, False, None]
    assert [one.case.case_id for one in found.disputed] == ["1", "3"]
    assert found.cohen["a", "b"] == pytest.approx(0.4)  # 2 of 3 alike; chance (2*1 + 1*2) / 9
    two = panel(cases[:2], {"a": verdicts(1, 0), "b": verdicts(0, 1)}, {"a": 0.5, "b": 0.5})
    assert [one.passes for one in two.decisions] == [None, None]
    rows = list(csv.reader(StringIO(disputed_csv(found, said))))
    assert [row[0] for row in rows] == ["case", "1", "3"]
    assert rows[0][-1] == "majority", "no column asks for a decision that no command reads"
    assert rows[1][-1] == "right"
    formula = panel([Case("1", "=HYPERLINK(1)", "+1")], {"a": verdicts(1), "b": verdicts(0)}, {"a": 0.5, "b": 0.5})
    _, row = csv.reader(StringIO(disputed_csv(formula, {"a": verdicts(1), "b": verdicts(0)})))
    assert row[1:3] == ["'=HYPERLINK(1)", "'+1"]


ROW = {"_id": "1", "question": "How much?", "answer": "25 days", "reference": "25 days", "verdict": "right"}


def written(folder: Path, *rows: dict[str, object] | str) -> list[object]:
    """A set of labelled answers with one context, `c`, and the beginning of the call that measures judges on it."""
    (folder / "contexts.jsonl").write_text('{"_id": "c", "text": "Leave is 25 days."}\n')
    (folder / "cases.jsonl").write_text(
        "".join(one if isinstance(one, str) else f"{json.dumps(one)}\n" for one in rows)
    )
    return ["eval", "judges", folder, "--judge", "token_f1"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", "line 1 is not JSON"),
        ("[]", "line 1 is not a JSON object"),
        ({"_id": "1"}, "it needs verdict"),
        ({**ROW, "verdict": "maybe"}, ".right. or .wrong."),
        ({**ROW, "contexts": ["gone"]}, "no context 'gone'"),
        ({**ROW, "question": " "}, "it needs question"),
        ({**ROW, "contexts": "c"}, "contexts is a list of ids"),
        ({**ROW, "reference": 30}, "it needs reference, a text"),
        ("", "is empty"),
    ],
)
def test_a_set_that_cannot_be_read_is_said_with_its_line(
    tmp_path: Path, row: dict[str, object] | str, message: str
) -> None:
    written(tmp_path, row)
    with pytest.raises(DatasetError, match=message):
        read_labelled(tmp_path)


def test_a_null_is_nothing(tmp_path: Path) -> None:
    written(tmp_path, {**ROW, "contexts": None, "reference": None, "kind": None})
    (one,) = read_labelled(tmp_path)
    assert (one.case.contexts, one.case.reference, one.kind) == (None, None, "")


def test_answers_whose_contexts_are_not_known_are_not_judged_by_them(
    tmp_path: Path, model: WordHashes, cli: Cli
) -> None:
    """With contexts that are known to be none an answer is made up; with unknown ones nothing can be said of it."""
    call = [*written(tmp_path, ROW, {**ROW, "_id": "2", "verdict": "wrong"}), "--judge", "support_overlap", "--judge",
            "rouge_l"]  # fmt: skip
    out, err = cli(*call, "--json")
    assert [one["judge"] for one in json.loads(out)["judges"]] == ["token_f1", "rouge_l"]
    assert "skipped support_overlap: it needs contexts, which no labelled answer has" in err
    assert 'note: no answer is in the half "fix": a judge without a threshold of its own passes from 0.5 on' in err
    written(tmp_path, {**ROW, "contexts": []})
    assert json.loads(cli(*call, "--json").out)["judges"][-1]["passes_right"] == 0.0
    written(tmp_path, {**ROW, "half": "fix"})
    assert 'note: all 1 answers are in the half "fix": for figures, put' in cli(*call).err


@pytest.mark.parametrize(
    ("right", "scores", "low"),
    [
        ("r" * 44, [1.0] * 44, 0.025 ** (1 / 44)),  # Clopper and Pearson's lower end of n of n: 0.025^(1/n)
        ("rw" * 22, [1.0, 0.0] * 22, 0.025 ** (1 / 44)),
        ("rw", [1.0, 0.0], 0.025 ** (1 / 2)),
        ("r", [1.0], 0.025),
    ],
)
def test_few_answers_judged_rightly_do_not_show_that_all_would_be(right: str, scores: list[float], low: float) -> None:
    found = accuracy("j", labelled(right), verdicts(*scores)).accuracy
    assert found is not None
    assert (found.mean, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(low, abs=0.02)


def test_the_command_measures_and_lists_what_is_disputed(tmp_path: Path, cli: Cli) -> None:
    said = [
        ("25 days", "right", "fix"),
        ("no", "wrong", "fix"),
        ("25 days", "right", "report"),
        ("days", "wrong", "report"),
    ]
    rows = [
        {**ROW, "_id": f"{i}", "question": f"How much {i}?", "answer": answer, "verdict": verdict, "half": half}
        for i, (answer, verdict, half) in enumerate(said)
    ]
    call = [*written(tmp_path, *rows), "--judge", "rouge_l", "--judge", "accepted_span"]
    out, err = cli(*call, "--disputed", "d.csv", "--json")
    found = json.loads(out)
    assert [one["judge"] for one in found["judges"]] == ["token_f1", "rouge_l"]
    assert found["judges"][0]["cases"] == 2
    assert "skipped accepted_span: it needs accepted" in err
    assert found["panel"]["krippendorff_alpha"] == 1.0
    assert Path("d.csv").read_text().count("\n") == 1
    assert "Fleiss' kappa" in cli(*call).out
    cli("eval", "judges", "nowhere", status=2)


def test_a_dry_run_counts_what_judges_would_ask(tmp_path: Path, ollama: OllamaStandIn, cli: Cli) -> None:
    rows = [{**ROW, "_id": half, "contexts": ["c"], "half": half} for half in ("fix", "report")]
    call = [*written(tmp_path, *rows), "--judge", "correctness", "--judge-llm", "ollama/llama3.2", "--dry-run"]
    found = cli(*call, "--json").json
    assert found["calls"] == {"judging": 1}, "both answers are the same to ask"
    assert found["tokens_at_most"]["judging"] > 0
    assert found["cost_at_most"] == {"judging": 0.0}
    assert cli(*call).out.startswith("judging: at most 1 calls, ")
    assert ollama.chats == []
