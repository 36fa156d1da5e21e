"""Words that no document has are spelt as documents spell them: German compounds and verbs, acronyms of names."""

import datetime as dt

import pytest

from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.spelling import Respelled, respell, unmentioned
from policy_rag.retrieval.visibility import Visibility

LOST = """# Phones

A lost phone is reported, as any loss. Flights are booked by the desk. Pregnancy and an injury are told early, and so is
any absence. Vacation is paid in a foreign currency.
"""
REISE = """# Reisekostenrichtlinie

## § 6 Abrechnung

Die Abrechnung ist binnen vier Wochen nach Ende der Reise einzureichen. Belege sind im Original beizufügen. Die Kosten
werden auf das Konto der Arbeit überwiesen, soweit die Buchhaltung sie angenommen hat.
"""
BREACH = """# Data Policy

The Data Protection Officer notifies the regulator. The Data Protection Officer has an hour. Dogs Prefer Offal. No
Data protection officer may sleep.
"""


HIDDEN = "---\naccess: [hr]\n---\n# Geheim\n\nDer Weihnachtsbonus der Human Resources Unit ist hier genannt.\n"


@pytest.fixture(scope="module")
def asked(ingested):
    index, _ = ingested(reise=REISE, data=BREACH, geheim=HIDDEN, phones=LOST)

    def found(question, groups=(), read=respell):
        with index.snapshot() as snapshot:
            return read(question, Visibility.of(snapshot, SearchRequest(question, groups=groups), dt.date(2026, 9, 1)))

    return found


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Bis wann muss ich die Abrechnung einreichen?", "Bis wann muss ich die Abrechnung einzureichen?"),
        ("Wann wird die Abrechnung eingereicht?", "Wann wird die Abrechnung einzureichen?"),
        ("Wer kann die Kosten annehmen?", "Wer kann die Kosten annehmen?"),  # "angenommen" has another root
        ("Brauche ich die Originalbelege?", "Brauche ich die original belege?"),
        ("Wann ist die Reisekostenabrechnung fällig?", "Wann ist die reise kosten abrechnung fällig?"),
        ("Was ist das Arbeitskonto für ein Konto?", "Was ist das arbeits konto für ein Konto?"),
        ("Wie hoch ist das Kindergeld für die Reise?", "Wie hoch ist das Kindergeld für die Reise?"),
        ("Where are my Originalbelege?", "Where are my Originalbelege?"),  # only German is taken apart
    ],
)
def test_a_german_word_that_is_nowhere_is_taken_apart(asked, question, expected):
    assert asked(question) == Respelled(expected)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What if I lose my phone?", "What if I lost my phone?"),
        ("Can I fly to Rome?", "Can I flight to Rome?"),
        ("What if I sell my phone?", "What if I sell my phone?"),
        ("What if I am pregnant?", "What if I am pregnancy?"),
        ("What if I am absent?", "What if I am absence?"),
        ("What if I am hurt?", "What if I am injury?"),
        ("How much PTO is there?", "How much vacation is there?"),
        ("What is the current rate?", "What is the current rate?"),
    ],
)
def test_a_word_that_is_nowhere_is_put_in_a_form_that_is_there(asked, question, expected):
    assert asked(question) == Respelled(expected)


def test_a_form_that_is_there_is_no_missing_word(asked):
    assert asked("What if I lose or smuggle my phone?", read=unmentioned) == ("smuggle",)
    assert asked("What if I am pregnant, hurt or absent?", read=unmentioned) == ()


def test_an_acronym_is_written_out_as_documents_write_the_name(asked):
    told = "read DPO as Data Protection Officer"
    assert asked("Who is the DPO?") == Respelled("Who is the Data Protection Officer?", (told,))


@pytest.mark.parametrize("question", ["Who is the CEO?", "WHO IS THE DPO", "Who is the dpo?"])
def test_what_cannot_be_told_stays(asked, question):
    assert asked(question).question == question


def test_words_of_what_the_asker_may_not_read_are_nowhere(asked):
    assert asked("Who is in the HRU?").question == "Who is in the HRU?"
    assert asked("Who is in the HRU?", groups=("hr",)).question == "Who is in the Human Resources Unit?"


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Wie viele Zebras darf ich heute im Januar zeigen?", ("Zebras",)),
        ("Wie lange gilt § 99 Abs. 2 für die Reise?", ()),
        ("Was sagt § 9, und was steht da?", ()),
        ("What does section 9 say of llamas?", ("llamas",)),
        ("How often are llamas named in clause 4.2 and in chapters?", ("llamas", "named")),
        ("whats the day that llamas cant come, dont they on Monday or Sundays? thats it, isnt it", ("llamas",)),
        ("Was dürfen Zebras am Montag und sonntags?", ("Zebras",)),
        ("How often are llamas " + "x" * 41 + "?", ("llamas",)),
        ("Do I have to wait until the llamas left, and hear them?", ("llamas",)),
        ("Is it a good llama?", ("llama",)),
        ("May I smuggle llamas?", ("smuggle", "llamas")),
        ("Was passiert, wenn ich fliegende Zebras schmuggle?", ("Zebras",)),
        ("was passiert, wenn ich zebras schmuggle?", ("passiert", "zebras", "schmuggle")),
    ],
)
def test_words_of_asking_tell_nothing(asked, question, named):
    assert asked(question, read=unmentioned) == named
