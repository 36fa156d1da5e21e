"""LLM judges of the answer: borne out, to the point, right, within the user's rules, rightly refused."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator

from policy_rag.errors import UsageError
from policy_rag.models.embedder import Embedder
from policy_rag_eval.data.yaml_files import read_yaml
from policy_rag_eval.judges.judge_cases import Case, JudgeVerdict, Need
from policy_rag_eval.judges.judge_replies import ReplyForm, numbered_once
from policy_rag_eval.judges.llm_judge import LLMJudge, as_list, as_sections, quoted_from
from policy_rag_eval.judges.record_judges import refusal_label
from policy_rag_eval.judges.statements import refuses, statements
from policy_rag_prompts.data import as_data

_BATCH = 10  # statements in one prompt
_MAX_STATEMENTS = 100


class JudgedStatement(ReplyForm):
    """What the model says of one statement."""

    n: int
    verdict: Literal["supported", "contradicted", "not_found"]
    quote: str


class FaithfulnessReply(ReplyForm):
    """What the model says of several."""

    statements: list[JudgedStatement]


@dataclass(frozen=True)
class Faithfulness(LLMJudge[FaithfulnessReply]):
    """The share of the answer's statements that the contexts bear out.

    "Supported" counts only with words that stand in the contexts; without them the answer could not be judged, since a
    model that always says yes, or obeys the answer that it judges, has none. Orders to an assistant count as statements
    that nothing bears out.
    """

    kind = "faithfulness"
    needs = frozenset({Need.CONTEXTS})
    form = FaithfulnessReply

    def known(self, case: Case) -> JudgeVerdict | None:
        """An answer that states nothing could not be judged; one without contexts, or of orders only, is unfaithful."""
        found = statements(case.answer)
        if refuses(case):
            return self.unjudged("a refusal or an empty answer states nothing")
        if not found.texts and not found.orders:
            return self.unjudged("the answer has no sentence")
        if len(found.texts) > _MAX_STATEMENTS:
            return self.unjudged(f"the answer has {len(found.texts)} sentences, more than {_MAX_STATEMENTS}")
        if not case.contexts or not found.texts:
            reason = "it gives orders to an assistant" if not found.texts else "there is no context"
            return JudgeVerdict(self.name, 0.0, "unfaithful", reason, (*found.orders, *found.texts)[:1])
        return None

    def prompts(self, case: Case) -> Sequence[dict[str, str]]:
        """One call for every ten statements."""
        sections = as_sections(case.contexts or ())
        return [{"sections": sections, "statements": as_list(texts)} for texts in _batches(case)]

    def read(self, case: Case, replies: Sequence[FaithfulnessReply]) -> JudgeVerdict:
        """The share that is supported; `faithful` where that is all."""
        found = statements(case.answer)
        unsupported = list(found.orders)
        quotes: list[str] = []
        for texts, reply in zip(_batches(case), replies, strict=True):
            if not numbered_once([one.n for one in reply.statements], len(texts)):
                return self.unjudged(f"the reply does not judge each of {len(texts)} statements once")
            for one in reply.statements:
                text = texts[one.n - 1]
                if one.verdict != "supported":
                    unsupported.append(text)
                elif quoted_from(one.quote, case.contexts or ()):
                    quotes.append(one.quote)
                else:
                    return self.unjudged(f"what it quotes for {text!r} is not in the contexts")
        total = len(found.texts) + len(found.orders)
        label, evidence = ("unfaithful", unsupported) if unsupported else ("faithful", quotes)
        reason = f"{len(quotes)} of {total} statements are supported"
        return JudgeVerdict(self.name, len(quotes) / total, label, reason, tuple(evidence))


def _batches(case: Case) -> list[tuple[str, ...]]:
    texts = statements(case.answer).texts
    return [texts[first : first + _BATCH] for first in range(0, len(texts), _BATCH)]


class RelevancyReply(ReplyForm):
    """The questions that the model made, and whether the answer is evasive."""

    questions: list[str] = Field(max_length=10)
    noncommittal: bool


@dataclass(frozen=True)
class AnswerRelevancy(LLMJudge[RelevancyReply]):
    """Mean cosine, at least 0, of the questions made back from the answer with the one that was asked (RAGAS, 2023).

    An evasive or empty answer has 0. What is no question ("Here are three questions:") is left out.

    Attributes:
        embedder: gives vectors of norm 1.
    """

    embedder: Embedder = field(repr=False)
    kind = "answer_relevancy"
    needs = frozenset()
    form = RelevancyReply

    def known(self, case: Case) -> JudgeVerdict | None:
        """0 for a refusal and for an empty answer."""
        return JudgeVerdict(self.name, 0.0, "evasive", "it does not answer") if refuses(case) else None

    def prompts(self, case: Case) -> Sequence[dict[str, str]]:
        """One call; the asker's question is not shown to the model."""
        return [{"answer": as_data(case.answer)}]

    def read(self, case: Case, replies: Sequence[RelevancyReply]) -> JudgeVerdict:
        """`relevant` from one half on, else `beside the question`, or `evasive`."""
        if replies[0].noncommittal:
            return JudgeVerdict(self.name, 0.0, "evasive", "the model calls it noncommittal")
        questions = [text.strip() for text in replies[0].questions if text.strip().endswith("?")]
        if not questions:
            return self.unjudged("the reply holds no question")
        asked, *made = self.embedder.embed([case.question, *questions])
        score = min(max(sum(float(asked @ vector) for vector in made) / len(made), 0.0), 1.0)
        label = "relevant" if score >= 0.5 else "beside the question"
        return JudgeVerdict(
            self.name, score, label, f"mean cosine {score:.2f} of {len(made)} questions", tuple(questions)
        )


class CorrectnessReply(ReplyForm):
    """The model's grade, and why."""

    reason: str
    grade: Literal[1, 3, 5, 7, 10]

    @field_validator("grade", mode="before")
    @classmethod
    def _no_boolean(cls, value: object) -> object:
        """`true` equals 1 in Python, and is no grade."""
        if isinstance(value, bool):
            raise ValueError("true and false are no grades")  # noqa: TRY004 - what pydantic takes for invalid
        return value


@dataclass(frozen=True)
class Correctness(LLMJudge[CorrectnessReply]):
    """The grade 1, 3, 5, 7 or 10 against a right answer; the score is `(grade - 1) / 9`. There is none between them."""

    kind = "correctness"
    needs = frozenset({Need.REFERENCE})
    form = CorrectnessReply

    def known(self, case: Case) -> JudgeVerdict | None:
        """Grade 1 for an empty answer."""
        return None if case.answer.strip() else self._graded(1, "the answer is empty")

    def prompts(self, case: Case) -> Sequence[dict[str, str]]:
        """One call."""
        values = {"question": case.question, "reference": case.reference or "", "answer": case.answer}
        return [{name: as_data(text) for name, text in values.items()}]

    def read(self, case: Case, replies: Sequence[CorrectnessReply]) -> JudgeVerdict:  # noqa: ARG002 - the grade says it all
        """`correct` from grade 7 on, `partly correct` at 5, else `incorrect`."""
        return self._graded(replies[0].grade, replies[0].reason)

    def _graded(self, grade: int, reason: str) -> JudgeVerdict:
        label = "correct" if grade >= 7 else "partly correct" if grade == 5 else "incorrect"
        return JudgeVerdict(self.name, (grade - 1) / 9, label, reason, grade=grade)


class RuleVerdict(ReplyForm):
    """What the model says of one rule."""

    n: int
    verdict: Literal["kept", "broken", "not_applicable"]
    reason: str


class GuidelinesReply(ReplyForm):
    """What the model says of all rules."""

    rules: list[RuleVerdict]


@dataclass(frozen=True)
class Guidelines(LLMJudge[GuidelinesReply]):
    """The share of the user's rules that apply to an answer which it keeps; where none applies it could not be judged.

    Attributes:
        rules: at least one.
    """

    rules: tuple[str, ...]
    kind = "guidelines"
    needs = frozenset()
    form = GuidelinesReply

    def prompts(self, case: Case) -> Sequence[dict[str, str]]:
        """One call for all rules."""
        return [{"question": as_data(case.question), "answer": as_data(case.answer), "rules": as_list(self.rules)}]

    def read(self, case: Case, replies: Sequence[GuidelinesReply]) -> JudgeVerdict:  # noqa: ARG002 - the reply says it all
        """`kept` where every rule that applies is, else `broken`; its evidence are the broken rules."""
        judged = sorted(replies[0].rules, key=lambda one: one.n)
        if not numbered_once([one.n for one in judged], len(self.rules)):
            return self.unjudged(f"the reply does not judge each of {len(self.rules)} rules once")
        broken = [one for one in judged if one.verdict == "broken"]
        kept = sum(one.verdict == "kept" for one in judged)
        if not broken and not kept:
            return self.unjudged("no rule applies to the answer")
        applying = kept + len(broken)
        reason = "; ".join(one.reason for one in broken if one.reason) or f"{kept} of {applying} rules are kept"
        evidence = tuple(self.rules[one.n - 1] for one in broken)
        return JudgeVerdict(self.name, kept / applying, "broken" if broken else "kept", reason, evidence)


def read_guidelines(path: Path) -> tuple[str, ...]:
    """The rules of a YAML file, a list of texts in order.

    Raises:
        UsageError: it cannot be read, or is no list of texts.
    """
    loaded = read_yaml(path, f"there is no file {path}: give a YAML list of your rules")
    if not isinstance(loaded, list) or not loaded or not all(isinstance(one, str) and one.strip() for one in loaded):
        raise UsageError(f"{path} holds no rules: write a list of texts, `- The answer names the section.`")
    return tuple(one.strip() for one in loaded)


class RefusalReply(ReplyForm):
    """Whether the sections answer, by which words, and whether the answer refuses."""

    sections_answer: bool
    quote: str
    refuses: bool


@dataclass(frozen=True)
class Refusal(LLMJudge[RefusalReply]):
    """1 where an answer was given from contexts that hold it, or refused where they do not, else 0.

    That the contexts answer counts only with words that stand in them. Where the record says whether the system
    refused, that is taken and not what the model makes of it.
    """

    kind = "refusal"
    needs = frozenset({Need.CONTEXTS})
    form = RefusalReply

    def prompts(self, case: Case) -> Sequence[dict[str, str]]:
        """One call."""
        values = {"question": as_data(case.question), "answer": as_data(case.answer)}
        return [{**values, "sections": as_sections(case.contexts or ())}]

    def read(self, case: Case, replies: Sequence[RefusalReply]) -> JudgeVerdict:
        """Labelled as `refusal_label` says."""
        reply = replies[0]
        if reply.sections_answer and not quoted_from(reply.quote, case.contexts or ()):
            return self.unjudged("what it quotes is not in the contexts")
        refused = reply.refuses if case.refused is None else case.refused
        right = refused != reply.sections_answer
        reason = "the contexts answer it" if reply.sections_answer else "the contexts do not answer it"
        evidence = (reply.quote,) if reply.sections_answer else ()
        return JudgeVerdict(self.name, float(right), refusal_label(refused=refused, right=right), reason, evidence)
