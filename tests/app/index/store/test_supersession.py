"""Which document takes the place of which, and from what day."""

import datetime as dt

import pytest

from policy_rag.index.store.supersession import Edition, superseded_from

Y23, Y24, Y26 = (dt.date(year, 1, 1) for year in (2023, 2024, 2026))


def edition(key, title="Travel Policy", version=None, begins=None, supersedes=(), root="r", file=None):
    return Edition(key, root, file or f"{key}.md", title, version, begins, tuple(supersedes))


def test_a_file_beside_it_and_a_file_by_its_path():
    editions = [
        edition(1, file="hr/old.md"),
        edition(2, file="old.md"),
        edition(3, file="hr/old.md", root="elsewhere"),
        edition(4, file="hr/new.md", begins=Y26, supersedes=["old.md"]),
    ]
    assert superseded_from(editions) == {1: Y26, 2: Y26}


def test_a_version_of_its_own_title_and_of_another():
    editions = [
        edition(1, version="2.1", begins=Y23),
        edition(2, version="2.2", begins=Y26, supersedes=["version 2.1"]),
        edition(3, title="Leave Policy", version="2.1", begins=Y23),
        edition(4, title="Absence", begins=Y24, supersedes=["Leave Policy, version 2.1", "Leave Policy, version 9"]),
    ]
    assert superseded_from(editions) == {1: Y26, 3: Y24}


@pytest.mark.parametrize(
    ("editions", "expected"),
    [
        ([edition(1, begins=Y23), edition(2, begins=Y24), edition(3, begins=Y26, supersedes=["travel  policy of 2023"])], {1: Y26}),
        ([edition(1, "Plan of 2023"), edition(2, supersedes=["Plan of 2023"])], {1: dt.date.min}),
        (  # of all editions of one title none that is later, and not itself
            [edition(1, begins=Y23), edition(2, begins=Y24, supersedes=["Travel Policy"]), edition(3, begins=Y26, supersedes=["Travel Policy"]), edition(4)],
            {1: Y24, 2: Y26, 4: Y24},
        ),
    ],
)  # fmt: skip
def test_a_title_is_taken_as_one_before_it_is_taken_for_a_year(editions, expected):
    assert superseded_from(editions) == expected


def test_the_first_of_two_successors_counts_and_the_unknown_names_nothing():
    editions = [
        edition(1, file="a.md"),
        edition(2, begins=Y26, supersedes=["a.md"]),
        edition(3, begins=Y24, supersedes=["a.md", "nothing", ""]),
    ]
    assert superseded_from(editions) == {1: Y24}


def test_a_file_that_is_there_in_another_format_only():
    editions = [
        edition(1, file="a.html"),
        edition(2, file="b.html"),
        edition(3, file="b.md"),
        edition(4, begins=Y26, supersedes=["a.md", "b.md"]),
    ]
    assert superseded_from(editions) == {1: Y26, 3: Y26}
