"""What stages gave is kept whole or not at all, and never lost to a break or a full disk."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_eval.errors import StageCacheError
from policy_rag_eval.sweep.stage_cache import FILE, StageCache, digest

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def test_what_is_written_is_read_by_stage_and_item(tmp_path: Path) -> None:
    with StageCache(tmp_path) as cache:
        cache.write(b"one", {b"a": b"1", b"b": b"2"})
        cache.write(b"two", {b"a": b"3"})
        cache.write(b"one", {})
        assert cache.read(b"one", [b"a", b"b", b"c"]) == {b"a": b"1", b"b": b"2"}
        assert cache.read(b"two", [b"a"]) == {b"a": b"3"}
        assert cache.count(b"one", [b"a", b"a", b"c"]) == 1
    with StageCache(tmp_path) as again:
        assert again.read(b"one", [b"a"]) == {b"a": b"1"}


def test_two_sweeps_may_keep_at_once(tmp_path: Path) -> None:
    with StageCache(tmp_path) as first, StageCache(tmp_path) as second:
        first.write(b"s", {b"a": b"1"})
        second.write(b"s", {b"b": b"2"})
        assert first.read(b"s", [b"a", b"b"]) == second.read(b"s", [b"a", b"b"]) == {b"a": b"1", b"b": b"2"}


def test_a_write_that_breaks_leaves_what_was_there(tmp_path: Path) -> None:
    with StageCache(tmp_path) as cache:
        cache.write(b"s", {b"a": b"1"})
        with pytest.raises(StageCacheError):
            cache.write(b"s", {b"b": b"2", b"c": object()})  # type: ignore[dict-item]
        assert cache.read(b"s", [b"a", b"b", b"c"]) == {b"a": b"1"}
        cache.write(b"s", {b"d": b"4"})
        assert cache.count(b"s", [b"a", b"d"]) == 2


def test_a_full_disk_is_one_line_that_says_so_and_loses_nothing(tmp_path: Path) -> None:
    with StageCache(tmp_path) as cache:
        cache.write(b"s", {b"a": b"1"})
        (pages,) = cache._db.execute("PRAGMA page_count").fetchone()
        cache._db.execute(f"PRAGMA max_page_count = {pages + 1}")  # SQLite then answers as on a full disk
        with pytest.raises(StageCacheError, match=r"is full.*goes on where it stopped") as caught:
            cache.write(b"s", {bytes([i]): b"x" * 4000 for i in range(50)})
        assert "\n" not in str(caught.value)
        assert cache.read(b"s", [b"a", bytes([0])]) == {b"a": b"1"}
    with StageCache(tmp_path) as again:
        assert again.read(b"s", [b"a"]) == {b"a": b"1"}


def test_a_process_that_is_killed_loses_only_what_it_had_not_kept(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from policy_rag_eval.sweep.stage_cache import StageCache\n"
        "cache = StageCache(Path(sys.argv[1]))\n"
        "cache.write(b's', {b'a': b'1'})\n"
        "cache._db.execute('BEGIN IMMEDIATE')\n"
        "cache._db.execute('INSERT INTO kept VALUES (?, ?, ?)', (b's', b'b', b'2'))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False)
    assert done.returncode == -9
    with StageCache(tmp_path) as cache:
        assert cache.read(b"s", [b"a", b"b"]) == {b"a": b"1"}


def test_what_is_no_cache_is_told_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"this is no database, " * 100)
    with pytest.raises(StageCacheError, match="delete it") as caught:
        StageCache(tmp_path)
    assert isinstance(caught.value.__cause__, sqlite3.DatabaseError)


@given(st.lists(json_values, max_size=3), st.lists(json_values, max_size=3))
def test_names_are_equal_only_for_equal_values(first: list[object], second: list[object]) -> None:
    same = repr(first) == repr(second)
    assert (digest(*first) == digest(*second)) == same or (first == second)
    assert len(digest(*first)) == 16
