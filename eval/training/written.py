"""What people wrote for this training: invented sections of policies, with questions and statements on each.

Public sets have few questions whose matter a passage treats and whose fact it does not hold, and none on policies. So
such were written, in `training/written/*.txt`, a file an organisation, a section a block:

    === Document > Section
    The passage.
    ---
    q: a question || its answer, word for word
    n: a question that the passage does not answer, though it treats the matter
    t paraphrase: a true statement || what bears it out, word for word
    f number: a false statement || what it goes against, word for word
    u: a statement of which the passage says nothing

True statements in the passage's own words (`t near`) and false ones in other words (`f far`) stand beside those of the
opposite kinds, so that how many words are shared says nothing of the truth.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

from policy_rag_parsers.text.sentences import sentence_spans
from training.examples import Pair, PairGroup, SupportLabel, TrainingTask
from training.lexical import Passages
from training.support_sets import evened, shared_class
from training.swaps import without_answer

FOLDER = Path(__file__).parent / "written"
SOURCE = "written"
WRITTEN_FOLDS = 10
"""A tenth of the organisations is held out."""
_ITEM = re.compile(r"(q|n|t|f|u)(?: \w+)?: (.+?)(?: \|\| (.+))?")
_MARKED = re.compile(r"\s*(?:[-*+]|\d+[.)]|#+|\([a-z0-9]+\)|>)\s+")
_OWN, _OTHER = 5, 2  # sentences that do not answer, of the passage and of others of its organisation
_LED = 200  # characters of a line that leads into a list
_LABELS = {"t": SupportLabel.ENTAILED, "f": SupportLabel.CONTRADICTED, "u": SupportLabel.NEUTRAL}


@dataclass(frozen=True, slots=True)
class WrittenItem:
    """A question or statement: `kind` as in the file, `text`, and the characters of its quote in the passage."""

    kind: str
    text: str
    quote: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class WrittenSection:
    """A section: its titles, its text, and what was written on it; `organisation` is the file's name."""

    organisation: str
    titles: str
    passage: str
    items: tuple[WrittenItem, ...]

    @property
    def whole(self) -> str:
        """Its titles in a line and its text, as the product reads a section."""
        return f"{self.titles}\n{self.passage}"


def read_written(folder: Path = FOLDER) -> list[WrittenSection]:
    """The sections of all files, in order.

    Raises:
        ValueError: something in a file is not in form.
    """
    found = []
    for file in sorted(folder.glob("*.txt")):
        for block in re.split(r"(?m)^=== ", file.read_text(encoding="utf-8"))[1:]:
            head, _, body = block.partition("\n")
            passage, parted, lines = body.partition("\n---\n")
            passage = passage.strip()
            if not parted:
                raise ValueError(f"{file}: {head}: a line --- is wanted between the passage and what is asked")
            items = tuple(_item(line, passage, file) for line in lines.splitlines() if line.strip())
            found.append(WrittenSection(file.stem, head.strip(), passage, items))
    return found


def _item(line: str, passage: str, file: Path) -> WrittenItem:
    matched = _ITEM.fullmatch(line.strip())
    if matched is None:
        raise ValueError(f"{file}: no question or statement: {line}")
    kind, text, quote = matched.groups()
    if quote is None:
        return WrittenItem(kind, text, None)
    start = passage.find(quote.strip())
    if start < 0:
        raise ValueError(f"{file}: not in its passage: {quote}")
    return WrittenItem(kind, text, (start, start + len(quote.strip())))


def quotable(passage: str) -> list[tuple[tuple[int, int], str]]:
    r"""The sentences, items and rows of a passage: the characters of each, and it behind what leads into it.

    >>> quotable("Ask first. Bring:\n- a pass\n- a badge")[2]
    ((29, 36), 'Bring: a badge')
    """
    found: list[tuple[tuple[int, int], str]] = []
    place, lead, header = 0, "", ""
    for line in passage.split("\n"):
        marked = _MARKED.match(line)
        bare = line[marked.end() :] if marked else line
        start, place = place + len(line) - len(bare), place + len(line) + 1
        if line.lstrip().startswith("|"):
            cells = " | ".join(cell.strip() for cell in line.strip().strip("|").split("|"))
            if not header:
                header = cells
            elif re.search(r"\w", cells):
                found.append(((start, start + len(bare)), f"{header}\n{cells}"))
            continue
        header = ""
        if not bare.strip() or line.lstrip().startswith("#"):
            continue
        spans = [(start + a, start + b) for a, b in sentence_spans(bare, 0, len(bare))]
        for span in spans:
            text = " ".join(passage[slice(*span)].replace("**", "").split())
            if not text.endswith(":"):
                found.append((span, f"{lead} {text}" if marked and lead else text))
        last = " ".join(passage[slice(*spans[-1])].split()) if spans else ""
        lead = last if last.endswith(":") and len(last) <= _LED else lead if marked else ""
    return found


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
            yield PairGroup(TrainingTask.READ, SOURCE, section.organisation, item.text, tuple(pairs))


def ranking_groups(sections: Sequence[WrittenSection], seed: int) -> Iterator[PairGroup]:
    """Questions with the section that treats their matter, whether it answers or not, against near ones."""
    rng = random.Random(f"{seed} written ranking")
    for section, others in _near(sections):
        asked = [item for item in section.items if item.kind in "qn"]
        for item in rng.sample(asked, len(asked) // 2):
            pairs = [Pair(section.whole, relevant=True, answerable=item.quote is not None)]
            pairs += [Pair(one.whole, relevant=False, answerable=False) for one in others(item.text)[:3]]
            yield PairGroup(TrainingTask.RANK, SOURCE, section.organisation, item.text, tuple(pairs))


def sentence_groups(sections: Sequence[WrittenSection], seed: int) -> Iterator[PairGroup]:
    """Questions with what could be quoted, behind titles: that which answers, where any does, and what does not."""
    rng = random.Random(f"{seed} written sentences")
    for section, others in _near(sections):
        own = quotable(section.passage)
        for item in section.items:
            if item.kind not in "qn":
                continue
            held = [text for span, text in own if item.quote and _meet(span, item.quote)]
            if item.quote and len(held) != 1:
                continue
            rest = [text for _, text in own if text not in held]
            best = Passages(rest).best(item.text, 3) if rest else []
            taken = [rest[i] for i in best] + rng.sample(rest, min(_OWN, len(rest)))
            pairs = [Pair(_behind(section.titles, text), answerable=False) for text in dict.fromkeys(taken)][:_OWN]
            for other in others(item.text)[:2]:
                texts = [text for _, text in quotable(other.passage)]
                pairs += [
                    Pair(_behind(other.titles, texts[i]), answerable=False) for i in Passages(texts).best(item.text, 1)
                ]
            pairs = [*(Pair(_behind(section.titles, text), answerable=True) for text in held), *pairs]
            yield PairGroup(TrainingTask.READ, f"{SOURCE} sentences", section.organisation, item.text, tuple(pairs))


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
            touching = [i for i, span in enumerate(spans) if item.quote and _meet(span, item.quote)]
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
            source = f"{SOURCE} {'questions' if item.kind in 'qn' else 'statements'}"
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
