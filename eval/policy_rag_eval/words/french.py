"""French: what the workbench words and checks questions by."""

from policy_rag_eval.words.record import QuestionTemplates, WorkbenchWords, opposed

FRENCH = WorkbenchWords(
    templates=QuestionTemplates(
        clause="Que dit le texte de « {number} » ({document}) ?",
        unit="section",
        topic="Que prévoit le document « {document} » au sujet de « {title} » ?",
        definition="Que signifie « {term} » ({document}) ?",
        cell="Que prévoit le document « {document} » sous « {column} » pour {head} « {row} » ?",
        comparison="En quoi « {row} » et « {other} » diffèrent-ils pour « {column} » ({document}) ?",
        joins="{first}, et {second}",
        generic=r"(?:qui|que|quoi|quand|où|comment|pourquoi|quel(?:le)?s?)\b.*|objet|but|objectifs?"
        r"|champ d['’]application"
        r"|portée|définitions?|contacts?|introduction|généralités|dispositions (?:générales|finales)|annexes?"
        r"|divers"
        r"|glossaire|abréviations|exemples?|formulaires?|modèles?|sommaire|table des matières|références"
        r"|documents (?:liés|associés)|historique(?: des (?:versions|modifications))?",
    ),
    preamble=r"voici\b[^?]{0,60}\bquestions?|\A\W*bien sûr[,!:]",
    refers=r"(?:selon|d['’]après|dans|par) (?:le|la|les|ce|cet|cette|ces|l['’])\s?(?:présente? |mêmes? )?"
    r"(?:texte|passage|extrait|paragraphe|section|clause|document|article)s?(?: (?:ci-dessus|fournie?s?"
    r"|suivante?s?))?"
    r"(?! (?:d|sur|pour|\d|«))",
    points=r"(?:ce|cet|cette|ces|une? telle?|un tel|le même|la même|ledit|ladite)(?= [a-zà-ÿ])"
    r"(?! (?:que|qui|dont|sont|est|n)\b)|ce(?:lui|lle|ux|lles)-ci|cela",
    pronouns=r"(?<![-‑])(?:ils?(?! (?:faut|est|y a|existe)\b)|elles?)|lui|leurs?|qui l(?:['’]|es? |a )\w+(?= ?\?)",
    persons="je|nous|notre|nos|mon|mes|vous|votre|vos|salariée?s?|employée?s?|collaborat(?:eur|rice)s?",
    see="voir|se référer à|se reporter à|prévue?s? (?:à|dans)|définie?s? (?:à|dans)|régie?s? par",
    universal="tous|toutes|toujours|jamais|quiconque|n['’]importe (?:qui|quel(?:le)?s?)",
    nobody="personne ne|aucune?|nul|nulle",
    opposites=opposed(
        "avant/après avec/sans dessus/dessous brute/nette brut/net premier/dernier première/dernière "
        "interne/externe interne/externe inclus/exclu incluse/exclue au_moins/au_plus minimum/maximum "
        "facultatif/obligatoire"
    ),
    conflicts=r"contredi\w+|contradict\w+|incohéren\w+|diffèr\w+|différen\w+|toutefois|cependant|alors que"
    r"|tandis que"
    r"|remplacée?s?|obsolètes?|antérieure?s?|ancienn?e?s?|précédente?s?",
    numbers="deux|trois|quatre|cinq|six|sept|huit|neuf|dix|douze|vingt|trente",
    turned=opposed(
        "ne_peut_pas/peut ne_peuvent_pas/peuvent peut/ne_peut_pas peuvent/ne_peuvent_pas ne_doit_pas/peut "
        "ne_doivent_pas/peuvent doit/n'a_pas_à doivent/n'ont_pas_à est_interdit/est_autorisé "
        "est_obligatoire/est_facultatif"
    ),
    no_amounts=r"poste|salle|bureau",
)
