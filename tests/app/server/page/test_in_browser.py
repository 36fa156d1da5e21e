"""The page in a browser, against a real server: what is asked, opened, said of an answer, and seen by whom.

Every page is watched: it asks nobody else for anything, breaks no content security policy, and logs no error.
"""

import re
import shutil
import threading
from contextlib import closing, nullcontext
from dataclasses import replace

import pytest
from mlflow_server import free_port
from mlflow_ui import CHROMIUM
from oidc_issuer import CLIENT, SECRET, OidcIssuer
from playwright.sync_api import expect
from running_service import running
from service_browser import chromium, watched_page

from policy_rag.server.app import create_app
from policy_rag.server.callers import Caller
from policy_rag.server.service_options import OidcOptions, ServerOptions
from policy_rag.server.upload_worker import Worker

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

ABROAD = "For how many working days may I work from another country of the EU?"
BOARD = "When does the Management Board meet?"
QUESTIONS = {
    "leave-policy.md": ("How many working days of annual leave do full-time employees have?", "30 working days"),
    "expenses-and-travel-policy.txt": ("What is the hotel limit per night?", "London, Paris, Zurich, Geneva"),
    "data-privacy-policy.html": ("Where do cameras cover gates and car parks?", "never workplaces, changing rooms"),
    "model-governance-standard.docx": ("Who assigns the tier of a model?", "within five working days of registration"),
}
PASSWORDS = "How many characters do passwords have at least?"
LOOKS = [({"width": 1280, "height": 720}, "light"), ({"width": 390, "height": 844}, "dark")]
PATHS = [
    "/questions",
    "/documents",
    "/documents/changes?old=expenses-and-travel-policy-2023.txt&new=expenses-and-travel-policy.txt",
    "/documents/view?doc=expenses-and-travel-policy-2023.txt",
    "/documents/view?doc=information-security-policy.pdf",
    "/conflicts/list",
    "/administration",
    "/administration/questions",
    "/administration/unanswered",
]

_UNDER_MARKS = """
() => [...document.querySelectorAll(".pdf-mark")].map((mark) => {
  const box = mark.getBoundingClientRect();
  const under = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return under.find((one) => one.matches(".pdf-text span"))?.textContent ?? "";
})
"""


@pytest.fixture(scope="module")
def policies(tmp_path_factory, taken_in):
    """An assistant over the sample company's policies and two that contradict each other."""
    folder = tmp_path_factory.mktemp("browser")
    words = "Employees may work from another country of the EU for up to {} working days in a calendar year."
    extra = folder / "extra"
    extra.mkdir()
    for name, days in (("abroad", 20), ("note", 30)):
        (extra / f"{name}.md").write_text(f"# {name.title()}\n\n## 1 Days\n\n{words.format(days)}\n")
    # The small model's scores are its own; fewer candidates than usual are quicker to rank.
    with taken_in(folder, certain=0.45, candidates=12) as assistant:
        assistant.ingest([extra / "abroad.md", extra / "note.md"])
        yield assistant
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def address(policies, tmp_path_factory):
    """The service over them, and its worker."""
    app = create_app(policies, ServerOptions(state=tmp_path_factory.mktemp("state"), no_auth=True))
    callers = {
        "staff": Caller("staff", (), label="Sam Staff"),
        "board": Caller("board", ("board",), label="Bea Board"),
        "admin": Caller("admin", ("board",), admin=True, label="Ada Admin"),
    }
    app.state.service = replace(
        app.state.service, authenticators=(lambda request: callers.get(request.cookies.get("who", "")),)
    )
    service, stop = app.state.service, threading.Event()
    worker = Worker(service.state, service.uploads, lambda: nullcontext(policies), service.clock)
    working = threading.Thread(target=worker.run, args=(stop,))
    working.start()
    try:
        with running(app) as at:
            yield at
    finally:
        stop.set()
        working.join()


@pytest.fixture(scope="module")
def browser():
    with chromium() as made:
        yield made


@pytest.fixture
def page(browser, address):
    with watched_page(browser, address, "staff") as made:
        yield made


def ask(page, question, outcome="answered"):
    """Asks by the keyboard; the answer as it is on the page."""
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")
    turn = page.locator("article.turn").filter(has=page.get_by_role("heading", name=question, exact=True)).first
    expect(turn.locator(f".answer.{outcome}")).to_be_visible()
    return turn


def test_an_answer_opens_in_each_format_at_the_quoted_words(page):
    page.goto("/")
    reader = page.get_by_role("dialog", name="Document")
    for question, words in QUESTIONS.values():
        turn = ask(page, question)
        expect(page.get_by_role("status").first).to_contain_text("Answer")
        turn.locator("a[data-reader]").first.click()
        mark = reader.locator("mark").filter(has_text=words)
        expect(mark).to_be_in_viewport()
        expect(reader.get_by_text("The words quoted are marked")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(reader).to_be_hidden()

    turn = ask(page, PASSWORDS)
    source = turn.locator("a[data-reader]").first
    source.focus()
    page.keyboard.press("Enter")
    expect(reader.locator(".pdf-mark").first).to_be_in_viewport()
    expect(reader.get_by_role("status")).to_have_text("The words quoted are marked, on page 1 of 3.")
    under = page.evaluate(_UNDER_MARKS)
    assert re.match(r"Passwords have at least 14 characters\.", under[0])
    assert under[-1].startswith("wrong attempts the account is locked for 30 minutes")
    reader.get_by_role("button", name="Show as text").click()
    expect(reader.locator("mark").first).to_contain_text("Passwords have at least 14 characters.")
    reader.get_by_role("button", name="Close").click()
    expect(source).to_be_focused()


def test_the_outcomes_can_be_told_apart_and_a_contradiction_is_told(page):
    page.goto("/")
    refused = ask(page, "What is the colour of the sky?", "refused")
    expect(refused.get_by_text("No answer", exact=True)).to_be_visible()
    expect(refused.get_by_text('No policy here mentions "colour" or "sky".')).to_be_visible()
    expect(ask(page, "How long is my probation period?", "refused")).to_contain_text("They may treat its matter")
    unsure = ask(page, "What do I get for working at night?", "uncertain")
    expect(unsure.get_by_text("It may not answer your question")).to_be_visible()
    against = ask(page, ABROAD).locator(".against")
    expect(against).to_contain_text(re.compile("Another policy says otherwise: (20 against 30|30 against 20)"))
    page.goto("/conflicts")
    expect(page.locator(".conflicts blockquote")).to_have_count(2)


def test_feedback_and_history_stay_after_the_page_is_left(page):
    page.goto("/")
    turn = ask(page, QUESTIONS["leave-policy.md"][0])
    turn.get_by_role("button", name="No", exact=True).click()
    expect(turn.get_by_text("Thank you.")).to_be_visible()
    expect(turn.get_by_role("button", name="No", exact=True)).to_be_focused()
    turn.get_by_label("Comment").fill("It is 28 in Leeds.")
    turn.get_by_role("button", name="Send the comment").click()
    expect(turn.locator("details")).not_to_have_attribute("open", "")
    page.reload()  # the address is that of the conversation by now
    expect(page.get_by_role("button", name="No", exact=True)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name="My questions").click()
    first = page.locator(".history > li").first
    expect(first).to_contain_text("did not help")
    first.get_by_role("link").click()
    page.locator(".rating summary").click()
    expect(page.get_by_label("Comment")).to_have_value("It is 28 in Leeds.")


def test_a_group_sees_what_is_its_own_and_others_do_not(browser, address):
    with watched_page(browser, address, "board") as page:
        page.goto("/")
        turn = ask(page, BOARD)
        expect(turn).to_contain_text("Rules of Procedure of the Management Board")
        conversation, place = page.url, turn.locator("a[data-reader]").first.get_attribute("href")
    with watched_page(browser, address, "staff") as page:
        page.goto("/documents")
        expect(page.get_by_text("Leave Policy")).to_be_visible()
        expect(page.get_by_text("Rules of Procedure")).to_have_count(0)
        page.get_by_label("Find by title").fill("travel")
        expect(page.locator("#policies > li:visible")).to_have_count(1)
        for hidden in (conversation, place, "/documents/view?doc=board-rules-of-procedure.txt"):
            assert page.request.get(hidden).status == 404


def test_an_administrator_takes_a_file_in_and_sees_what_was_asked(browser, address):
    note = {"name": "parking.md", "mimeType": "text/markdown", "buffer": b"# Parking\n\n## 1 Bicycles\n\nIn hall 2.\n"}
    with watched_page(browser, address, "admin") as page:
        page.goto("/administration")
        page.get_by_label("Files").set_input_files([note])
        page.get_by_label("Everybody").check()
        page.get_by_role("button", name="Take in").click()
        expect(page.locator(".jobs > li").first).to_contain_text("parking.md")
        expect(page.locator(".jobs > li").first).to_contain_text("Done")
        expect(page.get_by_text("1 new, 0 changed, 0 as before.")).to_be_visible()
        page.goto("/")
        ask(page, "What is the colour of the sky?", "refused")
        page.goto("/administration/questions?show=refused")
        expect(page.locator(".history > li").first).to_contain_text("What is the colour of the sky?")
        page.get_by_role("link", name="Unanswered").click()
        expect(page.locator(".history > li").filter(has_text="What is the colour of the sky?")).to_be_visible()
    with watched_page(browser, address, "staff") as page:
        page.goto("/documents/view?doc=uploads/parking.md")
        expect(page.get_by_text("In hall 2.")).to_be_visible()
        expect(page.get_by_role("link", name="Administration")).to_have_count(0)


def test_people_sign_in_with_their_organisation_and_out_again(browser, policies, tmp_path):
    port = free_port()
    at = f"http://127.0.0.1:{port}"
    with OidcIssuer() as issuer:
        issuer.claims["groups"] = ["board"]
        oidc = OidcOptions(issuer=issuer.url, client_id=CLIENT, client_secret=SECRET)
        app = create_app(policies, ServerOptions(state=tmp_path, port=port, public_url=at, oidc=oidc))
        with running(app, port), watched_page(browser, at, also=issuer.url) as page:
            page.goto("/documents")
            page.get_by_role("link", name="Sign in with your organisation").click()
            expect(page).to_have_url(f"{at}/documents")
            expect(page.get_by_text("Rules of Procedure of the Management Board")).to_be_visible()
            expect(page.get_by_role("banner")).to_contain_text("Ann Example")
            page.goto("/")
            page.get_by_label("Your question").fill(BOARD)
            page.context.clear_cookies()  # as when the session has ended
            page.keyboard.press("Enter")
            page.get_by_role("link", name="Sign in with your organisation").click()
            expect(page.get_by_label("Your question")).to_have_value(BOARD)
            page.keyboard.press("Enter")
            expect(page.locator(".answer.answered")).to_be_visible()
            expect(page.get_by_label("Your question")).to_have_value("")
            page.reload()
            expect(page.get_by_label("Your question")).to_have_value("")
            page.get_by_role("button", name="Sign out").click()
            expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_service_that_does_not_answer_is_told_and_takes_nothing_away(browser, address):
    with closing(browser.new_context(base_url=address)) as context:
        context.add_cookies([{"name": "who", "value": "staff", "url": address}])
        page = context.new_page()
        page.goto("/")
        turn = ask(page, PASSWORDS)
        silence = page.get_by_text("The service does not answer. Try again in a moment.")
        expect(silence).to_be_hidden()
        context.set_offline(True)
        turn.locator("a[data-reader]").first.click()
        expect(page.get_by_role("dialog", name="Document")).to_contain_text("The service does not answer.")
        page.keyboard.press("Escape")
        field = page.get_by_label("Your question")
        field.fill("Is there a canteen?")
        page.keyboard.press("Enter")
        expect(silence).to_be_visible()
        expect(field).to_have_value("Is there a canteen?")
        context.set_offline(False)
        begun = '<article class="turn"><h2>Is there a canteen?</h2><div class="answer live">Looking</div></article>'
        page.route("**/ask", lambda route: route.fulfill(content_type="text/event-stream", body=f"data: {begun}\n\n"))
        page.keyboard.press("Enter")
        expect(page.locator("article.turn").first).to_contain_text("The connection broke off. Ask again.")
        expect(silence).to_be_hidden()


def test_an_answer_on_paper_holds_all_that_it_quotes(page):
    page.goto("/")
    turn = ask(page, QUESTIONS["leave-policy.md"][0])
    quote = turn.locator("blockquote").first
    assert quote.evaluate("one => one.scrollHeight > one.clientHeight"), "on the screen it is cut"
    page.emulate_media(media="print")
    assert quote.evaluate("one => one.scrollHeight <= one.clientHeight")
    expect(page.get_by_label("Your question")).to_be_hidden()
    expect(turn.get_by_text("Did this help?")).to_be_hidden()


def test_without_scripts_everything_is_there(browser, address):
    with watched_page(browser, address, "staff", java_script_enabled=False) as page:
        page.goto("/")
        page.get_by_label("Your question").fill(PASSWORDS)
        page.get_by_role("button", name="Ask").click()
        expect(page.locator(".answer.answered")).to_be_visible()
        page.locator("a[data-reader]").first.click()
        expect(page.locator("mark").first).to_be_in_viewport()
        page.get_by_role("link", name="Back to the answer").click()
        page.get_by_role("button", name="Yes").click()
        expect(page.get_by_role("button", name="Yes")).to_have_attribute("aria-pressed", "true")


def test_axe_finds_nothing_serious(browser, address):
    """On a wide window in light colours, and on a narrow one in dark ones."""
    from axe_playwright_python.sync_playwright import Axe

    def look(viewport, colours):
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=colours)

    def check():
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        bad = [one for one in found if one["impact"] in {"serious", "critical"}]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in bad] == []
        wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not wide, f"{page.url} is wider than the window"

    def check_in_both():
        for one in LOOKS:
            look(*one)
            check()

    with watched_page(browser, address, "admin") as page:
        page.goto("/")
        check_in_both()
        ask(page, "What is the colour of the sky?", "refused")
        long = "https://intranet.example/" + "x" * 200
        page.get_by_label("Your question").fill(long)
        page.keyboard.press("Enter")
        asked = page.locator("article.turn").filter(has=page.get_by_role("heading", name=long, exact=True))
        asked.locator(".answer:not(.live)").wait_for()
        ask(page, ABROAD)
        ask(page, QUESTIONS["expenses-and-travel-policy.txt"][0])
        check_in_both()
        page.locator("a[data-reader]").first.click()
        page.locator("mark").first.wait_for()
        check_in_both()
        for one in LOOKS:
            look(*one)
            for path in PATHS:
                page.goto(path)
                if path.endswith(".pdf"):
                    page.locator(".pdf[data-ready]").wait_for()
                check()
