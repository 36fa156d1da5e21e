"""`policy-rag eval changes`: which questions of a data set a new version of a document affects."""

from typing import Annotated

import typer

from policy_rag.cli.options import CommonOptions, GroupsOption
from policy_rag.cli.output import console, print_json
from policy_rag.errors import UsageError
from policy_rag.index.store.place import home_of
from policy_rag_eval.commands.options import DatasetArgument


def changes(
    dataset: DatasetArgument,
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="The old version: a document of the index and the data set.")
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new version: a document of the index.")],
    groups: GroupsOption = None,
    *,
    common: CommonOptions,
) -> None:
    """Show which questions are answered by a clause that changed.

    Of a data set those whose answer stands in a clause that changed between two versions.
    """
    from policy_rag_eval.data.affected_questions import affected_questions
    from policy_rag_eval.tracking.evaluation_datasets import read_named

    data = read_named(dataset, home_of(common.index))
    asked = tuple(groups or ())
    with common.open() as assistant:
        document = assistant.document(old, groups=asked)
        comparison = assistant.changes(old, new, groups=asked)
    if document.file not in {one.file for one in data.documents}:
        raise UsageError(f"the data set {data.name} has no document {document.file!r}: name one of its own as OLD")
    found = affected_questions(data, document.file, comparison)
    if common.json:
        print_json({"dataset": data.name, "old": old, "new": new, "questions": len(data.questions), "affected": found})
        return
    out = console()
    for one in found:
        place = " -> ".join(clause.number or clause.title for clause in (one.old, one.new) if clause is not None)
        kinds = " and ".join(kind.value for kind in one.kinds)
        out.print(f"{one.effect.value}: {one.question_id} {one.text} ({place}: {kinds})", markup=False)
    questions = len({one.question_id for one in found})
    out.print(f"{questions} of {len(data.questions)} questions are affected", markup=False)
