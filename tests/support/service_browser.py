"""Headless Chromium that watches what the service's pages do."""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mlflow_ui import ARGUMENTS, CHROMIUM

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE_MS = 30_000


@contextlib.contextmanager
def chromium() -> Iterator["Browser"]:
    """One browser for many pages."""
    from playwright.sync_api import expect, sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        expect.set_options(timeout=PATIENCE_MS)
        yield browser
        browser.close()


@contextlib.contextmanager
def watched_page(
    browser: "Browser", address: str, who: str = "", *, also: str = "", **options: Any
) -> Iterator["Page"]:
    """A page in a context of its own, signed in as somebody. It must ask nobody else, break no policy and fail nowhere.

    Args:
        browser: whose page it is.
        address: of the service.
        who: the value of the cookie `who`; without one there is no such cookie.
        also: another address that it may go to.
        **options: of the context, such as `viewport`.
    """
    context = browser.new_context(base_url=address, **options)
    if who:
        context.add_cookies([{"name": "who", "value": who, "url": address}])
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    try:
        yield page
    finally:
        context.close()
    ours = {urlsplit(address).netloc, urlsplit(also).netloc}
    assert [
        url for url in asked if not url.startswith(("data:", "blob:", "about:")) and urlsplit(url).netloc not in ours
    ] == []
    assert said == []
