"""Wordings of prompts in MLflow's registry: each is one version of its prompt, however often it is used."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities.model_registry import PromptVersion

SHA256 = "sha256"
"""Tag of a version: the hash by which a wording is known."""
LINKED = "mlflow.linkedPrompts"
"""Tag of a run: the versions that it was made with, as JSON."""


_EXPERIMENTS = "_mlflow_experiment_ids"
"""Tag of a prompt: the experiments on whose page of prompts MLflow shows it, between commas."""


def show_in(client: "MlflowClient", name: str, experiment_id: str) -> None:
    """Has MLflow show a prompt that is registered on an experiment's page too."""
    known = client.get_prompt(name)
    ids = [one for one in ((known.tags if known else {}) or {}).get(_EXPERIMENTS, "").split(",") if one]
    if experiment_id not in ids:
        client.set_prompt_tag(name, _EXPERIMENTS, f",{','.join([*ids, experiment_id])},")


def version_of(
    client: "MlflowClient",
    name: str,
    messages: Sequence[Mapping[str, str]],
    *,
    description: str | None,
    tags: Mapping[str, str],
) -> "PromptVersion":
    """The version of a prompt with a wording, made where there is none.

    Messages have `role` and `content`; `SHA256` is among the tags.
    """
    if client.get_prompt(name) is None:
        client.create_prompt(name)
    else:
        known: Iterable[PromptVersion] = client.search_prompt_versions(name)
        for version in known:
            if version.tags.get(SHA256) == tags[SHA256]:
                return version
    made: PromptVersion = client.create_prompt_version(
        name, [dict(message) for message in messages], description=description, tags=dict(tags)
    )
    return made
