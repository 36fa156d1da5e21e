"""Questions that a section answers, by rule: from its title, its definitions and its obligations.

"Retention period" gives "What is the retention period?", '"Approver" means ...' gives 'What does "approver" mean?',
"Employees must report losses within two hours" gives "When must employees report losses?". A rule that might give a
question nobody would ask in these words gives none. German sections give questions from titles and definitions only.
"""

import re
from collections.abc import Iterator, Sequence

from policy_rag_parsers.metadata.corpus_terms import CorpusTerms
from policy_rag_parsers.metadata.entities import is_role
from policy_rag_parsers.metadata.obligations import Duty
from policy_rag_parsers.metadata.records import Force
from policy_rag_parsers.metadata.sanitise import one_line
from policy_rag_parsers.metadata.section_texts import SectionText
from policy_rag_parsers.records import FileFormat, Section, SourceText
from policy_rag_parsers.references.defined_terms import find_definitions
from policy_rag_parsers.text.temporal import DEADLINE
from policy_rag_parsers.text.tokenizer import stop_words

MOST_QUESTIONS = 5


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_LONGEST = 180
_MOST_TITLE_WORDS = 8
_MOST_WORDS = 16
# A word is a name where it is written with a capital so many times as often as without.
_MOSTLY = 5
_DEFINES = re.compile(
    r"means?\b|meaning|defined|refers? to|\bis\b|\bare\b|includes?\b|\(.{0,20}[\"“„]|bedeutet|bezeichnet|meint|"
    r"definition|interpretation|glossar|begriff",
    re.IGNORECASE,
)
# Nouns that ask for "the" and a singular or, with s, a plural: most others may be uncountable ("leave", "rail").
_COUNTABLE = _listed(
    "period deadline limit procedure process purpose scope objective aim requirement threshold rate fee price "
    "amount allowance duty role responsibility penalty ban exception rule principle condition obligation right "
    "step criterion level class cap budget channel target term date"
)
_OF = _listed("purpose scope objective aim")
# Endings of nouns that need no article, and words that need none: plurals, acts, qualities.
_NO_ARTICLE = re.compile(r"(?:[^siu]s|ing|tion|sion|ment|ity|ance|ence|ship|ness|ism|acy|ure|ery|hood)\Z")
_COUNTED = _listed(
    "agreement appointment assessment department document element instrument investment statement position section "
    "institution option question station corporation declaration notification building finding hearing meeting "
    "ruling setting warning entity facility authority activity liability party identity licence sentence measure "
    "procedure structure signature delivery inquiry"
)
_MASS = _listed(
    "leave travel work pay software access use data information equipment rail air family health safety time "
    "hospitality support storage abuse fraud overtime sickness advice behaviour conduct research respect trade"
)
_SAYS_NOTHING = re.compile(
    r"(?:introduction|general|miscellaneous|other|others|overview|background|contents|definitions?|interpretation|"
    r"glossary|defined terms|contacts?|owner|annex|appendix|notes?|guidance|examples?|preamble|history|"
    r"final provisions?|general provisions?|general requirements?|further information|reserved|deleted|application|"
    r"begriffe|definitionen|allgemeines|schlussbestimmungen|sonstiges|inhalt|anhang|präambel)\Z",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|must|shall|may|can|cannot|should|will|do|does|has|have|applies|apply|not|they|them|"
    r"themselves|itself|you|we|it|us|their)\b",
    re.IGNORECASE,
)
_NO_NOUN_FIRST = _listed(
    "what how when who why where which if whether during before after until unless with without on in at by to "
    "for from under of about as and or but only also never always please report keep use ask tell check "
    "protect book apply make take give get do don't avoid ensure follow know think stop start read write let "
    "see"
)
_DOCUMENT = re.compile(
    r"\b(?:polic(?:y|ies)|rules?|rulebook|regulations?|code|standard|guidelines?|procedures?|handbook|manual|"
    r"agreement|charter|directive|schedule)\b",
    re.IGNORECASE,
)
# Where a predicate may be cut and stay whole, and where it may not.
_ENDS_CLAUSE = re.compile(
    r",?\s(?:if|unless|when|where|whenever|provided|so\sthat|because|since|while|except|until|whose|and\smust|and\sshall|"
    r"and\smay)\b"
)
_BROKEN = re.compile(r"[,;:](?=\s|\Z)|[(–—]|\bthat\b|\bas\sfollows\b")
_NO_VERB_FIRST = _listed(
    "in if at for on by under where when to with within without from as of not also either both only subject "
    "upon during before after then be include"
)
_DANGLES = re.compile(
    r"\b(?:the|an?|and|or|of|in|on|at|to|for|by|with|from|as|than|that|any|each|its|their|such|either|both|be|been|"
    r"only|not|following|under|per|between|into|within|no)\Z",
    re.IGNORECASE,
)
_ASKABLE = re.compile(r"(?:must|shall|may)\b|(?:is|are)\s(?:required|obliged)", re.IGNORECASE)
_SUBJECT = re.compile(r"[A-Za-z][\w’'&/-]*(?:\s[\w’'&/-]+){0,6}")
_UNNAMED = re.compile(r"(?:no|nobody|nothing|none|neither|it|they|this|these|that|those|he|she|you|we|there|whoever|"
                      r"anyone|everyone|and|or|also)\b", re.IGNORECASE)  # fmt: skip


def section_questions(
    section: SectionText, duties: Sequence[Duty], corpus: CorpusTerms, *, document_title: str, language: str
) -> tuple[str, ...]:
    """The questions of one section: by its title, then its definitions, then its obligations. At most five."""
    if language not in {"english", "german"}:
        return ()
    found: dict[str, None] = {}
    for question in _questions(section, duties, corpus, document_title, language):
        if len(question) <= _LONGEST:
            found[question] = None
        if len(found) == MOST_QUESTIONS:
            break
    return tuple(found)


def _questions(
    section: SectionText, duties: Sequence[Duty], corpus: CorpusTerms, document_title: str, language: str
) -> Iterator[str]:
    title = one_line(section.title)
    if language == "german":
        if title and not _SAYS_NOTHING.match(title) and len(title.split()) <= _MOST_TITLE_WORDS:
            yield f"Was ist zu „{title}“ geregelt?"
        yield from (f"Was bedeutet „{term}“?" for term in _terms(section))
        return
    own = title.casefold() != one_line(document_title).casefold()
    asked = _of_title(title, corpus, document_title) if own else None
    if asked:
        yield asked
    yield from (f'What does "{term}" mean?' for term in _terms(section))
    for duty in duties:
        question = _of_duty(duty, corpus)
        if question:
            yield question


def _of_title(title: str, corpus: CorpusTerms, document_title: str) -> str | None:
    """The question for a title that is a noun phrase, or is a question itself; else None."""
    if title.endswith("?"):
        return title if len(title.split()) > 2 else None
    plain = re.sub(r"\s*\([^)]*\)", "", title)
    plain = re.split(r"\s[–—-]\s|[:;]|\.\s", plain)[0].strip(' .,*"“”')
    words = plain.split()
    if not _is_noun_phrase(plain, words):
        return None
    if words[0].lower() in {"the", "our", "your"}:
        words = words[1:]
    text = " ".join(small(word, corpus, shout=plain.isupper()) for word in words)
    heads = [_head(part) for part in re.split(r",\s|\s(?:and|&)\s", text)]
    if all(_singular(head) in _COUNTABLE for head in heads):
        plural = len(heads) > 1 or heads[0] not in _COUNTABLE
        join = "of" if all(_singular(head) in _OF for head in heads) else "in"
        where = _of_document(join, document_title) if text == heads[0] or len(heads) > 1 else ""
        if text == heads[0] and not where:
            return None  # "What are the fees?" could be asked of anything
        return f"What {'are' if plural else 'is'} the {text}{where}?"
    if heads[-1] in _MASS or (_NO_ARTICLE.search(heads[-1]) and heads[-1] not in _COUNTED):
        return f"What are the rules on {text}?"
    return f'What are the rules under "{text[:1].upper()}{text[1:]}"?' if text else None


def _is_noun_phrase(plain: str, words: Sequence[str]) -> bool:
    """Whether a title may stand behind "the" or "the rules on": short, without verb, pronoun, number."""
    if not 1 <= len(words) <= _MOST_TITLE_WORDS or _SAYS_NOTHING.match(plain) or _VERB.search(plain):
        return False
    if words[0].lower() in _NO_NOUN_FIRST or not all(word[0].isalnum() or word == "&" for word in words):
        return False
    return not any(char.isdigit() for char in plain) and not (len(words) == 1 and plain.endswith("ly"))


def small(word: str, corpus: CorpusTerms, *, shout: bool = False) -> str:
    """A word of a title as it is written inside a sentence: names and abbreviations keep their capitals.

    Args:
        word: as in the title.
        corpus: knows how words are written.
        shout: whether the whole title is in capitals, so that those of the word say nothing.
    """
    lower = word.lower()
    if lower in stop_words("english"):
        return lower
    if word.isupper() and len(word) > 1:
        return (
            word if not shout or corpus.forms[word] > corpus.forms[lower] + corpus.forms[word.capitalize()] else lower
        )
    if word[1:] != lower[1:]:
        return word
    seen = corpus.forms[lower]
    return word if corpus.forms[word] > (_MOSTLY * seen if seen else 0) else lower


def _head(phrase: str) -> str:
    """The last noun before "of", "for", "in": the head of a noun phrase."""
    words = re.split(r"\s(?:of|for|in|on|to|with|by|from|at|under)\s", phrase)[0].split()
    return words[-1].lower() if words else ""


def _singular(noun: str) -> str:
    if noun in _COUNTABLE:
        return noun
    for plural, single in (("ies", "y"), ("eria", "erion"), ("sses", "ss"), ("es", "e"), ("s", "")):
        if noun.endswith(plural):
            return noun[: -len(plural)] + single
    return noun


def _of_document(join: str, title: str) -> str:
    """For the end of a question: of, or in, the document by its name where that reads well, else ""."""
    name = one_line(title)
    if not _DOCUMENT.search(name) or len(name.split()) > _MOST_TITLE_WORDS or name.lower().startswith("the "):
        return ""
    return f" {join} the {_titled(name) if name.isupper() else name}"


def _titled(shouted: str) -> str:
    """A title in capitals as a name: "EXPENSES AND TRAVEL POLICY" becomes "Expenses and Travel Policy"."""
    words = [word.lower() for word in shouted.split()]
    return " ".join(word if word in stop_words("english") else word.capitalize() for word in words)


def _terms(section: SectionText) -> Iterator[str]:
    if not _DEFINES.search(section.text):
        return
    whole = Section(
        section_id=section.section_id, number=None, title=" ".join((*section.path[1:], section.title)), level=1,
        path=section.path, parent=None, previous=None, next=None,
        start=0, end=len(section.text), body=section.body, subtree_end=len(section.text),
    )  # fmt: skip
    seen: set[str] = set()
    for definition in find_definitions(SourceText(section.text, FileFormat.TEXT), [whole]):
        term = one_line(definition.term).replace('"', "").strip()
        if definition.start >= section.body and term.casefold() not in seen and len(term.split()) <= _MOST_TITLE_WORDS:
            seen.add(term.casefold())
            yield term


def _of_duty(duty: Duty, corpus: CorpusTerms) -> str | None:
    """The question "Who must ...?", "When must ...?" or "May ...?" for an obligation that is short and whole."""
    subject = duty.subject
    if duty.leads or duty.item or not _SUBJECT.fullmatch(subject) or _UNNAMED.match(subject) or _VERB.search(subject):
        return None
    if not _ASKABLE.match(duty.modal):
        return None
    deadline = DEADLINE.search(duty.predicate)
    predicate = duty.predicate[: deadline.start()] if deadline else duty.predicate
    cut = _ENDS_CLAUSE.search(predicate)
    predicate = (predicate[: cut.start()] if cut else predicate).strip(" .")
    if not _is_whole_predicate(predicate, passive=duty.passive):
        return None
    first, _, rest = subject.partition(" ")
    if rest[:1].islower() or not rest or first.lower() in stop_words("english"):
        subject = f"{small(first, corpus)} {rest}".strip()
    if duty.obligation.force is Force.MUST_NOT:
        return f"May {subject} {predicate}?"
    if deadline and not cut:
        return f"When must {subject} {predicate}?"
    return f"Who must {predicate}?" if is_role(subject) and not duty.passive else f"Must {subject} {predicate}?"


def _is_whole_predicate(predicate: str, *, passive: bool) -> bool:
    """Whether a predicate, cut at a clause, begins with a verb and lacks nothing at its end."""
    words = predicate.split()
    if not 2 <= len(words) <= _MOST_WORDS or _DANGLES.search(predicate) or _BROKEN.search(predicate):
        return False
    return words[0].islower() and (passive or words[0] not in _NO_VERB_FIRST)
