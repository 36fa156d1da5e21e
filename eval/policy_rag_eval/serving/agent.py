"""The assistant as MLflow's `ResponsesAgent`: a question in, an answer with its citations out."""

import json
import re
import uuid
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

from mlflow.pyfunc.model import ResponsesAgent
from mlflow.types.responses import ResponsesAgentRequest, ResponsesAgentResponse, ResponsesAgentStreamEvent
from mlflow.types.responses_helpers import OutputItem

from policy_rag.errors import UsageError
from policy_rag.records.answer import Answer
from policy_rag.records.serialization import to_json

INDEX = "index"
SETTINGS = "settings"
"""The names of the model's files: the index's folder, and the settings and groups in force as JSON."""

_MARK = re.compile(r"\[(\d+)\]")


class PolicyAgent(ResponsesAgent):
    """Answers the last message of a request from the index that the model was logged with.

    What is said of a request beside its messages stands in `custom_inputs`: `where` (filters) and `as_of` (a day). The
    access groups are those that the model was exported with: a caller cannot claim others.
    """

    def load_context(self, context: Any) -> None:
        """Opens the index among the model's files."""
        from policy_rag.assistant import PolicyAssistant
        from policy_rag.settings import Settings

        chosen = json.loads(Path(context.artifacts[SETTINGS]).read_text(encoding="utf-8"))
        self._groups = tuple(chosen["groups"])
        settings = Settings.of(chosen["settings"])
        self._assistant = PolicyAssistant.open(Path(context.artifacts[INDEX]), settings=settings)

    def predict(  # type: ignore[override]  # as MLflow's own subclasses have it
        self, request: ResponsesAgentRequest
    ) -> ResponsesAgentResponse:
        """The answer, its marks `[n]` as annotations; `custom_outputs.answer` is what `ask --json` prints."""
        given = request.custom_inputs or {}
        answer = self._assistant.ask(
            question_of(request),
            where=given.get("where") or (),
            groups=self._groups,
            as_of=given.get("as_of") or None,
        )
        item = self.create_text_output_item(
            answer.answer, id=f"msg_{uuid.uuid4().hex}", annotations=annotations(answer)
        )
        return ResponsesAgentResponse(output=[OutputItem(**item)], custom_outputs={"answer": to_json(answer)})

    def predict_stream(  # type: ignore[override]
        self, request: ResponsesAgentRequest
    ) -> Generator[ResponsesAgentStreamEvent, None, None]:
        """The answer in one piece: it is whole when its citations are checked."""
        made = self.predict(request)
        for item in made.output:
            event = {"type": "response.output_item.done", "item": item.model_dump()}
            yield ResponsesAgentStreamEvent.model_validate({**event, "custom_outputs": made.custom_outputs})


def question_of(request: ResponsesAgentRequest) -> str:
    """The text of the last message of a user.

    Raises:
        UsageError: there is none.
    """
    for message in reversed(request.input):
        said = message.model_dump()
        if said.get("role") == "user":
            content = said.get("content")
            parts = [content] if isinstance(content, str) else [str(one.get("text", "")) for one in content or ()]
            return "\n".join(part for part in parts if part)
    raise UsageError("nothing is asked: give a message of the role user in input")


def annotations(answer: Answer) -> list[dict[str, Any]]:
    """A file citation for each mark `[n]` in an answer's text, in order: `index` is where the mark stands."""
    cited = {one.n: one for one in answer.citations}
    return [
        {
            "type": "file_citation",
            "file_id": cited[n].file,
            "index": mark.start(),
            "n": n,
            "quote": cited[n].quote,
            "section_id": cited[n].section_id,
            "path": list(cited[n].path),
            "start": cited[n].start,
            "end": cited[n].end,
            "page": cited[n].page,
        }
        for mark in _MARK.finditer(answer.answer)
        if (n := int(mark[1])) in cited
    ]


def as_settings(settings: Mapping[str, Any], groups: tuple[str, ...]) -> str:
    """The file of settings of a model."""
    return json.dumps({"settings": dict(settings), "groups": list(groups)}, indent=2) + "\n"
