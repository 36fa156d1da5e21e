"""English: what the workbench words and checks questions by."""

from policy_rag_eval.words.record import QuestionTemplates, WorkbenchWords, opposed

_GIVEN_TEXT = "(?:above|given|provided|following|present|quoted)"
_TEXT = (
    r"(?:text|passage|excerpt|extract|snippet|context|paragraph|section|clause|document|policy|provision|statement)s?"
)

ENGLISH = WorkbenchWords(
    templates=QuestionTemplates(
        clause="What does {number} of the {document} say?",
        unit="section",
        topic="What does the {document} say about “{title}”?",
        definition="What does “{term}” mean in the {document}?",
        cell="What does the {document} give as “{column}” where “{head}” is “{row}”?",
        comparison="Under the {document}, how do “{row}” and “{other}” differ in “{column}”?",
        joins="{first}, and {second}",
        generic=r"(?:how|what|who|when|where|why|which)\b.*|purpose|scope|purpose and scope|scope and purpose"
        r"|definitions?|contacts?|.* and contact|introduction|general|rules|periods|roles|principles|appendix|annex"
        r"|schedule|overview|background|review|miscellaneous|history|validity|final provisions|terms|consequences"
        r"|others?|reaction|reporting|breaches|exceptions|appeals|glossary(?: of terms)?|abbreviations"
        r"|(?:worked |further )*examples?|(?:standard )?forms?|templates?|contact details|who to contact"
        r"|(?:table of )?contents|references|related (?:documents|policies)"
        r"|(?:document|version|revision|change) (?:control|history|log)|schedules|appendices|annexes",
    ),
    preamble=r"(?:here (?:are|is)|below (?:are|is)|the following (?:are|is)?|sure|certainly|of course)\b[^?]{0,60}"
    r"\bquestions?|question ?\d*\s*:|\A\W*(?:sure|certainly|of course|okay|ok)[,!:]|as an ai",
    refers=r"(?:according to|based on|as (?:stated|described|mentioned|defined|set out) in|in|from|per|does|do|by"
    r"|of"
    rf"|under) (?:the|this|these) (?:{_GIVEN_TEXT} )?{_TEXT}(?! (?:of|on|for|in)\b)"
    rf"|(?:the|this) {_GIVEN_TEXT} {_TEXT}|{_TEXT} (?:above|below|provided|given)"
    r"|(?:mentioned|described|quoted) (?:above|here)",
    points=r"(?:this|these|those|such an?|such|the same|the said)(?= [a-zäöü])"
    r"(?! (?:is|are|way|who|which|that|as)\b)"
    r"|thereof|therein|hereof|herein|the (?:latter|former|aforementioned|above)",
    pronouns="it|they|them|he|she|its|their|theirs",
    persons="i|we|my|our|me|us|you|your|employees?|staff|managers?",
    see="see|refer to|set out in|laid down in|listed in|described in|defined in|governed by",
    universal="all|every|everybody|everyone|any|anybody|anyone|always|never|whatever|whoever|each time",
    nobody="nobody|no one|nothing|none|neither",
    opposites=opposed(
        "before/after with/without above/below over/under gross/net highest/lowest higher/lower earliest/latest "
        "first/last inside/outside internal/external included/excluded paid/unpaid more/less maximum/minimum "
        "at_least/at_most increase/decrease optional/mandatory earlier/later longer/shorter"
    ),
    conflicts=r"conflict(?:s|ing)?|contradict(?:s|ory|ion|ing)?|inconsisten(?:t|cy)|differ(?:s|ent|ing)?"
    r"|discrepan(?:t|cy)|disagree(?:s|ment)?|whereas|however|superseded|outdated|older|earlier|previous(?:ly)?"
    r"|two (?:different )?(?:figures|amounts|periods|rules|versions|editions)",
    numbers="two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|twenty|thirty",
    turned=opposed(
        "must_not/may may_not/may must/need_not shall/need_not may/must_not is_not_allowed/is_allowed "
        "are_not_allowed/are_allowed is_required/is_optional are_required/are_optional"
    ),
    no_amounts=r"ext\.?|room",
)
