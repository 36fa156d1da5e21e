"""Templates: what a file must hold, which variables it takes, and that values are never read as gaps."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from policy_rag_prompts.errors import PromptError
from policy_rag_prompts.loader import Prompt, load_template, parse_template

FILE = (
    "---\nname: t\nversion: 3\nvariables: who, what\n---\n[system]\nYou are {{who}}.\n\n[user]\n{{ what }}, {{who}}?\n"
)


def test_a_file_becomes_a_template() -> None:
    template = parse_template(FILE, "t")
    assert (template.name, template.version, template.variables) == ("t", 3, ("who", "what"))
    assert template.render(who="A", what="B") == Prompt("You are A.", "B, A?")
    assert template.sha256 == parse_template(FILE.replace("\n", "\r\n"), "t").sha256
    assert template.sha256 != parse_template(FILE.replace("You", "you"), "t").sha256


@example(who="{{what}}", what="\\1 {{who}}")  # what looks like a gap stays
@given(who=st.text(), what=st.text())
def test_values_are_put_in_as_they_are(who: str, what: str) -> None:
    prompt = parse_template(FILE, "t").render(who=who, what=what)
    assert prompt.system == f"You are {who}."
    assert prompt.user == f"{what}, {who}?"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "prompt t: give who, what; its variables are who, what"),
        ({"who": "a"}, "prompt t: give what; its variables are who, what"),
        ({"who": "a", "what": "b", "when": "c"}, "prompt t: do not give when; its variables are who, what"),
        ({"who": "a", "x": "b"}, "prompt t: give what and do not give x; its variables are who, what"),
    ],
)
def test_missing_and_unknown_variables_are_refused(values: dict[str, str], message: str) -> None:
    with pytest.raises(PromptError) as caught:
        parse_template(FILE, "t").render(**values)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("---\nname", "name", "write a header"),
        ("[user]", "[users]", "write a header"),
        ("version: 3", "version: three", "its header needs"),
        ("version: 3\n", "", "its header needs"),
        ("name: t", "name: other", "its header needs"),
        ("who, what", "who", "it declares who and uses what, who"),
        ("who, what", "who, what, when", "it declares who, what, when and uses what, who"),
        ("who, what", "who, what, who", "declare each variable once"),
    ],
)
def test_a_malformed_file_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(PromptError, match=message):
        parse_template(FILE.replace(old, new), "t")


@pytest.mark.parametrize("name", ["missing", "../answer", "Answer", ""])
def test_an_unknown_name_is_answered_with_the_known(name: str) -> None:
    with pytest.raises(PromptError, match="the prompts are "):
        load_template(name)


def test_every_template_of_the_project_can_be_rendered() -> None:
    template = load_template("answer")
    prompt = template.render(question="QQ", sections="SS", refusal="RR")
    assert prompt.system.count("RR") == 1
    assert [prompt.user.count(word) for word in ("QQ", "SS", "RR")] == [1, 1, 1]
    assert "{{" not in prompt.system + prompt.user
