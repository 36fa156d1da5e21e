"""Versions of one policy stand together, whether their titles say so or one says that it takes the other's place."""

import datetime as dt

import pytest

from policy_rag.server.page.versions import policies

DAY = dt.date(2026, 3, 1)


@pytest.fixture
def listed(assistant, tmp_path):
    files = {
        "travel-2023.md": "title: Travel\nversion: '1'\neffective_from: 2023-01-01\neffective_to: 2025-12-31",
        "travel.md": "title: Travel and Expenses\nversion: '2'\neffective_from: 2026-01-01\nsupersedes: travel-2023.md",
        "leave.md": "title: Leave\nversion: '1'\neffective_from: 2024-01-01\neffective_to: 2026-12-31",
        "leave-next.md": "title: Leave\nversion: '2'\neffective_from: 2027-01-01",
        "conduct.md": "title: Conduct",
    }
    for name, front in files.items():
        (tmp_path / name).write_text(f"---\n{front}\n---\n# Text\n\nWords of {name}.\n")
    assistant.ingest([tmp_path / name for name in files])
    return policies(assistant.documents(), DAY)


def test_versions_stand_together_latest_first(listed):
    assert [(one.title, [d.doc_id for d in one.versions]) for one in listed] == [
        ("Conduct", ["conduct.md"]),
        ("Leave", ["leave-next.md", "leave.md"]),
        ("Travel and Expenses", ["travel.md", "travel-2023.md"]),
    ]


def test_the_one_in_force_is_known(listed):
    assert [one.current and one.current.doc_id for one in listed] == ["conduct.md", "leave.md", "travel.md"]
