"""`policy-rag eval questions` by rule, from the command line to the data set and back: who sees what, and review."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import Cli, Printed
from question_policies import LEAVE, OLD, set_rows, write_policies

from policy_rag.records.search import Hit
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.questions import question_set
from policy_rag_eval.questions.drafts import DraftQuote
from policy_rag_eval.questions.question_filter import found_at

pytestmark = [pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*"), pytest.mark.usefixtures("model")]

Row = dict[str, str]


def files(out: str = "set") -> dict[str, bytes]:
    return {str(path.relative_to(out)): path.read_bytes() for path in Path(out).rglob("*") if path.is_file()}


def table(path: str = "review.csv") -> list[Row]:
    text = Path(path).read_text(encoding="utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def save(found: list[Row], path: str = "review.csv", delimiter: str = ",") -> None:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(found[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(found)
    Path(path).write_text(out.getvalue(), encoding="utf-8", newline="")


def reviewed(change: Callable[[list[Row]], None], made: Cli, *, delimiter: str = ",", status: int = 0) -> Printed:
    """Writes the table, changes its rows, and reads it back."""
    Path("review.csv").unlink(missing_ok=True)
    made("--review-to", "review.csv")
    found = table()
    change(found)
    save(found, delimiter=delimiter)
    return made("--review", "review.csv", status=status)


def test_a_set_is_a_data_set_and_the_same_seed_gives_the_same_one(
    stored: Path, policies: Path, made: Cli, cli: Cli
) -> None:
    out = made().out
    dataset = read_dataset("set")
    assert out.startswith(f"{len(dataset.questions)} questions in set, by rules\n")
    assert {question.kind for question in dataset.questions} >= {
        "factual", "clause", "multi", "comparison", "unanswerable",
    }  # fmt: skip
    for passage in dataset.passages:
        text = (dataset.documents_folder / str(passage.file)).read_text(encoding="utf-8")
        assert text[passage.start : passage.end] == passage.text
    first = files()
    assert set(first) == {
        "documents/leave.md", "documents/travel.md", "documents/policies.yaml", "documents.json", "queries.jsonl",
        "qrels.tsv", "corpus.jsonl", "provenance.json",
    }  # fmt: skip
    made(out="again")
    assert files("again") == first
    made("--seed", "1", out="other")
    assert files("other")["queries.jsonl"] != first["queries.jsonl"]
    assert json.loads(cli("eval", "retrieval", "set", "--json").out)["questions"] == len(dataset.scored)


def test_count_styles_and_questions_a_section_are_kept_to(policies: Path, made: Cli) -> None:
    said = made("--count", "3", "--styles", "factual,clause", "--json").json
    assert (said["questions"], said["wanted"]) == (3, 3)
    assert set(said["styles"]) == {"factual", "clause"}
    out, err = made("--count", "500", "--styles", "clause", "--json", out="many")
    questions = json.loads(out)["questions"]
    assert questions < 500
    assert f"{questions} of 500 questions wanted: the documents give no more of these styles at --per-section 2" in err
    made("--per-section", "1", out="one")
    sections = [(row["sections"][0]["doc_id"], row["sections"][0]["section_id"]) for row in set_rows("one")]
    assert len(sections) == len(set(sections))
    assert sum(json.loads(Path("one/provenance.json").read_text())["summary"]["found_at"].values()) == sum(
        row["answerable"] for row in set_rows("one")
    )


def test_only_documents_that_the_asker_may_read_and_that_hold_are_asked_about(
    policies: Path, made: Cli, cli: Cli
) -> None:
    made()
    everything = b"".join(files().values()).decode()
    assert "harbour office" not in everything
    assert "announced by the chair" not in everything
    assert "secret.md" not in everything
    made("--as", "board", out="board")
    of_board = [row for row in set_rows("board") if row["sections"][0]["doc_id"] == "secret.md"]
    assert of_board
    assert all(row["as"] == ["board"] for row in of_board)
    assert all("as" not in row for row in set_rows("board") if row not in of_board)
    cli("eval", "questions", "then", "--as-of", "2025-06-01")
    old = [row for row in set_rows("then") if row["sections"][0]["doc_id"] == "old.md"]
    assert old
    assert {row["as_of"] for row in set_rows("then")} == {"2025-06-01"}
    assert Path("then/documents/old.md").read_text(encoding="utf-8") == OLD


def test_what_documents_declare_outside_their_files_goes_with_them(
    tmp_path: Path, stored: Path, ingest: Callable[[str], None], made: Cli, cli: Cli
) -> None:
    ingest(LEAVE)
    (tmp_path / "policies" / "policies.yaml").write_text("a.md:\n  version: '1.10'\n  access: [hr]\n  owner: People\n")
    cli("ingest", "policies")
    made("--as", "hr")
    # the asker's groups are with the questions
    measures = cli("eval", "retrieval", "set", "--json").json["configurations"][0]["measures"]
    assert measures["recall@10"]["mean"] == 1.0
    cli("ingest", "set/documents", "--index", "fresh")
    said = cli("documents", "--index", "fresh", "--as", "hr", "--json").out
    assert '"1.10"' in said
    assert '"People"' in said


def test_a_reviewed_question_stays_word_by_word_and_a_dropped_one_does_not_come_back(policies: Path, made: Cli) -> None:
    made("--count", "8")
    before = set_rows()
    accepted, edited, dropped = before[0], next(r for r in before[1:] if r["answerable"]), before[-1]

    def change(found: list[Row]) -> None:
        for row in found:
            if row["id"] == accepted["_id"]:
                row["decision"] = "accept"
            elif row["id"] == edited["_id"]:
                row["decision"], row["question"] = "Edit", "What would a person of flesh and blood ask here?"
            elif row["id"] == dropped["_id"]:
                row["decision"] = "drop"

    assert (
        reviewed(change, made).out == "set: 1 accepted, 1 edited, 1 dropped, 5 not yet reviewed; 7 questions are left\n"
    )
    after = {row["text"]: row for row in set_rows()}
    assert after[accepted["text"]] == {**accepted, "reviewed": True}
    assert after["What would a person of flesh and blood ask here?"]["reviewed"]
    assert edited["text"] not in after
    assert dropped["text"] not in after

    out = made("--count", "30", "--seed", "5").out
    assert "2 of them reviewed" in out
    finally_there = {row["text"]: row for row in set_rows()}
    kept = finally_there["What would a person of flesh and blood ask here?"]
    assert {k: v for k, v in kept.items() if k != "found_at"} == {
        k: v for k, v in after["What would a person of flesh and blood ask here?"].items() if k != "found_at"
    }
    assert finally_there[accepted["text"]] == {**accepted, "reviewed": True}
    assert dropped["text"] not in finally_there
    read_dataset("set")


def test_an_edited_quote_is_found_in_the_section_and_without_one_a_question_is_unanswerable(
    policies: Path, made: Cli
) -> None:
    made("--styles", "clause")
    target = next(row for row in set_rows() if row["sections"][0]["section_id"] == "3" and row["quotes"])
    other = next(row for row in set_rows() if row["_id"] != target["_id"] and row["quotes"])

    def change(found: list[Row]) -> None:
        by_id = {one["id"]: one for one in found}
        by_id[target["_id"]] |= {"decision": "edit", "answer": "up to FIVE  days"}
        by_id[target["_id"]]["quote"] = "Up to FIVE days\n may be carried over"
        by_id[other["_id"]] |= {"decision": "edit", "quote": ""}

    reviewed(change, made, delimiter=";")
    after = {row["text"]: row for row in set_rows() if row["reviewed"]}
    row, none = after[target["text"]], after[other["text"]]
    assert row["answers"] == ["Up to five days"]
    (passage,) = [one for one in read_dataset("set").passages if one.gold_id == row["quotes"][0]]
    assert passage.text == "Up to five days may be carried over" == LEAVE[passage.start : passage.end]
    assert (none["answerable"], none["type"], none["quotes"]) == (False, "unanswerable", [])


def test_a_review_that_cannot_be_taken_over_changes_nothing(policies: Path, made: Cli) -> None:
    made("--count", "4")
    before = files()
    for changes, said in (
        ({"decision": "perhaps"}, "the decision 'perhaps' is none of accept, edit, drop"),
        ({"decision": "accept", "question": "Something else?"}, "was changed but says accept"),
        ({"decision": "accept", "answer": "Something else"}, "was changed but says accept"),
        ({"decision": "edit", "answer": "Something else"}, "the answer 'Something else' stands in no quote"),
        ({"decision": "edit", "quote": "", "answer": "Other"}, "the answer 'Other' stands in no quote"),
        ({"decision": "edit", "question": " "}, "the question is empty"),
        ({"decision": "edit", "quote": "Nobody wrote this."}, "does not stand in its section"),
        ({"id": "q-unknown", "decision": "drop"}, "the set has no question 'q-unknown'"),
        ({"id": "", "question": "What of my own question?"}, "the row has no id"),
    ):
        err = reviewed(lambda found, changes=changes: found[0].update(changes), made, status=2).err
        assert said in err
        assert "line" in err
        assert files() == before


def test_tables_that_are_none_are_refused(policies: Path, made: Cli) -> None:
    made("--count", "4")
    made("--review", "missing.csv", status=2)
    Path("half.csv").write_text("id,decision\nq,accept\n")
    assert "has no column 'question'" in made("--review", "half.csv", status=2).err
    made("--review-to", "twice.csv")
    found = table("twice.csv")
    save([*found, found[0]], "twice.csv")
    assert "comes twice" in made("--review", "twice.csv", status=2).err
    made("--review-to", "twice.csv", status=2)  # a review may be in it
    Path("latin.csv").write_bytes("id,décision\n".encode("latin-1"))
    made("--review", "latin.csv", status=2)


def test_a_cell_that_a_spreadsheet_would_run_is_disarmed_and_comes_back_as_it_was(
    ingest: Callable[[str], None], made: Cli
) -> None:
    formula = '=HYPERLINK("http://x.example";"Cars are washed weekly by the porter of the house")'
    ingest(f"# A\n\n## 1. Cars\n\n{formula}\n")
    made("--styles", "clause")
    made("--review-to", "review.csv")
    (row,) = table()
    assert row["quote"] == f"'{formula}"
    row["decision"] = "accept"
    save([row])
    made("--review", "review.csv")
    assert read_dataset("set").passages[0].text == formula


def test_reviewed_questions_whose_words_are_gone_are_set_aside_not_lost(
    tmp_path: Path, no_reranker: None, made: Cli, cli: Cli
) -> None:
    policies = write_policies(tmp_path / "policies")
    cli("ingest", str(policies))
    made("--styles", "clause")
    target = next(row for row in set_rows() if row["sections"][0]["doc_id"] == "leave.md")

    def accept(found: list[Row]) -> None:
        for row in found:
            row["decision"] = "accept" if row["id"] == target["_id"] else ""

    reviewed(accept, made)
    moved = LEAVE.replace("# Leave Policy", "# Leave Policy\n\nNew words here.")
    (policies / "leave.md").write_text(moved, "utf-8")
    assert "was changed since it was ingested" in made("--styles", "clause", "--count", "5", status=2).err
    cli("ingest", str(policies))
    assert "set_aside" not in made("--styles", "clause").err
    (still,) = (row for row in set_rows() if row["reviewed"])
    assert (still["_id"], still["text"]) == (target["_id"], target["text"])
    gold = {one.gold_id: one for one in read_dataset("set").passages}
    quotes = [gold[name] for name in still["quotes"]]
    assert [moved[one.start : one.end] for one in quotes] == [one.text for one in quotes]

    (policies / "leave.md").write_text(moved.replace(quotes[0].text, "Nothing of this holds any more, for anybody."))
    cli("ingest", str(policies))
    err = made("--styles", "clause").err
    assert "1 reviewed questions stand on words that their sections do not hold any more" in err
    (aside,) = json.loads(Path("set/provenance.json").read_text(encoding="utf-8"))["set_aside"]
    assert aside["text"] == target["text"]
    assert aside["quotes"][0] in LEAVE
    made("--styles", "clause")
    assert len(json.loads(Path("set/provenance.json").read_text(encoding="utf-8"))["set_aside"]) == 1


def test_decisions_that_are_not_written_back_yet_stay_when_a_set_is_made_again(
    policies: Path, made: Cli, cli: Cli
) -> None:
    made("--count", "4")
    decided = json.dumps({"item": set_rows()[0]["_id"], "by": "Ann", "decision": "accept", "at": "2026-09-01T10:00:00"})
    Path("set/reviews.jsonl").write_text(f"{decided}\n", encoding="utf-8")
    Path("set/notes").mkdir()
    Path("set/notes/documents.json").write_text("mine", encoding="utf-8")
    made("--count", "6")
    assert Path("set/reviews.jsonl").read_text(encoding="utf-8") == f"{decided}\n"
    assert Path("set/notes/documents.json").read_text(encoding="utf-8") == "mine"
    cli("eval", "review", "set", "--apply")
    assert [row["reviewed"] for row in set_rows()].count(True) == 1


def test_what_is_no_question_set_is_not_written_over(policies: Path, made: Cli) -> None:
    Path("set").mkdir()
    Path("set/precious.txt").write_text("mine")
    assert "is no question set made here" in made(status=2).err
    assert [path.name for path in Path("set").iterdir()] == ["precious.txt"]


@pytest.mark.parametrize("at", ["qrels.tsv", "new"])
def test_a_disk_that_fails_halfway_leaves_the_old_set_and_no_litter(
    policies: Path, monkeypatch: pytest.MonkeyPatch, made: Cli, at: str
) -> None:
    """Where a file is written, and where the finished folder is put in the place of the old one."""
    made("--count", "4")
    before, here = files(), sorted(path.name for path in Path.cwd().iterdir())

    rename = Path.rename

    def full(path: Path, other: Any) -> Any:
        if path.name == at:
            raise OSError(28, "No space left on device")
        return rename(path, other) if at == "new" else path.write_text(other, encoding="utf-8")

    if at == "new":
        monkeypatch.setattr(Path, "rename", full)
    else:
        monkeypatch.setattr(question_set, "_dump", full)
    assert "No space left on device" in made("--count", "8", status=1).err
    assert files() == before
    assert sorted(path.name for path in Path.cwd().iterdir()) == here


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--styles", "factual,funny"), "'funny' is none of factual, clause"),
        (("--styles", "unanswerable"), "questions with an answer too"),
        (("--as-of", "someday"), "is no day"),
        (("--found-within", "11"), "less than or equal to 10"),
    ],
)
def test_calls_that_are_wrong_are_refused_with_what_to_do(
    policies: Path, cli: Cli, arguments: tuple[str, ...], said: str
) -> None:
    assert said in cli("eval", "questions", "set", *arguments, status=2).err
    assert not Path("set").exists()


def hit(rank: int, file: str, start: int, end: int) -> Hit:
    return Hit(rank, 1.0, file, None, file, "1", "1", "", (), start, end, start, end, None, "", {})


def test_a_question_is_found_where_a_hit_holds_half_of_one_of_its_quotes() -> None:
    quotes = (DraftQuote("a", "a.md", "1", 10, 20, ""), DraftQuote("b", "b.md", "1", 0, 100, ""))
    assert found_at(quotes, []) is None
    assert found_at((), [hit(1, "a.md", 0, 99)]) is None
    assert found_at(quotes, [hit(1, "a.md", 0, 14), hit(2, "b.md", 60, 200), hit(3, "a.md", 15, 99)]) == 3
    assert found_at(quotes, [hit(1, "c.md", 0, 99), hit(2, "b.md", 50, 200)]) == 2


def test_a_dry_run_by_rule_counts_drafts_and_writes_nothing(policies: Path, made: Cli) -> None:
    out = made("--dry-run", "--styles", "factual,clause").out
    assert out.startswith("by rule, no calls; drafts to choose from before filtering: factual ")
    assert not Path("set").exists()
