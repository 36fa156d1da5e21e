"""Finding a quotation again: the server and the browser, which finds it in a PDF, are held to the same cases."""

import pytest
from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles
from mlflow_ui import CHROMIUM
from running_service import running
from service_browser import chromium, watched_page

from policy_rag.server.page.moved_quotes import find_moved_quote
from policy_rag.server.page.rendering import STATIC

QUOTE = "Leave is thirty working days in each calendar year for all."
CASES = {
    "as it was": (f"1 Length. {QUOTE} More.", QUOTE, [QUOTE.rstrip(".")]),
    "over lines, with other signs": (
        "Leave is thirty\nworking-days in EACH calendar\tyear for all;",
        QUOTE,
        ["Leave is thirty\nworking-days in EACH calendar\tyear for all"],
    ),
    "parted by the foot of a page": (
        "Leave is thirty working days Page 3 of 9 in each calendar year for all.",
        QUOTE,
        ["Leave is thirty working days", "in each calendar year for all"],
    ),
    "its second half gone, which is 24 of 48 letters": (
        "Leave is thirty working days; see elsewhere.",
        "Leave is thirty working days of which nobody may be kept in",
        ["Leave is thirty working days"],
    ),
    "more than half of it gone, 26 of 50": (
        "Leave is thirty working days; see elsewhere.",
        "Leave is thirty working days of which nobody may be kept in it",
        [],
    ),
    "another number in it": ("Leave is twenty days.", "Leave is thirty days.", []),
    "letters in one sign": ("The o\ufb03ce is open.", "the office is open", ["The o\ufb03ce is open"]),
    "twice": ("Ask first. Ask first.", "Ask first.", ["Ask first"]),
    "no words": ("Ask first.", " ... ", []),
    "in no text": ("", QUOTE, []),
}
_IN_BROWSER = """
async (cases) => {
  const { letters, findQuote } = await import("/static/quotes.js");
  return cases.map(([whole, quote]) => {
    const { text, places } = letters([whole]);
    const found = findQuote(text, quote) ?? [];
    return found.map(([start, end]) => whole.slice(places[start][1], places[end - 1][1] + 1));
  });
}
"""


@pytest.mark.parametrize("name", CASES)
def test_the_server_finds_it(name):
    text, quote, found = CASES[name]
    assert [text[start:end] for start, end in find_moved_quote(text, quote)] == found


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_browser_finds_the_same():
    app = FastAPI()
    app.mount("/static", StaticFiles(directory=STATIC))
    app.get("/", response_class=HTMLResponse)(lambda: "<link rel=icon href=data:,>")
    with running(app) as url, chromium() as browser, watched_page(browser, url) as page:
        page.goto("/")
        found = page.evaluate(_IN_BROWSER, [[text, quote] for text, quote, _ in CASES.values()])
    assert dict(zip(CASES, found, strict=True)) == {name: case[2] for name, case in CASES.items()}
