"""The words of Italian that name the parts of a document."""

from policy_rag_parsers.text.lexicon.line_words import LineWords
from policy_rag_parsers.text.lexicon.record import DocumentWords, listed
from policy_rag_parsers.text.lexicon.reference_words import ReferenceWords
from policy_rag_parsers.text.lexicon.title_block_words import TitleBlockWords

ITALIAN = DocumentWords(
    units={
        "book": "libro",
        "title": "titolo",
        "volume": "tomo",
        "part": "parte",
        "chapter": "capo/capitolo",
        "section": "sezione",
        "article": "articolo",
        "clause": "clausola",
    },
    back_matter="allegato appendice",
    forms="articoli/articolo sezioni/sezione allegati/allegato",
    first="primo|prima|[uU]nico|[uU]nica",
    ordinals=(
        *("preliminare", "secondo/seconda", "terzo/terza", "quarto/quarta", "quinto/quinta", "sesto/sesta"),
        *("settimo/settima", "ottavo/ottava", "nono/nona", "decimo/decima"),
    ),
    preamble=listed("preambolo premesse"),
    contents=frozenset(("indice", "sommario", "contenuto")),
    reference_words=ReferenceWords(
        inside="comm[ai]|letter[ae]|punto|paragrafo|numero",
        of="del|della|dello|dei|degli|delle|di|dell['’]|d['’]",
        this="questo|questa|presenti?",
        and_="e|o|ed",
        to="a|al|fino a",
        amounts="giorni|settimane|mesi|anni",
        behind="comma",
    ),
    title_block=TitleBlockWords(
        control="controllo (?:del documento|dei documenti)|informazioni sul documento",
        nouns="politica|policy|documento|regolamento|codice|direttiva|norma|manuale|procedura|accordo|versione",
        pronouns="ess[oa]",
        this="quest[oa]|la presente|il presente",
        articles="la|il",
        becomes="è|entra|entrerà|entrat[oa]",
        begins=r"(?:in vigore|vigente|valid[oa]|applicabile) (?:dal?|a partire dal?|a decorrere dal?)|in vigore(?: il)?"
        r"|(?:data di )?(?:entrata in vigore|decorrenza)(?: il| dal)?"
        r"|(?:con )?(?:effetto|decorrenza) (?:dal|a partire dal)",
        periods=r"(?:valid[oa]|(?:(?:periodo|durata) di )?validità)(?:\s?:)?(?: dal)?",
        to="al|fino al",
        ends="(?:valid[oa]|in vigore|vigente) fino al|scade il|(?:data di )?scadenza|fine (?:della )?validità",
        titled=r"titolo(?: del documento)?",
        versions=r"versione|numero di versione|versione del documento|rev\.?",
        issues="edizione|revisione",
        number=r"n\.|n[°º]|numero",
        counted=r"[ªº°]|a",
        dated="del|di",
        replaces="sostituisce",
        replaced_labels="versione (?:precedente|sostituita)|documento sostituito",
        replaced_by="sostituit[oa] (?:da|dal|dalla)",
        joins="e|ed",
        which="che|la quale|il quale",
        objects="la|il|lo|nostra|nostro",
        old="precedent[ei]|anterior[ei]|tutt[ei]",
        draft="bozza",
        titles="politic(?:a|he)|regolament[oi]|codic[ei]|direttiv[ae]|norm[ae]|manual[ei]|procedur[ae]|accord[oi]",
        verbs="è|(?-i:sono|hanno)|deve|devono|può|possono|sarà|saranno",
        clauses=r"(?-i:il|lo|gli|ogni|tutti|tutte|nessun\w*)",
    ),
    lines=LineWords(page="pagina", page_of="di", joints=listed("di della dello")),
)
