"""Questions near to what documents treat that they do not answer, made by rule.

A clause number that a document does not have; and something that is usual to ask on a matter (a form, a fee, an appeal,
a language) in a document that never speaks of it. Only sections with rules are such a matter: what stands in a
schedule, an appendix or a table is none. Both are likely, not proved, to have no answer: people review them.
"""

import random
import re
from collections.abc import Iterator, Mapping

from policy_rag_eval.questions.drafts import Draft, Style
from policy_rag_eval.questions.rules import Maker, Reading
from policy_rag_parsers.records import Section

_ENGLISH = (
    ("form", r"\bforms?\b|template|questionnaire|in writing", "Which form has to be filled in for {topic}?"),
    (
        "exception",
        r"exception|exempt|dispens|waive|deviat|unless",
        "Who can grant an exception to the rules on {topic}?",
    ),
    ("training", r"train|course|instruct|learn", "What training on {topic} is compulsory?"),
    (
        "language",
        r"languag|translat|English|German|French|Czech",
        "In which languages are the rules on {topic} published?",
    ),
    ("telephone", r"phone|\bext\.|\+\d|hotline", "Which telephone number is there for questions on {topic}?"),
    (
        "breaches",
        r"last year|statistic|\bfigures\b|per year",
        "How many breaches of the rules on {topic} were recorded last year?",
    ),
)
_GERMAN = (
    ("form", r"formular|vordruck|schriftlich", "Welches Formular ist beim Thema „{topic}“ auszufüllen?"),
    ("exception", r"ausnahm|befrei|genehmig", "Wer kann beim Thema „{topic}“ eine Ausnahme genehmigen?"),
    ("training", r"schulung|unterweis|kurs|lehrgang", "Welche Schulung ist beim Thema „{topic}“ vorgeschrieben?"),
    ("telephone", r"telefon|durchwahl|\+\d", "Unter welcher Telefonnummer gibt es Auskunft zum Thema „{topic}“?"),
    ("breaches", r"vorjahr|statistik", "Wie viele Verstöße gab es beim Thema „{topic}“ im letzten Jahr?"),
)
_USUAL: Mapping[str, tuple[tuple[str, str, str], ...]] = {"english": _ENGLISH, "german": _GERMAN}
_ANNEX = re.compile(r"(?:schedule|appendix|annex|exhibit|attachment|anlage|anhang)\b", re.IGNORECASE)
_WHOLE_NUMBER = re.compile(r"\A(?P<sign>§ ?)?(?P<number>\d{1,3})\Z")


def near_misses(reading: Reading, section: Section, seed: int) -> Iterator[Draft]:
    """The questions near to one section that its document does not answer, in an order that the seed fixes."""
    phrases = reading.phrases
    if phrases is None or section.level == 0:
        return
    maker = Maker(reading, section, phrases, seed)
    rng = random.Random(f"{seed} {reading.document.info.doc_id} {section.section_id} near")
    topic = maker.topic() if _has_rules(reading, section) else ""
    if topic and not re.match(r"(?:how|what|who|when|where|why)\b", topic, re.IGNORECASE):
        usual = list(_USUAL[reading.document.info.language])
        rng.shuffle(usual)
        context = phrases.under.format(document=reading.title)
        for name, words, template in usual:
            if not re.search(words, reading.document.text, re.IGNORECASE):
                asked = template.format(topic=topic)
                asked = f"{context}{asked[:1].lower()}{asked[1:]}"
                yield maker.draft(Style.UNANSWERABLE, asked, f"not_treated:{name}")
    missing = _missing_number(reading, section, rng)
    if missing:
        named = missing if missing.startswith("§") else f"{phrases.unit} {missing}"
        asked = phrases.clause.format(number=named, document=reading.title)
        yield maker.draft(Style.UNANSWERABLE, asked, "no_such_number")


def _has_rules(reading: Reading, section: Section) -> bool:
    """Whether rules stand in a section: it is not annexed, nor under what is, and not for the most part a table."""
    by_id, one = reading.document.by_id, section
    while True:
        if _ANNEX.match(one.number or one.title):
            return False
        if one.parent is None or one.parent not in by_id:
            break
        one = by_id[one.parent]
    in_tables = sum(max(0, min(table.end, section.end) - max(table.start, section.body)) for table in reading.tables)
    return 2 * in_tables <= section.end - section.body


def _missing_number(reading: Reading, section: Section, rng: random.Random) -> str:
    """A number beyond the document's last one, for its last section that has a whole number; else ""."""
    numbered = [s for s in reading.document.sections if s.number and _WHOLE_NUMBER.match(s.number)]
    if not numbered or numbered[-1].section_id != section.section_id:
        return ""
    last = _WHOLE_NUMBER.match(numbered[-1].number or "")
    highest = max(int(found["number"]) for s in numbered if (found := _WHOLE_NUMBER.match(s.number or "")))
    sign = (last["sign"] or "") if last else ""
    return f"{sign}{highest + rng.randint(2, 5)}"
