"""Asking in a browser: by a form alone, as a stream, what is one's own and what is nobody else's."""

import html
import re

import pytest

CONVERSATION = "c" * 32
PASSWORDS = "How many characters do passwords have at least?"
STREAM = {"accept": "text/html, text/event-stream", "hx-request": "true"}


def ask(client, question=PASSWORDS, conversation=CONVERSATION, **fields):
    return client.post("/ask", data={"question": question, "conversation": conversation, **fields})


def events(got) -> list[str]:
    """The data of each event."""
    blocks = [block for block in got.text.split("\n\n") if block and not block.startswith(":")]
    return ["\n".join(line.removeprefix("data: ") for line in block.split("\n")) for block in blocks]


def question_id(page: str) -> str:
    return re.search(r'name="question_id" value="(\w+)"', page)[1]


@pytest.fixture
def page(client) -> str:
    """The conversation after one question, asked without a script."""
    got = ask(client)
    assert got.status_code == 200
    assert got.url.path == f"/conversations/{CONVERSATION}"
    return got.text


def test_without_a_script_the_answer_is_a_page(page):
    assert PASSWORDS in page
    assert "Passwords have at least 14 characters." in page
    assert "Information Security Policy" in page
    assert "in force since 1 February 2026" in page
    assert re.search(r"(Very likely|Likely|May be) right", page), "how likely it is, whatever is made of the figure"
    assert '<div class="answer answered">' in page


def test_a_citation_opens_its_document_at_the_words(client, page):
    url = re.search(r'href="(/answers/\w+/1)#quote"', page)[1]
    document = client.get(url).text
    assert "Passwords have at least 14 characters." in " ".join(re.findall(r"<mark[^>]*>(.*?)</mark>", document))
    assert 'data-page="1"' in document
    assert f"/conversations/{CONVERSATION}#turn-" in document


def test_an_answer_comes_as_it_is_written(client):
    got = client.post("/ask", data={"question": PASSWORDS, "conversation": CONVERSATION}, headers=STREAM)
    assert got.headers["content-type"].startswith("text/event-stream")
    first, *between, last = events(got)
    place = re.search(r'<article class="turn" id="([\w-]+)"', first)[1]
    assert PASSWORDS in first
    assert any(f'hx-target="#{place}-text"' in one and "14 characters" in one for one in between)
    assert f'hx-target="#{place}" hx-swap="outerHTML"' in last
    assert '<div class="answer answered">' in last
    assert 'role="status"' not in last


def test_what_is_asked_acts_on_nothing(client):
    question = "<script>alert(1)</script> & leave\u202e?"
    got = client.post("/ask", data={"question": question, "conversation": CONVERSATION}, headers=STREAM)
    for shown in (got.text, client.get(f"/conversations/{CONVERSATION}").text, client.get("/questions").text):
        assert "<script>alert" not in shown
        assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; leave" in shown
        assert "\u202e" not in shown


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"question": "   "}, "question"),
        ({"question": "leave", "as_of": "soon"}, "write it as 2026-01-31"),
        ({"question": "leave", "conversation": "../x"}, "Conversation: String should match"),
        ({"question": "a" * 100_000}, "question"),
    ],
)
def test_what_cannot_be_asked_is_said_in_a_page(client, fields, said):
    for headers in ({}, STREAM):
        got = client.post("/ask", data={"conversation": CONVERSATION, **fields}, headers=headers)
        assert got.status_code == 400
        assert got.headers["content-type"].startswith("text/html")
        assert said in got.text
    assert client.get(f"/conversations/{CONVERSATION}").status_code == 404  # nothing was asked


def test_the_rules_of_a_day_are_asked_for(client):
    asked = "What is the daily allowance in Germany?"
    page = ask(client, asked, as_of="2024-06-01").text
    assert "by the rules of 1 June 2024" in page
    assert "version 3.2" in page
    assert "version 4.0" not in page


def test_a_refusal_says_so_and_names_what_is_near(client):
    page = ask(client, "Combien de jours de vacances ai-je par an ?").text
    assert '<div class="answer refused">' in page
    assert "No answer" in page
    assert "posez-la en " in page
    assert "confidence" not in page


def test_a_contradiction_is_told(changeable, tmp_path, as_caller):
    words = "Employees may work from another country of the EU for up to {} working days in a calendar year."
    for name, days in (("abroad", 20), ("note", 30)):
        (tmp_path / f"{name}.md").write_text(f"# {name.title()}\n\n## 1 Days\n\n{words.format(days)}\n")
    changeable.ingest([tmp_path / "abroad.md", tmp_path / "note.md"])
    page = ask(as_caller(), "For how many working days may I work from another country of the EU?").text
    assert "Another policy says otherwise: " in page
    assert page.count('class="against"') == 1
    assert page.count("Another policy says otherwise") == 1


def test_nobody_sees_what_another_asked(page, client, as_caller):
    other = as_caller("hr", name="another", admin=True)
    own = question_id(page)
    for path in (f"/conversations/{CONVERSATION}", f"/answers/{own}/1"):
        assert client.get(path).status_code == 200
        hidden, missing = other.get(path), other.get(path.replace(own, "0" * 32).replace("c" * 32, "d" * 32))
        assert hidden.status_code == missing.status_code == 404
        assert hidden.text == missing.text
    assert PASSWORDS not in other.get("/questions").text
    assert other.post("/feedback", data={"question_id": own, "helpful": "true"}).status_code == 404


def test_questions_are_listed_latest_first(client):
    ask(client)
    ask(client, "How many days of leave are there?")
    listed = re.findall(r'<a href="/conversations/\w+#turn-\w+">(.*?)</a>', client.get("/questions").text)
    assert [html.unescape(one) for one in listed] == ["How many days of leave are there?", PASSWORDS]


def test_an_answer_is_withheld_from_who_may_no_longer_read_it(as_caller):
    asked = "When does the Management Board meet?"
    member = as_caller("board")
    page = ask(member, asked).text
    url = re.search(r'href="(/answers/\w+/\d+)#quote"', page)[1]
    assert "Rules of Procedure of the Management Board" in page
    assert member.get(url).status_code == 200
    left = as_caller()
    page = left.get(f"/conversations/{CONVERSATION}").text
    assert asked in page
    assert "may no longer read" in page
    assert "Rules of Procedure" not in page
    assert left.get(url).status_code == 404


def test_words_that_moved_are_found_again_and_words_that_went_are_not(changeable, tmp_path, as_caller):
    client, file = as_caller(), tmp_path / "policies" / "leave-policy.md"
    page = ask(client, "How many working days of annual leave do full-time employees have?").text
    url = re.search(r'href="(/answers/\w+/1)#quote"', page)[1]
    text = file.read_text()
    assert "The words quoted are marked" in client.get(url).text

    file.write_text(text.replace("## 1 Annual leave", "## 1 Annual leave\n\nA word before.\n"))
    changeable.ingest([file.parent])
    moved = client.get(url).text
    assert "was changed since this was quoted" in moved
    assert "30 working days" in " ".join(re.findall(r"<mark[^>]*>(.*?)</mark>", moved))

    start = text.index("Full-time employees have")
    file.write_text(text[:start] + "There is leave.\n" + text[text.index("\n\n", start) :])
    changeable.ingest([file.parent])
    gone = client.get(url).text
    assert "not here any more" in gone
    assert "<mark" not in gone


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_feedback_is_kept_and_thanked_for(client, page, monkeypatch):
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "sqlite:////nowhere/mlflow.db")  # the service has it all the same
    own = question_id(page)
    part = client.post("/feedback", data={"question_id": own, "helpful": "false"}, headers={"hx-request": "true"})
    assert "Thank you." in part.text
    assert "<html" not in part.text
    assert re.search(r'value="false" aria-pressed="true"', part.text)
    got = client.post("/feedback", data={"question_id": own, "helpful": "false", "comment": " Too short <b> "})
    assert got.url.path == f"/conversations/{CONVERSATION}"
    assert "Too short &lt;b&gt;</textarea>" in got.text
    assert "did not help" in client.get("/questions").text


def test_the_field_says_how_many_documents_may_be_read(client, as_caller):
    assert "7 documents" not in client.get("/").text
    assert "6 documents" in client.get("/").text
    assert "7 documents" in as_caller("board").get("/").text
