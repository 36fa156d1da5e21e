"""Makes questions by rule: spread over all sections, the styles as even as the documents allow."""

import random
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from policy_rag_eval.questions.documents import SourceDocument
from policy_rag_eval.questions.drafts import Draft, SectionKey, Style
from policy_rag_eval.questions.filtering import Sifter
from policy_rag_eval.questions.linked_sections import linked_sections
from policy_rag_eval.questions.near_misses import near_misses
from policy_rag_eval.questions.rules import Reading, by_rule, joined, sections_worth_asking

_IN_WHOLE = frozenset({"number", "title", "how_to", "cell", "definition"})
_TOPICAL = frozenset({"title", "how_to"})
_MOST_ALIKE = 2  # near misses of one wording in a document
_MOST_PAIRS = 2

Pools = dict[SectionKey, list[Draft]]


def make_by_rules(
    documents: Sequence[SourceDocument],
    sifter: Sifter,
    *,
    styles: Collection[Style],
    count: int,
    per_section: int,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Offers rule-made drafts to the sifter until it has kept `count` questions or nothing is left.

    The style that is rarest so far comes next, and of its drafts one of the section that has fewest questions so far;
    the seed orders equals. Each section gives `per_section` questions at most.
    """
    pools = rule_pools(documents, styles, seed)
    sifter.prepare([draft.text for pool in pools.values() for draft in pool])
    order = sorted(pools)
    random.Random(f"{seed} order").shuffle(order)
    left: dict[Style, list[Draft]] = {style: [] for style in Style}
    for key in order:
        for draft in pools[key]:
            left[draft.style].append(draft)
    made = Counter(kept.draft.style for kept in sifter.kept)
    taken = Counter(kept.draft.sections[0] for kept in sifter.kept)
    while len(sifter.kept) < count:
        styled = [style for style, drafts in left.items() if drafts]
        if not styled:
            return
        style = min(styled, key=lambda one: made[one])
        draft = min(left[style], key=lambda one: taken[one.sections[0]])
        if taken[draft.sections[0]] >= per_section:
            left[style].clear()
            continue
        left[style].remove(draft)
        if sifter.offer(draft):
            made[style] += 1
            taken[draft.sections[0]] += 1
        if progress:
            progress(len(sifter.kept), count)


def rule_pools(documents: Sequence[SourceDocument], styles: Collection[Style], seed: int) -> Pools:
    """The drafts of each section, shuffled by the seed; `multi` ones lie with the section that refers to the other."""
    readings = {document.info.doc_id: Reading(document) for document in documents}
    made: Pools = {}
    near: Pools = {}
    for doc_id, reading in readings.items():
        for section in sections_worth_asking(reading.document):
            key = (doc_id, section.section_id)
            made[key] = by_rule(reading, section, seed)
            near[key] = list(near_misses(reading, section, seed))
    _thin_out(near, seed)
    pairs = _pairs(documents, readings, made, seed) if Style.MULTI in styles else {}
    pools: Pools = {}
    for key, drafts in made.items():
        wanted = [d for d in (*drafts, *near[key], *pairs.get(key, ())) if d.style in styles]
        random.Random(f"{seed} {key}").shuffle(wanted)
        if wanted:
            pools[key] = wanted
    return pools


def _thin_out(near: Pools, seed: int) -> None:
    """Leaves a few near misses of one wording in each document: the same question of every section teaches nothing."""
    keys = sorted(near)
    random.Random(f"{seed} near").shuffle(keys)
    alike: Counter[tuple[str, str]] = Counter()
    for key in keys:
        left = []
        for draft in near[key]:
            alike[key[0], draft.rule] += 1
            if alike[key[0], draft.rule] <= _MOST_ALIKE:
                left.append(draft)
        near[key] = left


def _pairs(
    documents: Sequence[SourceDocument], readings: Mapping[str, Reading], made: Pools, seed: int
) -> dict[SectionKey, list[Draft]]:
    """Questions that need a section and one that it refers to, or the next under its heading, in one language."""
    pairs: dict[SectionKey, list[Draft]] = {}
    linked = linked_sections(documents)
    for key in made:
        reading = readings[key[0]]
        first = _askable(made[key])
        partners = [part for target in linked.get(key, ()) for part in _with_all_under(target, readings)]
        partners += _next_under_the_same(key, reading)
        for target in [one for one in partners if one != key and _askable(made.get(one, []))][:_MOST_PAIRS]:
            second = _askable(made[target])
            if reading.phrases is None or not first or first[0].language != second[0].language:
                continue
            rng = random.Random(f"{seed} {key} {target}")
            pair = joined(rng.choice(first), rng.choice(second), reading.phrases, seed)
            pairs.setdefault(key, []).append(pair)
    return pairs


def _with_all_under(key: SectionKey, readings: Mapping[str, Reading]) -> list[SectionKey]:
    """A section and those under it: a reference to a chapter means what stands there."""
    document = readings[key[0]].document
    top = document.by_id[key[1]]
    return [(key[0], s.section_id) for s in document.sections if top.start <= s.start < top.subtree_end]


def _next_under_the_same(key: SectionKey, reading: Reading) -> list[SectionKey]:
    """The next section, if both lie under one heading."""
    by_id = reading.document.by_id
    section = by_id[key[1]]
    following = by_id.get(section.next or "")
    near = following is not None and section.parent is not None and following.parent == section.parent
    return [(key[0], following.section_id)] if near and following is not None else []


def _askable(drafts: Sequence[Draft]) -> list[Draft]:
    """Those that can be half of a question: of single sentences, else of titles and definitions."""
    single = [draft for draft in drafts if len(draft.quotes) == 1]
    sentences = [draft for draft in single if draft.rule not in _IN_WHOLE]
    return sentences or [draft for draft in single if draft.rule in _TOPICAL]
