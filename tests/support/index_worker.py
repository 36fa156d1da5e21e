"""A process that forks workers on request, each of which writes or reads an index until it is done or killed.

It reads a JSON object a line ({"do": "write", "read" or "jobs", "folder", "out", "first", "count", "limit", "wait", "search", "cache"}), forks a
worker for it and prints the worker's process id. The worker tells of its progress in the file `out`, a line each. Forking
spares each of them the seconds that the imports take.
"""

import importlib
import importlib.util
import json
import os
import signal
import sys
import time
import traceback
from pathlib import Path

from policy_rag.errors import IndexingError
from policy_rag.index.store.document_rows import read_passages
from policy_rag.index.store.manifest import Manifest
from policy_rag.index.store.store import Index

_spec = importlib.util.spec_from_file_location("app_conftest", Path(__file__).parent.parent / "app" / "conftest.py")
_conftest = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_conftest)


def manifest() -> Manifest:
    model = _conftest.BagOfWords
    return Manifest(model.name, model.fingerprint, model.dimension, "section", 200, 6000, True, None)


def state_documents(number: int) -> dict[str, list]:
    """State `number`: seven documents of three sections; two of the seven names change from state to state."""
    names = ["a", "b", "c", "d", "e", f"only-{number}", f"only-{number}-too"]
    body = "State {number} of {name}: clause {k} " + "word " * 40
    return {
        f"{name}.md": [(str(k), f"Heading {k}", body.format(number=number, name=name, k=k)) for k in (1, 2, 3)]
        for name in names
    }


def held_state(index: Index) -> int | None:
    """The number of the state that an index holds, from its rows and its derived files alike; None when it is empty.

    Raises:
        ValueError: it is no whole state.
    """
    if index.manifest is None:
        return None
    with index.snapshot() as snapshot:
        rows = read_passages(snapshot.db, snapshot.derived.passages[:, 0].tolist())
        found: dict[str, list] = {}
        ids = {document.doc_key: document.doc_id for document in snapshot.documents}
        for key, doc_key in snapshot.derived.passages.tolist():
            found.setdefault(ids[doc_key], []).append(rows[key].text)
        if len(snapshot.derived.chunks) != len(rows):
            raise ValueError(f"{len(snapshot.derived.chunks)} vectors for {len(rows)} passages")
    numbers = {int(text.split("State ")[1].split()[0]) for texts in found.values() for text in texts}
    if len(numbers) != 1:
        raise ValueError(f"a mixture of the states {sorted(numbers)}")
    (number,) = numbers
    expected = {
        doc_id: [f"{n} {title}\n{body}" for n, title, body in parts]
        for doc_id, parts in state_documents(number).items()
    }
    if found != expected:
        raise ValueError(f"not the whole of state {number}: {sorted(found)}")
    return number


def write(task: dict, say) -> None:
    """Ingests one state after the other: each adds, changes and removes documents."""
    if task.get("limit"):
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (task["limit"], task["limit"]))
    with Index(task["folder"], create=True) as index:
        say("open")
        while "wait" in task and not Path(task["wait"]).exists():
            time.sleep(0.001)
        for number in range(task["first"], task["first"] + task["count"]):
            documents = [_conftest.made_document(name, parts) for name, parts in state_documents(number).items()]
            gone = [d.doc_id for d in index.documents() if d.doc_id not in state_documents(number)]
            index.update(documents, manifest(), _conftest.BagOfWords(), remove=gone)
            say(f"committed {number}")
            if task.get("search"):  # by which Milvus is given its collection
                with index.snapshot() as snapshot:
                    snapshot.vectors.search(_conftest.BagOfWords().embed_queries(["State"]), 5, None)
                say(f"searched {number}")


def read(task: dict, say) -> None:
    """Opens the index and reads it over and over, until it has seen three states."""
    seen, reads = set(), 0
    with Index(task["folder"]) as index:
        say("open")
        while reads < task["count"] or len(seen) < 3:
            seen.add(held_state(index))
            reads += 1
    say(f"saw {sorted(seen)}")


IMPORTED_BY_JOBS = (
    "procrastinate",
    "policy_rag.index.ingest.document_preparation",
    "policy_rag.index.ingest.pipeline",
    "policy_rag.index.store.postgres.truth",
    "policy_rag.jobs.worker",
)


def prepared_here(_, file, said, manifest, embedder, *, doc_id, access=(), judge=None):
    """What `FileReader.document` answers, without a process of its own, which takes a second to start."""
    from policy_rag.index.ingest.document_preparation import prepare_file
    from policy_rag_parsers.loaders import load

    return prepare_file(
        file, load(file.path), said, manifest, embedder.count_tokens, embedder.embed,
        doc_id=doc_id, access=access, judge=judge,
    )  # fmt: skip


def jobs(task: dict, say) -> None:
    """Does the jobs of an index in Postgres; says the hash of each text that it embeds, before it does."""
    from policy_rag.assistant import PolicyAssistant
    from policy_rag.index.ingest.file_reader import FileReader
    from policy_rag.index.loaded_models import LoadedModels
    from policy_rag.index.store.document_rows import text_hash
    from policy_rag.index.store.postgres.address import PostgresAddress
    from policy_rag.jobs import worker
    from policy_rag.settings import load_settings

    class Telling(_conftest.BagOfWords):
        def embed(self, texts):
            for text in texts:
                say(f"embeds {text_hash(text)}")
            time.sleep(0.01)
            return super().embed(texts)

    LoadedModels.embedder = lambda *_: Telling()
    FileReader.document = prepared_here
    worker._LOOKS_AGAIN = 0.1

    def opened(changes):
        say("open")
        return PolicyAssistant.open(task["folder"], settings=load_settings(changes))

    worker.IngestWorker(PostgresAddress(task["folder"]), opened, say, gone_after=0.6).run(until_empty=True)


def work(task: dict) -> int:
    if task.get("cache"):
        os.environ["XDG_CACHE_HOME"] = task["cache"]
    with Path(task["out"]).open("a", encoding="utf-8") as out:

        def say(line: str) -> None:
            out.write(line + "\n")
            out.flush()

        try:
            {"write": write, "read": read, "jobs": jobs}[task["do"]](task, say)
        except IndexingError as error:
            say(f"refused {error}")
            return 3
        except BaseException:  # noqa: BLE001 - the test reads it
            say(f"failed {traceback.format_exc()}")
            return 1
        say("done")
        return 0


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the workers
    for line in sys.stdin:
        task = json.loads(line)
        for name in IMPORTED_BY_JOBS if task["do"] == "jobs" else ():
            importlib.import_module(name)
        pid = os.fork()
        if not pid:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os._exit(work(task))
        print(pid, flush=True)


if __name__ == "__main__":
    main()
