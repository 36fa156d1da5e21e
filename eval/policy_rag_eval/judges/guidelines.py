"""`guidelines`: does the answer keep to the user's own rules for answers?"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from policy_rag.errors import UsageError
from policy_rag_eval.data.yaml_files import read_yaml
from policy_rag_eval.judges.llm_judge import LLMJudge, as_list
from policy_rag_eval.judges.records import Case, Need, Verdict
from policy_rag_eval.judges.replies import Ask, Form, numbered_once
from policy_rag_prompts.data import as_data


class RuleVerdict(Form):
    """What the model says of one rule."""

    n: int
    verdict: Literal["kept", "broken", "not_applicable"]
    reason: str


class Reply(Form):
    """What the model says of all rules."""

    rules: list[RuleVerdict]


def read_guidelines(path: Path) -> tuple[str, ...]:
    """The rules of a YAML file, a list of texts in order.

    Raises:
        UsageError: it cannot be read, or is no list of texts.
    """
    loaded = read_yaml(path, f"there is no file {path}: give a YAML list of your rules")
    if not isinstance(loaded, list) or not loaded or not all(isinstance(one, str) and one.strip() for one in loaded):
        raise UsageError(f"{path} holds no rules: write a list of texts, `- The answer names the section.`")
    return tuple(one.strip() for one in loaded)


@dataclass(frozen=True)
class Guidelines(LLMJudge):
    """The share of the rules that apply to an answer which it keeps; where none applies there is nothing to judge.

    Attributes:
        rules: at least one.
    """

    rules: tuple[str, ...]

    @property
    def kind(self) -> str:  # noqa: D102
        return "guidelines"

    @property
    def needs(self) -> frozenset[Need]:  # noqa: D102
        return frozenset()

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """One question about all rules."""
        values = {"question": as_data(case.question), "answer": as_data(case.answer)}
        return (self._ask(Reply, case.answer, rules=as_list(self.rules), **values),)

    def read(self, case: Case, replies: Sequence[Form]) -> Verdict:  # noqa: ARG002 - the reply says it all
        """`kept` where every rule that applies is, else `broken`; its evidence are the broken rules."""
        said = cast("Reply", replies[0]).rules
        if not numbered_once([one.n for one in said], len(self.rules)):
            return self._cannot(f"the reply does not judge each of {len(self.rules)} rules once")
        broken = sorted((one for one in said if one.verdict == "broken"), key=lambda one: one.n)
        kept = sum(one.verdict == "kept" for one in said)
        if not broken and not kept:
            return self._cannot("no rule applies to the answer")
        score = kept / (kept + len(broken))
        reason = (
            "; ".join(one.reason for one in broken if one.reason) or f"{kept} of {kept + len(broken)} rules are kept"
        )
        evidence = tuple(self.rules[one.n - 1] for one in broken)
        return Verdict(self.name, score, "broken" if broken else "kept", reason, evidence)
