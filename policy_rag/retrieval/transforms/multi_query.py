"""Multi-query by rules: the question in other words of the corpus, such as an acronym for its long form."""

from policy_rag.retrieval.transforms.aliases import Aliases

MOST = 3


def variants(question: str, aliases: Aliases) -> tuple[str, ...]:
    """The question with a name of the corpus in place of the other, up to `MOST`; none where it names nothing so.

    Args:
        question: as it is searched.
        aliases: of the documents that the asker may read.
    """
    found = aliases.named(question)
    single = [question[:start] + other + question[end:] for start, end, other in found]
    return tuple(dict.fromkeys(text for text in single if text != question))[:MOST]
