"""What a policy says is printed as it stands, though a library would make pictures and colours of it."""

import pytest

from policy_rag.cli import run

LINES = [
    "Set the dial to :100: and root:x:0:0 :smile:",
    "Write [bold]Yes[/bold], [red]No or [link=x]y[/link] in [/] it",
]
TEXT = "# Forms :star:\n\n## 1. Filling in [b]forms[/b]\n\n{} on every form.\n\n{}.\n"


@pytest.fixture(scope="module")
def index(index_of):
    old = TEXT.format("Set the dial to 7 :warning:", LINES[1])
    return str(index_of({"forms :x:.md": TEXT.format(*LINES), "old.md": old}))


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            ["ask", "What is the dial set to on every form? [i]:bug:[/i]", "--trace", "--where", "doc_id=forms :x:.md"],
            [LINES[0], "[i]:bug:[/i]", "Forms :star"],
        ),
        (["search", "What is the dial set to?"], [*LINES, "[b]forms[/b]", "forms :x:.md"]),
        (["show", "forms :x:.md"], LINES),
        (["changes", "old.md", "forms :x:.md"], [":100:", ":warning:"]),
        (["documents"], ["forms :x:.md", "Forms :star"]),
        (["ingest", "nowhere :x:"], []),
    ],
)
def test_words_in_colons_and_brackets_stay(index, command, said, capsys):
    capsys.readouterr()
    run([*command, "--index", index])
    printed = capsys.readouterr()
    shown = " ".join((printed.out + printed.err).split())
    assert [part for part in said if part not in shown] == []
    assert not [char for char in shown if ord(char) > 0x2600]
