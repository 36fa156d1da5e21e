"""Decision pages: what stands in them, that they ask nothing of the net, and that no text acts as markup."""

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from small_dataset import WordHashes
from stored_runs import FIRST, SECOND, changed

from policy_rag.cli import run as cli
from policy_rag_eval.errors import PolicyRagError
from policy_rag_eval.reports.comparison_page import comparison_page
from policy_rag_eval.reports.decision_page import ReportPage, write_page
from policy_rag_eval.reports.run_comparison import compare_runs

pytestmark = [pytest.mark.filterwarnings("ignore::DeprecationWarning"), pytest.mark.usefixtures("no_reranker")]


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


def page(text: str) -> ReportPage:
    made = ReportPage(text, text)
    made.paragraph(text)
    made.items([text])
    made.table([text, "a"], [[text, "1.0"]])
    made.pair(text, (text, text), ("b", text))
    with made.folded(text, text):
        made.heading(text)
    return made


@given(st.text(min_size=1).filter(str.strip))
@example("<script>alert(1)</script>")
@example('" onload="x" &lt; <b>')
def test_no_text_makes_a_tag_or_is_lost(text: str) -> None:
    shapes = [
        [(tag, sorted(attributes)) for tag, attributes in Seen(made.html()).tags] for made in (page(text), page("x"))
    ]
    assert shapes[0] == shapes[1]
    if text.isascii() and text.isprintable() and text == " ".join(text.split()):
        assert Seen(page(text).html()).text.count(text) >= 8


def test_a_page_stands_alone_and_folds() -> None:
    html = page("x").html()
    assert "default-src 'none'" in html
    assert not any(word in html for word in ("<script", "http://", "https://", "<link", "<img"))
    tags = [tag for tag, _ in Seen(html).tags]
    assert (tags.count("h1"), tags.count("details"), tags.count("summary")) == (1, 1, 1)
    assert "prefers-color-scheme: dark" in html


def test_it_is_written_as_a_file_or_into_a_folder(tmp_path: Path) -> None:
    assert write_page("a", tmp_path / "out") == tmp_path / "out" / "decision.html"
    assert write_page("b", tmp_path / "x" / "y.html").read_text() == "b"
    (tmp_path / "file").write_text("")
    with pytest.raises(PolicyRagError, match="give another place"):
        write_page("a", tmp_path / "file" / "out")


def test_a_comparisons_page_says_the_verdict_and_names_the_questions() -> None:
    found = compare_runs(changed(FIRST, texts={"a": "What <b>is</b> this?"}), SECOND)
    html = comparison_page(found).html()
    seen = Seen(html)
    assert seen.text.count(found.verdict) == 2  # the title and the heading
    assert "What &lt;b&gt;is&lt;/b&gt; this?" in html
    assert "+0.250" in seen.text
    assert "questions on which one is better" in seen.text


def test_the_commands_write_keep_and_find_the_page(
    folder: Path, stored: Path, model: WordHashes, capfd: pytest.CaptureFixture[str]
) -> None:
    from mlflow import MlflowClient

    grid = ["--grid", "search=vector,keyword", "--grid", "candidates=2,10"]
    tables = ["--csv", "t.csv", "--latex", "t.tex"]
    assert cli(["eval", "retrieval", str(folder), *grid, "--json", "--report", "one.html", *tables]) == 0
    out, err = capfd.readouterr()
    figures = json.loads(out)
    assert "the page is one.html" in err
    seen = Seen(Path("one.html").read_text())
    for configuration in figures["configurations"]:
        ndcg = configuration["measures"]["ndcg@10"]
        assert configuration["name"] in seen.text
        assert f"{ndcg['low']:.3f} to {ndcg['high']:.3f}" in seen.text
    for verdict in figures["verdicts"]:
        assert verdict in seen.text
    assert f"policy-rag eval retrieval {folder} --grid search=vector,keyword --grid candidates=2,10" in seen.text
    assert "one.html" not in seen.text
    lines = Path("t.csv").read_text().splitlines()
    assert lines[0].startswith("configuration,ndcg@10,ndcg@10_low,ndcg@10_high,")
    assert len(lines) == 5
    assert Path("t.tex").read_text().count(r"\\") == 5
    for path in folder.rglob("*"):
        if path.is_file():
            path.unlink()
    assert cli(["eval", "report", "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert said["name"] == "small, 5 of 6 questions: search × candidates, 4 configurations"
    assert Path(said["html"]).read_text() == Path("one.html").read_text()
    client = MlflowClient(tracking_uri=f"sqlite:///{stored.resolve() / 'mlflow.db'}")
    note = client.get_run(said["run_id"]).data.tags["mlflow.note.content"]
    assert note in seen.text
    assert cli(["eval", "report", "search=vector candidates=10", "--out", "child"]) == 0
    assert Path("child", "decision.html").is_file(), "a configuration of a sweep has the sweep's page"
    assert cli(["eval", "report", "nothing"]) == 2
    assert "there is no run nothing with a page" in capfd.readouterr().err


def test_without_texts_no_words_of_questions_or_documents_stand_in_it(
    folder: Path, stored: Path, model: WordHashes
) -> None:
    call = ["eval", "retrieval", str(folder), "--grid", "search=vector,keyword", "--set", "top_k=1", "--json"]
    assert cli([*call, "--report", "with.html"]) == 0
    assert cli([*call, "--set", "log_texts=false", "--report", "without.html"]) == 0
    words = ("What may a hotel room cost", "A hotel room costs")
    assert any(one in Path("with.html").read_text() for one in words)
    assert not any(one in Path("without.html").read_text() for one in words)


def test_an_empty_store_says_what_to_run(stored: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli(["eval", "report"]) == 2
    assert "holds no evaluation with a page yet" in capfd.readouterr().err
