"""How many questions are worked on at the same time: a slow LLM holds up neither searches nor quotations."""

from typing import TYPE_CHECKING, Any

from anyio import CapacityLimiter

from policy_rag.llm.factory import EXTRACTIVE
from policy_rag.models.onnx.inference import processors

if TYPE_CHECKING:
    import asyncio

_AT_AN_LLM = 32


class Lanes:
    """Threads for questions, apart from those for all else.

    Attributes:
        quoting: for answers by quotation, which keep the processors busy: as many as there are of them.
        generating: for answers by an LLM, which mostly wait for it.
        under_way: questions that are being answered, whether or not somebody still waits for them.
    """

    def __init__(self) -> None:
        self.quoting = CapacityLimiter(processors())
        self.generating = CapacityLimiter(_AT_AN_LLM)
        self.under_way: set[asyncio.Task[Any]] = set()

    def of(self, llm: str) -> CapacityLimiter:
        """The lane of questions that this LLM answers; of `auto` who that is, see `PolicyAssistant.answerer`."""
        return self.quoting if llm == EXTRACTIVE else self.generating
