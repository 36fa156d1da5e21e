"""The words of English."""

from policy_rag_parsers.text.lexicon.day_words import DayWords
from policy_rag_parsers.text.lexicon.english_answers import ENGLISH_ANSWERS
from policy_rag_parsers.text.lexicon.english_document import ENGLISH_DOCUMENT
from policy_rag_parsers.text.lexicon.english_groups import ENGLISH_FORMS, ENGLISH_ROLES, ENGLISH_SYNONYMS
from policy_rag_parsers.text.lexicon.english_questions import ENGLISH_QUESTIONS
from policy_rag_parsers.text.lexicon.frequency_words import FrequencyWords
from policy_rag_parsers.text.lexicon.naming_words import NamingWords
from policy_rag_parsers.text.lexicon.record import BoundWords, Lexicon, Modality, listed
from policy_rag_parsers.text.lexicon.reply_words import ReplyWords
from policy_rag_parsers.text.lexicon.time_words import TimeWords
from policy_rag_parsers.text.lexicon.wanting_words import WantingWords

_AUXILIARY = "(?:must|shall|may|can|could|will)"
_NOT = (
    r"(?:not|never|no longer|\w*n't)"
    r"(?: (?:currently|presently|normally|generally|usually|ordinarily|typically|yet|also|therefore|otherwise))?"
)
_FREE = r"(?:allowed|permitted|entitled|eligible|authori[sz]ed(?= to\b))"

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

ENGLISH = Lexicon(
    language="english",
    code="en",
    document=ENGLISH_DOCUMENT,
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
        Modality.EXEMPTION: rf"need not|(?:{_AUXILIARY} )?{_NOT} (?:be )?"
        r"(?:required|obliged|obligated|mandatory|obligatory|compulsory|necessary)"
        r"|(?:not|never|no longer|\w*n't) (?:have to|need(?: to)?)|(?:never|no longer) (?:has|needs) to"
        r"|no (?:need|obligation) to|no\b[^.;:,]{0,40} (?:is|are) (?:required|needed|necessary)|optional",
        Modality.PROHIBITION: rf"(?:{_AUXILIARY} )?{_NOT} (?:be )?{_FREE}"
        rf"|{_AUXILIARY} (?:not|never|no longer|under no|in no (?:case|event)|at no time)|cannot|(?:ca|must|sha)n't"
        r"|prohibit(?:ed|s)?|forbidden|banned|ineligible"
        r"|(?:no|neither|nobody|none|nothing|not even)\b[^.;:,]{0,60}?"
        rf"\b(?:may|must|shall|can|(?:is|are) {_FREE})",
        Modality.OBLIGATION: r"must|shall|required|requires?|mandatory|obligatory|compulsory|obliged|obligated"
        r"|(?:has|have|needs?) to|(?:is|are) to",
        Modality.ADVICE: "should|ought|recommended|recommends?|encouraged|advised",
        Modality.PERMISSION: r"may|can|could|allowed|allows|permitted|permits|entitled|eligible|authori[sz]ed(?= to\b)",
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
    always=r"never|ever|always|invariably|in (?:any|every|all|no) (?:cases?|events?)|at (?:any|no|all) times?"
    r"|(?:in|under) (?:any|all|no) circumstances?|without exception",
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
