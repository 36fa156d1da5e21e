"""Spanish: what the workbench words and checks questions by."""

from policy_rag_eval.words.record import QuestionTemplates, WorkbenchWords, opposed

SPANISH = WorkbenchWords(
    templates=QuestionTemplates(
        clause="¿Qué dice el texto de «{number}» ({document})?",
        unit="sección",
        topic="¿Qué establece el documento «{document}» sobre «{title}»?",
        definition="¿Qué significa «{term}» ({document})?",
        cell="¿Qué establece el documento «{document}» en «{column}» para {head} «{row}»?",
        comparison="¿En qué se diferencian «{row}» y «{other}» en «{column}» ({document})?",
        joins="{first}, y {second}",
        generic=r"¿?(?:quién|quiénes|qué|cuál|cuáles|cuándo|dónde|cómo|por qué|cuánt[oa]s?)\b.*|objeto|objetivos?"
        r"|finalidad"
        r"|ámbito(?: de aplicación)?|alcance|definiciones|contactos?|introducción|generalidades"
        r"|disposiciones (?:generales|finales)|anexos?|varios|glosario|abreviaturas|ejemplos?|formularios?|modelos?"
        r"|índice|contenidos?|referencias|documentos relacionados|historial(?: de (?:versiones|cambios))?",
    ),
    preamble=r"(?:aquí (?:están?|tienes?)|a continuación)\b[^?]{0,60}\bpreguntas?|pregunta ?\d*\s*:"
    r"|\A\W*(?:claro|por supuesto)[,!:]",
    refers=r"(?:según|en|de acuerdo con|por) (?:el|la|los|las|este|esta|estos|estas) (?:presente |mism[oa] )?"
    r"(?:texto|pasaje|fragmento|extracto|párrafo|sección|cláusula|documento|artículo|apartado)s?"
    r"(?: (?:anterior|proporcionad[oa]|siguiente)s?)?(?! (?:del?|sobre|para|\d|«))",
    points=r"(?:est[aeo]s?|es[aeo]s?|aquell?[ao]s?|dich[oa]s?|tal(?:es)?|el mismo|la misma)(?= [a-zà-ÿ])"
    r"(?! (?:que|es|son|como)\b)",
    pronouns=r"ell[oa]s?|él|suy[oa]s?|quién l[oa]s?|\w{3,20}[aei]rl[oa]s?",
    persons="yo|nosotros|mi|mis|nuestr[oa]s?|usted(?:es)?|emplead[oa]s?|trabajador(?:es|as?)?",
    see="véase|consulte|establecid[oa]s? en|definid[oa]s? en|previst[oa]s? en|regulad[oa]s? (?:por|en)",
    universal="tod[oa]s|siempre|nunca|jamás|cualquiera?|cada vez",
    nobody="nadie|ningun[oa]|ningún",
    opposites=opposed(
        "antes/después con/sin encima/debajo brut[oa]/net[oa] primero/último primera/última interno/externo "
        "interna/externa incluido/excluido incluida/excluida más/menos mínimo/máximo opcional/obligatorio"
    ),
    conflicts=r"contradi\w+|incoheren\w+|difier\w+|diferen\w+|sin embargo|mientras que|discrepan\w*|sustituid[oa]s?"
    r"|obsolet[oa]s?|anterior(?:es)?",
    numbers="dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|veinte|treinta",
    turned=opposed(
        "no_puede/puede no_pueden/pueden puede/no_puede pueden/no_pueden no_debe/puede no_deben/pueden "
        "debe/no_tiene_que deben/no_tienen_que está_prohibido/está_permitido es_obligatorio/es_opcional"
    ),
    no_amounts=r"extensión|sala|despacho",
)
