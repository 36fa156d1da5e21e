"""The cache of replies: kept at once, told apart by what was asked, and refused where it is something else."""

import sqlite3
from pathlib import Path

import pytest

from policy_rag_parsers.errors import MetadataError
from policy_rag_parsers.llm.reply_cache import Answer, CallKey, ReplyCache

KEY = CallKey("text", "template", "model", "{}")
ANSWER = Answer('{"summary": "x"}', 12, False, 0.5)


def test_what_was_put_is_there_for_another_reader_at_once(tmp_path: Path) -> None:
    with ReplyCache(tmp_path / "replies.sqlite3") as one, ReplyCache(tmp_path / "replies.sqlite3") as other:
        one.put(KEY, 1, "summary", ANSWER)
        assert other.get(KEY, 1) == ANSWER
        assert len(other) == 1


@pytest.mark.parametrize("part", ["content", "template", "model", "settings"])
def test_each_part_of_the_key_counts(part: str, tmp_path: Path) -> None:
    with ReplyCache(tmp_path / "replies.sqlite3") as cache:
        cache.put(KEY, 1, "summary", ANSWER)
        changed = {name: getattr(KEY, name) for name in ("content", "template", "model", "settings")}
        assert cache.get(CallKey(**{**changed, part: "other"}), 1) is None
        assert cache.get(KEY, 2) is None


def test_the_first_answer_stays_and_half_characters_are_survived(tmp_path: Path) -> None:
    with ReplyCache(tmp_path / "replies.sqlite3") as cache:
        cache.put(KEY, 1, "summary", Answer("a\ud800b", None, True, 1.0))
        cache.put(KEY, 1, "summary", ANSWER)
        assert cache.get(KEY, 1) == Answer("a?b", None, True, 1.0)


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database, and long enough to be read as one" * 30)
    with pytest.raises(MetadataError, match="cannot be used"):
        ReplyCache(tmp_path / "text")
    with sqlite3.connect(tmp_path / "other.sqlite3") as other:
        other.execute("CREATE TABLE t (x)")
    other.close()
    with pytest.raises(MetadataError, match="is no cache of replies"):
        ReplyCache(tmp_path / "other.sqlite3")
    with pytest.raises(MetadataError, match="check that its folder is there"):
        ReplyCache(tmp_path / "nowhere" / "replies.sqlite3")


def test_a_closed_cache_says_so_in_one_line(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies.sqlite3")
    cache.close()
    with pytest.raises(MetadataError, match="cannot be used"):
        cache.get(KEY, 1)
