// Finding a quotation in the text of a PDF, whose lines, hyphens and blanks are not those of the text that was indexed.

const SEED = 16; // letters that must agree before the rest is compared
const ENOUGH = 0.5; // of a quotation's letters

/** Letters and digits alone, in one case: each with its place, as [item, offset]. */
export function letters(items) {
  let text = "";
  const places = [];
  items.forEach((item, i) => {
    for (let at = 0; at < item.length; ) {
      const char = String.fromCodePoint(item.codePointAt(at));
      for (const one of char.normalize("NFKC").toLowerCase()) {
        if (/[\p{L}\p{N}]/u.test(one)) {
          text += one;
          for (let unit = 0; unit < one.length; unit++) places.push([i, at]);
        }
      }
      at += char.length;
    }
  });
  return { text, places };
}

/**
 * Where a quotation stands: ranges of `text`, or null where less than half of it is there.
 * What stands between its lines, such as the foot of a page, may part it.
 */
export function findQuote(text, quote, from = 0) {
  const wanted = letters([quote]).text;
  if (!wanted) return null;
  const whole = text.indexOf(wanted, from);
  if (whole >= 0) return [[whole, whole + wanted.length]];
  const ranges = [];
  let found = 0;
  let at = from;
  for (let i = 0; i + SEED <= wanted.length; ) {
    const start = text.indexOf(wanted.slice(i, i + SEED), at);
    if (start < 0) {
      i += 1;
      continue;
    }
    let length = SEED;
    while (i + length < wanted.length && text[start + length] === wanted[i + length]) length += 1;
    ranges.push([start, start + length]);
    found += length;
    at = start + length;
    i += length;
  }
  if (found >= ENOUGH * wanted.length) return ranges;
  return from > 0 ? findQuote(text, quote, 0) : null;
}
