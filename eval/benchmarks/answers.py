"""What answers are worth on public data sets: refusal, quotations, and falsehoods that are caught.

    python -m benchmarks.answers foreign DATASET OTHER --cache DIR [--questions N] [--seed N]
    python -m benchmarks.answers withheld DATASET --cache DIR [--questions N] [--seed N]
    python -m benchmarks.answers policyqa DATASET --cache DIR [--questions N] [--seed N]
    python -m benchmarks.answers gold DATASET --cache DIR [--questions N] [--seed N]
    python -m benchmarks.answers sizes DATASET --cache DIR [--questions N] [--seed N]
    python -m benchmarks.answers altered DATASET... [--questions N] [--seed N]

`foreign` asks each data set's documents its own questions and the other's, without filters, and gives the area under
the ROC curve of `confidence`, own against foreign, and how many of each are refused. `withheld` asks the same
questions with and without the documents that hold their gold. `policyqa` quotes an answer to each question from the
one document that it is about, and counts those whose first 400 characters hold at least half the words of an accepted
answer. `gold` asks a data set with unanswerable questions as a user does: how many of each kind are refused and how
many are claimed, how many answers quote half of a gold passage, or all gold in the first three quotations, how far
`confidence` tells these from others, and whether each quotation equals the text at its range.
`sizes` counts refusals over indexes of 1, 2, 4, ... of the documents: the answerable questions are those whose gold
lies there. `altered` checks statements made from the data sets' passages: their own sentences and paraphrases of
them, which must hold, and falsehoods made from them, which must not. Each area has the largest cosine's beside it.

`--questions` takes that many, drawn with `--seed`; 0 takes all. Indexes are kept in `--cache`.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.altered import check_cases, make_cases
from policy_rag.answering.confidence.model import DEFAULT_WEIGHTS, EVIDENCE, Features, confidence
from policy_rag.answering.extraction.composition import Extract
from policy_rag.answering.extraction.extractor import extract
from policy_rag.assistant import PolicyAssistant
from policy_rag.models.remembered_rows import embed_remembered
from policy_rag.records.answer import Citation, Status
from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.hit_blocks import with_stored_blocks
from policy_rag_eval.calibration.support_features import roc_area, weighed
from policy_rag_eval.data.corpora import indexed_texts
from policy_rag_eval.data.dataset import Dataset, Question
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.errors import DatasetError

FIRST_CHARS = 400
_WHOLE = 0.97
_WORD = re.compile(r"[^\W_]+")


def open_index(dataset: Dataset, cache: Path) -> PolicyAssistant:
    """An assistant over the data set's documents, with the settings in force; made once, then brought up to date.

    Raises:
        DatasetError: the data set has no documents.
        PolicyRagError: what indexing raises.
    """
    if not dataset.documents:
        raise DatasetError(f"{dataset.folder} has no documents/: name a data set that has them")
    assistant = PolicyAssistant.open(cache / dataset.name, create=True, llm="extractive")
    assistant.ingest(
        [dataset.documents_folder], doc_ids={document.file: document.doc_id for document in dataset.documents}
    )
    return assistant


def drawn(questions: Sequence[Question], count: int, seed: int) -> tuple[Question, ...]:
    """`count` of the questions in random order, all of them for 0 or where there are no more."""
    order = np.random.default_rng(seed).permutation(len(questions))
    return tuple(questions[place] for place in order[: count or None])


# --- foreign and withheld ---------------------------------------------------------------------------------------


def measure_foreign(first: Dataset, second: Dataset, cache: Path, count: int, seed: int) -> dict[str, Any]:
    """The area under the ROC curve on each of two indexes, own questions against the other's."""
    asked = {one.name: drawn(one.scored, count, seed) for one in (first, second)}
    found: dict[str, Any] = {}
    for own, other in ((first, second), (second, first)):
        with open_index(own, cache) as assistant:
            native, foreign = (
                evidence(assistant, [SearchRequest(question.text) for question in asked[one.name]])
                for one in (own, other)
            )
        refused = {"native_refused": _share(_refused(native)), "foreign_refused": _share(_refused(foreign))}
        found[own.name] = {"native": len(native), "foreign": len(foreign), **_areas(native, foreign), **refused}
    return found


def measure_withheld(dataset: Dataset, cache: Path, count: int, seed: int) -> dict[str, Any]:
    """The area under the ROC curve of the same questions with and without the documents that hold their gold."""
    owners = {passage.gold_id: passage.doc_id for passage in dataset.passages}
    everything = tuple(document.doc_id for document in dataset.documents)
    plain, without = [], []
    for question in drawn(dataset.scored, count, seed):
        gold = {owners[gold_id] for gold_id in dataset.qrels[question.question_id] if gold_id in owners}
        rest = ",".join(doc_id for doc_id in everything if doc_id not in gold)
        plain.append(SearchRequest(question.text))
        without.append(SearchRequest(question.text, where=(f"doc_id={rest}",)))
    with open_index(dataset, cache) as assistant:
        found = evidence(assistant, plain), evidence(assistant, without)
    return {dataset.name: {"questions": len(plain), **_areas(*found)}}


def evidence(assistant: PolicyAssistant, requests: Sequence[SearchRequest]) -> tuple[Features, ...]:
    """What each question would be answered or refused by."""
    return tuple(one.features for one in weighed(assistant, requests))


def _areas(positive: Sequence[Features], negative: Sequence[Features]) -> dict[str, float]:
    scores = [[confidence(one, DEFAULT_WEIGHTS) for one in side] for side in (positive, negative)]
    cosines = [[one.cosine for one in side] for side in (positive, negative)]
    return {"auc": round(roc_area(*scores), 4), "auc_of_largest_cosine": round(roc_area(*cosines), 4)}


# --- policyqa ---------------------------------------------------------------------------------------------------


def measure_spans(dataset: Dataset, cache: Path, count: int, seed: int) -> dict[str, Any]:
    """How many answers begin with enough of an accepted one; the support score refuses none of them here."""
    questions = drawn([question for question in dataset.questions if question.answers], count, seed)
    with open_index(dataset, cache) as assistant:
        quoted = _quoted(assistant, questions)
    answers = [one.text for one in quoted]
    held = [begins_with(answer, question.answers) for answer, question in zip(answers, questions, strict=True)]
    return {
        dataset.name: {
            "questions": len(questions),
            "first_400_hold_half": round(float(np.mean(held)), 4),
            "mean_characters": round(float(np.mean([len(answer) for answer in answers]))),
            "empty": sum(not answer for answer in answers),
        }
    }


def _quoted(assistant: PolicyAssistant, questions: Sequence[Question]) -> list[Extract]:
    """What the extractive answer to each question quotes, whatever its support."""
    model = assistant.embedder()
    results = assistant.search_many([question.request() for question in questions], top_k=EVIDENCE)
    with assistant.index.snapshot() as snapshot:
        languages, idf = snapshot.derived.languages, snapshot.derived.keywords.idf
        hits = [with_stored_blocks(snapshot, result.hits) for result in results]
    return [
        extract(
            result.question,
            found,
            embed=partial(embed_remembered, model),
            embed_query=lambda question: model.embed_queries([question])[0],
            idf=idf,
            languages=languages,
        )
        for result, found in zip(results, hits, strict=True)
    ]


def begins_with(answer: str, accepted: Sequence[str]) -> bool:
    """Whether the first 400 characters hold at least half the words of an accepted answer, repeats counted.

    >>> begins_with("We collect your name. [1]", ["your name and address"])
    True
    """
    held = Counter(_words(answer[:FIRST_CHARS]))
    wanted = [Counter(words) for one in accepted if (words := _words(one))]
    return any(2 * (held & words).total() >= words.total() for words in wanted)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


# --- gold -------------------------------------------------------------------------------------------------------


def measure_gold(dataset: Dataset, cache: Path, count: int, seed: int) -> dict[str, Any]:
    """What becomes of the questions as a user asks them, and what the answers quote of the gold.

    An answer is right when its first three quotations hold all gold passages but for a few characters.
    """
    questions = drawn([q for q in dataset.questions if q.question_id in dataset.qrels or not q.answerable], count, seed)
    with open_index(dataset, cache) as assistant:
        asked = [question.request() for question in questions]
        answers = [
            assistant.ask(one.question, where=one.where, groups=one.groups, as_of=one.as_of, llm="extractive")
            for one in asked
        ]
        texts = indexed_texts(assistant)
    answerable = np.array([question.answerable for question in questions])
    golds = [gold_places(dataset, question) for question in questions]
    held = [[_share_held(gold, answer.citations) for gold in own] for own, answer in zip(golds, answers, strict=True)]
    first = [
        [_share_held(gold, answer.citations[:3]) for gold in own] for own, answer in zip(golds, answers, strict=True)
    ]
    right = np.array([bool(own) and min(own) >= _WHOLE for own in first])
    half = np.array([bool(own) and max(own) >= 0.5 for own in held])
    status = np.array([answer.status.value for answer in answers])
    given = [(one, own) for own, answer in zip(golds, answers, strict=True) for one in answer.citations]
    of_answerable = [(one, own) for one, own in given if own]
    shown = status != Status.REFUSED.value
    confidences = np.array([answer.confidence for answer in answers])
    return {
        dataset.name: {
            "answerable": int(answerable.sum()),
            "unanswerable": int((~answerable).sum()),
            "answerable_refused": _share(~shown[answerable]),
            "unanswerable_refused": _share(~shown[~answerable]),
            "unanswerable_below_a_tenth_of_answerable": _share(
                confidences[~answerable] < np.quantile(confidences[answerable], 0.1)
            ),
            "answerable_claimed": _share((status == Status.ANSWERED.value)[answerable]),
            "unanswerable_claimed": _share((status == Status.ANSWERED.value)[~answerable]),
            "half_of_gold_quoted": _share(half[answerable]),
            "whole_gold_in_first_three": _share(right[answerable]),
            "claimed_and_right": _share(right[status == Status.ANSWERED.value]),
            "quotations": len(given),
            "quotations_with_gold": _share(
                np.array([_touches(one, own) for one, own in of_answerable], dtype=np.bool_)
            ),
            "verbatim": sum(texts[one.file][one.start : one.end] == one.quote for one, _ in given),
            "median_characters": round(float(np.median([len(answer.answer) for answer in answers if answer.shown]))),
            "confidence_auc": _area(confidences[right & shown], confidences[~right & shown]),
            "calibration_error": _calibration_error(confidences[shown], right[shown]),
            "reliability": _reliability(confidences[shown], right[shown]),
        }
    }


def gold_places(dataset: Dataset, question: Question) -> list[tuple[str, int, int]]:
    """The places of a question's gold passages; of one with several the first."""
    wanted = set(dataset.qrels.get(question.question_id, ()))
    found: dict[str, tuple[str, int, int]] = {}
    for gold in dataset.passages:
        if gold.gold_id in wanted and gold.file and gold.start is not None and gold.end is not None:
            found.setdefault(gold.gold_id, (gold.file, gold.start, gold.end))
    return list(found.values())


def _share_held(gold: tuple[str, int, int], citations: Sequence[Citation]) -> float:
    """The share of a passage's characters that quotations hold."""
    file, start, end = gold
    inside = np.zeros(end - start, dtype=np.bool_)
    for one in citations:
        if one.file == file:
            inside[max(0, one.start - start) : max(0, one.end - start)] = True
    return float(inside.mean())


def _touches(one: Citation, golds: Sequence[tuple[str, int, int]]) -> bool:
    return any(one.file == file and one.start < end and start < one.end for file, start, end in golds)


def _area(positive: NDArray[np.float64], negative: NDArray[np.float64]) -> float | None:
    return round(roc_area(positive.tolist(), negative.tolist()), 4) if len(positive) and len(negative) else None


def _calibration_error(confidences: NDArray[np.float64], right: NDArray[np.bool_], bins: int = 10) -> float:
    """The expected calibration error over bins of equal width (Guo et al., ICML 2017)."""
    places = np.minimum((confidences * bins).astype(int), bins - 1)
    gaps = [
        (places == b).mean() * abs(confidences[places == b].mean() - right[places == b].mean()) for b in set(places)
    ]
    return round(float(sum(gaps)), 4)


def _reliability(confidences: NDArray[np.float64], right: NDArray[np.bool_], bins: int = 5) -> list[dict[str, float]]:
    """For bins of equal width that hold an answer: how many, their mean confidence, and the share that is right."""
    places = np.minimum((confidences * bins).astype(int), bins - 1)
    return [
        {
            "from": b / bins,
            "answers": int((places == b).sum()),
            "confidence": round(float(confidences[places == b].mean()), 3),
            "right": round(float(right[places == b].mean()), 3),
        }
        for b in sorted(set(places.tolist()))
    ]


def _refused(found: Sequence[Features]) -> NDArray[np.bool_]:
    """Which questions are refused at the threshold that ships."""
    return np.array([confidence(one, DEFAULT_WEIGHTS) < DEFAULT_WEIGHTS.threshold for one in found], dtype=np.bool_)


def _share(values: NDArray[np.bool_]) -> float | None:
    return round(float(values.mean()), 4) if len(values) else None


# --- sizes ------------------------------------------------------------------------------------------------------


def measure_sizes(dataset: Dataset, cache: Path, count: int, seed: int) -> list[dict[str, Any]]:
    """Refusals at the threshold that ships, over indexes of 1, 2, 4, ... documents, and of all of them.

    The documents are shuffled and cut into lots of one size; each lot is an index. An unanswerable question counts
    where its asker may read something.
    """
    owners = {passage.gold_id: passage.doc_id for passage in dataset.passages}
    files = {document.doc_id: dataset.documents_folder / document.file for document in dataset.documents}
    order = [sorted(files)[place] for place in np.random.default_rng(seed).permutation(len(files))]
    scored = drawn(dataset.scored, count, seed)
    found = []
    for size in [*(2**n for n in range(len(order).bit_length()) if 2**n < len(order)), len(order)]:
        lots = [order[first : first + size] for first in range(0, len(order) - size + 1, size)]
        sections, own, other = 0, list[Features](), list[Features]()
        for n, lot in enumerate(lots):
            inside = [q for q in scored if {owners[gold] for gold in dataset.qrels[q.question_id]} <= set(lot)]
            with PolicyAssistant.open(cache / f"{dataset.name}-{size}-{n}", create=True, llm="extractive") as assistant:
                assistant.ingest(
                    [files[doc_id] for doc_id in lot], doc_ids={files[doc_id].name: doc_id for doc_id in lot}
                )
                asked = [q for q in dataset.unanswerable if assistant.documents(groups=q.groups)]
                features = evidence(assistant, [q.request() for q in (*inside, *asked)])
                with assistant.index.snapshot() as snapshot:
                    sections += len(snapshot.derived.passages)
            own += features[: len(inside)]
            other += features[len(inside) :]
        found.append(
            {
                "documents": size,
                "indexes": len(lots),
                "sections": round(sections / len(lots)),
                "answerable": len(own),
                "answerable_refused": _share(_refused(own)),
                "unanswerable_refused": _share(_refused(other)),
            }
        )
    return found


# --- altered ----------------------------------------------------------------------------------------------------


def measure_altered(datasets: Sequence[Dataset], count: int, seed: int) -> dict[str, Any]:
    """How many statements of each kind the citation check removes; `missed` lists falsehoods that it lets pass."""
    found: dict[str, Any] = {}
    for dataset in datasets:
        cases = make_cases([passage.text for passage in dataset.passages], passages=count, seed=seed)
        found[dataset.name] = check_cases(cases)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one measurement and writes it as JSON."""
    parser = argparse.ArgumentParser(description="What answers are worth on public data sets.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, count in {"foreign": 500, "withheld": 500, "policyqa": 0, "gold": 0, "sizes": 0, "altered": 800}.items():
        command = commands.add_parser(name)
        nargs = {"foreign": "2", "altered": "+"}.get(name, "1")
        command.add_argument("dataset", nargs=int(nargs) if nargs.isdigit() else nargs)
        command.add_argument("--questions", type=int, default=count, help="how many are drawn; 0 takes all")
        command.add_argument("--seed", type=int, default=0)
        if name != "altered":
            command.add_argument("--cache", type=Path, required=True, help="folder for indexes")
    chosen = parser.parse_args(arguments)
    first, *rest = (read_dataset(name) for name in chosen.dataset)
    match chosen.command:
        case "foreign":
            found = measure_foreign(first, rest[0], chosen.cache, chosen.questions, chosen.seed)
        case "withheld":
            found = measure_withheld(first, chosen.cache, chosen.questions, chosen.seed)
        case "policyqa":
            found = measure_spans(first, chosen.cache, chosen.questions, chosen.seed)
        case "gold":
            found = measure_gold(first, chosen.cache, chosen.questions, chosen.seed)
        case "sizes":
            found = {first.name: measure_sizes(first, chosen.cache, chosen.questions, chosen.seed)}
        case _:
            found = measure_altered([first, *rest], chosen.questions, chosen.seed)
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
