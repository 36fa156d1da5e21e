"""German: what the workbench words and checks questions by."""

from policy_rag_eval.words.record import QuestionTemplates, WorkbenchWords, opposed

GERMAN = WorkbenchWords(
    templates=QuestionTemplates(
        clause="Was steht in {number} ({document})?",
        unit="Abschnitt",
        topic="Was gilt laut {document} zum Thema „{title}“?",
        definition="Was bedeutet „{term}“ ({document})?",
        cell="Was gilt unter „{column}“ für {head} „{row}“ ({document})?",
        comparison="Worin unterscheiden sich „{row}“ und „{other}“ bei „{column}“ ({document})?",
        joins="{first}, und {second}",
        generic=r"(?:wer|was|wie|wann|wo|warum)\b.*|geltungsbereich|zweck|begriffe?|begriffsbestimmungen"
        r"|schlussbestimmungen|allgemeines|sonstiges|kontakte?|anhang|anhänge|anlagen?|glossar|abkürzungen"
        r"|ansprechpartner|formulare?|vordrucke?|muster|beispiele?|inhalt(?:sverzeichnis)?|verweise"
        r"|mitgeltende (?:unterlagen|dokumente)|änderungs(?:historie|verzeichnis)",
    ),
    preamble=r"\A\W*hier (?:sind|ist)\b[^?]{0,40}\bfragen?|frage ?\d*\s*:",
    refers=r"(?:laut|gemäß|nach|in|im) (?:de[mnr]|dies\w+) (?:obige[nmr]? |vorliegende[nmr]? )?"
    r"(?:text|passage|dokument|textstelle|auszug|abschnitt|absatz|regelung)s?(?! [\d„§])",
    points=r"(?:dies\w*|jene\w*|solche\w*)(?= [a-zäöü])(?! die\b)",
    pronouns="er|es|ihnen|ihre?[nmrs]?",
    persons=r"ich|wir|mein\w*|unser\w*",
    see="siehe|geregelt in|richtet sich nach",
    universal="alle|jeder|immer|nie",
    nobody="niemand|keine?",
    opposites=opposed("vor/nach mit/ohne mindestens/höchstens"),
    conflicts=r"widersprech\w*|widerspruch|abweichend\w*|jedoch|dagegen|überholt\w*|frühere\w*|ältere\w*",
    numbers="zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|zwanzig|dreißig",
    turned=opposed("darf_nicht/darf dürfen_nicht/dürfen darf/darf_nicht dürfen/dürfen_nicht"),
    no_amounts="raum",
)
