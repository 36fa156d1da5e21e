"""The models that one index is used with: which they are, each loaded once and kept, and whether they fit the index."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from policy_rag.errors import IndexingError, ModelError, UsageError
from policy_rag.index.store.manifest import Manifest, require_same
from policy_rag.models.embedder import DEFAULT_EMBEDDING
from policy_rag.records.choices import Backend, Precision
from policy_rag.settings import Settings

if TYPE_CHECKING:
    from policy_rag.index.store.store import Index
    from policy_rag.llm.factory import LLMOptions, ResolvedLLM
    from policy_rag.models.embedder import Embedder
    from policy_rag.models.factory import EmbedderOptions
    from policy_rag.models.reader import Reader
    from policy_rag.models.reader_reranker import ReaderReranker
    from policy_rag.models.reranker import CrossEncoderReranker

Key = TypeVar("Key")
Model = TypeVar("Model")


class LoadedModels:
    """Loads models when they are first needed, and keeps them. Safe for many threads."""

    def __init__(self, index: "Index", settings: Settings) -> None:
        self._index, self._settings = index, settings
        self._embedders: dict[tuple[Backend, str], Embedder] = {}
        self._quick: dict[str, Embedder] = {}
        self._rerankers: dict[str, CrossEncoderReranker | ReaderReranker | None] = {}
        self._llms: dict[tuple[str, LLMOptions], ResolvedLLM] = {}

    def embedder(self, name: str | None = None) -> "Embedder":
        """An embedding model by its name; without one that of the settings, else the index's, else the default.

        Raises:
            IndexingError: the settings ask for another than the index was made with. It is not looked for then.
            ModelError: it is not there.
        """
        from policy_rag.models.factory import load_embedder

        settings, found = self._settings, self._index.manifest
        if name is None and found is not None:
            self._require_asked(found)
        name = name or settings.index.embedding or (found.embedding if found else DEFAULT_EMBEDDING)
        if name != settings.index.embedding and (self.backend, name) not in self._embedders:
            self._require_on_disk(name)
        return _kept(self._embedders, (self.backend, name), lambda: load_embedder(name, **self._embedder_options()))

    def quick_embedder(self) -> "Embedder":
        """The index's model in 8-bit integers, where it runs in float32: for vectors that are compared and not kept.

        Raises:
            IndexingError, ModelError: see `manifest`.
        """
        from policy_rag.models.onnx.embedder import OnnxEmbedder

        model = self.embedder(self.manifest().embedding)
        if self.backend is not Backend.ONNX or not isinstance(model, OnnxEmbedder):
            return model
        return _kept(self._quick, model.name, model.in_int8)

    def _embedder_options(self) -> "EmbedderOptions":
        run = self._settings.run
        return {
            "batch_size": run.embedding_batch,
            "offline": run.offline,
            "backend": self.backend,
            "cache": run.model_cache,
            "or_torch": self._settings.index.embedding_backend is None,
        }

    @contextmanager
    def ingest_embedder(self) -> "Iterator[Embedder]":
        """The embedding model for many texts: that of `embedder`, or all machines of a Ray cluster with it.

        Raises:
            UsageError: Ray is asked for, and to stay offline.
            ModelError: it is not there.
        """
        model, address = self.embedder(), self._settings.run.ray
        if address is None:
            yield model
            return
        from policy_rag.models.factory import load_embedder
        from policy_rag.models.ray_embedder import RayEmbedder

        if self._settings.run.offline:
            raise UsageError("Ray starts programs and reaches other machines: leave --ray or --offline out")
        spread = RayEmbedder(model, load_embedder, {"name": model.name, **self._embedder_options()}, address)
        try:
            yield spread
        finally:
            spread.close()

    @property
    def backend(self) -> Backend:
        """What runs the embedding model: what is asked for, else what fits the index."""
        asked, found = self._settings.index.embedding_backend, self._index.manifest
        int8 = found is not None and found.precision == Backend.ONNX_INT8.precision
        return asked or (Backend.ONNX_INT8 if int8 else Backend.ONNX)

    def manifest(self) -> Manifest:
        """The index's manifest, once the embedding model in use is known to be the one that it was made with.

        Raises:
            IndexingError: the index is empty, or was made with another model.
        """
        manifest, name = self._index.manifest, self._index.name
        if manifest is None:
            raise IndexingError(f"the index in {name} is empty: run `policy-rag ingest PATH` first")
        self._require_asked(manifest)
        fingerprint = self.embedder(manifest.embedding).fingerprint
        require_same(manifest, replace(manifest, fingerprint=fingerprint, precision=self.backend.precision), name)
        return manifest

    def _require_asked(self, manifest: Manifest) -> None:
        """Refuses to use another model than the index was made with, by their names, before any is loaded."""
        asked = self._settings.index.embedding
        if asked is not None and asked != manifest.embedding:
            raise IndexingError(
                f"the index in {self._index.name} was made with the embedding {manifest.embedding}, not {asked}: "
                f"leave --embedding out, or run `policy-rag ingest PATH --embedding {asked} --index NEW_FOLDER`"
            )

    def _require_on_disk(self, name: str) -> None:
        """Refuses to fetch what only an index names: whoever made it would decide which host is asked for what."""
        from policy_rag.models.factory import require_embedder_on_disk

        try:
            require_embedder_on_disk(name)
        except ModelError as error:
            raise IndexingError(
                f"the index in {self._index.name} was made with the embedding {name}, which is not on this machine: "
                f"where you trust it, run `hf download {name}` while online"
            ) from error

    def reranker(self, name: str) -> "CrossEncoderReranker | ReaderReranker | None":
        """A reranker by its name; None for `none`."""
        return _kept(self._rerankers, name, lambda: reranker_of(self._settings, name))

    def reader(self) -> "Reader":
        """The shipped reader.

        Raises:
            ModelError: it cannot be loaded.
        """
        from policy_rag.models.reader import Reader

        return Reader.load()

    def llm(self, settings: Settings) -> "ResolvedLLM":
        """Who answers under these settings; `auto` looks each time, for a server may have come or gone.

        Raises:
            ModelError: an LLM that was asked for by name is not there.
        """
        from policy_rag.llm.factory import resolve_llm
        from policy_rag.llm.model_options import llm_options

        name, options = settings.llm.llm, llm_options(settings)
        if name == "auto":
            return resolve_llm(name, options)
        return _kept(self._llms, (name, options), lambda: resolve_llm(name, options))


def reranker_of(settings: Settings, name: str) -> "CrossEncoderReranker | ReaderReranker | None":
    """A reranker by its name, as these settings run it; None for `none`.

    Unless they say what runs it that is ONNX Runtime, but PyTorch where there is a GPU, and for a device or precision
    that only PyTorch knows.

    Raises:
        ModelError: it is not there.
    """
    from policy_rag.models.accelerator import has_accelerator
    from policy_rag.models.factory import load_reranker

    how, run = settings.ranking, settings.run
    backend = how.reranker_backend
    if backend is None:
        for_torch = how.reranker_device is not None or how.reranker_precision is not Precision.FLOAT32
        backend = Backend.TORCH if for_torch or has_accelerator() else Backend.ONNX
    return load_reranker(
        name,
        batch_size=how.reranker_batch,
        device=how.reranker_device,
        precision=how.reranker_precision,
        backend=backend,
        cache=run.model_cache,
        or_torch=how.reranker_backend is None,
        offline=run.offline,
    )


def _kept(kept: dict[Key, Model], key: Key, load: Callable[[], Model]) -> Model:
    if key not in kept:
        kept[key] = load()
    return kept[key]
