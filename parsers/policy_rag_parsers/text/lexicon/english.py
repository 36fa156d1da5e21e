"""The words of English."""

from policy_rag_parsers.text.lexicon.day_words import DayWords
from policy_rag_parsers.text.lexicon.english_answers import ENGLISH_ANSWERS
from policy_rag_parsers.text.lexicon.english_groups import ENGLISH_FORMS, ENGLISH_ROLES, ENGLISH_SYNONYMS
from policy_rag_parsers.text.lexicon.english_questions import ENGLISH_QUESTIONS
from policy_rag_parsers.text.lexicon.frequency_words import FrequencyWords
from policy_rag_parsers.text.lexicon.line_words import LineWords
from policy_rag_parsers.text.lexicon.naming_words import NamingWords
from policy_rag_parsers.text.lexicon.record import BoundWords, DocumentWords, Lexicon, Modality, listed
from policy_rag_parsers.text.lexicon.reference_words import ReferenceWords
from policy_rag_parsers.text.lexicon.reply_words import ReplyWords
from policy_rag_parsers.text.lexicon.time_words import TimeWords
from policy_rag_parsers.text.lexicon.title_block_words import TitleBlockWords
from policy_rag_parsers.text.lexicon.wanting_words import WantingWords

# "Carry over five days" says how many, not more than how many.
_NO_PARTICLE = "".join(
    f"(?<!{verb} )"
    for verb in ("carry", "carries", "carried", "carrying", "roll", "rolls", "rolled", "rolling", "handed", "left")
)
# "By a doctor" is no deadline: behind "by" comes a date, an hour or the end of something.
_OF_WHAT = (
    r"(?:\s(?:the|each|every|that|this|a|an))?"
    r"(?:\s(?:calendar|financial|following|next|same|working|business)){0,2}\s\w+"
)

_YOU = r"(?:can|could|would|will) (?:you|someone|somebody|anyone|anybody)(?: (?:please|kindly|possibly))?"
_TELL = (
    r"(?:tell|explain|clarify|describe|say|elaborate|advise|confirm|show|remind|help)(?: me| us)?"
    r"(?: (?:about|on|with|to))?"
)
_MORE = (
    r"(?:(?:any|some|more|further|additional|detailed|specific)\s+)*"
    r"(?:information|details?|guidance|clarification|explanation|insights?|examples?)"
)
_ON = r"(?:on|about|regarding|of|for|as to|concerning)"
_GIVEN = (
    r"(?:the |these )?(?:(?:provided|given|numbered|above) )?"
    r"(?:policy|policies|sections?|documents?|texts?|context|information)(?: (?:provided|given|above))?"
)
_JOINING = (
    r"however|also|additionally|moreover|furthermore|in addition|therefore|thus|hence|consequently|as a result"
    r"|specifically|in particular|in summary|in short|in conclusion|to summari[sz]e|overall|finally|meanwhile"
    r"|on the other hand"
)
_UNITS = ("book", "title", "volume", "part", "subpart", "chapter", "division", "rule", "regulation", "clause")

ENGLISH = Lexicon(
    language="english",
    code="en",
    document=DocumentWords(
        units={one: one for one in _UNITS}
        | {"subsection": "subsection", "section": "section/sec", "article": "article/art"},
        back_matter="schedule appendix/app annex/annexure exhibit attachment",
        forms="appendices/appendix annexes/annex",
        first="first",
        ordinals=(
            *("", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"),
            "twelfth",
        ),
        cardinals=(
            *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
        ),
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
                "e.g i.e eg ie cf viz vs mr mrs ms dr prof st hon rev messrs approx al incl excl dept gen gov resp"
            ),
            before_number=listed(
                "no nos art arts sec secs para paras reg regs ch cl fig figs eq pt p pp vol app ed cap r ss tel ext "
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
    ),
    times=TimeWords(
        numbers="one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty|thirty"
        "|forty|fifty|sixty|ninety|hundred|half an",
        kinds="working|business|calendar|consecutive|full|further|clear|additional",
        units="minutes?|hours?|days?|nights?|weeks?|months?|quarters?|years?",
        money=r"euros?|dollars?|pounds?|pence|cents?|dirhams?|francs?|per\s?cent",
        within="within",
        fillers=r"a\speriod\sof|the\sfirst|not\smore\sthan",
        no_later=r"(?:no|not)\slater\sthan",
        latest=r"at\sthe\slatest",
        latest_on=r"(?:by|on|after)(?:\sthe)?|the",
        behind="before|after",
        at_least=r"at\sleast",
        ahead=r"before|prior\sto",
        early=r"in\sadvance|ahead|beforehand",
        by="by|before|until",
        points=rf"noon|midnight|(?:the\s)?(?:end|beginning|start|close)\sof{_OF_WHAT}"
        r"|(?:the\s)?(?:next|following|same|last|first|second|third|\w+teenth|\d+(?:st|nd|rd|th))\s"
        r"(?:(?:working|business|calendar|consecutive|full|further|clear|additional)\s)?(?:day|week|month|year)\b"
        rf"(?:\sof(?=\s(?:the|each|every|an?)\s){_OF_WHAT})?"
        rf"|(?:the\s)?\d{{1,2}}(?:st|nd|rd|th)\sof(?=\s(?:the|each|every)\s){_OF_WHAT}",
        at_once=r"immediately|without\s(?:undue\s)?delay|as\ssoon\sas\s(?:reasonably\s)?(?:possible|practicable)"
        r"|promptly",
        same_day=r"(?:by|on|within|before)\s(?:(?:the\s)?(?:end|close)\sof\s)?the\s(?:very\s)?same"
        r"\s(?:(?:working|business|calendar)\s)?day",
        next_day=r"(?:by|on|before|until|no\slater\sthan|within)\s(?:(?:the\s)?(?:end|close)\sof\s)?(?:the\s)?"
        r"(?:next|following)\s(?:(?:working|business|calendar)\s)?day",
    ),
    month_names={"sept": 9},
    homonyms=listed("may"),
    numbers={"twice": 2, "thrice": 3},
    halves=listed("half"),
    no_numbers=listed("one ones zero"),
    articles=listed("a an per"),
    before_one=listed("within after to than least most for in under over before every"),
    determiners=listed("the a an this that their his her its our your every each any no"),
    before_figure=listed(
        "up to at most least within for from of after over about than more less later earlier longer fewer not no a an "
        "the maximum only"
    ),
    doubtful_ordinals="second",
    no_rank=listed("party parties person persons country countries of aid"),
    units={
        "%": "% percent pct",
        "eur": "€ eur euro euros",
        "usd": "$ usd dollar dollars",
        "gbp": "£ gbp pound pounds",
        "chf": "chf francs",
        "aed": "aed",
        "km": "km kilometre kilometres",
        "mg": "mg",
        "g": "g gramme grammes",
        "kg": "kg",
        "ml": "ml millilitre millilitres",
    },
    unit_kinds={"working": "working", "business": "working", "calendar": "calendar"},
    hundredths={"cent": "cent", "cents": "cent", "ct": "cent", "pence": "gbp"},
    scales={"thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9},
    bounds=BoundWords(
        least=r"at least|(?:a |the )?minimum|(?:more|longer|greater|higher|older|larger|later|further) than"
        rf"|{_NO_PARTICLE}over(?! (?:a|the) (?:period|term))|above|beyond|exceed(?:s|ing|ed)?|in excess of|after"
        r"|(?:starting|effective) (?:on|from)|upwards of",
        most=r"at (?:the )?most|up to|within|(?:a |the )?maximum|max\.?"
        r"|(?:less|fewer|lower|smaller|shorter|younger|earlier|sooner) than|under|below|before|prior to"
        r"|(?:limited|restricted|capped) (?:to|at)|limit|ceiling|cap",
        from_date="from|since|as of",
        until_date="by|until|till",
        negation=r"(?:\bno|not|n't|never)(?: (?:to|be|to be|last|have))? ",
        between="between",
        is_most=r"maximum|limit",
        is_least="minimum",
        tells="is|are|be|of|was",
        least_behind=r"(?:or|and) (?:more|over|above|longer|later|older|greater|higher|upwards|beyond)|at least"
        r"|at the earliest|minimum",
        most_behind=r"(?:or|and) (?:less|fewer|under|below|shorter|earlier|before|younger)|at (?:the )?most"
        r"|at the latest|maximum",
        filler="of|the|a|an|about|further|another|total|period|term|age|sum|amount|value",
        rest=r"(?<!such )(?<!any )others?|further|remaining|otherwise"
        r"|(?:longer|larger|higher|shorter|smaller|lower|earlier|later)(?! than)|(?:above|beyond|below) (?:this|that)",
    ),
    modals={
        Modality.EXEMPTION: r"need not|(?:not|\w*n't) (?:required|obliged|mandatory|obligatory|necessary)"
        r"|(?:not|\w*n't) have to|(?:not|\w*n't) need(?: to)?|no need to"
        r"|no\b[^.;:,]{0,40} (?:is|are) (?:required|needed|necessary)|optional",
        Modality.PROHIBITION: r"(?:must|shall|may|can|could|will) (?:not|never)|cannot|(?:ca|must|sha)n't"
        r"|(?:not|\w*n't|never) (?:be )?(?:allowed|permitted|entitled)|prohibit(?:ed|s)?|forbidden|banned"
        r"|(?:no|neither|nobody|none)\b[^.;:,]{0,60}?"
        r"\b(?:may|must|shall|can|(?:is|are) (?:permitted|allowed|entitled))",
        Modality.OBLIGATION: r"must|shall|required|requires?|mandatory|obligatory|compulsory|obliged|obligated"
        r"|(?:has|have|needs?) to|(?:is|are) to",
        Modality.ADVICE: "should|ought|recommended|recommends?|encouraged|advised",
        Modality.PERMISSION: "may|can|could|allowed|allows|permitted|permits|entitled|eligible",
    },
    modal_words=listed(
        "must shall may can could should ought will would required requires have has need needs allowed permitted "
        "entitled obliged prohibited forbidden banned mandatory"
    ),
    modal_verbs="may|must|shall|should|can|cannot|need|is|are|has to|have to",
    negators=listed("not no never none nobody neither nor cannot"),
    negation_suffix="n't",
    comparisons=listed("later more less fewer earlier longer only greater higher lower sooner than limited exceeding"),
    bans="prohibit(?:s|ed)|forbidden|banned",
    denials=r"nothing|excluding|excludes?|excluded|exempt|prohibiting|prohibit|forbid\w*|refus\w*|reject\w*|refrain\w*"
    r"|avoid\w*|prevent\w*",
    only="only|solely|exclusively",
    except_="unless|except(?! that)",
    besides="except that|excepting|save|other than|excluding",
    without="without|in the absence of|failing",
    until="until",
    if_="if|once|provided that|provided|so long as|as long as",
    when="when|whenever|where|for so long|while",
    relative="because|since|as|although|who|that|whose",
    but="but|while|whereas",
    however="however|though|otherwise|apart",
    even_if=r"even (?:if|where|when|though|without|for)|whatever|regardless|irrespective|no matter|without exception"
    r"|under all circumstances",
    after="after",
    above=r"above|over|beyond|exceed\w*|more than|longer than",
    below="below|under|less than|fewer than|before",
    late=r"late|lapses?|lost|lose[sn]?|expires?|void|forfeit\w*",
    and_=listed("and"),
    or_=listed("or"),
    all_=listed("all every each both"),
    one=listed("one single"),
    yes="yes",
    no="no",
    none="no|none|nil",
    no_such="no",
    per="per|a|an|each|every",
    in_full=r"(?:fully|entirely)(?= (?:paid|refunded|reimbursed|covered|borne|funded))|in full(?=\s*(?:[.,;]|by\b|$))",
    frequency=FrequencyWords(
        each="every|each",
        other="other|second",
        once={"once": 1, "twice": 2, "thrice": 3},
        times="times",
        per="per|an?|each|every|(?:in|during) (?:an?|each|every)",
        adverbs={"hourly": "1 hour", "daily|nightly": "1 day", "weekly": "1 week", "fortnightly": "2 week"}
        | {"monthly": "1 month", "quarterly": "3 month", "half-yearly": "6 month", "annually|yearly": "1 year"},
        periods={"nights?": "1 day", "fortnights?": "2 week", "quarters?": "3 month"},
    ),
    to_="to|and",
    prepositions="for|in|at|on|with|during|after|before",
    front="for|in|at|on|with|without|during|after|before|from|per|each|every|if|when|where|unless|as|to|under|within"
    "|by",
    verbs="is|are|was|were|be|been|has|have|may|must|shall|should|can|cannot|will|need|needs|get|gets|receive|receives"
    "|last|lasts|take|takes|cost|costs|pay|pays|amount|amounts|require|requires|begin|begins|end|ends|expire|expires"
    "|apply|applies|do|does|hold|holds|run|runs|remain|remains|stay|stays|come|comes|equal|equals|lapse|lapses|start"
    "|starts|close|closes|open|opens",
    references=r"sections?|articles?|art|rules?|regulations?|paragraphs?|clauses?|parts?|chapters?|schedules?"
    r"|annex(?:es)?|appendix|items?|forms?|versions?|tables?|figures?|no|nos",
    vague_nouns=listed(
        # how much of something, for how long, until when
        "period periods time times limit limits maximum minimum deadline amount amounts number length duration rate "
        "rates level age term terms total sum value threshold interval figure average full first last new "
        # who
        "employee employees staff personnel team worker workers person persons people member members user users "
        "individual individuals colleague colleagues anyone everyone everybody somebody someone nobody company "
        # where it is said
        "policy policies section sections rule rules document documents regulation regulations paragraph clause code "
        "order orders yes no according accordance stated said says "
        # how often
        "generally typically usually normally ordinarily commonly"
    ),
    synonyms=ENGLISH_SYNONYMS,
    forms=ENGLISH_FORMS,
    endings=(("ant", "ants", "ancy", "ancies", "ance", "ances"), ("ent", "ents", "ence", "ences", "ency", "encies")),
    roles=ENGLISH_ROLES,
    name_joints=r"(?:of|for|and)\s+(?:the\s+)?",
    openers=listed(
        "a an the this that these those all any each every no some for in at on by of to from with if when where as"
    ),
    agent="by",
    decides=r"approv\w*|authori[sz]\w*|grant\w*|decid\w*|signs?|signed|releas\w*|consent\w*",
    aims=r"aims?|aiming|targets?|goals?|strives?|endeavou?rs?|seeks? to|tr(?:y|ies) to|normally|usually|ideally",
    of_any_kind=r"of (?:any|every|all|whatever|whichever) (?:kind|type|sort|nature)s?|including|whatsoever",
    asks_yes_or_no="may|can|could|must|am|is|are|do|does|should|shall|need",
    verdicts={
        Modality.PERMISSION: "Permitted",
        Modality.PROHIBITION: "Not permitted",
        Modality.OBLIGATION: "Required",
        Modality.EXEMPTION: "Not required",
    },
    question=ENGLISH_QUESTIONS,
    answers=ENGLISH_ANSWERS,
    days=DayWords(
        in_force="in force|in effect|effective|valid|applicable|appl(?:y|ies|ied|ying)"
        "|as (?:of|at|on)|rules? (?:of|on)",
        at="on|in|at|as of|during|throughout|back in",
        onward="(?:as |starting )?from",
        by="by",
        before="before|prior to",
        the="the",
        year=r"(?:the\s+)?(?:(?:whole|calendar|academic|school|financial|fiscal|tax)\s+)?year"
        r"|(?:the\s+)?(?:early|late|mid|spring|summer|autumn|winter)(?:\s+of)?",
        past="did|was|were|had|used to|could|applied|held",
        present="is|are|am|do|does|can|may|must|shall|should|will|has|have|need|gets?|applies|apply",
        past_begins="did|was|were|had|could",
        coming_begins="will|do|does|is|are|can|may|must|shall|should",
        tellers="i|we|my|our",
        conditions="if|when|that|who|whose|because|after|since|until",
        goes_on=r"did|do|does|was|were|had|has|have|is|are|could|must|may|should|can|if|for|on|in|of|to|under|by|at"
        r"|from"
        r"|with|while|any|\w+ed",
    ),
    asks_time=r"how (?:long|often|soon|early|late|quickly|fast|old|frequently|recent(?:ly)?)"
    r"|how many (?:\w+ ){0,2}(?:seconds|minutes|hours|days|weeks|months|years)"
    r"|how (?:far|much|long) (?:ahead|in advance|beforehand|before|notice|warning|time|longer)"
    r"|(?:until|till|by|since|from) when"
    r"|when (?:do|does|did|am|is|are|was|were|will|must|can|may|should|shall|has|have)"
    r"|(?:what|which) (?:date|day|time|month|deadline)|deadline|time limit",
    asks_amount=r"how (?:much|high)\b.{0,60}\b(?:rates?|costs?|prices?|fees?|fines?|fares?|charges?|spend|spent)"
    r"|what\b.{0,60}\bcosts?"
    r"|(?:what|which)(?:['’]s| is| are)?(?: the| our| my)?(?: [\w-]+){0,2}? (?:fees?|prices?|fares?)"
    r"|how many (?!(?:times|more|of|in|at|for|per|an?|is|are|was|were|am|do|does|did|can|could|may|might|must|should"
    r"|shall|will|would|has|have|had|i|we|you)\b)\w+",
    lasting="minutes|hours|days|nights|evenings|mornings|weekends|weeks|months|years|time|leaves?|holidays?|vacations?|pto"
    "|sick|absences?|absent|off|notice|breaks?|rest|overtime|shifts?|probation|sabbaticals?|secondments?|placements?"
    "|training|experience|retention|periods?|terms?|extensions?|sessions?",
    asks_number=r"how (?:many|much|few|high|low|large|big|far)|at most|at least"
    r"|highest|lowest|largest|smallest|maximum|minimum|ceiling|upper limit"
    r"|(?:what|which)(?:['’]s| is| are)?(?: the| our| my)?(?: [\w-]+){0,2}? (?:share|percentage|percent|amount|number"
    r"|score|sum|fees?|rate|price|limits?|thresholds?|cap|allowance|budget|size|length)|cost",
    asks_meaning="what (?:is|are)(?: meant by)?|what['’]s|what do(?:es)?|what counts? as|definition of|define",
    defines="means?|shall mean|stands? for|is short for|refers? to|(?:is|are) defined as|denotes?"
    "|(?:is|are) (?:an?|the|any|every)",
    timing="until|till|immediately|at once|without (?:undue )?delay|daily|weekly|monthly|quarterly|annually|yearly"
    "|every (?:day|week|month|quarter|year)",
    courtesies=(
        r"hi|hello|hey|hiya|good (?:morning|afternoon|evening|day|night)|many thanks|thanks|thank you|thx|cheers|"
        r"bye|goodbye|see you|a lot|(?:so|very) much|in advance|again|for (?:your|the|all your) (?:help|time|answer)|"
        r"there|all|team|everyone|ok|okay|great|perfect|wonderful|got it|that(?:['’]s| was| is) (?:all|helpful|great)"
    ),
    everyday=listed(
        "bring wear get take give go come use want like need keep let put make find try start stop happen happens ask "
        "know think see say tell mean got eat drink buy sell pay hire own somebody someone anybody anyone something "
        "live anything everybody colleague boss hr guy thing things kind stuff lot way really still ever already "
        "instead maybe please wondering hello thanks going gone went coming came taken took given gave made done along "
        "around apart aside together ahead forward through turn turns yet "
        "show list cite look describe compare fast quickly frequently far big large high low early late question answer"
    ),
    common=listed(
        "good bad better best right wrong okay able wait waits waited waiting shut left hear heard blow blew blown "
        "move moved stay stayed hold held sit sat stand stood feel felt seem seems become became hope help helps "
        "helped forget forgot remember understand try tried trying pick picked throw threw begin began begun send sent "
        "meet met kept told brought wore thought knew saw asked wanted needed found"
    ),
    asking=listed(
        "many much long often soon time when where which who whose what why how may must should can could would shall "
        "need get needed allowed happen happens apply applies exactly else else's mean means please tell explain"
    ),
    telling_when=listed("ago today yesterday tomorrow now currently recently next previous earlier later since until"),
    naming=NamingWords(
        kinds=listed(
            "policy guideline guidelines guidance standard procedure code charter handbook manual agreement schedule "
            "rulebook rules regulations directive plan statement protocol instruction bylaws"
        ),
        generic=listed(
            "policy policies rule rules standard guideline guidelines procedure procedures section sections clause "
            "clauses article paragraph point item number say says state states stated read reads provide provides "
            "require requires mean means text wording content quote cite show tell exactly please full print explain "
            "document company regarding according under must may allow allows permitted prohibited forbidden"
        ),
        place="in|under|per|within|inside|according to|pursuant to|in line with|in accordance with|following|based on"
        "|by"
        "|from",
        indefinite="an?|any|no|every|which|what|some|another",
        says=r"(?:(?:documents?|itself|actually|now|currently)\s+)?(?:says?|states?|allows?|requires?|provides?"
        r"|mentions?"
        r"|defines?|covers?|permits?|prohibits?|forbids?|regulates?|contains?|means?|tells?|specif(?:y|ies)|appl(?:y"
        r"|ies)"
        r"|sets?)",
        quotes="says?|states?|stated|reads?|quotes?|cites?|words|wording|text",
        elsewhere="not|nowhere|except|besides|outside|apart from|other than|instead of|unlike|without",
        file="file|document",
        old="old|previous|former|prior|earlier|superseded",
        new="current|latest|new",
        changes=r"effect|effective|force|valid|validity|date[ds]?|start(?:s|ed)?|begin(?:s)?|began|since|versions?"
        r"|editions?"
        r"|chang\w+|updat\w+",
        ends=r"expir\w+|end(?:s|ed)?|until|replac\w+|supersed\w+",
        holds="(?:tak(?:es?|en|ing)|took|com(?:es?|ing)|came|go(?:es)?|went)(?= (?:in|effect))|day|appl(?:y|ies|ied)"
        "|still|currently",
        dates="date|day",
        responsible=r"responsib\w+|accountable|in charge|own(?:s|ed|er|ers|ership)|maintain(?:s|ed|er)|approv(?:es|ed"
        r"|er)"
        r"|issue[ds]|author\w*|wrote|written|contact",
        departs=r"exceptions?|except(?:ed)?|exempt\w*|exclu\w+|waive\w*|approv\w+|depart(?:s|ed|ures?)?|deviat\w+"
        r"|derogat\w+|overrid\w+|grant(?:s|ed)?",
        about="about|on|regarding|concerning",
        for_="(?:for|as)(?: (?:all |the |our )?external)?",
        at="in|at|for",
        by="from|by|owned by|issued by",
        before_noun="the|an?|our|your|is|are|of|for|to|by|with|and|or",
        also_called="(?:also|otherwise|sometimes|often|formerly) (?:called|known as|referred to as)",
        hereinafter="hereinafter",
    ),
    wanting=WantingWords(
        who="who|whom|whose",
        when="when",
        why="why",
        how="how|where",
        which="what|which",
        summary=r"summar\w*|overview|outline|main points|key points|gist|in a nutshell|whole|entire|everything",
        comparing=r"compare|comparison|differ\w*|versus|vs|both",
        leads="(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))(?: (?:all|there|team|everyone|colleagues?|hr))*"
        "|(?:quick|short|just a|one more|another|one|a) (?:quick |short )?question(?: (?:about|on"
        "|regarding) this)?"
        "|(?:sorry|excuse me|thanks|thank you)(?: (?:to bother you|in advance|very much|a lot))*"
        "|(?:so|well|ok|okay|actually|basically|btw|by the way|um+)"
        rf"|(?:please|kindly)(?: {_YOU})?(?: {_TELL})?|{_YOU} {_TELL}"
        rf"|{_YOU} (?:provide|give|offer|share)(?: me| us)? (?:an? )?{_MORE} {_ON}"
        "|(?:do|does) (?:you|anyone|anybody|someone) (?:happen to )?know"
        "|i(?:['’]m| am| was)? (?:just |also )?(?:wondering|curious|trying to (?:find out|understand)"
        "|(?:not |un)sure)"
        "|i(?:['’]d| would)? (?:just |also )?(?:like|want|need|love) to (?:know|ask|find out|understand"
        "|learn|check)|(?:let me|please let me) know",
        whether="if|whether|that",
        please="please|kindly",
        thanks="(?:many )?thanks|thank you|thx|cheers|(?:best |kind )?regards|(?:please )?(?:let me know|advise)"
        "|any help (?:is|would be) (?:much |greatly )?appreciated|please|kindly",
        thanks_for="in advance|very much|a lot|so much|for your (?:help|time)",
    ),
    reply=ReplyWords(
        names=r"sections?|sec\.?|sources?|passages?|references?|ref\.?|documents?|docs?\.?|excerpts?",
        inside="paragraph|clause|article|item",
        sources="sources?|references?|citations?",
        answer=r"(?:(?:the|my|final|short|brief)\s+)*answer",
        opens=rf"(?:{_JOINING}), "
        r"|(?:(?:it is important to |please )?note(?: that|:)|important:),? "
        rf"|(?:according to|based on|as (?:stated|described|set out) in|as per|per)(?: {_GIVEN})?, "
        rf"|{_GIVEN} (?:states?|says?|specif(?:y|ies)|mentions?|indicates?|provides?) that,? ",
        section=r"(?:(?:according to|as (?:stated|described|set out) in|based on|per|under"
        r"|in)\s*)?(?:the )?(?:numbered )?"
        "section",
        section_says="says|states|that",
        partly="fully|completely|entirely|in full",
        regrets="unfortunately|sorry|apologies",
        refuses=r"i (?:do not|don['’]?t) (?:know|have)|i(?:['’]m| am) (?:sorry|unable|not able|not sure)"
        r"|(?:i|we) (?:cannot|can['’]?t|could not|couldn['’]?t)"
        r"|(?:based on [^,.]{0,60}, ?)?(?:there is|there['’]s) (?:no|not (?:any|enough)) "
        r"(?:\w+ ){0,2}(?:information|mention|answer|section|policy)"
        r"|(?:based on [^,.]{0,60}, ?)?(?:none of )?(?:the|these|this|any)?\s*"
        r"(?:(?:provided|given|numbered|above|available|these|policy|policies|sections?|documents?|texts?|context"
        r"|excerpts?) ){1,5}(?:(?:do|does|did)(?: not|n['’]t)|contains? no|provides? no|answers?)"
        r"|(?:no|not enough) (?:\w+ ){0,2}(?:information|answer)"
        r"|it (?:is|was) not (?:specified|mentioned|stated|clear|possible)",
    ),
    excludes=r"(?:do|does|did|shall|will)(?: not|n't) (?:apply|extend|cover|hold)|n(?:either|or"
    r"|one)\b.{0,40}\bappl(?:y|ies)"
    r"|not (?:eligible|entitled|covered)|ineligible|excluded|excepted|exempt(?:ed)?|notwithstanding|instead",
    takes_away=r"\w+n['’]t|refused|rejected|save|void|lapses?|at most|limited to|capped|of (?:these|those|them)",
    leans="they|them|it|he|she|these|those|this|that|such|both|in (?:this|that|these|such) (?:case|cases|event)"
    r"|then|also(?= \w)",
    leans_within=r"(?:(?:please|you|we|staff|do|don['’]t|must|may|should|can|cannot|can['’]t|will|need to|have to|not"
    r"|never|always) )*(?!make|find|when|where|if|once|as|that|but|and|before|while|because|since|until|unless|although"
    r"|whether)\w+ (?:(?:to|for|of|on|in|with|at|from|about) )?(?:them|it(?! (?:clear|plain|is|was)\b)"
    r"|(?:this|these|those)(?= (?:by|within|before|until)\b|\W*$))"
    r"|(?!if|when|where|once)[^,;:]{0,200} (?:for|about|of|on|with|from|against|do|like) (?:this|that)(?=\W*$|,)"
    r"|(?:if|when|where|once)\b[^,]*, also(?! (?:known|called)\b)",
    resumes="the same|anything|any",
    remainder=r"(?:for )?(?:any|every)(?:thing|one|body) (?:else|(?:above|over|beyond)(?! \W?\d)"
    r"|(?:more|larger|bigger|longer|higher)(?! than))|(?:the rest|the remainder|all others?)(?! of)"
    r"|(?:above|over|beyond|below|after|more than|longer than) (?:this|that)"
    r"(?=,| (?:amount|limit|sum|point|it|you|we|they|the|needs?|requires?|goes|is|are|must|may)\b)",
    exceeding=r"any (?:more|longer)|(?:for )?(?:larger|bigger|longer|higher|greater|dearer) (?!than)\w+"
    r"|(?:if|when|where) (?:\w+ ){1,4}(?:more|longer|larger|bigger|higher)(?! than)(?: \w+){0,2},",
    elliptic=r"(?:may|must|shall|should|can|will|do|does|is|are)(?:\s+(?:not|too|also|so))?|cannot",
    steps=r"(?:these|following)(?: \w+)? steps",
    of_all="(?:one|all|each|both|either|none) of the following",
)
