"""The LLMs of an evaluation, their replies kept on disk, and the embedding model that judges compare with."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from policy_rag.errors import UnansweredError, UsageError
from policy_rag.llm.language_model import ModelWrapper, Reply, ReplyOptions
from policy_rag.settings import Settings

if TYPE_CHECKING:
    from policy_rag.llm.language_model import LanguageModel
    from policy_rag.llm.reply_cache import CachedModel, ReplyCache
    from policy_rag.models.embedder import Embedder

REPLIES = "llm-replies.sqlite"


def open_replies(index: Path) -> "ReplyCache":
    """The cached replies beside an index's evaluations; the caller closes them."""
    from policy_rag.llm.reply_cache import ReplyCache

    return ReplyCache(index / "eval" / REPLIES)


class SecondTry(ModelWrapper):
    """A model that is asked once more where its server failed: a fault that passes ends no evaluation of hours."""

    def chat(self, system: str, user: str, **how: Unpack[ReplyOptions]) -> Reply:
        """The first reply, or the second where there is none; see `LanguageModel.chat`."""
        try:
            return self._model.chat(system, user, **how)
        except UnansweredError:
            return self._model.chat(system, user, **how)


def with_cache(model: "LanguageModel", settings: Settings, store: "ReplyCache") -> "CachedModel":
    """A model with the cache in front of it, asked once more where it fails.

    The address, temperature and seed are part of a reply's key.
    """
    import os

    from policy_rag.llm.addresses import without_password
    from policy_rag.llm.reply_cache import CachedModel

    shaped_by = {
        "url": without_password(settings.llm.llm_url or "") if model.name.startswith("openai/") else None,
        "host": os.environ.get("OLLAMA_HOST") if not model.name.startswith("openai/") else None,
        "temperature": settings.llm.temperature,
        "seed": settings.llm.seed,
    }
    return CachedModel(SecondTry(model), store, shaped_by=shaped_by)


def answering_model(settings: Settings, store: "ReplyCache | None") -> tuple["CachedModel | None", str | None]:
    """The LLM that answers, behind the cache; without one, for a dry run, a model that only counts what it is asked.

    Returns:
        The model, None for quotations; and a line that says which one `auto` stands for, else None.

    Raises:
        ModelError: a model that is asked for by name is not there.
    """
    from policy_rag.llm.factory import resolve_llm
    from policy_rag.llm.model_options import llm_options

    resolved = resolve_llm(settings.llm.llm, llm_options(settings))
    which = resolved.notice if settings.llm.llm == "auto" else None
    if resolved.model is None:
        return None, which
    if store is None:
        return counting_model(resolved.model), which
    return with_cache(resolved.model, settings, store), which


def counting_model(model: "LanguageModel") -> "CachedModel":
    """A model of the same name that only counts what it is asked."""
    from policy_rag.llm.metering import EstimatingModel
    from policy_rag.llm.reply_cache import CachedModel, ReplyCache

    return CachedModel(EstimatingModel(model), ReplyCache(Path(":memory:")), shaped_by={})


def judging_models(names: Sequence[str], settings: Settings, store: "ReplyCache | None") -> tuple["CachedModel", ...]:
    """The LLMs that judge, at temperature 0, behind the cache; without one they only count what they would be asked.

    Raises:
        UsageError: a name is `extractive` or `auto`: a judge is an LLM that is named.
        ModelError: a model is not there.
    """
    from policy_rag.llm.factory import resolve_llm
    from policy_rag.llm.model_options import llm_options

    made = []
    cold = settings.changed({"temperature": 0.0})
    for name in dict.fromkeys(names):
        model = resolve_llm(name, llm_options(cold)).model if name != "auto" else None
        if model is None:
            raise UsageError(f"--judge-llm {name}: name an LLM, ollama/NAME or openai/NAME")
        made.append(counting_model(model) if store is None else with_cache(model, cold, store))
    return tuple(made)


def comparing_embedder(settings: Settings) -> "Embedder":
    """The embedding model of judges: the default one, whatever is under test, so that scores can be compared."""
    from policy_rag.models.embedder import DEFAULT_EMBEDDING
    from policy_rag.models.factory import load_embedder
    from policy_rag.records.choices import Backend

    return load_embedder(
        DEFAULT_EMBEDDING,
        batch_size=settings.run.embedding_batch,
        offline=settings.run.offline,
        backend=Backend.ONNX,
        cache=settings.run.model_cache,
        or_torch=True,
    )
