"""What the next ingest is made with."""

from dataclasses import fields, replace
from typing import TYPE_CHECKING

from policy_rag.index.store.manifest import Manifest
from policy_rag.index.store.metadata import written_kinds
from policy_rag.records.choices import Backend
from policy_rag.settings import Affects, Settings, names_affecting
from policy_rag_parsers.chunking import Chunker

if TYPE_CHECKING:
    from policy_rag.models.embedder import Embedder


def target_manifest(asked: Settings, found: Manifest | None, embedder: "Embedder", backend: Backend) -> Manifest:
    """What was asked for, else what the index has, else the defaults; `found` is None while the index is empty.

    Of the settings only those that were set stand against what the index has, whose `judge` stays.
    """
    chunker = Chunker(asked.parsing.chunker or Chunker.SECTION)
    wanted = Manifest(
        embedding=embedder.name,
        fingerprint=embedder.fingerprint,
        dimension=embedder.dimension,
        chunker=chunker.value,
        chunk_tokens=min(asked.index.chunk_tokens or embedder.max_tokens, embedder.max_tokens),
        chunk_overlap=asked.parsing.chunk_overlap,
        hit_chars=asked.parsing.hit_chars,
        embed_path=asked.index.embed_path,
        profile=asked.parsing.profile,
        precision=backend.precision,
        metadata=written_kinds(asked.index.metadata),
        embed_metadata=written_kinds(set(asked.index.metadata).intersection(asked.search.metadata_use.embedder)),
    )
    if found is None:
        return wanted
    kept = {field.name for field in fields(Manifest)} & set(names_affecting(Affects.INDEX)) - asked.given
    same = {name: getattr(found, name) for name in kept}
    if "metadata_use" not in asked.given:
        same["embed_metadata"] = found.embed_metadata
    return replace(wanted, judge=found.judge, **same)
