"""`policy-rag doctor`: which settings are in force and whose they are; what is misspelt is told, not passed over."""

import json

import pytest

from policy_rag.cli import run
from policy_rag.errors import SettingsError
from policy_rag.settings import load_settings, origins, unknown_variables


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path


@pytest.fixture
def doctor(capsys):
    def call(*arguments):
        capsys.readouterr()
        run(["doctor", "--index", "none", *arguments])
        return dict(line[5:].split(": ", 1) for line in capsys.readouterr().out.splitlines())

    return call


def test_what_is_set_is_told_with_its_origin(here, doctor, monkeypatch):
    assert doctor()["settings"] == "all are as by default: `policy-rag doctor --json` lists them"
    (here / "policy_rag.toml").write_text('top_k = 7\nsearch = "rrf"\ncandidates = 20\n')
    monkeypatch.setenv("POLICY_RAG_TOP_K", "3")
    monkeypatch.setenv("policy_rag_expand", '["parent"]')
    assert doctor()["settings"].split("; ") == [
        'search = "rrf" (policy_rag.toml)',
        "candidates = 20 (policy_rag.toml)",
        "top_k = 3 (POLICY_RAG_TOP_K)",
        'expand = ["parent"] (policy_rag_expand)',
        "all others are as by default: `policy-rag doctor --json` lists them",
    ]


def test_an_option_wins_over_its_variable(monkeypatch):
    monkeypatch.setenv("POLICY_RAG_OFFLINE", "0")
    assert origins(load_settings({"offline": True}), options=("offline",)) == {"offline": "an option"}
    assert origins(load_settings({"seed": 3})) == {"offline": "POLICY_RAG_OFFLINE", "seed": "an option"}


def test_no_password_of_an_address_is_shown(doctor, capsys, monkeypatch):
    monkeypatch.setenv("POLICY_RAG_LLM_URL", "https://me:hunter2@llm.example/v1")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "https://me:hunter2@runs.example")
    told = doctor()
    assert '"https://llm.example/v1" (POLICY_RAG_LLM_URL)' in told["settings"]
    assert told["MLflow store"] == "https://runs.example"
    run(["doctor", "--index", "none", "--json"])
    assert "hunter2" not in json.dumps(told) + capsys.readouterr().out


def test_a_model_that_is_not_there_is_not_said_to_be_so_for_being_offline(doctor):
    told = doctor()
    assert told["offline"].startswith("not enforced")
    base = "BAAI/bge-reranker-base"
    assert told[f"reranker {base}"] == f"not on disk: while online, run `hf download {base}`"
    assert not [line for line in told.values() if "we are offline" in line]


def test_a_reranker_that_is_asked_for_is_needed(here, capsys):
    (here / "policy_rag.toml").write_text('reranker = "BAAI/other"\n')
    assert run(["doctor", "--index", "none", "--json"]) == 1
    checks = {check["name"]: check for check in json.loads(capsys.readouterr().out)["checks"]}
    assert (checks["reranker BAAI/other"]["ok"], checks["reranker BAAI/other"]["needed"]) == (False, True)
    assert checks["reranker BAAI/bge-reranker-base"]["needed"] is False


@pytest.mark.parametrize(
    ("variable", "meant"),
    [
        ("POLICY_RAG_TOPK", "TOP_K"),
        ("POLICY_RAG_OFLINE", "OFFLINE"),
        ("POLICY_RAG_RERANK", "RERANKER"),
        ("POLICY_RAG_INDX", "INDEX"),
    ],
)
def test_a_slip_in_a_variable_is_refused(monkeypatch, capsys, variable, meant):
    monkeypatch.setenv(variable, "1")
    with pytest.raises(SettingsError, match=rf"{variable} is no setting: did you mean POLICY_RAG_{meant}\?"):
        load_settings()
    assert run(["documents", "--index", "none"]) == 2
    assert capsys.readouterr().err.startswith(f"error: {variable} is no setting")


def test_a_variable_like_no_setting_is_told_by_the_doctor_only(monkeypatch, doctor):
    monkeypatch.setenv("POLICY_RAG_COLOUR", "red")
    assert load_settings().search.top_k == 5
    assert doctor()["variable POLICY_RAG_COLOUR"] == "no setting has this name, so it does nothing: mend or unset it"
    assert unknown_variables({"POLICY_RAG_SEED": "1", "POLICY_RAGTIME": "x", "policy_rag_top_k": "2"}) == {}
