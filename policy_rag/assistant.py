"""The application: open an index, ingest policies, search them, ask them. The main path is read from here."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from policy_rag.errors import SettingsError, UsageError
from policy_rag.index.ingest.target_manifest import target_manifest
from policy_rag.index.store.manifest import Manifest
from policy_rag.index.store.store import Index
from policy_rag.index.store.stored_documents import PreparedDocument
from policy_rag.library import PolicyLibrary
from policy_rag.llm.factory import EXTRACTIVE
from policy_rag.llm.model_options import budget_of, metered
from policy_rag.records.answer import Answer
from policy_rag.records.choices import Transform
from policy_rag.records.ingest import IngestReport
from policy_rag.records.search import SearchRequest, SearchResult
from policy_rag.retrieval.pipeline import SearchPipeline
from policy_rag.retrieval.request import check_question, listed, request_of
from policy_rag.retrieval.searcher import Searcher
from policy_rag.retrieval.self_query.filter_reader import filter_reader
from policy_rag.retrieval.visibility import Visibility
from policy_rag.settings import ALL_SETTINGS, AnswerChanges, SearchChanges, Settings
from policy_rag.tracing import Trace
from policy_rag_parsers.chunking import Chunker

if TYPE_CHECKING:
    from policy_rag.answering.context import AnswerContext
    from policy_rag.answering.conversation import ChatSession, Earlier
    from policy_rag.answering.dry_run import QuestionEstimate
    from policy_rag.index.ingest.metadata_extractors import MetadataPlan
    from policy_rag.index.ingest.pipeline import IngestPipeline
    from policy_rag.index.ingest.staged_documents import StagedDocuments
    from policy_rag.integrations.llama_index.retriever import PolicyRetriever
    from policy_rag.llm.language_model import LanguageModel
    from policy_rag.llm.metering import Calls
    from policy_rag.models.embedder import Embedder
    from policy_rag.records.conflict import Conflict
    from policy_rag.records.statement import CheckedStatement


class PolicyAssistant(PolicyLibrary):
    """Answers questions from one index. Make it with `open`; safe for many threads.

    Args:
        index: an open index.
        settings: see `PolicyLibrary`, which has what is read of the index without a question.
        today: the day whose rules a search is for unless it names another; the calendar's when None.
        searcher: makes what searches, of the index, the embedding model and the reranker.
        llm: gives the LLM that works on questions before they are searched, or None; by default the settings' own.
    """

    def __init__(
        self,
        index: Index,
        settings: Settings,
        *,
        today: dt.date | None = None,
        searcher: Callable[..., Searcher] = Searcher,
        llm: "Callable[[Settings], LanguageModel | None] | None" = None,
    ) -> None:
        super().__init__(index, settings, today=today)
        self._make_searcher = searcher
        self._search_llm = llm or (lambda chosen: self._models.llm(chosen).model)
        self._searchers: dict[str, Searcher] = {}

    # --- models -------------------------------------------------------------------------------------------------

    def embedder(self) -> "Embedder":
        """The embedding model of this index; of the next ingest, where it is empty."""
        return self._models.embedder()

    def require_ready(self) -> None:
        """Whether questions can be answered: the index holds something, and its models load.

        Raises:
            IndexingError: it is empty, damaged, or was made with another model.
            ModelError: a model cannot be loaded.
        """
        manifest = self._models.manifest()
        self._searcher(self.settings.ranking.reranker)
        self._models.embedder(manifest.embedding).embed_queries(["ready"])  # only now it is loaded
        self._models.reader()

    def _searcher(self, reranker: str) -> Searcher:
        if reranker not in self._searchers:
            embedder = self._models.embedder(self._models.manifest().embedding)
            self._searchers[reranker] = self._make_searcher(self.index, embedder, self._models.reranker(reranker))
        return self._searchers[reranker]

    # --- ingest -------------------------------------------------------------------------------------------------

    def manifest_for_ingest(self) -> Manifest:
        """What the next ingest is made with: what was asked for, else what the index has, else the defaults."""
        found = self.index.manifest
        wanted = target_manifest(self.settings, found, self.embedder(), self._models.backend)
        if found is None and wanted.chunker == Chunker.LLM_CONTEXT:
            model = self._models.llm(self.settings).model
            return replace(wanted, judge=model.name if model else None)
        return wanted

    def ingest_pipeline(
        self,
        progress: Callable[[str, int, int], None] | None = None,
        *,
        staged: "StagedDocuments | None" = None,
        embedder: "Embedder | None" = None,
    ) -> "IngestPipeline":
        """What takes documents into the index; see `IngestPipeline`. `embedder` stands in for the index's own."""
        from policy_rag.index.ingest.llm_chunk_judge import llm_judge_of
        from policy_rag.index.ingest.metadata_extractors import extractor_of, replies_file
        from policy_rag.index.ingest.pipeline import IngestPipeline

        manifest, folder = self.manifest_for_ingest(), self.index.folder
        made = extractor_of(self.settings, self._models.llm(self.settings).model, folder) if manifest.metadata else None
        return IngestPipeline(
            index=self.index,
            manifest=manifest,
            embedder=embedder or self._models.embedder(manifest.embedding),
            parsing=self.settings.parsing,
            judge=llm_judge_of(manifest, lambda name: self._models.llm(self._with({"llm": name})).model),
            extractor=made,
            replies=replies_file(self.settings, folder),
            progress=progress,
            staged=staged,
        )

    def plan_metadata(self, paths: str | Path | Sequence[str | Path]) -> "MetadataPlan":
        """What extracting the metadata of these paths would cost; of an LLM one call is timed, and its answer kept.

        Raises:
            UsageError: a path is not there, or no kind of metadata is asked for.
            MetadataError: the LLM's server does not answer.
        """
        return self.ingest_pipeline().plan(_named_paths(paths))

    def ingest(
        self,
        paths: str | Path | Sequence[str | Path],
        *,
        prune: bool = False,
        doc_ids: Mapping[str, str] | None = None,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> IngestReport:
        """Takes files and folders into the index, in one transaction.

        Documents are known by their path relative to the folder that is ingested: a changed file takes the place of
        the old one, and only what changed is embedded. A file that cannot be read is skipped with its reason.

        Args:
            paths: files or folders, or a single one.
            prune: whether documents of these folders whose file is gone are removed.
            doc_ids: relative file to document id, where a data set names them.
            progress: called with the step (`read`, `extract`, `embed`), how much of it is done, and of how much.

        Raises:
            UsageError: no path, one that is not there, or nothing in it can be read.
            IndexingError: the index was made with other settings, is being written by another, or the disk is full.
        """
        named = _named_paths(paths)
        with self._models.ingest_embedder() as embedder:
            pipeline = self.ingest_pipeline(progress, embedder=embedder)
            return pipeline.ingest(named, prune=prune, doc_ids=doc_ids)

    def remove(self, doc_ids: str | Sequence[str], *, groups: str | Sequence[str] = ()) -> int:
        """Takes documents out of the index: from search, from disk, from the keyword statistics.

        Raises:
            UsageError: a document that is not there or that the caller may not read; nothing is then removed.
        """
        named = listed(doc_ids)
        for doc_id in named:
            self.document(doc_id, groups)
        from policy_rag.index.ingest.metadata_extractors import forget_replies, replies_file, require_forgettable

        require_forgettable(replies := replies_file(self.settings, self.index.folder))
        manifest = self.manifest_for_ingest()
        done = self.index.update([], manifest, self._models.embedder(manifest.embedding), remove=named)
        forget_replies(replies)
        return done.removed

    def add_prepared(
        self, documents: Sequence[PreparedDocument], *, progress: Callable[[str, int, int], None] | None = None
    ) -> None:
        """Indexes documents that were cut elsewhere, for example the gold passages of a data set."""
        self.ingest_pipeline(progress).add_prepared(documents)

    # --- search -------------------------------------------------------------------------------------------------

    def search(
        self,
        question: str,
        *,
        where: str | Sequence[str] = (),
        groups: str | Sequence[str] = (),
        as_of: dt.date | str | None = None,
        **changes: Unpack[SearchChanges],
    ) -> SearchResult:
        """The hits for one question, best first.

        Args:
            question: as it would be asked of a person.
            where: filters on what documents say of themselves, as in `doc_id=leave.md`; all must hold.
            groups: the caller's access groups; with none, only documents that are open to all are searched.
            as_of: the day whose rules are asked for, a date or `2026-01-31`; today's without one.
            **changes: settings of searching instead of those in force, such as `top_k`.

        Raises:
            UsageError: a blank or overlong question, an unknown option, a filter or a day that is none.
            IndexingError: the index is empty, damaged, or was made with another model.
        """
        return self.search_many([request_of(question, where, groups, as_of)], **changes)[0]

    def search_many(
        self, requests: Sequence[SearchRequest], **changes: Unpack[SearchChanges]
    ) -> tuple[SearchResult, ...]:
        """The hits for many questions in one go, in their order.

        Args:
            requests: questions with their filters, groups and day.
            **changes: as for `search`.

        Raises:
            UsageError: as for `search`.
            IndexingError: as for `search`.
        """
        return self._searched(requests, self._with(changes))

    def _searched(self, requests: Sequence[SearchRequest], chosen: Settings) -> tuple[SearchResult, ...]:
        for request in requests:
            check_question(request.question)
        return self._pipeline(chosen).search_many(requests, lambda: metered(self._search_llm(chosen), chosen, Trace()))

    def retriever(
        self,
        *,
        where: str | Sequence[str] = (),
        groups: str | Sequence[str] = (),
        as_of: dt.date | str | None = None,
        **changes: Unpack[SearchChanges],
    ) -> "PolicyRetriever":
        """The search as a LlamaIndex retriever, for as long as the assistant is open; see `search`.

        Raises:
            UsageError: a day that is none.
            SettingsError: an unknown setting or value.
        """
        from policy_rag.integrations.llama_index.retriever import PolicyRetriever

        request = request_of("", where, groups, as_of)
        chosen = self._with(changes)
        return PolicyRetriever(
            lambda asked: self._searched([asked], chosen)[0],
            where=request.where,
            groups=request.groups,
            as_of=request.as_of,
        )

    def _pipeline(self, chosen: Settings, *, calls: "Calls | None" = None) -> SearchPipeline:
        """How questions are searched; `calls` reads filters out of them where an LLM does that."""
        return SearchPipeline(
            index=self.index,
            searcher=self._searcher(chosen.ranking.reranker),
            options=chosen.search,
            transforms=chosen.query.transforms,
            today=self.today(),
            self_query=filter_reader(chosen.query.self_query, lambda: calls or self._search_llm(chosen)),
            reranks=chosen.ranking.reranker != "none",
        )

    # --- ask ----------------------------------------------------------------------------------------------------

    def ask(
        self,
        question: str,
        *,
        where: str | Sequence[str] = (),
        groups: str | Sequence[str] = (),
        as_of: dt.date | str | None = None,
        trace: bool = False,
        on_text: Callable[[str], None] | None = None,
        on_notice: Callable[[str], None] | None = None,
        **changes: Unpack[AnswerChanges],
    ) -> Answer:
        """An answer with citations, or a refusal.

        Args:
            question: as it would be asked of a person.
            where: see `search`.
            groups: see `search`.
            as_of: see `search`.
            trace: whether the answer carries the steps taken and the LLM calls made.
            on_text: is given the answer's text in pieces while an LLM writes it, each sentence once it is checked, and
                a quoted answer in one; nothing of a refusal or a question back. Together they are `answer`.
            on_notice: is given each of the answer's notices that is known before the answer is written.
            **changes: settings of searching and answering instead of those in force, such as `llm`.

        Raises:
            UsageError: as for `search`.
            IndexingError: as for `search`.
            BudgetError: an LLM call could exceed the budget (`budget_calls`, `budget_tokens`, `budget_cost`).
            ModelError: an LLM that was asked for by name is not there, or fails.
        """
        check_question(question)
        chosen = self._with(changes)
        request = request_of(question, where, groups, as_of)
        context = replace(self._new_context(chosen, on_text=on_text), notice_callback=on_notice)
        answered = self._answer(request, chosen, context)
        return replace(answered, trace=context.trace.as_records(texts=chosen.run.log_texts)) if trace else answered

    def answer_from(
        self,
        result: SearchResult,
        *,
        model: "LanguageModel | None" = None,
        asks_back: bool = True,
        trace: Trace | None = None,
        **changes: Unpack[AnswerChanges],
    ) -> Answer:
        """An answer from hits that were found or given elsewhere, as `ask` makes one from its own search.

        Args:
            result: the question and its hits.
            model: who writes; None answers by quotation, whatever the setting `llm` says.
            asks_back: whether a question that names no subject is asked back.
            trace: where its steps are kept, if anywhere.
            **changes: settings of answering instead of those in force, such as `threshold`.
        """
        from policy_rag.answering.pipeline import answer_from_result
        from policy_rag.llm.metering import Calls
        from policy_rag.retrieval.hit_blocks import with_parsed_blocks

        result = replace(result, hits=with_parsed_blocks(result.hits))
        calls = Calls.of(model, trace) if model else None
        context = replace(self._answer_context(self._with(changes), calls), trace=trace or Trace())
        return answer_from_result(result, context, asks_back=asks_back)

    def estimate(
        self,
        question: str,
        *,
        where: str | Sequence[str] = (),
        groups: str | Sequence[str] = (),
        as_of: dt.date | str | None = None,
        **changes: Unpack[AnswerChanges],
    ) -> "QuestionEstimate":
        """What `ask` would take of the LLM: calls, tokens, cost; searches are made, the LLM is not asked.

        Raises:
            UsageError: as for `ask`.
            IndexingError: as for `ask`.
            ModelError: an LLM that was asked for by name is not there.
        """
        from policy_rag.answering.dry_run import estimated

        check_question(question)
        request = request_of(question, where, groups, as_of)
        chosen = self._with(changes).changed({"trace_to_mlflow": False})
        context = self._new_context(chosen, dry=True)
        self._answer(request, chosen, context)
        return estimated(question, context, budget_of(chosen), texts=chosen.run.log_texts)

    def _answer(self, request: SearchRequest, chosen: Settings, context: "AnswerContext") -> Answer:
        """The answer to one question; its trace is kept, where that is set, whatever ends the question."""
        from policy_rag.answering.confidence.model import EVIDENCE
        from policy_rag.answering.pipeline import PlanOptions, answer
        from policy_rag.answering.presentation.kept_traces import traced
        from policy_rag.retrieval.pipeline import TracedSearch

        # More than are asked for are looked into: what supports an answer may stand behind the first few.
        rest = tuple(name for name in chosen.query.transforms if name is not Transform.DECOMPOSE)
        searched = chosen.changed({"top_k": max(chosen.search.top_k, EVIDENCE), "transforms": rest})
        search = TracedSearch(self._pipeline(searched, calls=context.calls), request, context.calls, context.trace)
        asked = Transform.DECOMPOSE in chosen.query.transforms
        planning = PlanOptions(chosen.query.max_sub_questions, request.as_of or self.today(), asked=asked)
        return traced(
            partial(answer, request.question, search, context, planning),
            context.trace,
            request.question,
            folder=self.index.folder,
            texts=chosen.run.log_texts,
            to_mlflow=chosen.run.trace_to_mlflow,
        )

    def _new_context(
        self, chosen: Settings, *, dry: bool = False, on_text: Callable[[str], None] | None = None
    ) -> "AnswerContext":
        """What one question is answered with, its LLM under the budget of one question."""
        from policy_rag.answering.generation.text_stream import TextStream

        resolved, trace = self._models.llm(chosen), Trace()
        return replace(
            self._answer_context(chosen, metered(resolved.model, chosen, trace, dry=dry)),
            stream_callback=TextStream(on_text) if on_text else None,
            trace=trace,
            notices=(resolved.notice,) if chosen.llm.llm == "auto" else (),
        )

    def _answer_context(self, chosen: Settings, calls: "Calls | None") -> "AnswerContext":
        from policy_rag.answering.context import context_of

        embedder = self._models.embedder(self._models.manifest().embedding)
        with self.index.snapshot() as snapshot:
            made = context_of(chosen, snapshot, embedder, self._models.reader(), calls)
        return replace(made, quick=self._models.quick_embedder)

    def check(
        self,
        statement: str,
        *,
        file: str | None = None,
        span: tuple[int, int] | None = None,
        where: str | Sequence[str] = (),
        groups: str | Sequence[str] = (),
        as_of: dt.date | str | None = None,
        **changes: Unpack[SearchChanges],
    ) -> "CheckedStatement":
        """Whether the policies bear a statement out, sentence by sentence; the one that fares worst decides.

        Args:
            statement: anybody's, not blank.
            file: the document, by id or file, that it is held against; without one the index is searched.
            span: `[start, end)` of that document's text, to be held against that alone.
            where: see `search`.
            groups: see `search`.
            as_of: see `search`.
            **changes: see `search`.

        Raises:
            UsageError: as for `search`, `show` and `document`; a range without a document.
        """
        from policy_rag.answering.statement_check import check_statement
        from policy_rag.retrieval.hits import hit_of_excerpt

        check_question(statement, "statement")
        reader = self._models.reader()
        if span is not None:
            if file is None:
                raise UsageError("a range needs the document that it is of: name the file too")
            hit = hit_of_excerpt(self.show(file, span=span, groups=groups))
            return check_statement(statement, lambda _: (hit,), reader)
        own = () if file is None else (f"doc_id={self.document(file, groups).doc_id}",)
        plain = replace(self._pipeline(self._with(changes)), transforms=(), self_query=None)
        under = request_of(statement, (*listed(where), *own), groups, as_of)
        return check_statement(statement, lambda asked: plain.search(replace(under, question=asked)).hits, reader)

    def chat(
        self,
        *,
        where: str | Sequence[str] = (),
        groups: str | Sequence[str] = (),
        as_of: dt.date | str | None = None,
        earlier: Sequence["Earlier"] = (),
        **changes: Unpack[AnswerChanges],
    ) -> "ChatSession":
        """A conversation: questions that may lean on those before, each under what is given here; see `ask`.

        `earlier` is what was asked in it before, oldest first, where it goes on.

        Raises:
            UsageError: a day that is none.
            SettingsError: an unknown setting or value.
        """
        from policy_rag.answering.conversation import ChatSession

        request = request_of("", where, groups, as_of)
        chosen = self._with(changes)

        def ask(question: str, context: "AnswerContext") -> Answer:
            check_question(question)
            answered = self._answer(replace(request, question=question), chosen, context)
            return replace(answered, trace=context.trace.as_records(texts=chosen.run.log_texts))

        return ChatSession(ask, new_context=lambda on_text: self._new_context(chosen, on_text=on_text), earlier=earlier)

    def answerer(self, llm: str | None = None) -> str:
        """Who answers under a setting `llm`, by default the one in force; for `auto` its server is looked for."""
        chosen = self._with({"llm": llm})
        if chosen.llm.llm != "auto":
            return chosen.llm.llm
        model = self._models.llm(chosen).model
        return model.name if model else EXTRACTIVE

    def _with(self, changes: Mapping[str, Any]) -> Settings:
        """The settings of one call, which may be those that are used in it and no others."""
        given = {name: value for name, value in changes.items() if value is not None}
        for name in given:
            if name in ALL_SETTINGS and name not in AnswerChanges.__annotations__:
                raise SettingsError(f"{name} is no setting of one question: give it to PolicyAssistant.open")
        return self.settings.changed(given)

    def conflicts(
        self, *, where: str | Sequence[str] = (), groups: str | Sequence[str] = (), as_of: dt.date | str | None = None
    ) -> tuple["Conflict", ...]:
        """Where documents in force contradict each other, surest first; arguments and errors are those of `search`.

        It is worked out once for the same documents of one state of the index.
        """
        from policy_rag.answering.conflicts import find_conflicts
        from policy_rag.retrieval.expansion.whole_document import whole_document

        with self.index.snapshot() as snapshot:
            view = Visibility.of(snapshot, request_of("", where, groups, as_of), self.today())
            key = ("conflicts", frozenset(view.documents))
            found: tuple[Conflict, ...] | None = snapshot.views.get(key)
            if found is not None:
                return found
            documents = [whole_document(view, document) for document in view.documents.values()]
        found = snapshot.views[key] = find_conflicts(documents, self.embedder().embed, self._models.reader())
        return found


def _named_paths(paths: str | Path | Sequence[str | Path]) -> list[Path]:
    """Files and folders as they are named: a text is one of them, not a list of its characters."""
    named = [Path(path) for path in ([paths] if isinstance(paths, str | Path) else paths)]
    if not named:
        raise UsageError("no file and no folder is named: name one at least")
    return named
