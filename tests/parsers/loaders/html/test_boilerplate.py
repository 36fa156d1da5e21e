"""HTML: what belongs to the site is left out, what belongs to the document stays."""

import pytest

from policy_rag_parsers.loaders.html.document import load_html

BODY = "<h2 id=a>Scope</h2><p>For all.</p><h2 id=b>Hours</h2><p>Eight a day.</p>"
TEXT = "Scope\n\nFor all.\n\nHours\n\nEight a day.\n"
LINKS = "<ul><li><a href='#a'>Scope</a></li><li><a href='#b'>Hours</a><ul><li><a href='#c'>Days</a></ul></li></ul>"


def read(body: str) -> str:
    return load_html(f"<html><body>{body}</body></html>".encode()).text


@pytest.mark.parametrize(
    "site",
    [
        "<div id=header><div id=breadcrumb-section><ol id=breadcrumbs><li><a href=i.html>HR</a><li>Rules</ol></div></div>",
        "<div aria-label=Breadcrumb><a href=/>Home</a> / Rules</div>",
        "<div role=navigation><p>Menu</p></div>",
        "<div role=search>Find a page</div>",
        f"<div class='toc-macro rbtoc1'><style>li{{color:red}}</style>{LINKS}</div>",
        f"<div id=toc class=toc><h2>Contents</h2>{LINKS}</div>",
        LINKS,
        LINKS.replace("<ul>", "<ul><li><style>li{color:red}</style></li>", 1),
        f"<h2>Contents</h2>{LINKS}",
        f"<p><b>On this page:</b></p><div>{LINKS}</div>",
        "<p>Inhaltsverzeichnis</p><p class=MsoToc1><a href='#_Toc1'>1 Scope<span>.... 3</span></a></p>",
        "<div class=page-metadata>Created by J. Pike, last changed on May 04</div>",
        "<div id=siteSub>From the wiki</div><div class=catlinks>Categories: HR</div>",
        "<div role=contentinfo>Imprint, contact</div>",
        "<a class=skip href='#content'>Skip to main content</a>",
        "<div id=kopf><div id=oben><a href=x>Startseite</a></div></div>",
        "<div id=fusszeile><a href=x>zum Seitenanfang</a><a href=d>Datenschutz</a></div>",
        "<p><a href='#top'>Back to top</a> <a role=doc-backlink href='#r'>1</a></p>",
        "<div class='pageSection group'><h2 id=attachments class=pageSectionTitle>Attachments:</h2><p>form.docx</p></div>",
        "<div class=pageSection><div><h2 id=comments>Comments:</h2></div><table><tr><td>No!<td>Yes</table></div>",
        "<div class=pageSection><h2 id=comments-section-title>2 Comments</h2><ol><li>Why not?</ol></div>",
        "<div id=comments><h2>2 Comments</h2><div class=comment><p>Ann: may we stay longer?</p></div></div>",
        "<section id=comments class='comments-area'><h2>One comment</h2><ol><li>Ben: no.</ol></section>",
        "<ol class='comment-list'><li><article>Ann: may we stay longer?</article></ol>",
        "<div class=sidebar><h3>Navigation</h3><ul><li>Main page</li><li>Recent changes</li></ul></div>",
        "<div id=left-nav class=col><h3>Rules</h3><ul><li><a href=h>Hours</a><li><a href=p>Pay</a></ul></div>",
    ],
)
def test_what_belongs_to_the_site_is_left_out(site: str) -> None:
    assert read(site + BODY) == TEXT
    assert read(BODY + site) == TEXT


@pytest.mark.parametrize(
    ("kept", "text"),
    [
        ("<div class=footer>Version 2, approved by the Board</div>", "Version 2, approved by the Board"),
        ("<div class=page-metadata><table><tr><td>Unit<td>HR</table></div>", "Unit | HR"),
        ("<div id=footer><h2>Contacts</h2><p>Ask HR.</p></div>", "Contacts\n\nAsk HR."),
        (
            f"<div class=footer>{'Whoever breaks this rule is told so. ' * 20}</div>",
            "Whoever breaks this rule is told so",
        ),
        ("<div role=banner><h1>Leave</h1></div>", "Leave"),
        ("<div id=kopf><a href=x>Form RK 7</a> is due in May.</div>", "Form RK 7 is due in May."),
        ("<div class=toc><p>The table of costs</p><a href='#a'>1</a></div>", "The table of costs"),
        ("<ul><li>see <a href='#a'>Scope</a></li><li><a href='#b'>Hours</a></li></ul>", "• see Scope\n• Hours"),
        ("<ul><li><a href='https://tax.example'>Tax</a></li><li><a href='#b'>Hours</a></li></ul>", "• Tax\n• Hours"),
        ("<p>see</p><ul><li><a href='#a'>Scope</a></li></ul>", "• Scope"),
        (
            "<ul><li>First<ul><li><a href='#a'>A</a></li><li><a href='#b'>B</a></li></ul></li></ul>",
            "• First\n   • A\n   • B",
        ),
        ("<h2>Contents</h2><p>Our cover of the contents of your desk.</p>", "Contents\n\nOur cover"),
        ("<div class=toc-enabled><p>Text.</p></div>", "Text."),
        (
            "<div class=sidebar><h3>Night work</h3><p>Ask the chief first.</p></div>",
            "Night work\n\nAsk the chief first.",
        ),
        ("<div class=sidebar><p>Version 2, approved by the Board</p></div>", "Version 2, approved by the Board"),
        ("<div class=sidebar><table><tr><td>Unit<td>HR</table></div>", "Unit | HR"),
        ("<div class='has-sidebar content-sidebar-wrap'><h3>Pay</h3><p>In May</p></div>", "Pay\n\nIn May"),
        ("<div class='sidebar nav'><h1>Leave</h1></div>", "Leave"),
        ("<div><h2 id=comments>Comments</h2><p>Send them to HR.</p></div>", "Comments\n\nSend them to HR."),
        ("<section id=comments><h2>Comments</h2><p>Send them to HR.</p></section>", "Comments\n\nSend them to HR."),
        ("<div class=section id=comments><h2>Comments</h2><p>Ask HR.</p></div>", "Comments\n\nAsk HR."),
        ("<section id=navigation><h2>Navigation</h2><p>By chart only</p></section>", "Navigation\n\nBy chart only"),
        ("<table><tr><td>A<td class=comments>None</table>", "A | None"),
        ("<div id=comments-and-complaints><h2>Comments and complaints</h2><p>Ask HR.</p></div>", "Ask HR."),
    ],
)
def test_what_belongs_to_the_document_stays(kept: str, text: str) -> None:
    assert text in read(BODY + kept)


@pytest.mark.parametrize("marks", ["class=footer", "class=toc", "id=breadcrumbs", "role=navigation"])
@pytest.mark.parametrize("part", ["body", "main", "article"])
def test_a_page_that_is_marked_as_a_whole_stays(part: str, marks: str) -> None:
    page = f"<{part} {marks}><p><a href='#b'>The hours of work</a> bind all.</p></{part}>"
    assert load_html(f"<html>{page}</html>".encode()).text == "The hours of work bind all.\n"


def test_an_edit_link_is_no_part_of_a_heading() -> None:
    assert read("<h2>Scope<span class=mw-editsection>[<a href=e>edit</a>]</span></h2><p>For all.</p>") == (
        "Scope\n\nFor all.\n"
    )


def test_the_text_behind_what_is_left_out_stays() -> None:
    assert read(f"<div>Before {LINKS} after</div>") == "Before\n\nafter\n"
