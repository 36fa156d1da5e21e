"""`policy-rag show`: what was asked for is told from what stands around it, in a pipe as well."""

import json

import pytest

ROWS = "".join(f"Files of kind {i:02}          {i + 1} years         end of contract\n" for i in range(20))
TEXT = f"# Records\n\n## Schedule 1: Periods\n\n{ROWS}\n## Schedule 2: Contacts\n\nRecords Manager: ext. 4471\n"
LONG = "# Long\n\n" + "word " * 500 + "zebra " + "word " * 500 + "\n"


@pytest.fixture(scope="module")
def index(index_of):
    return index_of({"records.md": TEXT, "long.md": LONG})


@pytest.fixture
def shown(index, call):
    return lambda *arguments: call("show", *arguments, "--index", index).out


def test_a_section_stands_between_marks_and_its_surroundings_begin_and_end_with_a_line(shown):
    out = shown("records.md", "--section", "Schedule 2").splitlines()
    assert out[1] in ROWS.splitlines(), "the first line is whole"
    start = out.index(">>> ## Schedule 2: Contacts")
    assert out[start + 1 : start + 3] == ["", "Records Manager: ext. 4471 <<<"]
    last = shown("records.md", "--range", "40:50").rstrip("\n").splitlines()[-1]
    assert last in ROWS.splitlines()


@pytest.mark.parametrize("span", ["30:60", "41:44", f"{len(TEXT) - 8}:{len(TEXT)}"])
def test_the_marks_stand_exactly_at_the_range(shown, span):
    start, end = map(int, span.split(":"))
    inside = shown("records.md", "--range", span).partition(">>> ")[2].partition(" <<<")[0]
    assert inside == TEXT[start:end].rstrip()


def test_without_surroundings_there_is_nothing_to_mark(shown):
    out = shown("records.md", "--section", "Schedule 2", "--alone")
    assert out.partition("\n")[2].strip() == "## Schedule 2: Contacts\n\nRecords Manager: ext. 4471"
    found = json.loads(shown("records.md", "--section", "Schedule 2", "--alone", "--json"))
    assert (found["before"], found["after"]) == ("", "")
    assert ">>>" not in shown("records.md")


def test_surroundings_join_the_text_and_a_long_line_is_cut_between_words(shown):
    start = LONG.index("zebra")
    found = json.loads(shown("long.md", "--range", f"{start}:{start + 5}", "--json"))
    assert LONG[start - len(found["before"]) :].startswith(found["before"] + "zebra" + found["after"])
    assert found["before"].startswith("word")
    assert found["after"].endswith("word")
    assert max(len(found["before"]), len(found["after"])) <= 300


LINKED = {
    "leave.md": "# Leave Policy\n\n## 1 Days\n\nThirty days, subject to section 2 of the Travel Policy.\n",
    "travel.md": "# Travel Policy\n\n## 1 Scope\n\nAll trips; see section 2.\n\n## 2 Limits\n\nThree days.\n",
    "board.md": "---\naccess: [board]\n---\n# Board Rules\n\n## 1 Trips\n\nSection 2 of the Travel Policy holds.\n",
    "old.md": "---\neffective_to: 2020-01-01\n---\n# Old Rules\n\n## 1 Trips\n\nSection 2 of the Travel Policy holds.\n",
    "new.md": "---\nsupersedes: old.md\n---\n# New Rules\n\n## 1 Tea\n\nTea is free.\n",
}


@pytest.fixture(scope="module")
def linked(index_of):
    return index_of(LINKED)


@pytest.fixture
def links(linked, call):
    return lambda *arguments: call("show", *arguments, "--links", "--index", linked).out


def test_links_tell_what_a_section_refers_to_and_is_referred_to_by_within_what_may_be_read(links):
    out = links("travel.md", "--section", "2")
    assert "Refers to: nothing that you may read" in out
    by = out[out.index("Referred to by:") :].splitlines()[1:]
    assert by == [
        '  refers  Travel Policy > 1 Scope (travel.md): "section 2"',
        '  excepts  Leave Policy > 1 Days (leave.md): "section 2 of the Travel Policy"',
    ]
    board = links("travel.md", "--section", "2", "--as", "board")
    assert '  refers  Board Rules > 1 Trips (board.md): "Section 2 of the Travel Policy"' in board
    assert "old.md" not in board, "what is not in force refers to nothing"


def test_links_as_json_hold_both_ends_and_the_characters_of_the_mention(links):
    found = json.loads(links("leave.md", "--section", "1", "--json"))["links"]
    (link,) = found["refers_to"]
    assert (link["kind"], link["section_id"], link["text"]) == ("excepts", "1", "section 2 of the Travel Policy")
    assert LINKED["leave.md"][link["start"] : link["end"]] == link["text"]
    assert (link["other"]["doc_id"], link["other"]["section_id"]) == ("travel.md", "2")
    assert link["other"]["path"] == ["Travel Policy", "Limits"]
    assert found["referred_to_by"] == []


def test_what_a_whole_document_supersedes_shows_though_it_is_not_in_force(links):
    assert "  supersedes  Old Rules (old.md)\n" in links("new.md")
    assert "  supersedes  New Rules (new.md)\n" in links("old.md")
    assert "supersedes" not in links("new.md", "--section", "1")


@pytest.mark.parametrize(("words", "file"), [("leave", "leave.md"), ("New", "new.md"), ("travel  ", "travel.md")])
def test_words_of_one_title_name_its_document(linked, call, words, file):
    assert file in call("show", words, "1", "--index", linked).out


@pytest.mark.parametrize(
    "name",
    [
        "Travel Polcy",
        "Policy",  # several titles hold it
        "Trave",  # no whole word
        "Board",  # not for the caller
        "Board Rule",
        "Travel Policy handbook",  # a blank leads to a place, not to words
    ],
)
def test_of_an_unknown_document_it_is_told_where_those_are_that_may_be_read(linked, call, name):
    err = call("show", name, "--index", linked, status=2).err
    assert f"there is no document {name!r} here: `policy-rag documents` lists" in err
    assert "Board Rules" not in err


NAMED = {
    "aml.md": "# Anti-Money Laundering and Sanctions Policy\n\n## 1 Clients\n\nKnow them.\n",
    "gifts.md": "# Gifts and Entertainment Policy\n\n## 1 Gifts\n\nDeclare them.\n",
    "trips.md": "# Travel and Expenses Policy\n\n## 1 Trips\n\nBook them.\n",
    "cars.md": "# Cars and Expenses Policy\n\n## 1 Cars\n\nWash them.\n",
    "leave.md": "# Leave Policy\n\n## 1 Days\n\nTake them.\n",
    "codes.md": "# Information Security Policy\n\n## 1 Codes\n\nChange them.\n",
    "board.md": "---\naccess: [board]\n---\n# Board and Dividend Policy\n\n## 1 Pay\n\nThree.\n",
}


@pytest.fixture(scope="module")
def named(index_of):
    return index_of(NAMED)


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("AML policy", "aml.md"),
        ("the AML policy", "aml.md"),
        ("the AML policy, section 1", "1 Clients"),
        ("AML policy > 1 Clients", "1 Clients"),
        ("the gift policy", "gifts.md"),
        ("our travel policy 1", "1 Trips"),
    ],
)
def test_a_document_is_shown_by_the_names_by_which_a_question_finds_it(named, call, words, place):
    assert place in call("show", words, "--index", named).out.splitlines()[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("expenses policy", "may be 'Cars and Expenses Policy' or 'Travel and Expenses Policy'"),
        ("the policy", "there is no document 'the policy' here"),
        ("dividend policy", "there is no document 'dividend policy' here"),  # not for the caller
        ("company car gift policy", "there is no document 'company car gift policy' here"),
        ("AML policy for shops", "there is no document 'AML policy for shops' here"),
    ],
)
def test_a_name_of_several_documents_or_of_none_shows_none(named, call, words, said):
    assert said in call("show", words, "--index", named, status=2).err
