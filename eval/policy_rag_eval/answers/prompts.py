"""The prompts of a run in MLflow's registry: a version for each wording, and which of them a run was made with."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from policy_rag_eval.answers.run import AnswerRun
from policy_rag_eval.tracking.prompt_registry import LINKED, SHA256, show_in, version_of
from policy_rag_prompts.loader import Template, load_template

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities.model_registry import PromptVersion

PREFIX = "policy_rag."


def templates_of(run: AnswerRun) -> tuple[Template, ...]:
    """The prompts that answerers and judges of a run were asked with; none where no LLM had a part."""
    answering = dict.fromkeys(template for one in run.evaluations for template in one.prompts)
    # A judge that asks an LLM is called by its kind and the model: `faithfulness:ollama/llama3.2`.
    judging = dict.fromkeys(f"judge_{judge.partition(':')[0]}" for judge in run.judges if ":" in judge)
    return (*answering, *(load_template(name) for name in judging))


def register(client: "MlflowClient", run_id: str, experiment_id: str, templates: Iterable[Template]) -> None:
    """Registers each wording once, as a version of its prompt, and links run and experiment to those that were used."""
    used = [_registered(client, template) for template in templates]
    for name in dict.fromkeys(version.name for version in used):
        show_in(client, name, experiment_id)
    if used:
        # By the tag itself: MLflow's own call looks for the run in the process's default store, not in the client's.
        linked = [{"name": version.name, "version": str(version.version)} for version in used]
        client.set_tag(run_id, LINKED, json.dumps(linked))


def _registered(client: "MlflowClient", template: Template) -> "PromptVersion":
    words = [{"role": "system", "content": template.system}, {"role": "user", "content": template.user}]
    tags = {SHA256: template.sha256, "version": str(template.version)}
    return version_of(client, f"{PREFIX}{template.name}", words, description=template.label, tags=tags)
