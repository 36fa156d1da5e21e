"""The numbered sections that an LLM is given: the best hits, as many as its window takes, and what they bring along."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from policy_rag.records.choices import ContextOrder
from policy_rag.records.search import Hit
from policy_rag.retrieval.postprocessing.reorder import ends_first
from policy_rag_parsers.llm.tokens import estimate_tokens
from policy_rag_prompts.data import as_section


@dataclass(frozen=True, slots=True)
class PromptContext:
    """What an LLM is given to answer from.

    Attributes:
        hits: section `[n]` is `hits[n - 1]`, what hits brought along among them; a section too long for the window is
            cut to the chunk that was found.
        text: the numbered sections as they stand in the prompt.
        left_out: hits from the end of the ranking that did not fit, in their order.
        cut: numbers of the sections of which the chunk alone is given.
    """

    hits: tuple[Hit, ...]
    text: str
    left_out: tuple[Hit, ...]
    cut: tuple[int, ...] = ()


def build_context(
    hits: Sequence[Hit],
    budget: int,
    *,
    max_hits: int = 8,
    related: Sequence[Hit] = (),
    order: ContextOrder = ContextOrder.RANKED,
) -> PromptContext:
    """Take hits in order of rank until the next one does not fit, then what they bring along while it fits.

    Args:
        hits: best first.
        budget: tokens that all sections together may have.
        max_hits: most hits to take.
        related: sections that hits bring along; those of the hits taken come after them, and none where a hit was left
            out for want of room.
        order: in which order the sections are numbered and given.
    """
    given = [hit for hit in related if any(found.rank <= max_hits for found in hit.found_by.values())]
    wanted = [*hits[:max_hits], *given]
    taken: list[Hit] = []
    whole: list[bool] = []
    left = budget
    for hit in wanted:
        # With the highest number that it can have: no order makes it longer.
        sizes = ((one, estimate_tokens(numbered(len(wanted), one))) for one in (hit, its_chunk(hit)))
        fitting, size = next(((one, size) for one, size in sizes if size <= left), (None, 0))
        if fitting is None:
            break
        taken.append(fitting)
        whole.append(fitting is hit)
        left -= size
    places = tuple(range(len(taken)))
    if order is ContextOrder.ENDS_FIRST:
        places = ends_first(places)
    text = "\n\n".join(numbered(number, taken[place]) for number, place in enumerate(places, 1))
    return PromptContext(
        hits=tuple(taken[place] for place in places),
        text=text,
        left_out=tuple(hits[min(len(taken), len(hits)) :]) if len(taken) < max_hits else tuple(hits[max_hits:]),
        cut=tuple(number for number, place in enumerate(places, 1) if not whole[place]),
    )


def numbered(number: int, hit: Hit) -> str:
    """A hit as a section of the prompt; its text is data there, and its path says where it is from.

    What was extracted of it (`about`) stands beside, not in the text: what only it says, no citation bears out.

    Returns:
        `<section n="1" from="Leave policy > Annual leave">`, the text, `</section>`, each on lines of their own; with
        metadata for the LLM, `about="..."` too.
    """
    return as_section(number, hit.text, source=" > ".join(hit.path) or hit.file, about=hit.about)


def its_chunk(hit: Hit) -> Hit:
    """A hit of which only the chunk is left that was found."""
    text = hit.text[hit.chunk_start - hit.start : hit.chunk_end - hit.start]
    return replace(hit, text=text, start=hit.chunk_start, end=hit.chunk_end)
