"""`policy-rag documents`: whole names and dates in a pipe and on a terminal of 80 columns."""

import pytest

from policy_rag.cli import documents as command

TEXT = "---\n{}\n---\n# Rules\n\n## 1 Rule\n\nA rule.\n"
HIDDEN = "access: [board, audit]"
LONG = "A Title That Takes A Good Many Words To Say What The Policy Is About"


@pytest.fixture(scope="module")
def index(index_of):
    long = f"title: {LONG}\nversion: 1.10\neffective_from: 2022-07-01\neffective_to: 2026-03-31"
    matters = {
        "working-time-and-breaks-agreement": long,
        "begins": "effective_from: 2026-02-01",
        "ends": "effective_to: 2027-12-31",
        "hidden": HIDDEN,
    }
    return index_of({f"{name}.md": TEXT.format(matter) for name, matter in matters.items()})


def test_in_a_pipe_each_document_is_one_whole_line(index, call):
    out = call("documents", "--index", index, "--as", "audit").out.splitlines()
    names = ["begins.md", "ends.md", "hidden.md", "working-time-and-breaks-agreement.md"]
    assert [line.split()[0] for line in out] == ["document", *names]
    assert "from 2026-02-01" in out[1]
    assert "to 2027-12-31" in out[2]
    assert "board, audit" in out[3]
    assert LONG in out[4]
    assert "2022-07-01 to 2026-03-31" in out[4]
    assert "…" not in "".join(out)


def test_on_80_columns_titles_stand_under_names_and_dates_are_whole(index, call, monkeypatch):
    made = command.console

    def terminal():
        out = made()
        out._force_terminal, out.soft_wrap, out.width = True, False, 80
        return out

    monkeypatch.setattr(command, "console", terminal)
    out = call("documents", "--index", index).out
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 10
    assert "working-time-and-breaks-agreement.md" in out
    for date in ("from 2026-02-01", "to 2027-12-31", "2022-07-01", "to 2026-03-31"):
        assert date in out
    assert "…" not in out


def test_an_empty_list_says_so_and_tells_nothing_of_what_is_hidden(index_of, call):
    index = index_of({"hidden.md": TEXT.format(HIDDEN)})
    said = "there is no document here that you may read: --as GROUP asks as a member of a group\n"
    assert call("documents", "--index", index) == ("", said)
    assert call("documents", "--index", index, "--json").out == "[]\n"
