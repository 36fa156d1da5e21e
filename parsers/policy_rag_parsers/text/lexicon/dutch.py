"""The words of Dutch that name the parts of a document."""

from policy_rag_parsers.text.lexicon.record import DocumentWords, listed

DUTCH = DocumentWords(
    units={
        "book": "boek",
        "title": "titel",
        "part": "deel",
        "chapter": "hoofdstuk",
        "division": "afdeling",
        "section": "paragraaf",
        "article": "artikel",
    },
    back_matter="bijlage",
    forms="hoofdstukken/hoofdstuk artikelen/artikel bijlagen/bijlage artikels/artikel paragrafen/paragraaf",
    first="eerste",
    ordinals=(
        *("", "tweede", "derde", "vierde", "vijfde", "zesde", "zevende", "achtste", "negende", "tiende", "elfde"),
        "twaalfde",
    ),
    preamble=listed("preambule considerans aanhef"),
    contents=frozenset(("inhoud", "inhoudsopgave", "op deze pagina")),
)
