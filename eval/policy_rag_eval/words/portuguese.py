"""Portuguese: what the workbench words and checks questions by."""

from policy_rag_eval.words.record import QuestionTemplates, WorkbenchWords, opposed

PORTUGUESE = WorkbenchWords(
    templates=QuestionTemplates(
        clause="O que diz o texto de “{number}” ({document})?",
        unit="seção",
        topic="O que estabelece o documento “{document}” sobre “{title}”?",
        definition="O que significa “{term}” ({document})?",
        cell="O que estabelece o documento “{document}” em “{column}” para {head} “{row}”?",
        comparison="Em que diferem “{row}” e “{other}” quanto a “{column}” ({document})?",
        joins="{first}, e {second}",
        generic=r"(?:quem|o que|qual|quais|quando|onde|como|por que|quant[oa]s?)\b.*|objeto|objetivos?|finalidade"
        r"|âmbito(?: de aplicação)?|escopo|definições|contat?c?tos?|introdução|generalidades"
        r"|disposições (?:gerais|finais)|anexos?|diversos|glossário|abreviaturas|exemplos?|formulários?|modelos?"
        r"|índice|sumário|conteúdos?|referências|documentos relacionados|histórico(?: d[ae]s? (?:versões"
        r"|alterações))?",
    ),
    preamble=r"(?:aqui (?:estão|está)|seguem)\b[^?]{0,60}\bperguntas?|pergunta ?\d*\s*:"
    r"|\A\W*(?:claro|com certeza)[,!:]",
    refers=r"(?:segundo [oa]|de acordo com [oa]|conforme [oa]|n[oa]s?|nest[ea]s?|pel[oa]s?) (?:presente "
    r"|mesm[oa] )?"
    r"(?:texto|trecho|excerto|parágrafo|sec?ção|cláusula|documento|artigo)s?"
    r"(?: (?:acima|anterior|fornecid[oa]|seguinte)s?)?(?! (?:d[aeo]s?|sobre|para|\d|“))",
    points=r"(?:[dn]?est[ae]s?|[dn]?ess[ae]s?|[dn]?isso|aquel[ae]s?|tal|tais)(?= [a-zà-ÿ])(?! (?:que|é|são"
    r"|como)\b)",
    pronouns=r"d?el[ea]s?|quem [oa]s?|\w{3,20}[aei]?-l[oa]s?",
    persons="eu|nós|meus?|minhas?|noss[oa]s?|você|vocês|funcionári[oa]s?|colaborador(?:es|as?)?|trabalhador(?:es|as?)?",
    see="veja|consulte|definid[oa]s? (?:em|n[oa])|previst[oa]s? (?:em|n[oa])|regulad[oa]s? (?:por|pel[oa])",
    universal="tod[oa]s|sempre|nunca|jamais|qualquer|cada vez",
    nobody="ninguém|nenhum(?:a)?",
    opposites=opposed(
        "antes/depois com/sem acima/abaixo bruto/líquido primeiro/último primeira/última interno/externo "
        "interna/externa incluído/excluído incluída/excluída mais/menos mínimo/máximo opcional/obrigatório"
    ),
    conflicts=r"contradi\w+|contradiz\w*|incoeren\w+|difere[m]?|diferen\w+|contudo|porém|no entanto|enquanto que"
    r"|discrep\w+|substituíd[oa]s?|obsolet[oa]s?|anterior(?:es)?",
    numbers="dois|três|quatro|cinco|seis|sete|oito|nove|dez|doze|vinte|trinta",
    turned=opposed(
        "não_pode/pode não_podem/podem pode/não_pode podem/não_podem não_deve/pode não_devem/podem "
        "deve/não_tem_de devem/não_têm_de é_proibido/é_permitido é_obrigatório/é_opcional"
    ),
    no_amounts=r"ramal|sala",
)
