"""A policy in every language that has a lexicon is ingested, answers, and bears out what it says and nothing else."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from policy_rag.answering.verification.checker import check
from policy_rag.assistant import PolicyAssistant

POLICIES = {
    "gastos.md": (
        "# Política de gastos\n\n## 1 Plazos\n\nLos empleados deben presentar los recibos en un plazo de 30 días "
        "hábiles después del viaje.\n\n## 2 Alojamiento\n\nEl hotel se paga hasta 90 euros por noche. No se puede "
        "reservar una suite sin autorización del director.\n"
    ),
    "despesas.md": (
        "# Política de despesas\n\n## 1 Prazos\n\nOs empregados devem entregar os recibos no prazo de 30 dias úteis "
        "depois da viagem.\n\n## 2 Alojamento\n\nO hotel é pago até 90 euros por noite. Não se pode reservar uma "
        "suite sem autorização do diretor.\n"
    ),
}


@pytest.fixture(scope="module")
def assistant(index_of: Callable[[Mapping[str, str]], Path]) -> Iterator[PolicyAssistant]:
    with PolicyAssistant.open(index_of(POLICIES), llm="extractive") as opened:
        yield opened


@pytest.mark.parametrize(
    ("file", "question", "figure", "true", "false"),
    [
        ("gastos.md", "¿En qué plazo deben presentar los recibos los empleados?", "30 días hábiles",
         ["Los recibos deben presentarse en treinta días hábiles.", "El hotel se paga hasta 90 euros por noche."],
         ["Los empleados deben presentar los recibos en un plazo de 30 semanas.",
          "Los empleados pueden presentar los recibos en un plazo de 30 días hábiles.",
          "El hotel se paga a partir de 90 euros por noche."]),
        ("despesas.md", "Em que prazo os empregados devem entregar os recibos?", "30 dias úteis",
         ["Os recibos devem ser entregues em trinta dias úteis.", "O hotel é pago até 90 euros por noite."],
         ["Os empregados devem entregar os recibos no prazo de 30 semanas.",
          "Os empregados podem entregar os recibos no prazo de 30 dias úteis.",
          "O hotel é pago a partir de 90 euros por noite."]),
    ],
)  # fmt: skip
def test_a_policy_in_a_further_language_answers_and_is_verified(
    assistant: PolicyAssistant, file: str, question: str, figure: str, true: list[str], false: list[str]
) -> None:
    where = [f"file={file}"]
    answer = assistant.ask(question, where=where)
    hits = assistant.search(question, where=where).hits
    assert figure in answer.answer
    assert answer.citations[0].quote in POLICIES[file]
    assert [check(statement, hits).reason for statement in true] == [""] * len(true)
    assert not any(check(statement, hits).holds for statement in false)
