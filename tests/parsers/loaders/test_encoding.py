"""Encodings: each way in which a text file may come."""

import codecs
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.encoding import decode

TEXT = "1. Scope – “all” staff\n§ 2 Gültigkeit: 50 €\n"
PLAIN = "1. Scope\nAll staff of the company.\n"
RUSSIAN = "Политика действует для всех работников и для всех филиалов компании. Расходы возмещаются по чекам.\n"
POLISH = "Każdy pracownik powinien znać zasady bezpieczeństwa, chronić hasła i zgłaszać każde zdarzenie.\n"


@pytest.mark.parametrize(
    ("mark", "encoding", "text"),
    [
        (b"", "utf-8", TEXT),
        (codecs.BOM_UTF8, "utf-8", TEXT),
        (codecs.BOM_UTF16_LE, "utf-16-le", TEXT),
        (codecs.BOM_UTF16_BE, "utf-16-be", TEXT),
        (codecs.BOM_UTF32_LE, "utf-32-le", TEXT),
        (codecs.BOM_UTF32_BE, "utf-32-be", TEXT),
        (b"", "utf-16-le", TEXT),
        (b"", "utf-16-be", TEXT),
        (b"", "utf-16-le", RUSSIAN),
        (b"", "cp1252", TEXT),
        (b"", "cp1251", RUSSIAN * 5),
        (b"", "cp1250", POLISH * 5),
    ],
)
def test_every_encoding_gives_the_same_text(mark: bytes, encoding: str, text: str) -> None:
    assert decode(mark + text.encode(encoding)) == text


def test_stray_bytes_in_utf8_do_not_spoil_the_rest() -> None:
    data = "Größe, Maß, Öl und".encode() + b" caf\xe9\n"
    assert decode(data) == "Größe, Maß, Öl und café\n"


def test_line_ends_become_lf_and_nothing_else_changes() -> None:
    assert decode(b"a\r\nb\rc\nd \t\x0c e\r\r\n") == "a\nb\nc\nd \t\x0c e\n\n"


@pytest.mark.parametrize(
    "data", [b"one\x00two\n", b"\x00", PLAIN.encode() + b"\x00\x00", b"\x7fELF\x00\x01\x02\x03" * 20]
)
def test_nul_bytes_are_no_text(data: bytes) -> None:
    with pytest.raises(LoadError, match="NUL bytes: it is not a text file"):
        decode(data)


def test_utf16_that_breaks_off() -> None:
    with pytest.raises(LoadError, match="mark of utf-16-le but breaks off at byte 2"):
        decode(codecs.BOM_UTF16_LE + b"a\x00b")


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r\ufeff")))
def test_utf8_comes_back_as_it_was(text: str) -> None:
    assert decode(text.encode()) == text


@given(st.binary(max_size=200))
def test_any_bytes_give_text_or_the_one_error(data: bytes) -> None:
    with contextlib.suppress(LoadError):
        assert "\r" not in decode(data)
