"""The shipped reader: what it says where there is little doubt, and what happens where there is nothing to read."""

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from policy_rag.errors import ModelError
from policy_rag.models import reader as module
from policy_rag.models.onnx.runtime import onnx_runtime
from policy_rag.models.reader import LOWEST, Reader, Support
from policy_rag.models.reader_language import is_english
from policy_rag.models.reader_reranker import ReaderReranker
from policy_rag.models.reader_windows import best_spans, starts

LEAVE = "Employees are entitled to 30 days of paid leave a year. Leave that is not taken by 31 March lapses."
TRAVEL = "Trips abroad must be approved by the head of department at least ten days before departure."
PARKING = "The car park is open from six in the morning until ten at night. Bicycles stand in the yard."

pytestmark = pytest.mark.skipif(not module._SHIPPED.is_dir(), reason="this checkout has no reader_weights")


@pytest.fixture(scope="module")
def reader():
    return Reader.load()


def test_the_passage_that_is_asked_for_is_the_most_relevant(reader):
    passages = [PARKING, TRAVEL, LEAVE]
    assert np.argmax(reader.relevance("How many days of leave do I get?", passages)) == 2
    assert np.argmax(reader.relevance("Who approves trips abroad?", passages)) == 1


def test_spans_are_characters_of_the_passage(reader):
    reading, other = reader.read("How many days of paid leave do employees get?", [LEAVE, PARKING])
    assert "30" in LEAVE[reading.spans[0].start : reading.spans[0].end]
    assert 0 < reading.answerability <= 1
    assert reading.relevance > other.relevance
    assert reading.answerability > other.answerability


def test_a_long_passage_is_read_to_its_end(reader):
    long = f"{PARKING} " * 40 + TRAVEL
    reading = reader.read("Who approves trips abroad?", [long])[0]
    assert reading.spans[0].start > len(long) - len(TRAVEL)
    assert all(0 <= span.start < span.end <= len(long) for span in reading.spans)


def test_a_passage_is_ranked_by_both_logits_of_its_first_tokens(reader):
    outputs = ("relevance", "answerable")
    asked = ("Who approves trips abroad?", TRAVEL)
    ((_, found),) = reader._run([asked], 1, reader.config.ranked_tokens, outputs)
    assert reader.relevance(asked[0], [TRAVEL])[0] == pytest.approx((found["relevance"] + found["answerable"]) / 2)
    behind = f"{PARKING} " * 40
    assert reader.relevance(asked[0], [behind + TRAVEL])[0] == reader.relevance(asked[0], [behind + LEAVE])[0]


def test_batches_do_not_change_what_is_said(reader):
    alone = [reader.relevance("Who approves trips abroad?", [text])[0] for text in (PARKING, TRAVEL, LEAVE)]
    together = reader.relevance("Who approves trips abroad?", [PARKING, TRAVEL, LEAVE])
    assert np.allclose(alone, together, atol=0.05)


def test_many_questions_are_ranked_as_one_by_one_and_what_is_not_read_is_level(reader):
    asked = [
        ("Who approves trips abroad?", [PARKING, TRAVEL]),
        ("Wer genehmigt Reisen ins Ausland?", [TRAVEL, LEAVE, PARKING]),
        ("How many days of leave do I get?", [LEAVE, "", TRAVEL]),
        ("Who parks?", []),
    ]
    found = ReaderReranker().score_many(asked)
    for place in (0, 2, 3):
        assert np.allclose(found[place], reader.relevance(*asked[place]), atol=1e-5)
    assert found[1] == [0.0, 0.0, 0.0]


def test_support_adds_up_to_one(reader):
    found = reader.support([LEAVE, LEAVE], ["Employees have 30 days of paid leave.", "Nobody is paid during leave."])
    for one in found:
        assert one.supported + one.contradicted + one.neither == pytest.approx(1)
    assert found[0].supported > found[1].supported


def test_nothing_to_read_has_a_result(reader):
    assert reader.relevance("Who?", []).shape == (0,)
    assert reader.relevance("Who?", ["", " \n"]).tolist() == [LOWEST, LOWEST]
    assert reader.read("Who?", [""])[0].spans == ()
    assert reader.read("Who?", [""])[0].answerability == 0
    assert reader.support([" "], ["Somebody approves."]) == (Support(0.0, 0.0, 1.0),)


def test_a_blank_question_is_an_error(reader):
    with pytest.raises(ModelError, match="blank"):
        reader.relevance(" ", [LEAVE])
    with pytest.raises(ModelError, match="blank"):
        reader.support([LEAVE], [""])


def test_a_question_longer_than_its_share_is_cut(reader):
    assert np.isfinite(reader.relevance("why and " * 500, [LEAVE])[0])


def test_it_is_loaded_once(reader):
    assert Reader.load() is reader


@pytest.fixture
def copy(tmp_path):
    """The shipped files, by links: take one away before another is written in its place."""
    return shutil.copytree(module._SHIPPED, tmp_path / "copy", copy_function=os.symlink)


@pytest.mark.parametrize(
    ("name", "altered", "said"),
    [
        *((name, None, "cannot be read") for name in ("reader.onnx", "vocab/tokenizer.json", "reader.json")),
        (
            "reader.onnx",
            lambda was: was[:1000] + b"\0\0\0\0\1" + was[1005:],
            r"not the one that its reader\.json names",
        ),
        ("reader.json", lambda _: b"{}", "cannot be read"),
    ],
)
def test_a_file_that_is_missing_or_altered_is_said_in_one_line(copy, name, altered, said):
    was = (copy / name).read_bytes()
    (copy / name).unlink()
    if altered is not None:
        (copy / name).write_bytes(altered(was))
    with pytest.raises(ModelError, match=f"{said}.*install policy-rag anew") as told:
        Reader.load(copy)
    assert "\n" not in str(told.value)


def test_a_runtime_that_cannot_run_it_is_said(copy, monkeypatch):
    onnxruntime = onnx_runtime()

    def refuse(*_, **__):
        raise RuntimeError("NOT_IMPLEMENTED:\nMatMulIntegerToFloat")

    monkeypatch.setattr(onnxruntime, "InferenceSession", refuse)
    with pytest.raises(ModelError, match=r"8-bit integers \(NOT_IMPLEMENTED: MatMulIntegerToFloat\)"):
        Reader.load(copy)


def test_neither_pytorch_nor_transformers_is_needed():
    code = (
        "import sys; sys.modules['torch'] = None; sys.modules['transformers'] = None\n"
        "from policy_rag.models.reader import Reader\n"
        "print(Reader.load().relevance('Who approves?', ['The head approves.'])[0])"
    )
    assert (
        float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout) > LOWEST
    )


def test_the_wheel_has_room_for_it():
    assert sum(file.stat().st_size for file in module._SHIPPED.rglob("*") if file.is_file()) < 40 << 20
    said = json.loads((module._SHIPPED / "reader.json").read_text())
    assert said["support_labels"] == ["supported", "contradicted", "neither"]


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("How many days of leave do I get?", True),
        ("Travel costs", True),
        ("Wie viele Urlaubstage habe ich?", False),
        ("Combien de jours de congé ai-je par an ?", False),
        ("Quantos dias de férias tenho por ano?", False),
    ],
)
def test_questions_in_other_languages_are_known_as_such(text, english):
    assert is_english(text) is english


def test_windows_cover_everything():
    for length in range(1, 300):
        found = starts(length, 50, 20)
        assert {token for start in found for token in range(start, min(start + 50, length))} == set(range(length))


def test_spans_never_overlap():
    rng = np.random.default_rng(0)
    found = best_spans(rng.normal(size=40), rng.normal(size=40), most_tokens=8, count=6)
    places = [set(range(first, last + 1)) for first, last, _ in found]
    assert all(0 < len(place) <= 8 for place in places)
    assert sum(map(len, places)) == len(set.union(*places))
    assert [score for *_, score in found] == sorted((score for *_, score in found), reverse=True)
