"""The numbered sections that an LLM is given: hits in the order of their rank, as many as its window takes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from policy_rag.models.language_model import estimate_tokens
from policy_rag.records import Hit
from policy_rag_prompts.data import as_attribute, as_data


@dataclass(frozen=True, slots=True)
class Context:
    """What an LLM is given to answer from.

    Attributes:
        hits: section `[n]` is `hits[n - 1]`; a section too long for the window is cut to the chunk that was found.
        text: the numbered sections as they stand in the prompt.
        left_out: hits from the end of the ranking that did not fit, in their order.
        cut: numbers of the sections of which the chunk alone is given.
        tokens: of `text`, by our own count.
    """

    hits: tuple[Hit, ...]
    text: str
    left_out: tuple[Hit, ...]
    cut: tuple[int, ...] = ()
    tokens: int = 0


def build_context(
    hits: Sequence[Hit], budget: int, *, max_hits: int = 8, count: Callable[[str], int] = estimate_tokens
) -> Context:
    """Take hits in order of rank until the next one does not fit.

    Args:
        hits: best first.
        budget: tokens that all sections together may have.
        max_hits: most hits to take.
        count: tokens of a text.
    """
    taken: list[Hit] = []
    blocks: list[str] = []
    cut: list[int] = []
    left = budget
    for hit in hits[:max_hits]:
        number = len(taken) + 1
        fitting = next((h for h in (hit, _its_chunk(hit)) if count(numbered(number, h)) <= left), None)
        if fitting is None:
            break
        block = numbered(number, fitting)
        taken.append(fitting)
        blocks.append(block)
        if fitting is not hit:
            cut.append(number)
        left -= count(block)
    return Context(tuple(taken), "\n\n".join(blocks), tuple(hits[len(taken) :]), tuple(cut), budget - left)


def numbered(number: int, hit: Hit) -> str:
    """A hit as a section of the prompt; its text is data there, and its path says where it is from.

    What was extracted of it (`about`) stands beside, not in the text: what only it says, no citation bears out.

    Returns:
        `<section n="1" from="Leave policy > Annual leave">`, the text, `</section>`, each on lines of their own; with
        metadata for the LLM, `about="..."` too.
    """
    source = as_attribute(" > ".join(hit.path) or hit.file)
    about = f' about="{as_attribute(hit.about)}"' if hit.about else ""
    return f'<section n="{number}" from="{source}"{about}>\n{as_data(hit.text).strip()}\n</section>'


def _its_chunk(hit: Hit) -> Hit:
    text = hit.text[hit.chunk_start - hit.start : hit.chunk_end - hit.start]
    return replace(hit, text=text, start=hit.chunk_start, end=hit.chunk_end)
