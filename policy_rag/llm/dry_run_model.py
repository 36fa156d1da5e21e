"""A stand-in for a language model that counts what it is asked and leaves the machine alone: for `--dry-run`."""

import re
from typing import Unpack

from policy_rag.llm.language_model import BRIEF_TOKENS, ModelWrapper, Reply, ReplyOptions, prompt_tokens
from policy_rag_parsers.text.sentences import sentence_spans

_SECTION = re.compile(r"<section n=\"1\" from=\"[^\"]*\">\n(.*?)\n</section>", re.DOTALL)


class EstimatingModel(ModelWrapper):
    """Takes the place of a model: its tokens are our estimate of the prompt, and the most that the model may reply.

    Where it is given numbered sections it replies with a sentence of the first, cited, and where it is asked yes or no
    it says yes, so that what follows an answer is counted too; to anything else it replies nothing, which gives way to
    rules.

    Args:
        model: whose name and window it has.
    """

    def chat(self, system: str, user: str, **how: Unpack[ReplyOptions]) -> Reply:
        """What stands for a reply; nobody is asked."""
        tokens_in = prompt_tokens(system, user)
        if how.get("first_tokens"):
            return Reply("yes", tokens_in, BRIEF_TOKENS, 0.0, "estimated")
        section = _SECTION.search(user) if how.get("json_schema") is None else None
        text = f"{_longest_sentence(section[1])} [1]" if section else ""
        return Reply(text, tokens_in, self.reply_tokens, 0.0, "estimated")


def _longest_sentence(text: str) -> str:
    """The longest sentence on one line: a heading bears no statement."""
    sentences = [" ".join(text[start:end].split()) for start, end in sentence_spans(text, 0, len(text))]
    return max(sentences, key=len, default="").rstrip(".")
