"""Whether neighbouring pieces of a document are about the same matter: what an LLM says, for `llm-context`."""

from collections.abc import Callable
from typing import Any, Final

from policy_rag.errors import ModelError
from policy_rag.index.store.manifest import Manifest
from policy_rag.llm.language_model import LanguageModel
from policy_rag_parsers.chunking.topic_grouping import Judge
from policy_rag_parsers.llm.json_reply import json_objects
from policy_rag_prompts.data import as_data
from policy_rag_prompts.loader import load_template

_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"same": {"type": "boolean"}},
    "required": ["same"],
    "additionalProperties": False,
}


def llm_judge(model: LanguageModel) -> Judge:
    """A judge that asks `model` once for each piece.

    It raises ModelError when the model fails, or replies with anything but the JSON that it is asked for.
    """
    template = load_template("same_matter")

    def judge(before: str, piece: str) -> bool:
        prompt = template.render(before=as_data(before), piece=as_data(piece))
        return read_verdict(model.chat(prompt.system, prompt.user, json_schema=_SCHEMA).text, model.name)

    return judge


def llm_judge_of(manifest: Manifest, model: Callable[[str], LanguageModel | None]) -> Judge | None:
    """What decides which pieces of an index stay together, by the LLM that its manifest names; None where none does."""
    found = model(manifest.judge) if manifest.judge else None
    return llm_judge(found) if found else None


def read_verdict(reply: str, name: str) -> bool:
    """What a reply says; prose and a code fence around the JSON do not matter.

    Raises:
        ModelError: there is no such JSON in it, or more than one.

    >>> read_verdict('Sure: ```json {"same": true} ```', "ollama/llama3.2")
    True
    """
    verdicts = [value["same"] for value, _ in json_objects(reply) if isinstance(value.get("same"), bool)]
    if len(verdicts) != 1:
        shown = " ".join(reply.split())[:60]
        raise ModelError(
            f"{name} was asked whether two pieces belong together and replied {shown!r}: choose another LLM, or llm = "
            f"extractive, with which the embedding model decides"
        )
    return bool(verdicts[0])
