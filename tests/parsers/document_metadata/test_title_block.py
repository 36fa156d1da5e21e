"""What a document's head says of its version and validity; and the many things that it does not say."""

import datetime as dt
from pathlib import Path

import pytest

from policy_rag_parsers.document_metadata.declarations import Declaration, declared, read_sidecar
from policy_rag_parsers.document_metadata.title_block import TitleBlock, read_title_block, with_title_block
from policy_rag_parsers.loaders import load
from policy_rag_parsers.records import FileFormat, HeadingMark, SourceText

JULY, DECEMBER, MARCH = dt.date(2026, 7, 1), dt.date(2026, 12, 31), dt.date(2030, 3, 1)


def head(text, **fields):
    return read_title_block(SourceText(text, FileFormat.MARKDOWN, **fields))


@pytest.mark.parametrize(
    "line",
    [
        *("Effective 1 July 2026", "Effective: 1 July 2026", "Effective date: July 1, 2026"),
        *("Effective date: Wednesday, July 1, 2026", "Date d’effet : mercredi 1er juillet 2026"),
        *("Effective from 1st July 2026.", "**Effective as of** 2026-07-01", "| Effective date | 1 July 2026 |"),
        *("In force from 01.07.2026", "Valid from: 1 July 2026"),
        "Version: 2.1      Effective date: 1 July 2026      Owner: Finance",
        "Version 2.1\tEffective\t1 July 2026\tOwner\tFinance",
        "St. Alban Group Ref. HR-020 Version 4.1 Effective 1 July 2026",
        *("This policy takes effect on 1 July 2026 and applies to all staff.", "Gültig ab 01.07.26"),
        "This policy comes into force on 1 July 2026.",
        *("Acme Ltd – Version 3 – in force from 1 July 2026 – Owner: HR", "Version 3 (effective 1 July 2026)"),
        "Version 3 of 14 June 2026, effective 1 July 2026. All amounts are net.",
        *("gültig ab 01.07.2026, Fassung 3", "Diese Richtlinie tritt am 1. Juli 2026 in Kraft."),
        *("Inkrafttreten: 1. Juli 2026", "Diese Richtlinie gilt ab dem 1. Juli 2026.", "Stand: 1. Juli 2026"),
        *("Fassung 3 (Stand 01.07.2026)", "Ausgabe vom 1. Juli 2026", "Stand: 1. Mai 2026, gültig ab 1. Juli 2026"),
    ],
)
def test_the_first_day(line):
    assert head(f"# Travel Policy\n\n{line}\n\n## 1 Scope\nAll staff.").effective_from == JULY


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("Version 2.1", "2.1"),
        ("Version: 2.1", "2.1"),
        ("Version No. 7", "7"),
        ("Policy no.: HR-014      Issue: 5      Date of issue: 1 May 2026", "5"),
        ("Document version | 2.1.3", "2.1.3"),
        ("v2.1", "2.1"),
        ("Rev. 4", "4"),
        ("Fassung 1.10", "1.10"),
        ("Issue 5 – effective from 1 July 2026", "5"),
        ("Issue no. 5.1", "5.1"),
        ("Rev. B", "B"),
        ("Revision: C", "C"),
        ("3rd edition", "3"),
        ("Ausgabe 5 vom 1. Juli 2026", "5"),
        ("5. Ausgabe, Stand 1. Juli 2026", "5"),
        ("Auflage 2", "2"),
        ("Acme Ltd, version 5.1, resolved by the board on 4 December 2025", "5.1"),
        ("Version 2.0. It replaces version 1.3 of 2022.", "2.0"),
        ("Version 2.0 replaces version 1.3", "2.0"),
        # words of one language do not spoil a row in another
        ("Johnson & Son, est. 1990, version 5.1", "5.1"),
        ("Acme, Los Angeles, version 5.1", "5.1"),
        ("Acme, La Paz, versión 5.1", "5.1"),
        ("Acme, São Paulo, versão 5.1", "5.1"),
        ("Versão 5.1, a partir de março", "5.1"),
    ],
)
def test_the_version(line, version):
    assert head(f"# Travel Policy\n{line}\n").version == version


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("It replaces version 1.3 of 2022.", ("version 1.3",)),
        ("Effective from: 1 July 2026 (replaces version 3.2 of 2023)", ("version 3.2",)),
        ("This policy supersedes the Travel Policy of 2023.", ("Travel Policy of 2023",)),
        ("This policy supersedes the Travel Policy, version 2.1.", ("Travel Policy, version 2.1",)),
        ("This document supersedes the “Expenses Guideline” dated 3 May 2021.", ("Expenses Guideline of 2021",)),
        ("Version 2.2, replacing version 2.1", ("version 2.1",)),
        ("Diese Richtlinie ersetzt die Reiserichtlinie vom 1. März 2022.", ("Reiserichtlinie of 2022",)),
        ("Ersetzt Fassung 1.0 vom 1. Januar 2020", ("version 1.0",)),
        ("This policy supersedes the Travel Policy v2.1.", ("Travel Policy, version 2.1",)),
        ("Supersedes: Version 2", ("version 2",)),
        ("Supersedes: Travel Policy v2.1 (2022)", ("Travel Policy, version 2.1",)),
        ("Supersedes: Travel Policy (2022)", ("Travel Policy of 2022",)),
        ("Replaces policy: Travel Policy", ("Travel Policy",)),
        ("| Replaces | 2.2 |", ("version 2.2",)),
        ("| Previous version | v2.2, 1 March 2023 |", ("version 2.2",)),
        ("| Ersetzt | Reiserichtlinie vom 1. März 2022 |", ("Reiserichtlinie of 2022",)),
        ("Vorgängerversion: 2.2", ("version 2.2",)),
        ("Owner: HR, Supersedes: Version 2, Next review: 1 July 2027", ("version 2",)),
    ],
)
def test_what_it_replaces(line, names):
    assert head(f"# Travel Policy\n\n{line}\n").supersedes == names


@pytest.mark.parametrize(
    ("lines", "replaced"),
    [
        ("Version 3.1 DRAFT. It replaces version 2.4.", ()),
        ("| Status | Draft |\n|---|---|\n| Replaces | version 2.4 |", ()),
        ("Status: Entwurf\n\nErsetzt Version 2.4.", ()),
        ("Version 3.1 (draft) | replaces version 2.4", ()),
        ("Version 3.1. Drafted by HR. It replaces version 2.4.", ("version 2.4",)),
    ],
)
def test_a_draft_replaces_nothing_yet(lines, replaced):
    found = head(f"# Travel Policy\n\n{lines}\n\n## 1 Scope\n")
    assert (found.supersedes, found.is_draft) == (replaced, not replaced)


@pytest.mark.parametrize(
    ("line", "days"),
    [
        ("Valid from 1 July 2026 to 31 December 2026", (JULY, DECEMBER)),
        ("Gültig vom 1. Juli 2026 bis 31.12.2026", (JULY, DECEMBER)),
        ("Valid until 31 December 2026", (None, DECEMBER)),
        ("Valid: 01.07.2026 - 31.12.2026", (JULY, DECEMBER)),
        ("| Validity | 1 July 2026 – 31 December 2026 |", (JULY, DECEMBER)),
        ("Gültigkeit: vom 1.7.2026 bis zum 31.12.2026", (JULY, DECEMBER)),
        ("Période de validité : du 1er juillet 2026 au 31 décembre 2026", (JULY, DECEMBER)),
        ("Valid: 01.07.2026", (None, None)),
        ("| In force | 01.07.2026 to 31.12.2026 |", (JULY, DECEMBER)),
        ("Effective 1 July 2026 to 31 December 2026", (JULY, DECEMBER)),
        ("In Kraft: 01.07.2026 bis 31.12.2026", (JULY, DECEMBER)),
        ("Expiry date | 31/12/2026", (None, DECEMBER)),
        ("Diese Richtlinie tritt am 31. Dezember 2026 außer Kraft.", (None, DECEMBER)),
        ("Valid from 1 July 2026 to 30 June 2026", (None, None)),
        ("Effective: 1 July 2026 – 31 December 2026", (JULY, DECEMBER)),
        ("Effective: 1 July 2026 – Owner: HR", (JULY, None)),
        ("Gültig ab: 01.07.2026 - 31.12.2026", (JULY, DECEMBER)),
        ("Version 3 – in force from 1 July 2026 — 31 December 2026 – Owner: HR", (JULY, DECEMBER)),
        ("| Effective | 1 July 2026 – 31 December 2026 |", (JULY, DECEMBER)),
        ("Term: 1 July 2026 – 31 December 2026", (None, None)),
        ("It takes effect on 1 July 2026 and expires on 31 December 2026.", (JULY, DECEMBER)),
        ("Valable du 1er mars 2030 au 31 décembre 2030", (MARCH, dt.date(2030, 12, 31))),
        ("En vigueur : 1er mars 2030 – 31 décembre 2030", (MARCH, dt.date(2030, 12, 31))),
        ("Vigente del 1 de marzo de 2030 al 31 de diciembre de 2030", (MARCH, dt.date(2030, 12, 31))),
        ("Válida de 1 de março de 2030 a 31 de dezembro de 2030", (MARCH, dt.date(2030, 12, 31))),
        ("In vigore dal 1 marzo 2030 fino al 31 dicembre 2030", (MARCH, dt.date(2030, 12, 31))),
        ("Geldig van 1 maart 2030 tot en met 31 december 2030", (MARCH, dt.date(2030, 12, 31))),
        ("Vigente desde el 1 de marzo de 2030. Válido hasta el 31 de diciembre de 2030.", (MARCH, dt.date(2030, 12, 31))),
    ],
)  # fmt: skip
def test_the_last_day(line, days):
    found = head(f"# Travel Policy\n{line}\n")
    assert (found.effective_from, found.effective_to) == days


@pytest.mark.parametrize(
    "line",
    [
        *("The GDPR has been in force since 25 May 2018.", "The GDPR, in force since 25 May 2018, applies."),
        "Amounts are reviewed, effective 1 July 2026, by Finance.",
        "Effective 1 July 2026 the limit for hotels rises to 140 euros.",
        "Effective 1 July 2026, the limit for hotels rises to 140 euros.",
        "Effective 1 July 2026, the limit for hotels becomes 140 euros.",
        *("Employees hired before 1 July 2026 keep their leave.", "Effective July 2026", "Effective 1 July"),
        *("Effective 03/04/2026", "Effective 31 February 2026", "Effective immediately.", "Approved on 1 July 2026"),
        *("Last updated: 1 July 2026", "Next review: 1 July 2027", "Stand: Juli 2026"),
        *("Stand der Technik: 1. Juli 2026", "Issue a badge", "2. Ausgabe von Ausweisen", "Plan B"),
        *("Published 2026-07-01", "TLS version 1.2 or higher is required.", "Use version 2.1 of the form."),
        *("Version 2.1 of the form is used.", "Version 3 or later", "Python version 3.11", "ISO 9001 Version 2015"),
        *("Version control", "Version", "Section 2.1", "This policy supersedes all previous versions."),
        *("This policy does not supersede version 2.1.", "A new laptop replaces the old one of 2023."),
        "Form T-2 replaces version 1.3 of the form.",
        "The form takes effect on 1 July 2026 and replaces version 1.3.",
        "The GDPR, in force since 25 May 2018 and replaces version 1.3.",
        "Das Formular tritt am 1. Juli 2026 in Kraft und ersetzt die Fassung 1.3.",
        *("Form T-2 supersedes: version 1.3", "The previous version: 1.3", "Supersedes | None"),
        *("Supersedes: all previous policies", "Supersedes | Form T-2", "Superseded by | Version 4.0"),
        *("Ersetzt durch: Fassung 4.0", "The insurer replaces the Travel Policy of 2023."),
        "This policy replaces the paper forms of 2023.",
        "Das neue Formular ersetzt die Reiserichtlinie vom 1. März 2022.",
        "Existing agreements under version 1.3 continue until 30 June 2026 and then lapse.",
        *("Valid passports are needed until 31 December 2026", "Le RGPD est en vigueur depuis le 25 mai 2018."),
        "Le RGPD, en vigueur depuis le 25 mai 2018, est applicable.",
        "Le formulaire entre en vigueur le 1er mars 2030 et remplace la version 1.0.",
        *("Le nouveau formulaire remplace la version 1.0.", "Dernière mise à jour : 1er mars 2030"),
        "La ley está vigente desde el 1 de marzo de 2030.",
        "Vigente desde el 1 de marzo de 2030, el límite será de 140 euros.",
        *("El formulario sustituye a la versión 1.0.", "Vigencia: 31 de diciembre de 2030"),
        "A lei está em vigor desde 1 de março de 2030.",
        *("Em vigor desde 1 de março de 2030, o limite será de 140 euros.", "O formulário substitui a versão 1.0."),
        *("La legge è in vigore dal 1 marzo 2030.", "Il modulo sostituisce la versione 1.0."),
        *("De wet is van kracht sinds 1 maart 2030.", "Geldig vanaf 1 maart 2030, het maximum wordt 140 euro."),
        *("Het formulier vervangt versie 1.0.", "Substituída por: Versão 4.0"),
        *("A policy effective from 1 March 2030 is needed.", "A policy effective from 1 March 2030"),
        *("This policy replaces the Normal Working Hours of 2023.", "Utilisez la version 2.1 du formulaire."),
        *("Artículo 1 Objeto\nVersión 2.0", "Article 1er Objet\nVersion 2.0"),
    ],
)
def test_what_is_no_statement(line):
    assert head(f"# Travel Policy\n\n{line}\n\n## 1 Scope\n") == TitleBlock()


@pytest.mark.parametrize(
    ("text", "version", "first", "old"),
    [
        # two statements joined by "and"
        ("This policy takes effect on 1 July 2026 and replaces version 2.1.", "", JULY, "version 2.1"),
        ("It is effective from 1 July 2026 and supersedes version 2.1.", "", JULY, "version 2.1"),
        ("Version 2.2, in force from 1 July 2026 and replaces version 2.1.", "2.2", JULY, "version 2.1"),
        ("This policy replaces version 2.1 and takes effect on 1 July 2026.", "", JULY, "version 2.1"),
        ("Diese Richtlinie tritt am 1. Juli 2026 in Kraft und ersetzt die Fassung 1.0.", "", JULY, "version 1.0"),
        ("Sie ersetzt die Fassung 1.0 und tritt am 1. Juli 2026 in Kraft.", "", JULY, "version 1.0"),
        # a control table names what is replaced beside its own version
        ("Version | 2.3\nEffective date | 1 July 2026\nSupersedes | Version 2.2\n", "2.3", JULY, "version 2.2"),
        ("| Supersedes | Version 2.2 |\n|---|---|\n| Version | 2.3 |\n| Effective date | 1 July 2026 |\n", "2.3", JULY, "version 2.2"),
        ("Version: 2.3\nSupersedes: Version 2.2\nEffective: 1 July 2026\n", "2.3", JULY, "version 2.2"),
        ("Version: 2.3, Supersedes: Version 2.2, Effective from: 1 July 2026\n", "2.3", JULY, "version 2.2"),
        # an empty cell names nothing and leaves the next row
        ("Supersedes | \nVersion | 2.3", "2.3", None, ""),
        ("Version | 2.3\nSuperseded by | Version 4.0", "2.3", None, ""),
        # under its own heading it belongs to the head
        ("## Document control\n\n| Version | 2.1 |\n| Effective date | 1 July 2026 |", "2.1", JULY, ""),
        # the version that is replaced is not the document's own
        ("Replaces version 3.1, effective 1 May 2020", "", None, ""),
        ("Replaces version 3.1", "", None, "version 3.1"),
        # values that contradict each other are not taken
        ("Version 2.1\nVersion 2.2", "", None, ""),
        ("Effective 1 July 2026\nValid from 1 August 2026", "", None, ""),
        ("Stand: 1. Juli 2026\nStand: 1. August 2026", "", None, ""),
        ("Version 2.1\nVersion: 2.1", "2.1", None, ""),
        # further languages
        ("Version 2.0, en vigueur à partir du 1er mars 2030. Elle remplace la version 1.0.", "2.0", MARCH, "version 1.0"),
        ("Version : 2.0 | Date d’effet : 1er mars 2030 | Remplace : version 1.0", "2.0", MARCH, "version 1.0"),
        ("La présente politique entre en vigueur le 1er mars 2030 et remplace la Politique d'achat de 2022.", "", MARCH, "Politique d'achat of 2022"),
        ("2e édition, valable du 1er mars 2030. Annule et remplace la version 1.", "2", MARCH, "version 1"),
        ("Versión 2.0. Vigente desde el 1 de marzo de 2030. Sustituye a la versión 1.0.", "2.0", MARCH, "version 1.0"),
        ("Versión | 2.0\nFecha de entrada en vigor | 1 de marzo de 2030\nVersión anterior | 1.0", "2.0", MARCH, "version 1.0"),
        ("Esta política entra en vigor el 1 de marzo de 2030 y sustituye al Reglamento de Viajes de 2022.", "", MARCH, "Reglamento de Viajes of 2022"),
        ("Versão 1.2 | Em vigor desde 1 de março de 2030 | Substitui: Versão 1.1", "1.2", MARCH, "version 1.1"),
        ("Versão 1.2, em vigor a partir de 1 de março de 2030. Ela substitui a versão 1.1.", "1.2", MARCH, "version 1.1"),
        ("Esta política entra em vigor em 1 de março de 2030 e substitui a versão 1.1.", "", MARCH, "version 1.1"),
        ("Versione 2.0, in vigore dal 1° marzo 2030. Sostituisce la versione 1.0.", "2.0", MARCH, "version 1.0"),
        (
            "Versione | 2.0\nData di entrata in vigore | 1 marzo 2030\nVersione precedente | 1.0",
            "2.0",
            MARCH,
            "version 1.0",
        ),
        ("Versie 2.0, geldig vanaf 1 maart 2030. Dit beleid vervangt versie 1.0.", "2.0", MARCH, "version 1.0"),
        (
            "Dit beleid treedt op 1 maart 2030 in werking en vervangt het Reisbeleid van 2022.",
            "",
            MARCH,
            "Reisbeleid of 2022",
        ),
    ],
)  # fmt: skip
def test_what_a_head_states(text, version, first, old):
    expected = TitleBlock(version, first, supersedes=(old,) if old else ())
    assert head(f"# Travel Policy\n\n{text}\n\n## 1 Scope\n") == expected


@pytest.mark.parametrize(
    "text",
    [
        "# Travel Policy\n\n## 1 Scope\n\nVersion 2.1\nEffective 1 July 2026\n",
        "Travel Policy\n\n1. Scope\nVersion 2.1\nEffective 1 July 2026\n",
        "Travel Policy\n\n§ 1 Geltung\nFassung 2.1, gültig ab 1. Juli 2026\n",
        "Travel Policy\n\nArticle 1 Scope\nVersion 2.1\n",
        "Travel Policy\n" + "Words about trips.\n" * 50 + "Version 2.1\n",
        "Travel Policy\n" + "x" * 3000 + "\nVersion 2.1\n",
        "# Travel Policy\n\n## Old versions\n\nVersion 2.1, effective 1 July 2026\n",
    ],
)
def test_only_the_head_is_read(text):
    assert head(text) == TitleBlock()


def test_the_headings_that_a_format_marks_end_the_head():
    text = "Travel Policy\nScope\nVersion 2.1\n"
    marks = (HeadingMark(0, 13, 1), HeadingMark(14, 19, 2))
    assert head(text, headings=marks).version == ""
    assert head(text, headings=marks[:1]).version == "2.1"


def test_front_matter_is_not_read_as_text():
    text = "---\nnote: Version 9\nversion 9\n---\n# Travel Policy\nVersion 2.1\n"
    assert head(text, body_start=text.index("#")).version == "2.1"


def test_what_is_declared_wins_key_by_key():
    source = SourceText("Version 2.1, effective 1 July 2026. It replaces version 2.0.\n", FileFormat.TEXT)
    kept = with_title_block(Declaration(version="9", access=("hr",)), source)
    assert (kept.version, kept.effective_from, kept.supersedes) == ("9", JULY, ("version 2.0",))
    assert kept.access == ("hr",)
    dated = Declaration(effective_from=dt.date(2025, 1, 1), supersedes=("old.md",))
    assert with_title_block(dated, source) == Declaration(
        version="2.1", effective_from=dt.date(2025, 1, 1), supersedes=("old.md",)
    )
    ends = Declaration(effective_to=dt.date(2020, 1, 1))
    assert with_title_block(ends, source).effective_from is None, "a period that ends before it begins is none"


def test_days_under_keys_of_their_own_are_read_as_in_a_head():
    source = SourceText("Valid until 30 June 2026\n", FileFormat.TEXT)
    keyed = Declaration(
        extra=(("Effective-Date", "2026-07-01"), ("next_review", "2027-01-01"), ("valid_until", "2026-12-31"))
    )
    found = with_title_block(keyed, source)
    assert (found.effective_from, found.effective_to) == (JULY, DECEMBER)
    german = with_title_block(
        Declaration(extra=(("gültig_ab", "01.07.2026"), ("revision", 3))), SourceText("x", FileFormat.TEXT)
    )
    assert (german.effective_from, german.version) == (JULY, ""), "a day alone is taken"


def test_page_headers_say_what_the_head_leaves_open():
    margins = ("Northfield Council", "Policy HR-12", "Version 2.4, effective 1 July 2026", "Page 1 of 3")
    silent = SourceText("Sickness Absence Policy\n\n1 Scope\n\nAll staff.\n", FileFormat.DOCX, margins=margins)
    assert read_title_block(silent) == TitleBlock("2.4", JULY, None)
    head = SourceText("Sickness Absence Policy\n\nVersion 3\n\n1 Scope\n", FileFormat.DOCX, margins=margins)
    assert read_title_block(head) == TitleBlock("3", JULY, None), "the head wins, value by value"
    ended = SourceText("Leave Policy\n\nValid until 30 June 2026\n", FileFormat.DOCX, margins=margins)
    assert read_title_block(ended) == TitleBlock("2.4", None, dt.date(2026, 6, 30)), (
        "a header that contradicts it is not believed"
    )


def test_the_sample_company_says_what_it_declares():
    folder = Path(__file__).parents[3] / "eval" / "datasets" / "brannholt" / "documents"
    sidecar, found = read_sidecar(folder), 0
    for path in sorted(set(folder.iterdir()) - {folder / "policies.yaml"}):
        source = load(path)
        said, declaration = read_title_block(source), declared(source, path.name, sidecar)
        assert said.version in {"", declaration.version}
        assert said.effective_from in {None, declaration.effective_from}
        found += bool(said.version) + bool(said.effective_from)
    assert found == 33, "of 17 documents all say their version, and all but one their first day"
