"""Reports made from the store alone: what is in them, and that no name or question in them acts as markup."""

import dataclasses
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from small_dataset import WordHashes
from stored_runs import FIRST, NDCG, SECOND, changed

from policy_rag.cli import run as cli
from policy_rag_eval.errors import PolicyRagError
from policy_rag_eval.measures.slices import Slice
from policy_rag_eval.measures.unanswerable import Unanswerable
from policy_rag_eval.reports.pages import Page
from policy_rag_eval.reports.report import comparison_report, run_report, sweep_report
from policy_rag_eval.reports.run_comparison import compare_runs
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.sweep.evaluation import Latency
from policy_rag_eval.tracking import StoredSweep

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*")


class Seen(HTMLParser):
    """The tags of a page with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def page(text: str, picture: bytes = b"") -> Page:
    made = Page(text)
    made.paragraph(text)
    made.items([text])
    made.table([text, "a"], [[text, "1.0"]])
    made.picture("a.png", text, picture)
    return made


def test_blocks_as_markdown() -> None:
    made = Page("Title")
    made.paragraph("Some *text*\nwith <b> and [a](b), snake_case and _this_.")
    made.items(["- one", "2. two"])
    made.items([])
    made.table(["name", "a"], [["x|y", "1.0"]])
    made.picture("a.png", "A plot", b"")
    assert made.markdown().splitlines() == [
        "# Title",
        "",
        r"Some \*text\* with \<b\> and \[a\](b), snake_case and \_this\_.",
        "",
        r"- \- one",
        r"- 2\. two",
        "",
        "| name | a |",
        "| --- | ---: |",
        r"| x\|y | 1.0 |",
        "",
        "![A plot](a.png)",
    ]


def test_a_page_stands_alone() -> None:
    seen = Seen(page("T", b"\x89PNG").html())
    tags = {tag for tag, _ in seen.tags}
    assert {"h1", "p", "li", "table", "img"} <= tags
    assert not tags & {"script", "link", "iframe", "object", "base"}
    (image,) = [attributes for tag, attributes in seen.tags if tag == "img"]
    assert image == {"alt": "T", "src": "data:image/png;base64,iVBORw=="}
    policy = next(a["content"] for tag, a in seen.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert [a.get("style") for tag, a in seen.tags if tag == "td"] == [None, "text-align:right"]


@given(st.text(min_size=1).filter(str.strip))
@example("<script>alert(1)</script>")
@example("[a](http://x) ![b](c) <http://x> &lt; &#60; `code` | ~~x~~ \\")
@example("__0__ a_b __c")
def test_no_text_makes_a_tag_or_is_lost(text: str) -> None:
    shapes = [
        [(tag, sorted(attributes)) for tag, attributes in Seen(made.html()).tags] for made in (page(text), page("x"))
    ]
    assert shapes[0] == shapes[1]
    if re.fullmatch(r"[\w<>&\"'/=@]+", text, re.ASCII):
        assert Seen(page(text).html()).text.count(text) >= 5


@given(st.text(min_size=1))
def test_no_text_breaks_a_row_of_a_markdown_table(text: str) -> None:
    made = Page("T")
    made.table(["a", "b"], [[text, "1"]])
    lines = made.markdown().splitlines()[2:]
    assert len(lines) == 3
    assert len(re.findall(r"(?<!\\)\|", lines[2].replace(r"\\", ""))) == 3


def sweep() -> StoredSweep:
    slices = tuple(Slice("type", kind, 2, {NDCG: Interval(0.5, 0.25, 0.75)}) for kind in ("clause", "table"))
    common = {"latencies_ms": {"total": Latency(4.04, 9.96)}, "slices": slices, "parent": "p"}
    quarter = Interval(0.25, 0.25, 0.25)
    first = changed(
        FIRST,
        **common,
        unanswerable=Unanswerable(3, quarter, 4.5, quarter),
        texts={"c": "What <b>is</b> |this|?"},
        best=True,
    )
    second = changed(SECOND, **common)
    return StoredSweep(
        "p" * 32, "sweep of 2", FIRST.started, (second, first), ("one beats two",), {"three": "no model"}
    )


def test_a_sweeps_report_tells_all_that_the_store_holds() -> None:
    made = sweep_report(sweep())
    text = made.markdown()
    assert text.startswith("# Retrieval on small: 2 configurations\n")
    assert "digest dddddddddddd, --corpus files, 4 questions. MLflow's run pppp" in text
    assert "2026-09-01 08:30 UTC" in text
    assert "Best by ndcg@10: one, 0.625" in text
    assert "- one beats two" in text
    assert "- three: no model" in text
    assert text.index("| one | 0.625 |") < text.index("| two | 0.250 |"), "best first"
    assert "| one | 4.0 / 10.0 |" in text
    assert "| type | clause | 2 | 0.500 | 0.250 to 0.750 |" in text
    assert "| one | 3 | 0.250 (0.250 to 0.250) | 0.250 (0.250 to 0.250) | 4.5 |" in text
    assert "1 of 4 questions score 0 ndcg@10 with one." in text
    assert r"| c | What \<b\>is\</b\> \|this\|? |" in text
    assert "| search | one |" in text
    assert "| numpy | 2.0 |" in text
    assert list(made.pictures) == ["measures.png", "precision_latency.png", "slices.png"]
    assert "<b>is</b>" not in made.html()


def test_the_best_is_drawn_against_the_others_where_the_questions_are_the_same() -> None:
    scores = dataclasses.replace(SECOND.evaluation.scores, questions=FIRST.evaluation.scores.questions[:3])
    same = changed(SECOND, scores=scores)
    first = changed(FIRST, scores=dataclasses.replace(scores, values={NDCG: (1.0, 1.0, 1.0)}))
    made = sweep_report(dataclasses.replace(sweep(), runs=(same, first)))
    assert "differences.png" in made.pictures


def test_a_run_that_kept_no_texts_is_told_by_its_ids() -> None:
    text = run_report(FIRST).markdown()
    assert "# Retrieval on small: one" in text
    assert "| ndcg@10 | 0.625 | 0.625 to 0.625 |" in text
    assert "\n- c\n" in text


def test_a_comparisons_report_gives_the_figures_of_the_comparison() -> None:
    found = compare_runs(FIRST, SECOND)
    text = comparison_report(found).markdown()
    assert found.verdict in text
    assert "| ndcg@10 | 0.500 | 0.250 | +0.250 |" in text
    assert "| a | 1.000 | 0.250 |" in text
    assert "| search | one | two |" in text


def test_a_folder_that_cannot_be_written_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PolicyRagError, match="give another folder"):
        Page("T").write(tmp_path / "file" / "out")


def test_the_command_needs_the_store_and_nothing_else(
    folder: Path, stored: Path, model: WordHashes, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("grid.yaml").write_text("search: [vector, keyword]\ncandidates: [2, 10]\n")
    assert cli(["eval", "retrieval", str(folder), "--grid", "grid.yaml", "--json"]) == 0
    figures = json.loads(capfd.readouterr().out)
    for path in folder.rglob("*"):
        if path.is_file():
            path.unlink()
    assert cli(["eval", "report", "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert said["name"] == "sweep of 4"
    text = Path(said["markdown"]).read_text()
    for configuration in figures["configurations"]:
        measures = configuration["measures"]
        ndcg = measures["ndcg@10"]
        row = f"| {configuration['name']} | {ndcg['mean']:.3f} | {ndcg['low']:.3f} to {ndcg['high']:.3f} |"
        assert row in text
    for verdict in figures["verdicts"]:
        assert f"- {verdict}" in text
    seen = Seen(Path(said["html"]).read_text())
    assert sum(tag == "img" for tag, _ in seen.tags) >= 3
    assert all((a["src"] or "").startswith("data:image/png") for tag, a in seen.tags if tag == "img")
    for file in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text):
        assert (Path("report") / file).is_file()

    assert cli(["eval", "report", "search=vector candidates=10", "--out", "one"]) == 0
    assert Path("one", "report.html").is_file()
    assert cli(["eval", "report", "nothing"]) == 2
    assert "there is no run nothing" in capfd.readouterr().err


def test_an_empty_store_says_what_to_run(stored: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli(["eval", "report"]) == 2
    assert "holds no evaluation yet" in capfd.readouterr().err
