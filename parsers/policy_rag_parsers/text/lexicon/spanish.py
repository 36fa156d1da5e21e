"""The words of Spanish."""

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

_NOT = r"(?:no|nunca|jamás|tampoco)"
_AS_A_RULE = r"(?:(?:actualmente|normalmente|generalmente|todavía|aún) )?"

SPANISH = Lexicon(
    language="spanish",
    code="es",
    document=DocumentWords(
        units={
            "book": "libro",
            "title": "título/titulo",
            "volume": "tomo",
            "part": "parte",
            "chapter": "capítulo/capitulo",
            "section": "sección/seccion subsección/subseccion",
            "article": "artículo/articulo",
            "clause": "cláusula/clausula apartado punto",
        },
        back_matter="anexo apéndice/apendice disposición_adicional disposición_transitoria disposición_derogatoria "
        "disposición_final",
        forms="secciones/sección",
        first="primero|primera|[úÚ]nico|[úÚ]nica",
        ordinals=(
            *("preliminar", "segundo/segunda", "tercero/tercera", "cuarto/cuarta", "quinto/quinta", "sexto/sexta"),
            *("séptimo/séptima", "octavo/octava", "noveno/novena", "décimo/décima", "undécimo/undécima"),
            *("duodécimo/duodécima", "decimotercero/decimotercera", "decimocuarto/decimocuarta"),
            *("decimoquinto/decimoquinta", "decimosexto/decimosexta", "decimoséptimo/decimoséptima"),
            *("decimoctavo/decimoctava", "decimonoveno/decimonovena", "vigésimo/vigésima"),
        ),
        preamble=listed("preámbulo considerandos"),
        contents=frozenset(
            ("contenido", "contenidos", "índice", "indice", "tabla de contenido", "tabla de contenidos")
        ),
        reference_words=ReferenceWords(
            inside="apartados?|párrafos?|números?|letras?|incisos?",
            of="del|de",
            the="el|la|los|las|nuestr[oa]",
            this="est[aeo]s?|presentes?",
            and_="y|e|o|u",
            to="a|al|hasta",
            amounts="días?|horas?|semanas?|mes(?:es)?|años?",
            leads="véase|según|conforme al?|de acuerdo con|previst[oa]s? en|en virtud del?",
            behind="dice[n]?|establece[n]?|regula[n]?|prevé[n]?|dispone[n]?|anterior|siguiente|apartado|párrafo",
        ),
        title_block=TitleBlockWords(
            control="control (?:de|del) documentos?|información del documento",
            nouns="política|documento|reglamento|código|directriz|norma|manual|procedimiento|acuerdo|convenio"
            "|normativa|versión",
            pronouns="ella|él",
            this="esta|este|la presente|el presente",
            articles="la|el",
            becomes="está|es|entra|entró|entrará|surte|surtirá",
            begins=r"(?:vigente|en vigor|en vigencia|vigencia|rige) (?:desde(?: el)?|a partir del?|del)"
            r"|en (?:vigor|vigencia)(?: el)?"
            r"|(?:fecha de )?entrada en (?:vigor|vigencia)|fecha (?:de vigencia|de efecto|efectiva|de efectividad)"
            r"|(?:válid[oa]|aplicable|efectiv[oa]) (?:desde(?: el)?|a partir del?|del)"
            r"|(?:con )?efectos? (?:desde(?: el)?|a partir del?)",
            periods=r"(?:vigente|válid[oa]|(?:(?:per[ií]odo|plazo) de )?(?:vigencia|validez))(?:\s?:)?(?: del)?",
            to="al?|hasta(?: el)?",
            ends=r"(?:vigente|válid[oa]|en vigor) hasta(?: el)?|(?:vence|caduca|expira)(?: el)?"
            r"|fecha de (?:vencimiento|caducidad|expiración)|fin de (?:la )?vigencia",
            titled=r"título(?: del documento)?|nombre del documento",
            versions=r"versión|version|(?:número de |n\.?º )versión|versión del documento|rev\.?",
            issues="edición|revisión",
            number=r"n\.?[º°]|núm\.?|número",
            counted=r"\.?[ªº]|a",
            dated="de|del|de fecha",
            replaces="(?:sustituye|reemplaza|deroga)(?: a)?",
            replaced_labels="versión (?:anterior|sustituida|reemplazada)|documento (?:sustituido|reemplazado)",
            replaced_by="(?:sustituid|reemplazad)[oa] por",
            joins="y",
            which="que|la cual|el cual",
            objects="la|el|al|nuestra|nuestro",
            old="anterior(?:es)?|previ[oa]s?|antigu[oa]s?|tod[oa]s?",
            draft="borrador",
            titles="políticas?|reglamentos?|códigos?|directri(?:z|ces)|normas?|manual(?:es)?|procedimientos?"
            "|acuerdos?|convenios?"
            "|normativas?",
            verbs="(?-i:es|son|fue|fueron)|está|están|debe|deben|deberá|deberán|puede|pueden|podrá|podrán|será|serán"
            "|tiene|tienen",
            clauses="(?-i:el|la|los|las|un|una|cada|todo|toda|todos|todas|ningún|ninguna)",
        ),
        lines=LineWords(
            page=r"página|pagina|pág\.?",
            page_of="de",
            joints=listed("de del para"),
            ends=listed("el la los las un una con sin según"),
            small=listed("en por al sobre"),
            opens="si|cuando|que|quien|donde|porque|salvo",
            counted="minutos?|veces|personas?|empleados?",
            asks="lo que",
            relates="que",
            finite="está|están|debe|deben|deberá|deberán|puede|pueden|podrá|podrán|será|serán|tiene|tienen|se aplican?",
            governs="no|nunca|sólo|solo|solamente|únicamente|si|salvo|excepto|sin|cuando|prohibid[oa]s?|permitid[oa]s?"
            "|autorizad[oa]s?|excluid[oa]s?|excepción|excepciones",
            limits="sin embargo|no obstante|salvo|excepto|a menos que|excepcionalmente|esto no se aplica",
            points_on=r"siguientes|como sigue|a continuación|más abajo|(?<=\w )est[oa]s \w+(?=\W*\Z)",
            doers="nosotros|usted|ustedes|nadie",
            does="paga|cubre|reembolsa|recibe|decide|aprueba|comprueba|abona",
            never_last=listed("ej sra srta sres ee ee.uu ud uds dña dra lic ing aprox máx mín"),
            before_number=listed("apdo apdos núm núms pág págs párr cláus tfno ref"),
            often_inside=listed("dpto depto admón"),
            starters=listed("él ella ellos se no si cuando ningún ninguna nadie quien esto ello además sin véase"),
            breadcrumb="(?:volver )?(?:arriba|al principio)|(?:ir|saltar) al contenido(?: principal)?",
            states="en vigor|vigencia|aprobad[oa]|sustituye|reemplaza",
            defining="definici[oó]n|glosario|interpretación",
            terms="términos?|palabras?|expresiones|abreviaturas?",
            means="significan?|se entiende|se refieren? a|se definen? como",
            is_="es|son|incluyen?",
            called="en adelante|en lo sucesivo|conjuntamente",
            excepts=r"sin perjuicio de|no obstante|a reserva de|excepci[oó]n\w*|except\w+|exent[oa]s?|salvo",
            excepts_from="sin perjuicio de|no obstante|a reserva de|excepción (?:a|de)|exent[oa]s? de|con excepción de",
            not_applied="no (?:se aplican?|será[n]? aplicables?)",
            refrains="no|nunca",
            passive="ser",
            defined_in="(?:definid[oa]s?|se define[n]?) (?:en|por)|en el sentido del?",
            replaced="(?:queda|quedan|es|son) (?:derogad|sustituid|reemplazad)[oa]s?",
            about="¿Qué reglas hay sobre «{}»?",
            meaning="¿Qué significa «{}»?",
            empty_titles="introducción|generalidades|varios|otros|resumen|antecedentes|índice|definici(?:ón|ones)"
            "|interpretación|glosario|contactos?|anexo|notas?|ejemplos?|preámbulo|historial"
            "|disposici(?:ón|ones) (?:general|final|adicional)(?:es)?",
            kinds="guías?|declaración|aviso|condiciones",
            rule_words=listed(
                "artículo artículos sección capítulo apartado párrafo anexo caso conforme según dicho dicha "
                "presente regla reglas aplica aplican aplicable previsto prevista así mismo uno dos tres cuatro cinco "
                "seis "
                "siete ocho nueve diez primero primera"
            ),
        ),
    ),
    times=TimeWords(
        numbers="dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|quince|veinte|treinta|cuarenta|sesenta",
        kinds_behind="hábil(?:es)?|laborables?|naturales|completos|consecutivos",
        units="minutos?|horas?|días?|noches?|semanas?|mes(?:es)?|trimestres?|años?",
        money=r"dólar(?:es)?|libras?|francos?|céntimos?|pesos|por\s?ciento",
        within=r"(?:en|dentro\sde)\s(?:el|un)\splazo(?:\smáximo)?\sde|dentro\sdel?(?:\sl[oa]s)?|en(?:\sl[oa]s)?",
        latest=r"a\smás\stardar",
        latest_on="el|en|a",
        behind="antes|después",
        at_least=r"al\smenos|como\smínimo|por\slo\smenos",
        ahead="antes",
        early=r"de\santelación",
        by=r"antes\sdel?|hasta(?:\sel)?|para\sel",
        points=r"mediodía|(?:el\s)?(?:final|finales|fin|término)\s(?:de\s(?:la|cada)|del?)\s\w+"
        r"|(?:el\s)?(?:día\s)?\d{1,2}\sde(?:l|\scada)\s\w+",
        at_once=r"inmediatamente|de\sinmediato|sin\s(?:demora|dilación)(?:\sindebida)?|lo\santes\sposible"
        r"|cuanto\santes",
        same_day=r"(?:en\s)?el\smismo\sdía|antes\sdel\sfinal\sdel\smismo\sdía",
        next_day=r"(?:(?:antes\sdel|al)\s(?:final|término)\sdel|el|al|antes\sdel)\s(?:siguiente\sdía(?:\s(?:hábil|laborable))?"
        r"|día\s(?:(?:hábil|laborable)\s)?siguiente)",
    ),
    month_names={"setiembre": 9},
    homonyms=listed("mar ago"),
    numbers={"una": 1, "veintiún": 21},
    halves=listed("medio media"),
    no_numbers=listed("un uno una cero ciento"),
    articles=listed("un una por cada"),
    before_one=listed("en de tras antes después hasta menos más cada"),
    determiners=listed("el la los las un una cada su este esta del al ningún"),
    before_figure=listed("hasta de más menos al a un una el la como máximo mínimo sólo solo"),
    doubtful_ordinals=r"\w+",
    units={
        "%": "% porciento",
        "eur": "€ eur euro euros",
        "usd": "$ usd dólar dólares",
        "gbp": "£ gbp libra libras",
        "chf": "chf francos",
        "km": "km",
        "mg": "mg",
        "g": "g",
        "kg": "kg",
        "ml": "ml",
    },
    kinds_behind={"hábiles": "working", "laborables": "working", "hábil": "working", "naturales": "calendar"},
    hundredths={"céntimo": "cent", "céntimos": "cent"},
    scales={"mil": 1e3, "millón": 1e6, "millones": 1e6},
    bounds=BoundWords(
        least=r"al menos|por lo menos|como mínimo|(?:un )?mínimo|más (?:de|tarde)|superior(?:es)? a"
        r"|mayor(?:es)? (?:de|que|a)"
        r"|excede[nr]?|supera[nr]?|por encima de|después|tras|a partir",
        most=r"como máximo|a lo sumo|(?:un )?máximo|hasta|menos de|inferior(?:es)? a|menor(?:es)? (?:de|que|a)"
        r"|por debajo de|antes|dentro|en (?:el|un) plazo(?: máximo)?|a más tardar|limitad[oa]s? a",
        from_date="desde|del",
        until_date="hasta",
        negation=r"(?:\bno|\bni)(?: (?:puede|pueden|debe|deben|podrá|podrán))? ",
        between="entre",
        is_most="máxim[oa]|límite|tope",
        is_least="mínim[oa]",
        tells="es|son|de|será",
        least_behind=r"o (?:más|superior(?:es)?)|como mínimo|al menos|por lo menos",
        most_behind=r"o (?:menos|inferior(?:es)?)|como máximo|a más tardar",
        filler="de|del|el|la|los|las|un|una|al|a",
        rest="demás|otros?|otras?|restantes?",
    ),
    modals={
        Modality.EXEMPTION: rf"{_NOT} (?:es|son|será|serán) {_AS_A_RULE}(?:necesari[oa]s?|obligatori[oa]s?)"
        rf"|{_NOT} (?:hace falta|(?:se )?(?:requiere|exige)n?)|{_NOT} (?:tiene|tienen|tendrá|tendrán) que"
        rf"|{_NOT} (?:está|están|estará|estarán) {_AS_A_RULE}obligad[oa]s?|opcional(?:es)?|exent[oa]s?"
        r"|(?:ningún|ninguna)\b[^.;:,]{0,40} (?:es|será) (?:necesari|obligatori)[oa]",
        Modality.PROHIBITION: rf"{_NOT} (?:se )?(?:puede|pueden|podrá|podrán|debe|deben|deberá|deberán)"
        r"|prohibid[oa]s?|prohíbe"
        r"|(?:ningún|ninguna|nadie|nada)\b[^.;:,]{0,60}?"
        r"\b(?:puede|pueden|podrá|podrán|debe|deberá|(?:está|tiene) (?:permitid[oa]|autorizad[oa]|derecho))"
        rf"|{_NOT} (?:es|son|está|están|estará|estarán) {_AS_A_RULE}(?:permitid|autorizad|admitid)[oa]s?"
        rf"|{_NOT} (?:se )?(?:permite|admite|autoriza)[n]?|{_NOT} (?:tiene|tienen|tendrá|tendrán) derecho",
        Modality.OBLIGATION: r"debe|deben|deberá|deberán|debo|debemos"
        r"|(?:tengo|tenemos|tiene|tienen|tendrá|tendrán) que|ha(?:n)? de|hay que"
        r"|obligatori[oa]s?|obligad[oa]s? a|requiere[n]?|requerid[oa]s?|exige[n]?|necesari[oa]s?",
        Modality.ADVICE: r"debería[n]?|recomienda[n]?|recomendad[oa]s?|aconseja|recomendable",
        Modality.PERMISSION: r"puede[n]?|podrá[n]?|puedo|podemos|permite[n]?|permitid[oa]s?"
        r"|autorizad[oa]s?|(?:tiene|tienen) derecho",
    },
    modal_words=listed(
        "debe deben deberá deberán debería deberían puede pueden podrá podrán tiene tienen que hay obligatorio "
        "obligatoria permitido permitida prohibido prohibida autorizado autorizada puedo podemos debo debemos tengo "
        "tenemos ser"
    ),
    modal_verbs="debe|deben|deberá|deberán|puede|pueden|podrá|podrán|es|son",
    negators=listed("no nunca jamás ningún ninguna ninguno nadie ni nada tampoco"),
    comparisons=listed("más menos antes después superior inferior mayor menor"),
    bans=r"prohibid[oa]s?|prohíbe",
    denials=r"exclu\w*|rechaz\w*|deneg\w*|denieg\w*|evit\w*",
    only="sólo|solo|solamente|únicamente|exclusivamente",
    except_="salvo|excepto|a menos que|a no ser que",
    without="sin|a falta de",
    until="hasta",
    if_="si|siempre que|a condición de",
    when="cuando|donde|mientras",
    relative="que|quien|quienes|porque|aunque",
    but="pero|sino|mientras que",
    however="sin embargo|no obstante",
    even_if=r"aun(?:que)? (?:cuando|sin)|incluso (?:si|sin|cuando)|sin excepción|independientemente",
    always=r"nunca|jamás|siempre(?! que)|en (?:ningún|todo|cualquier) caso|en todos los casos|en todo momento"
    r"|(?:en|bajo) ninguna circunstancia|sin excepción",
    after="tras|después",
    above=r"excede\w*|supera\w*|más de|superior(?:es)? a|por encima de",
    below="menos de|inferior(?:es)? a|por debajo de|antes",
    late=r"tarde|fuera de plazo|caduca\w*|pierde\w*",
    and_=listed("y e"),
    or_=listed("o u"),
    all_=listed("todos todas todo toda cada ambos ambas"),
    one=frozenset(),
    yes="sí",
    no="no",
    none="no|ninguno|ninguna|nada",
    no_such="ningún",
    per="por|al|cada",
    in_full="íntegramente|en su totalidad",
    frequency=FrequencyWords(
        each="cada|todos los|todas las",
        other="otr[oa]",
        once={},
        times="ve(?:z|ces)",
        per="por|al|a la|cada",
        adverbs={"diariamente": "1 day", "semanalmente": "1 week", "mensualmente": "1 month"}
        | {"trimestralmente": "3 month", "semestralmente": "6 month", "anualmente": "1 year"},
        periods={"noches?": "1 day", "trimestres?": "3 month", "semestres?": "6 month"},
    ),
    to_="a|y|hasta",
    prepositions="para|en|con|durante|tras|antes|después|por",
    front="para|en|con|sin|durante|tras|antes|después|por|si|cuando|según|bajo|a|al|desde|hasta|cada",
    verbs="es|son|era|está|están|ha|han|puede|pueden|debe|deben|deberá|deberán|podrá|podrán|tiene|tienen|recibe|reciben"
    "|dura|duran|cuesta|cuestan|asciende|ascienden|vence|empieza|termina|se",
    references="secciones|sección|artículos?|apartados?|párrafos?|capítulos?|anexos?|formularios?|versión|n\\.?º|núm",
    vague_nouns=listed(
        "plazo periodo período duración importe límite máximo mínimo número tasa valor cantidad "
        "empleado empleada empleados empleadas trabajador trabajadora trabajadores persona personas personal empresa "
        "política sección regla documento reglamento artículo sí no "
        "generalmente normalmente habitualmente"
    ),
    synonyms=(listed("salario sueldo remuneración"), listed("coche coches vehículo vehículos automóvil")),
    roles=(
        listed("director directora dirección"),
        listed("responsable responsables jefe jefa supervisor supervisora"),
        listed("comité consejo junta"),
        listed("auditor auditora auditoría"),
    ),
    name_joints=r"(?:de|del|y)\s+(?:la\s+|los\s+)?",
    openers=listed("el la los las un una este esta estos estas todo toda todos para en con por de si cada"),
    agent="por",
    decides=r"aprueb\w*|aprob\w*|autoriz\w*|conced\w*|decid\w*|firm\w*",
    aims=r"objetivos?|procura\w*|intenta\w*|se esfuerza\w*|metas?|normalmente|habitualmente|por lo general",
    of_any_kind=r"de (?:cualquier|todo) (?:tipo|clase|género|naturaleza)|incluid[oa]s?",
    forms=tuple(
        tuple(group.split())
        for group in (
            "escribir escribe escrito escrita",
            "abrir abre abierto abierta",
            "hacer hace hecho hecha",
            "poner pone puesto puesta",
            "devolver devuelve devuelto devuelta",
            "cubrir cubre cubierto cubierta",
        )
    ),
    asks_yes_or_no="puede|pueden|puedo|podemos|debe|deben|debo|debemos|tengo|tiene|está|están|es|hay",
    verdicts={
        Modality.PERMISSION: "Permitido",
        Modality.PROHIBITION: "No permitido",
        Modality.OBLIGATION: "Obligatorio",
        Modality.EXEMPTION: "No obligatorio",
    },
    question=QuestionWords(
        asks="qué|quién|quiénes|quien|quienes|cuál|cuáles|cual|cuales|cuándo|cuánto|cuánta|cuántos|cuántas|cuanto"
        "|cuanta"
        "|cuantos|cuantas|dónde|cómo|por qué",
        before="a|de|con|para|en|desde|hasta|a partir de|por|ante|antes de",
        auxiliaries="puede|pueden|debe|deben|tiene|tienen|es|son|está|están|hay|necesita|necesitan",
        subjects="yo|él|ella|ellos|ellas|usted|ustedes|alguien|empleados|personal",
        begins="puedo|podemos|debo|debemos|tengo|tenemos|necesito|se (?:puede|pueden|debe|deben)|hay que|hace falta"
        "|es (?:necesario|posible|obligatorio)",
        articles=listed("el la los las un una unos unas mi mis su sus nuestro nuestra nuestros nuestras tu tus"),
        persons=listed("quién yo tú él ella nosotros ustedes usted ellos ellas alguien"),
        noun_first=True,
        joins="pero|así como",
        also="también|además|luego",
        compares="compar[ae]|cuál(?:es)? (?:es|son) las? diferencias? entre|qué diferencias? hay entre",
        between="con|frente a",
        links="para|en|durante",
        of_each="qué (?:pasa|ocurre|sucede) con|cuál(?:es)? (?:es|son)|cuánto (?:cuestan?|duran?)",
        opens=r"pero|también|además|qué (?:hay|pasa|ocurre|sucede) (?:de|del|con)|cuánto tiempo(?=\W*$)",
        points=r"[Ee]so|[Ee]sto|[Ee]llos?|[Ee]llas?|[Éé]l|[Ee]s[oa]s|[Ee]st[oa]s"
        r"|lo(?! (?:que|más|menos))|[Qq]uién l[oa]s?|\w{3,20}[aei]rl[oa]s?",
        supposes="y si|qué (?:pasa|ocurre|sucede) si|aunque|suponiendo que",
        being="soy|somos|estoy|estamos|es|son",
        requests=listed("puedo puede podemos debo debe debemos favor explicar explique decir diga significa"),
        any_policy=listed(
            "política políticas regla reglas reglamento documento documentos norma normas directriz procedimiento "
            "procedimientos seguir cumplir aplicar aplica aplican aplicable plazo plazos límite límites excepción "
            "excepciones aprobación autorización aprobar aprueba requisito requisitos responsable contacto formulario "
            "formularios sanción sanciones consecuencia consecuencias objeto objetivo ámbito versión vigente vigor "
            "definición definiciones paso pasos cuánto cuántos cuál cuáles cuándo cómo tiempo aquí esto eso debe puede"
        ),
        procedural=listed(
            "necesario necesaria necesarios obligatorio obligatoria requerido requerida requiere falta visto autoriza "
            "autorizar autorizado recibo recibos justificante justificantes comprobante comprobantes declarar "
            "declarado declaración notificar notificado notificación comunicar comunicado registrar registrado "
            "registro exención exenciones dispensa exento firma firmar firmado decide decidir decidido pasa ocurre "
            "sucede castigo olvido olvida olvidar omito omitir"
        ),
        breaking=listed(
            "incumplo incumple incumplir incumplimiento infrinjo infringe infringir violo viola violar violación rompo "
            "rompe romper ignoro ignora ignorar cumplo cumple"
        ),
    ),
    answers=AnswerWords(
        nearest="El texto más cercano; puede que no responda a la pregunta:",
        refused="Las políticas encontradas no responden a esta pregunta.",
        near_miss="Tal vez traten su materia: véanse las secciones más cercanas.",
        part_refused="Las políticas encontradas no responden a esta parte.",
        not_borne_out="Nada de lo que escribió el LLM queda confirmado por lo que cita.",
        wrote_nothing="El LLM no escribió nada.",
        may_answer="Las secciones encontradas pueden responder a esta pregunta.",
        courtesy="¿Qué desea saber de las políticas?",
        which="Puede tratarse de varias políticas. ¿Por cuál pregunta?",
        otherwise="Otra política dice otra cosa",
        unmentioned="Ninguna política aquí menciona {words}.",
        unmentioned_now="Ninguna política vigente menciona {words}.",
        or_="o",
        no_such_language="La pregunta está en {asked}, y ninguna política aquí lo está: pregunte en {held}.",
        no_clause="{clause} no existe en {titles}",
        readable="las políticas que se pueden leer aquí",
        section_shown="lo que se muestra es la sección {number}",
        other_law="{clause} es de {law}, que no es ninguna de las políticas de aquí",
        in_force="{policy} está en vigor{days}: pregunte con --as-of {day}",
        was_in_force="{policy} estuvo en vigor{days}: pregunte con --as-of {day}",
        version="versión {number}",
        no_version="sin versión",
        since="desde el {day}",
        no_begin="sin fecha de inicio indicada",
        until="hasta el {day}",
        no_end="sin fecha de fin indicada",
        against="{one} frente a {other}",
    ),
    days=DayWords(
        in_force="en vigor|vigentes?|vigencia|válid[oa]s?|aplicables?|se aplica(?:ba|ban|n)?|regía",
        at="el|en|durante",
        onward="a partir del?|desde(?: el)?",
        by="hasta(?: el)?|para el",
        before="antes del?",
        the="el",
        year=r"(?:el\s+)?año(?:\s+\w{3,12})?(?:\s+de)?|(?:el\s+)?ejercicio"
        r"|(?:principios|mediados|finales) de|primavera|verano|otoño|invierno",
        past="era|eran|estaba|estaban|fue|fueron|había|tenía|tenían|podía|podían|debía|debían"
        "|se aplicaba|costaba|hubo|regía",
        present="(?:cuál|qué|quién|dónde) es|son|está|están|hay|tengo|tiene|tienen|puedo|puede|pueden|debo|debe|deben"
        "|será|serán|tendré|se aplica",
        past_begins="era|eran|había|tenía|tenían|podía|podían|debía|debían",
        coming_begins="será|serán|habrá|tendré|puedo|puede|pueden|debo|debe|deben|son|hay|tengo",
        tellers="yo|nosotros|mi|mis|nuestr[oa]s?",
        conditions="si|cuando|que|quien|porque|después|desde|hasta",
        goes_on="es|son|era|eran|fue|puede|podía|debe|debía|hay|había|si|para|en|a|al|de|del|por|con|sobre|se",
    ),
    asks_time=r"cuánto tiempo|cuánt[oa]s (?:\w+ ){0,2}(?:minutos|horas|días|semanas|meses|años)|cuándo"
    r"|con (?:qué|cuánta) (?:frecuencia|antelación)|qué (?:día|fecha|plazo|hora)"
    r"|cuál es (?:el|la) (?:plazo|fecha|duración)",
    asks_amount=r"cuánto\b.{0,60}\b(?:cuestan?|costar|valen?|gastar)"
    r"|cuál(?:es)? (?:es|son) (?:el|la|los|las) (?:precios?|tarifas?|tasas?)"
    r"|cuánt[oa]s (?!(?:veces|más|de|en|por|a|hay|son|es|se|me|nos|puedo|puede|podemos|pueden|debo|debe|deben|tengo"
    r"|tiene|tenemos)\b)\w+",
    lasting="minutos|horas|días|jornadas|noches|semanas|meses|años|tiempo|vacaciones|permisos?|descansos?|pausas?|preaviso"
    "|ausencias?|baja|libres?|festivos|teletrabajo|formación|prórrogas?|turnos?|períodos?|periodos?",
    asks_number=r"cuánt[oa]s?|como (?:máximo|mínimo)|qué (?:importe|cantidad|porcentaje|suma)"
    r"|cuál(?:es)? (?:es|son) (?:el|la|los|las) (?:importes?|cantidad|porcentaje|límites?|umbral(?:es)?|máximo|mínimo"
    r"|precio|tamaño|longitud)",
    asks_meaning="qué (?:es|son|significan?|se entiende por)|definición del?",
    defines="significan?|designan?|se entiende(?: por)?|se refieren? a|se define como"
    "|(?:es|son) (?:una?|el|la|los|las|toda?)",
    timing=r"hasta (?:que|el|la|los|las|fin(?:al(?:es)?)?|nuevo aviso)"
    r"(?! (?:importe|límite|máximo|nivel|tope|valor|cuantía|suma)\b)"
    r"|inmediatamente|de inmediato|sin demora|diariamente|semanalmente|mensualmente|trimestralmente|anualmente"
    "|cada (?:día|semana|mes|trimestre|año)",
    courtesies=(
        r"hola|buen(?:os días|as tardes|as noches)|gracias|muchas|mil|adiós|hasta luego|"
        r"por (?:su|tu) (?:ayuda|respuesta)|perfecto|vale|de acuerdo|ok"
    ),
    everyday=listed(
        "traer llevar tomar dar ir venir hacer encontrar necesitar saber decir preguntar comer beber comprar alguien "
        "algo cosa jefe gracias hola "
        "mostrar muestra muéstrame citar explicar rápido pregunta respuesta"
    ),
    common=listed(
        "esperar espero salir quedar oír tener poner pongo dejar dejo entrar intentar ayudar entender creer pensar ver "
        "recibir bueno buena bien mal malo"
    ),
    asking=listed(
        "cuánto cuánta cuántos cuántas cuándo dónde quién qué cuál cuáles cómo porqué menudo tiempo hay aplica "
        "puedo puede pueden podemos debo debe deben debemos tengo tiene tienen tenemos necesito"
    ),
    telling_when=listed("hoy ayer mañana ahora actualmente recientemente próximo próxima pasado pasada desde"),
    naming=NamingWords(
        kinds=listed(
            "política reglamento código directriz norma normativa manual guía procedimiento acuerdo convenio estatuto "
            "instrucción protocolo plan"
        ),
        generic=listed(
            "política políticas regla reglas reglamento norma normas directriz procedimiento procedimientos sección "
            "secciones cláusula artículo artículos párrafo apartado punto número dice indica establece dispone exige "
            "significa texto contenido citar cite mostrar muestre exactamente favor documento empresa según sobre "
            "quién cuándo dónde cómo qué cuál"
        ),
        place="en|según|bajo|conforme (?:al?)|de acuerdo con|con arreglo al?|por|dentro del?|desde",
        indefinite="una?|algun[oa]|algún|ningun[oa]|ningún|cada|qué|cuál|cualquier",
        says="dice|indica|establece|dispone|exige|permite|prohíbe|regula|prevé|define|cubre|menciona|fija|se aplica",
        quotes="dice|dicen|indica|establece|dispone|citar|cite|texto",
        elsewhere="no|salvo|excepto|fuera|además|aparte|en lugar|a diferencia",
        file="archivo|fichero|documento",
        old="antigu[oa]|anterior|previ[oa]",
        new="actual|nuev[oa]|últim[oa]|vigente",
        changes="vigor|vigencia|vigentes?|válid[oa]s?|validez|fecha|desde|versi(?:ón|ones)|edici(?:ón|ones)"
        "|modificad[oa]s?|modificó|actualizad[oa]s?|actualizó",
        ends=r"expir(?:a|ará|ó)|vence\w*|caduca\w*|hasta|sustitu(?:ye|yó|id[oa])|reemplaz(?:a|ó|ad[oa])",
        holds="entr(?:a|ó|ará)|surt(?:e|ió|irá)|se aplica\\w*|rige|todavía|aún|actualmente|día",
        dates="fecha|día",
        responsible=r"responsables?|propietari[oa]s?|aprueba|aprobad[oa]s?|aprobó|redactad[oa]s?|redactó|autora?"
        r"|autores"
        r"|emitid[oa]s?|emitió|encargad[oa]s?",
        departs=r"excepci(?:ón|ones)|exent[oa]s?|eximid[oa]s?|eximir|aprueba|aprobar|aprobó|apartarse|autoriza\w*"
        r"|conceder"
        r"|dispensa[rs]?",
        about="sobre|acerca del?|respecto al?",
        for_="para|como",
        at="en|para",
        by="por|emitid[oa]s? por",
        before_noun="el|la|los|las|una?|nuestr[oa]|su|es|son|del?|para|al?|por|con|y|o",
        also_called="también (?:llamad[oa]s?|conocid[oa]s? como|denominad[oa]s?)",
        hereinafter="en adelante|en lo sucesivo",
    ),
    wanting=WantingWords(
        who="quién|quiénes",
        when="cuándo",
        why="por qué",
        how="dónde|cómo",
        which="qué|cuál(?:es)?",
        summary="resumen|resúm\\w+|resumir|visión general|síntesis|puntos (?:clave|principales)|en pocas palabras",
        comparing=r"compar[ae]r?|comparación|diferen(?:cias?|tes?)|amb[oa]s",
        leads="(?:hola|buen(?:os días|as tardes|as noches)|estimad[oa]s?)(?: a todos)?"
        "|(?:(?:una|tengo una) )?(?:pregunta|consulta|duda)(?: rápida)?|por favor"
        "|(?:puede|podría|puedes|podrías)(?:me|n)? (?:decirme|decirnos|explicarme|explicar|indicarme)"
        "|(?:me gustaría|quisiera|quiero|querría) (?:saber|preguntar)|(?:dígame|dime)",
        whether="si",
        please="por favor",
        thanks="(?:muchas )?gracias|saludos|por favor",
        thanks_for="de antemano|por (?:su|tu) ayuda",
    ),
    reply=ReplyWords(
        names="secci(?:ón|ones)|fuentes?|documentos?|fragmentos?",
        inside="párrafo|apartado|artículo",
        sources="fuentes|referencias",
        answer="respuesta",
        opens="(?:sin embargo|no obstante|además|asimismo|por (?:lo )?tanto|en resumen|en conclusión|finalmente), "
        "|(?:según|de acuerdo con|conforme a) (?:el |la |los |las )?(?:política|reglamento|documentos?|textos?"
        "|secci(?:ón|ones)|fragmentos?)(?: proporcionad[oa]s?)?, ",
        section="(?:(?:según|de acuerdo con|en) )?la sección",
        section_says="indica|establece|dispone|dice|que",
        partly="completamente|totalmente|por completo",
        regrets="desafortunadamente|lamentablemente|lo siento",
        refuses=r"(?:el|la|los|las|estos?|estas?) (?:\w+ ){0,2}(?:secci(?:ón|ones)|documentos?|textos?|fragmentos?"
        r"|políticas?)\b[^.]{0,60}\bno (?:se )?(?:menciona|contiene|indica|responde|especifica|proporciona|incluye"
        r"|aborda"
        r"|dice|trata|establece)n?"
        r"|ningun[oa] de (?:el|la|los|las)|no (?:sé|puedo|dispongo|tengo|encuentro|hay (?:ninguna )?(?:información"
        r"|mención|respuesta)|se menciona)"
        "|lo siento",
    ),
    excludes=r"no (?:se )?(?:aplica(?:n|rá|rán)?|será(?:n)? aplicables?)|no (?:es|son) (?:aplicables?|de aplicación)"
    r"|no (?:tiene|tienen|tendrá|tendrán) derecho|excluid[oa]s?|se excluyen?|exceptuad[oa]s?|se exceptúan?|exent[oa]s?"
    r"|no obstante lo anterior|en su lugar",
    takes_away=r"como máximo|limitad[oa]s? al?|caduca[n]?|denegad[oa]s?|de (?:ell[oa]s|est[oa]s|es[oa]s)",
    leans="est[aeo]s?|es[aeo]s?|ell[oa]s?|él|dich[oa]s?|amb[oa]s|en (?:este|ese|tal|dicho) caso"
    r"|entonces|luego|\w+[ae]n? también",
    leans_within=r"\w{0,20}[áéíóú]\w{0,20}[ae]n?l[oa]s?"
    r"|(?!si|cuando)[^,;:]{0,200} (?:para|de|por|con|contra) (?:ello|esto|eso)(?=\W*$|,)"
    r"|(?:si|en caso de)\b[^,]*, \w+ también",
    resumes="lo mismo|cualquiera?",
    remainder="todo lo demás|lo demás|el resto|l[oa]s demás|cualquier otr[oa]|a partir de ahí|más de eso"
    "|por encima de (?:eso|ello|es[ae] (?:cantidad|límite|importe))",
    exceeding=r"(?:para )?(?:l[oa]s )?\w+ (?:mayores|superiores|más (?:larg|car|grand)\w+)(?! de| que| a\b)"
    r"|si (?:\w+ ){1,4}más(?! de)(?: \w+){0,2},",
    elliptic=r"(?:no )?lo (?:es|son)|no (?:puede|pueden|debe|deben)(?: hacerlo)?|tampoco|también",
    steps=r"(?:estos|siguientes)(?: \w+)? pasos|pasos siguientes",
    of_all=r"(?:un[oa]|cada un[oa]|tod[oa]s|algun[oa]|ningun[oa])(?: de)? l[oa]s\b.{0,30}\bsiguientes",
)
