"""Groups of pairs from questions and statements that were written on sections."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby

from policy_rag.answering.extraction.scoring import Embed
from policy_rag_parsers.text.sentences import sentence_spans
from training.examples import Pair, PairGroup, SupportLabel, TrainingTask
from training.lexical import Passages
from training.nearest import nearest
from training.support_sets import evened, shared_class
from training.swaps import without_answer
from training.written import WrittenItem, WrittenSection, quotable

_NEAR, _ANY = 12, 3  # sentences that do not answer: the nearest of the organisation, and any others of the passage
_LABELS = {"t": SupportLabel.ENTAILED, "f": SupportLabel.CONTRADICTED, "u": SupportLabel.NEUTRAL}


def _behind(titles: str, text: str) -> str:
    """As the product puts what could be quoted before the reader."""
    return f"{titles}: {' '.join(text.split())}"


_NextBest = Callable[[str], list[WrittenSection]]


def reading_groups(sections: Sequence[WrittenSection], seed: int) -> Iterator[PairGroup]:
    """Whole sections: a question with its own, and with the next best of its organisation, which does not answer."""
    rng = random.Random(f"{seed} written reading")
    for section, others in _near(sections):
        shift = len(section.titles) + 1
        for item in section.items:
            if item.kind not in "qn":
                continue
            other = others(item.text)
            span = None if item.quote is None else (item.quote[0] + shift, item.quote[1] + shift)
            pairs = [Pair(section.whole, relevant=True, answerable=span is not None, span=span)]
            left = without_answer(section.passage, item.quote) if item.quote and rng.random() < 0.5 else None
            if left is not None:
                pairs.append(Pair(f"{section.titles}\n{left}", relevant=True, answerable=False))
            elif other:
                pairs.append(Pair(other[0].whole, relevant=False, answerable=False))
            yield PairGroup(TrainingTask.READ, section.source, section.organisation, item.text, tuple(pairs))


def ranking_groups(sections: Sequence[WrittenSection], seed: int) -> Iterator[PairGroup]:
    """Questions with the section that treats their matter, whether it answers or not, against near ones."""
    rng = random.Random(f"{seed} written ranking")
    for section, others in _near(sections):
        asked = [item for item in section.items if item.kind in "qn"]
        for item in rng.sample(asked, len(asked) // 2):
            pairs = [Pair(section.whole, relevant=True, answerable=item.quote is not None)]
            pairs += [Pair(one.whole, relevant=False, answerable=False) for one in others(item.text)[:3]]
            yield PairGroup(TrainingTask.RANK, section.source, section.organisation, item.text, tuple(pairs))


def sentence_groups(sections: Sequence[WrittenSection], seed: int, embed: Embed) -> Iterator[PairGroup]:
    """Questions with what could be quoted, behind titles: that which answers, where any does, and what does not.

    What does not is what an answer has to be told from: that of the organisation whose vector is nearest.

    Args:
        sections: those of an organisation follow one another.
        seed: of all choices.
        embed: texts to vectors of norm 1, `(len(texts), dimension)`.
    """
    rng = random.Random(f"{seed} written sentences")
    for name, of_file in groupby(sections, key=lambda one: one.organisation):
        own = list(of_file)
        units = [(place, span, text) for place, one in enumerate(own) for span, text in quotable(one.passage)]
        texts = [_behind(own[place].titles, text) for place, _, text in units]
        asked = [(place, item) for place, one in enumerate(own) for item in one.items if item.kind in "qn"]
        near = nearest([item.text for _, item in asked], texts, embed, _NEAR + 4)  # those that answer are passed over
        for (place, item), order in zip(asked, near, strict=True):
            held = {i for i, (at, span, _) in enumerate(units) if at == place and _answers(item, span)}
            if item.quotes and not held:
                continue
            of_section = [i for i, (at, _, _) in enumerate(units) if at == place and i not in held]
            taken = [i for i in order if i not in held][:_NEAR] + rng.sample(of_section, min(_ANY, len(of_section)))
            pairs = [Pair(text, answerable=True) for text in dict.fromkeys(texts[i] for i in sorted(held))]
            said = {pair.passage for pair in pairs}
            others = dict.fromkeys(texts[i] for i in taken if texts[i] not in said)
            pairs += [Pair(text, answerable=False) for text in others]
            yield PairGroup(TrainingTask.READ, f"{own[place].source} sentences", name, item.text, tuple(pairs))


def _answers(item: WrittenItem, span: tuple[int, int]) -> bool:
    return any(_meet(span, quote) for quote in item.quotes)


def support_groups(sections: Sequence[WrittenSection], seed: int) -> Iterator[PairGroup]:
    """Statements with two neighbouring sentences, as the product reads them, and with the whole passage.

    As many true as false ones that share about as many words with what they are about; see `evened`. Of questions,
    the sentence that answers bears them out and the next best does not.
    """
    rng = random.Random(f"{seed} written support")
    told = [(section, item) for section in sections for item in section.items if item.quote and item.kind in "tf"]
    rng.shuffle(told)
    classes: dict[int, tuple[list[WrittenItem], list[WrittenItem]]] = {}
    for section, item in told:
        shared = shared_class(item.text, section.passage[slice(*item.quote or (0, 0))])
        classes.setdefault(shared, ([], []))[item.kind == "f"].append(item)
    kept = {item for sides in classes.values() for item in evened(*sides)}
    for section in sections:
        spans = [span for line in _lines(section.passage) for span in line]
        if len(spans) < 2:
            continue
        single = [section.passage[a:b] for a, b in spans]
        twos = ["\n".join(single[i : i + 2]) for i in range(len(single) - 1)]
        near_single, near_two = Passages(single), Passages(twos)
        for item in section.items:
            touching = [i for i, span in enumerate(spans) if _answers(item, span)]
            if item.kind in "qn":
                apart = [i for i in near_single.best(item.text, 2) if i not in touching][:1]
                pairs = [Pair(" ".join(single[i].split()), support=SupportLabel.ENTAILED) for i in touching[:1]]
                pairs += [Pair(" ".join(single[i].split()), support=SupportLabel.NEUTRAL) for i in apart]
            elif item.kind == "u" or item in kept:
                label = _LABELS[item.kind]
                holding = [i for i in range(len(twos)) if i in touching or i + 1 in touching]
                apart = [i for i in near_two.best(item.text, 4) if i not in holding][: 1 if holding else 2]
                pairs = [Pair(twos[i], support=label) for i in rng.sample(holding, min(2, len(holding)))]
                pairs += [Pair(twos[i], support=SupportLabel.NEUTRAL) for i in apart]
                pairs.append(Pair(section.passage, support=label))
            else:
                continue
            source = f"{section.source} {'questions' if item.kind in 'qn' else 'statements'}"
            if pairs:
                yield PairGroup(TrainingTask.SUPPORT, source, section.organisation, item.text, tuple(pairs))


def _lines(passage: str) -> Iterator[list[tuple[int, int]]]:
    place = 0
    for line in passage.split("\n"):
        yield [(place + a, place + b) for a, b in sentence_spans(line, 0, len(line)) if re.search(r"\w", line[a:b])]
        place += len(line) + 1


def _near(sections: Sequence[WrittenSection]) -> Iterator[tuple[WrittenSection, _NextBest]]:
    """Each section, and what gives the other sections of its organisation by a question, nearest first."""
    for _, of_file in groupby(sections, key=lambda one: one.organisation):
        own = list(of_file)
        search = Passages([f"{one.titles} {one.passage}" for one in own])
        yield from ((section, partial(_others, own, search, section)) for section in own)


def _others(
    own: Sequence[WrittenSection], search: Passages, section: WrittenSection, question: str
) -> list[WrittenSection]:
    return [own[i] for i in search.best(question, 5) if own[i] is not section]


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]
