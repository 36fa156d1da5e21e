"""Rerankers: cross-encoders that read question and text together, through LlamaIndex's `SentenceTransformerRerank`."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import ModelError
from policy_rag.models.folder_model import FolderModel
from policy_rag.records.choices import Precision

if TYPE_CHECKING:
    from llama_index.core.postprocessor.types import BaseNodePostprocessor

NO_RERANKER = "none"
_MOST_TOKENS = 512


class CrossEncoderReranker(FolderModel["BaseNodePostprocessor"]):
    """A cross-encoder in a folder. Weights are loaded when the first pair is scored, not before.

    As LlamaIndex's postprocessor it keeps two nodes unless its `top_n` is set.
    """

    role, option = "reranker", "--reranker"
    blend = 1.0
    """The share of its scores in the order, against those of the search: all."""
    depth: int | None = None
    """Candidates from the top that it reads: all."""

    def __init__(
        self,
        name: str,
        folder: Path,
        *,
        batch_size: int = 16,
        device: str | None = None,
        precision: Precision = Precision.FLOAT32,
    ) -> None:
        """Describe the model in `folder`; of question and text together it reads 512 tokens at most."""
        super().__init__(name, folder)
        self._device = device
        self._precision = precision
        self._batch_size = batch_size

    def _load(self) -> "BaseNodePostprocessor":
        from llama_index.postprocessor.sbert_rerank import SentenceTransformerRerank

        return SentenceTransformerRerank(
            str(self.folder),
            device=self._device,
            cross_encoder_kwargs={
                "max_length": self._readable(),
                "local_files_only": True,
                "model_kwargs": {"dtype": str(self._precision)},
            },
        )

    def _readable(self) -> int:
        config = json.loads((self.folder / "config.json").read_text("utf-8"))
        positions = config.get("max_position_embeddings")
        if not isinstance(positions, int):
            return _MOST_TOKENS
        # RoBERTa and its like count positions from behind the one of padding.
        behind = config.get("pad_token_id", 1) + 1 if "roberta" in str(config.get("model_type")) else 0
        return min(_MOST_TOKENS, positions - behind)

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question, in the order of `texts`; higher is better.

        Scores compare within one question only. The scale is the model's own: 0 to 1 for the bge rerankers.

        Raises:
            ModelError: the model cannot be loaded, or gives scores that are not finite.
        """
        return self.score_many([(question, texts)])[0]

    def score_many(self, questions: Sequence[tuple[str, Sequence[str]]]) -> list[list[float]]:
        """`score` for many questions in common batches: a list of scores a question, in order.

        Pairs run through the model longest first and equal pairs once, so that equal pairs score equal.

        Raises:
            ModelError: the model cannot be loaded, or gives scores that are not finite.
        """
        import numpy as np

        pairs = {(question, text): 0.0 for question, texts in questions for text in texts}
        if pairs:
            ordered = sorted(pairs, key=lambda pair: len(pair[0]) + len(pair[1]), reverse=True)
            scores = np.asarray(self._predict(ordered), dtype=np.float64)
            if scores.shape != (len(ordered),):
                raise ModelError(
                    f"reranker {self.name} gives {scores.shape[1]} scores a pair: use a model with one label"
                )
            if not np.isfinite(scores).all():
                raise ModelError(f"reranker {self.name} gives scores that are not numbers: use another one")
            pairs = dict(zip(ordered, scores.tolist(), strict=True))
        return [[pairs[question, text] for text in texts] for question, texts in questions]

    def _predict(self, pairs: list[tuple[str, str]]) -> Any:
        encoder: Any = self.llama_index._model  # type: ignore[attr-defined]  # noqa: SLF001 - it batches one question only
        return encoder.predict(pairs, batch_size=self._batch_size, show_progress_bar=False)
