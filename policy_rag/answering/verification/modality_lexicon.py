"""Expressions of obligation, permission, advice, prohibition and exemption, in English, German and French."""

import re

OBLIGATION, PERMISSION, ADVICE, PROHIBITION, EXEMPTION = (
    "obligation",
    "permission",
    "advice",
    "prohibition",
    "exemption",
)
_EXEMPTION = (
    r"\b(?:need not|(?:not|\w*n't) (?:required|obliged|mandatory|obligatory|necessary)|(?:not|\w*n't) have to"
    r"|(?:not|\w*n't) need(?: to)?|no need to|no\b[^.;:,]{0,40} (?:is|are) (?:required|needed|necessary)|optional"
    r"|(?:muss|müssen|braucht|brauchen) (?:\w+ ){0,6}?nicht(?! (?:später|länger|mehr|weniger|früher))"
    r"|nicht (?:verpflichtet|erforderlich|notwendig|nötig|vorgeschrieben)|keine\w? [^.;:,]{0,40}(?:erforderlich|nötig)"
    r"|(?:bedarf|bedürfen) keine\w?"
    r"|pas (?:besoin|obligée?s?|tenue?s?|obligatoires?|nécessaires?|requise?s?|exigée?s?)|facultati(?:f|fs|ve|ves)"
    r"|dispensée?s?)\b"
)
_PROHIBITION = (
    r"\b(?:(?:must|shall|may|can|could|will) (?:not|never)|cannot|(?:ca|must|sha)n't|(?:not|\w*n't|never) (?:be )?"
    r"(?:allowed|permitted|entitled)|prohibit(?:ed|s)?|forbidden|banned|(?:no|neither|nobody|none)\b[^.;:,]{0,60}?"
    r"\b(?:may|must|shall|can|(?:is|are) (?:permitted|allowed|entitled))"
    r"|(?:darf|dürfen|kann|können) (?:\w+ ){0,6}?(?:nicht|keine?\w*)|verboten|untersagt|unzulässig"
    r"|nicht (?:gestattet|erlaubt|zulässig|zugelassen|berechtigt)"
    r"|(?:ne |n')(?:peut|peuvent|doit|doivent|pourra|pourront|devra|devront) (?:\w+ )?(?:pas|jamais|en aucun cas)"
    r"|aucune? [^.;:,]{0,40}\bne (?:peut|doit)|pas (?:autorisée?s?|permise?s?|admise?s?|le droit)"
    r"|interdit(?:e|s|es)?|proscrit(?:e|s|es)?|prohibée?s?)\b"
)
_OBLIGATION = (
    r"\b(?:must|shall|required|requires?|mandatory|obligatory|compulsory|obliged|obligated|(?:has|have|needs?) to"
    r"|(?:is|are) to|muss|müssen|verpflichtet|verpflichtend|erforderlich|notwendig|vorgeschrieben|bedarf|bedürfen"
    r"|(?:ist|sind|hat|haben) (?:\w+ ){0,8}?(?:zu \w+en"
    r"|(?:ab|an|auf|aus|bei|durch|ein|fest|her|hin|mit|nach|vor|zurück)zu\w+en)"
    r"|doit|doivent|devez|devra|devront|(?:il )?faut|obligatoires?|obligée?s?|tenue?s? (?:de|d)|requise?s?|exigée?s?"
    r"|nécessaires?)\b"
)
_ADVICE = (
    r"\b(?:should|ought|recommended|recommends?|encouraged|advised|soll(?:te|ten|en)?|empfohlen"
    r"|devrait|devraient|recommandée?s?|conseillée?s?)\b"
)
_PERMISSION = (
    r"\b(?:may|can|could|allowed|allows|permitted|permits|entitled|eligible|darf|dürfen|kann|können|berechtigt"
    r"|gestattet|erlaubt|zulässig|peut|peuvent|pouvez|pourra|pourront|autorisée?s?|permise?s?|(?:a|ont) droit)\b"
)
MODALS = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (EXEMPTION, _EXEMPTION),
        (PROHIBITION, _PROHIBITION),
        (OBLIGATION, _OBLIGATION),
        (ADVICE, _ADVICE),
        (PERMISSION, _PERMISSION),
    )
)
"""Each kind with its expressions, in the order to try them: what one has matched the next ones do not see."""
WORDS = {
    "english": "must shall may can could should ought will would required requires have has need needs allowed "
    "permitted entitled obliged prohibited forbidden banned mandatory",
    "german": "muss müssen darf dürfen kann können soll sollte sollten sollen verpflichtet berechtigt gestattet "
    "erlaubt verboten untersagt",
    "french": "doit doivent devez devra devront faut peut peuvent pouvez pourra pourront devrait devraient autorisé "
    "permis interdit obligatoire",
}
"""By language, the words of which modal expressions are made."""
