"""`policy-rag export`: the assistant with its index as a model of MLflow that others serve."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from policy_rag.cli.options import CommonOptions, GroupsOption
from policy_rag.cli.output import console, notice, print_json, working
from policy_rag.errors import UsageError


def export(
    to_mlflow: Annotated[bool, typer.Option("--mlflow", help="Log and register a model that answers.")] = False,
    name: Annotated[str, typer.Option("--name", help="Its name in MLflow's registry.")] = "policy-rag",
    groups: GroupsOption = None,
    *,
    common: CommonOptions,
) -> None:
    """Ship the index and its settings as a model for MLflow.

    `mlflow models serve` serves it, and it answers with citations.
    """
    from policy_rag_eval.serving.register import export as registered
    from policy_rag_eval.tracking import chosen_store

    if not to_mlflow:
        raise UsageError("say what to export to: --mlflow logs and registers a model")
    folder = common.index
    if not isinstance(folder, Path):
        raise UsageError(f"a model carries its index in a folder: run `policy-rag copy URL FOLDER` for {folder} first")
    store, away = chosen_store(folder)
    if away:
        notice(away)
    with working("logging the model"):
        made = registered(folder, store, name, common.settings(), tuple(groups or ()))
    if made.restricted:
        notice(
            f"{made.restricted} of {made.documents} documents are not open to all, and the model holds them: let only "
            "those read it who may read them"
        )
    if common.json:
        print_json({**asdict(made), "uri": made.uri, "store": store.shown})
        return
    console().print(f"registered {made.uri}, {made.documents} documents; serve it:", markup=False)
    serve = f"MLFLOW_TRACKING_URI={store.shown} mlflow models serve -m {made.uri} --env-manager local --port 5001"
    console().print(serve, markup=False, soft_wrap=True)
