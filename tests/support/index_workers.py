"""Starts the workers of `index_worker`, follows them and ends them."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

WORKER = Path(__file__).parent / "index_worker.py"

_spec = importlib.util.spec_from_file_location("index_worker", WORKER)
worker = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(worker)


class Workers:
    """Starts workers; see `tests/support/index_worker.py`."""

    def __init__(self):
        # Many tests share it: no setting of the one that came first is for the others.
        plain = {name: value for name, value in os.environ.items() if not name.startswith("POLICY_RAG_")}
        self._server = subprocess.Popen(
            [sys.executable, str(WORKER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=plain
        )

    def start(self, **task):
        out = Path(task["out"])
        out.write_text("")
        line = json.dumps({"count": 10_000, "first": 1, "cache": os.environ.get("XDG_CACHE_HOME"), **task}, default=str)
        self._server.stdin.write(line + "\n")
        self._server.stdin.flush()
        return Started(int(self._server.stdout.readline()), out)

    def stop(self):
        self._server.stdin.close()
        self._server.wait()
        self._server.stdout.close()


class Started:
    def __init__(self, pid, out):
        self.pid, self.out = pid, out

    def said(self):
        return self.out.read_text().splitlines()

    def wait_for(self, *beginnings):
        """The first line that begins so."""
        for _ in range(60_000):
            for line in self.said():
                if line.startswith(beginnings):
                    return line
            time.sleep(0.001)
        raise TimeoutError(self.said())

    def end(self):
        """All that it said, once it is done."""
        self.wait_for("done", "failed", "refused")
        return self.said()

    def wait_until_gone(self):
        with suppress(ProcessLookupError):
            while True:
                os.kill(self.pid, 0)
                time.sleep(0.001)

    def stop(self):
        """Kills it where it is still at work."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def kill(self):
        """Kills it; answers the last state that it said was committed."""
        self.stop()
        self.wait_until_gone()
        committed = [int(line.split()[1]) for line in self.said() if line.startswith("committed")]
        return committed[-1] if committed else None

    def killed(self, before):
        """Kills it, which no mistake has ended before; the states that may be held now, where `before` was held.

        It may have died between a commit and saying so.
        """
        committed = self.kill()
        assert not any(line.startswith(("failed", "refused")) for line in self.said()), self.said()
        last = before if committed is None else committed
        return {last, (last or 0) + 1}
