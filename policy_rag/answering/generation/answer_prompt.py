"""The words that an LLM is asked to answer with: those for its size, or the user's own."""

import hashlib
from dataclasses import replace
from pathlib import Path

from policy_rag.errors import UsageError
from policy_rag_prompts.loader import Template, load_template, parse_template

AUTO = "auto"
STANDARD, SHORT = "answer", "answer_short"
SMALL = 8.5
"""Billions of weights up to which a model gets the short words: longer lists of rules lead it to refuse."""


def answer_prompt(name: str, billions: float | None) -> Template:
    """The prompt of a name.

    Args:
        name: `auto`, `answer`, `answer_short`, or a file: a whole prompt as those that come with the project, or only
            the instructions, which then take the place of theirs.
        billions: of weights of the model, by which `auto` chooses; without it the model counts as large.

    Raises:
        UsageError: there is no such file, it cannot be read or is empty.
        PromptError: a whole prompt that is malformed.
    """
    if name == AUTO:
        return load_template(SHORT if billions is not None and billions <= SMALL else STANDARD)
    if name in {STANDARD, SHORT}:
        return load_template(name)
    file = Path(name)
    try:
        text = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        known = f"{AUTO}, {STANDARD}, {SHORT} or a file of instructions"
        raise UsageError(f"prompt={name}: it can be {known}, and no such file can be read ({error})") from error
    if not text:
        raise UsageError(f"prompt={name}: the file is empty: write the instructions to the LLM into it")
    if text.startswith("---\n"):
        return parse_template(text, file.stem)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return replace(load_template(STANDARD), name=file.stem, version=1, system=text, sha256=digest)
