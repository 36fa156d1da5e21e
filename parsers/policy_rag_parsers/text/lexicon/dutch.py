"""The words of Dutch that name the parts of a document."""

from policy_rag_parsers.text.lexicon.line_words import LineWords
from policy_rag_parsers.text.lexicon.record import DocumentWords, listed
from policy_rag_parsers.text.lexicon.reference_words import ReferenceWords
from policy_rag_parsers.text.lexicon.title_block_words import TitleBlockWords

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
    reference_words=ReferenceWords(
        inside="lid|leden|onderdeel|sub|punt",
        of="van",
        the="de|het|onze",
        this="dit|deze",
        and_="en|of",
        to="tot(?: en met)?|t/m",
        amounts="dagen|uur|uren|weken|maanden|jaar",
        behind="lid",
    ),
    title_block=TitleBlockWords(
        control="document(?:beheer|informatie|gegevens)",
        nouns="beleid|document|richtlijn|reglement|regeling|handboek|procedure|overeenkomst|gedragscode|versie",
        pronouns="het|hij|zij|ze",
        this="dit|deze",
        articles="het|de",
        becomes="is|wordt|gaat|ging",
        begins=r"(?:geldig|geldt) (?:vanaf|sinds|per|van)|van kracht(?: (?:vanaf|sinds|per|op|met ingang van))?"
        r"|ingangsdatum|met ingang van|(?:datum (?:van )?)?inwerkingtreding"
        r"|in werking(?: (?:vanaf|sinds|per|op))?|in (?:op|per)",
        begins_before="(?:treedt|trad) (?:op|per|met ingang van)",
        begins_behind="in werking",
        periods=r"(?:geldig|geldigheid(?:sduur)?|looptijd)(?:\s?:)?(?: van(?:af)?)?",
        to="tot(?: en met)?|t/m",
        ends="(?:geldig|geldt|van kracht) (?:tot(?: en met)?|t/m)|vervaldatum|einddatum|vervalt (?:op|per)",
        titled=r"titel|documenttitel",
        versions=r"versie|versienummer|rev\.?",
        issues="editie|uitgave|revisie",
        number=r"nr\.?|nummer",
        counted="e|de|ste",
        dated=r"van|d\.d\.",
        replaces="vervangt|ter vervanging van",
        replaced_labels="(?:vorige|eerdere|vervangen) versie",
        replaced_by="vervangen door",
        joins="en",
        which="die|dat",
        objects="de|het|ons|onze",
        old="vorige|eerdere|alle",
        draft="concept|ontwerp",
        titles=r"\w*beleid|\w*richtlijn(?:en)?|\w*reglement(?:en)?|\w*regeling(?:en)?|\w*handboek|\w*overeenkomst"
        r"|procedures?|gedragscode",
        verbs="wordt|worden|zijn|moet|moeten|kunnen|mogen|heeft|hebben|zullen|(?-i:kan|mag|zal)",
        clauses=r"(?-i:het|een|elke|ieder\w*|geen)",
    ),
    lines=LineWords(page="pagina", page_of="van", ends=listed("van het een")),
)
