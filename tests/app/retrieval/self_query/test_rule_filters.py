"""Filters that a question holds: what is read, what is kept, what is dropped, and what stays unseen."""

import datetime as dt
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from named_editions import DOCUMENTS, TODAY, day, info

from policy_rag.records.search import SearchRequest
from policy_rag.records.serialization import to_json
from policy_rag.retrieval.filters import parse_filter, written_filter
from policy_rag.retrieval.pipeline import SearchPipeline
from policy_rag.retrieval.searcher import Searcher
from policy_rag.retrieval.self_query.rule_filters import read_filters_by_rule
from policy_rag.settings import SearchOptions
from policy_rag_parsers.document_metadata.declarations import Declaration


def read(question, documents=DOCUMENTS):
    return [str(condition) for condition in read_filters_by_rule(question, documents, TODAY).conditions]


@pytest.mark.parametrize(
    ("question", "conditions"),
    [
        ("How many days are there in the leave policy?", ["title=Leave Policy"]),
        ("What does the travel policy say about hotels?", ["title=Expenses and Travel Policy"]),
        ("What does 3(f) of the acceptable use policy forbid?", ["title=Acceptable Use Policy"]),
        ("According to our Code of Conduct, may I take gifts?", ["title=Code of Conduct"]),
        ("Does Code of Conduct apply to me?", ["title=Code of Conduct"]),
        ("Was steht in der Betriebsvereinbarung Arbeitszeit zu Pausen?", ["title=Betriebsvereinbarung Arbeitszeit"]),
        ("Is it in the leave, sickness and absence handbook?", ['title="Leave, Sickness and Absence Handbook"']),
        ("What did the 2025 travel policy say?", ["doc_id=doc1"]),
        ("Is it in the travel policy of 2026?", ["doc_id=doc2"]),
        ("What does the 2023 version of the travel policy say?", ["doc_id=doc1"]),
        (
            "Is a hotel paid under version 3.2 of the expenses policy?",
            ["title=Expenses and Travel Policy, version=3.2"],
        ),
        ("Is a hotel paid under the travel policy v4.0?", ["title=Expenses and Travel Policy, version=4.0"]),
        ("Is it in version 9.9 of the leave policy?", ["title=Leave Policy", "version=9.9"]),
        (
            "Was it in the travel policy of 2019?",
            ["title=Expenses and Travel Policy", "effective_from>=2019-01-01, effective_from<=2019-12-31"],
        ),
        ("What is in doc1.md on hotels?", ["doc_id=doc1"]),
        ("What does DOC2.md of 2026 say?", ["doc_id=doc2"]),
        ("How much leave is there for contractors?", ["audience=contractors"]),
        ("How much leave does she get as a contractor?", ["audience=contractors"]),
        ("Which policies on deadlines are there?", ["topics=deadlines"]),
        ("What do the rules about deadlines say?", ["topics=deadlines"]),
        ("What is said about deadlines?", []),  # what is not tagged may say it too
        ("May I work on deadlines at night?", []),
        ("Who opens the gate in Lübeck?", ["site=Lübeck"]),
        ("Which policies of the Finance department hold?", ["department=Finance"]),
        ("What do the IT department's rules say?", ["department=IT"]),
        ("What is forbidden where risk is high?", ["risk=high"]),
        ("Which documents are there, owner: Head of IT?", ["owner=Head of IT"]),
        ("What applied in 2024 for contractors?", ["as_of=2024-12-31", "audience=contractors"]),
    ],
)
def test_what_a_question_restricts_itself_to(question, conditions):
    assert read(question) == conditions


EDITIONS = (
    info(1, "Assessment Regulations", "2021/22", "2021-09-01", "2023-08-31"),
    info(2, "Assessment Regulations", "2023/24", "2023-09-01", "2025-08-31"),
    info(3, "Assessment Regulations", "2025/26", "2025-09-01"),
    info(4, "Dress Code", "Issue B", "2024-01-01", "2025-12-31"),
    info(5, "Dress Code", "5", "2026-01-01"),
    info(6, "Reiseordnung", "1.0", "2020-01-01", "2025-12-31"),
    info(7, "Reiseordnung", "2.0", "2026-01-01"),
)
REGULATIONS, CODE = "title=Assessment Regulations", "title=Dress Code"


@pytest.mark.parametrize(
    ("question", "conditions"),
    [
        ("What did the old assessment regulations say about resits?", ["doc_id=doc2"]),
        ("How many resits are there in the previous version of the assessment regulations?", ["doc_id=doc2"]),
        ("Was stand in der alten Reiseordnung zu Hotels?", ["doc_id=doc6"]),
        ("Was galt nach der vorigen Fassung der Reiseordnung?", ["doc_id=doc6"]),
        ("In the 2023/24 assessment regulations, how many resits are there?", [f"{REGULATIONS}, version=2023/24"]),
        ("In version 2023-24 of the assessment regulations, who marks?", [f"{REGULATIONS}, version=2023/24"]),
        ("Who marks in the assessment regulations 2021/22?", [f"{REGULATIONS}, version=2021/22"]),
        ("Who marks in the assessment regulations 2022/23?", [REGULATIONS]),
        ("Are ties worn under issue B of the dress code?", [f"{CODE}, version=Issue B"]),
        ("Are ties worn under the dress code (Issue B)?", [f"{CODE}, version=Issue B"]),
        ("Are ties worn under the dress code, version 5.2?", [CODE, "version=5.2"]),
        ("Are ties worn under the dress code, version 5?", [f"{CODE}, version=5"]),
    ],
)
def test_an_edition_is_known_by_its_age_and_by_what_it_calls_itself(question, conditions):
    assert read(question, EDITIONS) == conditions


def editions(title: str, other: str):
    return info(1, title, "3.2", "2020-01-01", "2025-12-31"), info(2, title, "4.0", "2026-01-01"), info(3, other, "1")


ABROAD = {
    "fr": editions("Politique de voyages et de frais", "Règlement intérieur"),
    "es": editions("Política de viajes y gastos", "Reglamento interno"),
    "pt": editions("Política de viagens e despesas", "Regulamento interno"),
}


@pytest.mark.parametrize(
    ("language", "question", "found"),
    [
        ("fr", "Combien de jours dans la politique de voyages ?", "travel"),
        ("fr", "Selon le règlement intérieur, puis-je fumer ?", "house"),
        ("fr", "Que dit la politique de voyages sur les hôtels ?", "travel"),
        ("fr", "Que prévoit la section 4 du règlement intérieur ?", "house"),
        ("fr", "L'hôtel est-il payé selon la version 3.2 de la politique de voyages ?", "3.2"),
        ("fr", "Que disait l'ancienne politique de voyages ?", "old"),
        ("fr", "Que disait la version précédente de la politique de voyages ?", "old"),
        ("fr", "J'ai enfreint la politique de voyages. Que faire ?", ""),
        ("fr", "Est-ce dans la politique de voyages ou le règlement fiscal ?", ""),
        ("fr", "Quel est le délai de préavis ?", ""),
        ("es", "¿Cuántos días hay en la política de viajes?", "travel"),
        ("es", "¿Qué establece el artículo 4 del reglamento interno?", "house"),
        ("es", "¿Se paga el hotel según la versión 3.2 de la política de viajes?", "3.2"),
        ("es", "¿Qué decía la versión anterior de la política de viajes?", "old"),
        ("es", "¿Tenemos una política de viajes?", ""),
        ("pt", "Quantos dias há na política de viagens?", "travel"),
        ("pt", "O que estabelece o artigo 4 do regulamento interno?", "house"),
        ("pt", "O que diz a política de viagens sobre hotéis?", "travel"),
        ("pt", "O que dizia a antiga política de viagens?", "old"),
        ("pt", "Qual é o prazo de aviso?", ""),
    ],
)
def test_documents_are_named_in_other_languages(language, question, found):
    travel, _, house = (document.title for document in ABROAD[language])
    wanted = {
        "travel": [f"title={travel}"],
        "house": [f"title={house}"],
        "old": ["doc_id=doc1"],
        "": [],
        "3.2": [f"title={travel}, version=3.2"],
    }
    assert read(question, ABROAD[language]) == wanted[found]


def test_an_earlier_edition_that_is_not_known_is_told():
    reading = read_filters_by_rule("What did the old leave policy say about days?", DOCUMENTS, TODAY)
    assert [str(one) for one in reading.conditions] == ["title=Leave Policy"]
    assert reading.notices == ("no earlier edition of Leave Policy is known here",)


@pytest.mark.parametrize(
    "question",
    [
        "I broke the travel policy, what happens now?",
        "Do we have a travel policy?",
        "Which policy covers gifts?",
        "What does the car leave policy say?",
        "What does the company car leave policy say?",
        "Which cases are not in the leave policy?",
        "Which cases are not in doc1.md?",
        "Is it in mydoc1.md or doc1.md.bak?",
        "Is it in the leave policy or in the tax rules?",
        "What is said in the tax rules and the leave policy?",
        "How many days of leave do I have?",
        "Is there anything in the policy about dogs?",
        "How high is the risk that it happens?",
        "Do contractors get leave?",
        "May people of finance travel?",
        "Is it good for it?",
        "Under TLS version 4.0, is that safe?",
    ],
)
def test_what_is_only_mentioned_restricts_nothing(question):
    assert read(question) == []


def test_half_of_the_words_that_tell_a_title_name_it():
    documents = (info(1, "Travel, Hotel and Meals Policy", "1"), info(2, "Dress Policy", "1"))
    assert read("Is it in the hotel policy?", documents) == []
    assert read("Is it in the hotel and meals policy?", documents) == ['title="Travel, Hotel and Meals Policy"']


def test_a_joined_pair_of_known_documents_means_either():
    assert read("Is it in the leave policy or in the code of conduct?") == ["title=Leave Policy,Code of Conduct"]


def test_two_editions_of_one_title_are_one_title():
    for documents in (DOCUMENTS[:2], DOCUMENTS):
        assert read("What does the travel policy say?", documents) == ["title=Expenses and Travel Policy"]


@given(st.text(min_size=1, max_size=30), st.text(min_size=1, max_size=30))
def test_a_written_filter_is_read_back(first, second):
    values = tuple(value for text in (first, second) if (value := " ".join(text.split())) and value.isprintable())
    if values and not any(value[0] in "=<>" for value in values[:1]):
        assert parse_filter(written_filter("key", *values)).values == values


@given(st.text(max_size=200))
def test_any_question_can_be_read(question):
    for condition in read_filters_by_rule(question, DOCUMENTS, TODAY).conditions:
        assert all(0 <= start < end <= len(question) for start, end in condition.said)
        assert all(parse_filter(written).values for written in condition.where)


@pytest.fixture(scope="module")
def pipeline(indexed, document):
    hotels = [("1", "Hotels", "A hotel room costs 120 euros at most."), ("2", "Trains", "Trains are second class.")]
    old = [("1", "Hotels", "A hotel room costs 90 euros at most.")]
    leave = [("1", "Days", "Thirty days of holiday, hotel room or not.")]
    palace = [("1", "Hotels", "The board stays in the palace hotel room.")]
    second = Declaration(version="2", effective_from=day("2026-01-01"))
    first = Declaration(version="1", effective_from=day("2023-01-01"), effective_to=day("2025-12-31"))
    staff = Declaration(extra=(("audience", "staff"),))
    board = Declaration(version="77", access=("board",), extra=(("audience", "directors"),))
    index, embedder = indexed(
        document("travel.md", hotels, title="Travel Policy", declaration=second),
        document("old.md", old, title="Travel Policy", declaration=first),
        document("leave.md", leave, title="Leave Policy", declaration=staff),
        document("board.md", palace, title="Palace Policy", declaration=board),
    )
    return SearchPipeline(index, Searcher(index, embedder), SearchOptions(), TODAY, self_query=read_filters_by_rule)


def search(pipeline, question, **under):
    return pipeline.search(SearchRequest(question, **under))


def files(result):
    return {hit.file for hit in result.hits}


def test_a_search_is_restricted_to_what_the_question_names_and_says_so(pipeline):
    result = search(pipeline, "What does a hotel room cost in the travel policy?")
    assert files(result) == {"travel.md"}
    assert result.filters == ("title=Travel Policy",)
    assert "title=Travel Policy" in result.notices[0]
    assert "--self-query off" in result.notices[0]
    assert to_json(result)["filters"] == ["title=Travel Policy"]


def test_an_edition_that_is_over_is_searched_on_its_last_day(pipeline):
    result = search(pipeline, "What did a hotel room cost in version 1 of the travel policy?")
    assert files(result) == {"old.md"}
    assert result.filters == ("title=Travel Policy", "version=1", "as_of=2025-12-31")
    assert files(search(pipeline, "What did a hotel room cost in the 2024 travel policy?")) == {"old.md"}
    assert files(search(pipeline, "What hotel room was allowed as of 1 May 2024?")) == {"old.md", "leave.md"}


def test_a_day_that_is_over_leads_to_the_rules_of_then(pipeline):
    result = search(pipeline, "What did a hotel room cost in March 2024?")
    assert files(result) == {"old.md", "leave.md"}
    assert result.filters == ("as_of=2024-03-31",)
    assert result.asked == "What did a hotel room cost?"
    told = search(pipeline, "I took a hotel room on 5 March 2024. What may it cost?")
    assert files(told) == {"travel.md", "leave.md"}
    assert any("Travel Policy" in line and "--as-of 2024-03-05" in line for line in told.notices)
    by_caller = search(pipeline, "I took a hotel room on 5 March 2024.", as_of=dt.date(2026, 2, 1))
    assert not any("--as-of" in line for line in by_caller.notices)
    assert search(pipeline, "What did a hotel room cost in March 2026?").filters == ()  # the same edition as today


def test_what_matches_nothing_is_dropped_with_a_notice(pipeline):
    result = search(pipeline, "What does a hotel room cost in version 9 of the travel policy?")
    assert files(result) == {"travel.md"}
    assert result.filters == ("title=Travel Policy",)
    assert any("version=9" in line and "without it" in line for line in result.notices)
    early = search(pipeline, "Which hotel room was allowed in the travel policy as of 1 May 1999?")
    assert early.filters == ("as_of=1999-05-01",)  # the Leave Policy says no day, so that it holds then
    assert files(early) == {"leave.md"}


def test_what_the_caller_may_not_read_is_no_filter_and_leaves_no_trace(pipeline):
    for question in ("What hotel room is in the palace policy?", "Which hotel room is there for directors?"):
        blind = search(pipeline, question)
        assert blind.filters == ()
        assert blind.notices == ()
        assert blind.hits == search(pipeline, question.replace("palace", "Palace")).hits
        assert files(search(pipeline, question, groups=("board",))) == {"board.md"}


def test_what_the_caller_has_set_stays(pipeline):
    question = "What does a hotel room cost in the 2024 travel policy for staff?"
    result = search(pipeline, question, where=("file=leave.md",))
    assert files(result) == {"leave.md"}
    assert result.filters == ("audience=staff",)
    dated = search(pipeline, question, as_of=dt.date(2026, 5, 1))
    assert not any(text.startswith("as_of") for text in dated.filters)
    was = "Travel Policy, version 1, was in force from 2023-01-01 to 2025-12-31: ask with --as-of 2025-12-31"
    assert any(line.startswith(was) for line in dated.notices)
    both = search(pipeline, "What hotel room was allowed as of 1 May 2024?", as_of=dt.date(2026, 5, 1))
    assert (both.filters, both.notices, files(both)) == ((), (), {"travel.md", "leave.md"})


def test_a_question_without_filters_is_as_if_nobody_had_read_it(pipeline):
    plain = SearchRequest("What does a hotel room cost?")
    without = replace(pipeline, self_query=None).search(plain)
    read_first = pipeline.search(plain)
    assert read_first.hits == without.hits
    assert read_first.notices == without.notices
    assert "filters" not in to_json(read_first)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What did a hotel room cost in version 1 of the travel policy?", "What did a hotel room cost?"),
        ("What did the 2024 travel policy say about a hotel room?", "What did say about a hotel room?"),
        ("Which hotel room was allowed as of 1 May 2024?", "Which hotel room was allowed?"),
        ("What does 2 of the travel policy say?", "What does 2 of the travel policy say?"),  # nothing else tells
        ("What does 2 of the travel policy say about a hotel room?", "What does 2 say about a hotel room?"),
        ("Which hotel room is there for staff?", "Which hotel room is there for staff?"),
        ("Which hotel room is in version 9 of the travel policy?", "Which hotel room is?"),
        ("What does a hotel room cost?", "What does a hotel room cost?"),
        ("What did a hotel room cost according to the file old.md?", "What did a hotel room cost?"),
    ],
)
def test_what_became_filters_is_not_searched_for(pipeline, question, asked):
    result = search(pipeline, question)
    assert result.question == question
    assert result.matter == asked
    assert "asked" not in to_json(result)
