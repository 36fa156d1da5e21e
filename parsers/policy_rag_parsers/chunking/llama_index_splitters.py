"""LlamaIndex's own splitters, used as they are; their pieces are located in the document afterwards.

They are imported inside the functions: importing LlamaIndex takes seconds.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from policy_rag_parsers.chunking.span_alignment import locate
from policy_rag_parsers.chunking.token_splitter import CountTokens
from policy_rag_parsers.chunking.topic_grouping import Embed
from policy_rag_parsers.records import SourceText
from policy_rag_parsers.text.sentences import Span

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.node_parser import NodeParser

# Each word is counted by itself, again and again: most are known after some pages.
_REMEMBERED_COUNTS = 100_000


def sentence_ranges(source: SourceText, count_tokens: CountTokens, chunk_size: int, overlap: int) -> list[Span]:
    """`SentenceSplitter`: whole sentences up to `chunk_size` tokens, of which `overlap` are repeated."""
    from llama_index.core.node_parser import SentenceSplitter

    return _sized(source, SentenceSplitter, count_tokens, chunk_size, overlap)


def token_ranges(source: SourceText, count_tokens: CountTokens, chunk_size: int, overlap: int) -> list[Span]:
    """`TokenTextSplitter`: words up to `chunk_size` tokens, of which `overlap` are repeated."""
    from llama_index.core.node_parser import TokenTextSplitter

    return _sized(source, TokenTextSplitter, count_tokens, chunk_size, overlap)


def markdown_ranges(source: SourceText) -> list[Span]:
    """`MarkdownNodeParser`: what stands between two ATX headings, whatever its length."""
    from llama_index.core.node_parser import MarkdownNodeParser

    return _parsed(source, MarkdownNodeParser())


def sentence_window_ranges(source: SourceText) -> list[Span]:
    """`SentenceWindowNodeParser`: every sentence by itself."""
    from llama_index.core.node_parser import SentenceWindowNodeParser

    return _parsed(source, SentenceWindowNodeParser())


def semantic_ranges(source: SourceText, embed: Embed, breakpoint_percentile: int) -> list[Span]:
    """`SemanticSplitterNodeParser`: sentences up to where one is least like the next.

    `breakpoint_percentile` of the distances between neighbours stay below a break.
    """
    from llama_index.core.node_parser import SemanticSplitterNodeParser

    parser = SemanticSplitterNodeParser(
        embed_model=_embedding(embed), breakpoint_percentile_threshold=breakpoint_percentile
    )
    return _parsed(source, parser)


def _parsed(source: SourceText, parser: "NodeParser") -> list[Span]:
    from llama_index.core.schema import Document, MetadataMode

    body = source.text[source.body_start :]
    if not body.strip():
        return []
    nodes = parser.get_nodes_from_documents([Document(text=body)])
    return locate(source.text, source.body_start, [n.get_content(MetadataMode.NONE) for n in nodes])


def _sized(
    source: SourceText, splitter: Callable[..., Any], count_tokens: CountTokens, size: int, overlap: int
) -> list[Span]:
    @lru_cache(maxsize=_REMEMBERED_COUNTS)
    def counted(text: str) -> range:
        """The tokens as LlamaIndex wants them: only their number is looked at."""
        return range(int(count_tokens([text])[0]))

    parser = splitter(chunk_size=size, chunk_overlap=overlap, tokenizer=counted)
    pieces = parser.split_text(source.text[source.body_start :])
    overlaps = (lambda part: len(counted(part)) <= overlap) if overlap else None
    return locate(source.text, source.body_start, pieces, overlaps=overlaps)


def _embedding(embed: Embed) -> "BaseEmbedding":
    """Our embedding function as LlamaIndex's embedding model."""
    from llama_index.core.base.embeddings.base import BaseEmbedding

    def rows(texts: Sequence[str]) -> list[list[float]]:
        return [[float(x) for x in row] for row in embed(texts)]

    class _Embedding(BaseEmbedding):
        def _get_text_embedding(self, text: str) -> list[float]:
            return rows([text])[0]

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            return rows(texts)

        def _get_query_embedding(self, query: str) -> list[float]:
            return rows([query])[0]

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return rows([query])[0]

    return _Embedding(model_name="policy_rag")
