"""Processes that extract summaries over the wire and may be killed at any moment.

`python metadata_worker.py URL CACHE SECTIONS CONCURRENCY` forks one for each line that it is sent: it prints its id, and
when it is over how it ended, as `os.waitpid` says it.
"""

import os
import sys
from pathlib import Path

from policy_rag.llm.ollama import OllamaModel, OllamaServer
from policy_rag.llm.reply_cache import CachedModel, ReplyCache
from policy_rag_parsers.metadata.extraction_report import MetadataOutcome
from policy_rag_parsers.metadata.extraction_results import Kind
from policy_rag_parsers.metadata.llm_extractor import ExtractionOptions, extract_with_llm
from policy_rag_parsers.metadata.section_texts import SectionedDocument, SectionText


def documents(sections: int) -> list[SectionedDocument]:
    """One document; each section names its number, so that the server knows what it is asked about."""
    texts = (f"Rule {n}. Employees must hand in form {n} within {n} days." for n in range(sections))
    return [SectionedDocument("d", "D", tuple(SectionText(str(n), text) for n, text in enumerate(texts)))]


def extract(url: str, cache_file: Path, sections: int, concurrency: int) -> MetadataOutcome:
    """The summaries of all sections."""
    model = OllamaModel("llama3.2", OllamaServer(url), context=4096)
    with ReplyCache(cache_file) as cache:
        options = ExtractionOptions(concurrency=concurrency, patience=10.0)
        llm = CachedModel(model, cache, shaped_by={})
        return extract_with_llm(documents(sections), [Kind.SUMMARY], llm, options=options)


if __name__ == "__main__":
    import httpx  # noqa: F401 - which each client would import for itself

    for _ in sys.stdin:
        pid = os.fork()
        if not pid:
            extract(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
            os._exit(0)
        print(pid, flush=True)
        print(os.waitpid(pid, 0)[1], flush=True)
