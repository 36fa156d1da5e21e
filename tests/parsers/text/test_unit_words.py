"""Units and their numbers in other languages: Artikel 1, TITRE II, Article 1er, Capítulo I, Bijlage 1."""

import pytest

from policy_rag_parsers.references.clause_lookup import find_clause
from policy_rag_parsers.references.cross_references import find_references
from policy_rag_parsers.structure.numbering import number_key, read_marker
from policy_rag_parsers.text.unit_words import (
    BACK_MATTER,
    FORMS,
    KIND_OF,
    ONE_SERIES,
    ORDER,
    OWN_SERIES,
    UNIT_WORDS,
)
from tests.support.parsed_text import parsed

GERMAN = (
    "Satzung\n\nTeil 1 Allgemeines\n\nArtikel 1 Zweck\n\nNach Artikel 2 und Teil 2 gilt es, siehe Anlage 1.\n\n"
    "Artikel 2 Rahmen\n\nText.\n\nTeil 2 Besonderes\n\nArtikel 3 Ende\n\nText.\n\nAnlage 1 Muster\n\nFormular.\n"
)
FRENCH = (
    "RÈGLEMENT\n\nTITRE PREMIER – GÉNÉRALITÉS\n\nArticle 1er – Objet\n\nTexte.\n\nArt. 2. – Champ d'application\n\n"
    "Texte.\n\nArticle 2 bis – Autre\n\nSelon l'article 2 bis.\n\nTITRE II – SÉCURITÉ\n\nArticle 3 – Tabac\n\nTexte.\n\n"
    "ANNEXE I – Sanctions\n\nTexte.\n"
)
SPANISH = (
    "POLÍTICA\n\nCAPÍTULO I\nGenerales\n\nArtículo 1. Objeto.\nTexto.\n\nArtículo 2.º Otro.\nTexto.\n\n"
    "CAPÍTULO II\nLímites\n\nArtículo 3. Hoteles.\nTexto.\n"
)
DUTCH = (
    "Reglement\n\nHoofdstuk 1. Algemeen\n\nArtikel 1 Begrippen\n\nTekst.\n\nHoofdstuk 2. Vergoeding\n\nArtikel 2 Hoogte\n\n"
    "Tekst.\n\nBijlage 1 Formulier\n\nTekst.\n"
)
PORTUGUESE = (
    "Regulamento\n\nCapítulo I\nDisposições gerais\n\nArtigo 1.º Objeto\n\nTexto um.\n\nCapítulo II\nDespesas\n\n"
    "Seção I Hotéis\n\nArtigo 2.º Limites\n\nTexto dois.\n\nAnexo I Tabela\n\nTexto.\n"
)
ITALIAN = "Regole\n\nCapo I Principi\n\nArticolo 1 Scopo\n\nTesto.\n\nCapo II Spese\n\nArticolo 2 Alberghi\n\nTesto.\n"

GERMAN_ORDINALS = (
    "Gesetz\n\nErster Teil\nGrundlagen\n\nErster Abschnitt\nZweck\n\n§ 1 Ziel\n\nText.\n\nZweiter Abschnitt\nRahmen\n\n"
    "§ 2 Ort\n\nText.\n\nZweiter Teil\nSchluss\n\n§ 3 Ende\n\nErster Ansprechpartner ist die Leitung.\n"
)
FRENCH_CODE = (
    "CODE\n\nPremière partie\nRègles générales\n\nArticle L. 111-1\n\nTexte.\n\nArticle L. 111-2\n\nTexte selon l'article "
    "L. 121-1.\n\nArticle L. 121-1\n\nTexte.\n\nDeuxième partie\nMesures\n\nArticle R. 111-1\n\nTexte.\n"
)
SPANISH_LAW = (
    "LEY\n\nArtículo 1. Objeto.\nTexto.\n\nArtículo 2. Ámbito.\nTexto.\n\nDisposición adicional primera. Plazos.\nTexto.\n\n"
    "Disposición adicional segunda. Importes.\nTexto.\n\nDisposición derogatoria única. Derogación.\nTexto.\n\n"
    "Disposición final primera. Vigor.\nTexto.\n"
)
ENGLISH_WORDS = (
    "Charter\n\nPART ONE\nThe office\n\nArticle One. Seat\n\nText.\n\nArticle Two. Year\n\nText.\n\nPART TWO\nThe board\n\n"
    "Article Three. Members\n\nText.\n\nFirst Schedule\n\nForms.\n\nSecond Schedule\n\nFees.\n"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GERMAN, "Teil 1 | > Artikel 1 | > Artikel 2 | Teil 2 | > Artikel 3 | Anlage 1"),
        (
            FRENCH,
            "TITRE PREMIER | > Article 1er | > Art. 2 | > Article 2 bis | TITRE II | > Article 3 | ANNEXE I",
        ),
        (SPANISH, "CAPÍTULO I | > Artículo 1 | > Artículo 2.º | CAPÍTULO II | > Artículo 3"),
        (DUTCH, "Hoofdstuk 1 | > Artikel 1 | Hoofdstuk 2 | > Artikel 2 | Bijlage 1"),
        (PORTUGUESE, "Capítulo I | > Artigo 1.º | Capítulo II | > Seção I | >> Artigo 2.º | Anexo I"),
        (ITALIAN, "Capo I | > Articolo 1 | Capo II | > Articolo 2"),
        (
            GERMAN_ORDINALS,
            "Erster Teil | > Erster Abschnitt | >> § 1 | > Zweiter Abschnitt | >> § 2 | Zweiter Teil | > § 3",
        ),
        (
            FRENCH_CODE,
            (
                "Première partie | > Article L. 111-1 | > Article L. 111-2 | > Article L. 121-1 | Deuxième partie"
                " | > Article R. 111-1"
            ),
        ),
        (
            SPANISH_LAW,
            (
                "Artículo 1 | Artículo 2 | Disposición adicional primera | Disposición adicional segunda | "
                "Disposición derogatoria única | Disposición final primera"
            ),
        ),
        (
            ENGLISH_WORDS,
            "PART ONE | > Article One | > Article Two | PART TWO | > Article Three | First Schedule | Second Schedule",
        ),
    ],
    ids=["de", "fr", "es", "nl", "pt", "it", "de-ordinals", "fr-code", "es-law", "en-words"],
)
def test_units_of_other_languages_nest_as_the_english_ones_do(text: str, expected: str) -> None:
    numbered = [one for one in parsed(text)[1] if one.number]
    assert " | ".join(f"{'>' * (one.level - 1)} {one.number}".strip() for one in numbered) == expected


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("Article 1er Objet", "1"),
        ("Article premier", "1"),
        ("Artículo único", "1"),
        ("CHAPITRE Ier", "I"),
        ("Articolo 3-bis Altro", "3A"),
        ("Artikel 3 bis 5", "3"),
        ("Disposición transitoria decimotercera. Otras", "13"),
        ("Seconde partie", "2"),
        ("Eerste hoofdstuk", "1"),
        ("Capo secondo", "2"),
        ("ARTICLE FIRST: Name", "1"),
        ("Art. D212-1-1 – Objet", "D212-1-1"),
    ],
)
def test_words_for_values(line: str, value: str) -> None:
    marker = read_marker(line)
    assert marker is not None
    assert marker.parts[0].value == value


@pytest.mark.parametrize(
    "line",
    [
        *("Artikel 6 Absatz 1 Buchstabe f DSGVO", "Teil der Kosten", "Livre de bord", "artikel 3 geldt"),
        *("First Part Payment", "Zweiter Teil der Ausbildung", "Article second-hand goods", "Erste Hilfe"),
    ],
)
def test_what_only_names_a_unit_is_no_number(line: str) -> None:
    _, sections = parsed(f"Regel\n\nText davor.\n\n{line}\n\nText danach.\n")
    assert {(one.number, one.title) for one in sections} <= {(None, ""), (None, "Regel"), (None, line)}


PARAGRAPHS = "Abschnitt 1 A\n\n§ 1 Zweck\n\nText a.\n\n§ 2 Rahmen\n\nText b.\n\nAbschnitt 2 B\n\n§ 3 Sonst\n\nText c.\n"


@pytest.mark.parametrize(
    ("text", "reference", "begins"),
    [
        (GERMAN, "Teil 2", "Teil 2"),
        (GERMAN, "Artikel 2", "Artikel 2"),
        (FRENCH, "article 1", "Article 1er"),
        (FRENCH, "l'article 2 bis", "Article 2 bis"),
        (FRENCH, "annexe 1", "ANNEXE I"),
        (SPANISH, "capítulo 2", "CAPÍTULO II"),
        (DUTCH, "bijlage 1", "Bijlage 1"),
        (GERMAN_ORDINALS, "Teil 2", "Zweiter Teil"),
        (FRENCH_CODE, "article L. 121-1", "Article L. 121-1"),
        (ENGLISH_WORDS, "part 2", "PART TWO"),
        (ENGLISH_WORDS, "schedule 2", "Second Schedule"),
        (PARAGRAPHS, "§ 2", "§ 2"),  # a paragraph and a part of one number
        (PARAGRAPHS, "Abschnitt 2", "Abschnitt 2"),
    ],
)
def test_units_are_found_by_their_number(text: str, reference: str, begins: str) -> None:
    found = find_clause(text, parsed(text)[1], reference)
    assert found is not None
    assert text[found[0] :].startswith(begins)


def test_references_are_resolved() -> None:
    for text, expected in (
        (GERMAN, [("Artikel 2", "Artikel 2"), ("Teil 2", "Teil 2"), ("Anlage 1", "Anlage 1")]),
        (FRENCH, [("article 2 bis", "Article 2 bis")]),
        (FRENCH_CODE, [("article L. 121-1", "Article L. 121-1")]),
    ):
        found = find_references(*parsed(text))
        assert [(one.text, one.target_section_id) for one in found] == expected


def test_numbers_have_one_key() -> None:
    numbers = ("Article 2 bis", "ANNEXE I", "Article premier", "Artículo 2.º")
    assert [number_key(number) for number in numbers] == ["2a", "annexei", "1", "2"]


def test_the_table_is_of_one_piece() -> None:
    units = set(UNIT_WORDS.values())
    assert set(FORMS.values()) == units == set(KIND_OF) | BACK_MATTER
    assert set(KIND_OF.values()) == set(ORDER)
    assert not ONE_SERIES & OWN_SERIES
    assert units >= ONE_SERIES | OWN_SERIES
