// The keyboard. Native controls do most of it; this adds shortcuts and never takes a key from a text field.
import { dismiss } from "./refusal.js";
import { session } from "./stage.js";

const $ = (id) => document.getElementById(id);
const all = (selector) => [...document.querySelectorAll(selector)].filter((el) => !el.disabled && el.checkVisibility());

function veil(on = !document.body.classList.contains("veiled")) {
  document.body.classList.toggle("veiled", on);
  document.querySelector('[data-do="veil"]')?.setAttribute("aria-pressed", on);
  session.set("veiled", on ? "1" : "");
}

function help() {
  const open = $("help");
  if (open.open) open.close(); else open.showModal();
}

const places = () => all(".here, .strike, .commit");

// Enter on a card goes on to the locations, the first that takes it.
function onward(card) {
  const may = card.dataset.places?.split(" ") ?? [];
  const target = "announce" in card.dataset ? document.querySelector("#announce button") : places().find((el) => may.includes(el.value.slice(1))) ?? places()[0];
  if (!target) return false;
  if (!card.checked) card.click();
  target.focus();
  return true;
}

function digit(n) {
  const focus = document.activeElement;
  const here = places(), fan = [...document.querySelectorAll(".fan > .slot")];
  if (!fan.length && here.includes(focus) && document.querySelector("#hand input:checked")) {       // on the way to a location a digit is its number
    const to = here.find((el) => el.value === `@${n}`);
    to?.focus();
    return Boolean(to);
  }
  const hinted = all("kbd").find((el) => el.textContent === `${n}` && el.closest("button, summary"))?.closest("button, summary");
  const answers = all("#choices button, button.answer, .pickf input");
  const held = fan[(n || 10) - 1];                                                  // in a fan a digit is a place, whatever can be played
  const card = held && [".pays input", ".spend", ".lift", ".info"].flatMap(all).find((el) => held.contains(el));
  const nth = hinted ?? (fan.length ? card : (answers.length ? answers : all("#hand input"))[n - 1]);
  if (!nth) return false;
  nth.focus();
  if (nth.type === "radio") nth.checked || nth.click(); else if (nth.type === "checkbox") nth.click();
  return true;
}

function step(by) {
  const here = places(), at = here.indexOf(document.activeElement);
  if (at < 0) return false;
  here[(at + by + here.length) % here.length].focus();
  return true;
}

// The hint that the server has drawn. Closed, it stays closed for this question.
let closed;
const asked = () => $("act")?.elements.expected?.value ?? "", hinting = () => Boolean(document.querySelector(".hinting"));
function hint(on) {
  const had = hinting();
  if (!$("hint-box") || hinting() === on) return false;
  closed = on ? null : asked();
  $("prompt").classList.toggle("hinting", on);
  return true;
}
document.addEventListener("board", () => { if (closed === asked()) hint(false); });
document.addEventListener("click", (e) => {
  if (e.target.closest('[data-do="unhint"]')) hint(false);
  else if (e.target.closest("#hint") && hint(true)) e.preventDefault();
});

// A lifted card goes back into the hand.
export function putDown() {
  const card = document.querySelector('#hand input[type="radio"]:checked, .lift:checked');
  if (!card || document.querySelector(":popover-open, details.menu[open], details.answers[open], details.confirm[open]")) return false;
  if (card.matches(".lift")) card.form.reset();
  card.checked = false;
  card.dispatchEvent(new Event("change", { bubbles: true }));
  card.focus();
  return true;
}

function focus(...ids) {
  const el = ids.map($).find((found) => found && !found.disabled && found.checkVisibility());
  el?.focus();
  return Boolean(el);
}

const keys = {
  p: () => focus("pass", "done"),
  e: () => {                                                               // asks, and once more where it would lose; then it ends
    const again = document.querySelector("#end-confirm[open] button") ?? (document.activeElement === $("done") ? $("done") : null);
    again?.click();
    document.querySelector("#end-confirm[open] button")?.focus();
    return Boolean(again) || Boolean($("done")?.classList.contains("end")) && focus("done");
  },
  u: () => { const back = $("back"); back?.click(); return Boolean(back) || focus("ask-back"); },
  s: () => focus("status"),
  l: () => { if ($("log-drawer")) $("log-drawer").open = true; return focus("log"); },
  h: () => { putDown(); const ask = $("hint"); if (!hint(true) && !hinting()) ask?.click(); return Boolean(ask); },
  w: () => { const why = $("why"); if (!why || !hinting()) return false; why.open = !why.open; return focus("why") || true; },
  v: () => { veil(); return true; },
  t: () => {
    const first = document.querySelector("#emotes button");
    if (!first) return false;
    first.closest("details").open = true;
    first.focus();
    return true;
  },
  m: () => { document.querySelector('[name="sound"]')?.click(); return true; },
  Escape: () => { dismiss(); return hint(false) || putDown(); },                  // what was refused is not in the way of anything
  "?": () => { help(); return true; },
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
};

addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey || e.defaultPrevented) return;
  const at = e.target;
  if (at.closest("dialog[open]") || at.matches("select, textarea, input:not([type=radio], [type=checkbox])")) return;
  let done = false;
  if (e.key === "Enter" && hinting() && !at.closest("a, button, summary, label, input")) { $("play-hint").click(); done = true; }
  else if (e.key === "Enter" && at.matches('#hand input[type="radio"], .lift')) done = onward(at);
  else if (e.key === "Enter" && at.matches(".pickf input")) { $("done").click(); done = true; }
  else if (e.key === "Enter" && at.matches('#hand input[type="checkbox"]')) { at.click(); done = true; }
  else if (/^[0-9]$/.test(e.key)) done = digit(Number(e.key));
  else done = Boolean(keys[e.key]?.());
  if (done) e.preventDefault();
});

document.addEventListener("click", (e) => {
  const what = e.target.closest("[data-do]")?.dataset.do;
  if (what === "veil") veil();
  if (what === "help") help();
});

if (session.get("veiled")) veil(true);
