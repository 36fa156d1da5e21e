"""What a conversation is about: it moves on with each follow-up that names something of its own."""

import re
from dataclasses import dataclass
from itertools import pairwise, takewhile

from policy_rag.index.search.terms import detect_language, terms
from policy_rag.retrieval.transforms.conversation_rules import ASKING, OPENING, own_words
from policy_rag.retrieval.transforms.value_substitution import without_replaced
from policy_rag_parsers.text.lexicon import LEXICONS, any_word, lexicon
from policy_rag_parsers.text.sentences import blanked

_WORD = re.compile(r"\w+(?:[.'’-]\w+)*")
_ARTICLES = frozenset[str]().union(*(one.question.articles for one in LEXICONS.values()))
_MOST_CHARS = 2000  # far more than the words of it that are ever used


@dataclass(frozen=True, slots=True)
class Topic:
    """The question that later ones lean on, and the last follow-up that named something of its own.

    Attributes:
        base: on what `narrowed` leans.
        narrowed: as asked; empty where none was.
    """

    base: str = ""
    narrowed: str = ""

    def under(self, question: str) -> str:
        """What a follow-up leans on: the last one's words, then those before it. What it says anew is left out.

        >>> Topic("How many days of annual leave do I get?", "And sick pay?").under("How long?")
        'And sick pay? How many days of annual leave do I get?'
        """
        return without_replaced_modifiers(question, self._before(question))

    def after(self, question: str, *, follows: bool) -> "Topic":
        """The topic once a question was asked; one that names nothing of its own leaves it as it is."""
        if not follows:
            return Topic(question)
        return Topic(self._before(question), question) if own_words(question) else self

    def _before(self, question: str) -> str:
        """Of two follow-ups of one form, "And contractors?" and "And interns?", the later takes the other's place."""
        form = _form(question)
        if not self.narrowed or (form is not None and form == _form(self.narrowed)):
            return self.base
        rest = without_replaced_modifiers(self.narrowed, without_replaced(self.narrowed, self.base))
        return f"{self.narrowed} {rest}"[:_MOST_CHARS]


def without_replaced_modifiers(question: str, topic: str) -> str:
    """A topic without the words beside a noun for which a follow-up puts its own beside the same noun.

    >>> without_replaced_modifiers("And parental leave?", "Who approves annual leave?")
    'Who approves        leave?'
    >>> without_replaced_modifiers("And parental leave?", "Who approves leave?")
    'Who approves leave?'
    >>> without_replaced_modifiers("Et les congés parentaux ?", "Qui approuve les congés annuels ?")
    'Qui approuve les congés         ?'
    """
    language = detect_language(f"{question} {topic}")
    new, old = _modified(question, language), _modified(topic, language)
    replaced = [one for one in old if any(one.noun == other.noun and one.modifier != other.modifier for other in new)]
    return blanked(topic, [(one.start, one.end) for one in replaced])


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int
    stems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Modified:
    """A noun with the word that tells which one it is, both as stems, and where that word stands."""

    modifier: tuple[str, ...]
    noun: tuple[str, ...]
    start: int
    end: int


def _words(text: str, language: str) -> list[_Word]:
    """Its words, those that tell something with their stems, the others without."""
    found = []
    for match in _WORD.finditer(text):
        stems = tuple(terms(match[0], language))
        found.append(_Word(match[0].lower(), *match.span(), () if ASKING.issuperset(stems) else stems))
    return found


def _modified(text: str, language: str) -> list[_Modified]:
    """The nouns of a text that have a word of their own before them, or behind them where a language puts it there.

    Without a parse a verb looks like such a word: behind a subject ("who approves leave") the first telling word is
    taken for one, and so is the second behind an auxiliary where no other is left ("may employees take leave").
    """
    known = lexicon(language)
    auxiliary = any_word(known.asks_yes_or_no)
    found: list[_Modified] = []
    run: list[_Word] = []
    lead = ""
    for word in [*_words(text, language), _Word("", len(text), len(text), ())]:
        if run and not (word.stems and text[run[-1].end : word.start].isspace()):
            last = len(run) - 1
            for i, (one, noun) in enumerate(pairwise(run)):
                asked = auxiliary.fullmatch(lead) is not None and i + 1 == last
                if i >= (2 if asked else lead in known.question.persons):
                    which, what = (noun, one) if known.question.noun_first else (one, noun)
                    found.append(_Modified(which.stems, what.stems, which.start, which.end))
            run, lead = [], ""
        if word.stems:
            run.append(word)
        elif word.text not in _ARTICLES:
            lead = word.text
    return found


def _form(question: str) -> tuple[str, ...] | None:
    """What stands between the opening of a follow-up and its first telling word; None without an opening.

    >>> _form("And for contractors?"), _form("What about interns?"), _form("Who books it?")
    (('for',), (), None)
    """
    opening = OPENING.match(question)
    if opening is None:
        return None
    said = _words(question[opening.end() :], detect_language(question))
    before = takewhile(lambda word: not word.stems, said)
    return tuple(word.text for word in before if word.text not in _ARTICLES)
