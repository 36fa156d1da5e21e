"""A ban without any limit against a permission for the same subject and verb."""

import re

from policy_rag.answering.verification.sentence import Sentence
from policy_rag_parsers.text.lexicon import alternatives, any_word
from policy_rag_parsers.text.lexicon.record import Modality
from policy_rag_parsers.text.modality import clause_end, content_stems, modal_spans
from policy_rag_parsers.text.tokenizer import terms
from policy_rag_parsers.text.units import unit_names


def bans_what_is_permitted(ban: Sentence, permission: Sentence) -> bool:
    """Whether a sentence forbids outright what another permits, perhaps for a part of its subject or up to an amount.

    The verb behind the modals is the same, the subject of the ban opens that of the permission, and the ban adds
    nothing to that. A permission for another way, place or case tells nothing against a ban, nor does one in a
    sentence with a condition.

    >>> from policy_rag.answering.verification.sentence import read
    >>> ban = read("Vouchers and cash are alike and must not be accepted.", "english")
    >>> bans_what_is_permitted(ban, read("Vouchers of suppliers may be accepted up to EUR 25.", "english"))
    True
    >>> bans_what_is_permitted(ban, read("Vouchers may be accepted as a prize.", "english"))
    False
    """
    forbidden, permitted = _around(ban, Modality.PROHIBITION), _around(permission, Modality.PERMISSION)
    if not forbidden or not permitted or _is_conditional(ban) or _is_conditional(permission):
        return False
    subject, verb_on = permitted
    joint = any_word(alternatives(ban.lexicon.and_ | ban.lexicon.or_))
    banned = [frozenset(content_stems(part, ban.language)) for part in joint.split(forbidden[0])]
    stems, deed = content_stems(subject, ban.language), _deed(verb_on, ban.language)
    banned_deed = content_stems(forbidden[1], ban.language)
    if not (stems and deed and banned_deed) or deed[0] != banned_deed[0]:
        return False
    is_subject = any(part and stems[0] in part and part <= frozenset(stems) for part in banned)
    return is_subject and frozenset(banned_deed) <= permission.content and frozenset(deed) <= ban.content


def _around(sentence: Sentence, kind: Modality) -> tuple[str, str] | None:
    """What stands in front of the one modal of a kind in its clause, and what behind it."""
    spans = [span for found, span, _ in modal_spans(sentence.text, sentence.language) if found is kind]
    if len(spans) != 1:
        return None
    before, behind = sentence.text[: spans[0][0]], sentence.text[spans[0][1] :]
    end = clause_end(sentence.language)
    return end.split(before)[-1], end.split(behind, maxsplit=1)[0]


def _is_conditional(sentence: Sentence) -> bool:
    known = sentence.lexicon
    limits = any_word(known.if_, known.when, known.only, known.except_, known.besides, known.without, known.until)
    return limits.search(sentence.text) is not None or any_word(known.front).match(sentence.text) is not None


def _deed(behind: str, language: str) -> list[str]:
    """The stems behind a modal but those of an amount and its units."""
    named = {stem for name in unit_names(language) for stem in terms(name, language)}
    return [stem for stem in content_stems(behind, language) if stem not in named and not re.match(r"\d", stem)]
