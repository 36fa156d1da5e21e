"""The sample company's data set: every gold range gives its quote, and the mix is what was asked for."""

import datetime as dt
import importlib.util
import json
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from policy_rag_parsers.loaders import load

FOLDER = Path(__file__).resolve().parents[2] / "eval" / "datasets" / "brannholt"
DOCUMENTS = FOLDER / "documents"


def read_lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").split("\n") if line]


QUERIES = read_lines("queries.jsonl")
CORPUS = read_lines("corpus.jsonl")
QRELS = [line.split("\t") for line in (FOLDER / "qrels.tsv").read_text(encoding="utf-8").splitlines()]
LISTED = json.loads((FOLDER / "documents.json").read_text(encoding="utf-8"))
GOLD = {row["_id"]: row for row in CORPUS}


@cache
def loaded_text(file: str) -> str:
    return load(DOCUMENTS / file).text


@cache
def declared(file: str) -> dict[str, Any]:
    """What a file says of itself, read with nothing of ours but YAML."""
    if not file.endswith(".md"):
        return dict(yaml.safe_load((DOCUMENTS / "policies.yaml").read_text(encoding="utf-8"))[file])
    front_matter = (DOCUMENTS / file).read_text(encoding="utf-8").split("---\n")[1]
    return dict(yaml.safe_load(front_matter))


def folded(text: str) -> str:
    return " ".join(text.split())


def gold_of(query_id: str) -> list[dict[str, Any]]:
    return [GOLD[gold_id] for asked, gold_id, _ in QRELS[1:] if asked == query_id]


def source_module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"brannholt_{name}", FOLDER / "source" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_every_gold_range_gives_its_quote() -> None:
    wrong = [row["_id"] for row in CORPUS if loaded_text(row["file"])[row["start"] : row["end"]] != row["text"]]
    assert wrong == []
    assert all(row["text"].strip() == row["text"] != "" for row in CORPUS)


def test_gold_lies_in_the_body_never_in_front_matter() -> None:
    assert [row["_id"] for row in CORPUS if row["start"] < load(DOCUMENTS / row["file"]).body_start] == []


def test_ids_are_unique_and_every_judgement_joins() -> None:
    assert max(Counter(query["_id"] for query in QUERIES).values()) == 1
    assert len(GOLD) == len(CORPUS)
    assert QRELS[0] == ["query-id", "corpus-id", "score"]
    assert max(Counter(map(tuple, QRELS)).values()) == 1
    assert {asked for asked, _, _ in QRELS[1:]} == {query["_id"] for query in QUERIES if query["answerable"]}
    assert {gold_id for _, gold_id, _ in QRELS[1:]} == set(GOLD)
    assert {score for _, _, score in QRELS[1:]} == {"1"}


def test_the_same_question_is_not_asked_twice_by_the_same_asker() -> None:
    asked = Counter((query["text"], query["as_of"], tuple(query.get("as", ()))) for query in QUERIES)
    assert [key for key, times in asked.items() if times > 1] == []


def test_the_mix_of_questions_is_what_was_asked_for() -> None:
    types = Counter(query["type"] for query in QUERIES)
    assert sum(query["answerable"] for query in QUERIES) >= 105
    assert types["unanswerable"] == sum(not query["answerable"] for query in QUERIES) >= 35
    assert types["clause"] >= 12
    assert types["version"] >= 5
    assert types["conditional"] >= 12
    two = [query for query in QUERIES if len(gold_of(query["_id"])) >= 2]
    assert len(two) >= 20
    assert sum(len({row["file"] for row in gold_of(query["_id"])}) >= 2 for query in two) >= 12
    assert {query["_id"] for query in QUERIES if query["type"] == "multi"} <= {query["_id"] for query in two}
    german = "betriebsvereinbarung-arbeitszeit.md"
    assert sum(any(row["file"] == german for row in gold_of(query["_id"])) for query in QUERIES) >= 8
    assert sum(query.get("as") == ["hr"] for query in QUERIES) >= 3


def test_the_readme_counts_the_questions_right() -> None:
    readme = folded((FOLDER / "README.md").read_text(encoding="utf-8"))
    types = Counter(query["type"] for query in QUERIES)
    assert f"{len(QUERIES)} questions" in readme
    assert f"{sum(query['answerable'] for query in QUERIES)} answerable ({types['multi']} of them" in readme
    assert f"{types['clause']} of type `clause`" in readme
    assert f"and {types['unanswerable']} that these policies do not answer" in readme


def test_answers_are_spans_of_the_gold() -> None:
    for query in QUERIES:
        text = folded(" ".join(row["text"] for row in gold_of(query["_id"])))
        assert [answer for answer in query.get("answers", ()) if answer not in text] == [], query["_id"]


def test_the_asker_may_see_the_gold_on_that_day() -> None:
    for query in QUERIES:
        day = dt.date.fromisoformat(query["as_of"])
        for row in gold_of(query["_id"]):
            says = declared(row["file"])
            assert says["effective_from"] <= day <= says.get("effective_to", day), (query["_id"], row["file"])
            assert not says.get("access") or set(says["access"]) & set(query.get("as", ())), query["_id"]
            for part in query.get("where", ()):
                key, value = part.split("=")
                assert says[key] == value, query["_id"]


def test_documents_json_lists_every_file_once() -> None:
    files = {path.name for path in DOCUMENTS.iterdir()} - {"policies.yaml"}
    assert Counter(row["file"] for row in LISTED) == Counter(files)
    assert len({row["doc_id"] for row in LISTED}) == len(LISTED) >= 12
    doc_ids = {row["file"]: row["doc_id"] for row in LISTED}
    assert all(doc_ids[row["file"]] == row["doc_id"] for row in CORPUS)


def test_every_format_and_encoding_is_there() -> None:
    suffixes = Counter(path.suffix for path in DOCUMENTS.iterdir())
    assert (suffixes[".docx"], suffixes[".pdf"], suffixes[".html"]) == (1, 1, 1)
    assert suffixes[".md"] >= 5
    assert suffixes[".txt"] >= 3
    old = (DOCUMENTS / "expenses-and-travel-policy-2023.txt").read_bytes()
    assert old.count(b"\r\n") == old.count(b"\n") > 0
    assert b"\x93business trips\x94" in old  # cp1252's curly quotes
    with pytest.raises(UnicodeDecodeError):
        old.decode("utf-8")
    assert (DOCUMENTS / "acceptable-use-policy.txt").read_bytes().startswith(b"\xef\xbb\xbf")


def test_declarations_are_complete_and_versions_follow_one_another() -> None:
    files = [row["file"] for row in LISTED]
    for file in files:
        assert {"title", "version", "effective_from", "owner", "department"} <= declared(file).keys(), file
    pairs = [(file, declared(file)["supersedes"]) for file in files if "supersedes" in declared(file)]
    assert len(pairs) == 2
    for new, old in pairs:
        assert declared(old)["effective_to"] + dt.timedelta(days=1) == declared(new)["effective_from"]
        assert declared(old)["title"] == declared(new)["title"]
    assert sum(bool(declared(file).get("access")) for file in files) == 2


def test_what_is_committed_is_what_the_source_says(tmp_path: Path) -> None:
    compiled = source_module("compile_questions").compile_questions(tmp_path)
    assert compiled == (len(QUERIES), len(CORPUS))
    for name in ("queries.jsonl", "qrels.tsv", "corpus.jsonl"):
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes(), f"{name}: run compile_questions.py"


def test_the_docx_and_the_pdf_are_built_from_their_sources(tmp_path: Path) -> None:
    # Compared as text: a library's next version may write other bytes for the same document.
    for path in source_module("build").build(tmp_path):
        assert load(path) == load(DOCUMENTS / path.name), f"{path.name}: run build.py"


@pytest.mark.parametrize(("quote", "times"), [("no such words", 0), ("shared", 2), ("twice shared", 0)])
def test_a_quote_that_is_not_found_exactly_once_is_refused(quote: str, times: int) -> None:
    compiler = source_module("compile_questions")
    with pytest.raises(compiler.SourceError, match=rf"found {times} times"):
        compiler.find_quote(quote, "shared once, shared\n  twice")


def test_a_quote_is_found_across_line_ends_and_regex_marks_are_plain() -> None:
    find_quote = source_module("compile_questions").find_quote
    text = "Costs (a) up to 1.5\n    units a day."
    start, end = find_quote("(a) up to 1.5 units", text)
    assert (start, text[start:end]) == (6, "(a) up to 1.5\n    units")
    with pytest.raises(ValueError, match="found 0 times"):
        find_quote("up to 1x5 units", text)


def test_questions_by_number_name_a_number() -> None:
    for query in QUERIES:
        if query["type"] == "clause":
            assert re.search(r"\d(\.\d|\([a-z]\))|§ \d", query["text"]), query["_id"]
