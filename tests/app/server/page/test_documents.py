"""Documents in the browser: what may be read is listed, shown with the quoted words marked, compared, and no more."""

import html
import re
import shutil
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from policy_rag.index.store.document_rows import read_text
from policy_rag.server.page.document_pages import place_url

SAMPLE = Path(__file__).resolve().parents[4] / "eval" / "datasets" / "brannholt" / "documents"
QUOTES = {
    "leave-policy.md": "Part-time employees who work on fewer days a week have leave in proportion",
    "expenses-and-travel-policy.txt": "(b) Trips above that amount, and all trips outside Europe, are approved\n        by the",
    "data-privacy-policy.html": "Cameras cover gates, car parks and the goods yard",
    "information-security-policy.pdf": "Passwords have at least 14 characters.",
    "model-governance-standard.docx": "2 | EUR 50,000 to 500,000 | Model Risk Officer",
}
BOARD = "board-rules-of-procedure.txt"


def url_of(assistant, doc_id: str, quote: str) -> str:
    document = assistant.document(doc_id)
    with assistant.index.reading() as db:
        start = read_text(db, document.doc_key).index(quote)
    return place_url(doc_id, start, start + len(quote), quote)


def marks(page: str) -> str:
    return " ".join(html.unescape(found) for found in re.findall(r"<mark[^>]*>(.*?)</mark>", page))


@pytest.mark.parametrize("doc_id", QUOTES)
def test_the_quoted_words_are_marked_in_each_format(client, ingested, doc_id):
    quote = QUOTES[doc_id]
    page = client.get(url_of(ingested, doc_id, quote)).text
    told = " ".join(quote.removeprefix("(b) ").replace(" | ", " ").split())
    assert marks(page) == told
    assert page.count('id="quote"') == 1
    assert "The words quoted are marked" in page


def test_words_that_are_gone_are_said_to_be_gone(client, changeable, tmp_path):
    """The address of yesterday's citation never points at other words as if they had been quoted."""
    url = url_of(changeable, "leave-policy.md", QUOTES["leave-policy.md"])
    file = tmp_path / "policies" / "leave-policy.md"
    file.write_text(file.read_text().replace("## 1 Annual leave", "## 1 Annual leave and holidays"))
    changeable.ingest([file.parent])
    page = client.get(url).text
    assert "not here any more" in page
    assert "<mark" not in page


def test_a_pdf_is_drawn_from_the_original_only(client, changeable, tmp_path):
    name = "information-security-policy.pdf"
    file = Path(shutil.copy(SAMPLE / name, tmp_path / "policies"))
    changeable.ingest([file.parent])
    url = url_of(changeable, name, QUOTES[name])
    assert f'data-pdf="/documents/original?doc={name}"' in client.get(url).text
    file.write_bytes(file.read_bytes() + b"\n")
    page = client.get(url).text
    assert "data-pdf=" not in page
    assert "was changed" in page
    assert marks(page) == QUOTES[name]
    assert client.get(f"/documents/original?doc={name}").status_code == 404


def test_an_original_is_kept_not_run(client, ingested):
    got = client.get("/documents/original?doc=data-privacy-policy.html")
    assert got.content == ingested.document("data-privacy-policy.html").place.read_bytes()
    assert got.headers["content-type"] == "application/octet-stream"
    assert got.headers["content-disposition"].startswith("attachment")
    assert "sandbox" in got.headers["content-security-policy"]


def test_the_list_holds_what_may_be_read(client, as_caller):
    page = client.get("/documents").text
    assert "Expenses and Travel Policy" in page
    assert "/documents/changes?old=expenses-and-travel-policy-2023.txt&amp;new=expenses-and-travel-policy.txt" in page
    assert "Management Board" not in page
    assert "Rules of Procedure of the Management Board" in as_caller("board").get("/documents").text


@pytest.mark.parametrize(
    "path",
    [
        "/documents/view?doc={}",
        "/documents/view?doc={}&start=10&end=60&mark=0000000000000000",
        "/documents/original?doc={}",
        "/documents/changes?old={}&new=leave-policy.md",
        "/documents/changes?old=leave-policy.md&new={}",
    ],
)
def test_what_may_not_be_read_is_as_if_it_were_not_there(client, as_caller, path):
    hidden, missing = client.get(path.format(BOARD)), client.get(path.format("none.txt"))
    assert hidden.status_code == missing.status_code == 404
    assert hidden.text == missing.text
    assert as_caller("board").get(path.format(BOARD)).status_code == 200


def test_changes_are_told_clause_by_clause(client):
    page = client.get(
        "/documents/changes?old=expenses-and-travel-policy-2023.txt&new=expenses-and-travel-policy.txt"
    ).text
    assert "clauses differ" in page
    assert "<del>" in page
    assert "<ins>" in page


def test_two_versions_that_say_the_same_are_said_to(client):
    assert "word for word" in client.get("/documents/changes?old=leave-policy.md&new=leave-policy.md").text


@pytest.mark.parametrize(
    ("asked", "page_open", "back"),
    [
        ("/documents", "", "/documents"),
        ("/documents/view?doc=a%26b.md&start=5&end=9", "", "/documents/view?doc=a%26b.md&start=5&end=9"),
        ("/documents/view?doc=" + "a" * 1990, "", "/documents/view"),  # longer than what signing in leads back to
        ("/conflicts/list?as_of=", "http://testserver/conflicts?as_of=2026-01-31#top", "/conflicts?as_of=2026-01-31"),
        ("/administration/jobs", "http://testserver/administration", "/administration"),
    ],
)
def test_signing_in_leads_back_to_the_page_that_was_asked_for(as_caller, asked, page_open, back):
    client = as_caller()
    client.app.state.service = replace(client.app.state.service, authenticators=())
    part = {"hx-request": "true", "hx-current-url": page_open} if page_open else {}
    got = client.get(asked, headers=part, follow_redirects=False)
    assert got.status_code == (204 if page_open else 303)
    to = urlsplit(got.headers["hx-redirect" if page_open else "location"])
    assert to.path == "/sign-in"
    assert parse_qs(to.query) == {"next": [back]}


def test_what_a_document_holds_acts_on_nothing(changeable, tmp_path, as_caller):
    (tmp_path / "evil.md").write_text(
        "---\ntitle: <script>alert(1)</script>\n---\n# Evil\n\n<img src=x onerror=alert(1)> pay \u202eEUR 5\u202c \"'><b>\n"
    )
    changeable.ingest([tmp_path / "evil.md"])
    client = as_caller()
    for page in (client.get("/documents").text, client.get("/documents/view?doc=evil.md").text):
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "\u202e" not in page


def test_nothing_but_our_own_files_may_act(client):
    got = client.get("/documents")
    policy = got.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "nonce" not in policy
    assert got.headers["cache-control"] == "no-store"
    assert got.headers["x-content-type-options"] == "nosniff"
    assert " style=" not in got.text
    assert "http://" not in got.text.replace("http://testserver", "")
    assert "https://" not in got.text
    for address in re.findall(r'(?:src|href)="(/static/[^"]+)"', got.text):
        kept = client.get(html.unescape(address))
        assert kept.status_code == 200
        assert "immutable" in kept.headers["cache-control"]
