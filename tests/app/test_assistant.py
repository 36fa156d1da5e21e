"""The main path from Python: ingest, search, ask; with an LLM over the wire and without one."""

import datetime as dt
import json
import re
import shutil
from pathlib import Path

import pytest
from made_policies import made_policy

from policy_rag import PolicyAssistant
from policy_rag.answering.presentation.wording import headline
from policy_rag.errors import IndexingError, ModelError, UsageError
from policy_rag.records.answer import Status
from policy_rag.records.serialization import to_json

EXPENSES = made_policy(
    "Expenses Policy",
    ("Hotels", "A hotel room costs at most 120 euros a night, unless the line manager agrees to more in advance."),
    ("Meals", "Meals on business trips are reimbursed up to 40 euros a day. Alcohol is never reimbursed."),
    ("Claims", "Claims are submitted within 30 days of the end of the trip."),
)


HOTEL = "How much may a hotel room cost?"


@pytest.fixture(scope="module")
def index(index_of):
    return index_of({"expenses.md": EXPENSES})


@pytest.fixture(scope="module")
def opened(index):
    with PolicyAssistant.open(index, today=dt.date(2026, 9, 1), llm="extractive") as assistant:
        yield assistant


@pytest.fixture
def asked(index, ollama):
    """Asks the LLM, which writes what it is told to."""

    def ask(reply, question=HOTEL, **settings):
        ollama.replies = [reply]
        with PolicyAssistant.open(index, llm="ollama/llama3.2", **settings) as assistant:
            return assistant.ask(question, trace=True)

    return ask


def written(place, **files):
    """Policies in a folder, by their names without the ending."""
    place.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (place / f"{name}.md").write_text(text, encoding="utf-8")
    return place


def section_of(body, words):
    """The number under which a section stands in the prompt."""
    prompt = body["messages"][-1]["content"]
    return next(
        n for n, text in re.findall(r'<section n="(\d+)".*?>(.*?)</section>', prompt, re.DOTALL) if words in text
    )


def test_quotations_are_exactly_at_their_place(opened):
    answer = opened.ask(HOTEL)
    assert answer.status is Status.ANSWERED
    assert "unless the line manager agrees" in answer.answer
    for citation in answer.citations:
        assert EXPENSES[citation.start : citation.end] == citation.quote
        assert opened.show(citation.doc_id, span=(citation.start, citation.end)).text == citation.quote


def test_a_refusal_shows_the_nearest_and_no_citation(opened):
    answer = opened.ask("What is the boiling point of tungsten?")
    assert (answer.status, answer.answered, answer.citations) == (Status.REFUSED, False, ())
    assert 0 < len(answer.nearest) <= 3
    assert "do not answer" in answer.answer


def support_of(answer):
    """The score by which an answer is shown or refused; its confidence heeds the quotation too."""
    return next(step["support"] for step in answer.trace if step["step"] == "support")


def test_support_is_weighed_by_both_searches_where_one_alone_is_asked_for(opened):
    both = opened.ask(HOTEL, trace=True)
    for search in ("vector", "keyword"):
        one = opened.ask(HOTEL, search=search, trace=True)
        assert support_of(one) == support_of(both)
        assert one.shown
        assert "120 euros" in one.answer
    assert not opened.ask("How much is a quokka?", search="keyword").answered


class CountingReranker:
    """Turns the order round, and takes down what it was given to score."""

    blend = 1.0
    depth = None

    def __init__(self):
        self.pairs = []

    def score_many(self, questions):
        self.pairs += [(question, text) for question, texts in questions for text in texts]
        return [[float(i) for i in range(len(texts))] for _, texts in questions]


@pytest.mark.parametrize("search", ["vector", "keyword"])
def test_support_is_weighed_in_the_fused_order_and_costs_no_second_reranking(index, opened, monkeypatch, search):
    reranker = CountingReranker()
    with PolicyAssistant.open(index, today=dt.date(2026, 9, 1), llm="extractive") as assistant:
        monkeypatch.setattr("policy_rag.models.factory.load_reranker", lambda *_, **__: reranker)
        seen = len(assistant.search(HOTEL, search=search, reranker="folder", top_k=50).hits)
        scored, reranker.pairs = reranker.pairs, []
        answer = assistant.ask(HOTEL, search=search, reranker="folder", trace=True)
    assert reranker.pairs == scored
    assert len(set(scored)) == len(scored) == seen > 0
    assert support_of(answer) == support_of(opened.ask(HOTEL, reranker="none", trace=True))


@pytest.mark.parametrize("limit", [{"min_score": 0.2}, {"gap_share": 0.3}])
def test_limits_for_the_scores_of_one_search_are_none_for_the_support(opened, limit):
    both = opened.ask(HOTEL, trace=True)
    assert support_of(opened.ask(HOTEL, search="vector", trace=True, **limit)) == support_of(both)


def test_support_is_weighed_under_what_was_read_out_of_the_question(opened):
    asked = "What does the Expenses Policy say about a hotel room in force on 1 May 2026?"
    both = opened.ask(asked, self_query="rules", trace=True)
    one = opened.ask(asked, self_query="rules", search="keyword", trace=True)
    assert both.filters == one.filters != ()
    assert support_of(one) == support_of(both)


def test_the_trace_lists_the_steps_only_when_asked_for(opened):
    assert opened.ask(HOTEL).trace is None
    trace = opened.ask(HOTEL, trace=True).trace
    assert [step["step"] for step in trace] == ["search", "rerank", "evidence", "support", "quote"]
    assert all(step["ms"] >= 0 for step in trace)
    json.dumps(to_json(trace))


def test_who_answers_is_looked_for_where_that_is_automatic(index, ollama):
    with PolicyAssistant.open(index, llm="auto") as assistant:
        assert assistant.answerer() == "ollama/llama3.2"
        assert assistant.answerer("extractive") == "extractive"
        ollama.models = []
        assert assistant.answerer() == "extractive"


def test_an_answer_from_ollama_cites_and_is_checked(asked, ollama):
    answer = asked(
        lambda body: (
            f"A hotel room costs at most 120 euros a night, unless the line manager agrees to more in advance "
            f"[{section_of(body, '120 euros')}]. Meals are reimbursed up to 90 euros a day [{section_of(body, '40 euros')}]."
        )
    )
    assert answer.llm == "ollama/llama3.2"
    assert answer.answered
    assert "120 euros" in answer.answer
    assert "90 euros" not in answer.answer
    assert len(answer.removed) == 1
    (citation,) = answer.citations
    assert EXPENSES[citation.start : citation.end] == citation.quote
    assert [step["step"] for step in answer.trace] == [
        "search",
        "rerank",
        "evidence",
        "support",
        "quote",
        "llm",
        "check",
    ]
    step, checked = answer.trace[-2:]
    assert step["template"].startswith("answer 2 ")
    assert "expenses.md 1" in step["sections"]
    assert step["reply"] == ollama.replies[0](ollama.chats[0])
    assert min(step["tokens_in"], step["tokens_out"], step["ms"]) > 0
    assert step["cost"] == 0
    assert "40 euros" in step["variables"]["sections"]
    assert (checked["statements"], checked["removed"]) == (1, 1)
    assert "90 euros" in checked["why_removed"][0]["statement"]
    (chat,) = ollama.chats
    assert chat["options"]["temperature"] == 0
    assert "seed" in chat["options"]


def test_a_setting_shows_what_does_not_hold_and_says_so(asked):
    answer = asked(
        lambda body: "Meals are reimbursed up to 90 euros a day [{0}]. Alcohol is never reimbursed [{0}].".format(
            section_of(body, "40 euros")
        ),
        "How much is reimbursed for meals, and is alcohol?",
        unverified="mark",
    )
    assert answer.answer == (
        "Meals are reimbursed up to 90 euros a day (not borne out by its source). Alcohol is never reimbursed [1]."
    )
    assert answer.removed == ()
    checked = answer.trace[-1]
    assert (checked["statements"], checked["removed"], checked["marked"]) == (1, 0, 1)
    assert checked["why_removed"][0]["reason"] == "90 (eur) is not in what it cites"
    assert [citation.quote for citation in answer.citations] == ["Alcohol is never reimbursed."]


@pytest.mark.parametrize(
    ("reply", "removed", "said", "above"),
    [
        ("The sections do not answer this question.", (), "The policies found do not answer", "The nearest sections"),
        ("A hotel room may cost 900 euros [1].", ("A hotel room may cost 900 euros [1].",),
         "Nothing of what the LLM wrote is borne out by what it cites.", "The sections found, which may answer it"),
        ("<think>The hotel section says", (), "The LLM wrote nothing. The sections found may answer this question.",
         "The sections found, which may answer it"),
    ],
)  # fmt: skip
def test_a_refusal_tells_what_a_model_says_from_what_it_wrote_in_vain(asked, reply, removed, said, above):
    answer = asked(reply)
    assert (answer.status, answer.removed) == (Status.REFUSED, removed)
    assert answer.answer.startswith(said)
    assert headline(answer).startswith(above)
    assert answer.nearest


def test_a_question_without_support_costs_no_call(asked, ollama):
    assert not asked("", "What is the boiling point of tungsten?").answered
    assert ollama.chats == []


def test_auto_takes_ollama_where_it_answers_and_says_who_answered(index, ollama):
    ollama.replies = [
        lambda body: f"Claims are submitted within 30 days of the end of the trip [{section_of(body, '30 days')}]."
    ]
    with PolicyAssistant.open(index) as assistant:
        answer = assistant.ask("By when are claims submitted?")
        assert (answer.llm, answer.answered) == ("ollama/llama3.2", True)
        assert ollama.host in answer.notices[0]
        ollama.models = []
        answer = assistant.ask("By when are claims submitted?")
        assert answer.llm == "extractive"
        assert "ollama pull llama3.2" in answer.notices[0]


def test_a_model_that_is_missing_is_one_error_and_the_index_is_untouched(index, ollama):
    with PolicyAssistant.open(index, llm="ollama/other") as assistant:
        with pytest.raises(ModelError, match="ollama pull other"):
            assistant.ask(HOTEL)
        assert [d.doc_id for d in assistant.documents()] == ["expenses.md"]
        assert assistant.ask(HOTEL, llm="extractive").answered


@pytest.mark.parametrize("question", ["", "  \n\t ", "a" * 20_001, None])
def test_what_is_no_question_is_refused(opened, question):
    with pytest.raises(UsageError):
        opened.ask(question)


def test_an_unknown_option_lists_the_known_ones(opened):
    with pytest.raises(UsageError, match=r"top_k"):
        opened.search("hotel", topk=3)


@pytest.mark.parametrize(
    "setting", [{"chunker": "sentence"}, {"embedding": "BAAI/bge-small-en-v1.5"}, {"bm25_k1": 2.0}]
)
def test_a_setting_that_an_index_is_opened_with_is_not_taken_and_ignored_by_a_question(opened, setting):
    (name,) = setting
    said = rf"{name} is no setting of one question: give it to PolicyAssistant\.open"
    for call in (opened.search, opened.ask):
        with pytest.raises(UsageError, match=said):
            call("hotel", **setting)


def test_one_path_one_group_and_one_document_are_no_lists_of_their_characters(tmp_path, monkeypatch):
    text = "---\naccess: [{}]\n---\n# Rules {}\n\nRule {} holds.\n"
    access = {"a": "x", "b": "hr", "ab": "hr"}
    monkeypatch.chdir(written(tmp_path / "in", **{name: text.format(access[name], name, name) for name in access}))
    with PolicyAssistant.open(tmp_path / "index", create=True) as assistant:
        assert assistant.ingest("./", doc_ids={"a.md": "a", "b.md": "b", "ab.md": "ab"}).added == 3
        assert [d.doc_id for d in assistant.documents(groups="hr")] == ["ab", "b"]
        assert "Rule b holds." in assistant.show("b", groups="hr").text
        assert assistant.document("b", "hr").doc_id == "b"
        assert assistant.remove("ab", groups="hr") == 1
        assert [d.doc_id for d in assistant.documents(groups=["hr", "x"])] == ["a", "b"]
        assert assistant.ingest(Path("a.md"), doc_ids={"a.md": "a"}).unchanged == 1
        with pytest.raises(UsageError, match="no file and no folder is named"):
            assistant.ingest([])


def test_ingesting_again_after_a_move_and_with_prune(tmp_path):
    policies = written(tmp_path / "policies", expenses=EXPENSES, old="# Old\n\n## 1. Fax\n\nA fax is sent by post.\n")
    with PolicyAssistant.open(tmp_path / "index", create=True, llm="extractive") as assistant:
        assert assistant.ingest([policies]).added == 2
        (policies / "finance").mkdir()
        (policies / "expenses.md").rename(policies / "finance" / "costs.md")
        report = assistant.ingest([policies])
        assert (report.added, report.unchanged, report.embedded) == (0, 2, 0)
        assert {d.doc_id for d in assistant.documents()} == {"finance/costs.md", "old.md"}
        (policies / "old.md").unlink()
        assert assistant.ingest([policies]).removed == 0
        assert assistant.ingest([policies], prune=True).removed == 1
        assert [d.doc_id for d in assistant.documents()] == ["finance/costs.md"]


def test_a_namesake_from_another_folder_does_not_take_its_place(tmp_path):
    written(tmp_path / "a", policy=EXPENSES)
    written(tmp_path / "b", policy="# Other\n\n## 1. Cats\n\nCats are welcome.\n")
    with PolicyAssistant.open(tmp_path / "index", create=True) as assistant:
        assistant.ingest([tmp_path / "a"])
        with pytest.raises(UsageError, match="ingest their common folder"):
            assistant.ingest([tmp_path / "b"])
        assert assistant.documents()[0].title == "Expenses Policy"


def test_the_same_folder_under_another_path_is_known_by_its_content(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    written(first, **{name: f"# Rules {name}\n\nRule {name} holds for all.\n" for name in "abc"})
    with PolicyAssistant.open(tmp_path / "index", create=True) as assistant:
        assistant.ingest([first])
        shutil.copytree(first, second)
        written(second, c="# Rules c\n\nRule c holds for nobody.\n")
        report = assistant.ingest([second])
        assert (report.unchanged, report.updated, report.added, report.skipped) == (2, 1, 0, ())
        assert f"these are the documents of {first}" in report.notes[0]
        assert {Path(document.root) for document in assistant.documents()} == {second}
        assert assistant.verify().ok
        (second / "b.md").unlink()
        assert assistant.ingest([second], prune=True).removed == 1


def test_an_index_made_with_another_model_names_it(index):
    with (
        PolicyAssistant.open(index, embedding="BAAI/bge-small-en-v1.5") as assistant,
        pytest.raises(IndexingError, match=r"all-MiniLM-L6-v2, not BAAI/bge-small-en-v1\.5"),
    ):
        assistant.search("hotel")


def test_access_declared_beside_the_files_holds_and_slips_are_reported(tmp_path):
    policies = tmp_path / "policies"
    written(policies / "hr", pay="# Pay\n\n## 1. Bands\n\nBand A starts at 40,000 euros.\n")
    written(policies, open=EXPENSES)
    (policies / "policies.yaml").write_text("hr/pay.md:\n  access: [hr]\nopne.md:\n  access: [hr]\n", encoding="utf-8")
    with PolicyAssistant.open(tmp_path / "index", create=True) as assistant:
        report = assistant.ingest([policies])
        assert any("'opne.md'" in note and "did you mean 'open.md'?" in note for note in report.notes)
        assert [(s.file, s.failed) for s in report.skipped] == [("open.md", True)]
        assert assistant.documents() == ()
        sidecar = policies / "policies.yaml"
        sidecar.write_text(sidecar.read_text().replace("opne.md:\n  access: [hr]", "open.md:\n  access: []"))
        assert assistant.ingest([policies]).notes == ()
        assert [d.doc_id for d in assistant.documents()] == ["open.md"]
        assert [d.doc_id for d in assistant.documents(groups=["hr"])] == ["hr/pay.md", "open.md"]
        assert "hr/pay.md" not in {h.doc_id for h in assistant.search("Where does band A start?", top_k=20).hits}


def test_a_day_is_given_as_a_date_or_as_text(index_of):
    told = "---\neffective_from: 2026-01-01\n---\n# Leave\n\n## 1. Carry-over\n\nAt most five days are carried over.\n"
    question = "How many days are carried over?"
    before, since = dt.date(2025, 9, 1), "2026-09-01"
    with PolicyAssistant.open(index_of({"leave.md": told}), llm="extractive") as assistant:
        assert not assistant.search(question, as_of=before).hits
        assert not assistant.search(question, as_of="2025-09-01").hits
        hits = assistant.search(question, as_of=since).hits
        assert hits
        for day in (dt.date(2026, 9, 1), dt.datetime(2026, 9, 1, 12, tzinfo=dt.UTC)):
            assert hits == assistant.search(question, as_of=day).hits
        assert "five days" in assistant.ask(question, as_of=since).answer
        assert "five days" not in assistant.ask(question, as_of="2025-09-01").answer
        assert "five days" in assistant.chat(as_of=since).ask(question).answer
        calls = (
            lambda: assistant.search(question, as_of="soon"),
            lambda: assistant.ask(question, as_of="soon"),
            lambda: assistant.chat(as_of="soon"),
            lambda: assistant.check("Five days are carried over.", as_of="soon"),
            lambda: assistant.conflicts(as_of="soon"),
            lambda: assistant.retriever(as_of="soon"),
            lambda: assistant.search(question, as_of=20260901),
        )
        for call in calls:
            with pytest.raises(UsageError, match="is no day: write it as 2026-01-31, or leave it out"):
                call()


@pytest.mark.parametrize(
    ("under", "says"),
    [
        ({"where": "nonsense"}, "the filter 'nonsense' is none: write KEY=A"),
        ({"where": 5}, "5 is given where a text is expected: give one, a list of them"),
        ({"groups": 5}, "5 is given where a text is expected"),
        ({"groups": [5, "hr"]}, "is given where a text is expected"),
    ],
)
def test_what_is_no_filter_and_no_group_is_refused_at_once(assistant, under, says):
    for call in (assistant.retriever, assistant.chat):
        with pytest.raises(UsageError, match=says):
            call(**under)
