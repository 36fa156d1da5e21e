"""What is installed, reachable and usable here, and what to run for the rest."""

import json
import os
import platform
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from policy_rag.errors import PolicyRagError
from policy_rag.index.store.place import IndexPlace, home_of
from policy_rag.llm.addresses import without_password
from policy_rag.models.folders import require_on_disk
from policy_rag.settings import Settings, origins, unknown_variables

_PACKAGES = ("llama-index", "faiss-cpu", "bm25s", "torch", "sentence-transformers", "mlflow")
_RERANKERS = ("BAAI/bge-reranker-base", "BAAI/bge-reranker-large", "BAAI/bge-reranker-v2-m3")


@dataclass(frozen=True, slots=True)
class Check:
    """One finding. `needed` is False for what is a choice: its absence is no fault."""

    name: str
    ok: bool
    detail: str
    needed: bool = True


def diagnose(index: IndexPlace, settings: Settings, *, options: Collection[str] = ()) -> tuple[Check, ...]:
    """All checks, in the order in which people meet the parts. Nothing is fetched, nothing is changed.

    Args:
        index: where it is.
        settings: those in force.
        options: names of the settings that were given in the call.
    """
    rerankers = (*_RERANKERS, *({settings.ranking.reranker} - {"none", *_RERANKERS}))
    unenforced = "not enforced; --offline or POLICY_RAG_OFFLINE=1 enforces it"
    steps: tuple[tuple[str, bool, Callable[[], str]], ...] = (
        ("python", True, platform.python_version),
        ("packages", True, _packages),
        ("embedding model", True, lambda: _embedding(settings)),
        ("index", False, lambda: _index(index)),
        ("Ollama", False, _ollama),
        ("answers come from", True, lambda: _answerer(settings)),
        *((f"reranker {name}", name == settings.ranking.reranker, partial(_reranker, name)) for name in rerankers),
        ("MLflow store", False, lambda: _tracking(home_of(index))),
        ("offline", False, lambda: "enforced" if settings.run.offline else unenforced),
        ("settings", False, lambda: _settings(settings, options)),
        *((f"variable {name}", False, _unknown) for name in unknown_variables()),
    )
    return tuple(_check(name, needed, step) for name, needed, step in steps)


def _check(name: str, needed: bool, step: Callable[[], str]) -> Check:
    try:
        return Check(name, True, step(), needed)
    except PolicyRagError as error:
        return Check(name, False, str(error), needed)


def _packages() -> str:
    found = []
    for package in _PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError as error:
            raise PolicyRagError(f"{package} is not installed: run pip install with constraints.txt again") from error
    return ", ".join(found)


def shown_settings(settings: Settings) -> dict[str, Any]:
    """Every setting by its name, as it may be shown."""
    values = settings.as_json()
    url = settings.llm.llm_url
    return {**values, "llm_url": without_password(url) if url else None}


def _settings(settings: Settings, options: Collection[str]) -> str:
    """What is set and by whom."""
    values = shown_settings(settings)
    found = [
        f"{name} = {json.dumps(values[name], ensure_ascii=False)} ({origin})"
        for name, origin in origins(settings, options=options).items()
    ]
    rest = "all others are" if found else "all are"
    return "; ".join([*found, f"{rest} as by default: `policy-rag doctor --json` lists them"])


def _unknown() -> str:
    raise PolicyRagError("no setting has this name, so it does nothing: mend or unset it")


def _embedding(settings: Settings) -> str:
    from policy_rag.models.embedder import DEFAULT_EMBEDDING
    from policy_rag.models.factory import load_embedder

    name = settings.index.embedding or DEFAULT_EMBEDDING
    require_on_disk(name)
    embedder = load_embedder(name, offline=True)
    return f"{embedder.name}, {embedder.dimension} numbers a text, reads {embedder.max_tokens} tokens"


def _index(place: IndexPlace) -> str:
    from policy_rag.index.store.store import Index

    with Index(place) as index:
        manifest = index.manifest
        if manifest is None:
            raise PolicyRagError(f"{place} is empty: run `policy-rag ingest PATH --index {place}`")
        # Not how many documents there are: that would tell of those which the caller may not read.
        return f"{place}, made with {manifest.embedding}"


def _ollama() -> str:
    from policy_rag.llm.addresses import ollama_url
    from policy_rag.llm.ollama import OllamaServer

    server = OllamaServer(ollama_url(os.environ.get("OLLAMA_HOST")), timeout=1.0)
    found = server.version()
    models = ", ".join(server.models()) or "no model: run `ollama pull llama3.2`"
    return f"{found} at {server.url}, with {models}"


def _answerer(settings: Settings) -> str:
    from policy_rag.llm.factory import resolve_llm
    from policy_rag.llm.model_options import llm_options

    return resolve_llm(settings.llm.llm, llm_options(settings)).notice


def _reranker(name: str) -> str:
    from policy_rag.models.factory import load_reranker

    require_on_disk(name)
    load_reranker(name, offline=True)
    return "on disk"


def _tracking(index: Path) -> str:
    if find_spec("policy_rag_eval") is None:
        raise PolicyRagError("the package policy_rag_eval is not installed: run pip install again")
    return (
        without_password(os.environ.get("MLFLOW_TRACKING_URI", ""))
        or f"beside the index in {index}; `policy-rag ui` opens it"
    )
