"""The benchmarks of several processes on an index in Postgres, for seconds."""

from types import SimpleNamespace

import pytest

from benchmarks.postgres_processes import by_workers, consistent, fault_of, state_of
from policy_rag.index.store.postgres.address import PostgresAddress


def answer(*said):
    """An answer whose hits say (writer, document, state)."""
    return SimpleNamespace(hits=[SimpleNamespace(text=f"writer {w} document {d} state {s}") for w, d, s in said])


def test_what_is_no_committed_state_is_found():
    whole = [(1, i, 7) for i in range(20)]
    assert fault_of(answer(*whole), 1, 7) == ("", 7)
    assert fault_of(answer(*whole, (0, 3, 2)), 1, 5) == ("", 7)
    assert fault_of(answer(*whole), 1, 8) == ("state 7 after 8 was committed", 7)
    assert fault_of(answer(*whole[:-1], (1, 19, 8)), 1, 7) == ("a mixture of the states [7, 8]", 0)
    assert fault_of(answer(*whole[1:]), 1, 7) == ("19 documents of 20", 7)
    assert fault_of(answer(), 1, 7) == ("nothing found", 0)
    assert fault_of(answer(), 1, 0) == ("", 0)
    assert len(state_of(0, 1)) == 20


@pytest.mark.enable_socket  # of the file system, to the process that the others are forked from
@pytest.mark.parametrize("url", ["postgres_url", "pgvector_url"])
def test_readers_beside_writers_see_committed_states_alone(request, url):
    found = consistent(request.getfixturevalue(url), 0.02)
    assert found["ended_in_error"] == 0
    assert found["faults"] == {}
    assert found["read"]["count"] > 0
    assert found["write"]["count"] > 0


def test_a_folder_is_taken_in_by_workers(postgres_url, tmp_path):
    for i in range(3):
        (tmp_path / f"{i}.md").write_text(f"# Policy {i}\n\n## 1 Days\n\nRule {i} gives {i + 20} days.\n")
    found = by_workers(tmp_path, PostgresAddress(postgres_url), [1, 2])
    for count in ("1", "2"):
        assert found[count]["documents"] == 3
        assert found[count]["seconds"] > 0
        assert found[count]["texts_a_second"] > 0
