"""The figures on ObliQA against ir_measures' own command line over the TREC files, to four decimals."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from small_dataset import WordHashes, jsonl

from policy_rag.cli import run
from policy_rag_eval.data.dataset_reader import read_dataset

OBLIQA = Path(__file__).parents[4] / "shared" / "benchmarks" / "obliqa"
NAMES = {
    "hit_rate@5": "Success@5",
    "precision@5": "P@5",
    "recall@10": "R@10",
    "ap@10": "AP@10",
    "ndcg@10": "nDCG@10",
}


@pytest.mark.benchmark_data
@pytest.mark.skipif(not OBLIQA.is_dir(), reason="../shared/benchmarks is absent")
@pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*")
def test_figures_on_obliqa_agree_with_ir_measures_over_the_trec_files(
    tmp_path: Path, stored: Path, model: WordHashes, capfd: pytest.CaptureFixture[str]
) -> None:
    # Every 28th question, its gold, and every 40th passage beside: the whole takes longer than a test may.
    whole = read_dataset(OBLIQA)
    questions = whole.scored[::28]
    gold = {label for question in questions for label in whole.qrels[question.question_id]}
    passages = [p for i, p in enumerate(whole.passages) if p.text.strip() and (p.gold_id in gold or i % 40 == 0)]
    folder = tmp_path / "obliqa-part"
    folder.mkdir()
    jsonl(folder / "corpus.jsonl", [{"_id": p.gold_id, "text": p.text} for p in passages])
    jsonl(folder / "queries.jsonl", [{"_id": q.question_id, "text": q.text} for q in questions])
    rows = [f"{q.question_id}\t{label}\t1" for q in questions for label in whole.qrels[q.question_id]]
    (folder / "qrels.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *rows]) + "\n", encoding="utf-8")
    chosen = ["--grid", "search=keyword,and", "--set", "reranker=none", "--trec-out", "trec"]
    assert run(["eval", "retrieval", str(folder), *chosen, "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert said["questions"] == 100
    for configuration in said["configurations"]:
        run_file = f"trec/{configuration['name']}.run"
        command = [sys.executable, "-W", "ignore", "-m", "ir_measures", "trec/qrels.trec", run_file]
        done = subprocess.run([*command, *NAMES.values(), "RR"], capture_output=True, text=True, check=True)
        theirs = dict(line.split("\t") for line in done.stdout.splitlines())
        ours = configuration["measures"]
        assert {name: theirs[other] for name, other in NAMES.items()} == {
            name: f"{ours[name]['mean']:.4f}" for name in NAMES
        }
    # The run files hold ten labels a question, so that the reciprocal rank without a cut-off is the one at 10.
    assert theirs["RR"] == f"{said['configurations'][-1]['measures']['mrr@10']['mean']:.4f}"
    assert 0.2 < said["configurations"][0]["measures"]["ndcg@10"]["mean"] < 1
