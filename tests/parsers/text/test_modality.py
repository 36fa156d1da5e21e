"""What a text obliges, permits, forbids, waives and negates."""

import pytest

from policy_rag_parsers.text.modality import modals, negated_and_plain


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("english", "Staff must lock screens.", {"obligation": "lock"}),
        ("english", "Approval is required.", {"obligation": ""}),
        ("english", "Staff mustn’t share keys.", {"prohibition": "share"}),
        ("english", "No visitor may enter the archive.", {"prohibition": "enter"}),
        ("english", "You don't have to pay.", {"exemption": "pay"}),
        ("english", "Dogs aren't allowed.", {"prohibition": ""}),
        ("english", "You need not ask, and are not required to report.", {"exemption": "ask report"}),
        ("english", "Staff can work abroad, but should ask.", {"permission": "work", "advice": "ask"}),
        ("english", "It starts on 1 May and in May 2024.", {}),
        ("german", "Mitarbeitende dürfen Daten nicht kopieren.", {"prohibition": "kopi"}),
        ("german", "Sie müssen Belege einreichen.", {"obligation": "beleg"}),
        ("german", "Ein Beleg ist nicht erforderlich.", {"exemption": ""}),
        ("french", "Les employés ne peuvent pas fumer.", {"prohibition": "fum"}),
        ("french", "Le personnel doit signer.", {"obligation": "sign"}),
        ("spanish", "Los empleados deben entregar recibos.", {"obligation": "entreg"}),
        ("spanish", "No se puede fumar aquí.", {"prohibition": "fum"}),
        ("spanish", "El personal puede viajar.", {"permission": "viaj"}),
        ("portuguese", "Os empregados devem entregar recibos.", {"obligation": "entreg"}),
        ("portuguese", "É proibido fumar.", {"prohibition": "fum"}),
        ("portuguese", "O pessoal não pode viajar.", {"prohibition": "viaj"}),
        ("english", "Interns are not currently allowed to sign.", {"prohibition": "sign"}),
        ("english", "No intern is eligible for leave.", {"prohibition": "leav"}),
        ("english", "Employees shall not be entitled to a bonus.", {"prohibition": "bonus"}),
        ("english", "Staff may under no circumstances share keys.", {"prohibition": "circumst"}),
        ("english", "A badge is no longer required.", {"exemption": ""}),
        ("english", "Staff will not be required to travel.", {"exemption": "travel"}),
        ("english", "Not all interns are eligible for leave.", {"permission": "leav"}),
        ("english", "It is not only permitted but required.", {"permission": "", "obligation": ""}),
        ("english", "Clerks are authorised to sign what was authorised by a manager.", {"permission": "sign"}),
        ("german", "Niemand darf Daten kopieren.", {"prohibition": "dat"}),
        ("german", "Kein Gast ist berechtigt, zu parken.", {"prohibition": ""}),
        ("german", "Belege müssen nicht mehr eingereicht werden.", {"exemption": "eingereicht"}),
        ("german", "Anträge müssen nicht später als heute eingehen.", {"obligation": "spat"}),
        (
            "german",
            "Fahrer müssen Helme tragen und dürfen keine Handys nutzen.",
            {"obligation": "helm", "prohibition": "handys"},
        ),
        ("french", "Le personnel ne peut plus reporter ses congés.", {"prohibition": "report"}),
        ("french", "La durée ne peut excéder deux jours.", {"prohibition": "exced"}),
        ("french", "Les congés ne peuvent être pris qu'avec un accord.", {"permission": "pris"}),
        ("french", "Un reçu n'est plus nécessaire.", {"exemption": ""}),
        ("spanish", "El personal nunca puede fumar.", {"prohibition": "fum"}),
        ("spanish", "Los becarios no tienen derecho a vacaciones.", {"prohibition": "vacacion"}),
        ("spanish", "No requiere firma.", {"exemption": "firm"}),
        ("portuguese", "Ninguém poderá fumar.", {"prohibition": "fum"}),
        ("portuguese", "Não têm que apresentar recibos.", {"exemption": "apresent"}),
        ("portuguese", "A política não permite fumar.", {"prohibition": "fum"}),
    ],
)
def test_modals_are_told_apart(language: str, text: str, expected: dict[str, str]) -> None:
    found = modals(text, language)
    assert {kind.value: " ".join(sorted(heads)) for kind, heads in found.items()} == expected


def test_negation_reaches_the_next_content_word_of_its_clause() -> None:
    negated, plain = negated_and_plain(
        "Staff must not share keys; they may share rooms, no later than today.", "english"
    )
    assert dict(negated) == {"share": 1}
    assert plain["share"] == 1
    assert plain["today"] == 1
    negated, plain = negated_and_plain("Sharing of keys is prohibited, lending is fine.", "english")
    assert set(negated) == {"share", "key"}
    assert "lend" in plain
    negated, plain = negated_and_plain("Interns are not eligible.", "english")
    assert (set(negated), set(plain)) == ({"elig"}, {"intern"})
    negated, plain = negated_and_plain("Staff weren’t told.", "english")
    assert (set(negated), set(plain)) == ({"told"}, {"staff"})
