"""A question that names no subject is asked back; one that does is not."""

import datetime as dt
import json
from pathlib import Path

import pytest
from made_hits import made_hit

from policy_rag import PolicyAssistant
from policy_rag.answering.clarification import clarify, listed_candidates, names_candidate
from policy_rag.records.answer import Status
from policy_rag.records.search import SearchRank, SearchRequest

SAMPLE = Path(__file__).parents[3] / "eval/datasets/brannholt"
CLAIMS = made_hit(
    "The deadline for claims is 30 days.", rank=1, file="expenses.md", title="Claims", path=("Expenses", "Claims")
)
LEAVE = made_hit("The deadline for leave is Friday.", rank=2, file="leave.md", title="Leave", path=("Leave", "Leave"))
OTHER = made_hit("Nothing of the kind.", rank=3, file="other.md", title="", path=("Other",))


def test_documents_that_match_equally_are_the_candidates_and_can_be_read_from_the_question_back():
    found = clarify("What is the deadline?", [CLAIMS, LEAVE, OTHER])
    assert found is not None
    assert found.candidates == (CLAIMS, LEAVE)
    lines = ("Several policies could be meant. Which one do you ask about?", "- Expenses: 1 Claims", "- Leave")
    assert found.question == "\n".join(lines)
    assert listed_candidates(found.question) == ("Expenses: 1 Claims", "Leave")
    assert listed_candidates("Which one?\n- Leave") == ()


@pytest.mark.parametrize(
    ("question", "hits"),
    [
        ("What is the deadline for claims?", [CLAIMS, LEAVE]),  # names its subject
        ("What is the deadline?", [CLAIMS, OTHER]),  # one document knows of a deadline
        ("What is the deadline?", [CLAIMS]),
        ("What is the deadline?", []),
        ("What does the rule 4.2 say?", [CLAIMS, LEAVE]),
        ("Which rule applies?", [made_hit("Rule.", found_by={"clause": SearchRank(1, 1.0)}), OTHER]),
    ],
)
def test_nothing_is_asked_back(question, hits):
    assert clarify(question, hits) is None


@pytest.mark.parametrize(
    ("reply", "named"),
    [
        ("Code of Conduct", True),
        ("the one on gifts?", True),
        ("Model Governance Standard: 4 Approval of models and data", True),  # copied from the list, however long
        ("I think it was in the code of conduct of our group", True),
        ("when to travel", True),  # a title, whatever word it begins with
        ("What is the limit for gifts?", False),
        ("May I accept gifts?", False),
        ("Darf ich Geschenke annehmen?", False),
        ("Combien de jours puis-je prendre ?", False),
        ("a hotel room in London costs more than elsewhere", False),
    ],
)
def test_a_reply_names_what_was_meant(reply, named):
    listed = ("Code of Conduct", "Model Governance Standard: 4 Approval of models and data", "When to travel")
    assert names_candidate(reply, listed) is named


@pytest.mark.parametrize(
    ("question", "texts", "languages", "general"),
    [
        ("Was ist die Frist?", ("Die Frist ist kurz.", "Eine Frist gilt."), ("english", "german"), True),
        ("Was ist die Frist?", ("Die Frist ist kurz.", "Eine Frist gilt."), ("english",), False),
        ("Quel est le délai ?", ("Le délai est court.", "Un délai est prévu."), ("french",), True),
        ("Quel est le délai de paiement ?", ("Le délai est court.", "Un délai est prévu."), ("french",), False),
    ],
)
def test_a_general_question_in_another_language_of_the_index(question, texts, languages, general):
    hits = [made_hit(text, file=f"{n}.md", path=(f"{n}",)) for n, text in enumerate(texts)]
    assert (clarify(question, hits, languages) is not None) is general


def test_no_more_than_five_candidates():
    hits = [made_hit("Follow the policy.", rank=i, file=f"{i}.md") for i in range(1, 9)]
    found = clarify("How do I follow the policy?", hits)
    assert found is not None
    assert found.candidates == tuple(hits[:5])


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clarify") / "index"
    with PolicyAssistant.open(folder, create=True, llm="extractive", today=dt.date(2026, 9, 1)) as assistant:
        assistant.ingest([SAMPLE / "documents"])
        yield assistant


def many(value):
    return (value,) if isinstance(value, str) else tuple(value or ())


def test_of_the_sample_companys_questions_hardly_one_is_asked_back(sample):
    rows = [json.loads(line) for line in (SAMPLE / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
    days = [dt.date.fromisoformat(row["as_of"]) if row.get("as_of") else None for row in rows]
    requests = [
        SearchRequest(row["text"], many(row.get("where")), many(row.get("as")), day)
        for row, day in zip(rows, days, strict=True)
    ]
    results = sample.search_many(requests, top_k=8, reranker="none")  # in another order, and minutes later
    assert len(results) > 200
    assert sum(clarify(r.question, r.hits, ("english", "german")) is not None for r in results) <= 2


def test_the_assistant_asks_back_naming_only_what_the_asker_may_read(sample):
    answer = sample.ask("How do I follow the policy?", trace=True)
    assert (answer.status, answer.answered, answer.citations) == (Status.CLARIFY, False, ())
    assert answer.clarification == answer.answer
    assert len(answer.nearest) >= 2
    assert answer.trace[-1]["step"] == "clarify"
    readable = {document.doc_id for document in sample.documents()}
    assert {hit.doc_id for hit in answer.nearest} <= readable
    assert len(readable) < len(sample.documents(groups=("board", "management", "hr", "legal")))


def test_one_document_leaves_nothing_to_ask(sample):
    document = sample.ask("How do I follow the policy?").nearest[0].doc_id
    assert sample.ask("How do I follow the policy?", where=[f"doc_id={document}"]).status is not Status.CLARIFY
