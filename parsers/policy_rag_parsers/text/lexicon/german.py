"""The words of German."""

from policy_rag_parsers.text.lexicon.answer_words import AnswerWords
from policy_rag_parsers.text.lexicon.day_words import DayWords
from policy_rag_parsers.text.lexicon.frequency_words import FrequencyWords
from policy_rag_parsers.text.lexicon.german_document import GERMAN_DOCUMENT
from policy_rag_parsers.text.lexicon.naming_words import NamingWords
from policy_rag_parsers.text.lexicon.question_words import QuestionWords
from policy_rag_parsers.text.lexicon.record import BoundWords, Lexicon, Modality, listed
from policy_rag_parsers.text.lexicon.reply_words import ReplyWords
from policy_rag_parsers.text.lexicon.time_words import TimeWords
from policy_rag_parsers.text.lexicon.wanting_words import WantingWords

_MORE = "(?: (?:mehr|länger)(?! als))?"
_UP_TO = r"(?:(?!(?:darf|dürfen|kann|können|muss|müssen|soll|sollen) )\w+ ){0,6}?"

GERMAN = Lexicon(
    language="german",
    code="de",
    document=GERMAN_DOCUMENT,
    times=TimeWords(
        numbers="ein(?:e[mnrs]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|vierzehn|zwanzig|dreißig",
        kinds="volle[nr]?|ganze[nr]?",
        units="minuten?|stunden?|(?:arbeits|werk|kalender)?tag(?:e[ns]?)?|wochen?|monat(?:e[ns]?)?|jahr(?:e[ns]?)?",
        money="franken|prozent",
        within=r"innerhalb(?:\svon)?|binnen",
        latest="spätestens",
        latest_on=r"(?:am|bis|zum|nach)(?:\s(?:zum|den))?|den",
        behind="vorher|danach",
        at_least="mindestens",
        ahead="vor",
        early="vorher",
        by=r"bis\szum|vor\sdem",
        until="bis",
        points=r"\d{1,2}\.\s(?:(?:arbeits|werk|kalender)?tag(?:\s(?:des|der|eines|einer|jeden)\s\w+)?|des\s\w+)\b",
        at_once="unverzüglich",
        same_day=r"(?:am|noch\sam|bis\szum\sende\sdes)\s(?:selben|gleichen)\s(?:arbeits|werk|kalender)?tag(?:e?s)?",
        next_day=r"(?:am|bis\szum(?:\sende\sdes)?|bis\sende\sdes|spätestens\sam)\s(?:nächsten|folgenden|darauffolgenden)"
        r"\s(?:arbeits|werk|kalender)?tag(?:e?s)?",
    ),
    month_names={"jänner": 1, "feber": 2, "mrz": 3, "sep": 9},
    numbers={
        "zweimal": 2,
        "dreimal": 3,
        "viermal": 4,
        "anderthalb": 1.5,
        "eineinhalb": 1.5,
        "zweieinhalb": 2.5,
        "dreieinhalb": 3.5,
        "viereinhalb": 4.5,
    },
    halves=listed("halbe halber halbes halben halbem"),
    no_numbers=listed("ein eins null"),
    articles=listed("ein eine einen einem einer eines je pro"),
    before_one=listed("innerhalb binnen nach bis als mindestens höchstens in vor unter"),
    determiners=listed("der die das dem den des im am zum zur vom beim ab bis jede jeder jedes einen einer eine ein"),
    before_figure=listed("bis zu höchstens mindestens nach von um über ab jedoch aber insgesamt jeweils"),
    doubtful_ordinals=r"\w+",
    before_day=listed("am bis zum vom ab seit den dem vor und spätestens"),
    units={
        "%": "% prozent",
        "eur": "€ eur euro euros",
        "usd": "$ usd dollar",
        "gbp": "£ gbp pfund",
        "chf": "chf franken",
        "hour": "stündig stündige stündigen stündiger stündiges",
        "day": "tagen tages tägig tägige tägigen tägiger tägiges",
        "week": "wöchig wöchige wöchigen wöchiger wöchiges",
        "month": "monaten monats monatig monatige monatigen monatiger monatiges",
        "year": "jahren jahres jährig jährige jährigen jähriger jähriges",
        "working day": "arbeitstag arbeitstage arbeitstagen werktag werktage werktagen",
        "calendar day": "kalendertag kalendertage kalendertagen",
        "km": "km kilometern",
        "mg": "mg",
        "g": "g",
        "kg": "kg",
        "ml": "ml",
    },
    hundredths={"cent": "cent", "ct": "cent"},
    scales={
        "tausend": 1e3,
        "tsd": 1e3,
        "million": 1e6,
        "millionen": 1e6,
        "mio": 1e6,
        "milliarde": 1e9,
        "milliarden": 1e9,
        "mrd": 1e9,
    },
    bounds=BoundWords(
        least=r"mindestens|wenigstens|zumindest|(?:mehr|länger|größer|höher|älter|später) als|über|oberhalb(?: von)?|ab"
        r"|nach|nach ablauf(?: von)?|frühestens|jenseits(?: von)?",
        most=r"höchstens|maximal|längstens|bis(?: zu| zum)?|innerhalb(?: von)?|binnen|innert"
        r"|spätestens(?: nach| bis(?: zum)?)?|(?:weniger|kürzer|kleiner|geringer|niedriger|jünger|früher) als"
        r"|unter|unterhalb(?: von)?|begrenzt auf",
        from_date="seit|vom",
        until_date="vor",
        negation=r"(?:\bnicht|\bkeine?\w?) ",
        between="zwischen",
        is_most=r"maximum|maximal\w*|höchst\w+|obergrenze|limit",
        is_least=r"minimum|minimal\w*|mindest\w+",
        tells="beträgt|betragen|ist|sind|bei",
        least_behind=r"(?:oder|und) (?:mehr|darüber|höher|länger|später|älter)|mindestens|überschreit\w+|übersteig\w+",
        most_behind=r"(?:oder|und) (?:weniger|darunter|niedriger|kürzer|früher|jünger)|höchstens|maximal|spätestens"
        r"|unterschreit\w+",
        filler="am|an|dem|den|der|die|das|zum|von|vom|einem|einer|jedoch",
        rest=r"weitere\w*|andere\w*|übrige\w*|(?:länger|größer|höher|kürzer|kleiner)e\w*|darüber|darunter|sonst",
    ),
    modals={
        Modality.EXEMPTION: rf"(?:muss|müssen|braucht|brauchen) {_UP_TO}(?:nie|niemals|keine?\w?"
        rf"|nicht(?! (?:später|länger|mehr|weniger|früher) als)){_MORE}"
        r"|(?:nicht|nie|niemals) (?:(?:mehr|länger|zwingend|unbedingt|dazu|hierzu) )?"
        r"(?:verpflichtet|erforderlich|notwendig|nötig|vorgeschrieben)"
        r"|keine?\w? [^.;:,]{0,40}(?:erforderlich|nötig|notwendig|verpflichtet)|(?:bedarf|bedürfen) (?:keine\w?|nicht)",
        Modality.PROHIBITION: rf"(?:darf|dürfen|kann|können) {_UP_TO}(?:nicht|nie|niemals|keine?\w*){_MORE}"
        r"|verboten|untersagt|unzulässig|(?:nicht|nie|niemals) (?:(?:mehr|länger|dazu|hierzu) )?"
        r"(?:gestattet|erlaubt|zulässig|zugelassen|berechtigt)"
        r"|(?:keine?\w?|niemand|nichts)\b[^.;:,]{0,60}?"
        r"\b(?:darf|dürfen|kann|können|(?:ist|sind) (?:dazu )?(?:gestattet|erlaubt|zulässig|zugelassen|berechtigt))",
        Modality.OBLIGATION: r"muss|müssen|verpflichtet|verpflichtend|erforderlich|notwendig|vorgeschrieben|bedarf"
        r"|bedürfen|(?:ist|sind|hat|haben) (?:\w+ ){0,8}?(?:zu \w+en"
        r"|(?:ab|an|auf|aus|bei|durch|ein|fest|her|hin|mit|nach|vor|zurück)zu\w+en)",
        Modality.ADVICE: "soll(?:te|ten|en)?|empfohlen",
        Modality.PERMISSION: "darf|dürfen|kann|können|berechtigt|gestattet|erlaubt|zulässig",
    },
    modal_words=listed(
        "muss müssen darf dürfen kann können soll sollte sollten sollen verpflichtet berechtigt gestattet erlaubt "
        "verboten untersagt"
    ),
    modal_verbs=r"darf|dürfen|muss|müssen|soll\w*|kann|können",
    negators=listed("nicht kein keine keinen keiner keinem nie niemals niemand"),
    comparisons=listed("später länger mehr weniger früher höher"),
    bans="verboten|untersagt",
    denials=r"nichts|kein\w*|weder|ausgeschlossen|unzulässig",
    only="nur|ausschließlich",
    except_="es sei denn|außer|ausgenommen",
    without="ohne|mangels",
    until="bis",
    if_="wenn|falls|sofern",
    when="soweit",
    relative=r"weil|da|obwohl|die|der|das|welche\w*",
    but="aber|während",
    however="jedoch|sonst",
    even_if="auch wenn|auch ohne|selbst wenn|ausnahmslos|unabhängig davon",
    always=r"nie|niemals|immer(?! noch)|stets|jederzeit|keinesfalls|in (?:jedem|keinem) fall|auf keinen fall"
    r"|unter (?:allen|keinen) umständen|ausnahmslos",
    after="nach",
    above=r"über|mehr als|länger als|überschreit\w+|übersteig\w+",
    below="unter|weniger als|kürzer als|vor",
    late=r"verf\w+|verspätet",
    and_=listed("und sowie"),
    or_=listed("oder"),
    all_=listed("alle allen aller jeder jede jedes sämtliche beide"),
    one=listed("einer einem einzige einziger"),
    yes="ja",
    no="nein",
    none="nein|keine?r?",
    no_such="kein",
    per="je|pro",
    in_full="(?:vollständig|voll|komplett|ganz|in voller höhe)(?= (?:bezahlt|gezahlt|erstattet|übernommen|vergütet))",
    frequency=FrequencyWords(
        each="jede[rsnm]?|alle",
        other="zweite[nrs]?",
        once={"einmal": 1},
        times="mal",
        per="pro|je|im|am|in der|jede[rsn]?",
        adverbs={"stündlich": "1 hour", "täglich": "1 day", "wöchentlich": "1 week", "monatlich": "1 month"}
        | {"vierteljährlich|quartalsweise": "3 month", "halbjährlich": "6 month", "jährlich": "1 year"},
        periods={"quartale?|quartals": "3 month", "halbjahre?": "6 month", "nächte|nacht": "1 day"},
    ),
    to_="bis|und",
    prepositions="bei|für|im|am|an|auf|mit|nach|vor|ab|in",
    front="bei|für|über|im|am|an|auf|mit|ohne|nach|vor|ab|pro|je|wenn|falls|wer|zur|zum|aus|von|in",
    object_first=r"den|dem|einen|einem|[\w-]+en?(?= \w+t d(?:er|ie|as)\b)",  # "Reisen genehmigt die Leitung"
    verbs="ist|sind|war|wird|werden|hat|haben|darf|dürfen|muss|müssen|soll|sollen|kann|können|beträgt|betragen|gilt"
    "|gelten|dauert|dauern|kostet|kosten|erhält|erhalten|bekommt|bekommen|beginnt|endet|verfällt",
    references=r"abschnitte?s?|ziffern?|artikels?|absatz|absätze|nummern?|nr|art|abs|ziff|anlagen?|anhang|kapitel|version",
    vague_nouns=listed(
        "frist zeitraum dauer zeit höchstbetrag betrag höhe grenze obergrenze wert anzahl zahl höchstdauer mindestens "
        "mitarbeiter mitarbeiterin mitarbeiterinnen mitarbeitende mitarbeitenden beschäftigte beschäftigten "
        "arbeitnehmer arbeitnehmende personen angestellte firma unternehmen "
        "richtlinie abschnitt regel dokument ziffer absatz ja nein "
        "grundsätzlich normalerweise üblicherweise gewöhnlich generell typischerweise"
    ),
    measures=("frist", "dauer", "zeitraum", "zeit", "betrag", "grenze", "höhe", "satz", "pauschale", "kosten"),
    synonyms=(
        listed("urlaub ferien"),
        listed("gehalt lohn entgelt vergütung"),
        listed("auto autos pkw wagen fahrzeug"),
    ),
    forms=tuple(
        tuple(group.split())
        for group in (
            "verlieren verliere verliert verlor verloren verlust verluste",
            "stehlen stiehlt gestohlen diebstahl",
            "brechen bricht gebrochen bruch",
            "fliegen fliege fliegt geflogen flug flüge",
            "fahren fahre fährt gefahren fahrt fahrten",
            "sterben stirbt gestorben tod todesfall",
            "heiraten heirate heiratet hochzeit eheschließung",
            "umziehen umziehe umzieht umgezogen umzug",
            "schreiben schreibt geschrieben",
            "sprechen spricht gesprochen",
            "nehmen nehme nimmt genommen",
            "geben gebe gibt gegeben",
            "bringen bringe bringt gebracht",
            "trinken trinke trinkt getrunken",
            "beginnen beginne beginnt begonnen",
            "helfen hilft geholfen hilfe",
        )
    ),
    roles=tuple(
        listed(group)
        for group in (
            "vorstand vorstands vorstandes vorständen",
            "vorgesetzte vorgesetzten vorgesetzter führungskraft führungskräfte",
            "geschäftsführung geschäftsführer geschäftsführerin geschäftsleitung",
            "leiter leiterin leitung",
            "beauftragte beauftragten beauftragter",
            "betriebsrat betriebsrats betriebsrates",
            "ausschuss ausschusses kommission",
        )
    ),
    titles=r"Herrn?|Frau|Dr\.|Prof\.|Professor(?:in)?",
    agent="von|vom|durch",
    decides=r"genehmig\w*|freigegeben|freizugeben|gibt|bewillig\w*|entscheid\w*|entschieden|zustimm\w*|unterschr\w*|unterzeichn\w*",
    aims=r"ziel(?:e|wert\w*)?|bemüh\w*|streb\w*|angestrebt|möglichst|in der regel|normalerweise|üblicherweise",
    of_any_kind=r"(?:jeder|jeglicher|aller) art|einschließlich|inklusive",
    asks_yes_or_no="darf|dürfen|kann|können|könnte|muss|müssen|bin|ist|sind|brauche|brauchen",
    verdicts={
        Modality.PERMISSION: "Erlaubt",
        Modality.PROHIBITION: "Nicht erlaubt",
        Modality.OBLIGATION: "Vorgeschrieben",
        Modality.EXEMPTION: "Nicht vorgeschrieben",
    },
    question=QuestionWords(
        asks="wie|was|wer|wen|wem|wessen|wann|wo|wohin|woher|wofür|welche[rnsm]?|warum|wieso|wieviele?",
        before="bis|seit|ab|in|zu|für|mit|an|von|bei|nach|durch|gegenüber|innerhalb|über|auf|aus|unter|vor",
        auxiliaries="ist|sind|war|hat|habe|haben|darf|dürfen|muss|müssen|kann|können|soll|sollen|wird|werden|gibt"
        "|brauche|brauchen|braucht|benötige|benötigen",
        subjects=r"ich|wir|man|es|sie|er|jemand|mein\w*|unser\w*|ein\w*",
        articles=listed(
            "der die das den dem des ein eine einen einem einer mein meine meinen meinem meiner unser unsere unseren "
            "unserem unserer"
        ),
        persons=listed("wer ich wir du ihr er sie es man zu"),
        particles="ab|an|auf|aus|ein|mit|vor|zurück",
        joins="sowie",
        also="auch",
        compares="vergleiche(?:n sie)?|was ist der unterschied zwischen",
        between="mit",
        links="für|von|bei|in",
        of_each="was (?:ist|sind)(?: mit)?|was (?:passiert|geschieht) mit|was wird aus"
        "|wie (?:hoch|lange?|groß) (?:ist|sind)",
        opens="oder|aber|auch|wie ist es(?: mit)?|was ist mit|wie sieht es (?:mit|bei)",
        points="davon|dafür|[Dd]ies(?:e|er|es)?",
        supposes="was(?: ist)?,? wenn|angenommen,?",
        being=r"(?:ich|wir|sie|er|es)\b.{0,60}\b(?:bin|ist|sind|wäre|bist)",
        requests=listed("darf dürfen muss müssen soll sollen kann können bitte sagen erklären heißt"),
        any_policy=listed(
            "richtlinie richtlinien regel regeln regelung dokument befolgen gelten gilt frist fristen grenze ausnahme "
            "ausnahmen genehmigung verantwortlich zuständig zweck geltungsbereich version muss darf soll kann hier "
            "dies erlaubnis nachweis"
        ),
        procedural=listed(
            "nötig notwendig erforderlich verpflichtend vorgeschrieben pflicht genehmigen genehmigt "
            "genehmigungspflichtig zustimmen zustimmt zustimmung erlauben erlaubt beleg belege quittung quittungen "
            "nachweise nachweisen melden meldet gemeldet meldung meldepflichtig anzeigen angezeigt informieren "
            "informiert mitteilen mitgeteilt registrieren registriert angeben angegeben offenlegen offengelegt "
            "befreiung befreiungen befreit unterschreiben unterschreibt unterschrift entscheiden entscheidet "
            "entschieden folge folgen konsequenz konsequenzen strafe strafen droht passiert geschieht vergesse "
            "vergisst vergessen verpasse verpasst versäume versäumt versäumen"
        ),
        breaking=listed(
            "breche bricht brechen gebrochen verstoße verstößt verstoßen verstoß verstöße verletze verletzt verletzen "
            "missachte missachtet missachten ignoriere ignoriert ignorieren befolge befolgt einhalte einhält einhalten"
        ),
    ),
    answers=AnswerWords(
        nearest="Der Text, der am nächsten kommt; er beantwortet die Frage vielleicht nicht:",
        refused="Die gefundenen Richtlinien beantworten diese Frage nicht.",
        near_miss="Vielleicht behandeln sie das Thema: siehe die Abschnitte, die am nächsten kommen.",
        part_refused="Die gefundenen Richtlinien beantworten diesen Teil nicht.",
        not_borne_out="Nichts von dem, was das LLM geschrieben hat, ist durch das belegt, was es anführt.",
        wrote_nothing="Das LLM hat nichts geschrieben.",
        may_answer="Die gefundenen Abschnitte könnten die Frage beantworten.",
        courtesy="Was möchten Sie aus den Richtlinien wissen?",
        which="Mehrere Richtlinien könnten gemeint sein. Nach welcher fragen Sie?",
        otherwise="Eine andere Richtlinie sagt etwas anderes",
        unmentioned="Keine Richtlinie hier erwähnt {words}.",
        unmentioned_now="Keine geltende Richtlinie erwähnt {words}.",
        or_="oder",
        no_such_language="Die Frage ist auf {asked} gestellt, und keine Richtlinie hier ist es: fragen Sie auf {held}.",
        no_clause="{clause} gibt es nicht in {titles}",
        readable="den Richtlinien, die hier gelesen werden dürfen",
        section_shown="gezeigt wird Abschnitt {number}",
        other_law="{clause} gehört zu {law}, und das ist keine der Richtlinien hier",
        in_force="{policy} gilt{days}: fragen Sie mit --as-of {day}",
        was_in_force="{policy} galt{days}: fragen Sie mit --as-of {day}",
        version="Version {number}",
        no_version="ohne Version",
        since="vom {day} an",
        no_begin="ohne Angabe eines Beginns",
        until="bis {day}",
        no_end="ohne Angabe eines Endes",
        against="{one} gegen {other}",
    ),
    days=DayWords(
        in_force="in kraft|gültig|galt(?:en)?|gilt|stand(?: vom)?",
        at="am|im|in|während",
        onward="ab(?: dem)?|vom",
        by="zum",
        before="vor(?: dem)?",
        the="dem",
        year=r"(?:ganzen\s+)?\w{0,12}jahre?|frühjahr|sommer|herbst|anfang|mitte|ende",
        past_year="(?:galt(?:en)?|war(?:en)?|hatten?|wurden?|mussten?|durften?|konnten?|betrug(?:en)?)(?: das| dies)?",
        past="galt(?:en)?|gegolten|war(?:en)?|hatten?|wurden?|mussten?|durften?|konnten?|sollten?|betrug(?:en)?|gab",
        present=r"gilt|gelten|ist|sind|darf|dürfen|muss|müssen|kann|können|soll|sollen|wird|werden|hat|haben|bekomme\w*"
        r"|brauche\w*",
        past_begins="galt|war(?:en)?|hatten?|wurden?|mussten?|durften?|konnten?",
        coming_begins=r"wird|werden?|darf|dürfen|muss|müssen|kann|können|gilt|gelten|habe[nt]?|bekomme\w*",
        tellers=r"ich|wir|mein\w*|unser\w*",
        conditions="wenn|falls|weil|nachdem|seit|bis|als",
        goes_on=r"war(?:en)?|galt(?:en)?|hatten?|wurden?|mussten?|durften?|konnten?|für|bei|zu[rm]?|auf|mit|von|nach"
        r"|im|in"
        r"|an|noch|gültig|ge\w+|\w+(?:iert|tet)",
    ),
    asks_time=r"wie (?:lange|oft|schnell|früh|spät|bald|alt|häufig|kurzfristig)"
    r"|wie viele? (?:\w+ ){0,2}(?:sekunden|minuten|stunden|tage|wochen|monate|jahre)|wann"
    r"|(?:welche[mnrs]?|was für eine) (?:frist|datum|tag|zeit|uhrzeit|monat|zeitraum)",
    asks_amount=r"wie (?:viel|hoch|teuer)\b.{0,60}\b(?:\w*kosten|kostet|\w*preise?|\w*gebühr(?:en)?|bußgeld(?:er)?"
    r"|\w*s[aä]tze?|ausgeben)|was\b.{0,60}\b(?:kostet|kosten)"
    r"|welche[mnrs]?(?: \w+)? (?:\w*preise?|\w*gebühr(?:en)?|\w*kosten)"
    r"|wie ?viele (?!(?:mal|male|davon|von|in|pro|ist|sind|hat|habe|haben|darf|dürfen|muss|müssen|kann|können|soll"
    r"|sollen|werden|ich|wir)\b)\w+",
    lasting=r"\w*minuten|\w*stunden|\w*tagen?|\w*nächten?|\w*wochen?|\w*wochenenden?|monaten?|jahren?|\w*zeit(?:en)?"
    r"|\w*urlaub\w*|\w*ferien|\w*pausen?|\w*fristen?|abwesenheit(?:en)?|\w*krank\w*|frei|\w*schichten?|\w*verlängerungen?",
    asks_number=r"wie ?viele?|wie (?:hoch|groß|weit|teuer)|höchstens|mindestens|maximal|minimal"
    r"|(?:welche[mnrs]?|(?:was|wie) (?:ist|sind|lautet|lauten) (?:der|die|das))(?: \w+)? (?:betrag|beträge|anzahl|zahl"
    r"|höhe|summe|anteil|höchstbetrag|\w*grenzen?|prozentsatz|gebühr(?:en)?|preis|größe|länge)|kostet|kosten",
    asks_meaning="was (?:ist|sind|bedeute[nt]|heißt|gilt als|zählt als|versteht man unter)|definition (?:von|des|der)",
    defines="bezeichne[nt]|bedeute[nt]|steh(?:t|en) für|(?:ist|sind) (?:eine?|der|die|das|jede[rs]?)"
    "|(?:wird|werden) definiert als",
    timing=r"bis (?:zum|zur|der|die|das|auf weiteres|ende|anfang|mitte)"
    r"(?! (?:\w*betrag|\w*grenze|\w*wert|höhe|stufe|maximum|limit)\b)"
    r"|unverzüglich|sofort|umgehend|täglich|wöchentlich|monatlich|vierteljährlich|jährlich"
    r"|jede[mnrs]? (?:tag|woche|monat|quartal|jahr)",
    courtesies=(
        r"hallo|hi|guten (?:morgen|tag|abend)|moin|servus|grüß gott|vielen dank|danke?|herzlichen dank|sch[öo]n|sehr|"
        r"tschüss|auf wiedersehen|bis bald|für (?:die|ihre|deine) (?:hilfe|antwort|auskunft)|super|prima|alles klar|"
        r"ok|okay|zusammen|das war(?:['’]s| alles)|im voraus"
    ),
    everyday=listed(
        "bringen mitbringen tragen nehmen geben gehen kommen machen finden brauchen bekommen kriegen wissen denken "
        "sagen fragen essen trinken kaufen jemand irgendwas etwas eigentlich bitte danke kollege kollegen chef sache "
        "personalabteilung zeigen zeige zeig nennen nenne erklären erkläre schnell häufig hoch groß weit früh spät "
        "genau frage antwort wer wen wem wieviel wieviele tun tue tut los weg hin her zusammen"
    ),
    asking=listed(
        "wer wen wem wessen viel viele lange oft wann warum darf dürfen muss müssen kann können soll gilt gelten "
        "heißt bitte"
    ),
    telling_when=listed("heute gestern morgen jetzt derzeit aktuell neulich künftig früher später nächste letzte seit"),
    naming=NamingWords(
        kinds=listed("richtlinie leitlinie ordnung regelung vereinbarung betriebsvereinbarung dienstanweisung satzung"),
        generic=listed(
            "richtlinie regelung abschnitt ziffer absatz artikel punkt nummer sagt steht lautet regelt besagt bedeutet "
            "wortlaut zeige genau bitte dokument betriebsvereinbarung wer wem wen wann wo wie welche laut gemäß "
            "gilt gelten erlaubt verlangt verbietet verboten"
        ),
        place="laut|gemäß|nach|unter|aus|in|im",
        indefinite="eine?|keine?",
        says="sagt|regelt|erlaubt|verlangt|verbietet|steht",
        quotes="sagt|steht|stehen|lautet|lauten|besagt|regelt|regeln|wortlaut",
        elsewhere="nicht|außer",
        file="datei|dokument",
        old="alten?|vorige[nrm]?|vorherige[nrm]?|frühere[nrm]?|ehemalige[nrm]?",
        new="aktuellen?|neuen?",
        changes=r"gültig\w*|kraft|seit|ab wann|datum|fassung\w*|geändert",
        ends="bis|ersetzt|abgelöst",
        holds="tritt|treten|trat|gilt|gelten|galt|stand|noch|derzeit|aktuell",
        dates="datum",
        responsible=r"verantwort\w+|zuständig\w*|eigentümer\w*|eigner\w*|herausgeber\w*|herausgegeben|freigegeben"
        r"|genehmigt|verfasst|verfasser\w*|ansprechpartner\w*",
        departs=r"ausnahmen?|ausgenommen|abweich\w*|genehmig\w*|befrei\w*|verzicht\w*",
        about="über|zu[rm]?",
        for_="(?:für|als)(?: (?:alle |die )?externen?)?",
        at="am|im",
        by="von|aus",
        before_noun=r"der|die|das|den|dem|des|ein\w{0,2}|ist|sind|von|für|zu|mit|und|oder",
        also_called="auch genannt",
        hereinafter="im folgenden|nachfolgend|nachstehend",
    ),
    wanting=WantingWords(
        who="wer|wen|wem|wessen",
        when="wann",
        why="warum|wieso",
        how="wie|wo",
        which=r"welche\w*|was",
        summary=r"zusammenfass\w*|fasse|überblick|kernpunkte|gesamte[nrs]?",
        comparing=r"vergleich\w*|unterschied\w*|beide\w?",
        leads=r"(?:hallo|guten (?:tag|morgen)|liebe kolleg\w+)"
        "|(?:bitte|mal eine frage|kurze frage|eine frage)"
        "|(?:können|könnten|kannst|könntest) (?:sie|du|ihr) (?:mir |uns )?(?:bitte )?(?:sagen|erklären|mitteilen)"
        "|ich (?:möchte|würde gerne?|wollte) (?:gerne? )?(?:wissen|fragen)",
        whether="ob",
        please="bitte",
        thanks="bitte|danke",
        thanks_for="im voraus|sch[öo]n",
    ),
    reply=ReplyWords(
        names="abschnitte?|quellen?",
        inside="absatz|ziffer|artikel",
        sources="quellen",
        answer="antwort",
        partly="vollständig",
        regrets="leider",
        refuses=r"(?:die|diese|den) \w*\s?(?:abschnitte\w*|richtlinien?|dokumente?|texte?) [^.]{0,60}\b(?:nicht|keine?)"
        r"|(?:ich (?:weiß|kann)|(?:weiß|kann) ich) [^.]{0,40}\bnicht",
    ),
    excludes=r"(?:gilt|gelten)(?: \w+){0,4} nicht|nicht anwendbar|ausgenommen|ausgeschlossen|befreit|abweichend",
    takes_away="höchstens|davon|verfällt|verfallen|entfällt",
    leans=r"sie|er|es|diese[rsmn]?|dies|dabei|hierzu|dafür|dann|danach|\w+en sie (?:auch|außerdem|zusätzlich)",
    leans_within=r"(?:bitte )?\w+en sie (?:sie|ihn|es|dies)|[^,;:]{0,200} (?:dafür|hierfür)(?![^.]{0,200},)"
    r"|(?:wenn|falls|sofern|bei)\b[^,]*, \w+(?: sie)? (?:auch|außerdem|zusätzlich)",
    resumes="das|hiervon|dann",
    remainder="alles (?:andere|weitere|übrige|darüber)|der rest|das übrige|(?:alle|die) (?:anderen|übrigen)"
    "|(?:mehr|länger) als das",
    exceeding=r"darüber(?! hinaus)|(?:für |bei )?(?:größere|höhere|teurere|längere)\w* (?!als)\w+"
    r"|mehr(?= (?:muss|darf|ist|wird|kann|gibt)\b)"
    r"|(?:wenn|falls|sofern) (?:\w+ ){1,4}(?:mehr|länger|teurer|höher|größer)(?! als)(?: \w+){0,2},",
    elliptic=r"(?:darf|dürfen|muss|müssen|kann|können|gilt)(?:\s+(?:nicht|auch))?",
    steps=r"(?:diesen?|folgenden?|nachstehenden?)(?: \w+)? Schritten?",
    of_all="(?:eine[rms]?|alle|jede[rs]?|keine[rs]?) (?:der )?(?:folgende[nr]?|nachstehende[nr]?)",
    verb_prefixes=(
        *("zusammen", "zurück", "nieder", "unter", "durch", "über", "fest", "frei", "nach", "auf", "aus", "bei", "ein"),
        *("her", "hin", "los", "mit", "vor", "weg", "ab", "an", "um", "zu"),
    ),
    capital_nouns=True,
    compound_links=("", "s", "es", "n", "en", "e"),
)
