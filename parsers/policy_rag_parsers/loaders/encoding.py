"""Bytes to text: which encoding a text file is in.

The order of evidence: a byte order mark, then the pattern of NUL bytes that UTF-16 leaves, then UTF-8, which other
encodings hardly ever satisfy by chance, then Windows-1252 where the result reads as words, then a statistical guess.
"""

import codecs
import re
from collections import Counter
from typing import Final

from policy_rag_parsers.errors import LoadError

# UTF-32 first: its little-endian mark begins with the one of UTF-16.
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_HIGH_RUN: Final = re.compile(rb"[\x80-\xff]+")
# A sign inside a word: in Windows-1252 only these occur there; others betray another encoding.
_SIGN_IN_WORD: Final = re.compile(r"(?<=[^\W\d_])[^\w\s\x00-\x7f’‘·\xad–—…“”«»€](?=[^\W\d_])")
_LETTER: Final = re.compile(r"[^\W\d_]")
_SAMPLE: Final = 1 << 16
_LARGE_SAMPLE: Final = 1 << 20
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f]")


def decode(data: bytes) -> str:
    r"""Decode a text file; line ends become LF, a byte order mark is dropped, and nothing else is changed.

    Args:
        data: the bytes of a text file.

    Returns:
        The text. A file that is UTF-8 but for some bytes keeps its UTF-8, and those bytes are read as Windows-1252.

    Raises:
        LoadError: the bytes are no text, or do not fit the encoding that their byte order mark announces. The message
            names no file; `loaders.load` puts the name before it.

    >>> decode(b"\xef\xbb\xbf1. Scope\r\n")
    '1. Scope\n'
    >>> decode("§ 4 Gültigkeit".encode("cp1252"))
    '§ 4 Gültigkeit'
    """
    return _decode(data).replace("\r\n", "\n").replace("\r", "\n")


def _decode(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], encoding)
    if b"\x00" in data:
        text = _unmarked_utf16(data)
        if text is None:
            raise LoadError("holds NUL bytes: it is not a text file; save it as UTF-8 text, or take it out")
        return text
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _legacy(data)


def _marked(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding == "utf-8" and b"\x00" not in data:
            return _legacy(data)
        raise LoadError(
            f"begins with the mark of {encoding} but breaks off at byte {error.start}; save it again as UTF-8"
        ) from error
    if "\x00" in text:
        raise LoadError("holds NUL characters: it is not a text file; save it as UTF-8 text, or take it out")
    return text


def _unmarked_utf16(data: bytes) -> str | None:
    """The text where every second byte is, but for a few, one of two values, one of them NUL, as in UTF-16.

    NUL is the high byte of blanks, figures and Latin letters; the letters of another alphabet share one other.
    """
    if len(data) % 2:
        return None
    even, odd = Counter(data[:_LARGE_SAMPLE:2]), Counter(data[1:_LARGE_SAMPLE:2])
    high, low, encoding = (odd, even, "utf-16-le") if odd[0] > even[0] else (even, odd, "utf-16-be")
    units = high.total()
    if low[0] or high[0] < units * 0.08 or sum(count for _, count in high.most_common(2)) < units * 0.85:
        return None
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if _CONTROL.search(text) else text


def _legacy(data: bytes) -> str:
    """Text in an older encoding, or UTF-8 with some stray bytes in it."""
    runs = _HIGH_RUN.findall(data)
    if sum(map(_is_utf8, runs)) * 2 >= len(runs):
        return _HIGH_RUN.sub(lambda run: _as_utf8(run[0]), data).decode()
    sample = b" ".join(_context(data))
    if _reads_as_western(sample):
        return data.decode("cp1252", errors="replace")
    return data.decode(_guess(sample), errors="replace")


def _is_utf8(run: bytes) -> bool:
    try:
        run.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _as_utf8(run: bytes) -> bytes:
    return run if _is_utf8(run) else run.decode("cp1252", errors="replace").encode()


def _context(data: bytes) -> list[bytes]:
    """Words around high bytes, up to a sample's length: plain ASCII pages say nothing about the encoding."""
    words: list[bytes] = []
    size = 0
    for match in re.finditer(rb"[^\s]*[\x80-\xff][^\s]*", data):
        words.append(match.group()[:200])
        size += len(words[-1])
        if size > _SAMPLE:
            break
    return words


def _reads_as_western(sample: bytes) -> bool:
    try:
        text = sample.decode("cp1252")
    except UnicodeDecodeError:
        return False
    if _SIGN_IN_WORD.search(text):
        return False
    letters: list[str] = _LETTER.findall(text)
    foreign = sum(letter > "\x7f" for letter in letters)
    return foreign * 2 <= len(letters) or foreign <= 4


def _guess(sample: bytes) -> str:
    import charset_normalizer

    best = charset_normalizer.from_bytes(sample).best()
    return "cp1252" if best is None else best.encoding
