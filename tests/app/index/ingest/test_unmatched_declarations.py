"""Who may read a file is never lost by a slip in `policies.yaml`, or by renaming, moving or deleting a file."""

import unicodedata

import pytest
from ingested import failed, seen, written

from policy_rag.errors import UsageError
from policy_rag.index.ingest.unmatched_declarations import nearest, plain
from policy_rag.settings import load_settings

SEVERANCE = "# Severance\n\n## 1 Amount\n\nOne month of pay a year.\n"
TRAVEL = "# Travel\n\n## 1 Hotels\n\nA hotel costs 120 euros at most.\n"
LEAVE = "# Leave\n\n## 1 Amount\n\nThirty days a year.\n"
RESTRICTED = "severance.md:\n  access: [board]\n"


@pytest.fixture
def files(tmp_path):
    return written(tmp_path / "files")


@pytest.fixture
def two_folders(tmp_path):
    """The one with a restricted file, and an empty one."""
    first, second = written(tmp_path / "first", severance=SEVERANCE, leave=LEAVE), written(tmp_path / "second")
    restrict(first)
    return first, second


def restrict(folder, text=RESTRICTED):
    (folder / "policies.yaml").write_text(text)


@pytest.fixture
def ingested(assistant, files):
    """A folder in the index with a restricted file and an open one."""
    written(files, severance=SEVERANCE, travel=TRAVEL)
    restrict(files)
    assistant.ingest([files])
    return files


def test_a_renamed_file_does_not_open(assistant, ingested):
    files = ingested
    (files / "severance.md").rename(files / "severance-2026.md")
    report = assistant.ingest([files])
    assert "did you mean 'severance-2026.md'?" in failed(report)["severance-2026.md"]
    assert "restricts 'severance.md' to board" in failed(report)["severance-2026.md"]
    assert report.unchanged == 1, "what stood beside it is not in doubt"
    assert seen(assistant) == ["travel.md"]
    restrict(files, "severance-2026.md:\n  access: [board]\n")
    report = assistant.ingest([files])
    assert (failed(report), report.embedded) == ({}, 0)
    assert seen(assistant) == ["travel.md"]
    assert seen(assistant, "board") == ["severance-2026.md", "travel.md"]


def test_a_renamed_and_changed_file_does_not_open_either(assistant, ingested):
    files = ingested
    (files / "severance.md").unlink()
    written(files, leaving=SEVERANCE.replace("One month", "Two months"))
    assert list(failed(assistant.ingest([files]))) == ["leaving.md"]
    assert seen(assistant) == ["travel.md"]


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("name", ["Severance.md", "severance .md", "seve_rance.md"])
def test_a_slip_of_the_pen_closes_the_file_that_is_meant(assistant, files, name, known):
    meant = plain(name) == "severance.md"
    written(files, severance=SEVERANCE, travel=TRAVEL)
    restrict(files, "severance.md: {access: [board]}\n")
    if known:
        assistant.ingest([files])
    restrict(files, f'"{name}": {{access: [board]}}\n')
    (files / "severance.md").write_text(SEVERANCE + "\nMore.\n")
    if meant:
        report = assistant.ingest([files])
        assert list(failed(report)) == ["severance.md"]
        assert "no file is called so: write 'severance.md' there" in failed(report)["severance.md"]
        assert seen(assistant) == ["travel.md"], "its neighbour is not in doubt"
    else:
        with pytest.raises(UsageError, match=r"did you mean 'severance\.md'"):
            assistant.ingest([files])
        assert "severance.md" not in seen(assistant)


def test_where_nothing_is_known_all_that_say_nothing_of_access_are_in_doubt(assistant, files):
    written(files, leaving=SEVERANCE, travel=TRAVEL, leave=f"---\naccess: []\n---\n{LEAVE}", named=TRAVEL)
    restrict(files, f"{RESTRICTED}named.md: {{title: Named}}\n")
    report = assistant.ingest([files])
    assert sorted(failed(report)) == ["leaving.md", "travel.md"]
    assert seen(assistant) == ["leave.md", "named.md"]


@pytest.mark.parametrize(
    "entry", ["severance.md: {title: X}", "severance.md: {access: []}", "severance.md: {}", "a.md: {owner: Jo}"]
)
def test_an_entry_that_restricts_nothing_is_a_note(assistant, files, entry):
    written(files, severances=SEVERANCE)
    restrict(files, entry)
    report = assistant.ingest([files])
    assert report.added == 1
    assert len(report.notes) == 1
    assert ("did you mean 'severances.md'?" in report.notes[0]) is ("severance" in entry)


@pytest.mark.parametrize(
    "entry", ["severance.md: {acces: [hr]}", "severance.md: {access: }", "severance.md: {access: no}"]
)
def test_an_entry_whose_access_cannot_be_understood_counts_as_restricting(assistant, files, entry):
    written(files, leaving=SEVERANCE)
    restrict(files, entry)
    with pytest.raises(UsageError, match=r"restricts 'severance\.md'"):
        assistant.ingest([files])
    assert seen(assistant) == []


def test_a_folder_or_a_pattern_is_no_file(assistant, files):
    written(files, hr__pay=SEVERANCE)
    for name in ("hr", "hr/", '"hr/*"', '"*.md"'):
        restrict(files, f"{name}: {{access: [hr]}}\n")
        with pytest.raises(UsageError, match="there is no such file"):
            assistant.ingest([files])
    assert seen(assistant) == []


@pytest.mark.parametrize(
    ("old", "new"), [("severance", "hr__severance"), ("hr__severance", "severance"), ("hr__severance", "it__leaving")]
)
def test_a_file_moved_to_another_folder_does_not_open(assistant, files, old, new):
    for folder in ("hr", "it"):
        (files / folder).mkdir()
    written(files, travel=TRAVEL, **{old: SEVERANCE})
    home = (files / f"{old.replace('__', '/')}.md").parent
    restrict(home)
    assistant.ingest([files])
    moved = f"{new.replace('__', '/')}.md"
    (home / "severance.md").rename(files / moved)
    assert list(failed(assistant.ingest([files]))) == [moved]
    assert seen(assistant) == ["travel.md"]
    assert len(seen(assistant, "board")) == 2, "the restricted text is still there for those who may read it"


def test_a_file_moved_out_of_a_folder_that_is_gone_with_its_entry_does_not_open(assistant, files):
    written(files, hr__severance=SEVERANCE, travel=TRAVEL)
    restrict(files / "hr")
    assistant.ingest([files])
    (files / "hr" / "severance.md").rename(files / "leaving.md")
    (files / "hr" / "policies.yaml").unlink()
    for prune in (True, False):
        report = assistant.ingest([files], prune=prune)
        assert "was open to board only" in failed(report)["leaving.md"]
        assert report.removed == 0, "else the next ingest would not know it"
        assert seen(assistant) == ["travel.md"]
    restrict(files, "leaving.md: {access: []}\n")
    assistant.ingest([files], prune=True)
    assert seen(assistant) == ["leaving.md", "travel.md"]


def test_a_file_moved_between_ingested_folders_does_not_open(assistant, two_folders):
    first, second = two_folders
    written(second, travel=TRAVEL)
    assistant.ingest([first, second])
    (first / "severance.md").rename(second / "leaving.md")
    for places in ([second], [first, second]):
        assert list(failed(assistant.ingest(places))) == ["leaving.md"]
        assert seen(assistant) == ["leave.md", "travel.md"]


def test_a_file_moved_between_ingested_folders_does_not_pass_to_groups_given_for_all(assistant, two_folders):
    first, second = two_folders
    assistant.ingest([first])
    (first / "severance.md").rename(second / "leaving.md")
    (first / "policies.yaml").unlink()
    assistant.settings = load_settings({"access": ("sales",)})
    with pytest.raises(UsageError, match="was open to board only"):
        assistant.ingest([second])
    assert seen(assistant, "sales") == ["leave.md"]


def test_two_restricted_documents_of_one_text_both_count_when_they_are_gone(assistant, files):
    written(files, severance=SEVERANCE, exit=SEVERANCE)
    restrict(files, "severance.md:\n  access: [board]\nexit.md:\n  access: [hr]\n")
    assistant.ingest([files])
    for name in ("severance", "exit"):
        (files / f"{name}.md").unlink()
    (files / "policies.yaml").unlink()
    written(files, leaving=SEVERANCE)
    for group in ("board", "hr"):
        assistant.settings = load_settings({"access": (group,)})
        with pytest.raises(UsageError, match="whose file is gone and which was open to"):
            assistant.ingest([files])  # the groups of one of them are not those of the other


def test_a_file_that_is_gone_for_good_stops_nothing_that_was_there(assistant, files):
    written(files, severance=SEVERANCE, travel=TRAVEL, leave=LEAVE)
    restrict(files)
    assistant.ingest([files])
    (files / "severance.md").unlink()
    for prune in (False, True, False):
        written(files, leave=LEAVE.replace("Thirty", f"Forty {prune}"))
        report = assistant.ingest([files], prune=prune)
        assert failed(report) == {}
        assert "there is no such file any more" in report.notes[0]
        assert seen(assistant) == ["leave.md", "travel.md"]
    assert seen(assistant, "board") == ["leave.md", "travel.md"]
    written(files, new=TRAVEL.replace("Travel", "New"))
    assert list(failed(assistant.ingest([files]))) == ["new.md"], "it may be the one that is gone"
    restrict(files, "{}\n")
    assert assistant.ingest([files]).added == 1


def test_one_file_of_a_folder_can_be_ingested_by_itself(assistant, files):
    written(files, severance=SEVERANCE, travel=TRAVEL)
    restrict(files)
    report = assistant.ingest([files / "travel.md"])
    assert (report.added, report.notes) == (1, ())


def test_a_link_under_the_restricted_name_does_not_open_the_file(assistant, files):
    written(files, paper=SEVERANCE, travel=TRAVEL)
    (files / "severance.md").symlink_to(files / "paper.md")
    restrict(files)
    assert list(failed(assistant.ingest([files]))) == ["paper.md"]
    assert seen(assistant) == ["travel.md"]


def test_a_name_in_decomposed_letters_is_the_same_name(assistant, files):
    name = "über.md"
    (files / unicodedata.normalize("NFD", name)).write_text(SEVERANCE)
    restrict(files, f"{unicodedata.normalize('NFC', name)}: {{access: [hr]}}\n")
    assert assistant.ingest([files]).added == 1
    assert seen(assistant) == []


def test_a_nearer_entry_that_says_nothing_of_access_leaves_what_is_said_above(assistant, files):
    written(files, hr__severance=SEVERANCE)
    restrict(files, "hr/severance.md: {access: [board], owner: Jo}\n")
    restrict(files / "hr", "severance.md: {title: Leaving}\n")
    assistant.ingest([files])
    (document,) = assistant.documents(groups=["board"])
    assert (document.title, document.access, document.extra) == ("Leaving", ("board",), {"owner": "Jo"})


def test_groups_given_for_all_do_not_stand_in_for_those_of_an_entry(assistant, files):
    written(files, leaving=SEVERANCE)
    restrict(files)
    assistant.settings = load_settings({"access": ("staff",)})
    with pytest.raises(UsageError, match="restricts"):
        assistant.ingest([files])


@pytest.mark.parametrize(
    ("name", "names", "expected"),
    [
        ("Expenses.md", ["expenses.md", "expense.md"], "expenses.md"),
        ("pay.md", ["hr/pay.md", "leave.md"], "hr/pay.md"),
        ("opne.md", ["open.md"], "open.md"),
        ("zebra.md", ["leave.pdf"], None),
        ("zebra.md", [], None),
    ],
)
def test_the_likeliest_name(name, names, expected):
    assert nearest(name, names) == expected


def test_a_file_that_is_replaced_by_another_format_does_not_open(assistant, files):
    written(files, severance="---\naccess: [board]\n---\n" + SEVERANCE, travel=TRAVEL)
    assistant.ingest([files])
    (files / "severance.md").unlink()
    page = "<h1>Severance</h1><h2>1 Amount</h2><p>Two months of pay a year.</p>"
    (files / "severance.html").write_text(page)
    report = assistant.ingest([files], prune=True)
    said = "its name is that of severance.md, whose file is gone and which was open to board only"
    assert said in failed(report)["severance.html"]
    assert (seen(assistant), report.gone) == (["travel.md"], ("severance.md",))
    restrict(files, "severance.html:\n  access: [board]\n")
    assert failed(assistant.ingest([files], prune=True)) == {}
    assert (seen(assistant), seen(assistant, "board")) == (["travel.md"], ["severance.html", "travel.md"])
