"""What documents in German call themselves and their parts."""

from policy_rag_parsers.text.lexicon.line_words import LineWords
from policy_rag_parsers.text.lexicon.record import DocumentWords, listed
from policy_rag_parsers.text.lexicon.reference_words import ReferenceWords
from policy_rag_parsers.text.lexicon.title_block_words import TitleBlockWords

GERMAN_DOCUMENT = DocumentWords(
    units={
        "book": "buch",
        "title": "titel",
        "part": "teil",
        "chapter": "kapitel",
        "division": "abschnitt unterabschnitt",
        "article": "artikel",
        "clause": "ziffer/ziff punkt nummer/nr",
    },
    back_matter="anlage anhang",
    forms="anlagen/anlage anhänge/anhang anhängen/anhang kapiteln/kapitel teile/teil teilen/teil "
    "abschnitte/abschnitt abschnitten/abschnitt abschnitts/abschnitt artikeln/artikel",
    first="erste[rs]?",
    ordinals=(
        "",
        *(
            f"{stem}r/{stem}s/{stem}"
            for stem in (
                *(
                    "zweite",
                    "dritte",
                    "vierte",
                    "fünfte",
                    "sechste",
                    "siebte",
                    "achte",
                    "neunte",
                    "zehnte",
                    "elfte",
                ),
                "zwölfte",
            )
        ),
    ),
    preamble=listed("präambel erwägungsgründe"),
    contents=frozenset(("inhalt", "inhaltsverzeichnis", "inhaltsübersicht", "auf dieser seite")),
    reference_words=ReferenceWords(
        inside="absätzen?|absatz|abs|unterabsatz|unterabs|uabs|nummern?|nr|ziffern?|ziff|buchstaben?|buchst|lit"
        "|sätze|satz|s|halbsatz|hs",
        of=r"der|des|von(?! de[rmn]\b)",
        the="die|der|des|dem|den",
        this="dies(?:er|es|em)|vorliegenden?",
        and_=r"und|oder|sowie|bzw\.?|beziehungsweise",
        to="bis zu|bis",
        amounts="prozent|stunden?|tagen?|wochen?|monaten?|jahren?",
        leads="gemäß|nach|siehe|vgl\\.?",
        behind="sag(?:t|en)|regel[nt]|besag(?:t|en)|steh(?:t|en)|gilt|gelten|enthält|enthalten|Absatz|Abs|Satz|Nr"
        "|Nummer"
        "|Buchst(?:abe)?|lit|Unterabsatz",
    ),
    title_block=TitleBlockWords(
        control="dokument(?:enlenkung|information)",
        nouns="richtlinie|leitlinie|ordnung|regelung|fassung|vereinbarung|betriebsvereinbarung|dienstanweisung"
        "|dokument|satzung"
        "|version",
        pronouns="sie|es|er",
        this="diese[rs]?",
        articles="die|der|das",
        becomes="ist",
        begins=r"gültig (?:ab|seit|vom)(?: dem)?|gilt (?:ab|seit|vom)(?: dem)?|in kraft (?:ab|seit)(?: dem)?"
        r"|inkrafttreten|mit wirkung (?:vom|zum)",
        begins_before="(?:tritt|trat) (?:am|zum)",
        begins_behind="in kraft",
        periods=r"(?:in kraft|gültig(?:keit(?:sdauer|szeitraum)?)?|geltungs(?:dauer|zeitraum)|laufzeit)(?:\s?:)?"
        r"(?: vom)?",
        to="bis(?: zum)?",
        ends="gültig bis(?: zum)?|gilt bis(?: zum)?",
        ends_before="(?:tritt|trat) (?:am|zum|mit ablauf des)",
        ends_behind="außer kraft",
        as_of="(?:stand|ausgabe|ausgabestand)(?: vom)?",
        titled=r"(?:dokumenten?)?titel|bezeichnung|name des dokuments",
        versions=r"version|versionsnummer|rev\.?",
        issues="ausgabe|auflage|fassung|edition|revision",
        number=r"nr\.?|nummer|no\.?",
        counted=r"\.",
        dated="vom|von|aus",
        replaces="ersetzt|löst",
        replaced_labels="ersetzte (?:fassung|version|richtlinie)|vorgängerversion|vorversion"
        "|(?:vorherige|frühere|bisherige) (?:fassung|version)",
        replaced_by="(?:ersetzt|abgelöst) durch",
        joins="und",
        which="die|das",
        objects="die|das|den|unsere",
        old="bisherigen?|vorherigen?|früheren?|alle",
        draft="entwurf",
        titles=r"\w*richtlinien?|\w*leitlinien?|\w*ordnung(?:en)?|\w*vereinbarung(?:en)?|\w*anweisung(?:en)?",
        verbs="ist|sind|war|wird|werden|muss|müssen|kann|können|darf|dürfen|hat|haben|soll|sollen|gelten",
        clauses=r"der|die|das|alle|jede[rs]?|kein\w*",
    ),
    lines=LineWords(
        page=r"seite|s\.",
        page_of="von",
        joints=listed("von vom für zum zur nach"),
        ends=listed("der die das den dem des ein eine"),
        small=listed("im am bei durch auf zu"),
        opens="wenn|falls|sofern|soweit|dass|weil",
        finite=r"(?:darf|dürfen|muss|müssen|kann|können|soll|sollen|sollte|sollten|ist|sind|wird|werden|wurde|hat"
        r"|haben|gilt|gelten|erhält|erhalten)(?= [\w§]|$)",
        governs=r"darf|dürfen|muss|müssen|soll|sollen|kann|können|wird|werden|ist|sind|nicht|kein\w*|nie|nur|wenn"
        r"|falls"
        r"|außer|verboten|erlaubt|ausgenommen|ausnahmen?",
        limits="jedoch|es sei denn|ausgenommen|ausnahmen?|sonst|dies gilt (?:nicht|nur)",
        points_on=r"folgende[nrms]?(?! \w*(?:tag(?:e?s)?|woche|monats?|jahr(?:e?s)?)\b)|wie folgt"
        r"|nachstehend\w*|nachfolgend\w*|(?:siehe|tabelle|liste|übersicht) unten|unten(?=\W*\Z)"
        r"|(?<=\w )diese[nr]? \w+(?: \w+)?(?=\W*\Z)",
        doers="wir|sie|niemand",
        does="zahlt|trägt|erstattet|umfasst|prüft",
        never_last=listed(
            "z.b d.h u.a i.d.r i.s.d i.v.m bzw vgl ca ggf ggfs inkl exkl evtl evt bspw sog zzgl abzgl max min "
            "mind hrn gem lt einschl einschließl ausschl ausschließl insb insbes bzgl diesbzgl bezgl betr ggü "
            "entspr grds lfd urspr stellv gez zt zzt Fa dipl ing dipl.-ing dipl.-kfm med jur"
        ),
        before_number=listed(
            "nr nrn abs uabs unterabs halbs hs ziff lit rn rdnr rz tz anl anh kap bd pkt rd abb anm febr okt dez"
        ),
        often_inside=listed(
            "usw usf dgl bsp ff Hr Fr abt vors hrsg tel geb verh std mio mrd tsd stk mwst ust aufl ausg allg amtl "
            "dt bez unbez mtl tägl wöchentl monatl jährl öffentl schriftl mündl persönl gesetzl vertragl betriebl "
            "dienstl tarifl steuerl zusätzl"
        ),
        ranking=listed(
            "der die das dem den des im am zum zur vom beim jeder jede jedes jedem jeden dieser diese dieses "
            "diesem "
            "diesen ihr ihre ihrem ihren ihrer ihres sein seine seinem seinen seiner seines unser unsere unserem "
            "unseren ein eine einem einen einer eines kein keine keinem keinen keiner"
        ),
        ranked=r"\w{0,24}(?:tag(?:e?s)?|montags?|mittwochs?|samstags?|sonnabends?|monate?s?|woche|jahr(?:e?s)?|jahrhunderts?"
        r"|quartals?|trimesters?|semesters?|klasse|stocks?|stockwerks?|etage|geschoss|schicht|instanz|hälfte"
        r"|halbzeit"
        r"|mahnung|auflage|ausgabe|fassung|nachtrags?|lesung|wahl|stunde|minute|grades|vorsitzende[rnms]?)",
        numbered=r"ziffer|nummer|nr\.|abs\.|absatz|satz|artikel|art\.|abschnitt|kapitel|teil|anlage|anhang|stufe"
        r"|punkt|seite"
        r"|version|gruppe",
        starters=listed("der die das ein eine es er sie wir dies diese dieser wenn alle jede jeder nur auch"),
        breadcrumb="(?:zum )?seitenanfang|nach oben|zum (?:haupt)?inhalt(?: springen)?"
        "|(?:nicht)?amtliches inhaltsverzeichnis",
        states="gültig|gilt|kraft|genehmigt|ersetzt",
        defining="begriff|glossar",
        terms="begriffe?",
        means="bedeutet|bezeichnet|meint",
        is_="ist|sind",
        called="im folgenden|kurz",
        excepts=r"vorbehaltlich|ungeachtet|unbeschadet|abweich\w*|ausnahme\w*|ausgenommen|befrei\w*",
        excepts_from="vorbehaltlich|ungeachtet|unbeschadet|abweichend von|ausgenommen von",
        not_applied=r"(?:gilt|gelten)(?: \w+){0,4} nicht|findet(?: \w+){0,4} keine anwendung",
        refrains="nicht",
        passive="werden|worden",
        defined_in="im sinne(?: de[rs]| von)?|definiert in|definition(?:en)? (?:in|nach)",
        replaced="(?:wird|werden) (?:hiermit )?(?:ersetzt|aufgehoben)",
        about="Was ist zu „{}“ geregelt?",
        meaning="Was bedeutet „{}“?",
        empty_titles="begriffe|definitionen|allgemeines|schlussbestimmungen|sonstiges|inhalt|anhang|präambel",
        kinds=r"\w*(?:regelung(?:en)?|handbuch|satzung|leitfaden|merkblatt|kodex)",
        rule_words=listed(
            "sollte sollten sollen soll wird werden wurde wurden worden sein ist sind gilt gelten abschnitt "
            "abschnitte absatz absätze satz ziffer "
            "artikel kapitel teil anlage anhang paragraph sowie bzw gemäß nach jeweils insbesondere sofern soweit "
            "innerhalb mindestens höchstens spätestens fall fälle ein eine zwei drei vier fünf sechs sieben acht "
            "neun "
            "zehn elf zwölf erste zweite dritte beim"
        ),
    ),
)
