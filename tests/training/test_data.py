"""How examples are made: changes that must change something, folds that must not leak, measures by hand."""

import gzip
import json
import random
from collections import Counter

import pytest

from training.examples import Pair
from training.figures import squad_figures, wording_figures
from training.folds import is_held_out, linked
from training.policies import joined_passages, obliqa_groups, obliqa_keys, policyqa_groups, rule_groups
from training.quoting import covered, quotations
from training.ranking import ranking_figures, reordered
from training.reading_sets import context_key, negated_groups, reading_groups, written_unanswered
from training.sentence_sets import policy_rows, sentence_groups
from training.support_sets import (
    altered_groups,
    contract_groups,
    contract_rows,
    overlap_balanced_groups,
)
from training.swaps import IN_QUESTION, negation, swapped_passage, swapped_question, without_answer


def packed(file, rows):
    with gzip.open(file, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)
    return file


CONTEXTS = [
    "The board of Arden met in May. Later the board of Arden appointed Ann Lee as director. She began after the summer.",
    "Travel to Lyon is paid by the unit. The head must approve each trip within ten days. Nobody else may do so.",
    "The archive opened in 1987. In the town of Brill it holds 40 maps. Visitors must write before they come there.",
]


def test_each_swap_changes_a_question_that_allows_it():
    question = "How many days must an employee of the Arden Board wait before the first appeal of 30 days?"
    for name, (swap, _) in IN_QUESTION.items():
        changed = swap(question, random.Random(1), ["Brill Council"])
        assert changed, name
        assert changed != question, name


@pytest.mark.parametrize(
    ("text", "changed"), [("Who may not travel?", "Who may travel?"), ("Staff may go.", "Staff may not go.")]
)
def test_a_negation_goes_or_comes(text, changed):
    assert negation(text, random.Random(3)) == changed


def test_a_swapped_question_names_what_its_passage_does_not():
    for seed in range(30):
        changed = swapped_question(
            "Who did the board of Arden appoint in May?", random.Random(seed), ["Brill"], CONTEXTS[0]
        )
        assert changed != "Who did the board of Arden appoint in May?"


def test_a_swapped_passage_keeps_its_answer_and_loses_what_is_asked_of():
    span = (CONTEXTS[0].index("Ann Lee"), CONTEXTS[0].index("Ann Lee") + 7)
    made = [
        swapped_passage("Who did the board of Arden appoint?", CONTEXTS[0], span, random.Random(s), ["Brill"])
        for s in range(9)
    ]
    found = [one for one in made if one]
    assert found
    assert all("Ann Lee" in one and "board of Arden appointed" not in one for one in found)


def test_no_answer_is_left_where_it_is_said_again():
    assert (
        without_answer(
            "It is ten days. Again, it is ten days for all who have asked for more of them than that.", (6, 14)
        )
        is None
    )


def test_reading_groups_pair_answers_with_what_does_not_answer(tmp_path):
    rows = [
        {"context": CONTEXTS[0], "question": "Who was appointed by the board of Arden?", "answers": [[66, 73]], "group": "a"},
        {"context": CONTEXTS[1], "question": "Within what time must the head approve?", "answers": [[75, 83]], "group": "a"},
        {"context": CONTEXTS[2], "question": "How many maps are in Brill?", "answers": [[62, 64]], "group": "a"},
        {"context": CONTEXTS[2], "question": "Unanswerable?", "answers": [], "group": "a"},
    ] * 6  # fmt: skip
    groups = list(reading_groups(packed(tmp_path / "r.jsonl.gz", rows), "made", 1))
    assert {group.text for group in groups} >= {row["question"] for row in rows if row["answers"]}
    pairs = [(group, pair) for group in groups for pair in group.pairs]
    for _, pair in pairs:
        assert (pair.span is not None) is (pair.answerable is True)
    assert sum(pair.answerable is False for _, pair in pairs) >= len(groups) // 4
    assert list(reading_groups(tmp_path / "r.jsonl.gz", "made", 1)) == groups
    more = list(reading_groups(tmp_path / "r.jsonl.gz", "made", 1, changed=1.0))
    changed = [[group.text for group in made if group.source == "made swapped"] for made in (groups, more)]
    assert len(changed[1]) > len(changed[0])
    assert not set(changed[1]) & {row["question"] for row in rows}


def test_written_questions_stand_with_the_context_that_does_not_answer_them(tmp_path, monkeypatch):
    rows = [{"question": "Who pays?", "context": text, "answers": [[0, 3]], "group": "one"} for text in CONTEXTS]
    written = tmp_path / "unanswered.jsonl"
    known, unknown = context_key(CONTEXTS[1]), context_key("elsewhere")
    written.write_text(
        "".join(json.dumps({"context": key, "questions": ["Who paid before?"]}) + "\n" for key in (unknown, known))
    )
    monkeypatch.setattr("training.reading_sets.UNANSWERED", written)
    (group,) = written_unanswered(packed(tmp_path / "r.jsonl.gz", rows))
    assert (group.text, group.pairs) == ("Who paid before?", (Pair(CONTEXTS[1], answerable=False),))


def test_only_what_is_not_known_has_no_answer_among_negated_questions(tmp_path):
    verdicts = ("YES", "NO", "DON'T KNOW", "the guard")
    rows = [{"context": CONTEXTS[0], "question": f"{one}?", "verdict": one, "group": "a"} for one in verdicts]
    groups = list(negated_groups(packed(tmp_path / "n.jsonl.gz", rows), "negated"))
    assert [group.pairs[0].answerable for group in groups] == [True, True, False, True]
    assert [group.text for group in groups] == [row["question"] for row in rows]


def test_sentence_groups_hold_the_answering_sentence_against_its_neighbours(tmp_path):
    rows = [
        {"context": CONTEXTS[0], "question": "Who was appointed by the board?", "answers": [[66, 73]], "group": "Of_Arden"},
        {"context": CONTEXTS[2], "question": "How many maps are there?", "answers": [[58, 60]], "group": "Of_Arden"},
    ] * 8  # fmt: skip
    file = packed(tmp_path / "s.jsonl.gz", rows)
    groups = list(sentence_groups(file, "made", 1, titled=True))
    plain = [group for group in groups if "swapped" not in group.source]
    assert len(plain) == 16
    for group in plain:
        first, *others = group.pairs
        answer = "Ann Lee" if "appointed" in group.text else "40"
        assert first.passage[slice(*first.span)] == answer
        assert first.passage.count(".") == 1
        assert others
        assert not any(one.answerable or answer in one.passage for one in others)
        led = {one.passage.startswith("Of Arden: ") for one in group.pairs}
        assert len(led) == 1  # the title tells nothing of which one answers
    assert {one.passage.startswith("Of Arden: ") for group in plain for one in group.pairs} == {True, False}
    changed = [group for group in groups if "swapped" in group.source]
    assert all(not pair.answerable for group in changed for pair in group.pairs)


def test_policies_that_are_measured_on_are_not_learnt_from(tmp_path):
    labels = [f"site{i}.org" for i in range(30)]
    passages = [{"_id": f"{one}|0", "doc_id": one, "text": CONTEXTS[1]} for one in labels]
    questions = [{"_id": f"q{one}", "text": "Who approves?", "doc_id": one, "answers": ["The head"]} for one in labels]
    for name, found in (("corpus", passages), ("queries", questions)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in found))
    lines = ["query-id\tcorpus-id\tscore", *(f"q{one}\t{one}|0\t1" for one in labels)]
    (tmp_path / "qrels.tsv").write_text("\n".join(lines) + "\n")
    rows = policy_rows(tmp_path)
    assert {row["group"] for row in rows} == {one for one in labels if not is_held_out(one)}
    start, end = rows[0]["answers"][0]
    assert rows[0]["context"][start:end] == "The head"


def test_held_out_questions_share_no_passage_with_others():
    rows = [{"id": f"q{i}", "gold": [f"p{i // 2}", f"p{i // 2 + 1}"] if i % 7 else [f"p{i}"]} for i in range(60)]
    keys = obliqa_keys(rows)
    held = {label for row in rows if is_held_out(keys[row["id"]]) for label in row["gold"]}
    kept = {label for row in rows if not is_held_out(keys[row["id"]]) for label in row["gold"]}
    assert not held & kept
    assert linked({"a": ["1"], "b": ["1", "2"], "c": ["2"]})["c"] == "1"


def test_groups_of_held_out_questions_are_not_made():
    hits = [{"key": f"n{i}", "text": f"another {i}"} for i in range(20)]
    rows = [
        {"id": f"q{i}", "text": "who?", "gold": [f"p{i}"], "hits": hits, "doc_id": f"d{i}", "answers": ["the head"]}
        for i in range(40)
    ]
    texts = {f"p{i}": "the head approves" for i in range(40)}
    made = list(obliqa_groups(rows, texts, 1))
    assert {group.fold_key for group in made} == {f"p{i}" for i in range(40) if not is_held_out(f"p{i}")}
    assert all(group.pairs[0].relevant and not any(p.relevant for p in group.pairs[1:]) for group in made)
    made = list(policyqa_groups(rows, texts, 1))
    assert {group.fold_key for group in made} == {f"d{i}" for i in range(40) if not is_held_out(f"d{i}")}


def test_rules_ask_what_a_passage_answers():
    passages = [
        f"Reports on matter {i} must be answered by Legal within {i} days. {CONTEXTS[1]} {CONTEXTS[2]}"
        for i in range(3, 9)
    ]
    groups = list(rule_groups(passages, "made", 4, 1))
    assert len(groups) == 4
    for group in groups:
        assert group.pairs[0].span is not None
        assert group.pairs[1].answerable is False
    assert joined_passages(["a" * 500, "b" * 500]) == ["a" * 500, "b" * 500]


def test_altered_statements_have_their_labels():
    altered = list(altered_groups([one * 3 for one in CONTEXTS], 1, count=8))
    assert {str(group.pairs[0].support) for group in altered} >= {"entailed", "contradicted"}


def test_shared_words_say_little_of_the_truth():
    passage = "Staff may travel by train or by bus in the second class."
    near, far = "Staff may travel by train.", "Journeys on rails are fine."
    row = {"premise": passage, "hypothesis": near, "label": "entailed"}
    rows = {
        "mnli_dev": [row] * 10 + [{**row, "label": "not_entailed"}] * 4 + [{**row, "hypothesis": far}] * 5,
        "conjnli": [{**row, "hypothesis": far, "label": "contradicted"}] * 2,
        "fever_dev": [row] * 7,
    }
    found = list(overlap_balanced_groups(rows, 1))
    counted = Counter((group.text, str(group.pairs[0].support)) for group in found)
    assert counted == {
        (near, "entailed"): 6,  # one and a half times the four that do not hold
        (near, "not_entailed"): 4,
        (far, "entailed"): 3,
        (far, "contradicted"): 2,
    }
    assert not [group for group in found if group.source == "fever_dev"]  # of its kind none is false


def test_agreements_are_split_whole_and_keep_their_evidence(tmp_path):
    rows = []
    for i in range(12):
        text = (
            f"Agreement {i}. "
            + "Nothing is said here of it. " * 40
            + "The receiver keeps all secrets. "
            + "And so on. " * 60
        )
        start = text.index("The receiver")
        rows.append(
            {"premise": text, "hypothesis": "Secrets are kept.", "label": "entailed", "evidence": [[start, start + 31]]}
        )
        rows.append({"premise": text, "hypothesis": "Nothing is said.", "label": "neutral"})
    file = packed(tmp_path / "c.jsonl.gz", rows)
    found = contract_rows(file)
    assert all("keeps all secrets" in row["passage"] for row in found if row["label"] == "entailed")
    assert all(len(row["passage"]) < 1200 for row in found)
    trained = {group.fold_key for group in contract_groups(file)}
    assert trained == {row["key"][:60] for row in found if not is_held_out(row["key"], 3)}


def test_a_blend_orders_by_both():
    row = {"id": "q", "keys": ["a", "b", "b"], "gold": ["b"], "first": [3.0, 2.0, 1.0], "relevance": [-4.0, 5.0, 0.0]}
    assert reordered(row, 0.0) == ["a", "b"]
    assert reordered(row, 1.0) == ["b", "a"]
    figures = ranking_figures([{**row, "id": f"q{i}"} for i in range(8)])
    assert figures["by_blend"][0.0] == {"recall@10": 1.0, "ap@10": 0.5, "ndcg@10": 0.6309}
    assert figures["ap@10"]["first_stage"][0] == 0.5
    assert figures["ap@10"]["reranked"][0] == 1.0


def test_quotations_do_not_overlap_and_gold_must_be_whole():
    found = [(1.0, ("f", 0, 10)), (3.0, ("f", 5, 20)), (2.0, ("g", 0, 9)), (0.0, ("f", 30, 40))]
    assert quotations(found) == [("f", 5, 20), ("g", 0, 9), ("f", 30, 40)]
    assert covered(["f", 5, 20], [("f", 0, 12), ("f", 12, 20)])
    assert not covered(["f", 5, 20], [("f", 0, 12), ("g", 12, 20)])


def test_figures_of_a_reader_that_knows_all():
    rows = [
        {"answerable": 9.0 * sign, "relevance": 0.0, "spans": [[0, 3, 5.0 * sign]], "group": f"g{i}", "said": "ten", "answers": ["ten"] if sign > 0 else []}
        for i in range(40)
        for sign in (1, -1)
    ]  # fmt: skip
    figures = squad_figures(rows)
    assert figures["em"][0] == figures["roc"][0] == 1.0
    rows = [
        {"label": "supported" if i % 2 else "unsupported", "kind": "k", "given": [float(i % 2), 0.0, 0.0]}
        for i in range(48)
    ]
    figures = wording_figures(rows)
    assert figures["true_rejected"][0] == figures["false_passed"][0] == 0.0
