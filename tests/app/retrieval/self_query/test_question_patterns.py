"""Patterns that read questions: a long run of one character must not make each of its places a beginning."""

import re
from types import ModuleType

import pytest

from policy_rag.retrieval.clause_lookup import lookup
from policy_rag.retrieval.request import MOST_QUESTION_CHARS
from policy_rag.retrieval.self_query import named_documents, named_fields, narrowing, question_dates
from policy_rag.retrieval.self_query.edition_forms import edition_forms
from policy_rag.retrieval.transforms import conversation_rules, decomposition, rewriting, value_substitution
from policy_rag.retrieval.transforms.decomposition import sub_questions
from policy_rag.retrieval.transforms.rewriting import rewrite

FORMS = edition_forms(("2023/24", "Issue B"))
MODULES = (
    *(question_dates, lookup, named_documents, named_fields, narrowing),
    *(decomposition, conversation_rules, value_substitution, rewriting),
)
EXCUSED = {
    "_SAYING",
    "_OPENING",
    "_WORD",
    "_NO_YEAR",
}  # tried at one place of a question; nothing behind a word can fail
REPETITION = r"(?:\\[sSwWdD]|\[(?:\\.|[^\]\\])*\]|\.)(?:[*+]|\{\d+,\})(?!\+)"  # \s* or [.-]+, none of \s*+
BEGINS = re.compile(rf"(?:\(\?:)*{REPETITION}")
TWICE = re.compile(rf"{REPETITION}(?:(?:\[[^\]]*\]|\\?[^\\()\[\]])\?)+\\s")  # \s*,?\s+


def patterns(module: ModuleType):
    for name, value in vars(module).items():
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, re.Pattern):
                yield name, one.pattern


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_no_pattern_begins_with_a_run_or_has_two_ways_to_take_one(module):
    for name, pattern in patterns(module):
        assert name in EXCUSED or not BEGINS.match(pattern), name
        assert not TWICE.search(pattern), name


@pytest.mark.parametrize(
    "pattern", [FORMS.modifier, FORMS.of, FORMS.behind, question_dates._in_force(), question_dates._mention()]
)
def test_the_same_of_patterns_that_are_made_later(pattern):
    assert not BEGINS.match(pattern.pattern) or pattern is FORMS.behind  # which is only matched
    assert not TWICE.search(pattern.pattern)


def test_the_check_knows_what_it_looks_for():
    assert BEGINS.match(r"[\s,.;–—-]*(?<=x)thanks")
    assert BEGINS.match(r"(?:\s+|;)and")
    assert TWICE.search(r"(?<=\w)\s*,?\s+please")
    assert TWICE.search(r"\s*[,(]?\s*version")
    assert not BEGINS.match(r"(?<!\s)\s*+and")
    assert not TWICE.search(r"(?:\s*+,)?\s++please")


@pytest.mark.parametrize("run", [".", "-", "–", " .", ", ", "1", "1.", "a ", "\u00a0"])
def test_a_long_run_in_a_question_stays_and_hides_nothing(run):
    long = run * ((MOST_QUESTION_CHARS - 50) // len(run))
    assert rewrite(f"Hi, what is due? {long} x") == f"What is due? {long} x"
    assert rewrite(f"What is due{long}? Many thanks!").startswith("What is due")
    assert any("How long is it kept?" in part for part in sub_questions(f"What is due{long}?; how long is it kept?"))


def test_politeness_without_end_is_taken_in_bounded_rounds():
    assert rewrite("so " * 5000 + "who signs?").endswith("who signs?")
