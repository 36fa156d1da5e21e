"""What people wrote for this training: invented sections of policies, with questions and statements on each.

Public sets have few questions whose matter a passage treats and whose fact it does not hold, and none on policies. So
such were written, in `training/written/*.txt`, a file an organisation, a section a block:

    === Document > Section
    The passage.
    ---
    q: a question || its answer, word for word
    n: a question that the passage does not answer, though it treats the matter
    t paraphrase: a true statement || what bears it out, word for word
    f number: a false statement || what it goes against, word for word
    u: a statement of which the passage says nothing

True statements in the passage's own words (`t near`) and false ones in other words (`f far`) stand beside those of the
opposite kinds, so that how many words are shared says nothing of the truth.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from policy_rag_parsers.text.sentences import sentence_spans

FOLDER = Path(__file__).parent / "written"
SOURCE = "written"
WRITTEN_FOLDS = 10
"""A tenth of the organisations is held out."""
_ITEM = re.compile(r"(q|n|t|f|u)(?: \w+)?: (.+?)(?: \|\| (.+))?")
_MARKED = re.compile(r"\s*(?:[-*+]|\d+[.)]|#+|\([a-z0-9]+\)|>)\s+")
_LED = 200  # characters of a line that leads into a list


@dataclass(frozen=True, slots=True)
class WrittenItem:
    """A question or statement: `kind` as in the file, `text`, and the characters of its quotes in the passage."""

    kind: str
    text: str
    quotes: tuple[tuple[int, int], ...] = ()

    @property
    def quote(self) -> tuple[int, int] | None:
        """The first of its quotes."""
        return self.quotes[0] if self.quotes else None


@dataclass(frozen=True, slots=True)
class WrittenSection:
    """A section: its titles, its text, and what was written on it; `organisation` is the file's name.

    `source` is how the groups of it are called.
    """

    organisation: str
    titles: str
    passage: str
    items: tuple[WrittenItem, ...]
    source: str = SOURCE

    @property
    def whole(self) -> str:
        """Its titles in a line and its text, as the product reads a section."""
        return f"{self.titles}\n{self.passage}"


def read_written(folder: Path = FOLDER) -> list[WrittenSection]:
    """The sections of all files, in order.

    Raises:
        ValueError: something in a file is not in form.
    """
    found = []
    for file in sorted(folder.glob("*.txt")):
        for block in re.split(r"(?m)^=== ", file.read_text(encoding="utf-8"))[1:]:
            head, _, body = block.partition("\n")
            passage, parted, lines = body.partition("\n---\n")
            passage = passage.strip()
            if not parted:
                raise ValueError(f"{file}: {head}: a line --- is wanted between the passage and what is asked")
            items = tuple(_item(line, passage, file) for line in lines.splitlines() if line.strip())
            found.append(WrittenSection(file.stem, head.strip(), passage, items))
    return found


def _item(line: str, passage: str, file: Path) -> WrittenItem:
    matched = _ITEM.fullmatch(line.strip())
    if matched is None:
        raise ValueError(f"{file}: no question or statement: {line}")
    kind, text, quote = matched.groups()
    if quote is None:
        return WrittenItem(kind, text)
    start = passage.find(quote.strip())
    if start < 0:
        raise ValueError(f"{file}: not in its passage: {quote}")
    return WrittenItem(kind, text, ((start, start + len(quote.strip())),))


def quotable(passage: str) -> list[tuple[tuple[int, int], str]]:
    r"""The sentences, items and rows of a passage: the characters of each, and it behind what leads into it.

    >>> quotable("Ask first. Bring:\n- a pass\n- a badge")[2]
    ((29, 36), 'Bring: a badge')
    """
    found: list[tuple[tuple[int, int], str]] = []
    place, lead, header = 0, "", ""
    for line in passage.split("\n"):
        marked = _MARKED.match(line)
        bare = line[marked.end() :] if marked else line
        start, place = place + len(line) - len(bare), place + len(line) + 1
        if line.lstrip().startswith("|"):
            cells = " | ".join(cell.strip() for cell in line.strip().strip("|").split("|"))
            if not header:
                header = cells
            elif re.search(r"\w", cells):
                found.append(((start, start + len(bare)), f"{header}\n{cells}"))
            continue
        header = ""
        if not bare.strip() or line.lstrip().startswith("#"):
            continue
        spans = [(start + a, start + b) for a, b in sentence_spans(bare, 0, len(bare))]
        for span in spans:
            text = " ".join(passage[slice(*span)].replace("**", "").split())
            if not text.endswith(":"):
                found.append((span, f"{lead} {text}" if marked and lead else text))
        last = " ".join(passage[slice(*spans[-1])].split()) if spans else ""
        lead = last if last.endswith(":") and len(last) <= _LED else lead if marked else ""
    return found
