import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_parsers.text.sentences import paragraph_spans, sentence_spans, trimmed

PROSE = st.text(alphabet=st.sampled_from('aB1 .,;:!?()\n\t|#*-"“é中。\u200e'), max_size=120)


def sentences(text: str) -> list[str]:
    return [text[a:b] for a, b in sentence_spans(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four…", ["One.", "Two!", "Three?", "Four…"]),
        ("Ask e.g. Dr. Smith, i.e. HR. Then go.", ["Ask e.g. Dr. Smith, i.e. HR.", "Then go."]),
        ("By Cal. Penal Code 1(c) or Fla. Stat. 2. Go.", ["By Cal. Penal Code 1(c) or Fla. Stat. 2.", "Go."]),
        ("See No. 5 and Art. 12. The answer is no. Go.", ["See No. 5 and Art. 12.", "The answer is no.", "Go."]),
        ("Document no. IT-POL-08. See no. HR/7.", ["Document no. IT-POL-08.", "See no. HR/7."]),
        ("The answer is no. IT pays.", ["The answer is no.", "IT pays."]),
        ("Acme Ltd. Berlin pays. It is Acme Ltd. The end.", ["Acme Ltd. Berlin pays.", "It is Acme Ltd.", "The end."]),
        ("Staff in the U.S. Army and the U.S. The rest.", ["Staff in the U.S. Army and the U.S.", "The rest."]),
        ("Voir p. ex. Paris. Il est tard.", ["Voir p. ex. Paris.", "Il est tard."]),
        ("Véase p. ej. Madrid y la pág. 5. Nadie va.", ["Véase p. ej. Madrid y la pág. 5.", "Nadie va."]),
        ("Paga a Acme S.A. Não há exceções.", ["Paga a Acme S.A.", "Não há exceções."]),
        ("Acme Inc. (“Acme”) pays. Tell me. The end.", ["Acme Inc. (“Acme”) pays.", "Tell me.", "The end."]),
        ("It costs 2.50 EUR. Version 1.2 is out.", ["It costs 2.50 EUR.", "Version 1.2 is out."]),
        ("4.2. Employees ask first. They wait.", ["4.2. Employees ask first.", "They wait."]),
        ("Section 4. Scope is wide. Next.", ["Section 4. Scope is wide.", "Next."]),
        ("Am 1. Januar gilt z. B. Abs. 2. Danach nicht.", ["Am 1. Januar gilt z. B. Abs. 2.", "Danach nicht."]),
        (
            "Bahn wird in der 2. Klasse bezahlt. Ab 3 Stunden darf die 1. Klasse benutzt werden.",
            ["Bahn wird in der 2. Klasse bezahlt.", "Ab 3 Stunden darf die 1. Klasse benutzt werden."],
        ),
        ("Fahrkarte 2. Klasse genügt.", ["Fahrkarte 2. Klasse genügt."]),
        ("Jeden 1. Montag im 3. Quartal. Sonst nicht.", ["Jeden 1. Montag im 3. Quartal.", "Sonst nicht."]),
        ("Ab dem 43. Krankheitstag zahlt die Kasse.", ["Ab dem 43. Krankheitstag zahlt die Kasse."]),
        ("Der 1. Vorsitzende und das IV. Referat.", ["Der 1. Vorsitzende und das IV. Referat."]),
        (
            "Bis zum 18. Lebensjahr gilt Ziffer 2. Montag ist frei.",
            ["Bis zum 18. Lebensjahr gilt Ziffer 2.", "Montag ist frei."],
        ),
        ("Erstattet wird nach Stufe 3. Danach nicht.", ["Erstattet wird nach Stufe 3.", "Danach nicht."]),
        ("Es gilt das 4. Diese Regel ist neu.", ["Es gilt das 4.", "Diese Regel ist neu."]),
        *(
            (f"{sentence} Danach nicht.", [sentence, "Danach nicht."])
            for sentence in (
                "Ausnahmen gem. § 14 ArbZG genehmigt lt. Ordnung die Leitung.",
                "Bis zu 120 EUR einschl. Frühstück und ausschl. Getränken.",
                "Zu melden bei Hr. Lüders, Fr. Meier oder Dipl.-Ing. Wagner.",
                "Das betrifft insb. Auszubildende bzgl. Kosten.",
                "Zuständig ist die Abt. Personal, Tel. Durchwahl 12.",
                "Es gilt Anl. 2, Kap. 3, Bd. 1 und lfd. Nr. 4 i. V. m. Ziff. 4.",
                "Fahrten mit öffentl. Verkehrsmitteln und geb. Begleitern.",
                "Nach 2 Std. Arbeit sind 5 Mio. Schritte zu zählen, so § 5 ff. BGB.",
            )
        ),
        ("Es sind 2 Std. Die Pause zählt.", ["Es sind 2 Std.", "Die Pause zählt."]),
        ("Ask HR. Expenses are paid.", ["Ask HR.", "Expenses are paid."]),
        ("Fragen aller Art. Beispiele folgen.", ["Fragen aller Art.", "Beispiele folgen."]),
        ("Voir MM. Durand et la Cie. Martin.", ["Voir MM. Durand et la Cie. Martin."]),
        ("Máx. 5 días, según el Dpto. Personal.", ["Máx. 5 días, según el Dpto. Personal."]),
        ("Os Srs. Costa e a Ltda. Norte.", ["Os Srs. Costa e a Ltda. Norte."]),
        ("It ends after 12. Then it stops.", ["It ends after 12.", "Then it stops."]),
        (
            "Pide la Sra. López según el apdo. 2 y el núm. 5. EE. UU. no.",
            ["Pide la Sra. López según el apdo. 2 y el núm. 5.", "EE. UU. no."],
        ),
        ("A Sra. Costa aprova. Fim.", ["A Sra. Costa aprova.", "Fim."]),
        ("Up to 4 weeks a year. [1] It is unpaid. [1]", ["Up to 4 weeks a year. [1]", "It is unpaid. [1]"]),
        ("Ask first. [Form 1](a.md) is used.", ["Ask first.", "[Form 1](a.md) is used."]),
        ('He said "No." Then left.', ['He said "No."', "Then left."]),
        ("Scope ........ 4", ["Scope ........ 4"]),
        ("第一条。第二条。", ["第一条。", "第二条。"]),
        ("(a) do this; and\n(b) do that.", ["(a) do this; and", "(b) do that."]),
        ("Bring:\n- a pass\n- a badge", ["Bring:", "- a pass", "- a badge"]),
        ("A | B\nx. Y | 1\nText.", ["A | B", "x. Y | 1", "Text."]),
        ("Term\tMeaning\nLeave\tTime off", ["Term\tMeaning", "Leave\tTime off"]),
        ("# Scope. All\nText here.", ["# Scope. All", "Text here."]),
        ("**1. Scope**\nText here.", ["**1. Scope**", "Text here."]),
        ("Scope\nThis policy applies to all.", ["Scope", "This policy applies to all."]),
        ("4.2\nThe employee pays.", ["4.2\nThe employee pays."]),
        ("first paragraph\n\nsecond paragraph", ["first paragraph", "second paragraph"]),
    ],
)
def test_sentences_of_legal_prose(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_wrapped_lines_are_read_on_also_before_a_decimal() -> None:
    text = (
        "Everyone who travels for the company books through the travel desk, which takes\n"
        "2.5 days as a rule, and keeps all receipts until the people in the Finance\n"
        "Department has confirmed that they arrived. Others do not."
    )
    assert len(sentences(text)) == 2
    assert sentences(text)[1] == "Others do not."


def test_only_the_range_is_looked_at() -> None:
    text = "One. Two. Three."
    assert sentence_spans(text, 5, 9) == [(5, 9)]
    assert sentence_spans(text, 4, 4) == []
    assert sentence_spans("   \n ", 0, 5) == []


@given(PROSE, st.integers(0, 20), st.integers(0, 20))
def test_sentences_hold_every_visible_character_once(text: str, skip: int, drop: int) -> None:
    start, end = min(skip, len(text)), max(min(skip, len(text)), len(text) - drop)
    for spans in (sentence_spans(text, start, end), paragraph_spans(text, start, end)):
        at = start
        for a, b in spans:
            assert at <= a < b <= end
            assert not text[at:a].strip()
            assert trimmed(text, a, b) == (a, b)
            at = b
        assert not text[at:end].strip()


@given(PROSE)
def test_a_sentence_never_crosses_a_paragraph(text: str) -> None:
    paragraphs = paragraph_spans(text, 0, len(text))
    for a, b in sentence_spans(text, 0, len(text)):
        assert any(start <= a and b <= end for start, end in paragraphs)


@pytest.mark.parametrize("unit", [".", ".)", "(a", "a\n", "1.", "- ", "**", "a. "])
def test_long_runs_end(unit: str) -> None:
    text = unit * 20_000
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())
