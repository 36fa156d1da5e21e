"""How questions are put in English."""

from policy_rag_parsers.text.lexicon.question_words import QuestionWords
from policy_rag_parsers.text.lexicon.record import listed

ENGLISH_QUESTIONS = QuestionWords(
    asks="how|what|who|whom|whose|when|where|which|why",
    before="by|until|since|from|in|to|for|with|at|on|within|under|of|about|between|after|before|through",
    auxiliaries="is|are|was|were|am|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had|need",
    subjects="i|we|you|he|she|it|they|one|there|his|her|this|that|these|those|any|anyone|somebody|someone|everyone"
    "|employees?|staff|managers?",
    articles=listed("a an the my our your their"),
    persons=listed("who whoever i we you he she it they to"),
    particles="over|off|up|out|in|on|back|down|away|for|at|to|with|about",
    joins="but|as well as",
    also="also|then",
    compares=r"(?:please\s+)?compare|what(?:['’]s| is| are) the differences? between|how do(?:es)?"
    r"|(?:what|which) differences? (?:is|are) there between|differences? between",
    between=r"with|to|versus|vs\.?|against",
    links="for|of|on|in|under|from|when|during",
    of_each=r"what(?:['’]s| is| are)|what happens (?:to|with)|(?:what|how) about"
    r"|how (?:much|long|high|big) (?:is|are)",
    opens="or|but|also|what about|how about",
    # "IT" is a department; "that" and "this" point only where no noun follows.
    points=r"it|its|they|them|their|theirs|he|she|him|her|these|those|[Tt]hat one|[Tt]his one|the same"
    r"|(?:[Tt]hat|[Tt]his)(?=\W*(?:$|\?|is|are|was|apply|applies|mean|means|include|includes|cover|covers|too"
    r"|also))"
    r"|(?:[Ii]s|[Aa]re|[Dd]oes) (?:that|this|these)(?= \w+\W*$)",
    supposes="(?:what|even|only) if|suppos(?:e|ing)(?: that)?|assuming(?: that)?",
    being=r"(?:i|we|you|they|he|she|it)(?:['’](?:m|re|s)|\s+(?:am|are|is|was|were))",
    requests=listed("would could may might must shall ought please tell explain describe say mean us one"),
    any_policy=listed(
        "policy policies rule rules document documents guideline guidelines regulation regulations procedure "
        "procedures process processes follow comply apply applies applicable deadline deadlines limit limits "
        "exception exceptions approval approve approves approved requirement requirements required need "
        "needed responsible responsibility contact form forms penalty penalties consequence consequences "
        "happen happens allowed permitted must may should can could would shall scope purpose owner version "
        "current valid force effective definition definitions step steps much many long time say tell explain "
        "mean here this that it one thing things notice note permission"
    ),
    procedural=listed(
        "necessary mandatory compulsory obligatory receipt receipts proof evidence report reports reported reporting "
        "reportable notify notified notification register registered registration declare declared declaration "
        "disclose disclosed disclosure exempt exempted exemption exemptions waiver waivers waived authorise authorised "
        "authorisation authorize authorized authorization sign signs signed signature decide decides decided "
        "punishment forget forgot forgotten miss missed fail failed failing"
    ),
    breaking=listed(
        "break breaks breaking broke broken breach breaches breached violate violates violated violating violation "
        "violations infringe ignore ignores ignored disregard disobey"
    ),
)
