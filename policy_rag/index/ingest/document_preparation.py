"""The text of a file to a prepared document: declared, cut into sections, passages and chunks."""

from dataclasses import replace
from pathlib import Path

from policy_rag.index.search.terms import LANGUAGES, detect_language
from policy_rag.index.store.embedded_text import no_prefix, section_prefix
from policy_rag.index.store.manifest import Manifest
from policy_rag.index.store.stored_documents import PreparedDocument
from policy_rag_parsers.blocks.section_blocks import find_blocks
from policy_rag_parsers.chunking import Chunker, cut
from policy_rag_parsers.chunking.passages import BareHeading
from policy_rag_parsers.chunking.token_splitter import CountTokens
from policy_rag_parsers.chunking.topic_grouping import Embed, Judge
from policy_rag_parsers.document_metadata.declarations import Declaration, Sidecar, declared
from policy_rag_parsers.document_metadata.title_block import exchangeable_day, with_title_block
from policy_rag_parsers.loaders.discovery import FoundFile
from policy_rag_parsers.records import SourceText
from policy_rag_parsers.references.section_edges import find_edges
from policy_rag_parsers.structure.heading_profiles import load_profile
from policy_rag_parsers.structure.sections import parse_document

_NAMES_OF_LANGUAGES = {"en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian",
                       "nl": "dutch", "pt": "portuguese"}  # fmt: skip

_DRAFT = (
    "calls itself a draft and is answered from like a policy in force: leave it out, or say from which day it holds "
    "(effective_from)"
)
_EXCHANGEABLE = (
    "says that it is valid from {day}, which may be two days, and is answered from as if it held on any day: say from "
    "which day it holds (effective_from)"
)


def prepare_file(
    file: FoundFile,
    source: SourceText,
    said: Sidecar,
    manifest: Manifest,
    count_tokens: CountTokens,
    embed: Embed,
    *,
    doc_id: str,
    access: tuple[str, ...] = (),
    judge: Judge | None = None,
) -> PreparedDocument:
    """What a file holds, declared and cut.

    `said` is what is said of it beside it, `access` are the groups where it declares none. `judge` says what stays
    together, for the chunker `llm-context`.

    Raises:
        PolicyRagError: what it declares cannot be understood.
    """
    declaration = with_title_block(declared(source, file.relative, said), source)
    if access and not declaration.access:
        declaration = replace(declaration, access=access)
    if declaration.is_draft and declaration.effective_from is None:
        source = replace(source, notes=(*source.notes, _DRAFT))
    if declaration.effective_from is None and (day := exchangeable_day(source)):
        source = replace(source, notes=(*source.notes, _EXCHANGEABLE.format(day=day)))
    parsed = parse_document(
        source,
        title=declaration.title,
        otherwise=Path(file.relative).stem.replace("_", " ").strip(),
        profile=load_profile(manifest.profile) if manifest.profile else None,
    )
    blocks = find_blocks(source, parsed.sections)
    passages = cut(
        source,
        parsed.sections,
        chunker=Chunker(manifest.chunker),
        count_tokens=count_tokens,
        max_tokens=manifest.chunk_tokens,
        overlap=manifest.chunk_overlap,
        hit_chars=manifest.hit_chars,
        bare=BareHeading.IN_PATH,
        blocks=blocks,
        prefix=section_prefix if manifest.embed_path else no_prefix,
        embed=embed,
        judge=judge,
    )
    return PreparedDocument(
        doc_id=doc_id,
        root=str(file.root.resolve()),
        file=file.relative,
        title=parsed.title,
        language=_language(declaration, source),
        source=source,
        declaration=declaration,
        sections=parsed.sections,
        blocks=blocks,
        edges=find_edges(source, parsed.sections),
        passages=passages,
    )


def _language(declaration: Declaration, source: SourceText) -> str:
    said = str(dict(declaration.extra).get("language", "")).casefold()
    said = _NAMES_OF_LANGUAGES.get(said.partition("-")[0], said)
    return said if said in LANGUAGES else detect_language(source.text[source.body_start :])
