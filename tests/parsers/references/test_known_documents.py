"""Which document a name in a text stands for."""

import pytest

from policy_rag_parsers.references.document_names import document_names
from policy_rag_parsers.references.known_documents import Library


@pytest.mark.parametrize(
    ("title", "file", "titles", "short", "initials"),
    [
        ("Travel Policy", "travel-policy.md", ("Travel Policy",), (), ()),
        (
            "Travel Policy 2024",
            "02_travel-policy-v3.md",
            ("Travel Policy 2024", "Travel Policy", "Travel Policy V3"),
            (),
            (),
        ),
        ("COBS_VER15.150823", "COBS_VER15.150823.txt", ("COBS VER15.150823",), ("COBS_VER15.150823", "COBS"), ()),
        ("Anti-Bribery Rules (ABR)", "", ("Anti-Bribery Rules",), ("ABR",), ()),
        ("Markets Act (Consolidated 2023)", "x/MA (final).pdf", ("Markets Act",), ("MA",), ()),
        ("Financial Services and Markets Act", "", ("Financial Services and Markets Act",), (), ("FSMA",)),
        ("Gifts", "gifts.md", (), ("Gifts",), ()),
        ("Política de Viajes versión 3", "", ("Política de Viajes versión 3", "Política de Viajes"), (), ()),
        ("Charte pour le bon usage des moyens", "", ("Charte pour le bon usage des moyens",), (), ("CBUM",)),
        ("Working from Home", "", ("Working from Home",), (), ("WFH",)),
    ],
)
def test_names_come_from_title_and_file(title, file, titles, short, initials):
    found = document_names(title, file)
    assert (found.titles, found.short, found.initials) == (titles, short, initials)


def mentioned(text, documents, doc_id=None):
    library = Library({one: document_names(title, one) for one, title in documents.items()}, lambda _: ())
    return [(text[one.start : one.end], one.documents, one.alone) for one in library.mentions(text, doc_id)]


def test_editions_of_one_document_share_its_name():
    documents = {"travel-2023.md": "Travel Policy 2023", "travel.md": "Travel Policy"}
    assert mentioned("See the Travel Policy.", documents) == [("Travel Policy", tuple(documents), True)]
    assert mentioned("See the Travel Policy 2023.", documents) == [("Travel Policy 2023", ("travel-2023.md",), True)]


def test_of_documents_with_one_name_the_own_one_is_meant_else_the_nearest_else_none():
    documents = {"at/leave-rules.md": "Leave in Austria", "de/leave-rules.md": "Leave in Germany"}
    documents |= {one.replace("leave", "tea"): f"Tea {one}" for one in documents}
    assert mentioned("The Leave Rules.", documents, "de/tea-rules.md")[0][1] == ("de/leave-rules.md",)
    assert mentioned("The Leave Rules.", documents, "at/leave-rules.md")[0][1] == ("at/leave-rules.md",)
    assert mentioned("The Leave Rules.", documents) == []


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("See the Code of Conduct.", True),
        ("the CODE OF CONDUCT", True),
        ("our code of conduct", False),
        ("the Supplier Code of Conduct", False),
        ("Tea. Our Code of Conduct", True),
    ],
)
def test_a_title_stands_alone_with_its_capitals_and_no_longer_name_around_it(text, alone):
    assert [one[2] for one in mentioned(text, {"code.md": "Code of Conduct"})] == [alone]


def test_initials_of_two_documents_name_neither():
    one = {"a.md": "Rules on Annual Leave"}
    assert mentioned("RAL 2", one) == [("RAL", ("a.md",), False)]
    assert mentioned("RAL 2", one | {"b.md": "Rules for All Lodgers"}) == []


def test_a_text_that_names_nothing_costs_no_search():
    assert mentioned("Tea is free.", {"code.md": "Code of Conduct"}) == []
    assert mentioned("", {}) == []
