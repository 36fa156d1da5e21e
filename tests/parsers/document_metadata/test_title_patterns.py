"""Title blocks in every language of which we know the words; no language spoils what another one says."""

import datetime as dt

import pytest

from policy_rag_parsers.document_metadata.title_block import TitleBlock, read_title_block
from policy_rag_parsers.records import FileFormat, SourceText

MARCH = dt.date(2030, 3, 1)
DECEMBER = dt.date(2030, 12, 31)


def head(text):
    return read_title_block(SourceText(text, FileFormat.TEXT))


@pytest.mark.parametrize(
    ("text", "version", "old"),
    [
        ("Version 2.0, en vigueur à partir du 1er mars 2030. Elle remplace la version 1.0.", "2.0", "version 1.0"),
        ("Version : 2.0 | Date d’effet : 1er mars 2030 | Remplace : version 1.0", "2.0", "version 1.0"),
        (
            "La présente politique entre en vigueur le 1er mars 2030 et remplace la Politique d'achat de 2022.",
            "",
            "Politique d'achat of 2022",
        ),
        ("2e édition, valable du 1er mars 2030. Annule et remplace la version 1.", "2", "version 1"),
        ("Versión 2.0. Vigente desde el 1 de marzo de 2030. Sustituye a la versión 1.0.", "2.0", "version 1.0"),
        ("Versión | 2.0\nFecha de entrada en vigor | 1 de marzo de 2030\nVersión anterior | 1.0", "2.0", "version 1.0"),
        (
            "Esta política entra en vigor el 1 de marzo de 2030 y sustituye al Reglamento de Viajes de 2022.",
            "",
            "Reglamento de Viajes of 2022",
        ),
        ("Versão 1.2 | Em vigor desde 1 de março de 2030 | Substitui: Versão 1.1", "1.2", "version 1.1"),
        ("Versão 1.2, em vigor a partir de 1 de março de 2030. Ela substitui a versão 1.1.", "1.2", "version 1.1"),
        ("Esta política entra em vigor em 1 de março de 2030 e substitui a versão 1.1.", "", "version 1.1"),
        ("Versione 2.0, in vigore dal 1° marzo 2030. Sostituisce la versione 1.0.", "2.0", "version 1.0"),
        ("Versione | 2.0\nData di entrata in vigore | 1 marzo 2030\nVersione precedente | 1.0", "2.0", "version 1.0"),
        ("Versie 2.0, geldig vanaf 1 maart 2030. Dit beleid vervangt versie 1.0.", "2.0", "version 1.0"),
        ("Dit beleid treedt op 1 maart 2030 in werking en vervangt het Reisbeleid van 2022.", "", "Reisbeleid of 2022"),
    ],
)
def test_version_first_day_and_what_is_replaced(text, version, old):
    assert head(f"{text}\n") == TitleBlock(version, MARCH, supersedes=(old,))


@pytest.mark.parametrize(
    "line",
    [
        "Valable du 1er mars 2030 au 31 décembre 2030",
        "En vigueur : 1er mars 2030 – 31 décembre 2030",
        "Vigente del 1 de marzo de 2030 al 31 de diciembre de 2030",
        "Válida de 1 de março de 2030 a 31 de dezembro de 2030",
        "In vigore dal 1 marzo 2030 fino al 31 dicembre 2030",
        "Geldig van 1 maart 2030 tot en met 31 december 2030",
        "Vigente desde el 1 de marzo de 2030. Válido hasta el 31 de diciembre de 2030.",
    ],
)
def test_the_last_day(line):
    assert head(f"{line}\n") == TitleBlock("", MARCH, DECEMBER)


@pytest.mark.parametrize(
    "line",
    [
        "Le RGPD est en vigueur depuis le 25 mai 2018.",
        "Le RGPD, en vigueur depuis le 25 mai 2018, est applicable.",
        "Le formulaire entre en vigueur le 1er mars 2030 et remplace la version 1.0.",
        "Le nouveau formulaire remplace la version 1.0.",
        "Dernière mise à jour : 1er mars 2030",
        "La ley está vigente desde el 1 de marzo de 2030.",
        "Vigente desde el 1 de marzo de 2030, el límite será de 140 euros.",
        "El formulario sustituye a la versión 1.0.",
        "Vigencia: 31 de diciembre de 2030",
        "A lei está em vigor desde 1 de março de 2030.",
        "Em vigor desde 1 de março de 2030, o limite será de 140 euros.",
        "O formulário substitui a versão 1.0.",
        "La legge è in vigore dal 1 marzo 2030.",
        "Il modulo sostituisce la versione 1.0.",
        "De wet is van kracht sinds 1 maart 2030.",
        "Geldig vanaf 1 maart 2030, het maximum wordt 140 euro.",
        "Het formulier vervangt versie 1.0.",
        "Substituída por: Versão 4.0",
        "A policy effective from 1 March 2030 is needed.",
        "A policy effective from 1 March 2030",
        "This policy replaces the Normal Working Hours of 2023.",
        "Utilisez la version 2.1 du formulaire.",
        "Artículo 1 Objeto\nVersión 2.0",
        "Article 1er Objet\nVersion 2.0",
    ],
)
def test_what_is_no_statement(line):
    assert head(f"{line}\n") == TitleBlock()


@pytest.mark.parametrize(
    "line",
    [
        "Johnson & Son, est. 1990, version 5.1",
        "Acme, Los Angeles, version 5.1",
        "Acme, La Paz, versión 5.1",
        "Acme, São Paulo, versão 5.1",
        "Versão 5.1, a partir de março",
    ],
)
def test_words_of_one_language_do_not_spoil_a_row_in_another(line):
    assert head(f"{line}\n") == TitleBlock("5.1")
