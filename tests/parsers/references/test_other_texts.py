"""Numbers of texts that are no documents of the index, in every language; and those that are the document's own."""

import pytest

from policy_rag_parsers.references.cross_references import find_references
from policy_rag_parsers.references.document_names import document_names
from policy_rag_parsers.references.known_documents import Library
from tests.support.parsed_text import parsed

BODY = "".join(f"## {i}. {name}\n\nText.\n\n" for i, name in enumerate(("A", "B", "GDPR training", "D", "E"), start=1))


def leads(sentence: str, title: str = "Leave Policy") -> list[tuple[str | None, str | None]]:
    source, sections = parsed(f"{BODY}{sentence}\n", title=title)
    _, gen = parsed(BODY, title="General Rules (GEN)")
    names = {"gen": document_names("General Rules (GEN)"), "own": document_names(title)}
    library = Library(names, {"gen": gen, "own": sections}.__getitem__)
    alone, among = (find_references(source, sections, **known) for known in ({}, {"library": library, "doc_id": "own"}))
    if "GEN" not in sentence:
        assert [one.target_section_id for one in alone] == [one.target_section_id for one in among]
    return [(one.target_document, one.target_section_id) for one in among]


@pytest.mark.parametrize(
    "sentence",
    [
        *("Article 5 GDPR applies.", "GDPR Article 5 applies.", "UK GDPR Article 5 applies."),
        *("By Article 5(1)(f) GDPR.", "Articles 4 and 5 GDPR apply.", "Art. 4 Abs. 1 und Art. 5 DSGVO gelten."),
        *("ISO 27001, clause 5, applies.", "ISO/IEC 27001:2013 clause 5 applies.", "By law (GDPR, Article 5) it is."),
        *("Nach Art. 5 Abs. 1 lit. f DSGVO gilt es.", "Nach § 5 BDSG gilt es.", "§ 3 Abs. 2 ArbZG gilt."),
        *("Nach Art. 5 GG gilt es.", "Nach § 5 SGB IX gilt es.", "§ 4 Abs. 1 Satz 2 der Gewerbeordnung gilt."),
        *("Selon l'article 5 du RGPD, oui.", "Selon l'article 5 de la loi n° 78-17, oui.", "L'article 5 RGPD vaut."),
        *("L'article 5 de la Politique de dépenses vaut.", "L'article 5 de la loi du 6 janvier 1978 vaut."),
        *("El artículo 4 del Estatuto de los Trabajadores rige.", "El artículo 4 de la ley 3/2018 rige."),
        *("O artigo 5.º do Código do Trabalho vale.", "O artigo 5.º da Lei n.º 7/2009 vale."),
        *("L'articolo 5 dello Statuto vale.", "Artikel 5 van de AVG geldt.", "Section 4 of the Tax Act holds."),
    ],
)
def test_an_article_of_another_text_leads_nowhere(sentence):
    assert set(leads(sentence)) == {(None, None)}


@pytest.mark.parametrize(
    ("sentence", "target"),
    [
        ("Section 4 applies.", "4"),
        ("Under section 4 HR decides.", "4"),
        ("CEOs sign, see section 4 CEOs may skip.", "4"),
        ("The CEO decides, section 4 applies.", "4"),
        ("Above CHF 500, section 4 applies.", "4"),
        ("See section 3 GDPR training.", "3"),
        ("THE SECTION 4 SHALL APPLY.", "4"),
        ("Nach § 4 das Recht auf Urlaub.", "4"),
        ("Sections 4 do NOT apply.", "4"),
        ("Under section 4 MUST be read.", "4"),
        ("So section 4 DOES NOT apply.", "4"),
        ("L'article 4 du présent Règlement vaut.", "4"),
        ("L'article 4 de cette Politique vaut.", "4"),
        ("El artículo 4 de este Reglamento rige.", "4"),
        ("Section 4 of the Leave Policy applies.", "4"),
        ("Section 4 of the Policy applies.", "4"),
    ],
)
def test_the_document_s_own_sections_are_still_found(sentence, target):
    assert leads(sentence) == [(None, target)]


def test_the_text_s_own_name_and_names_of_the_index_are_no_other_texts():
    assert leads("Rule 4 GEN applies.") == [("gen", "4")]
    assert leads("Rule 4 para 1 GEN applies.") == leads("GEN Rule 4, para 1, applies.") == [("gen", "4")]
    assert leads("Article 4 GDPR applies.", title="GDPR") == [(None, "4")]
    assert leads("L'article 4 de la Politique s'applique.", title="Politique de congés") == [(None, "4")]
    assert leads("L'article 4 de la Politique de voyage.", title="Politique de congés") == [(None, None)]
