"""What is installed: the four packages and nothing called after their source roots."""

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_wheel_holds_the_four_packages_and_no_source_root(tmp_path):
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    top = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert top == {"policy_rag", "policy_rag_parsers", "policy_rag_prompts", "policy_rag_eval"}
    assert {f"{package}/py.typed" for package in top} <= set(names)
    assert any(name.startswith("policy_rag_prompts/templates/") for name in names)
    assert "policy_rag_eval/datasets/brannholt/queries.jsonl" in names
    assert "policy_rag_eval/datasets/judged/cases.jsonl" in names


def test_the_package_runs_as_the_command():
    shown = subprocess.run([sys.executable, "-m", "policy_rag", "documents", "--help"], check=True, capture_output=True)
    assert b"policy-rag documents" in shown.stdout


def test_public_names_stay():
    import policy_rag

    assert sorted(policy_rag.__all__) == [
        "Answer", "Citation", "Hit", "PolicyAssistant", "SearchRequest", "SearchResult", "Settings", "__version__",
    ]  # fmt: skip
    assert all(getattr(policy_rag, name) for name in policy_rag.__all__)
