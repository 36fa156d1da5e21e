"""Answers from sections that are given, in the order in which they are given.

Whether there is an answer is decided as in `ask`, by the support of the search's hits, and written by what `ask` writes
with. Other than in `ask`, all sections that are given are looked into: it cuts them at five (quotations) or eight (an
LLM), behind which nothing could be tested.
"""

from functools import partial
from typing import TYPE_CHECKING

from policy_rag.answering.confidence.model import confidence, features, weights_in_force
from policy_rag.answering.extraction import extractor as extractive
from policy_rag.answering.generation import generator as generated
from policy_rag.errors import ModelError
from policy_rag.llm.language_model import LanguageModel
from policy_rag.models.reader import Reader
from policy_rag.models.remembered_rows import embed_remembered
from policy_rag.retrieval.hit_blocks import with_parsed_blocks
from policy_rag_eval.stress.trials import StressAnswer, Trial

if TYPE_CHECKING:
    from policy_rag.assistant import PolicyAssistant

NOTHING = StressAnswer("", ())


class Answerer:
    """Answers trials. Safe for many threads where it has an LLM.

    The index, settings and embedding model are the assistant's; without a `model` it quotes.
    """

    def __init__(self, assistant: "PolicyAssistant", model: LanguageModel | None) -> None:
        self._weights = weights_in_force(assistant.settings)
        with assistant.index.snapshot() as snapshot:
            self._idf, self._languages = snapshot.derived.keywords.idf, snapshot.derived.languages
        self._embedder = assistant.embedder()
        self._model = model
        self._reader = Reader.load()

    @property
    def name(self) -> str:
        """Who answers."""
        return self._model.name if self._model else "extractive"

    def __call__(self, trial: Trial) -> StressAnswer:
        """The answer to a trial; that the LLM failed is part of it, not raised."""
        matter = trial.matter or trial.question.text
        found = features(matter, trial.evidence, idf=self._idf, languages=self._languages)
        if not trial.sections or confidence(found, self._weights) < self._weights.threshold:
            return NOTHING
        return self._generated(self._model, trial) if self._model else self._quoted(trial, matter)

    def _quoted(self, trial: Trial, matter: str) -> StressAnswer:
        quoted = extractive.extract(
            matter,
            with_parsed_blocks(trial.sections),
            embed=partial(embed_remembered, self._embedder),
            embed_query=lambda question: self._embedder.embed_queries([question])[0],
            idf=self._idf,
            reader=self._reader,
            max_hits=len(trial.sections),
            languages=self._languages,
        )
        return StressAnswer(quoted.text, quoted.citations)

    def _generated(self, model: LanguageModel, trial: Trial) -> StressAnswer:
        try:
            draft = generated.generate(
                trial.question.text, trial.sections, model, max_hits=len(trial.sections), reader=self._reader
            )
        except ModelError as error:
            return StressAnswer("", (), failure=str(error))
        return StressAnswer(draft.text, draft.citations, left_out=len(draft.left_out))
