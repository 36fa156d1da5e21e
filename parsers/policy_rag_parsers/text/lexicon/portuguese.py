"""The words of Portuguese."""

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

_NOT = r"(?:não|nunca|jamais|tampouco)"
_AS_A_RULE = r"(?:(?:atualmente|normalmente|geralmente|ainda) )?"

PORTUGUESE = Lexicon(
    language="portuguese",
    code="pt",
    document=DocumentWords(
        units={
            "book": "livro",
            "title": "título/titulo",
            "volume": "tomo",
            "part": "parte",
            "chapter": "capítulo/capitulo",
            "section": "seção/secção/seccao subseção/subsecção/subseccao",
            "article": "artigo",
            "clause": "cláusula/clausula ponto",
        },
        back_matter="anexo apêndice",
        forms="seções/seção secções/seção",
        first="primeiro|primeira|[úÚ]nico|[úÚ]nica",
        ordinals=(
            *("preliminar", "segundo/segunda", "terceiro/terceira", "quarto/quarta", "quinto/quinta", "sexto/sexta"),
            *("sétimo/sétima", "oitavo/oitava", "nono/nona", "décimo/décima"),
        ),
        preamble=listed("preâmbulo considerandos"),
        contents=frozenset(("conteúdo", "índice", "sumário", "tabela de conteúdos")),
        reference_words=ReferenceWords(
            inside=r"§(?= ?\d+\.?[ºª])|n\.?º|números?|parágrafos?|alíneas?|incisos?",
            of=r"do(?!\s+NOT)|da|dos|de",
            this="presentes?|dest[ae]s?|est[ae]s?",
            and_="e|ou",
            to="a|ao|até",
            amounts="dias?|horas?|semanas?|mês|meses|anos?",
            leads="vide|conforme|nos termos d[eoa]|de acordo com [oa]|previst[oa]s? n?[oa]",
            behind="diz|dizem|estabelece[m]?|regula[m]?|prevê[em]*|dispõe[m]?|acima|abaixo|seguinte|parágrafo|alínea"
            "|inciso",
        ),
        title_block=TitleBlockWords(
            control="controle? (?:de|do) documentos?|informaç(?:ão|ões) do documento",
            nouns="política|documento|regulamento|código|diretriz|norma|manual|procedimento|acordo|regimento|versão",
            pronouns="ela|ele",
            this="esta|este|a presente|o presente",
            articles="a|o",
            becomes="está|é|entra|entrou|entrará|produz|produzirá",
            begins=r"(?:vigente|em vigor|em vigência|vigência|vigora) (?:desde|a partir de|de)(?: o)?"
            r"|em (?:vigor|vigência)(?: (?:em|no dia))?|(?:data de )?entrada em vigor|data de (?:vigência|efetividade)"
            r"|início (?:de|da) vigência|(?:válid[oa]|aplicável|efetiv[oa]) (?:desde|a partir de|de)(?: o)?"
            r"|(?:com )?efeitos? (?:desde|a partir de)(?: o)?",
            periods=r"(?:vigente|válid[oa]|(?:(?:período|prazo) de )?(?:vigência|validade))(?:\s?:)?(?: de)?",
            to="a|até(?: o| a)?",
            ends=r"(?:vigente|válid[oa]|em vigor) até(?: o| a)?|(?:expira|caduca)(?: em)?"
            r"|data de (?:expiração|validade|caducidade)"
            r"|fim (?:de|da) vigência",
            titled=r"título(?: do documento)?|nome do documento",
            versions=r"versão|versao|número da versão|versão do documento|rev\.?",
            issues="edição|revisão",
            number=r"n\.?[º°]|número",
            counted=r"\.?[ªº]|a",
            dated="de|do|datad[oa] de",
            replaces="substitui|substituindo|revoga",
            replaced_labels="versão (?:anterior|substituída)|documento substituído",
            replaced_by="substituíd[oa] (?:por|pel[oa])",
            joins="e",
            which="que|a qual|o qual",
            objects="a|o|nossa|nosso",
            old="anterior(?:es)?|prévi[oa]s?|antig[oa]s?|tod[oa]s?",
            draft="minuta|rascunho",
            titles="políticas?|regulamentos?|códigos?|diretri(?:z|zes)|normas?|manua(?:l|is)|procedimentos?|acordos?"
            "|regimentos?",
            verbs="(?-i:é|são|foi|tem|têm)|está|estão|deve|devem|deverá|deverão|pode|podem|poderá|poderão|será|serão",
            clauses="(?-i:o|os|um|uma|cada|todo|toda|todos|todas|nenhum|nenhuma)",
        ),
        lines=LineWords(
            page=r"página|pagina|pág\.?",
            page_of="de",
            joints=listed("de da dos das para"),
            ends=listed("um uma com sem sob"),
            small=listed("em na nos nas por ao sobre"),
            opens="se|quando|que|quem|onde|porque|salvo|caso",
            counted="minutos?|vezes|pessoas?|colaboradores",
            relates="que",
            finite="(?-i:são|têm)|está|estão|deve|devem|deverá|deverão|pode|podem|poderá|poderão|será|serão|aplica-se"
            "|aplicam-se",
            governs="não|nunca|só|somente|apenas|se|salvo|exceto|sem|quando|proibid[oa]s?|vedad[oa]s?|permitid[oa]s?"
            "|autorizad[oa]s?|excluíd[oa]s?|exceção|exceções",
            limits="contudo|porém|no entanto|salvo|exceto|a menos que|excecionalmente|excepcionalmente"
            "|isto não se aplica",
            points_on=r"seguintes|como segue|a seguir|abaixo(?=\W*\Z)|(?<=\w )n?est[ea]s \w+(?=\W*\Z)",
            doers="nós|você|vocês|ninguém",
            does="paga|cobre|reembolsa|recebe|decide|aprova|verifica",
            never_last=listed("exmo exma exa srs sras eng profa"),
            before_number=listed("págs fev"),
            often_inside=listed("ltda"),
            starters=listed("ele ela eles se não quando nenhum nenhuma ninguém quem isto isso além sem"),
            breadcrumb="(?:voltar )?(?:ao topo|ao início)|(?:ir|saltar|pular) para o conteúdo(?: principal)?",
            states="em vigor|vigência|aprovad[oa]|substitui",
            defining="definiç|glossário|interpretação",
            terms="termos?|palavras?|expressões|abreviaturas?",
            means="significam?|entende-se|refere(?:m)?-se a|define(?:m)?-se como",
            is_="é|são|inclui|incluem",
            called="doravante|em conjunto|a seguir",
            excepts=r"sem prejuízo de|não obstante|ressalvad[oa]s?|exceção|exceções|exce[pt]\w+|isent[oa]s?|salvo",
            excepts_from="sem prejuízo d[eoa]s?|não obstante|ressalvad[oa]s?|exceção (?:a|à|ao|d[eoa])"
            "|isent[oa]s? d[eoa]s?",
            not_applied="não se aplicam?",
            refrains="não|nunca",
            passive="ser",
            defined_in="definid[oa]s? (?:no|na|nos|nas|em|por)|na aceção d[eoa]",
            replaced="(?:é|são|fica|ficam) (?:revogad|substituíd)[oa]s?",
            about="Quais são as regras sobre «{}»?",
            meaning="O que significa «{}»?",
            empty_titles="introdução|generalidades|diversos|outros|resumo|antecedentes|índice|sumário|definiç(?:ão|ões)"
            "|interpretação|glossário|contatos?|contactos?|anexo|notas?|exemplos?|preâmbulo|histórico"
            "|disposiç(?:ão|ões) (?:gera(?:l|is)|fina(?:l|is))",
            kinds="declaração|aviso|condições|estatutos?",
            rule_words=listed(
                "artigo artigos seção secção capítulo parágrafo alínea inciso anexo caso conforme dito presente "
                "regra regras aplica aplicam aplicável previsto prevista assim um dois três quatro cinco seis sete "
                "oito "
                "nove dez primeiro primeira"
            ),
        ),
    ),
    times=TimeWords(
        numbers="dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|quinze|vinte|trinta|quarenta|sessenta",
        kinds_behind="út(?:il|eis)|corridos|completos|consecutivos",
        units="minutos?|horas?|dias?|noites?|semanas?|mês|meses|trimestres?|anos?",
        money=r"reais|dólar(?:es)?|cêntimos?|centavos?|por\s?cento",
        within=r"(?:no|num|em\sum|dentro\sdo)\sprazo(?:\smáximo)?\sde|dentro\sde|em\saté|n[oa]s|em",
        latest=r"o\smais\stardar",
        latest_on=r"até(?:\so)?|em|no",
        behind="antes|depois",
        at_least=r"pelo\smenos|no\smínimo|ao\smenos",
        ahead="antes",
        early=r"de\santecedência",
        by=r"antes\sd[eo]|até(?:\s[oa])?",
        points=r"meio-dia|(?:o\s)?(?:final|fim|término)\s(?:de\scada|d[eoa])\s\w+"
        r"|(?:dia\s)?\d{1,2}\sd(?:e\scada|o)\s\w+",
        at_once=r"imediatamente|de\simediato|sem\sdemora(?:\sinjustificada)?|assim\sque\spossível"
        r"|o\smais\sbreve\spossível",
        same_day=r"no\smesmo\sdia|até\s(?:ao?|o)\s(?:fim|final)\sdo\smesmo\sdia",
        next_day=r"(?:até\s(?:ao?|o)\s(?:fim|final)\sdo|até\s(?:ao?|o)|no)\s(?:próximo\sdia(?:\sútil)?"
        r"|dia\s(?:útil\s)?seguinte)",
    ),
    homonyms=listed("dez set mar ago out"),
    halves=listed("meio meia"),
    no_numbers=listed("um uma zero cento"),
    articles=listed("um uma por cada"),
    before_one=listed("em de após antes depois até menos mais cada"),
    determiners=listed("o a os as um uma cada seu sua este esta do da ao no na"),
    before_figure=listed("até de mais menos ao a um uma o a no máximo mínimo só"),
    doubtful_ordinals=r"\w+",
    units={
        "%": "%",
        "eur": "€ eur euro euros",
        "usd": "$ usd dólar dólares",
        "gbp": "£ gbp libra libras",
        "chf": "chf francos",
        "brl": "r$ brl real reais",
        "day": "dia dias",
        "month": "mês meses",
        "year": "ano anos",
        "km": "km quilômetro quilômetros quilómetro quilómetros",
        "mg": "mg",
        "g": "g",
        "kg": "kg",
        "ml": "ml",
    },
    kinds_behind={"úteis": "working", "útil": "working", "corridos": "calendar", "consecutivos": "calendar"},
    hundredths={"cêntimo": "cent", "cêntimos": "cent", "centavo": "cent", "centavos": "cent"},
    scales={"mil": 1e3, "milhão": 1e6, "milhões": 1e6, "mil milhões": 1e9},
    bounds=BoundWords(
        least=r"pelo menos|no mínimo|ao menos|(?:um )?mínimo|mais (?:de|do que)|superior(?:es)? a"
        r"|maior(?:es)? (?:de|que|do que)"
        r"|exced[ae][mr]?|ultrapass\w+|acima de|após|depois|a partir",
        most=r"no máximo|(?:um )?máximo|até|menos (?:de|do que)|inferior(?:es)? a"
        r"|menor(?:es)? (?:de|que|do que)|abaixo de"
        r"|antes|dentro|no prazo(?: máximo)?|o mais tardar|limitad[oa]s? a",
        from_date="desde",
        until_date="até",
        negation=r"(?:\bnão|\bnem)(?: (?:pode|podem|deve|devem|poderá|poderão))? ",
        between="entre",
        is_most="máxim[oa]|limite|teto",
        is_least="mínim[oa]",
        tells="é|são|de|será",
        least_behind=r"ou (?:mais|superior(?:es)?)|no mínimo|pelo menos",
        most_behind=r"ou (?:menos|inferior(?:es)?)|no máximo|o mais tardar",
        filler="de|do|da|dos|das|o|a|os|as|um|uma|ao",
        rest="demais|outros?|outras?|restantes?",
    ),
    modals={
        Modality.EXEMPTION: rf"{_NOT} (?:é|são|será|serão) {_AS_A_RULE}(?:necessári[oa]s?|obrigatóri[oa]s?)"
        rf"|{_NOT} (?:é preciso|(?:se )?exigem?|(?:se )?requer(?:em)?)|{_NOT} (?:tem|têm|terá|terão) (?:de|que)"
        rf"|{_NOT} (?:é|são|está|estão) {_AS_A_RULE}obrigad[oa]s?|opciona(?:l|is)|facultativ[oa]s?"
        r"|isent[oa]s?|dispensad[oa]s?|(?:nenhum|nenhuma)\b[^.;:,]{0,40} (?:é|será) (?:necessári|obrigatóri)[oa]",
        Modality.PROHIBITION: rf"{_NOT} (?:se )?(?:pode|podem|poderá|poderão|deve|devem|deverá|deverão)"
        r"|proibid[oa]s?|vedad[oa]s?"
        r"|(?:nenhum|nenhuma|ninguém|nada)\b[^.;:,]{0,60}?"
        r"\b(?:pode|podem|poderá|poderão|deve|deverá|(?:é|está|tem) (?:permitid[oa]|autorizad[oa]|direito))"
        rf"|{_NOT} (?:é|são|será|serão|está|estão) {_AS_A_RULE}(?:permitid|autorizad|admitid)[oa]s?"
        rf"|{_NOT} (?:se )?(?:permite|admite|autoriza)m?|{_NOT} (?:tem|têm|terá|terão) direito",
        Modality.OBLIGATION: r"deve|devem|deverá|deverão|devo|devemos"
        r"|(?:tenho|temos|tem|têm) (?:de|que)|há de|é preciso|obrigatóri[oa]s?"
        r"|obrigad[oa]s? a|requer|exige[m]?|exigid[oa]s?|necessári[oa]s?",
        Modality.ADVICE: r"deveria[m]?|recomenda(?:-se)?|recomendad[oa]s?|aconselha(?:-se)?|recomendáve(?:l|is)",
        Modality.PERMISSION: r"pode[m]?|poderá|poderão|posso|podemos|permite[m]?|permitid[oa]s?"
        r"|autorizad[oa]s?|(?:tem|têm) direito",
    },
    modal_words=listed(
        "deve devem deverá deverão deveria deveriam pode podem poderá poderão tem têm que obrigatório obrigatória "
        "permitido permitida proibido proibida autorizado autorizada posso podemos devo devemos tenho temos"
    ),
    modal_verbs="deve|devem|deverá|deverão|pode|podem|poderá|poderão|é|são",
    negators=listed("não nunca jamais nenhum nenhuma ninguém nem nada tampouco"),
    comparisons=listed("mais menos antes depois superior inferior maior menor"),
    bans="proibid[oa]s?|vedad[oa]s?",
    denials=r"exclu\w*|recus\w*|rejeit\w*|negad\w*|evit\w*",
    only="só|somente|apenas|unicamente|exclusivamente",
    except_="salvo|exceto|excepto|a menos que|a não ser que",
    without="sem|na falta de",
    until="até",
    if_="se|desde que|caso",
    when="quando|onde|enquanto",
    relative="que|quem|porque|embora",
    but="mas|enquanto que",
    however="porém|contudo|no entanto",
    even_if=r"mesmo (?:que|se|sem|quando)|ainda que|sem exceção|independentemente",
    always=r"nunca|jamais|sempre(?! que)|em (?:nenhum|todo|qualquer) caso|em todos os casos|em caso algum"
    r"|a todo o momento|(?:em|sob) nenhuma circunstância|sem exceção",
    after="após|depois",
    above=r"exced\w*|ultrapass\w*|mais de|superior(?:es)? a|acima de",
    below="menos de|inferior(?:es)? a|abaixo de|antes",
    late=r"tarde|fora do prazo|caduca\w*|perde\w*",
    and_=listed("e"),
    or_=listed("ou"),
    all_=listed("todos todas todo toda cada ambos ambas"),
    one=frozenset(),
    yes="sim",
    no="não",
    none="não|nenhum|nenhuma|nada",
    no_such="nenhum",
    per="por|ao|cada",
    in_full="integralmente|na íntegra|na totalidade",
    frequency=FrequencyWords(
        each="(?:a )?cada|tod[oa]s?(?: [oa]s?)?",
        other="outr[oa]",
        once={},
        times="ve(?:z|zes)",
        per="por|ao|à|a cada|cada",
        adverbs={"diariamente": "1 day", "semanalmente": "1 week", "mensalmente": "1 month"}
        | {"trimestralmente": "3 month", "semestralmente": "6 month", "anualmente": "1 year"},
        periods={"noites?": "1 day", "trimestres?": "3 month", "semestres?": "6 month"},
    ),
    to_="a|e|até",
    prepositions="para|em|no|na|com|durante|após|antes|depois|por",
    front="para|em|no|na|com|sem|durante|após|antes|depois|por|se|quando|conforme|sob|a|ao|desde|até|cada",
    verbs="é|são|era|está|estão|foi|foram|pode|podem|deve|devem|deverá|deverão|poderá|poderão|tem|têm|recebe|recebem"
    "|dura|duram|custa|custam|vence|começa|termina",
    references="seções|seção|secção|artigos?|parágrafos?|capítulos?|anexos?|formulários?|versão|n\\.?º",
    vague_nouns=listed(
        "prazo período duração montante valor limite máximo mínimo número taxa quantia "
        "empregado empregada empregados trabalhador trabalhadores colaborador colaboradores pessoa pessoas pessoal "
        "funcionário funcionários empresa política seção secção regra documento regulamento artigo sim não "
        "geralmente normalmente habitualmente"
    ),
    synonyms=(listed("salário ordenado remuneração vencimento"), listed("carro carros veículo veículos automóvel")),
    roles=(
        listed("diretor diretora direção"),
        listed("responsável responsáveis chefe gestor gestora supervisor supervisora"),
        listed("comitê comité conselho"),
        listed("auditor auditora auditoria"),
    ),
    name_joints=r"(?:de|do|da|dos|e)\s+",
    openers=listed("o a os as um uma este esta estes estas todo toda todos para em no na com por de se cada"),
    agent="por|pel[oa]s?",
    decides=r"aprov\w*|autoriz\w*|conced\w*|decid\w*|assin\w*",
    aims=r"objetivos?|metas?|procura\w*|tenta\w*|esforça\w*|normalmente|habitualmente|em regra|em geral",
    of_any_kind=r"de (?:qualquer|todo o) (?:tipo|género|gênero|natureza)|incluindo|incluíd[oa]s?",
    forms=tuple(
        tuple(group.split())
        for group in (
            "escrever escreve escrito escrita",
            "abrir abre aberto aberta",
            "fazer faz feito feita",
            "pagar paga pago paga",
            "cobrir cobre coberto coberta",
            "devolver devolve devolvido devolução",
        )
    ),
    asks_yes_or_no="pode|podem|posso|podemos|deve|devem|devo|devemos|tenho|tem|é|está|estão",
    verdicts={
        Modality.PERMISSION: "Permitido",
        Modality.PROHIBITION: "Não permitido",
        Modality.OBLIGATION: "Obrigatório",
        Modality.EXEMPTION: "Não obrigatório",
    },
    question=QuestionWords(
        asks="quem|qual|quais|quando|quanto|quanta|quantos|quantas|onde|como|o que|por que|por quê",
        before="a|de|com|para|em|desde|até|a partir de|por|perante|antes de",
        auxiliaries="pode|podem|deve|devem|tem|têm|é|são|está|estão|precisa|precisam",
        subjects="eu|ele|ela|eles|elas|você|vocês|alguém|funcionários|colaboradores|trabalhadores",
        begins="posso|podemos|devo|devemos|tenho|temos|preciso|há|(?:pode|podem|deve|devem)-se"
        "|é (?:necessário|possível|obrigatório|preciso)",
        articles=listed("o a os as um uma uns umas meu minha meus minhas seu sua seus suas nosso nossa nossos nossas"),
        persons=listed("quem eu tu ele ela nós você vocês eles elas alguém"),
        noun_first=True,
        joins="bem como|mas",
        also="também|depois",
        compares="compare|comparar|qua(?:l é|l|is são) as? diferenças? entre|que diferenças? há entre",
        between="com|versus",
        links="para|em|durante",
        of_each="o que acontece com|qua(?:l é|is são)|quanto (?:custam?|duram?)",
        opens=r"ou|mas|também|e quanto a(?:o|os|s)?|e (?:no caso|que tal)|quanto tempo(?=\W*$)",
        points="[Ii]sso|[Ii]sto|[Dd]isso|[Nn]isso|[Ee]les?|[Ee]las?|deles?|delas?|[Ee]ss[ae]s|[Ee]st[ae]s"
        r"|o mesmo|[Qq]uem [oa]s?|\w{3,20}[aei]?-l[oa]s?",
        supposes="e se|mesmo (?:se|que)|supondo que",
        being="eu (?:sou|for|estou|estiver)|sou|somos|estou|for|formos",
        requests=listed("posso pode podemos devo deve devemos favor explicar explique dizer diga significa"),
        any_policy=listed(
            "política políticas regra regras regulamento documento documentos norma normas diretriz procedimento "
            "procedimentos seguir cumprir aplicar aplica aplicam aplicável prazo prazos limite limites exceção "
            "exceções aprovação autorização aprovar aprova requisito requisitos responsável contato contacto "
            "formulário formulários sanção sanções consequência consequências objeto objetivo âmbito versão vigente "
            "vigor definição definições passo passos quanto quantos quais quando onde tempo aqui isto isso deve pode"
        ),
        procedural=listed(
            "necessário necessária necessários obrigatório obrigatória exigido exigida exige autorização autoriza "
            "autorizar autorizado recibo recibos comprovante comprovantes comprovativo comprovativos declarar "
            "declarado declaração notificar notificado notificação comunicar comunicado registar registrar registado "
            "registrado registo registro isenção isenções isento assina assinar assinado assinatura decide decidir "
            "decidido acontece esqueço esquece esquecer omito omitir"
        ),
        breaking=listed(
            "incumpro incumprir incumprimento descumpro descumpre descumprir descumprimento violo viola violar "
            "violação quebro quebra quebrar infrinjo infringe infringir ignoro ignora ignorar cumpro cumpre"
        ),
    ),
    answers=AnswerWords(
        nearest="O texto mais próximo; pode não responder à pergunta:",
        refused="As políticas encontradas não respondem a esta pergunta.",
        near_miss="Elas talvez tratem do assunto: veja as seções mais próximas.",
        part_refused="As políticas encontradas não respondem a esta parte.",
        not_borne_out="Nada do que o LLM escreveu é confirmado pelo que ele cita.",
        wrote_nothing="O LLM não escreveu nada.",
        may_answer="As seções encontradas podem responder a esta pergunta.",
        courtesy="O que deseja saber das políticas?",
        which="Várias políticas podem estar em causa. Sobre qual pergunta?",
        otherwise="Outra política diz outra coisa",
        unmentioned="Nenhuma política aqui menciona {words}.",
        unmentioned_now="Nenhuma política em vigor menciona {words}.",
        or_="ou",
        no_such_language="A pergunta está em {asked}, e nenhuma política aqui está: pergunte em {held}.",
        no_clause="{clause} não existe em {titles}",
        readable="as políticas que podem ser lidas aqui",
        section_shown="o que se mostra é a secção {number}",
        other_law="{clause} é de {law}, que não é nenhuma das políticas daqui",
        in_force="{policy} está em vigor{days}: pergunte com --as-of {day}",
        was_in_force="{policy} esteve em vigor{days}: pergunte com --as-of {day}",
        version="versão {number}",
        no_version="sem versão",
        since="desde {day}",
        no_begin="sem data de início indicada",
        until="até {day}",
        no_end="sem data de fim indicada",
        against="{one} contra {other}",
    ),
    days=DayWords(
        in_force="em vigor|vigentes?|vigência|válid[oa]s?|aplicáve(?:l|is)|se aplica(?:va|vam|m)?|vigorava",
        at="em|no|na|durante",
        onward="a partir d[eo]|desde(?: o)?",
        by="até(?: o| a)?",
        before="antes d[eo]",
        the="o",
        year=r"(?:o\s+)?ano(?:\s+\w{3,12})?(?:\s+de)?|(?:o\s+)?exercício"
        r"|(?:início|meados|fim|final) de|primavera|verão|outono|inverno",
        past="era|eram|estava|estavam|foi|foram|havia|tinha|tinham|podia|podiam|devia|deviam|se aplicava|custava|houve",
        present="é|são|está|estão|há|tenho|tem|têm|posso|pode|podem|devo|deve|devem|será|serão|terei|se aplica",
        past_begins="era|eram|havia|tinha|tinham|podia|podiam|devia|deviam",
        coming_begins="será|serão|haverá|terei|posso|pode|podem|devo|deve|devem|é|são|há|tenho",
        tellers="eu|nós|meu|minha|meus|minhas|noss[oa]s?",
        conditions="se|quando|que|quem|porque|depois|desde|até",
        goes_on="é|são|era|eram|foi|pode|podia|deve|devia|há|havia|se|para|em|no|na|de|do|da|por|com|sobre",
    ),
    asks_time=r"quanto tempo|quant[oa]s (?:\w+ ){0,2}(?:minutos|horas|dias|semanas|meses|anos)"
    r"|(?:até|desde|a partir de) quando|quando (?:devo|deve|posso|pode|tenho|tem|é|são|preciso)"
    r"|com que (?:frequência|antecedência)|que (?:dia|data|prazo|hora)|qual (?:é )?(?:o|a) (?:prazo|data|duração)",
    asks_amount=r"quanto\b.{0,60}\b(?:custam?|custar|gastar)"
    r"|qua(?:l|is) (?:é |são )?(?:o|a|os|as) (?:preços?|tarifas?|taxas?)"
    r"|quant[oa]s (?!(?:vezes|mais|de|em|por|a|há|são|é|se|me|nos|posso|pode|podemos|podem|devo|deve|devem|tenho|tem"
    r"|temos)\b)\w+",
    lasting="minutos|horas|dias|jornadas|noites|semanas|meses|anos|tempo|férias|licenças?|folgas?|descansos?|pausas?|aviso"
    "|faltas?|ausências?|doença|feriados|teletrabalho|formação|prorrogaç(?:ão|ões)|turnos?|períodos?",
    asks_number=r"quant[oa]s?|no (?:máximo|mínimo)|que (?:valor|montante|percentagem|percentual|quantia)"
    r"|qua(?:l|is) (?:é |são )?(?:o|a|os|as) (?:valor(?:es)?|montantes?|percentagem|percentual|limites?|limiar(?:es)?"
    r"|máximo|mínimo|preço|tamanho|comprimento)",
    asks_meaning="o que (?:é|são|significam?|se entende por)|definição d[eoa]s?",
    defines="significam?|designam?|entende-se por|referem?-se a|define-se como|(?:é|são) (?:uma?|o|a|os|as|toda?)",
    timing=r"até (?:que|o|a|os|as|ao|à|aos|às|fim|final|nova ordem|novo aviso)"
    r"(?! (?:limite|máximo|montante|nível|teto|valor|soma)\b)"
    r"|imediatamente|de imediato|sem demora|diariamente|semanalmente|mensalmente|trimestralmente|anualmente"
    "|(?:cada|todos os|todas as) (?:dias?|semanas?|mês|meses|trimestres?|anos?)",
    courtesies=(
        r"olá|oi|bom dia|boa (?:tarde|noite)|obrigad[oa]|muito|adeus|até logo|"
        r"pela (?:sua )?(?:ajuda|resposta)|perfeito|está bem|ok"
    ),
    everyday=listed(
        "trazer levar tomar dar ir vir fazer encontrar precisar saber dizer perguntar comer beber comprar alguém algo "
        "coisa chefe obrigado obrigada "
        "mostrar mostre citar explicar rápido pergunta resposta"
    ),
    common=listed(
        "esperar espero sair ficar ouvir ter pôr ponho deixar deixo entrar tentar ajudar entender crer pensar ver vejo "
        "receber recebo bom boa bem mal mau"
    ),
    asking=listed(
        "quanto quanta quantos quantas quando onde quem que qual quais como porquê frequência tempo aplica "
        "posso pode podem podemos devo deve devem devemos tenho tem têm temos preciso"
    ),
    telling_when=listed("hoje ontem amanhã agora atualmente recentemente próximo próxima passado passada desde"),
    naming=NamingWords(
        kinds=listed(
            "política regulamento código diretriz norma manual guia procedimento acordo regimento estatuto instrução "
            "protocolo plano"
        ),
        generic=listed(
            "política políticas regra regras regulamento norma normas diretriz procedimento procedimentos seção secção "
            "seções cláusula artigo artigos parágrafo alínea ponto número diz indica estabelece dispõe exige significa "
            "texto conteúdo citar cite mostrar mostre exatamente favor documento empresa segundo conforme sobre "
            "quem quando onde como qual quais"
        ),
        place="em|n[oa]s?|segundo|conforme|de acordo com(?: [oa])?|nos termos d[aeo]|sob|pel[oa]|dentro d[aeo]|desde",
        indefinite="uma?|numa?|algum(?:a)?|nenhum(?:a)?|cada|qual|que|qualquer",
        says="diz|indica|estabelece|dispõe|exige|permite|proíbe|regula|prevê|define|cobre|menciona|fixa|se aplica",
        quotes="diz|dizem|indica|estabelece|dispõe|citar|cite|texto",
        elsewhere="não|salvo|exceto|fora|além|em vez|ao contrário",
        file="arquivo|ficheiro|documento",
        old="antig[oa]|anterior|prévi[oa]",
        new="atual|nov[oa]|últim[oa]|vigente",
        changes="vigor|vigência|vigentes?|válid[oa]s?|validade|desde|vers(?:ão|ões)|ediç(?:ão|ões)|alterad[oa]s?"
        "|atualizad[oa]s?",
        ends="expir(?:a|ará|ou)|caduca\\w*|termina\\w*|até|substituíd[oa]|substitui[ur]?",
        holds="entr(?:a|ou|ará)|produz(?:irá|iu)?|se aplica\\w*|vigora\\w*|dia|data(?= (?:de|d[oa]|em)\\b)"
        "|ainda|atualmente",
        dates="",
        responsible=r"responsáve(?:l|is)|proprietári[oa]s?|aprova(?:d[oa]s?)?|aprovou|redigi(?:d[oa]s?|u)|autora?"
        r"|autores"
        r"|emitid[oa]s?|emitiu|encarregad[oa]s?",
        departs=r"exceç(?:ão|ões)|isent[oa]s?|isenç\w+|aprovar?|derrog\w+|dispensad[oa]s?|dispensar|autoriz\w+"
        r"|conceder",
        about="sobre|acerca d[aeo]|a respeito d[aeo]",
        for_="para|como",
        at="em|n[oa]s?|para",
        by="por|pel[oa]s?|emitid[oa]s? (?:por|pel[oa]s?)",
        before_noun="o|a|os|as|uma?|noss[oa]|sua?|seu|é|são|de|d[aeo]s?|para|ao?|por|com|e|ou",
        also_called="também (?:chamad[oa]s?|conhecid[oa]s? (?:como|por)|denominad[oa]s?)",
        hereinafter="doravante|adiante",
    ),
    wanting=WantingWords(
        who="quem",
        when="quando",
        why="por qu[eê]",
        how="onde|como",
        which="qual|quais|que",
        summary="resumo|resuma|resumir|visão geral|síntese|pontos (?:principais|chave)|em poucas palavras",
        comparing=r"compar[ae]r?|comparação|diferenç\w+|diferentes?|amb[oa]s",
        leads="(?:olá|oi|bom dia|boa (?:tarde|noite)|prezad[oa]s?)(?: a todos)?"
        "|(?:(?:uma|tenho uma) )?(?:pergunta|dúvida)(?: rápida)?|por favor"
        "|(?:pode|poderia|podes|podias)(?:-me)? (?:me )?(?:dizer(?:-me)?|explicar(?:-me)?|informar(?:-me)?)"
        "|(?:gostaria de|queria|quero) (?:saber|perguntar)|diga-me",
        whether="se",
        please="por favor",
        thanks="(?:muito )?obrigad[oa]|atenciosamente|por favor",
        thanks_for="desde já|pela (?:sua )?ajuda",
    ),
    reply=ReplyWords(
        names="se[cç]ç(?:ão|ões)|seç(?:ão|ões)|fontes?|trechos?",
        inside="parágrafo|alínea|artigo",
        sources="fontes|referências",
        answer="resposta",
        opens="(?:no entanto|contudo|porém|além disso|portanto|em resumo|em conclusão|por fim), "
        "|(?:segundo|de acordo com|conforme) (?:o |a |os |as )?(?:política|regulamento|documentos?|textos?"
        "|se[cç]?ç(?:ão|ões)|trechos?)(?: fornecid[oa]s?)?, ",
        section="(?:(?:segundo|de acordo com|conforme) )?a sec?ção|na sec?ção",
        section_says="indica|estabelece|dispõe|diz|que",
        partly="completamente|totalmente|por completo",
        regrets="infelizmente|lamento|desculpe",
        refuses=r"(?:o|a|os|as|estes?|estas?) (?:\w+ ){0,2}(?:sec?ç(?:ão|ões)|documentos?|textos?|trechos?"
        r"|políticas?)\b"
        r"[^.]{0,60}\bnão (?:se )?(?:menciona|contém|contêm|indica|responde|especifica|fornece|inclue?|aborda|diz"
        r"|dizem|trata"
        r"|estabelece)m?"
        r"|nenhum[a]? d[oa]s|não (?:sei|posso|disponho|tenho|encontr\w+|há (?:nenhuma )?(?:informação|menção"
        r"|resposta)|é (?:mencionado|especificado))|lamento"
        r"|desculpe",
    ),
    excludes=r"não (?:se )?aplica(?:m|rá|rão)?|não (?:é|são|será|serão) aplicáve(?:l|is)|não (?:tem|têm|terá"
    r"|terão) direito"
    r"|excluíd[oa]s?|excetuad[oa]s?|excetuam-se|isent[oa]s?|não obstante|em vez disso",
    takes_away=r"no máximo|limitad[oa]s? a[os]?|caduca[m]?|recusad[oa]s?|(?:del|dest|dess)[ea]s",
    leans="est[ae]s?|ess[ae]s?|isso|isto|el[ea]s?|tais|amb[oa]s|n(?:este|esse|estes|esses)s? casos?"
    r"|então|\w+[aem] também",
    leans_within=r"\w+-(?:n?[oa]s?|l[oa]s?)"
    r"|(?!se|quando)[^,;:]{0,200} (?:para|por|com|contra) (?:isso|isto|tal)(?=\W*$|,)"
    r"|(?:se|em caso de)\b[^,]*, \w+ também",
    resumes="o mesmo|a mesma|qualquer",
    remainder="tudo o (?:resto|mais)|o rest(?:o|ante)|[oa]s (?:demais|restantes)|qualquer outr[oa]|a partir daí"
    "|mais do que isso"
    "|acima d(?:isso|ess[ea] (?:valor|limite|quantia))",
    exceeding=r"(?:para )?(?:[oa]s )?\w+ (?:maiores|superiores|mais (?:long|car|grand)\w+)(?! d| que| a\b)"
    r"|se (?:\w+ ){1,4}mais(?! de)(?: \w+){0,2},",
    elliptic=r"(?:não )?o (?:é|são)|não (?:pode|podem|deve|devem)(?: fazê-lo)?|também(?: não)?",
    steps=r"(?:estes|seguintes)(?: \w+)? passos|passos seguintes|(?:estas|seguintes) etapas|etapas seguintes",
    of_all=r"(?:uma?|cada uma?|tod[oa]s|alguma?|nenhuma?)(?: d)?(?: )?[oa]s\b.{0,30}\bseguintes",
)
