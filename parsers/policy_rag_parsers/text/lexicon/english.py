"""The words of English."""

from policy_rag_parsers.text.lexicon.day_words import DayWords
from policy_rag_parsers.text.lexicon.question_words import QuestionWords
from policy_rag_parsers.text.lexicon.record import BoundWords, DocumentWords, Lexicon, Modality, listed
from policy_rag_parsers.text.lexicon.reference_words import ReferenceWords
from policy_rag_parsers.text.lexicon.title_block_words import TitleBlockWords

# "Carry over five days" says how many, not more than how many.
_NO_PARTICLE = "".join(
    f"(?<!{verb} )"
    for verb in ("carry", "carries", "carried", "carrying", "roll", "rolls", "rolled", "rolling", "handed", "left")
)

ENGLISH = Lexicon(
    language="english",
    code="en",
    document=DocumentWords(
        units={
            "book": "book",
            "title": "title",
            "volume": "volume",
            "part": "part",
            "subpart": "subpart",
            "chapter": "chapter",
            "division": "division",
            "section": "section/sec",
            "article": "article/art",
            "rule": "rule",
            "regulation": "regulation",
            "clause": "clause",
            "subsection": "subsection",
        },
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
        ),
        title_block=TitleBlockWords(
            control="document (?:control|information|details)",
            nouns="policy|document|guideline|guidance|standard|procedure|code|charter|handbook|manual|agreement|schedule|version"
            "|rules|terms|regulations?",
            pronouns="it",
            this="this",
            articles="the",
            own="this|document|policy",
            becomes="is|becomes|became|shall be|will be|comes?|came|enters?|entered|takes?|took|shall enter|will enter",
            begins=r"effective(?: (?:date|from|as of|as from|on|since))?|in force(?: (?:from|since|as of|on))?"
            r"|into (?:force|effect)(?: (?:on|from))?|effect (?:on|from)|valid (?:from|as of|since)"
            r"|appl(?:ies|y) (?:from|as of)|applicable (?:from|as of)|with effect from"
            r"|date of (?:entry into force|effect)",
            periods=r"(?:valid|in force|effective|validity(?: period)?|(?:period|term) of validity)(?:\s?:)?(?: from)?",
            to="to|until|through|till",
            ends=r"(?:valid|effective|in force) (?:until|to|through|till)|expires(?: on)?"
            r"|expiry(?: date)?|end of validity",
            versions=r"version|rev\.?",
            issues="issue|edition|revision",
            number=r"no\.?|number",
            counted=r"st|nd|rd|th|\.",
            dated="of|from|dated",
            replaces="replaces|supersedes|replacing|superseding",
            replaced_labels="(?:previous|earlier|prior|replaced|superseded) (?:version|policy|document)",
            replaced_by="(?:replaced|superseded) by",
            joins="and",
            which="which",
            objects="the|our",
            old="previous|earlier|prior|former|all|any",
            titles=r"polic(?:y|ies)|guidelines?|standards?|codes?|procedures?|rules?|handbooks?|charters?|schedules?|terms|manuals?",
            verbs="is|are|was|were|has|have|will|shall|must|may|can|should|would|applies|apply|rises?",
            clauses="the|an?(?! partir)|all|each|every|no|any",
        ),
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
    if_="if|once|provided|so long as|as long as",
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
    to_="to|and",
    prepositions="for|in|at|on|with|during|after|before",
    front="for|in|at|on|with|without|during|after|before|from|per|each|every|if|when|where|unless|as|to|under|within|by",
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
        "employee employees staff worker workers person persons people member members user users individual "
        "individuals colleague colleagues anyone everyone everybody somebody someone nobody company "
        # where it is said
        "policy policies section sections rule rules document documents regulation regulations paragraph clause code "
        "order orders yes no according accordance stated said says "
        # how often
        "generally typically usually normally ordinarily commonly"
    ),
    synonyms=tuple(
        listed(group)
        for group in (
            "leave holiday holidays vacation",
            "pay paid salary salaries wage wages remuneration",
            "illness ill sick sickness",
            "car cars vehicle vehicles",
            "fee fees charge charges price cost costs",
            "allowance entitlement",
        )
    ),
    roles=tuple(
        listed(group)
        for group in (
            "officer officers",
            "manager managers supervisor supervisors boss superior superiors",
            "head heads leader leaders",
            "director directors",
            "board boards",
            "committee committees",
            "council councils",
            "dean deans",
            "chair chairs chairman chairwoman chairperson chaired",
            "president presidents",
            "secretary secretaries",
            "counsel lawyer lawyers attorney solicitor legal",
            "registrar registry",
            "pharmacist pharmacists",
            "nurse nurses",
            "doctor doctors physician physicians consultant consultants gp",
            "auditor auditors audit",
            "commissioner commissioners",
            "ombudsman ombudsperson ombudswoman",
            "dispatcher dispatchers",
            "inspector inspectors",
        )
    ),
    name_joints=r"(?:of|for|and)\s+(?:the\s+)?",
    openers=listed(
        "a an the this that these those all any each every no some for in at on by of to from with if when where as"
    ),
    asks_yes_or_no="may|can|could|must|am|is|are|do|does|should|shall|need",
    verdicts={
        Modality.PERMISSION: "Permitted",
        Modality.PROHIBITION: "Not permitted",
        Modality.OBLIGATION: "Required",
        Modality.EXEMPTION: "Not required",
    },
    question=QuestionWords(
        asks="how|what|who|whom|whose|when|where|which|why",
        before="by|until|since|from|in|to|for|with|at|on|within|under|of|about|between|after",
        auxiliaries="is|are|was|were|am|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had|need",
        subjects="i|we|you|he|she|it|they|one|there|his|her|this|that|these|those|any|anyone|somebody|someone|everyone"
        "|employees?|staff|managers?",
        articles=listed("a an the my our your their"),
        persons=listed("who whoever i we you he she it they to"),
        particles="over|off|up|out|in|on|back|down|away|for|at|to|with|about",
        joins="but|as well as",
        also="also|then",
        compares=r"(?:please\s+)?compare|what(?:['’]s| is| are) the differences? between|how do(?:es)?"
        r"|(?:what|which) differences? (?:is|are) there between|differences? between",
        between=r"with|to|versus|vs\.?|against",
        links="for|of|on|in|under|from|when|during",
        opens="or|but|also|what about|how about",
        # "IT" is a department; "that" and "this" point only where no noun follows.
        points=r"it|its|they|them|their|theirs|he|she|him|her|these|those|[Tt]hat one|[Tt]his one|the same"
        r"|(?:[Tt]hat|[Tt]his)(?=\W*(?:$|\?|is|are|was|apply|applies|mean|means|include|includes|cover|covers|too|also))"
        r"|(?:[Ii]s|[Aa]re|[Dd]oes) (?:that|this|these)(?= \w+\W*$)",
        supposes="(?:what|even|only) if|suppos(?:e|ing)(?: that)?|assuming(?: that)?",
        being=r"(?:i|we|you|they|he|she|it|there)(?:['’](?:m|re|s)|\s+(?:am|are|is|was|were))",
        requests=listed("would could may might must shall ought please tell explain describe say mean us one"),
        any_policy=listed(
            "policy policies rule rules document documents guideline guidelines regulation regulations procedure "
            "procedures process processes follow comply apply applies applicable deadline deadlines limit limits "
            "exception exceptions approval approve approves approved requirement requirements required need "
            "needed responsible responsibility contact form forms penalty penalties consequence consequences "
            "happen happens allowed permitted must may should can could would shall scope purpose owner version "
            "current valid force effective definition definitions step steps much many long time say tell explain "
            "mean here this that it one thing things"
        ),
    ),
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
        goes_on=r"did|do|does|was|were|had|has|have|is|are|could|must|may|should|can|if|for|on|in|of|to|under|by|at|from"
        r"|with|while|any|\w+ed",
    ),
    asks_time=r"how (?:long|often|soon|early|late|quickly|fast|old|frequently|recent(?:ly)?)"
    r"|how many (?:\w+ ){0,2}(?:seconds|minutes|hours|days|weeks|months|years)"
    r"|how (?:far|much|long) (?:ahead|in advance|beforehand|before|notice|warning|time|longer)"
    r"|(?:until|till|by|since|from) when"
    r"|when (?:do|does|did|am|is|are|was|were|will|must|can|may|should|shall|has|have)"
    r"|(?:what|which) (?:date|day|time|month|deadline)|deadline|time limit",
    asks_number=r"how (?:many|much|few|high|low|large|big|far)|at most|at least"
    r"|highest|lowest|largest|smallest|maximum|minimum|ceiling|upper limit"
    r"|(?:what|which)(?:['’]s| is| are)?(?: the| our| my)?(?: [\w-]+){0,2}? (?:share|percentage|percent|amount|number"
    r"|score|sum|fees?|rate|price|limits?|thresholds?|cap|allowance|budget|size|length)|cost",
    asks_meaning="what (?:is|are)(?: meant by)?|what['’]s|what do(?:es)?|what counts? as|definition of|define",
    defines="means?|shall mean|refers? to|(?:is|are) defined as|denotes?|(?:is|are) (?:an?|the|any|every)",
    timing="immediately|at once|without (?:undue )?delay|daily|weekly|monthly|quarterly|annually|yearly"
    "|every (?:day|week|month|quarter|year)",
    courtesies=(
        r"hi|hello|hey|hiya|good (?:morning|afternoon|evening|day|night)|many thanks|thanks|thank you|thx|cheers|"
        r"bye|goodbye|see you|a lot|(?:so|very) much|in advance|again|for (?:your|the|all your) (?:help|time|answer)|"
        r"there|all|team|everyone|ok|okay|great|perfect|wonderful|got it|that(?:['’]s| was| is) (?:all|helpful|great)"
    ),
    everyday=listed(
        "bring wear get take give go come use want like need keep let put make find try start stop happen happens ask "
        "know think see say tell mean got eat drink buy sell pay hire own somebody someone anybody anyone something "
        "live anything everybody colleague boss guy thing things kind stuff lot way really still ever already instead "
        "maybe please wondering hello thanks going gone went coming came taken took given gave made done along around "
        "apart aside together ahead forward through "
        "show list cite look describe compare fast quickly frequently far big large high low early late question answer"
    ),
    asking=listed(
        "many much long often soon time when where which who what why how may must should can could would shall need "
        "get needed allowed happen happens apply applies exactly else else's mean means please tell explain"
    ),
    telling_when=listed("ago today yesterday tomorrow now currently recently next previous earlier later since until"),
)
