"""The container: what its files promise, and where an engine runs, that it builds and answers."""

import json
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
import yaml

from policy_rag.cli.app import build

ROOT = Path(__file__).parents[3]


def running_engine():
    """The container engine that runs here, or None."""
    for name in ("docker", "podman"):
        if shutil.which(name) and subprocess.run([name, "info"], capture_output=True, check=False).returncode == 0:
            return name
    return None


ENGINE = running_engine()


@pytest.fixture(scope="module")
def stages():
    """The stages of the Dockerfile, each a list of instructions with their arguments, continued lines put together."""
    text = re.sub(r"\\\n", " ", (ROOT / "Dockerfile").read_text())
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    made: list[list[tuple[str, str]]] = []
    for line in lines:
        name, _, rest = line.strip().partition(" ")
        if name == "FROM":
            made.append([])
        made[-1].append((name, rest.strip()))
    return made


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((ROOT / "compose.yaml").read_text())


class _Overriding(yaml.SafeLoader):
    """Reads Compose's own tags."""


_Overriding.add_constructor("!override", lambda loader, node: loader.construct_sequence(node))


@pytest.fixture(scope="module")
def with_postgres():
    return yaml.load((ROOT / "compose.postgres.yaml").read_text(), _Overriding)  # noqa: S506 - a safe loader


def of(stage, name):
    return [rest for instruction, rest in stage if instruction == name]


def check_options(command, *words):
    """The command line knows all that a command is started with."""
    known = {option for parameter in build(command).commands[command].params for option in parameter.opts}
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= known


def check_rights(service, volumes, *, outside=False):
    """A service has no more rights than it needs, and is reached by the others alone unless it is `outside`."""
    assert service["cap_drop"] == ["ALL"]
    assert service["networks"] == (["inside", "outside"] if outside else ["inside"])
    assert ("ports" in service) is outside
    named = {volume.partition(":")[0] for volume in service.get("volumes", ()) if not volume.startswith("$")}
    assert named <= volumes.keys()


def test_what_was_made_by_the_builder_can_be_read_by_whoever_runs_it(stages):
    """Models are written for their owner alone."""
    made = next(rest for rest in of(stages[0], "RUN") if "ingest" in rest)
    assert made.endswith("chmod -R a+rX /opt/policy_rag")


def test_it_runs_as_nobody_in_particular_and_says_whether_it_lives(stages):
    last = stages[-1]
    (user,) = of(last, "USER")
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", user)
    names = [name for name, _ in last]
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert not [rest for rest in of(last, "RUN") if "pip" in rest or "apt" in rest or "curl" in rest]
    (health,) = of(last, "HEALTHCHECK")
    assert "/api/v1/health" in health
    assert not [rest for stage in stages for rest in of(stage, "ADD")]


def test_every_image_is_of_one_version_and_slim(stages, compose):
    bases = {rest.partition(" AS ")[0] for stage in stages for rest in of(stage, "FROM")}
    assert len(bases) == 1
    (base,) = bases
    assert re.fullmatch(r"python:3\.11-slim-\w+", base)
    for service in compose["services"].values():
        assert service["image"] == "policy-rag" or re.search(r":v?\d+\.\d+\.\d+$", service["image"])


def test_what_is_copied_is_there_and_nothing_else_is_sent(stages):
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().split() if line.startswith("!")}
    for name in kept:
        assert (ROOT / name).exists()
    declared = (ROOT / "pyproject.toml").read_text()
    for name in ("parsers/policy_rag_parsers", "prompts/policy_rag_prompts", "eval/policy_rag_eval", "eval/datasets"):
        assert f'"{name}"' in declared
        assert any(name == one or name.startswith(f"{one}/") for one in kept)
    assert of(stages[0], "COPY") == ["constraints.txt ./", ". ."]


def test_what_it_is_started_with_is_what_the_command_line_knows(stages, compose):
    (entry,) = map(json.loads, of(stages[-1], "ENTRYPOINT"))
    (command,) = map(json.loads, of(stages[-1], "CMD"))
    assert entry == ["policy-rag"]
    check_options(*command)
    check_options(*compose["services"]["policy-rag"]["command"])
    assert 'policy-rag = "policy_rag.cli:main"' in (ROOT / "pyproject.toml").read_text()


def test_every_service_is_hardened_and_only_ours_can_be_reached_from_this_machine_alone(compose):
    for name, service in compose["services"].items():
        if service.get("profiles") == ["setup"]:
            continue
        assert service["read_only"] is True, name
        assert service["security_opt"] == ["no-new-privileges:true"]
        check_rights(service, compose["volumes"], outside=name == "policy-rag")
    assert compose["networks"]["inside"] == {"internal": True}
    assert all(port.startswith("127.0.0.1:") for port in compose["services"]["policy-rag"]["ports"])
    assert any(volume.endswith(":/policies:ro") for volume in compose["services"]["policy-rag"]["volumes"])


def test_with_postgres_two_services_and_a_worker_share_one_index(with_postgres, compose, stages):
    services = with_postgres["services"]
    assert services["policy-rag"]["deploy"] == {"replicas": 2}
    for name in ("policy-rag", "worker", "migrate"):
        check_options(*services[name]["command"])
        assert services[name]["environment"]["POLICY_RAG_INDEX"].endswith("@postgres/policies")
    assert services["policy-rag"]["environment"] == services["worker"]["environment"]
    for name, file in (("worker", compose), ("postgres", with_postgres)):
        assert services[name]["read_only"] is True
        check_rights(services[name], file["volumes"])
    assert re.search(r":\d+\.\d+\.\d+-pg\d+$", services["postgres"]["image"])
    assert all(port.startswith("127.0.0.1:") for port in services["policy-rag"]["ports"])
    assert any("serve,postgres,milvus" in rest for rest in of(stages[0], "RUN"))


def test_milvus_is_started_on_request_and_reached_by_the_services_alone(with_postgres):
    milvus = with_postgres["services"]["milvus"]
    assert milvus["profiles"] == ["milvus"]
    assert re.search(r":v\d+\.\d+\.\d+$", milvus["image"])
    check_rights(milvus, with_postgres["volumes"])
    (config,) = milvus["configs"]
    assert config["target"] == milvus["environment"]["ETCD_CONFIG_PATH"]
    etcd = yaml.safe_load(with_postgres["configs"][config["source"]]["content"])
    assert etcd["listen-client-urls"] == "http://127.0.0.1:2379"  # nobody else is to ask it
    told = (ROOT / "docs" / "guides" / "postgres.md").read_text()
    assert "--vectors milvus --milvus http://milvus:19530" in told
    assert "--profile milvus" in told


def test_prometheus_is_told_where_and_with_which_key(compose):
    (job,) = yaml.safe_load(compose["configs"]["prometheus"]["content"])["scrape_configs"]
    assert job["static_configs"] == [{"targets": ["policy-rag:8765"]}]
    (secret,) = compose["services"]["prometheus"]["secrets"]
    assert job["authorization"]["credentials_file"] == f"/run/secrets/{secret}"
    assert secret in compose["secrets"]


@pytest.mark.slow
@pytest.mark.skipif(ENGINE is None, reason="no container engine runs here")
def test_it_builds_and_answers_without_a_network():
    subprocess.run([ENGINE, "build", "--quiet", "--tag", "policy-rag-test", str(ROOT)], check=True, timeout=1800)
    hardened = ["--read-only", "--tmpfs", "/tmp", "--network", "none", "--cap-drop", "ALL"]
    name = "policy-rag-test"
    folder = ROOT / "eval" / "datasets" / "brannholt" / "documents"
    mounts = ["--volume", f"{name}:/data", "--volume", f"{folder}:/policies:ro"]
    run = [ENGINE, "run", "--rm", *hardened, *mounts]
    try:
        subprocess.run([*run, "policy-rag-test", "ingest", "/policies"], check=True, timeout=600)
        subprocess.run([*run, "--detach", "--name", name, "policy-rag-test"], check=True, timeout=60)
        ask = "import urllib.request as r; print(r.urlopen('http://127.0.0.1:8765/api/v1/readiness').status)"
        for _ in range(60):
            asked = subprocess.run(
                [ENGINE, "exec", name, "python", "-c", ask], capture_output=True, text=True, check=False
            )
            if asked.stdout.strip() == "200":
                break
            time.sleep(1)
        assert asked.stdout.strip() == "200", asked.stderr
    finally:
        subprocess.run([ENGINE, "rm", "--force", name], check=False, capture_output=True)
        subprocess.run([ENGINE, "volume", "rm", name], check=False, capture_output=True)
