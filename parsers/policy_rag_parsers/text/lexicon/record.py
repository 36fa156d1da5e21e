"""What is known of a language's words. One such record a language; the code that uses them is the same for all."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from policy_rag_parsers.text.lexicon.answer_words import AnswerWords
from policy_rag_parsers.text.lexicon.day_words import DayWords
from policy_rag_parsers.text.lexicon.frequency_words import FrequencyWords
from policy_rag_parsers.text.lexicon.line_words import LineWords
from policy_rag_parsers.text.lexicon.naming_words import NamingWords
from policy_rag_parsers.text.lexicon.question_words import QuestionWords
from policy_rag_parsers.text.lexicon.reference_words import ReferenceWords
from policy_rag_parsers.text.lexicon.reply_words import ReplyWords
from policy_rag_parsers.text.lexicon.time_words import TimeWords
from policy_rag_parsers.text.lexicon.title_block_words import TitleBlockWords
from policy_rag_parsers.text.lexicon.wanting_words import WantingWords


class Modality(StrEnum):
    """What a sentence does to those whom it binds."""

    OBLIGATION = "obligation"
    PERMISSION = "permission"
    ADVICE = "advice"
    PROHIBITION = "prohibition"
    EXEMPTION = "exemption"


def listed(words: str) -> frozenset[str]:
    """Words between blanks as a set.

    >>> sorted(listed("no not"))
    ['no', 'not']
    """
    return frozenset(words.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundWords:
    """Words that make a number a least or a most, as alternatives of a regular expression in lower case.

    Attributes:
        least: in front of any number: "at least".
        most: the same: "at most".
        from_date: in front of a date only: "from".
        until_date: the same: "by".
        negation: directly in front of one of these, which turns it round: "no" of "no more than".
        between: in front of a range.
        is_most: nouns and adjectives of a measure of which a number is told, "the maximum stay is 5 days"; and
        is_least: the same: "minimum".
        tells: the verbs that tell it: "is".
        least_behind: behind a number: "or more".
        most_behind: the same: "or less".
        filler: what may stand between the words and the number: "a period of".
        rest: what tells of the other side without its number: "for longer trips".
    """

    least: str
    most: str
    from_date: str
    until_date: str
    negation: str
    between: str
    is_most: str
    is_least: str
    tells: str
    least_behind: str
    most_behind: str
    filler: str
    rest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentWords:
    """Words that name the parts of a document, and what its head says of it.

    Attributes:
        units: words for each kind of numbered unit, "chapter" or "article"; a slash stands between spellings of one.
        back_matter: words for what stands behind the text, such as an appendix; "_" is a blank in a name.
        forms: plurals and cases that are not the word with an s, each with a slash and the word.
        first: alternatives of a regular expression for a first or only unit: "TITRE PREMIER".
        ordinals: the words that follow it, for 0, 2, 3 and so on, spellings of one apart by "/": "TÍTULO PRELIMINAR".
            They stand before a unit too: "Zweiter Abschnitt".
        cardinals: words for 1, 2, 3 and so on behind a unit: "PART ONE".
        codes: letters before the figures of an article: "L" of "Article L. 121-1".
        preamble: titles of what stands before the first unit.
        contents: titles of a table of contents.
        title_block: how its head states its version and validity.
        lines: by what words the rest of it is read.
    """

    units: Mapping[str, str]
    back_matter: str
    forms: str = ""
    first: str = ""
    ordinals: tuple[str, ...] = ()
    cardinals: tuple[str, ...] = ()
    codes: str = ""
    preamble: frozenset[str]
    contents: frozenset[str]
    reference_words: ReferenceWords
    title_block: TitleBlockWords
    lines: LineWords = field(default_factory=LineWords)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """The words of a language.

    Fields of type `str` are alternatives of a regular expression, to be matched as whole words in lower case; sets hold
    words in lower case. Months, names of units and numbers in words come from babel and text2num by `code`; what stands
    here is what those lack.

    Attributes:
        language: as the tokenizer names it.
        code: as babel and text2num name it.
        document: the parts of a document.
        times: how documents tell amounts, periods and deadlines.
        month_names: further names of months, each to its number.
        homonyms: names of months that are other words in lower case: "may".
        numbers: further numbers in words.
        halves: "half", before a unit, or behind a number: "half a day", "one and a half".
        no_numbers: words that are no number where no unit stands behind them: "one", "cent".
        articles: those that are a one in front of a unit: "a day".
        before_one: behind these an article in front of a unit is a one: "within a day".
        determiners: in front of an ordinal.
        before_figure: what may stand between the begin of a phrase and its figure.
        doubtful_ordinals: those that are ordinals only behind a determiner: "second".
        no_rank: behind these an ordinal ranks nothing: "third party".
        before_day: in front of a day and month in digits, "am 4.2.".
        units: further names of units.
        unit_kinds: words in front of a unit that make it another one, "working", or, with `kinds_behind`, behind it.
        hundredths: names of the hundredth of a currency, each to the unit of what they make.
        scales: words that multiply the number in front of them.
        modals: by kind, in the order to try them: what one has matched the next ones do not see.
        modal_words: the words of which modal expressions are made.
        modal_verbs: the verbs among them, with forms of "to be".
        negators: words that negate what follows.
        negation_suffix: what negates as the end of a word: "n't".
        comparisons: behind a negation these compare: "not later than".
        bans: what negates a whole clause.
        denials: other words of refusal and absence.
        only: what restricts to one case.
        except_: what opens an exception.
        besides: what names one without a clause: "other than".
        without: what spares something.
        until: what ends.
        if_: what opens a condition.
        when: what opens a time or a case.
        relative: what else opens a clause that belongs to the one beside it.
        but: what contrasts two clauses in one sentence.
        however: further words of contrast.
        even_if: what takes in a case that others leave out.
        always: what says that a rule holds in every case: "never", "at all times".
        after: in front of what must come first.
        above: what lies over a number, in a clause.
        below: what lies under it.
        late: what tells of things that come too late.
        and_: what joins all.
        or_: what joins one of several.
        all_: what speaks of all.
        one: what speaks of one.
        yes: in front of an answer, or in a cell.
        no: the same.
        none: a cell that holds nothing.
        no_such: in front of what such a cell denies.
        per: in front of what a rate is per.
        in_full: what says that all is paid: "fully".
        frequency: how often something is done.
        to_: between the ends of a range.
        prepositions: at the head of a phrase that stands in front of a sentence.
        front: at the head of a sentence whose subject does not come first.
        object_first: the same where what comes first is what somebody does something with.
        verbs: the first verb of a sentence ends its subject.
        references: in front of the number of a clause, form or version.
        vague_nouns: words that tell nothing of what a sentence is about: measures, people, policies, "generally".
        measures: ends of compounds that tell nothing: "-frist".
        synonyms: nouns of one meaning.
        roles: officers and bodies; synonyms beside each other.
        agent: in front of who does something, "by".
        decides: what only some may do, "approve".
        aims: what tells of a target or of the usual case, which no limit contradicts: "aims to".
        of_any_kind: what says that a noun is meant in every case of it: "of any kind", "including" one of them.
        titles: in front of a name; empty where capitals tell names.
        name_joints: between the words of a name.
        openers: words with a capital that begin a sentence and are no names.
        asks_yes_or_no: the first word of a question whether something may or must be.
        verdicts: what is said to such a question, by what the text does.
        answers: what answers say of themselves.
        question: how questions are put.
        days: how they name the day whose rules they ask for.
        asks_time: what asks for a time: "how long", "until when".
        asks_amount: what asks how many there are, or how much money it is: "how many people", "what does it cost".
        lasting: what is measured by its length of time, however it is asked for: "leave", "breaks".
        asks_number: what asks for another number: "how many".
        asks_meaning: what asks what a word means, up to that word: "what is".
        defines: what stands between a word and what it means: "means".
        timing: what tells a time without a number: "annually", "until"; not "up to" an amount.
        courtesies: greetings, thanks and farewells, and the words that go with them.
        everyday: verbs and nouns of asking that tell nothing of a matter: "bring", "somebody".
        common: verbs and adjectives that name no matter: that no policy has them says nothing.
        asking: words that ask, whatever the matter: "how", "many", "please".
        telling_when: what places a matter in time and is none: "ago", "today".
        naming: how a question names a document.
        wanting: what a question wants, and the politeness around it.
        reply: how an LLM puts its reply.
        excludes: what says of whom or what a rule does not hold: "not entitled".
        takes_away: what else takes something from a rule: "capped", "of these".
        leans: at the head of a sentence that cannot stand without the one before it: "it", "such".
        leans_within: the beginning of such a sentence as far as the word for what was told: "don't lend it", or "also"
            behind a condition.
        resumes: what else may there go on with it: "any".
        remainder: at the head of a sentence on what the one before it leaves: "anything else", "above that".
        exceeding: the same behind a sentence with a figure only: "larger gifts", "if it costs more".
        elliptic: the end of a sentence whose verb stands before: "may not", at its full stop.
        steps: what leads into steps that are taken one after the other: "these steps".
        of_all: what leads into a list of which no item can be left out: "one of the following".
        verb_prefixes: those that leave their verb: "ein" of "einreichen"; and
        forms: words of one meaning whose stems differ, what is nearest to the verb first: "lose", "lost", "loss".
        endings: those that words of one root have in place of each other, where their stems may differ: "ant", "ancy".
        capital_nouns: whether nouns alone are written with a capital.
        compound_links: what joins words that are written as one; where there is none, none are.
    """

    language: str
    code: str
    document: DocumentWords
    times: TimeWords
    month_names: Mapping[str, int] = field(default_factory=dict)
    homonyms: frozenset[str] = frozenset()
    numbers: Mapping[str, float] = field(default_factory=dict)
    halves: frozenset[str]
    no_numbers: frozenset[str]
    articles: frozenset[str]
    before_one: frozenset[str]
    determiners: frozenset[str]
    before_figure: frozenset[str]
    doubtful_ordinals: str
    no_rank: frozenset[str] = frozenset()
    before_day: frozenset[str] = frozenset()
    units: Mapping[str, str]
    unit_kinds: Mapping[str, str] = field(default_factory=dict)
    kinds_behind: Mapping[str, str] = field(default_factory=dict)
    hundredths: Mapping[str, str]
    scales: Mapping[str, float]
    bounds: BoundWords
    modals: Mapping[Modality, str]
    modal_words: frozenset[str]
    modal_verbs: str
    negators: frozenset[str]
    negation_suffix: str = ""
    comparisons: frozenset[str]
    bans: str
    denials: str
    only: str
    except_: str
    besides: str = ""
    without: str
    until: str
    if_: str
    when: str
    relative: str
    but: str
    however: str
    even_if: str
    always: str
    after: str
    above: str
    below: str
    late: str
    and_: frozenset[str]
    or_: frozenset[str]
    all_: frozenset[str]
    one: frozenset[str]
    yes: str
    no: str
    none: str
    no_such: str
    per: str
    in_full: str
    frequency: FrequencyWords
    to_: str
    prepositions: str
    front: str
    object_first: str = ""
    verbs: str
    references: str
    vague_nouns: frozenset[str]
    measures: tuple[str, ...] = ()
    synonyms: tuple[frozenset[str], ...] = ()
    roles: tuple[frozenset[str], ...] = ()
    agent: str = ""
    decides: str = ""
    aims: str = ""
    of_any_kind: str = ""
    titles: str = ""
    name_joints: str = ""
    openers: frozenset[str] = frozenset()
    asks_yes_or_no: str
    verdicts: Mapping[Modality, str]
    answers: AnswerWords
    question: QuestionWords
    days: DayWords
    asks_time: str
    asks_amount: str
    lasting: str
    asks_number: str
    asks_meaning: str
    defines: str
    timing: str
    courtesies: str = ""
    everyday: frozenset[str] = frozenset()
    common: frozenset[str] = frozenset()
    asking: frozenset[str] = frozenset()
    telling_when: frozenset[str] = frozenset()
    naming: NamingWords
    wanting: WantingWords
    reply: ReplyWords
    excludes: str
    takes_away: str
    leans: str
    leans_within: str
    resumes: str
    remainder: str
    exceeding: str
    elliptic: str
    steps: str
    of_all: str
    verb_prefixes: tuple[str, ...] = ()
    forms: tuple[tuple[str, ...], ...] = ()
    endings: tuple[tuple[str, ...], ...] = ()
    capital_nouns: bool = False
    compound_links: tuple[str, ...] = ()
