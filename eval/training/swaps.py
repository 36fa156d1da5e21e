"""Small changes that make a question unanswerable from its passage, or a passage silent on its question.

The kinds are those that Rajpurkar et al. (SQuAD 2.0, ACL 2018, table 2) count in adversarial questions, and those that
policies turn on: another entity, an antonym, a negation, another number, modality or role, an exception. A
change in the question alone can be seen in the question alone; so each is made in the passage as often where it can be.
"""

import random
import re
from collections.abc import Callable, Sequence

from policy_rag_parsers.text.sentences import sentence_spans

_ANTONYMS = (
    ("before", "after"), ("first", "last"), ("minimum", "maximum"), ("more", "less"), ("most", "least"),
    ("highest", "lowest"), ("largest", "smallest"), ("increase", "decrease"), ("increased", "decreased"),
    ("begin", "end"), ("began", "ended"), ("start", "finish"), ("started", "finished"), ("allowed", "forbidden"),
    ("permitted", "prohibited"), ("required", "optional"), ("internal", "external"), ("paid", "unpaid"),
    ("public", "private"), ("approved", "rejected"), ("accept", "refuse"), ("accepted", "refused"),
    ("include", "exclude"), ("included", "excluded"), ("full-time", "part-time"), ("temporary", "permanent"),
    ("best", "worst"), ("early", "late"), ("earliest", "latest"), ("north", "south"), ("northern", "southern"),
    ("east", "west"), ("eastern", "western"), ("male", "female"), ("men", "women"), ("husband", "wife"),
    ("father", "mother"), ("son", "daughter"), ("win", "lose"), ("won", "lost"), ("open", "closed"),
    ("like", "dislike"), ("good", "bad"),
    ("old", "new"), ("older", "younger"), ("higher", "lower"), ("bigger", "smaller"),
    ("buy", "sell"), ("bought", "sold"), ("enter", "leave"), ("domestic", "foreign"), ("annual", "monthly"),
    ("daily", "weekly"), ("above", "below"), ("inside", "outside"), ("easy", "difficult"), ("major", "minor"),
    ("advantage", "disadvantage"), ("benefits", "drawbacks"), ("strong", "weak"), ("common", "rare"),
    ("disclose", "withhold"), ("collect", "delete"), ("collected", "deleted"), ("sender", "recipient"),
    ("employer", "employee"), ("buyer", "seller"), ("lessor", "lessee"), ("borrower", "lender"),
    ("create", "destroy"), ("created", "destroyed"), ("supported", "opposed"), ("arrive", "depart"),
    ("success", "failure"), ("positive", "negative"), ("hot", "cold"), ("summer", "winter"), ("day", "night"),
)  # fmt: skip
_OPPOSITE = {one: other for pair in _ANTONYMS for one, other in (pair, pair[::-1])}
_ROLES = (
    "employee", "contractor", "intern", "manager", "supervisor", "director", "officer", "auditor", "customer",
    "client", "supplier", "vendor", "visitor", "volunteer", "consultant", "trainee", "administrator", "user", "member",
    "regulator", "trustee", "agent", "board", "committee", "author", "president", "teacher", "student", "doctor",
    "patient",
)  # fmt: skip
_EXCEPTIONS = (
    "during probation", "for part-time staff", "in an emergency", "without approval", "for contractors",
    "on public holidays", "outside the country", "after leaving", "for minors", "in the first year",
    "for family members", "when working from home", "for former members", "in writing", "at weekends", "by telephone",
)  # fmt: skip
_MODALS = {"must": "may", "shall": "may", "may": "must", "should": "must", "can": "must", "required to": "advised to"}
_NEGATED = (
    (r"\b(does|do|did|is|are|was|were|can|could|will|would|should|must|may|has|have|had) not\b", r"\1"),
    (r"\b(ca|do|does|did|is|are|was|were|could|would|should|has|have|had)n['’]t\b", r"\1"),
    (r"\b(must|may|shall|should|can|could|will|would)\b(?! not)", r"\1 not"),
    (r"\b(is|are|was|were)\b(?! not|n['’]t)(?= \w+)", r"\1 not"),
)
_NAME = re.compile(r"(?<=[a-z,;] )(?:[A-Z][\w’'.&-]*[\w’'])(?: (?:of |the |and )?[A-Z][\w’'.&-]*[\w’'])*")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[,.]\d+)*(?![\w])")
_NUMBER_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "twenty")

Swap = Callable[[str, random.Random, Sequence[str]], str | None]


def names_in(text: str) -> list[str]:
    """Runs of capitalised words inside sentences, in order, each once.

    >>> names_in("He met Ann Lee in the House of Lords. Later Ann Lee left.")
    ['Ann Lee', 'House of Lords']
    """
    return list(dict.fromkeys(found[0] for found in _NAME.finditer(text)))


def other_entity(text: str, rng: random.Random, names: Sequence[str]) -> str | None:
    """One name replaced by another of about as many words."""
    own = names_in(text)
    if not own:
        return None
    old = rng.choice(own)
    fitting = [name for name in names if name not in text and abs(len(name.split()) - len(old.split())) <= 1]
    return text.replace(old, rng.choice(fitting)) if fitting else None


def antonym(text: str, rng: random.Random, _: Sequence[str] = ()) -> str | None:
    """One word replaced by its opposite."""
    found = [word for word in re.findall(r"[\w-]+", text) if word.lower() in _OPPOSITE]
    if not found:
        return None
    old = rng.choice(found)
    new = _OPPOSITE[old.lower()]
    return re.sub(rf"\b{re.escape(old)}\b", new.capitalize() if old[0].isupper() else new, text, count=1)


def negation(text: str, rng: random.Random, _: Sequence[str] = ()) -> str | None:
    """A "not" put in or left out."""
    order = list(_NEGATED)
    if rng.random() < 0.5:
        order = [*order[:2], order[3], order[2]]
    for pattern, new in order:
        changed = re.sub(pattern, new, text, count=1)
        if changed != text:
            return changed
    return None


def other_number(text: str, rng: random.Random, _: Sequence[str] = ()) -> str | None:
    """One number replaced by another of its size; years move by a few."""
    found = list(_NUMBER.finditer(text))
    if not found:
        for word in rng.sample(_NUMBER_WORDS, len(_NUMBER_WORDS)):
            if re.search(rf"\b{word}\b", text):
                return re.sub(rf"\b{word}\b", rng.choice([w for w in _NUMBER_WORDS if w != word]), text, count=1)
        return None
    one = rng.choice(found)
    digits = one[0].replace(",", "")
    if "." in digits:
        return (
            text[: one.start()] + f"{float(digits.replace('.', '', digits.count('.') - 1)) * 2:g}" + text[one.end() :]
        )
    value = int(digits)
    new = (
        value + rng.choice((-7, -3, 3, 4, 6, 9)) if value > 20 else rng.choice([n for n in range(1, 31) if n != value])
    )
    return text[: one.start()] + str(abs(new) or 1) + text[one.end() :]


def modality(text: str, rng: random.Random, _: Sequence[str] = ()) -> str | None:
    """A duty for a leave, or the reverse."""
    found = [modal for modal in _MODALS if re.search(rf"\b{modal}\b", text)]
    if not found:
        return None
    old = rng.choice(found)
    return re.sub(rf"\b{old}\b", _MODALS[old], text, count=1)


def other_role(text: str, rng: random.Random, _: Sequence[str] = ()) -> str | None:
    """One role replaced by another."""
    found = re.findall(rf"\b({'|'.join(_ROLES)})(s?)\b", text, re.IGNORECASE)
    if not found:
        return None
    old, plural = rng.choice(found)
    new = rng.choice([role for role in _ROLES if role not in text.lower()])
    new = new.capitalize() if old[0].isupper() else new
    return re.sub(rf"\b{old}{plural}\b", new + plural, text)


def exception(text: str, rng: random.Random, _: Sequence[str] = ()) -> str | None:
    """A question narrowed to a case that nobody wrote of."""
    if not text.rstrip().endswith("?"):
        return None
    return f"{text.rstrip().removesuffix('?').rstrip()} {rng.choice(_EXCEPTIONS)}?"


IN_QUESTION: dict[str, tuple[Swap, float]] = {
    "entity": (other_entity, 0.36),
    "antonym": (antonym, 0.2),
    "negation": (negation, 0.12),
    "number": (other_number, 0.12),
    "role": (other_role, 0.1),
    "exception": (exception, 0.08),
    "modality": (modality, 0.02),
}


def swapped_question(question: str, rng: random.Random, names: Sequence[str], passage: str) -> str | None:
    """The question with one thing changed to what its passage does not say; None where nothing can be."""
    kinds = list(IN_QUESTION)
    weights = [IN_QUESTION[kind][1] for kind in kinds]
    for _ in range(4):
        kind = rng.choices(kinds, weights)[0]
        changed = IN_QUESTION[kind][0](question, rng, names)
        new = set(changed.split()) - set(question.split()) if changed else set()
        if changed and new and (kind in {"negation", "modality"} or not all(word in passage for word in new)):
            return changed
    return None


def swapped_passage(
    question: str, passage: str, span: tuple[int, int], rng: random.Random, names: Sequence[str]
) -> str | None:
    """The passage with something that the question names called otherwise throughout; its answer left as it is."""
    answer = passage[slice(*span)]
    shared = [name for name in names_in(f"in {question}") if name in passage and name not in answer]
    others = [name for name in names if name not in passage and name not in question]
    if shared and others and rng.random() < 0.7:
        old = max(shared, key=len)
        changed = passage
        new = rng.choice(others)
        for part in {old, *(word for word in old.split() if len(word) > 3)}:
            changed = re.sub(rf"\b{re.escape(part)}\b", new, changed)
        return changed if answer in changed else None
    start, end = sentence_at(passage, span[0])
    sentence = passage[start:end]
    words = [w for w in re.findall(r"[\w-]+", question.lower()) if w in _OPPOSITE and re.search(rf"\b{w}\b", sentence)]
    words = [word for word in words if word not in answer.lower()]
    if words:
        old = rng.choice(words)
        return passage[:start] + re.sub(rf"\b{re.escape(old)}\b", _OPPOSITE[old], sentence) + passage[end:]
    roles = [role for role in _ROLES if re.search(rf"\b{role}", question.lower()) and re.search(rf"\b{role}", sentence)]
    if roles and not any(role in answer for role in roles):
        old = rng.choice(roles)
        new = rng.choice([role for role in _ROLES if role not in passage.lower()] or ["broker"])
        return passage[:start] + re.sub(rf"\b{old}", new, sentence) + passage[end:]
    return None


def sentence_at(passage: str, place: int) -> tuple[int, int]:
    """The characters of the sentence that holds a place; the whole passage where none does."""
    for start, end in sentence_spans(passage, 0, len(passage)):
        if start <= place < end:
            return start, end
    return 0, len(passage)


def without_answer(passage: str, span: tuple[int, int]) -> str | None:
    """The passage without the sentences that hold the answer; None where too little is left or it is said again.

    >>> passage = "Ask first. Leave is ten days long. It is paid in full by the unit, and nobody may sell it."
    >>> without_answer(passage, (20, 29))
    'Ask first. It is paid in full by the unit, and nobody may sell it.'
    """
    start, end = sentence_at(passage, span[0])[0], sentence_at(passage, max(span[0], span[1] - 1))[1]
    left = f"{passage[:start].rstrip()} {passage[end:].lstrip()}".strip()
    answer = passage[slice(*span)].lower()
    return left if len(left) >= 60 and answer not in left.lower() else None
