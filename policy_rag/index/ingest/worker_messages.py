"""What passes between an ingest and the process that reads its files: frames of JSON, never more than was agreed on."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from typing import IO, Any

from pydantic import TypeAdapter

from policy_rag.errors import LoadError
from policy_rag.index.store.stored_documents import PreparedDocument
from policy_rag_parsers.document_metadata.yaml_fields import Field, Scalar

_LENGTH = 8  # bytes
_SHARE = 1 << 20  # bytes that are read at once


def write_frame(file: IO[bytes], kind: bytes, body: bytes) -> None:
    """Writes a message of a kind of one byte.

    Raises:
        OSError: nobody reads any more.
    """
    file.write(kind + len(body).to_bytes(_LENGTH, "big"))
    file.write(body)
    file.flush()


def read_frame(file: IO[bytes], most: int) -> tuple[bytes, bytes] | None:
    """The kind and the body of the next message; None where the other side ended.

    Raises:
        LoadError: the message is longer than `most` bytes.
    """
    head = file.read(1 + _LENGTH)
    if len(head) <= _LENGTH:
        return None
    length = int.from_bytes(head[1:], "big")
    if length > most:
        raise LoadError(f"is more than {most:,} bytes when it is read; split it, or raise file_memory")
    body = bytearray()
    while len(body) < length:
        share = file.read(min(_SHARE, length - len(body)))
        if not share:
            return None
        body += share
    return head[:1], bytes(body)


def packed_fields(fields: Mapping[str, Field]) -> list[Any]:
    """What is said of a file beside it, as JSON has it."""
    return [[f.key, f.line, _packed(f.value), f.text, f.nested] for f in fields.values()]


def unpacked_fields(packed: list[Any]) -> dict[str, Field]:
    """The reverse of `packed_fields`."""
    return {key: Field(key, line, _unpacked(value), text, nested) for key, line, value, text, nested in packed}


def _packed(value: Scalar | tuple[str, ...] | None) -> Any:
    return {"date": value.isoformat()} if isinstance(value, date) else value


def _unpacked(value: Any) -> Any:
    if isinstance(value, dict):
        return date.fromisoformat(value["date"])
    return tuple(value) if isinstance(value, list) else value


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """Records of a kind to JSON and back."""
    return TypeAdapter(kind)


def pack_document(document: PreparedDocument) -> bytes:
    """A document as JSON. Dates among its own keys are kept apart, since JSON has only their texts."""
    dates = [key for key, value in document.declaration.extra if isinstance(value, date)]
    return json.dumps(dates).encode() + b"\n" + adapter(PreparedDocument).dump_json(document)


def unpack_document(packed: bytes) -> PreparedDocument:
    """The reverse of `pack_document`."""
    dates, _, body = packed.partition(b"\n")
    document: PreparedDocument = adapter(PreparedDocument).validate_json(body)
    known = set(json.loads(dates))
    extra = tuple((k, date.fromisoformat(str(v)) if k in known else v) for k, v in document.declaration.extra)
    return replace(document, declaration=replace(document.declaration, extra=extra))
