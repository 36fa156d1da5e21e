// What the pages do beyond links and forms. Without it everything is there all the same, a page at a time.

const body = document.body;
const reader = document.getElementById("reader");
const content = document.getElementById("reader-content");

/** Draws the PDFs in a part of the page, and scrolls to what is marked in it. */
function prepare(root) {
  const article = root.querySelector("article[data-pdf]");
  if (article) {
    const { readerScript, pdfjs, worker, decoders } = body.dataset;
    import(readerScript).then(({ showPdf }) => showPdf(article, { pdfjs, worker, decoders }));
  } else {
    root.querySelector("#quote")?.scrollIntoView({ block: "center" });
  }
}

async function openReader(link) {
  document.getElementById("reader-page").href = link.href;
  content.replaceChildren();
  reader.showModal();
  await window.htmx.ajax("GET", link.href, { target: content, swap: "innerHTML" });
  prepare(content);
  content.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-reader]");
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (link && plain && window.htmx) {
    event.preventDefault();
    openReader(link);
  }
  const toMark = event.target.closest("[data-to-mark]");
  if (toMark) {
    event.preventDefault();
    toMark.closest("article").querySelector(".pdf-mark, #quote")?.scrollIntoView({ block: "center" });
  }
  if (event.target.closest("[data-close]") || event.target === reader) reader.close();
});

reader.addEventListener("close", () => content.replaceChildren());

// Words typed into a field leave of a list what has all of them.
document.addEventListener("input", (event) => {
  const list = event.target.dataset.filter;
  if (!list) return;
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  let seen = 0;
  for (const item of document.querySelectorAll(list)) {
    const name = item.dataset.name.toLowerCase();
    item.hidden = !words.every((word) => name.includes(word));
    seen += item.hidden ? 0 : 1;
  }
  document.querySelector("[data-nothing]").hidden = seen > 0;
});

// A service that cannot be reached says nothing itself.
const unreached = document.getElementById("unreached");
document.addEventListener("htmx:error", () => {
  (reader.open ? content : document.getElementById("main")).prepend(unreached);
  unreached.hidden = false;
});
document.addEventListener("htmx:before:request", () => {
  unreached.hidden = true;
});

// Lists that come by themselves say when they are there.
document.addEventListener("htmx:after:swap", (event) => {
  event.target.closest?.("[aria-busy]")?.removeAttribute("aria-busy");
});

prepare(document);

// A question is sent by Enter; Shift and Enter begin a new line.
const asking = document.querySelector("form[data-ask]");
if (asking) {
  const field = asking.elements.question;
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (field.value.trim()) asking.requestSubmit();
  });
  // Where the session has ended the way leads through the sign-in: the question waits for whoever comes back.
  field.value ||= sessionStorage.getItem("question") ?? "";
  sessionStorage.removeItem("question");
  asking.addEventListener("submit", () => sessionStorage.setItem("question", field.value));
  asking.addEventListener("htmx:sse:after:connection", () => {
    field.value = "";
    sessionStorage.removeItem("question");
    asking.closest(".asking").classList.add("begun");
  });
  // What was asked last is read from its beginning, whatever comes of it.
  asking.addEventListener("htmx:sse:after:message", () => {
    document.querySelector("#turns > :first-child")?.scrollIntoView({ block: "nearest" });
  });
  asking.addEventListener("htmx:sse:close", () => {
    const unanswered = document.querySelector("#turns .answer.live");
    if (unanswered) unanswered.replaceWith(document.getElementById("broken-off").content.cloneNode(true));
    else history.replaceState(null, "", asking.dataset.place);
  });
}

// The number of a source leads to it, and tells it to those who do not see.
document.addEventListener("click", (event) => {
  const mark = event.target.closest("a.ref");
  if (!mark) return;
  event.preventDefault();
  const source = document.querySelector(mark.getAttribute("href"));
  source?.focus({ preventScroll: true });
  source?.scrollIntoView({ block: "nearest" });
});

// Files that are too large together are said to be so before they are sent.
const uploading = document.querySelector("form[data-upload]");
uploading?.elements.files.addEventListener("change", ({ target }) => {
  const size = [...target.files].reduce((sum, file) => sum + file.size, 0);
  const most = Number(uploading.dataset.upload);
  target.setCustomValidity(size > most * 1024 * 1024 ? `Choose less at once: at most ${most} MB.` : "");
  target.reportValidity();
});
