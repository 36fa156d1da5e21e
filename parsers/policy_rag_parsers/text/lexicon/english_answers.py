"""What answers say of themselves in English, which is said too where the language is not known."""

from policy_rag_parsers.text.lexicon.answer_words import AnswerWords

ENGLISH_ANSWERS = AnswerWords(
    nearest="The nearest text; it may not answer your question:",
    refused="The policies found do not answer this question.",
    near_miss="They may treat its matter: see the nearest sections.",
    part_refused="The policies found do not answer this part.",
    not_borne_out="Nothing of what the LLM wrote is borne out by what it cites.",
    wrote_nothing="The LLM wrote nothing.",
    may_answer="The sections found may answer this question.",
    courtesy="What would you like to know from the policies?",
    which="Several policies could be meant. Which one do you ask about?",
    otherwise="Another policy says otherwise",
    unmentioned="No policy here mentions {words}.",
    unmentioned_now="No policy in force mentions {words}.",
    or_="or",
    no_such_language="The question is in {asked}, and no policy here is: ask in {held}.",
    no_clause="there is no {clause} in {titles}",
    readable="the policies that may be read here",
    section_shown="what is shown is section {number}",
    other_law="{clause} is of {law}, which is none of the policies here",
    in_force="{policy} is in force{days}: ask with --as-of {day}",
    was_in_force="{policy} was in force{days}: ask with --as-of {day}",
    version="version {number}",
    no_version="no version",
    since="from {day}",
    no_begin="since no day that is given",
    until="to {day}",
    no_end="to no day that is given",
    against="{one} against {other}",
)
