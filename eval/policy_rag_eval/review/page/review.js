"use strict";
// One item at a time, a key a decision. All texts are put in as text, never as markup.

const BETWEEN = "\n---\n";
const KEYS = { a: "accept", e: "edit", d: "drop", r: "right", w: "wrong" };
const $ = (id) => document.getElementById(id);
const token = new URLSearchParams(location.hash.slice(1)).get("token") || "";
let state = { items: [], choices: [], decided: 0, total: 0 };
let at = 0;

async function call(path, body) {
  const options = { headers: { "X-Review-Token": token } };
  if (body) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const reply = await fetch(path, options);
  const said = await reply.json();
  if (!reply.ok) throw new Error(said.error || reply.statusText);
  return said;
}

function tell(text, bad) {
  $("status").textContent = text;
  $("status").className = bad ? "bad" : "good";
}

function put(parent, tag, text, attributes) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
  parent.append(made);
  return made;
}

function passage(parent, one) {
  put(parent, "h3", one.title);
  const box = put(parent, "p", "", { class: "passage", tabindex: "0" });
  const chars = Array.from(one.text); // places count characters, JavaScript's own count halves of some
  let from = 0;
  for (const [start, end] of one.marks) {
    if (start < from) continue;
    box.append(chars.slice(from, start).join(""));
    put(box, "mark", chars.slice(start, end).join(""));
    from = end;
  }
  box.append(chars.slice(from).join(""));
}

function listed() {
  const list = $("list");
  list.replaceChildren();
  state.items.forEach((item, place) => {
    const row = put(list, "li", "");
    const button = put(row, "button", item.question, { type: "button", "data-place": place });
    button.setAttribute("aria-current", String(place === at));
    put(button, "small", item.decision ? item.decision.decision : item.done ? "done before" : "open");
    button.addEventListener("click", () => go(place));
  });
}

function show() {
  const item = state.items[at];
  $("title").textContent = `Review: ${state.title}`;
  document.title = `Review: ${state.title}`;
  $("bar").max = Math.max(state.total, 1);
  $("bar").value = state.decided;
  $("count").textContent = `${state.decided} of ${state.total} decided`;
  const found = state.agreement;
  const alpha = found.alpha === null ? "not defined yet" : found.alpha.toFixed(2);
  $("agreement").textContent = found.reviewers.length < 2 ? ""
    : `${found.reviewers.length} reviewers, ${found.shared} items in common, Krippendorff's alpha ${alpha}`;
  listed();
  leave();
  if (!item) return tell("There is nothing to review.");
  $("meta").textContent = `${at + 1} of ${state.items.length}, ${item.kind}`;
  $("question").textContent = item.question;
  $("answer").textContent = item.answer;
  $("answer-part").hidden = !item.answer;
  $("passages").replaceChildren();
  for (const one of item.passages) passage($("passages"), one);
  const said = $("said");
  said.replaceChildren();
  for (const line of item.said) put(said, "li", line);
  for (const one of item.others) put(said, "li", `${one.by}: ${one.decision}${one.note ? ` (${one.note})` : ""}`);
  $("said-part").hidden = !said.children.length;
  $("note").value = item.decision ? item.decision.note : "";
  for (const button of $("choices").children) {
    const own = item.decision && item.decision.decision === button.dataset.choice;
    button.setAttribute("aria-pressed", String(Boolean(own)));
  }
  document.querySelector('#list [aria-current="true"]').scrollIntoView({ block: "nearest" });
}

function go(place) {
  at = Math.max(0, Math.min(place, state.items.length - 1));
  show();
  $("item").scrollTop = 0;
}

async function decide(decision, edited) {
  const item = state.items[at];
  if (!item) return;
  try {
    const said = await call("decisions", {
      item: item.item_id, by: $("reviewer").value, decision, note: decision ? $("note").value : "", edited,
    });
    Object.assign(state, said, { items: state.items });
    state.items[at] = said.item;
    const differ = said.item.others.some((one) => one.decision !== decision);
    tell(decision ? `${decision}${differ ? ", and another reviewer decided otherwise" : ""}` : "taken back", differ && decision);
    if (decision && at < state.items.length - 1) at += 1;
    show();
    $("item").focus({ preventScroll: true });
  } catch (error) {
    tell(error.message, true);
  }
}

function edit() {
  const item = state.items[at];
  const before = item.decision && item.decision.decision === "edit" ? item.decision.edited : {};
  $("edit-question").value = before.question ?? item.question;
  $("edit-quote").value = before.quote ?? item.quotes.join(BETWEEN);
  $("edit-answer").value = before.answer ?? item.answer.split("\n").filter(Boolean).join(BETWEEN);
  $("edit").hidden = false;
  $("edit-question").focus();
}

function leave() {
  $("edit").hidden = true;
}

function keep() {
  decide("edit", { question: $("edit-question").value, quote: $("edit-quote").value, answer: $("edit-answer").value });
}

function choose(choice) {
  if (!state.choices.includes(choice)) return;
  if (choice === "edit") edit(); else decide(choice);
}

async function load() {
  try {
    const by = $("reviewer").value;
    state = await call(by ? `items?by=${encodeURIComponent(by)}` : "items");
    $("reviewer").value = state.reviewer;
    $("reviewer").readOnly = !state.may_rename;
    $("choices").replaceChildren();
    for (const choice of state.choices) {
      const key = Object.keys(KEYS).find((one) => KEYS[one] === choice);
      const button = put($("choices"), "button", `${choice[0].toUpperCase()}${choice.slice(1)} `, { type: "button", "data-choice": choice });
      put(button, "kbd", key);
      button.addEventListener("click", () => choose(choice));
    }
    const open = state.items.findIndex((item) => !item.decision && !item.done);
    go(open < 0 ? 0 : open);
  } catch (error) {
    tell(error.message, true);
  }
}

async function write() {
  try {
    const { written } = await call("apply", {});
    const text = Object.entries(written).map(([name, count]) => `${count} ${name}`).join(", ");
    await load();
    tell(`Written back: ${text}`);
  } catch (error) {
    tell(error.message, true);
  }
}

document.addEventListener("keydown", (event) => {
  const typing = ["INPUT", "TEXTAREA"].includes(event.target.tagName);
  if (event.key === "Escape") { leave(); $("item").focus(); return; }
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !$("edit").hidden) { event.preventDefault(); keep(); return; }
  if (event.key === "Enter" && event.target.id === "note") { $("item").focus(); return; }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const moves = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
  if (event.key in moves) { event.preventDefault(); go(at + moves[event.key]); }
  else if (event.key in KEYS) { event.preventDefault(); choose(KEYS[event.key]); }
  else if (event.key === "u") { event.preventDefault(); decide(""); }
  else if (event.key === "n") { event.preventDefault(); $("note").focus(); }
});
$("edit").addEventListener("submit", (event) => { event.preventDefault(); keep(); });
$("cancel").addEventListener("click", () => { leave(); $("item").focus(); });
$("previous").addEventListener("click", () => go(at - 1));
$("next").addEventListener("click", () => go(at + 1));
$("undo").addEventListener("click", () => decide(""));
$("apply").addEventListener("click", write);
$("reviewer").addEventListener("change", load);
load();
