"""The words of Italian that name the parts of a document."""

from policy_rag_parsers.text.lexicon.record import DocumentWords, listed

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
)
