"""The words of French."""

from policy_rag_parsers.text.lexicon.answer_words import AnswerWords
from policy_rag_parsers.text.lexicon.day_words import DayWords
from policy_rag_parsers.text.lexicon.frequency_words import FrequencyWords
from policy_rag_parsers.text.lexicon.line_words import LineWords
from policy_rag_parsers.text.lexicon.naming_words import NamingWords
from policy_rag_parsers.text.lexicon.question_words import QuestionWords
from policy_rag_parsers.text.lexicon.record import BoundWords, DocumentWords, Lexicon, Modality, listed
from policy_rag_parsers.text.lexicon.reference_words import ReferenceWords
from policy_rag_parsers.text.lexicon.reply_words import ReplyWords
from policy_rag_parsers.text.lexicon.time_words import TimeWords
from policy_rag_parsers.text.lexicon.title_block_words import TitleBlockWords
from policy_rag_parsers.text.lexicon.wanting_words import WantingWords

_FREE = r"(?:autorisée?s?|permise?s?|admise?s?|éligibles?)"

FRENCH = Lexicon(
    language="french",
    code="fr",
    document=DocumentWords(
        units={
            "book": "livre",
            "title": "titre",
            "volume": "tome",
            "part": "partie",
            "chapter": "chapitre",
            "clause": "point",
        },
        back_matter="annexe",
        first="premier|premi[èÈ]re",
        ordinals=(
            *("préliminaire", "deuxième/second/seconde", "troisième", "quatrième", "cinquième", "sixième", "septième"),
            *("huitième", "neuvième", "dixième", "onzième", "douzième"),
        ),
        codes="LO|[LRDA]",
        preamble=listed("préambule considérants"),
        contents=frozenset(("sommaire", "table des matières", "sur cette page")),
        reference_words=ReferenceWords(
            inside="alinéas?|paragraphes?|points?|lettres?",
            of="du|des|de|d['’]",
            the="la|les|notre|l['’]",
            this="présente?s?|ce|cet|cette|ces",
            and_="et|ou",
            to="à|au",
            amounts="jours?|heures?|semaines?|mois|années?",
            leads="voir|selon|conformément (?:à|aux?)|en application d[eu]|visée?s? (?:à|aux?)|prévue?s? (?:à|aux?)"
            "|au titre d[eu]",
            behind="prévoi(?:t|ent)|dispose(?:nt)?|précise(?:nt)?|ci-dessus|ci-dessous|ci-après|alinéa|paragraphe",
        ),
        title_block=TitleBlockWords(
            control="(?:contrôle|maîtrise|informations?) (?:du|sur le|des) documents?",
            nouns="politique|document|règlement|charte|directive|procédure|code|manuel|norme|accord|convention|version",
            pronouns="elle|il",
            this="cette|cet|ce|la présente|le présent",
            articles="la|le",
            becomes="est|entre|entrera|entrée?|prend|prendra",
            begins=r"en vigueur(?: (?:à partir|à compter|à dater) du| depuis le| dès le| le| au| du)?"
            r"|(?:date d['’])?entrée en vigueur(?: le| au)?|date (?:d['’]effet|d['’]application)"
            r"|(?:applicable|valable|valide) (?:(?:à partir|à compter) du|depuis le|dès le|du)"
            r"|s['’]applique (?:(?:à partir|à compter) du|depuis le|dès le)|(?:avec )?effet (?:le|au)"
            r"|(?:avec )?effet (?:à partir|à compter) du",
            periods=r"(?:valable|valide|(?:(?:période|durée) de )?validité)(?:\s?:)?(?: du)?",
            to="au|jusqu['’]au",
            ends=r"(?:applicable|valable|valide|en vigueur) jusqu['’]au|expire(?: le)?"
            r"|date d['’]expiration|fin de validité",
            titled=r"titre(?: du document)?|intitulé",
            versions=r"version|numéro de version|version du document|rev\.?|rév\.?|indice de révision",
            issues="édition|révision",
            number=r"n[°º]|numéro",
            counted=r"re|e|è?me",
            dated="du|de|datée? du",
            replaces="(?:annule et )?remplace|remplaçant|abroge",
            replaced_labels="version (?:précédente|antérieure|remplacée)|document remplacé",
            replaced_by="remplacée? par",
            joins="et",
            which="qui|laquelle|lequel",
            objects="la|le|notre",
            old="précédente?s?|antérieure?s?|ancienn?e?s?|toute?s?|tous",
            draft="projet|brouillon",
            titles="politiques?|règlements?|chartes?|directives?|procédures?|codes?|manuels?|normes?"
            "|accords?|conventions?",
            verbs=r"(?-i:est(?!\.? \d)|sont|était|seront|ont|peut|peuvent)|sera|doit|doivent|devra|devront"
            r"|pourra|pourront",
            clauses="(?-i:le|la|les|un|une|chaque|tout|toute|tous|toutes|aucun|aucune)",
        ),
        lines=LineWords(
            page=r"page|p\.",
            page_of="sur|de",
            joints=listed("de du des d à au aux pour"),
            ends=listed("le la les un une avec sans sous"),
            small=listed("en dans par sur"),
            opens="si|lorsque|quand|que|qui|dont|parce que|sauf",
            counted="minutes?|fois|personnes?|salariés?",
            asks=r"ce qu(?:e\b|i\b|['’])",
            relates="qui",
            finite="(?-i:est|sont|était|seront|ont|peut|peuvent)|sera|doit|doivent|devra|devront|pourra|pourront"
            "|s['’]applique(?:nt)?",
            governs="ne|pas|jamais|aucune?|seulement|uniquement|si|sauf|sans|lorsque|interdite?s?|autorisée?s?"
            "|permise?s?"
            "|exclue?s?",
            limits="toutefois|cependant|néanmoins|sauf|à moins que|par exception|par dérogation|ceci ne s['’]applique",
            points_on=r"suivante?s|comme suit|ci-dessous|ci-après|(?<=\w )ces \w+(?=\W*\Z)",
            doers="nous|vous|chacun|quiconque|ils|elles",
            does="paie|prend en charge|rembourse|couvre|reçoit|décide|approuve|vérifie|demande",
            never_last=listed("ex c.-à-d env mme mlle mmes mlles MM"),
            before_number=listed("chap réf tél janv févr avr juil déc"),
            often_inside=listed("cie sté"),
            starters=listed(
                "il elle ils elles nous vous on ce cela si lorsque toutefois chaque aucun aucune seul voir"
            ),
            breadcrumb="(?:retour )?(?:en |au )?haut de (?:la )?page|(?:aller|passer) au contenu(?: principal)?",
            states="en vigueur|validité|approuvée?|remplace",
            defining="définition|glossaire|interprétation",
            terms="termes?|mots?|abréviations?",
            means="désigne(?:nt)?|signifie(?:nt)?|s['’]entend(?:ent)?|(?:est|sont) définie?s? comme",
            is_="est|sont",
            called="ci-après|ensemble|dénommée?s?|en abrégé",
            excepts="sous réserve|nonobstant|par dérogation|exception|sans préjudice",
            excepts_from="sous réserve de|nonobstant|par dérogation à|sans préjudice de",
            not_applied="(?:ne |n['’])s['’]applique(?:nt)? pas",
            refrains="ne (?:pas|jamais)",
            passive="être",
            defined_in="définie?s? (?:à|au|aux|par|dans)|au sens (?:de|du|des)",
            replaced="(?:est|sont) (?:remplacée?s?|abrogée?s?)",
            about="Quelles sont les règles sur « {} » ?",
            meaning="Que signifie « {} » ?",
            empty_titles="introduction|généralités|divers|autres|aperçu|contexte|sommaire|définitions?|interprétation"
            "|glossaire|contacts?|annexe|notes?|exemples?|préambule|historique"
            "|dispositions (?:générales|finales|diverses)",
            kinds="déclaration|avis|conditions",
            rule_words=listed(
                "article articles section chapitre paragraphe alinéa annexe cas conformément notamment ainsi "
                "ci-après présent présente règle règles applique appliquent applicable prévu prévue afin dont selon un "
                "deux trois quatre cinq six sept huit neuf dix premier première"
            ),
        ),
    ),
    times=TimeWords(
        numbers="deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|quinze|vingt|trente|quarante|soixante",
        kinds_behind="ouvrés?|ouvrables?|calendaires?|pleins|complets|entiers|consécutifs",
        units=r"minutes?|heures?|jours?|nuits?|semaines?|mois|trimestres?|ans|(?<=\bun\s)an|années?",
        money=r"centimes?|livres\ssterling|pour\s?cent",
        within=r"dans\s(?:un|le)\sdélai(?:\smaxim(?:um|al))?\s(?:de|d['’])|dans(?:\sles)?|sous|d['’]ici",
        latest=r"au\splus\stard",
        latest_on=r"le|la|à|dans\sles|dans\sun\sdélai\sde",
        behind="avant|après",
        at_least=r"au\smoins",
        ahead="avant",
        early=r"à\sl['’]avance|au\spréalable",
        by=r"avant(?:\sl[ea])?|jusqu['’](?:au|à(?:\sla)?)|d['’]ici(?:\s(?:le|au|à|la))?",
        points=r"midi|minuit|\d{1,2}\s?h(?:\s?\d{2})?\b"
        r"|(?:la\s)?fin\s(?:de\s(?:la\s|chaque\s|l['’])|du\s|de\s|d['’])\w+"
        r"|(?:le\s)?\d{1,2}\s(?:du|de\schaque)\s\w+",
        at_once=r"immédiatement|sans\sdélai|dès\sque\spossible|dans\sles\smeilleurs\sdélais",
        same_day=r"le\sjour\smême|le\smême\sjour|dans\sla\sjournée",
        next_day=r"(?:au\splus\stard\s)?(?:(?:avant|à)\sla\sfin\sdu|le)\s(?:lendemain"
        r"|(?:prochain\s)?jour\s(?:ouvré\s|ouvrable\s)?suivant|prochain\sjour\s(?:ouvré|ouvrable))",
    ),
    homonyms=listed("sept"),
    halves=listed("demi demie"),
    no_numbers=listed("un une zéro cent cents"),
    articles=listed("un une par"),
    before_one=listed("dans sous après avant moins plus de"),
    determiners=listed("le la les du au un une chaque sa son leur l"),
    before_figure=listed("jusqu à de au plus moins sous"),
    doubtful_ordinals="seconde?",
    before_day=listed("le du au"),
    units={
        "%": "%",
        "eur": "€ eur euro euros",
        "usd": "$ usd dollar dollars",
        "gbp": "£ gbp livre livres",
        "chf": "chf francs",
        "day": "journée journées",
        "year": "année années",
        "km": "km",
        "mg": "mg",
        "g": "g",
        "kg": "kg",
        "ml": "ml",
    },
    kinds_behind={"ouvrés": "working", "ouvrables": "working", "ouvré": "working", "calendaires": "calendar"},
    hundredths={"centime": "cent", "centimes": "cent"},
    scales={"mille": 1e3, "million": 1e6, "millions": 1e6, "milliard": 1e9, "milliards": 1e9},
    bounds=BoundWords(
        least=r"au moins|(?:au )?minimum|plus (?:de|tard que|longtemps que)|(?:supéri|postéri)eure?s? (?:à|aux?)"
        r"|au[- ]delà|(?:excède(?:nt)?|dépasse(?:nt)?)(?: pas)?|excédant|excéder|dépass(?:ant|er)"
        r"|à (?:partir|compter)|après|dès|au plus tôt",
        most=r"au (?:plus|maximum)|jusqu'(?:à|aux?)|dans (?:la|une) limite|dans un délai|dans les|sous|moins (?:de|d)"
        r"|(?:inféri|antéri)eure?s? (?:à|aux?)|avant|au plus tard|(?:plafonn|limit)ée?s? à|maximum",
        from_date="depuis",
        until_date="d'ici",
        negation=r"(?:\bpas|\bni|\bne)(?: (?:peut|peuvent|doit|doivent))? |\bn'",
        between="entre",
        is_most="maximum|limite|plafond",
        is_least="minimum",
        tells="est|sont|de",
        least_behind=r"(?:ou|et) (?:plus|au-delà|supérieure?s?)|au moins|au minimum",
        most_behind=r"(?:ou|et) (?:moins|inférieure?s?)|au plus|au maximum|au plus tard",
        filler="du|de|d'|la|le|les|des|un|une|l'",
        rest="autres?|au-delà",
    ),
    modals={
        Modality.EXEMPTION: r"(?:pas|plus|jamais) (?:(?:encore|normalement|généralement|forcément|nécessairement) )?"
        r"(?:besoin|obligée?s?|tenue?s?|obligatoires?|nécessaires?|requise?s?|exigée?s?)"
        r"|aucune? [^.;:,]{0,40}\bn'est (?:obligée?|tenue?|obligatoire|nécessaire|requise?|exigée?)"
        r"|facultati(?:f|fs|ve|ves)|dispensée?s?",
        Modality.PROHIBITION: r"(?:ne |n')(?:peut|peuvent|doit|doivent|pourra|pourront|devra|devront) (?:\w+ )?"
        r"(?:pas|plus|jamais|en aucun cas)|ne (?:peut|peuvent|pourra|pourront)(?![^.;:]* qu(?:e\b|['’]))"
        r"|ne faut (?:pas|plus|jamais)|(?:aucune?|personne|nul|nulle|rien)\b[^.;:,]{0,40}"
        rf"\b(?:ne (?:peut|doit|pourra|devra)|n'est {_FREE})"
        rf"|(?:pas|plus|jamais) (?:(?:encore|actuellement|normalement|généralement) )?(?:{_FREE}|(?:le )?droit)"
        r"|interdit(?:e|s|es)?|proscrit(?:e|s|es)?|prohibée?s?",
        Modality.OBLIGATION: r"doit|doivent|devez|devra|devront|dois|devons|(?:il )?faut|obligatoires?"
        r"|obligée?s?|tenue?s? (?:de|d)"
        r"|requise?s?|exigée?s?|nécessaires?",
        Modality.ADVICE: "devrait|devraient|recommandée?s?|conseillée?s?",
        Modality.PERMISSION: r"peut|peuvent|pouvez|pourra|pourront|puis-je|pouvons|autorisée?s?"
        r"|permise?s?|(?:a|ont) droit",
    },
    modal_words=listed(
        "doit doivent devez devra devront faut peut peuvent pouvez pourra pourront devrait devraient autorisé permis "
        "interdit obligatoire dois devons puis pouvons être"
    ),
    modal_verbs="doit|doivent|devra|devront|peut|peuvent|pourra|pourront|est|sont",
    negators=listed("pas non jamais aucun aucune ni rien nul nulle"),
    comparisons=listed("plus moins"),
    bans="interdit(?:e|s|es)?|prohibée?s?",
    denials=r"exclu\w*|interdit\w*|proscrit\w*",
    only=r"uniquement|seulement|n(?:e\b|['’])[^.;]{1,40}\bqu(?:e\b|['’])",
    except_="à moins que|à moins|sauf|hormis",
    besides="excepté",
    without="sans|à défaut de",
    until="jusque",
    if_="si|à condition",
    when="lorsque|lors",
    relative="qui|que",
    but="mais",
    however="toutefois",
    even_if=r"même (?:si|sans|pendant)|y compris|sans exception|quel(?:le)? que soit",
    always=r"jamais|toujours|en (?:aucun|tout) cas|dans tous les cas|en toutes? circonstances?|à tout moment"
    r"|sans exception",
    after="après",
    above=r"dépass\w+|excéd\w+|plus de|au-delà",
    below="moins de|inférieure?s? à|avant",
    late="perdue?s?",
    and_=listed("et"),
    or_=listed("ou"),
    all_=listed("tous toutes"),
    one=frozenset(),
    yes="oui",
    no="non",
    none="non|aucune?",
    no_such="aucun",
    per="par",
    in_full="intégralement|en totalité",
    frequency=FrequencyWords(
        each="chaque|tous les|toutes les",
        other="autre",
        once={},
        times="fois",
        per="par|chaque",
        adverbs={"quotidiennement": "1 day", "hebdomadairement": "1 week", "mensuellement": "1 month"}
        | {"trimestriellement": "3 month", "semestriellement": "6 month", "annuellement": "1 year"},
        periods={"nuits?": "1 day", "trimestres?": "3 month", "semestres?": "6 month"},
    ),
    to_="à|et",
    prepositions="pour|en|dans|avec|après|avant",
    front="pour|en|dans|avec|sans|après|avant|par|si|lors|lorsque|sous|à|au",
    verbs="est|sont|a|ont|peut|peuvent|doit|doivent|dure|durent|coûte|coûtent|reçoit|reçoivent|s'élève|s'élèvent",
    references="sections?|articles?|art|paragraphes?|chapitres?|annexes?|points?|formulaires?|n°|no",
    vague_nouns=listed(
        "délai durée montant plafond limite taux nombre valeur période maximum minimum "
        "salarié salariés salariée employé employés personnel personne personnes collaborateur collaborateurs "
        "entreprise politique règlement article oui non "
        "généralement habituellement normalement"
    ),
    synonyms=(
        listed("congé congés vacances"),
        listed("salaire rémunération paie"),
        listed("repas déjeuner dîner midi soir"),
    ),
    roles=(
        listed("directeur directrice direction"),
        listed("responsable responsables supérieur"),
        listed("comité conseil"),
    ),
    name_joints=r"(?:de|du|des|et)\s+(?:la\s+|l['’])?",
    openers=listed("le la les un une des ce cette ces tout toute tous pour en dans à au par de avec si"),
    agent="par",
    decides=r"approuv\w*|autoris\w*|accord\w*|décid\w*|sign\w*|valid\w*",
    aims=r"objectifs?|vis(?:e|ons|ent)|s['’]efforce\w*|cibles?|normalement|habituellement|en principe|généralement",
    of_any_kind=r"(?:de|d['’]une?) (?:tout(?:e)?|quelque) (?:type|genre|sorte|nature)(?: que ce soit)?|y compris",
    forms=tuple(
        tuple(group.split())
        for group in (
            "prendre prend pris prise",
            "mettre met mis mise",
            "écrire écrit écrite",
            "ouvrir ouvre ouvert ouverte",
            "offrir offre offert offerte",
            "recevoir reçoit reçu reçue",
        )
    ),
    asks_yes_or_no="peut|peuvent|pouvons|doit|doivent|devons|est|sont|faut|puis|dois",
    verdicts={
        Modality.PERMISSION: "Autorisé",
        Modality.PROHIBITION: "Non autorisé",
        Modality.OBLIGATION: "Obligatoire",
        Modality.EXEMPTION: "Pas obligatoire",
    },
    question=QuestionWords(
        asks="qui|quoi|quel|quels|quelle|quelles|quand|combien|comment|où|pourquoi|lequel|laquelle|lesquels|lesquelles",
        before="à|de|par|pour|avec|dans|depuis|dès|jusqu['’]à|à partir de|en|sous|chez|avant|auprès de",
        auxiliaries="",
        subjects="",
        begins=r"est-ce qu\w*|qu['’]est-ce|\w{1,20}[-‑](?:t[-‑])?(?:je|tu|il|elle|on|nous|vous|ils|elles|ce)",
        articles=listed("le la les l un une des du au aux mon ma mes notre nos votre vos son sa ses leur leurs"),
        persons=listed("qui je tu il elle on nous vous ils elles"),
        noun_first=True,
        joins="mais|ainsi que",
        also="aussi|ensuite",
        compares="compare[rz]?|quelles? (?:est la différence|sont les différences) entre",
        between="avec|à",
        links="pour|dans|pendant|lors",
        of_each=r"que devien(?:t|nent)|que se passe[-‑]t[-‑]il (?:pour|avec)|quel(?:le)?s? (?:est|sont)"
        r"|(?:combien|que) coûte(?:nt)?",
        opens=r"ou|mais|aussi|qu['’]en est[-‑]il|et si|combien de temps(?=\W*$)",
        points="[Cc]ela|[Çç]a|[Cc]eci|(?:celui|celle|ceux|celles)[-‑](?:ci|là)|lui|leurs?"
        "|(?<![Ff]aut[-‑])(?<![Aa][-‑]t[-‑])(?:elles?|ils?)"
        "|[Cc]es|(?:[Qq]ui|je|tu|on|nous|vous|ils?|elles?) (?:l['’]|le|la|les)|le même|la même|les mêmes",
        supposes="et si|même si|à supposer que|supposons que",
        being="je suis|nous sommes|vous êtes|on est|(?:il|elle) est|(?:ils|elles) sont|c['’]est",
        requests=listed(
            "peux peut pouvez pouvons dois doit devez merci plaît svp expliquer expliquez dire dites signifie"
        ),
        any_policy=listed(
            "politique politiques règle règles règlement document documents directive procédure procédures suivre "
            "appliquer applique appliquent applicable délai délais limite limites exception exceptions approbation "
            "autorisation approuver approuve exigence exigences responsable contact formulaire formulaires sanction "
            "sanctions conséquence conséquences objet but champ version vigueur définition définitions étape étapes "
            "combien longtemps temps quel quelle quels quelles quand comment où pourquoi cela ceci doit peut faut"
        ),
        procedural=listed(
            "nécessaire nécessaires obligatoire obligatoires requis requise requises approuvé approuvée autorise "
            "autoriser reçu reçus justificatif justificatifs preuve preuves déclarer déclaré déclarée déclaration "
            "signaler signalé signalement notifier notifié notification enregistrer enregistré registre dérogation "
            "dérogations dispensé signe signer signé signature décide décider décidé passe arrive sanctionné punition "
            "oublie oublier oublié omets omettre"
        ),
        breaking=listed(
            "enfreins enfreint enfreindre viole violer violation violations respecte respecter manque manquer ignore "
            "ignorer"
        ),
    ),
    answers=AnswerWords(
        nearest="Le texte le plus proche ; il ne répond peut-être pas à la question :",
        refused="Les politiques trouvées ne répondent pas à cette question.",
        near_miss="Elles traitent peut-être de son sujet : voir les sections les plus proches.",
        part_refused="Les politiques trouvées ne répondent pas à cette partie.",
        not_borne_out="Rien de ce que le LLM a écrit n'est confirmé par ce qu'il cite.",
        wrote_nothing="Le LLM n'a rien écrit.",
        may_answer="Les sections trouvées répondent peut-être à cette question.",
        courtesy="Que souhaitez-vous savoir des politiques ?",
        which="Plusieurs politiques peuvent être visées. De laquelle s'agit-il ?",
        otherwise="Une autre politique dit autre chose",
        unmentioned="Aucune politique ici ne mentionne {words}.",
        unmentioned_now="Aucune politique en vigueur ne mentionne {words}.",
        or_="ou",
        no_such_language="La question est en {asked}, et aucune politique ici ne l'est : posez-la en {held}.",
        no_clause="{clause} n'existe pas dans {titles}",
        readable="les politiques qui peuvent être lues ici",
        section_shown="ce qui est montré est la section {number}",
        other_law="{clause} relève de {law}, qui n'est aucune des politiques d'ici",
        in_force="{policy} est en vigueur{days} : demandez avec --as-of {day}",
        was_in_force="{policy} était en vigueur{days} : demandez avec --as-of {day}",
        version="version {number}",
        no_version="sans version",
        since="à partir du {day}",
        no_begin="sans date de début indiquée",
        until="jusqu'au {day}",
        no_end="sans date de fin indiquée",
        against="{one} contre {other}",
    ),
    days=DayWords(
        in_force="en vigueur|applicables?|valables?|s['’]appliqu(?:ait|aient|e|ent|era|eront)",
        at="le|en|au|pendant|durant|courant",
        onward="à (?:partir|compter) d[eu]|dès(?: le)?",
        by="d['’]ici(?: le)?|jusqu['’](?:au|en)",
        before="avant(?: le)?",
        the="le|du",
        year=r"(?:l['’])?année(?:\s+\w{3,12})?|(?:l['’])?exercice|début|fin|printemps|été|automne|hiver",
        past="était|étaient|avait|avaient|fallait|pouvait|pouvaient|devait|devaient|valait|fut"
        "|(?:a|ont) été|s['’]appliquaient"
        "|s['’]appliquait|coûtait|coûtaient",
        present="est|sont|ont|ai|avons|faut|peut|peuvent|puis|doit|doivent|vaut|aura|aurons|sera|seront|s['’]applique",
        past_begins="était|étaient|avait|fallait|pouvait|pouvaient|devait|devaient",
        coming_begins="est|sont|faut|peut|peuvent|puis|doit|doivent|dois|sera|seront|aurai|aura",
        tellers=r"j['’]\w+|je|nous|mon|ma|mes|notre|nos",
        conditions="si|quand|lorsque|qui|que|dont|parce que|après|depuis|jusqu['’]à",
        goes_on="est|sont|était|étaient|a|avait|peut|pouvait|doit|devait|faut|fallait|si|pour|dans|à|au|aux|de|par"
        "|avec|sur",
    ),
    asks_time=r"combien de temps|combien (?:de |d')(?:\w+ ){0,2}(?:minutes|heures|jours|semaines|mois|années|ans)"
    r"|(?:jusqu'à|depuis|à partir de|dès) quand|quand (?:est|sont|dois|doit|doivent|peut|puis|faut)"
    r"|(?:quel|quelle) (?:est )?(?:le |la |l')?(?:délai|date|durée|jour|échéance|heure|fréquence|préavis)",
    asks_amount=r"combien (?:coûte(?:nt)?|faut-il payer)"
    r"|combien\b.{0,60}\b(?:coûte(?:nt|r)?|dépenser|frais|prix|tarifs?)"
    r"|quel(?:le)?s? (?:(?:est|sont) )?(?:le |la |les )?(?:prix|tarifs?|frais|taux)"
    r"|combien (?:de (?!fois\b|temps\b)|d['’](?!entre\b))\w+",
    lasting="minutes|heures|jours|journées|nuits|semaines|week-ends|mois|années|ans|temps|congés?|vacances|repos|pauses?"
    "|préavis|absences?|maladie|récupération|télétravail|formation|prolongations?|périodes?",
    asks_number=r"combien|au (?:plus|maximum|moins|minimum)"
    r"|quel(?:le)?s? (?:(?:est|sont) )?(?:le |la |les )?(?:montants?|nombre|taux|somme|plafonds?|pourcentage|part"
    r"|limites?|seuils?|prix|taille|longueur)",
    asks_meaning="qu['’]est-ce (?:que|qu(?=['’]))|que signifie(?:nt)?|que veut dire|définition (?:de|du|des)",
    defines="désigne(?:nt)?|signifie(?:nt)?|s['’]entend(?:ent)? de|veut dire|(?:est|sont) (?:une?|le|la|les|toute?)",
    timing=r"jusqu['’](?:à (?:ce qu\w*|la|l['’]\w+|nouvel)|au|aux)"
    r"(?! (?:hauteur|limite|montant|maximum|niveau|plafond|seuil|valeur)\b)"
    r"|immédiatement|sans délai|quotidiennement|chaque (?:jour|semaine|mois|trimestre|année)"
    "|mensuellement|annuellement|tous les (?:jours|mois|ans)",
    courtesies=(
        r"bonjour|bonsoir|salut|merci|beaucoup|bien|mille fois|au revoir|à bientôt|bonne (?:journée|soirée)|à tous|"
        r"pour (?:votre|ton) (?:aide|réponse)|parfait|super|d['’]accord|ok"
    ),
    everyday=listed(
        "apporter porter prendre donner aller venir faire trouver avoir besoin savoir dire demander manger boire "
        "acheter quelqu quelque chose collègue chef vraiment merci bonjour "
        "montrer montrez montre citer expliquer vite question réponse"
    ),
    common=listed(
        "attendre attends partir rester entendre tenir mettre mets laisser sortir entrer essayer aider comprendre "
        "croire penser voir vois recevoir bon bonne bien mal mauvais"
    ),
    asking=listed(
        "combien quand où qui que quoi quel quelle quels quelles comment pourquoi souvent longtemps faut être "
        "puis peux peut peuvent pouvons pouvez dois doit doivent devons devez applique"
    ),
    telling_when=listed("hier demain maintenant actuellement récemment prochain prochaine dernier dernière depuis"),
    naming=NamingWords(
        kinds=listed(
            "politique règlement charte directive procédure code manuel guide norme accord convention consigne plan"
        ),
        generic=listed(
            "politique politiques règle règles règlement norme directive procédure procédures section sections clause "
            "article articles paragraphe alinéa point numéro dit indique stipule prévoit précise exige signifie texte "
            "libellé contenu citer citez montrer montrez exactement svp merci document entreprise concernant selon "
            "qui quand où comment quel quelle quels quelles"
        ),
        place=r"dans|selon|d['’]après|sous|suivant|conformément (?:à|aux?)|en vertu d(?:e|u|es)|d['’]",
        indefinite="une?|aucune?|chaque|quel(?:le)?s?|toute?",
        says="dit|indique|stipule|prévoit|précise|exige|impose|autorise|permet|interdit|définit|couvre|mentionne|fixe"
        "|régit|s['’]applique",
        quotes="dit|disent|indique|stipule|prévoit|précise|citer|citez|libellé|texte",
        elsewhere="pas|sauf|hormis|outre|hors|en dehors|plutôt que|au lieu|contrairement",
        file="fichier|document",
        old="ancien(?:ne)?|précédente?|antérieure?",
        new="actuel(?:le)?|nouvel(?:le)?|dernière?",
        changes="(?:en )?vigueur|date|depuis|versions?|éditions?|modifiée?s?|mise? à jour|valable|valide|validité",
        ends=r"expir\w+|fin|jusqu['’](?:à|au)|remplacée?|remplace|abrogée?",
        holds="entr(?:e|era|ée?)|prend(?:ra)?|s['’]appliqu\\w+|jour|toujours|encore|actuellement",
        dates="date|jour",
        responsible=r"responsables?|propriétaire\w*|approuv\w+|validée? par|rédig\w+|auteure?s?|émise? par|en charge",
        departs=r"dérog\w+|exemptée?s?|exclue?s?|dispensée?s?|approuv\w+|accordée?s?|accorder|autoris\w+",
        about="sur|concernant|à propos|au sujet",
        for_="pour|comme",
        at="à|au|en|pour",
        by="par|émise?s? par",
        before_noun="le|la|les|une?|des|du|de|notre|votre|est|sont|pour|à|au|par|avec|et|ou",
        also_called="(?:aussi|également) (?:appelée?s?|dénommée?s?|nommée?s?|connue?s? sous le nom de)",
        hereinafter="ci-après",
    ),
    wanting=WantingWords(
        who="qui",
        when="quand",
        why="pourquoi",
        how="où|comment (?:est|sont|faire|peut|doit|faut|puis)",
        which="quel(?:le)?s?",
        summary=r"résum\w*|synthèse|aperçu|vue d['’]ensemble|points (?:clés|essentiels|principaux)|intégralité",
        comparing=r"compar\w+|différen\w+",
        leads="(?:bonjour|bonsoir|salut|chers? collègues?)(?: (?:à tous|tout le monde))?"
        "|(?:(?:une|petite|j['’]ai une) )+question|(?:s['’]il (?:vous|te) plaît|svp)"
        "|(?:pouvez|pourriez|peux|pourrais)[-‑ ](?:vous|tu) (?:me |nous )?(?:dire|expliquer|préciser|indiquer)"
        "|je (?:voudrais|souhaite(?:rais)?|veux|aimerais) (?:savoir|demander)|dites[-‑ ](?:moi|nous)",
        whether="si",
        please="s['’]il (?:vous|te) plaît|svp",
        thanks="merci|cordialement|s['’]il (?:vous|te) plaît|svp",
        thanks_for="d['’]avance|beaucoup|par avance|pour (?:votre|ton) aide",
    ),
    reply=ReplyWords(
        names="extraits?",
        inside="paragraphe|alinéa",
        sources="références?",
        answer="réponse",
        opens="(?:cependant|toutefois|de plus|en outre|par ailleurs|donc|enfin|en résumé|en conclusion), "
        "|(?:selon|d['’]après|conformément aux?) (?:la |le |les |l['’])?(?:politique|règlement|documents?|textes?"
        "|sections?|extraits?)(?: fournie?s?)?, ",
        section="(?:(?:selon|d['’]après|dans) )?la section",
        section_says="indique|précise|prévoit|que|dit",
        partly="entièrement|complètement|totalement",
        regrets="malheureusement|désolée?",
        refuses=r"(?:les?|la|ces?|cette|aucune?)(?: des)? (?:\w+ ){0,2}(?:sections?|documents?|textes?|extraits?"
        r"|politiques?)\b[^.]{0,60}\bne [^.]{0,40}\b(?:pas|aucune?)"
        r"|aucune? (?:des )?(?:sections?|documents?|textes?|extraits?|politiques?)\b[^.]{0,60}\bne"
        r"|je ne (?:sais|peux|dispose|trouve)|(?:nous n['’]avons|je n['’]ai) (?:pas|aucune?)"
        r"|il n['’]y a (?:pas d['’]|aucune )(?:informations?|mention|réponse)"
        r"|(?:ce|cela) n['’]est pas (?:précisé|mentionné|indiqué)|désolée?",
    ),
    excludes=r"(?:ne |n['’])s?['’]?applique(?:nt)? pas|n['’](?:a|ont) pas droit|exclue?s?|exceptée?s?|exemptée?s?"
    r"|par dérogation|nonobstant",
    takes_away=r"ne|excepté|n['’][aeéiouy]\w*|refusée?s?|au plus|limitée?s? à|plafonnée?s? à|dont",
    leans=r"il(?! (?:faut|est|y a|convient|appartient|incombe)\b)|ils|elles?|cela|ce(?:ci|t|tte|s)?|ce(?:lui|lle|ux"
    r"|lles)-ci|ensuite|\w+ez (?:aussi|également)",
    leans_within=r"\w+ez-(?:les?|la|en|y)|ne (?:les?|la|en) \w+ez"
    r"|(?!si|lorsque?)[^,;:]{0,200} (?:pour|de|avec|contre) (?:cela|ça)(?=\W*$|,)"
    r"|(?:si|s['’]il|en cas d|lorsqu)[^,]*, \w+ez (?:aussi|également)",
    resumes="le même|la même|les mêmes|il",
    remainder=r"tout le reste|toute? autre|tou(?:s|tes) les autres|le reste|les autres|au-delà(?! d)|passé ce délai",
    exceeding=r"(?:pour )?(?:les|des) \w+ plus (?:long|grand|élevé|cher|chèr)\w*(?! qu)"
    r"|(?:si (?:\w+ ){1,4}|s['’]ils? \w+ )(?:plus|davantage)(?! d)(?: \w+){0,2},",
    elliptic=r"(?:ne|n['’])\s?(?:le |l['’])?(?:peut|peuvent|doit|doivent|est|sont)\s+pas|non plus",
    steps=r"(?:ces|les) étapes suivantes|ces étapes",
    of_all=r"(?:l['’]une? des|tou(?:s|tes) les|chacune? des)\b.{0,30}\bsuivante?s?",
)
