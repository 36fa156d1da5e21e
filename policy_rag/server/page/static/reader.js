// A PDF in the page, with the words of a quotation marked. Where they are not found, its text is shown instead.

import { findQuote, letters } from "./quotes.js";

const RESOLUTION = 2; // pixels of a canvas to one of the page, at most
const NEAR = "150%"; // pages are drawn before they are scrolled to

export async function showPdf(article, { pdfjs, worker, decoders }) {
  const lib = await import(pdfjs);
  lib.GlobalWorkerOptions.workerSrc = worker;
  const sheet = article.querySelector(".sheet");
  const said = article.querySelector("[data-said]");
  const box = document.createElement("div");
  box.className = "pdf";
  box.setAttribute("aria-label", "The document's pages");
  box.setAttribute("role", "region");
  let pdf;
  try {
    pdf = await lib.getDocument({ url: article.dataset.pdf, isEvalSupported: false, useWasm: false, wasmUrl: decoders }).promise;
  } catch {
    return; // the text is there
  }
  sheet.before(box);
  sheet.hidden = true;
  addSwitch(article, sheet, box);
  const pages = await placePages(pdf, box);
  const wanted = article.dataset.quote;
  const found = wanted ? await locate(pdf, wanted, Number(article.dataset.page)) : null;
  if (wanted && !found) {
    said.textContent = "The words quoted could not be found in the PDF as it is drawn. They are marked in its text.";
    said.classList.add("warn");
    article.querySelector("[data-switch]").click();
    article.querySelector("mark")?.scrollIntoView({ block: "center" });
    return;
  }
  drawWhenNear(lib, pdf, pages, found ?? new Map());
  if (found) {
    const first = Math.min(...found.keys());
    said.textContent = `The words quoted are marked, on page ${first + 1} of ${pdf.numPages}.`;
    const mark = await draw(lib, pdf, pages, first, found);
    mark?.scrollIntoView({ block: "center" });
  }
  box.dataset.ready = "";
}

function addSwitch(article, sheet, box) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.dataset.switch = "";
  button.textContent = "Show as text";
  button.addEventListener("click", () => {
    sheet.hidden = !sheet.hidden;
    box.hidden = !sheet.hidden;
    button.textContent = sheet.hidden ? "Show as text" : "Show the pages";
  });
  article.querySelector(".actions").prepend(button);
}

/** A place for each page, of its size, so that nothing moves when it is drawn. */
async function placePages(pdf, box) {
  const pages = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const { width, height } = (await pdf.getPage(number)).getViewport({ scale: 1 });
    const place = document.createElement("div");
    place.className = "pdf-page";
    place.style.setProperty("aspect-ratio", `${width} / ${height}`);
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", `Page ${number} of ${pdf.numPages}`);
    box.append(place);
    pages.push(place);
  }
  return pages;
}

/** Page number from 0 to the ranges of its text items that hold the quotation; null where it is not found. */
async function locate(pdf, quote, firstPage) {
  const items = [];
  const homes = [];
  let begins = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    if (number === firstPage) begins = items.length;
    const content = await (await pdf.getPage(number)).getTextContent();
    content.items.filter((item) => item.str !== undefined).forEach((item, i) => {
      items.push(item.str);
      homes.push([number - 1, i]);
    });
  }
  const { text, places } = letters(items);
  const from = Math.max(0, places.findIndex(([item]) => item >= begins));
  const ranges = findQuote(text, quote, from);
  if (!ranges) return null;
  const found = new Map();
  for (const [start, end] of ranges) {
    for (let at = start; at < end; ) {
      const [item, offset] = places[at];
      let last = at;
      while (last + 1 < end && places[last + 1][0] === item) last += 1;
      const [page, index] = homes[item];
      if (!found.has(page)) found.set(page, []);
      found.get(page).push({ index, start: offset, end: places[last][1] + 1 });
      at = last + 1;
    }
  }
  return found;
}

function drawWhenNear(lib, pdf, pages, found) {
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) draw(lib, pdf, pages, pages.indexOf(target), found);
      }
    },
    { rootMargin: NEAR },
  );
  pages.forEach((place) => watch.observe(place));
}

/** Draws a page once, with its text to be selected and read aloud; the first mark on it. */
function draw(lib, pdf, pages, index, found) {
  const place = pages[index];
  place.drawn ??= drawn(lib, pdf, place, index, found.get(index) ?? []);
  return place.drawn;
}

async function drawn(lib, pdf, place, index, marks) {
  const page = await pdf.getPage(index + 1);
  const plain = page.getViewport({ scale: 1 });
  const scale = place.clientWidth / plain.width;
  const viewport = page.getViewport({ scale });
  const density = Math.min(RESOLUTION, Math.max(1, window.devicePixelRatio));
  const canvas = document.createElement("canvas");
  canvas.width = Math.floor(viewport.width * density);
  canvas.height = Math.floor(viewport.height * density);
  canvas.setAttribute("aria-hidden", "true");
  const layer = document.createElement("div");
  layer.className = "pdf-text";
  place.style.setProperty("--total-scale-factor", String(scale));
  place.append(canvas, layer);
  const text = new lib.TextLayer({ textContentSource: await page.getTextContent(), container: layer, viewport });
  await text.render();
  const boxes = marks.flatMap((mark) => boxesOf(text.textDivs[mark.index], mark, place));
  boxes.forEach((box) => place.append(box));
  await page.render({ canvas, viewport: page.getViewport({ scale: scale * density }) }).promise;
  return boxes[0];
}

/** A box over each line of a run of characters, in shares of the page, so that it stays when the page is resized. */
function boxesOf(div, { start, end }, place) {
  const node = div.firstChild;
  if (!node) return [];
  const range = document.createRange();
  range.setStart(node, start);
  range.setEnd(node, Math.min(end, node.length));
  const home = place.getBoundingClientRect();
  return [...range.getClientRects()].map((rect) => {
    const box = document.createElement("div");
    box.className = "pdf-mark";
    box.style.setProperty("left", `${(100 * (rect.left - home.left)) / home.width}%`);
    box.style.setProperty("top", `${(100 * (rect.top - home.top)) / home.height}%`);
    box.style.setProperty("width", `${(100 * rect.width) / home.width}%`);
    box.style.setProperty("height", `${(100 * rect.height) / home.height}%`);
    return box;
  });
}
