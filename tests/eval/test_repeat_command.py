"""The command that repeats an evaluation: what was measured, and nothing of where it went."""

from typing import Annotated

import pytest
import typer

from policy_rag_eval.commands.repeat import repeat_command


def told(*arguments: str) -> str:
    said: list[str] = []
    main, of_evaluation = typer.Typer(name="policy-rag"), typer.Typer()
    main.add_typer(of_evaluation, name="eval")
    of_evaluation.command("retrieval")(lambda: None)

    @of_evaluation.command("stress")
    def stress(
        context: typer.Context,
        dataset: str,
        changes: Annotated[list[str] | None, typer.Option("--set")] = None,
        questions: int = 0,
        seed: int = 0,
        report: str | None = None,
        json: bool = False,
        offline: bool = False,
    ) -> None:
        said.append(repeat_command(context))

    main(["eval", "stress", *arguments], standalone_mode=False, prog_name="policy-rag")
    return said[0]


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (("brannholt",), "policy-rag eval stress brannholt --seed 0"),
        (("a b", "--set", "x=1,2", "--set", "y=3"), "policy-rag eval stress 'a b' --set x=1,2 --set y=3 --seed 0"),
        (
            ("brannholt", "--report", "out", "--json", "--offline", "--questions", "0", "--seed", "4"),
            "policy-rag eval stress brannholt --questions 0 --seed 4 --offline",
        ),
        (
            ("brannholt", "--set", "llm_url=https://me:secret@llm.example/v1"),
            "policy-rag eval stress brannholt --set llm_url=https://llm.example/v1 --seed 0",
        ),
    ],
)
def test_what_was_given_is_told_with_the_seed_and_without_what_is_secret(
    arguments: tuple[str, ...], command: str
) -> None:
    assert told(*arguments) == command
