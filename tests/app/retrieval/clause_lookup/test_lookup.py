"""Clauses that a question asks for, in the documents of an index."""

import datetime as dt
from functools import cache

import pytest

from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.searcher import Searcher
from policy_rag.settings import SearchOptions

TODAY = dt.date(2026, 9, 1)
RECORDS = """# Records Policy

## 4 Retention

4.1 Records are kept for seven years.

4.2 Then the owner must

(a) destroy the records; or
(b) ask for longer.

## 5 Disposal

Paper is (a) sorted and (b) shredded.
"""
PANNEN = """# Pannen-Richtlinie

## § 3 Meldung

(1) Sofort.

(2) Binnen 72 Stunden, es sei denn,

1. dass kein Risiko besteht, oder
2. dass die Daten verschlüsselt waren.
"""


GIFTS = """# Gift Rules

## 2 Gifts

2.1 Gifts of up to 100 euros may be taken.

2.2 Section 2.1 does not hold for buyers.

## 3 Waivers

3.1 A waiver of section 2.1 may be granted by the Head of Finance.

3.2 Other waivers of any kind are registered. Section 2.1 of the Companies Act is not touched.
"""


@pytest.fixture(scope="module")
def search(ingested):
    """Gives what finds the result of a question in these files."""

    @cache
    def over(**files):
        searcher = Searcher(*ingested(**files))
        return lambda question: searcher.search_many([SearchRequest(question)], SearchOptions(), today=TODAY)[0]

    return over


@pytest.fixture
def places(search):
    """The clauses that a question finds in files, as (document, section, text)."""
    return lambda question, **files: [
        (hit.doc_id, hit.section_id, hit.text[hit.chunk_start - hit.start : hit.chunk_end - hit.start].strip())
        for hit in search(**files)(question).hits
        if "clause" in hit.found_by
    ]


@pytest.fixture
def result(search):
    """What a search finds in the gift rules and the records policy."""
    return search(gifts=GIFTS, records=RECORDS)


def test_an_item_of_a_paragraph_is_found(places):
    found = places("Was sagt § 3 Abs. 2 Nr. 1 der Pannen-Richtlinie?", pannen=PANNEN, records=RECORDS)
    assert found == [("pannen.md", "§ 3", "1. dass kein Risiko besteht, oder")]


def test_a_document_may_be_named_by_the_initials_of_its_title(places):
    aml = RECORDS.replace("Records Policy", "Anti-Money Laundering and Terrorist Financing Policy").replace(
        "seven", "five"
    )
    asked = "What does section 4.1 of the {} policy say?"
    found = places(asked.format("AML"), aml=aml, records=RECORDS)
    assert found == [("aml.md", "4.1", "4.1 Records are kept for five years.")]
    assert places(asked.format("safety"), aml=aml, records=RECORDS) == []


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("What does 4.1 of the visitor standard say?", "visitors"),
        ("Was steht in 4.1 der Passwortrichtlinie?", "passwords"),
        ("Was steht in 4.1 des Standards zu Geräten?", "devices"),
    ],
)
def test_a_document_may_be_named_by_few_words_of_its_title(places, question, document):
    titles = {
        "visitors": "Physical Access and Visitor Management Standard",
        "passwords": "Standard zur Verwaltung von Passwörtern und Zugängen",
        "devices": "Standard zum Umgang mit mobilen Endgeräten und Datenträgern",
    }
    found = places(question, **{name: f"# {title}\n\n## 4 Rules\n\n4.1 It holds.\n" for name, title in titles.items()})
    assert [doc_id for doc_id, _, _ in found] == [f"{document}.md"]


def test_few_words_of_a_title_without_the_clause_name_no_document(places):
    texts = {"visitors": "# Physical Access and Visitor Management\n\nVisitors sign in.\n", "records": RECORDS}
    assert places("What does 4.1 say about visitors?", **texts)[0][0] == "records.md"


def test_a_paragraph_may_be_a_section_or_an_item(places):
    assert places("What does section 4 paragraph 1 say?", records=RECORDS) == [
        ("records.md", "4.1", "4.1 Records are kept for seven years.")
    ]
    found = places("What does paragraph (b) of section 4.2 say?", records=RECORDS)
    assert found == [("records.md", "4.2", "(b) ask for longer.")]


def test_a_number_that_is_no_section_s_may_be_an_item(places):
    rules = (
        "# Rules\n\n## 1 Scope\n\nAll.\n\n## 2 Duties\n\nStaff must:\n\n1. wear a badge;\n2. lock the door;\n3. go.\n"
    )
    assert places("What does section 2.2 say?", rules=rules) == [("rules.md", "2", "2. lock the door;")]


def test_what_a_document_lacks_gives_the_unit_that_it_has(places):
    ((_, section, text),) = places("What does 4.2(z) of the records policy say?", records=RECORDS)
    assert section == "4.2"
    assert text.startswith("4.2 Then the owner must")


@pytest.mark.parametrize(
    ("question", "notice"),
    [
        ("What does 4.2(z) of the records policy say?", "there is no 4.2(z) in Records Policy: {} section 4.2"),
        ("What does 4.2(b) of the records policy say?", None),
        ("What does 5(b) of the records policy say?", None),  # amid a line
        ("What does section 4.2(b)(ii) say?", "there is no section 4.2(b)(ii) in Records Policy: {} section 4.2(b)"),
        ("Was steht in 4.2 Nr. 7?", "4.2 Nr. 7 gibt es nicht in Records Policy: gezeigt wird Abschnitt 4.2"),
    ],
)
def test_what_is_shown_in_place_of_what_a_document_lacks_is_told(search, question, notice):
    told = search(records=RECORDS)(question).notices
    assert told == ((notice.format("what is shown is"),) if notice else ())


PLAN = """# Handbook

## 1 Pay

Pay comes monthly.

## 2 Benefits

Life insurance is free.

### 401(k) Retirement Plan

The Company matches 4 percent.
"""


@pytest.mark.parametrize(
    ("question", "found_by"),
    [
        ("What does the 401(k) section say?", "clause"),
        ("What does section 2 say about life?", "clause"),
        ("What is forbidden by section 2?", "clause"),
        ("Does the 401(k) have a Roth option?", "mention"),
        ("Can I invest my 401(k) in Bitcoin?", "mention"),
        ("Does section 2 hold for divers?", "mention"),
        ("What are the fees of a 403(b) or a 501(c)(3)?", None),
    ],
)
def test_who_asks_for_more_than_a_clause_gets_it_read_and_not_shown(search, question, found_by):
    found = search(plan=PLAN)(question)
    assert {name for hit in found.hits for name in hit.found_by} & {"clause", "mention"} == {*filter(None, [found_by])}
    assert found.notices == ()


@pytest.mark.parametrize(
    ("asked", "sections"), [("does section 4", ["4.1", "4.2"]), ("do sections 4 to 6", ["4.1", "4.2", "5"])]
)
def test_a_bare_heading_gives_what_is_under_it_and_a_range_each_of_its_sections(places, asked, sections):
    found = places(f"What {asked} of the records policy say?", records=RECORDS)
    assert [section for _, section, _ in found] == sections


@pytest.mark.parametrize(
    "question", ["Who may grant a waiver of section 2.1?", "Wer genehmigt Ausnahmen von Ziffer 2.1?"]
)
def test_what_refers_to_a_clause_comes_first_where_it_is_only_mentioned(result, question):
    hits = result(question).hits
    assert [hit.section_id for hit in hits[:3]] == ["2.2", "3.1", "2.1"]
    assert all("mention" in hit.found_by and "clause" not in hit.found_by for hit in hits[:3])
    assert len(hits) == 5  # others have room too
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_who_asks_for_the_text_gets_the_clause_alone_in_front(result):
    first, second, *_ = result("What does section 2.1 of the gift rules say?").hits
    assert (first.section_id, "clause" in first.found_by) == ("2.1", True)
    assert not {"clause", "mention"} & second.found_by.keys()


def test_a_figure_that_is_no_clause_is_not_told_of(result):
    assert result("Are 9.9 euros too much?").notices == ()


@pytest.mark.parametrize(
    ("question", "notice"),
    [
        ("What does 9.9 of the gift rules say?", "there is no 9.9 in Gift Rules"),
        ("What does section 5.7 say?", "there is no section 5.7 in Gift Rules, Records Policy"),
        ("What does chapter 5 say?", "there is no chapter 5 in Gift Rules, Records Policy"),  # of none in particular
        ("Was steht in § 99?", "§ 99 gibt es nicht in Gift Rules, Records Policy"),
        ("Que dit la section 5.7 ?", "section 5.7 n'existe pas dans Gift Rules, Records Policy"),
        ("¿Qué dice la sección 5.7?", "sección 5.7 no existe en Gift Rules, Records Policy"),
        ("O que diz a secção 5.7?", "secção 5.7 não existe em Gift Rules, Records Policy"),
        # of another policy, of another law
        (
            "What does 2.1 of the parking policy say?",
            "2.1 is of the parking policy, which is none of the policies here",
        ),
        ("Was sagt 2.1 der Parkrichtlinie?", "2.1 gehört zu Parkrichtlinie, und das ist keine der Richtlinien hier"),
        (
            "Que dit le point 2.1 de la politique de stationnement ?",
            "point 2.1 relève de la politique de stationnement, qui n'est aucune des politiques d'ici",
        ),
        ("What does GDPR Art. 4.1 say?", "Art. 4.1 is of GDPR, which is none of the policies here"),
        ("What does article 4 of the GDPR say?", "article 4 is of GDPR, which is none of the policies here"),
        ("What does clause 5 of the HIPAA say?", "clause 5 is of HIPAA, which is none of the policies here"),
        ("Was sagt § 5 BDSG?", "§ 5 gehört zu BDSG, und das ist keine der Richtlinien hier"),
        # found; capitals behind a section are no law
        ("What does 2.1 of the gift rules say?", None),
        ("What does 2.1 of the current policy say?", None),
        ("What does 2.1 of the policy say about cash?", None),
        ("What does section 4.1 IT staff say?", None),
        ("What does section 4.1 USB say?", None),
        ("What does 4.1 PDF say?", None),
    ],
)
def test_a_clause_that_is_not_here_is_told_in_the_language_of_the_question_and_no_other_is_shown(
    result, question, notice
):
    found = result(question)
    assert found.notices == ((notice,) if notice else ())
    assert any("clause" in hit.found_by for hit in found.hits) is (notice is None)


def test_a_policy_that_is_called_as_a_law_is_looked_into(places):
    gdpr = "# General Data Protection Regulation\n\n## Article 17 Erasure\n\nData are erased on request.\n"
    assert places("What does Art. 17 GDPR say?", law=gdpr, records=RECORDS)[0][0] == "law.md"


def test_a_number_on_the_way_to_something_else_asks_for_no_clause(places):
    assert places("Who has to shred paper invoices to comply with section 4.2?", records=RECORDS) == []


ANNEXED = """# Fee Rules

## 1 Scope

See the schedules.

## Schedule 1

One euro.

## Schedule 2

Two euros.

## Anlage 1: Kontakte

Frau Kröger.
"""


def test_a_schedule_is_found_by_its_number_and_an_annex_by_its_title(places):
    assert places("What is in Schedule 2 of the fee rules?", fees=ANNEXED, records=RECORDS) == [
        ("fees.md", "Schedule 2", "## Schedule 2\n\nTwo euros.")
    ]
    ((_, _, text),) = places("Was steht in Anlage 1?", fees=ANNEXED, records=RECORDS)
    assert text.endswith("Frau Kröger.")


def test_nothing_is_shown_for_a_number_that_the_named_document_has_not(result):
    assert result("What does 9.9 of the gift rules say?").hits == ()
    assert result("Who approves 9.9 of the gift rules?").hits != ()  # asks for more than a text
    assert result("What does section 5.7 say?").hits != ()  # of no document in particular
    assert result("What does section 72 of the gift rules say?").hits == ()


def test_a_number_that_stands_in_the_text_is_searched_for(search):
    find = search(gifts="# Gift Rules\n\n## 1 Gifts\n\nForm 9.9 is filled in.\n\n9.9 It is signed.\n")
    assert find("What does 9.9 of the gift rules say?").hits
    clocks = search(
        clocks="# Clock Rules\n\n## 1 Hours\n\nFrom 9:00 to 9.30, for 9 hours or 9 euros. Section 8 holds.\n"
    )
    assert clocks("What does section 8 of the clock rules say?").hits
    assert clocks("What does section 9 of the clock rules say?").hits == ()


def test_a_chapter_of_a_document_that_counts_sections_is_the_section(result):
    found = result("What does chapter 5 of the records policy say?")
    assert found.hits[0].section_id == "5"
    assert found.notices == ("there is no chapter 5 in Records Policy: what is shown is section 5",)
