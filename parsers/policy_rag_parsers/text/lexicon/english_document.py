"""What documents in English call themselves and their parts."""

from policy_rag_parsers.text.lexicon.line_words import LineWords
from policy_rag_parsers.text.lexicon.record import DocumentWords, listed
from policy_rag_parsers.text.lexicon.reference_words import ReferenceWords
from policy_rag_parsers.text.lexicon.title_block_words import TitleBlockWords

_UNITS = ("book", "title", "volume", "part", "subpart", "chapter", "division", "rule", "regulation", "clause")

ENGLISH_DOCUMENT = DocumentWords(
    units={one: one for one in _UNITS}
    | {"subsection": "subsection", "section": "section/sec", "article": "article/art"},
    back_matter="schedule appendix/app annex/annexure exhibit attachment",
    forms="appendices/appendix annexes/annex",
    first="first",
    ordinals=(
        *("", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"),
        "twelfth",
    ),
    cardinals=(*("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),),
    preamble=listed("preamble recitals"),
    contents=frozenset(("contents", "table of contents", "list of contents", "on this page", "in this document")),
    reference_words=ReferenceWords(
        inside=r"sub-?paragraphs?|paragraphs?|paras?|points?|items?|letters?|indents?|no(?=\.)",
        of="of",
        the="the|our|its|that",
        this="this|these|the present",
        and_="and|or",
        to="to|through|until",
        amounts="percent|per cent|euros?|eur|usd|million|hours?|days?|weeks?|months?|years?",
        leads=r"subject to|see(?: also)?|(?:as )?defined in|in accordance with|pursuant to|under|set out in"
        r"|referred to in"
        r"|described in|specified in|required by|(?:for )?the purposes of",
        behind="says?|states?|sets|covers?|contains?|requires?|provides?|means?|appl(?:y|ies)|allows?|above|below"
        "|hereof"
        "|thereof|herein|inclusive",
    ),
    title_block=TitleBlockWords(
        control="document (?:control|information|details)",
        nouns="policy|document|guideline|guidance|standard|procedure|code|charter|handbook|manual|agreement"
        "|schedule|version"
        "|rules|terms|regulations?",
        pronouns="it",
        this="this",
        articles="the",
        own="this|document|policy",
        becomes="is|becomes|became|shall be|will be|comes?|came|enters?|entered|takes?|took|shall enter|will enter",
        begins=r"effective(?: (?:date|from|as of|as from|on|since))?|in (?:force|effect)(?: (?:from|since|as of"
        r"|on))?"
        r"|into (?:force|effect)(?: (?:on|from))?|effect (?:on|from)|valid (?:from|as of|since)"
        r"|appl(?:ies|y) (?:from|as of)|applicable (?:from|as of)|with effect from"
        r"|date of (?:entry into force|effect)",
        periods=r"(?:valid|in force|effective|validity(?: period)?|(?:period|term) of validity)(?:\s?:)?(?: from)?",
        to="to|until|through|till",
        ends=r"(?:valid|effective|in force) (?:until|to|through|till)|expires(?: on)?"
        r"|expiry(?: date)?|end of validity",
        titled=r"(?:(?:document|policy) )?title|(?:document|policy) name",
        versions=r"version|rev\.?",
        issues="issue|edition|revision",
        number=r"no\.?|number",
        counted=r"st|nd|rd|th|\.",
        dated="of|from|dated",
        replaces="replaces|supersedes?|replacing|superseding|repeals|revokes|takes the place of",
        replaced_labels="(?:previous|earlier|prior|replaced|superseded) (?:version|policy|document)",
        replaced_by="(?:replaced|superseded) by",
        joins="and",
        which="which",
        objects="the|our",
        old="previous|earlier|prior|former|all|any",
        draft="draft",
        titles=r"polic(?:y|ies)|guidelines?|standards?|codes?|procedures?|rules?|handbooks?|charters?|schedules?"
        r"|terms|manuals?",
        verbs="is|are|was|were|has|have|will|shall|must|may|can|should|would|applies|apply|rises?",
        clauses="the|an?(?! partir)|all|each|every|no|any",
    ),
    lines=LineWords(
        page=r"page|p\.?",
        page_of="of",
        joints=listed("of for to with"),
        ends=listed("the a an from than per"),
        small=listed("in on at by"),
        opens="if|unless|where|when|that|which|who|whose|because|whether|until",
        counted="billion|thousand|hrs?|minutes?|times|people|persons|employees",
        relates="that|which|who",
        finite=r"must|shall|should|will|may not|is|are|(?-i:was)|were|has|have|had|does|do not|cannot|can|means"
        r"|applies"
        r"|apply|includes|requires|sets out|provides",
        governs="may|be|do|not|never|no|only|if|unless|except|where|when|without|prohibited|forbidden|banned"
        "|allowed"
        "|permitted|excluded|exempt|exceptions?",
        limits=r"however|unless|except|but|otherwise|provided|nevertheless|exceptions?|the only exception"
        r"|th(?:is|ese|ey|at)(?: \w+){0,3} do(?:es)? not apply|this applies",
        points_on=r"the following(?! (?:\w+ )?(?:day|week|month|quarter|year|morning)\b)(?! \w+day\b)|as follows"
        r"|(?:list|table|chart|schedule|listed|shown|given|set out|described|see) below|below(?=\W*\Z)"
        r"|(?<=\w )these(?: \w+){1,2}(?=\W*\Z)",
        doers="we|you|they|it|everyone|everybody|anyone|nobody|no one|whoever",
        does="pays?|covers?|receives?|needs?|reimburses?|ensures?|decides?|approves?|agrees?|keeps?|asks?|tells?"
        "|gets?|checks?",
        never_last=listed(
            "e.g i.e eg ie cf viz vs mr mrs ms dr prof st hon rev messrs approx al incl excl dept gen gov resp "
            "ariz cal calif colo conn fla minn okla tenn wis"
        ),
        before_number=listed(
            "no nos art arts sec secs stat para paras reg regs ch cl fig figs eq pt p pp vol app ed cap r ss tel ext "
            "ver v "
            "jan feb mar apr jun jul aug sep sept oct nov dec"
        ),
        often_inside=listed("ltd inc co corp plc llc llp bros etc jr sr a.m p.m"),
        starters=listed(
            "our your their its is both some such he him she not none while why how upon so however also further "
            "please see only "
            "there here employees staff managers until unless when what who and but or"
        ),
        breadcrumb="(?:skip|jump|go) to (?:the )?(?:main )?content|(?:back )?to (?:the )?(?:top|contents)",
        states="version|revision|effective|in force|valid|approved|owner|supersedes|replaces",
        defining="definition|defined terms|interpretation|glossary",
        terms="(?:defined )?(?:terms?|words?|expressions?|abbreviations?)",
        means="(?:shall )?means?|(?:has|have|shall have) the (?:same )?meaning|(?:is|are) defined as|refers? to",
        is_="is|are|includes?",
        called="each|together|collectively|hereinafter|hereafter|in short",
        excepts=r"subject to|notwithstanding|despite|regardless of|without prejudice to|waive[drs]?|waivers?"
        r"|exempt\w*"
        r"|except\w*|exclu\w+|depart(?:s|ed|ures?)?|derogat\w+|overrid\w+|instead of|other than"
        r"|n(?:either|or|one)\b.{0,40}\bappl(?:y|ies)",
        excepts_from=r"subject to|notwithstanding|despite|regardless of|without prejudice to"
        r"|exempt(?:ed|ions?)? from"
        r"|except (?:as|for|under|in|where)|exceptions? to|waivers? of|depart(?:s|ing|ures?)? from|derogat\w+ from"
        r"|overrid\w+|prohibition (?:in|under|of)",
        not_applied="(?:do|does|shall|will)(?: not|n't) (?:apply|extend|cover|hold)",
        refrains="not|never",
        passive="be",
        defined_in=r"defined (?:in|by|under)|definitions?(?: of [^.;]{1,60})? (?:in|under)"
        r"|meanings? (?:given|assigned|set out|ascribed|it has|they have)[^.;]{0,40} (?:in|by|under)",
        replaced="(?:is|are|was|were) (?:hereby )?(?:superseded|replaced|repealed|revoked)",
        about="What are the rules on “{}”?",
        meaning='What does "{}" mean?',
        empty_titles="introduction|general|miscellaneous|other|others|overview|background|contents|definitions?"
        "|interpretation|glossary|defined terms|contacts?|owner|annex|appendix|notes?|guidance|examples?|preamble"
        "|history|(?:final|general) provisions?|general requirements?|further information|reserved|deleted"
        "|application",
        kinds="rulebooks?|regulations?|guidance|agreement|directive|statement|notice",
        rule_words=listed(
            "could would will might ought needs applies apply applied applicable include includes including "
            "included section sections rule "
            "rules paragraph paragraphs clause clauses article articles chapter part schedule appendix annex "
            "guidance "
            "pursuant accordance subject respect relation relating regard case cases means mean meaning refer "
            "refers "
            "referred set provided provide provides purpose purposes thereof therein hereby herein mentioned "
            "follow "
            "follows following relevant appropriate particular general other others such etc least most also "
            "however "
            "whether within without upon make makes made take takes taken give gives given ensure ensures one two "
            "three four five six seven eight nine ten first second third whole every each any only already still "
            "yet "
            "time times way ways thing things much many either another used use uses using certain example "
            "examples "
            "soon last main say says said"
        ),
    ),
)
