"""What a calibration would take: calls, tokens and money of an LLM that gives its view, and seconds of this machine."""

from collections.abc import Sequence
from pathlib import Path

from policy_rag.answering.confidence.llm_feature import VIEWED
from policy_rag.llm.language_model import BRIEF_TOKENS, LanguageModel, prompt_tokens
from policy_rag.llm.metering import price_of
from policy_rag_eval.answers.estimate import section_tokens
from policy_rag_eval.answers.plans import AnswerConfiguration
from policy_rag_eval.calibration.support_features import calibrated_on
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.judges.evaluation_models import answering_model
from policy_rag_eval.sweep.evaluation import Configuration
from policy_rag_eval.sweep.plan import RunEstimate, plan
from policy_rag_eval.sweep.search_calls import Spending, total_spending
from policy_rag_parsers.llm.tokens import estimate_tokens
from policy_rag_prompts.loader import load_template


def estimate(
    dataset: Dataset, corpus: Corpus, configurations: Sequence[AnswerConfiguration], index: Path
) -> RunEstimate:
    """What calibrating one configuration or more would take; nothing is indexed, searched or asked.

    `index` is the folder under which evaluations keep their indexes.

    Raises:
        DatasetError: nothing can be scored.
        ModelError: a model that is asked for by name is not there.
    """
    fitted = dataset.for_corpus(corpus)
    texts = [passage.text for passage in fitted.passages if passage.text.strip()]
    passage = sum(map(estimate_tokens, texts)) / max(1, len(texts))
    section = section_tokens(fitted) if corpus is Corpus.FILES else passage
    spent = []
    for one in configurations:
        model = answering_model(one.settings, None)[0] if one.settings.llm.llm != "auto" else None
        if model is not None:
            spent.append(_viewing(dataset, one, model, section))
    plain = [Configuration(one.name, one.settings) for one in configurations]
    return RunEstimate({"viewing": total_spending(spent)}, plan(dataset, corpus, plain, index, deep=False))


def _viewing(dataset: Dataset, one: AnswerConfiguration, model: LanguageModel, section: float) -> Spending:
    """The first sections of each question are read one by one, and answered with a word."""
    template, asked = load_template("states"), calibrated_on(dataset)
    head = prompt_tokens(template.system, template.user)
    calls = VIEWED * len(asked)
    tokens_in = round(VIEWED * sum(head + section + estimate_tokens(question.text) for question in asked))
    price = price_of(model.name, one.settings.llm.prices, url=one.settings.llm.llm_url)
    tokens_out = calls * BRIEF_TOKENS
    return Spending(calls, tokens_in + tokens_out, None if price is None else price.of(tokens_in, tokens_out))
