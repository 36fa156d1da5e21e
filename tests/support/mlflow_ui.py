"""`policy-rag ui` as a process of its own, for the length of a `with` block, and headless Chromium to look at it."""

import contextlib
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mlflow_server import free_port, wait_until_up

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM = Path("/usr/bin/chromium")
PATIENCE_MS = 60_000

ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
_START = "import sys; from policy_rag.cli import main; main(sys.argv[1:])"


@contextlib.contextmanager
def mlflow_ui(folder: Path) -> Iterator[str]:
    """The address of the UI over what is kept in `folder`'s index; it must say the same address, and end in order."""
    port = free_port()
    log = folder / "ui.log"
    command = [sys.executable, "-c", _START, "ui", "--port", str(port), "--json"]
    with log.open("wb") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, cwd=folder)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until_up(address, process, log)
        yield address
    finally:
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=30)
    assert json.loads(out)["url"] == address
    assert process.returncode == 0


@contextlib.contextmanager
def browser_page() -> Iterator["Page"]:
    """A wide empty page of headless Chromium, which must ask nobody but this machine for anything."""
    from playwright.sync_api import expect, sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 2800, "height": 1000})
        page.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        yield page
        browser.close()
    hosts = {urlsplit(url).hostname for url in asked if not url.startswith(("data:", "blob:", "about:"))}
    assert hosts <= {"127.0.0.1", "localhost"}
