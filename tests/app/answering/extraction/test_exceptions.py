"""A rule is never quoted without the sentences behind it that take something from it."""

import pytest
from made_hits import parsed_hit, quoted_spans

from policy_rag.answering.extraction.exceptions import alters, excludes, restricts

_RULE = "Staff may work at home on two days a week."


def quotes(text: str) -> list[list[str]]:
    return quoted_spans(parsed_hit(text))


@pytest.mark.parametrize(
    "sentence",
    [
        "This does not extend to group work.", "It does not apply to bank workers.", "Neither applies to interns.",
        "Contractors are excluded.", "Distance learners are not eligible.",
        "In theatres it is recorded once instead.", "Save that interns may not, however, they are not covered.",
        "Das gilt nicht für Auszubildende.", "Satz 1 gilt nicht für Auszubildende.",
        "Die Sätze 1 und 2 gelten für Auszubildende nicht.", "Hiervon ausgenommen sind Auszubildende.",
        "In der Fertigung ist es ausgeschlossen.", "Abweichend hiervon zahlt die Firma.",
        "Toutefois, les stagiaires attendent.", "Cela ne s'applique pas aux stagiaires.",
        "Les stagiaires sont exclus.", "Les stagiaires n'ont pas droit au télétravail.",
        "Esto no se aplica a los becarios.", "Los becarios están excluidos.", "Isto não se aplica a estagiários.",
        "Os estagiários não têm direito a isso.",
    ],
)  # fmt: skip
def test_who_is_excluded(sentence: str) -> None:
    assert excludes(sentence)
    assert restricts(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "This is not available to agency staff.", "Nor may interns.", "Only managers may do so.",
        "Anything above this must be refused.", "Such leave is unpaid where it is not agreed.",
        "It may be extended once.", "Three of these are paid.", "Fahrer dürfen auch dort nicht rauchen.",
        "Sie darf nur untersagt werden, wenn sie stört.", "Le vin n'est pas remboursé.",
        "Ces jours doivent être pris avant mars.", "No podrá superar cinco días.",
        "Estos días deben tomarse antes de marzo.", "Este prazo pode ser prorrogado uma vez.",
    ],
)  # fmt: skip
def test_what_denies_or_bounds(sentence: str) -> None:
    assert restricts(sentence)
    assert quotes(f"{_RULE} {sentence}")[0] == [_RULE, sentence]


@pytest.mark.parametrize(
    "sentence", ["Requests go to the desk.", "It follows a standard.", "Anträge nimmt Kompass an."]
)
def test_what_only_goes_on_stays_away(sentence: str) -> None:
    assert not restricts(sentence)
    assert quotes(f"{_RULE} {sentence}")[0] == [_RULE]


def test_an_exclusion_may_be_longer_than_another_limit() -> None:
    long = "whatever the reason that they give " * 6 + "may be"  # 216 characters
    assert quotes(f"{_RULE} Not {long}.")[0] == [_RULE]
    assert quotes(f"{_RULE} Contractors are excluded, {long}.")[0] == [_RULE, f"Contractors are excluded, {long}."]
    assert quotes(f"{_RULE} Contractors are excluded, {long} {long}.")[0] == [_RULE]


@pytest.mark.parametrize(
    ("rule", "anew"),
    [
        ("The reporter is told within 3 months.", "In complex cases this may take up to 6 months."),
        ("A hotel costs 150 EUR at most.", "In Zurich 210 EUR are paid."),
        ("Complaints are kept for 3 years.", "Complaints about safety are kept for 18 months."),
        ("Die Kündigungsfrist beträgt 4 Wochen.", "In der Probezeit beträgt sie 14 Tage."),
        ("Le préavis est de 4 semaines.", "Pendant l'essai, le préavis est de 2 semaines."),
    ],
)
def test_a_figure_comes_with_what_it_is_in_other_cases(rule: str, anew: str) -> None:
    assert alters(rule, anew)
    assert quotes(f"{rule} {anew} Nobody signs.")[0] == [rule, anew]


@pytest.mark.parametrize(
    ("rule", "other"),
    [
        ("The reporter is told within 3 months.", "The desk opens at 7 and has 4 chairs."),
        ("The reporter is told within 3 months.", "The archive keeps records of calls for 6 months."),
        ("A hotel costs 150 EUR at most.", "In Zurich it takes 5 days."),
        ("A hotel is booked by the desk.", "In Zurich 210 EUR are paid."),
    ],
)
def test_a_figure_of_something_else_stays_away(rule: str, other: str) -> None:
    assert not alters(rule, other)
