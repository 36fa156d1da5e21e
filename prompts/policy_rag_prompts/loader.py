"""Prompt templates: files with declared variables, a version, and a hash that says which words were sent."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from policy_rag_prompts.errors import PromptError

_VARIABLE = re.compile(r"\{\{\s*([a-z_]+)\s*\??\}\}")
_OPTIONAL = re.compile(r"\{\{\s*([a-z_]+)\s*\?\}\}")
_FILE = re.compile(r"---\n(?P<header>.*?)\n---\n\[system\]\n(?P<system>.*?)\n\[user\]\n(?P<user>.*)\Z", re.DOTALL)
_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_HEADER_KEYS = {"name", "version", "variables"}


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent to an LLM: the system prompt and the user's message."""

    system: str
    user: str


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt with gaps.

    Attributes:
        name: its file's name without the suffix.
        version: raised whenever the words change.
        variables: names of the gaps, in the order of the header.
        system: the system prompt, with `{{variable}}` where a value goes.
        user: the user's message, likewise.
        sha256: of the file's text, 64 hexadecimal digits.
    """

    name: str
    version: int
    variables: tuple[str, ...]
    system: str
    user: str
    sha256: str

    @property
    def label(self) -> str:
        """Name, version and the beginning of the hash, as a trace shows them: `answer 1 3f2a9c0d1b2e`."""
        return f"{self.name} {self.version} {self.sha256[:12]}"

    def render(self, **values: str) -> Prompt:
        r"""The prompt with every gap filled. Values are put in as they are: what looks like a gap in them stays.

        A line with an optional gap, `{{variable?}}`, is left out where its value is empty.

        Args:
            **values: one for each variable, and no other.

        Raises:
            PromptError: a variable is missing or unknown.

        >>> template = parse_template("---\nname: t\nversion: 1\nvariables: day\n---\n[system]\nBe brief.\n"
        ...                           "[user]\nIs it {{day}}?", "t")
        >>> template.render(day="{{day}} 3").user
        'Is it {{day}} 3?'
        >>> template.render()
        Traceback (most recent call last):
        policy_rag_prompts.errors.PromptError: prompt t: give day; its variables are day
        """
        missing = [name for name in self.variables if name not in values]
        unknown = sorted(values.keys() - set(self.variables))
        if missing or unknown:
            wrong = [f"give {', '.join(missing)}"] if missing else []
            wrong += [f"do not give {', '.join(unknown)}"] if unknown else []
            known = ", ".join(self.variables) or "none"
            raise PromptError(f"prompt {self.name}: {' and '.join(wrong)}; its variables are {known}")
        return Prompt(*(_filled(part, values) for part in (self.system, self.user)))


def _filled(part: str, values: Mapping[str, str]) -> str:
    lines = (line for line in part.split("\n") if all(values[gap[1]] for gap in _OPTIONAL.finditer(line)))
    return _VARIABLE.sub(lambda gap: values[gap[1]], "\n".join(lines))


def load_template(name: str) -> Template:
    """The template in the file `name`, which is given without `.md`.

    Raises:
        PromptError: there is no such file, or it is malformed.

    >>> load_template("answer").variables
    ('question', 'sections', 'refusal')
    """
    place = files("policy_rag_prompts") / "templates"
    file = place / f"{name}.md"
    if not _NAME.match(name) or not file.is_file():
        known = sorted(entry.name.removesuffix(".md") for entry in place.iterdir() if entry.name.endswith(".md"))
        raise PromptError(f"there is no prompt {name!r}; the prompts are {', '.join(known)}")
    return parse_template(file.read_text("utf-8"), name)


def parse_template(text: str, name: str) -> Template:
    """The template in a file's text: a header between `---` lines, then `[system]` and `[user]`, each on its line.

    Raises:
        PromptError: the header or a part is missing, or the gaps are not the declared variables.
    """
    found = _FILE.match(text.replace("\r\n", "\n"))
    if not found:
        raise PromptError(
            f"prompt {name}: write a header between two --- lines, then [system] and [user], in this order"
        )
    pairs = [line.partition(":") for line in found["header"].splitlines() if line.strip()]
    header = {key.strip(): value.strip() for key, _, value in pairs}
    if header.keys() != _HEADER_KEYS or header["name"] != name or not header["version"].isdecimal():
        raise PromptError(f"prompt {name}: its header needs name: {name}, version: a whole number, and variables:")
    variables = tuple(part.strip() for part in header["variables"].split(",") if part.strip())
    system, user = found["system"].strip(), found["user"].strip()
    gaps = set(_VARIABLE.findall(system + user))
    if gaps != set(variables) or len(set(variables)) != len(variables):
        raise PromptError(
            f"prompt {name}: declare each variable once and use it: it declares {', '.join(variables) or 'none'} "
            f"and uses {', '.join(sorted(gaps)) or 'none'}"
        )
    digest = hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()
    return Template(name, int(header["version"]), variables, system, user, digest)
