"""The choices of searching and answering by name."""

import dataclasses
from dataclasses import dataclass
from enum import StrEnum

from policy_rag_parsers.metadata.extraction_results import Kind
from policy_rag_parsers.text.near_names import did_you_mean


class Search(StrEnum):
    """How the two searches are used together. Each is defined in `policy_rag.retrieval`."""

    VECTOR = "vector"
    KEYWORD = "keyword"
    AND = "and"
    OR = "or"
    RRF = "rrf"
    WEIGHTED = "weighted"


class Precision(StrEnum):
    """The numbers that PyTorch reckons with; the halves are for GPUs."""

    FLOAT32 = "float32"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"


class Backend(StrEnum):
    """What runs a model: PyTorch, or ONNX Runtime in float32 or with 8-bit integers."""

    TORCH = "torch"
    ONNX = "onnx"
    ONNX_INT8 = "onnx-int8"

    @property
    def precision(self) -> str:
        """`float32` or `int8`; vectors of one precision may stand in one index."""
        return "int8" if self is Backend.ONNX_INT8 else "float32"


class Expansion(StrEnum):
    """What a hit can bring along: its section's parent, the sections it refers to, the definitions it uses."""

    PARENT = "parent"
    REFERENCES = "references"
    DEFINITIONS = "definitions"


class ContextOrder(StrEnum):
    """In which order an LLM is given sections: by rank, or the best first and last and the weakest in the middle."""

    RANKED = "ranked"
    ENDS_FIRST = "ends-first"


class Unverified(StrEnum):
    """What becomes of an LLM's sentences that what they cite does not bear out: left out, or shown and marked."""

    REMOVE = "remove"
    MARK = "mark"


class Transform(StrEnum):
    """What can be done to a question before it is searched. Each is defined in `policy_rag.retrieval.transforms`."""

    REWRITE = "rewrite"
    MULTI_QUERY = "multi-query"
    STEP_BACK = "step-back"
    HYDE = "hyde"
    DECOMPOSE = "decompose"


class SelfQuery(StrEnum):
    """Who reads filters out of a question: nobody, rules, or the LLM (rules where there is none)."""

    OFF = "off"
    RULES = "rules"
    LLM = "llm"


@dataclass(frozen=True, slots=True)
class MetadataUse:
    """Which kinds of metadata who is given; what was not extracted is given to nobody.

    It is written as a mapping, or as one text: `keyword:questions+keywords display:all`.

    Attributes:
        embedder: kinds that the embedding model sees behind a section's text; they shape the index.
        keyword: kinds whose words the keyword search finds too.
        llm: kinds that an LLM is given beside a section's text.
        display: kinds that hits, `show` and `documents` show.
    """

    embedder: tuple[Kind, ...] = ()
    keyword: tuple[Kind, ...] = ()
    llm: tuple[Kind, ...] = ()
    display: tuple[Kind, ...] = tuple(Kind)

    @classmethod
    def read(cls, text: str) -> "MetadataUse":
        """Reads the form in one text; `none` is nothing for anybody, `all` stands for all kinds.

        Raises:
            ValueError: naming what can be written.

        >>> MetadataUse.read("keyword:questions+keywords").keyword
        (<Kind.QUESTIONS: 'questions'>, <Kind.KEYWORDS: 'keywords'>)
        """
        if text.strip() == "none":
            return cls(display=())
        chosen: dict[str, tuple[Kind, ...]] = {}
        names = [f.name for f in dataclasses.fields(cls)]
        for part in text.split():
            name, colon, kinds = part.partition(":")
            if not colon or name not in names or name in chosen:
                raise ValueError(f"{part!r}: write WHO:KIND+KIND, where WHO is one of {', '.join(names)}")
            chosen[name] = read_kinds(kinds.replace("+", ","))
        return cls(**chosen)


def read_kinds(text: str) -> tuple[Kind, ...]:
    """Kinds of metadata as they are typed: `summary,questions`, `all` or `none`.

    Raises:
        ValueError: naming the kinds there are.
    """
    if text.strip() in {"all", "none"}:
        return tuple(Kind) if text.strip() == "all" else ()
    names = [part.strip() for part in text.split(",") if part.strip()]
    unknown = [name for name in names if name not in {kind.value for kind in Kind}]
    if unknown:
        known = (*Kind, "all", "none")
        hint = did_you_mean(unknown[0], known, otherwise=f"they are {', '.join(Kind)}, or all, or none")
        raise ValueError(f"{unknown[0]!r} is no kind of metadata: {hint}")
    return tuple(dict.fromkeys(Kind(name) for name in names))
