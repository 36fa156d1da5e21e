"""Edges between sections: what refers to what, and what limits what, each with the characters that say so."""

import pytest

from policy_rag_parsers.references import section_edges
from policy_rag_parsers.references.document_names import document_names
from policy_rag_parsers.references.known_documents import Library
from policy_rag_parsers.references.section_edges import find_edges, find_links, sentence_around
from tests.support.parsed_text import parsed

GIFTS = """# Gifts

## 1 Scope

1.1 Section 2.1 does not apply to the committee. It thanks as 2.1 and section 2.2 say.

## 2 Sponsors

2.1 Gifts of up to 100 euros may be taken, see 2.1(a) and section 4 of the Tax Act.

2.2 Subject to 1.1, tea is free.
"""


def edges(text):
    found = find_edges(*parsed(text))
    return [(one.section_id, one.target, one.kind.value, text[one.start : one.end]) for one in found]


def test_each_mention_is_an_edge_of_its_sentence_s_kind():
    assert edges(GIFTS) == [
        ("1.1", "2.1", "excepts", "Section 2.1"),
        ("1.1", "2.2", "refers", "section 2.2"),
        ("2.2", "1.1", "excepts", "1.1"),
    ]


def test_a_document_without_sections_or_references_has_none():
    assert edges("") == edges("# Gifts\n\nTea is free.\n") == []


def test_a_line_of_references_is_read_in_sentences_of_what_is_near(monkeypatch):
    count = 2000
    text = "# Gifts\n\n## 1 Scope\n\nAll.\n\n## 2 Tea\n\nTea is free, " + "subject to section 1, " * count
    read = []

    def counted(*arguments):
        read.append(arguments)
        return sentence_around(*arguments)

    monkeypatch.setattr(section_edges, "sentence_around", counted)
    assert edges(text) == [("2", "1", "excepts", "section 1")] * count
    assert len(read) <= len(text) // 2000 + 2  # one for each reach of 2,000 characters, not one a reference


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Trips are as defined in section 1 of the Travel Policy.", "defines"),
        ("It has the meaning given in section 1 of the Travel Policy.", "defines"),
        ("Gäste im Sinne von section 1 of the Travel Policy.", "defines"),
        ("Subject to section 1 of the Travel Policy, tea is free.", "excepts"),
        ("Section 1 of the Travel Policy does not apply to tea.", "excepts"),
        ("This replaces section 1 of the Travel Policy.", "supersedes"),
        ("Section 1 of the Travel Policy is hereby repealed.", "supersedes"),
        ("Exempt guests are listed in section 1 of the Travel Policy.", "refers"),
        ("Tea follows section 1 of the Travel Policy. It replaces coffee.", "refers"),
    ],
)
def test_a_link_to_another_document_says_what_is_said_of_it(sentence, kind):
    _, travel = parsed("# 1 Trips\n\nAll.\n", title="Travel Policy")
    library = Library({"travel": document_names("Travel Policy")}, lambda _: travel)
    text = f"# 1 Guests\n\n{sentence}\n"
    (link,) = find_links(*parsed(text), library, "guests")
    mention = text[link.start : link.end]
    assert (link.section_id, link.document, link.target, link.kind.value) == ("1", "travel", "1", kind)
    assert mention.casefold() == "section 1 of the travel policy"


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("It is as defined in section 2.", "defines"),
        ("Section 2 is replaced by tea.", "supersedes"),
        ("La section 2 ne s'applique pas aux stagiaires.", "excepts"),
        ("Sin perjuicio de la sección 2, el plazo es de un mes.", "excepts"),
        ("A seção 2 não se aplica aos estagiários.", "excepts"),
        ("El término se define en la sección 2.", "defines"),
        ("O termo é definido na seção 2.", "defines"),
        ("Ce texte abroge la section 2.", "supersedes"),
        ("Conformément à 2.1, tout est payé.", "refers"),
    ],
)
def test_kinds_of_edges_inside_a_document(sentence, kind):
    found = edges(f"# X\n\n## 1 A\n\n{sentence}\n\n## 2 B\n\n2.1 Tout.\n")
    assert [one[2] for one in found] == [kind]
