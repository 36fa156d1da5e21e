"""Others' retrievers: where what they give stands, that they are scored as ours are, and what is said when they fail."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from one_evaluation import evaluated
from small_dataset import LEAVE, TRAVEL, WordHashes

from policy_rag.cli import run
from policy_rag.errors import PolicyRagError, UsageError
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.measures.gold_matching import QuestionGold
from policy_rag_eval.measures.measures import DEFAULT_MEASURES, Measure
from policy_rag_eval.measures.trec import read_run, write_run
from policy_rag_eval.sweep.evaluation import Evaluation, evaluate_peer
from policy_rag_eval.sweep.grids import configurations
from policy_rag_eval.sweep.peers import Found, Retriever, named_retriever
from policy_rag_eval.sweep.plan import plan
from policy_rag_eval.sweep.sweep import sweep

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
NDCG = Measure.parse("ndcg@10")
HOLIDAY = "Employees have thirty days of paid holiday a year."


def scored(dataset: Dataset, retriever: Retriever, corpus: Corpus = Corpus.FILES) -> Evaluation:
    fitted = dataset.for_corpus(corpus)
    return evaluate_peer("peer", retriever, fitted, corpus, DEFAULT_MEASURES, gold=QuestionGold(fitted, corpus))


def first_of(dataset: Dataset, result: object) -> str:
    return scored(dataset, lambda _: [result]).rankings["q1"][0]


@pytest.mark.parametrize(
    "result",
    [
        "holiday",
        f"leave.md:{LEAVE.index(HOLIDAY)}-{LEAVE.index(HOLIDAY) + 50}",
        Found("leave.md", LEAVE.index(HOLIDAY), LEAVE.index(HOLIDAY) + 50),
        Found("/somewhere/else/leave.md", text=HOLIDAY),
        Found("leave", text="Employees   have thirty\ndays of paid holiday a year."),
        Found(text=HOLIDAY),
        # Offsets of a text that another loader made: the words count.
        Found("leave.md", 3, 53, HOLIDAY),
        NodeWithScore(node=TextNode(text=HOLIDAY, metadata={"file_name": "leave.md"}), score=0.5),
        TextNode(text=HOLIDAY),
    ],
    ids=lambda result: type(result).__name__,
)
def test_what_is_given_finds_its_place(dataset: Dataset, result: object) -> None:
    assert first_of(dataset, result) == "holiday"


def test_a_text_that_stands_nowhere_is_a_hit_that_answers_nothing(dataset: Dataset) -> None:
    found = scored(dataset, lambda _: [Found(text="Nobody wrote this."), "holiday"])
    assert found.rankings["q1"][1] == "holiday"
    assert found.scores.values[Measure.parse("mrr@10")][0] == 0.5
    assert "5 hits of peer stand in no file" in found.notes[1]


class Fixed(BaseRetriever):
    """A LlamaIndex retriever that gives both documents, the right one first for questions on leave."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        leave = NodeWithScore(node=_node(LEAVE, "leave.md"), score=1.0)
        travel = NodeWithScore(node=_node(TRAVEL, "travel.md"), score=0.5)
        about_leave = any(word in query_bundle.query_str for word in ("holiday", "doctor"))
        return [leave, travel] if about_leave else [travel, leave]


def _node(text: str, file: str) -> TextNode:
    return TextNode(text=text, metadata={"file": file}, start_char_idx=0, end_char_idx=len(text))


def test_a_llama_index_retriever_is_scored_by_its_places(dataset: Dataset) -> None:
    found = scored(dataset, Fixed())
    assert found.settings == {"retriever": "Fixed", "chunker": "its own"}
    assert found.measures[Measure.parse("recall@10")].mean == 1.0
    # A document holds both gold passages of q4, of which each is one label: two ranks. Whole documents are long reading.
    assert found.rankings["q4"][:2] == ("train", "hotel")
    assert found.latencies_ms["total"].median >= 0
    assert "not told the filters, groups and days that 3 questions have" in " ".join(found.notes)
    assert "gives 2 hits at most" in " ".join(found.notes)


def test_our_own_run_file_gives_our_own_figures(dataset: Dataset, tmp_path: Path, model: WordHashes) -> None:
    ours = evaluated(dataset, Corpus.FILES, tmp_path)
    write_run(tmp_path / "ours.run", ours.rankings, "ours")
    again = scored(dataset, tmp_path / "ours.run")
    assert again.scores.values[NDCG] == ours.scores.values[NDCG]
    assert again.rankings == ours.rankings
    assert again.timings_ms == {}


def test_any_cut_off_in_characters_can_be_asked_for(dataset: Dataset) -> None:
    # The first fifty characters are the whole gold of q1, the first ten a fifth of it.
    measures = [Measure.parse(f"recall@{chars}chars") for chars in (10, 50)]
    fitted = dataset.for_corpus(Corpus.FILES)
    gold = QuestionGold(fitted, Corpus.FILES)
    found = evaluate_peer("peer", lambda _: ["holiday"], fitted, Corpus.FILES, measures, gold=gold)
    ten, fifty = (found.scores.values[measure][0] for measure in measures)
    assert fifty == 1.0
    assert 0.1 < ten < 0.3


def test_gold_passages_are_scored_by_their_ids_and_by_their_text(dataset: Dataset) -> None:
    found = scored(
        dataset, lambda _: ["holiday", Found(text="Pets may come to the office on Fridays.")], Corpus.PASSAGES
    )
    assert found.rankings["q1"] == ("holiday", "nowhere")
    assert found.scores.values[NDCG][0] == 1.0


def test_a_run_file_is_read_by_score(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 b 1 0.5 x\nq1 Q0 a 2 0.9 x\n\nq2 Q0 a 1 1 x\n")
    assert read_run(path) == {"q1": ("a", "b"), "q2": ("a",)}
    path.write_text("q1 Q0 b 1\n")
    with pytest.raises(PolicyRagError, match="line 1: write `question Q0 label rank score name`"):
        read_run(path)
    path.write_text("q1 Q0 b 1 0.5 x\n", encoding="utf-8-sig")
    assert read_run(path) == {"q1": ("b",)}
    with pytest.raises(PolicyRagError, match="cannot be read as a run file"):
        read_run(tmp_path / "none.run")


def test_a_run_file_that_leaves_questions_out_says_so(dataset: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "one.run"
    path.write_text("q1 Q0 holiday 1 1 x\n")
    # q5 has its gold in no file, so that four are scored.
    assert scored(dataset, path).notes[1] == f"{path} has no lines for 3 of 4 questions: they count 0"
    path.write_text("".join(f"q{n} Q0 holiday 1 1 x\n" for n in range(1, 5)))
    assert "no lines" not in " ".join(scored(dataset, path).notes)


def test_failures_are_one_line(dataset: Dataset, tmp_path: Path) -> None:
    def broken(question: str) -> Sequence[str]:
        raise RuntimeError("no server")

    with pytest.raises(UsageError, match=r"peer fails on the question q1: RuntimeError\('no server'\)"):
        scored(dataset, broken)
    with pytest.raises(UsageError, match=r"peer gives 'thirty days', which is neither .*Found\(text=\.\.\.\)"):
        scored(dataset, lambda _: "thirty days")
    with pytest.raises(UsageError, match="neither the id of a gold passage nor FILE:START-END"):
        scored(dataset, lambda _: ["some words"])
    with pytest.raises(UsageError, match="int is nothing that can be scored"):
        scored(dataset, lambda _: [3])
    (tmp_path / "other.run").write_text("x1 Q0 b 1 0.5 x\n")
    with pytest.raises(UsageError, match="a run on other questions"):
        scored(dataset, tmp_path / "other.run")


def test_a_run_file_that_is_missing_is_told_before_anything_is_measured(
    dataset: Dataset, tmp_path: Path, model: WordHashes
) -> None:
    made = configurations({}, {"reranker": "none"})
    for call in (sweep, plan):
        with pytest.raises(PolicyRagError, match=r"nofile\.run cannot be read"):
            call(dataset, Corpus.FILES, made, tmp_path, peers={"theirs": Path("nofile.run")})
    assert model.embedded == 0


def test_what_stands_beside_is_named(tmp_path: Path) -> None:
    Path("made_retriever.py").write_text("def ask(question):\n    return ['holiday']\n")
    name, retriever = named_retriever("mine=made_retriever:ask")
    assert name == "mine"
    assert not isinstance(retriever, Path)
    Path("a.run").write_text("")
    assert named_retriever("theirs=a.run") == ("theirs", Path("a.run"))
    for text in ("x=nofile.run", "x=no/index"):
        with pytest.raises(UsageError, match=f"--beside {text}: there is no file or index {text[2:]}"):
            named_retriever(text)
    for text in ("mine", "=a.run", "mine=made_retriever", "mine=made_retriever:none", "mine=no_such_module:ask"):
        with pytest.raises(UsageError, match=r"--beside"):
            named_retriever(text)


def test_on_the_command_line_they_are_in_the_same_sweep(
    folder: Path, stored: Path, model: WordHashes, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("their_retriever.py").write_text("def ask(question):\n    return ['holiday', 'train']\n")
    call = ["eval", "retrieval", str(folder), "--set", "search=vector", "--set", "reranker=none"]
    assert run([*call, "--beside", "theirs=their_retriever:ask", "--against", "theirs"]) == 0
    out = capfd.readouterr().out
    assert "recall@2000chars" in out
    assert "theirs" in out
    assert "search=vector" in out
    assert run([*call, "--beside", "a=their_retriever:ask", "--beside", "a=their_retriever:ask", "--against", "b"]) == 2
