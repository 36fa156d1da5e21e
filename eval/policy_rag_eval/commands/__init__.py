"""The sub-commands that this package adds to `policy-rag`, through the entry-point group `policy_rag.commands`."""

import typer

from policy_rag.cli.options import with_options
from policy_rag_eval.commands.answers import answers
from policy_rag_eval.commands.calibrate import calibrate
from policy_rag_eval.commands.changes import changes
from policy_rag_eval.commands.compare import compare
from policy_rag_eval.commands.export import export
from policy_rag_eval.commands.feedback import feedback
from policy_rag_eval.commands.judges import judges
from policy_rag_eval.commands.questions import questions
from policy_rag_eval.commands.report import report
from policy_rag_eval.commands.retrieval import retrieval
from policy_rag_eval.commands.review import review
from policy_rag_eval.commands.send import send
from policy_rag_eval.commands.stress import stress
from policy_rag_eval.commands.tune import tune
from policy_rag_eval.commands.ui import ui

app = typer.Typer(help="Measure retrieval and answers on your own questions.", no_args_is_help=True)
for _command in (
    retrieval, tune, calibrate, changes, questions, judges, answers, stress, compare, report, send, review,
):  # fmt: skip
    app.command(_command.__name__)(with_options(_command))


@app.callback()
def _group() -> None:
    """Measure retrieval and answers on your own questions."""


export, feedback, ui = (with_options(one) for one in (export, feedback, ui))

__all__ = ["app", "export", "feedback", "ui"]
