"""Answers every question of a data set three ways: from what is found, from the gold sections, and from nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from policy_rag.answering.generation.answer_prompt import answer_prompt
from policy_rag.answering.generation.reply_parser import REFUSAL, is_refusal
from policy_rag.answering.presentation.wording import without_doubt
from policy_rag.llm.language_model import LanguageModel
from policy_rag.records.answer import Answer
from policy_rag.records.search import Hit, SearchResult
from policy_rag.retrieval.searched_trace import with_search
from policy_rag.retrieval.searcher import Searcher
from policy_rag.retrieval.transforms.rewriting import rewrite
from policy_rag.settings import Affects, Settings, names_affecting
from policy_rag.tracing import Trace
from policy_rag_eval.answers.plans import MOST_GIVEN, MOST_QUOTED, AnswerConfiguration
from policy_rag_eval.calibration.support_features import searched
from policy_rag_eval.data.corpora import indexed_texts, open_corpus
from policy_rag_eval.data.dataset import Corpus, Dataset, Question
from policy_rag_eval.judges.judge_cases import Case, Cited
from policy_rag_eval.measures.gold_matching import GoldPlaces
from policy_rag_eval.measures.gold_sections import gold_passages, gold_sections
from policy_rag_eval.parallel import map_parallel
from policy_rag_eval.sweep.cache import FOLDER, digest
from policy_rag_eval.sweep.cached_models import SharedModels
from policy_rag_eval.sweep.evaluation import Latency
from policy_rag_eval.sweep.usage import AnsweringCost, MeteredModel, asked_alone
from policy_rag_parsers.text.answer_language import words_for
from policy_rag_prompts.data import as_data
from policy_rag_prompts.loader import Template, load_template

if TYPE_CHECKING:
    from policy_rag.assistant import PolicyAssistant
    from policy_rag_eval.data.corpora import Progress


CLOSED_BOOK = "closed_book"


class Condition(StrEnum):
    """What an answerer was given: what its search found, the gold sections, or nothing."""

    FOUND = "found"
    CEILING = "ceiling"
    FLOOR = "floor"


@dataclass(frozen=True, slots=True)
class AnswerTrace:
    """An answer with the steps that led to it, the search among them."""

    answer: Answer
    trace: Trace


@dataclass(frozen=True, slots=True)
class Answered:
    """The answers of one configuration.

    Attributes:
        configuration: what was answered with.
        llm: who answered.
        prompts: the words that an LLM was asked to answer with; none without one.
        cases: condition to a case a question, in the order of the data set's questions.
        traces: how each answer from what was found came about, in the order of its cases.
        recall: share of a question's gold labels among the sections given, a question that has any, in order.
        notes: what a reader of the figures should know.
        spent: on the answers from what was found; None where they are quotations.
        latency: of a question that is asked alone, its search and its answer.
    """

    configuration: AnswerConfiguration
    llm: str
    cases: Mapping[Condition, tuple[Case, ...]]
    traces: tuple[AnswerTrace, ...]
    recall: tuple[float, ...]
    notes: tuple[str, ...] = ()
    prompts: tuple[Template, ...] = ()
    spent: AnsweringCost | None = None
    latency: Latency | None = None


class Shared:
    """What configurations of one run have in common, computed once: pairs that a reranker scored, ceilings, floors.

    Args:
        index: the folder under which evaluations keep their indexes and what was computed.
        progress: told what a reranker has scored.
    """

    def __init__(self, index: Path, progress: "Progress | None" = None) -> None:
        self.models = SharedModels(index / "eval" / FOLDER, progress=progress)
        self._known: dict[str, dict[str, dict[Condition, Case]]] = {}

    def without_search(
        self, folder: Path, settings: Settings, model: LanguageModel | None
    ) -> dict[str, dict[Condition, Case]]:
        """Question id to what is answered without a search, under these settings of the answerer."""
        how = settings.as_json(names_affecting(Affects.ANSWER))
        return self._known.setdefault(digest(str(folder), how, model.name if model else None), {})


def answer_all(
    dataset: Dataset,
    configuration: AnswerConfiguration,
    index: Path,
    *,
    model: LanguageModel | None,
    workers: int = 1,
    progress: "Progress | None" = None,
    done: Callable[[int, int], None] | None = None,
    shared: "Shared | None" = None,
) -> Answered:
    """Answers all questions under all conditions.

    Found: as `ask` does, but for the number of sections. Ceiling: the sections of the index that hold the gold, in file
    order, and no refusal for want of support; nothing for a question that the policies do not answer. Floor: an LLM
    answers from what it knows, the extractive answerer refuses.

    Args:
        dataset: with documents.
        configuration: with what.
        index: the folder under which evaluations keep their indexes.
        model: the LLM, or None for quotations.
        workers: how many questions are answered at a time.
        progress: called with the steps of indexing.
        done: called with how many answers are there, and of how many.
        shared: what configurations before this one computed, where there were some.

    Raises:
        DatasetError: the data set has no documents, or nothing that can be scored.
        ModelError: the LLM fails; what it has replied is remembered where `model` remembers.
    """
    from policy_rag.assistant import PolicyAssistant

    fitted = dataset.for_corpus(Corpus.FILES)
    questions = fitted.questions
    settings = configuration.settings
    shared = shared or Shared(index, progress)
    opened, notes = open_corpus(fitted, Corpus.FILES, settings, index, progress=progress)
    with opened:
        metered = MeteredModel(model) if model else None
        assistant, alone = (
            PolicyAssistant(opened.index, settings, today=opened.today(), searcher=how, llm=lambda _: metered)
            for how in (shared.models.searcher(settings), Searcher)
        )
        known = shared.without_search(opened.index.folder, settings, model)
        most = MOST_GIVEN if model else MOST_QUOTED
        count = min(configuration.sections or most, most)
        passages = [gold_passages(fitted, question) for question in questions]
        gold = [gold_sections(assistant, question, of) for question, of in zip(questions, passages, strict=True)]
        texts = indexed_texts(assistant)
        asked: dict[int, tuple[SearchResult, Answer, Trace]] = {}

        def ask(place: int) -> None:
            """By models that no configuration before has spared anything."""
            (result,) = searched(alone, [questions[place].request()])
            asked[place] = (result, *_answered(alone, result, count, metered))

        latency = asked_alone(ask, range(len(questions)), metered)
        others = [place for place in range(len(questions)) if place not in asked]
        found = dict(zip(others, searched(assistant, [questions[place].request() for place in others]), strict=True))
        results = [asked[place][0] if place in asked else found[place] for place in range(len(questions))]

        def answered(place: int) -> tuple[dict[Condition, Case], AnswerTrace]:
            question, result = questions[place], results[place]
            given = result.hits[:count]
            answer, trace = asked[place][1:] if place in asked else _answered(assistant, result, count, metered)
            if question.question_id not in known:
                perfect = _ceiling(assistant, question, gold[place][:most], model)
                known[question.question_id] = {
                    Condition.CEILING: _case(fitted, question, perfect, gold[place][:most], texts),
                    Condition.FLOOR: _floor(fitted, question, model),
                }
            cases = {Condition.FOUND: _case(fitted, question, answer, given, texts), **known[question.question_id]}
            return cases, AnswerTrace(answer, with_search(trace, result, given))

        rows = map_parallel(answered, range(len(questions)), workers=workers if model else 1, progress=done)
    places = GoldPlaces(fitted.passages)
    recall: list[float] = []
    for question, result in zip(questions, results, strict=True):
        wanted = fitted.qrels.get(question.question_id, {})
        if wanted and question.answerable:
            recall.append(len(wanted.keys() & set(places.labels(result.hits[:count]))) / len(wanted))
    cases = {condition: tuple(row[condition] for row, _ in rows) for condition in Condition}
    return Answered(
        configuration,
        model.name if model else "extractive",
        cases,
        tuple(trace for _, trace in rows),
        tuple(recall),
        (*fitted.notes, *notes),
        prompts=(answer_prompt(settings.answer.prompt, model.billions), load_template(CLOSED_BOOK)) if model else (),
        spent=metered.spent(settings) if metered else None,
        latency=latency,
    )


def _answered(
    assistant: "PolicyAssistant", result: SearchResult, count: int, model: LanguageModel | None
) -> tuple[Answer, Trace]:
    """From `count` hits; whether there is an answer is decided by all that the search found, as in `ask`."""
    trace = Trace()
    given = replace(result, hits=result.hits[:count], evidence=result.evidence or result.hits)
    return assistant.answer_from(given, model=model, trace=trace), trace


def _ceiling(
    assistant: "PolicyAssistant", question: Question, hits: tuple[Hit, ...], model: LanguageModel | None
) -> Answer:
    result = SearchResult(question.text, hits, {}, asked=rewrite(question.text))  # measured as `ask` does
    return assistant.answer_from(result, model=model, asks_back=False, threshold=0.0)


def _floor(dataset: Dataset, question: Question, model: LanguageModel | None) -> Case:
    """What an LLM says without any section; nothing checks it, and it cites nothing."""
    if model is None:
        return case_of(dataset, question, words_for(question.text).refused, (), refused=True, citations=())
    prompt = load_template(CLOSED_BOOK).render(question=as_data(question.text), refusal=REFUSAL)
    text = model.chat(prompt.system, prompt.user).text
    return case_of(dataset, question, text, (), refused=is_refusal(text), citations=())


def _case(dataset: Dataset, question: Question, answer: Answer, given: Sequence[Hit], texts: Mapping[str, str]) -> Case:
    citations = tuple(Cited(one.quote, texts.get(one.file, "")[one.start : one.end]) for one in answer.citations)
    contexts = tuple(hit.text for hit in given)
    return case_of(dataset, question, judged_text(answer), contexts, refused=not answer.shown, citations=citations)


def judged_text(answer: Answer) -> str:
    """What is judged: of quotations their words as they stand in the document, markup and all, as the contexts do."""
    if answer.said:
        return "\n".join(f"{one.quote} [{one.n}]" for one in answer.said)
    return without_doubt(answer.answer)


def case_of(
    dataset: Dataset,
    question: Question,
    answer: str,
    contexts: tuple[str, ...] | None = None,
    *,
    refused: bool | None,
    citations: tuple[Cited, ...] | None = None,
) -> Case:
    """An answer to a question of the data set, with what that knows to be right."""
    return Case(
        case_id=question.question_id,
        question=question.text,
        answer=answer,
        contexts=contexts,
        reference=dataset.reference(question),
        accepted=question.answers,
        answerable=question.answerable,
        refused=refused,
        citations=citations,
    )
