"""What an evaluation of answers would take: calls, tokens and money of LLMs, and seconds of this machine.

Nothing is indexed, searched or asked. Numbers of calls are the most that there can be: what is refused for want of
support, what another configuration answers alike and what was replied before is not asked.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from policy_rag.answering.generation.answer_prompt import answer_prompt
from policy_rag.llm.language_model import prompt_tokens
from policy_rag.llm.reply_cache import CachedModel
from policy_rag.settings import Settings
from policy_rag_eval.answers.answer_set import CLOSED_BOOK, case_of
from policy_rag_eval.answers.peers import Answerer
from policy_rag_eval.answers.plans import MOST_GIVEN, AnswerConfiguration
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.judges.judge import Judge, judge_all
from policy_rag_eval.judges.judge_cases import Case
from policy_rag_eval.sweep.evaluation import Configuration
from policy_rag_eval.sweep.plan import RunEstimate, plan
from policy_rag_eval.sweep.search_calls import NOTHING, Spending, counted, total_spending
from policy_rag_parsers.llm.tokens import estimate_tokens
from policy_rag_prompts.loader import load_template

_DOCUMENTS, _CASES = 3, 6


def estimate(
    dataset: Dataset,
    configurations: Sequence[AnswerConfiguration],
    judges: Sequence[Judge],
    index: Path,
    *,
    models: Callable[[AnswerConfiguration], CachedModel | None],
    judging: Sequence[CachedModel],
    settings: Settings,
    against: str | None = None,
    peers: Mapping[str, Answerer] | None = None,
) -> RunEstimate:
    """What `run_answers` would take with the same arguments.

    Args:
        dataset: with documents.
        configurations: at least one.
        judges: those that ask LLMs are put a few cases, which their models only count.
        index: the folder under which evaluations keep their indexes.
        models: the LLM of a configuration, None for quotations; it only counts.
        judging: the models behind the judges; they only count.
        settings: of the judges.
        against: the name of a baseline.
        peers: others' ways of answering by name, which are not asked: what theirs take is not known.

    Raises:
        DatasetError: the data set has no documents, or nothing that can be scored.
        UsageError: there is no such baseline.
        ModelError: a model that is asked for by name is not there.
    """
    fitted = dataset.for_corpus(Corpus.FILES)
    section = section_tokens(fitted)
    spent: list[Spending] = []
    asked: set[tuple[str, str]] = set()
    for one in configurations:
        model = models(one)
        if model is not None:
            spent.append(_answering(fitted, one, model, section, asked))
    plain = [Configuration(one.name, one.settings) for one in configurations]
    here = plan(dataset, Corpus.FILES, plain, index, against=against, peers=peers, deep=False)
    judged = _judging(fitted, judges, judging, settings, len(configurations) + len(peers or {}))
    return RunEstimate({"answering": total_spending(spent), "judging": judged}, here)


def _answering(
    dataset: Dataset, one: AnswerConfiguration, model: CachedModel, section: float, asked: set[tuple[str, str]]
) -> Spending:
    """The found answers, and ceilings and floors where no configuration before asked for the same."""
    template, alone = answer_prompt(one.settings.answer.prompt, model.billions), load_template(CLOSED_BOOK)
    questions = len(dataset.questions)
    question = sum(estimate_tokens(each.text) for each in dataset.questions) / max(1, questions)
    count = min(one.sections or MOST_GIVEN, MOST_GIVEN)
    head = prompt_tokens(template.system, template.user) + question
    calls, tokens_in = questions, questions * (head + count * section)
    if ("ceiling", f"{template.sha256} {model.name}") not in asked:
        gold = len(dataset.scored)
        calls, tokens_in = calls + gold, tokens_in + gold * (head + section)
    if ("floor", model.name) not in asked:
        calls += questions
        tokens_in += questions * (prompt_tokens(alone.system, alone.user) + question)
    asked |= {("ceiling", f"{template.sha256} {model.name}"), ("floor", model.name)}
    return counted(model, one.settings, calls, round(tokens_in) + calls * model.reply_tokens)


def _judging(
    dataset: Dataset,
    judges: Sequence[Judge],
    models: Sequence[CachedModel],
    settings: Settings,
    configurations: int,
) -> Spending:
    """A few cases are judged by models that only count, and scaled to all there may be."""
    asking = [judge for judge in judges if ":" in judge.name]
    if not asking:
        return NOTHING
    cases = list(islice(_cases(dataset), _CASES))
    for judge in asking:
        judge_all(judge, cases)
    share = (configurations + 2) * len(dataset.questions) / max(1, len(cases))  # each one's found, a ceiling, a floor
    return total_spending(
        [counted(one, settings, round(share * one.calls), round(share * one.tokens)) for one in models]
    )


def _cases(dataset: Dataset) -> Iterator[Case]:
    """Questions as if they were answered by their gold."""
    for question in dataset.scored:
        reference = dataset.reference(question) or question.text
        case = case_of(dataset, question, reference, (reference,), refused=False, citations=())
        yield replace(case, reference=reference)


def section_tokens(dataset: Dataset) -> float:
    """The mean tokens of a section that holds text, of a few documents; one that cannot be read has none."""
    from policy_rag_parsers.errors import LoadError
    from policy_rag_parsers.loaders import load
    from policy_rag_parsers.structure.sections import parse_sections

    counts = []
    for document in dataset.documents[:: max(1, len(dataset.documents) // _DOCUMENTS)][:_DOCUMENTS]:
        try:
            source = load(dataset.documents_folder / document.file)
        except LoadError:  # told where it is indexed
            continue
        for section in parse_sections(source, title=document.title):
            text = source.text[section.start : section.end].strip()
            if text:
                counts.append(estimate_tokens(text))
    return sum(counts) / max(1, len(counts))
