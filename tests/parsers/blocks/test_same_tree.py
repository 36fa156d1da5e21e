"""One policy, one tree: the same sections whatever format it is written in."""

import re
import shutil
import subprocess
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from long_policies import handbook, rulebook
from policy_forms import WRITERS, Block, Key, Node, Policy, agreement, docx, html, write

from policy_rag_parsers.blocks.table_blocks import find_tables, header_text, table_rows
from policy_rag_parsers.loaders import load
from policy_rag_parsers.records import Section, SourceText
from policy_rag_parsers.structure.sections import document_title, parse_sections

DOCUMENTS = Path(__file__).parents[3] / "eval" / "datasets" / "brannholt" / "documents"
SAMPLES = sorted(path.name for path in DOCUMENTS.iterdir() if path.suffix != ".yaml")
LONG = {"handbook": handbook, "rulebook": rulebook}
_BLOCK_START = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:\([a-z]{1,4}\)|[-*•]|\d+[.)])\s)")

# Read by hand: each chapter of a sample with the number of its clauses. Chapters run from 1.
CLAUSES = {
    "acceptable-use-policy.txt": (2, 4, 0, 4, 5, 4, 4, 3, 0),
    "ai-ethics-policy.md": (0, 0, 0, 0, 4, 5, 4, 3, 4),
    "betriebsvereinbarung-arbeitszeit.md": (0,) * 12,
    "board-rules-of-procedure.txt": (2, 2, 2, 3, 2, 2, 2),
    "code-of-conduct.md": (0, 3, 5, 3, 4, 4, 3, 3),
    "data-privacy-policy.html": (2, 0, 4, 4, 4, 0, 3, 3, 4, 0),
    "data-retention-schedule.md": (3, 0, 2, 4, 0, 0),
    "disciplinary-guideline.md": (0, 5, 0, 2, 0, 0, 0),
    "expenses-and-travel-policy-2023.txt": (2, 2, 4, 3, 2, 4, 2, 2),
    "expenses-and-travel-policy.txt": (3, 3, 9, 4, 6, 4, 5, 0, 3, 3),
    "information-security-policy.pdf": (2, 2, 2, 4, 4, 4, 3, 4, 4, 2),
    "leave-policy.md": (6, 4, 4, 0, 0, 4, 0, 0),
    "model-governance-standard.docx": (2, 0, 0, 3, 4, 4, 3, 3, 2, 2, 0),
    "procurement-policy.md": (2, 0, 4, 4, 3, 5, 5, 3, 0, 0),
    "remote-work-policy-2022.md": (3, 3, 2, 2, 2, 2, 2, 0),
    "remote-work-policy.md": (3, 4, 4, 3, 3, 3, 3, 0),
    "whistleblowing-policy.txt": (0, 4, 6, 6, 3, 5, 0, 2, 0),
}


def sections_of(path: Path) -> tuple[SourceText, tuple[Section, ...]]:
    source = load(path)
    return source, parse_sections(source, title=document_title(source) or path.stem)


def tree_of(path: Path) -> list[Key]:
    _, sections = sections_of(path)
    known = {section.section_id: section for section in sections}
    parents = [known[section.parent] if section.parent else None for section in sections]
    return [
        (section.number, section.title, (parent.number or parent.title) if parent else None)
        for section, parent in zip(sections, parents, strict=True)
        if section.level > 0
    ]


@cache
def sample(name: str) -> Policy:
    """A sample policy in the neutral form."""
    source, sections = sections_of(DOCUMENTS / name)
    bodies = {section.section_id: tuple(blocks(source, section)) for section in sections}
    preamble = bodies["preamble"] if sections[0].level == 0 else ()
    nodes = tuple(Node(s.number, s.title, s.level, bodies[s.section_id]) for s in sections if s.level)
    return Policy(document_title(source) or name, preamble, nodes)


def blocks(source: SourceText, section: Section) -> list[Block]:
    made: list[Block] = []
    at = section.body
    for table in find_tables(source):
        if section.body <= table.start < section.end:
            made += paragraphs(source.text[at : table.start])
            rows = [source.text[slice(*row)] for row in table_rows(source.text, table)]
            header = header_text(source.text, table)
            made.append(tuple(cells(row) for row in ([header, *rows] if header else rows)))
            at = table.end
    return made + paragraphs(source.text[at : section.end])


def paragraphs(text: str) -> list[Block]:
    return [" ".join(part.split()) for part in _BLOCK_START.split(text) if part.strip()]


def cells(row: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in re.split(r"[|\t]", row.strip(" |")))


@pytest.mark.parametrize("name", SAMPLES)
def test_the_trees_of_the_samples_are_those_that_a_reader_sees(name: str) -> None:
    nodes = sample(name).nodes
    sign = "§ " if name.startswith("betriebs") else ""
    chapters = [(f"{sign}{n}", count) for n, count in enumerate(CLAUSES[name], 1)]
    expected = [
        (number, level)
        for chapter, count in chapters
        for number, level in [(chapter, 1), *((f"{chapter}.{n}", 2) for n in range(1, count + 1))]
    ]
    assert [(node.number, node.level) for node in nodes] == expected
    assert all(node.title for node in nodes if node.level == 1)


@pytest.mark.parametrize("name", [*SAMPLES, *LONG])
def test_the_same_tree_in_every_format(name: str, tmp_path: Path) -> None:
    policy = LONG[name]() if name in LONG else sample(name)
    trees = {form: tree_of(write(policy, form, tmp_path)) for form in WRITERS}
    trees["neutral"] = policy.tree()
    shares = {(one, two): agreement(trees[one], trees[two]) for one, two in combinations(trees, 2)}
    assert min(shares.values()) >= 0.95, {pair: share for pair, share in shares.items() if share < 0.95}


def test_the_share_falls_with_each_section_that_differs() -> None:
    nodes = tuple(Node(str(number), f"Title {number}", 1, ("Text.",)) for number in range(1, 21))
    policy = Policy("P", (), nodes)
    other = Policy("P", (), (*nodes[:-1], Node("20", "Another", 1)))
    assert agreement(policy.tree(), policy.tree()) == 1
    assert agreement(policy.tree(), other.tree()) == 0.95
    assert agreement(policy.tree(), policy.tree()[:10]) == 0.5


def test_the_long_policies_are_long_and_full_of_traps() -> None:
    for make in LONG.values():
        policy = make()
        text = WRITERS["plain text"][1](policy).decode()
        assert len(policy.nodes) > 200
        assert len(text) > 50_000
        starts = [line.split()[0] for line in text.splitlines() if line.strip()]
        numbers = {node.number for node in policy.nodes}
        assert sum(start in numbers for start in starts) > len([n for n in policy.nodes if not n.title]) + 20
        assert all(two.level <= one.level + 1 for one, two in pairwise(policy.nodes))


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two long policies as LibreOffice renders them from Word files and from HTML."""
    program = shutil.which("soffice")
    if program is None:
        pytest.skip("needs LibreOffice (soffice) to render documents")
    folder = tmp_path_factory.mktemp("office")
    words, pages = [], []
    for name, make in LONG.items():
        words.append(folder / f"{name}.docx")
        words[-1].write_bytes(docx(make()))
        pages.append(folder / f"{name}-page.html")
        pages[-1].write_bytes(html(make()))
    words.append(folder / "handbook-counted.docx")
    words[-1].write_bytes(docx(handbook(), automatic=True))

    def convert(form: str, files: list[Path]) -> None:
        profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
        command = [program, profile, "--headless", "--convert-to", form, "--outdir", str(folder / "made")]
        subprocess.run([*command, *map(str, files)], check=True, capture_output=True, timeout=300)

    for form in ("pdf:writer_pdf_Export", "html:HTML (StarWriter)", "txt:Text (encoded):UTF8"):
        convert(form, words)
    convert("odt", pages)
    convert("docx:MS Word 2007 XML", [folder / "made" / f"{page.stem}.odt" for page in pages])
    return folder / "made"


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_the_same_tree_as_libreoffice_renders_it(name: str, office: Path) -> None:
    made = sorted(path for path in office.glob(f"{name}*") if path.suffix != ".odt")
    expected = {"handbook": 7, "rulebook": 4}[name]
    assert len(made) == expected, [path.name for path in made]
    trees = {path.name: tree_of(path) for path in made}
    trees["neutral"] = LONG[name]().tree()
    shares = {(one, two): agreement(trees[one], trees[two]) for one, two in combinations(trees, 2)}
    assert min(shares.values()) >= 0.95, {pair: share for pair, share in shares.items() if share < 0.95}
