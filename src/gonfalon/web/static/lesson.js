// A lesson without loading whole pages: its links and its form work alone; this shows each step in place, lets cards that moved
// glide, and goes on by itself where only something happens.
import { ask } from "./ask.js";
import { glide } from "./glide.js";
import { morph } from "./morph.js";
import { refuse } from "./refusal.js";
import { pace } from "./stage.js";

const $ = (id) => document.getElementById(id);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const PLACES = ".place, .zone, .space, .slot, li";                        // where the tag of a refusal stands
const LOOK = 1300, MOMENT = 3500;                                         // milliseconds: beside the pace that one likes; for a moment without a time
const AGAIN = 500;                                                        // a tap so soon after a step has come was meant for the one before
let due = 0, loading = false, came = -AGAIN;

async function load(url, keep = true) {
  if (loading) return;
  loading = true;
  clearTimeout(due);
  try {
    const { answer, text } = await ask(url);
    if (!answer.ok) throw new Error(answer.status);
    await show(text);
    if (keep) history.pushState(null, "", url);
  } catch {
    location.href = url;
  } finally {
    loading = false;
  }
}

async function show(html) {
  const page = new DOMParser().parseFromString(html, "text/html"), part = (id) => page.getElementById(id).outerHTML;
  $("act")?.reset();
  await glide(part("table"), () => {
    for (const id of ["lesson-dots", "lesson", "table"]) morph($(id), part(id));
    document.dispatchEvent(new Event("board"));
  });
  came = performance.now();
  if ($("table").dataset.moment) document.dispatchEvent(new Event("moment"));
  ($("lesson-next") ?? $("status")).focus({ preventScroll: true });
  settle();
}

// What others do plays by itself; whoever wants nothing to move goes on by hand.
function settle() {
  clearTimeout(due);
  if (!("auto" in $("lesson").dataset) || !$("lesson-next") || calm.matches) return;
  const moment = "moment" in $("table").dataset, seconds = Number($("table").dataset.seconds ?? 0);
  due = setTimeout(() => { if (document.querySelector(":popover-open, dialog[open], details.menu[open]")) settle(); else load($("lesson-next").href); },
    moment ? 1000 * seconds || MOMENT : LOOK + pace());
}

addEventListener("submit", async (e) => {
  if (!e.target.matches("#act, [data-act]")) return;
  e.preventDefault();
  if (loading) return;
  const body = new URLSearchParams(new FormData(e.target, e.submitter));
  try {
    const { answer, text } = await ask(e.target.action, { method: "POST", body });
    if (answer.ok) return load(new URL(answer.headers.get("location"), location.href).href);
    const page = new DOMParser().parseFromString(text, "text/html"), header = (name) => decodeURIComponent(answer.headers.get(name) ?? "");
    const at = e.submitter?.closest(PLACES);
    putBack();
    // The answer of a puzzle shows the reader's own move as well.
    for (const [id, name] of [["lesson-answer", "href"], ["act", "action"]]) { const now = page.getElementById(id)?.getAttribute(name); if (now) $(id)?.setAttribute(name, now); }
    refuse((page.getElementById("refusal") ?? page.body).textContent.trim().slice(0, 400), { tag: header("X-Tag"), rule: header("X-Rule"), at });
  } catch {
    refuse("No connection: nothing was sent. Try again.");
  }
});
// After a wrong answer nothing stays lifted, as a phone has no key to put it back. The focus stays where something can be done.
function putBack() {
  const card = document.querySelector("#hand :checked, .lift:checked"), held = document.activeElement;
  for (const form of document.querySelectorAll("#act, [data-act]")) form.reset();
  if (!held.checkVisibility()) (card ?? $("status")).focus({ preventScroll: true });
}

addEventListener("click", (e) => {
  const link = e.target.closest("#lesson-next, #lesson-back, #lesson-why, #lesson-answer");
  if (!link || e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
  e.preventDefault();
  if (link.id !== "lesson-next" || !e.detail || performance.now() - came >= AGAIN) load(link.href);
});
addEventListener("change", () => refuse(""));
addEventListener("popstate", () => load(location.href, false));
addEventListener("keydown", (e) => {
  const way = { c: "#lesson-next, #lesson-end", w: "#lesson-why" }[e.key];
  if (!way || e.ctrlKey || e.altKey || e.metaKey || e.target.closest("dialog[open]") || e.target.matches("select, textarea, input:not([type=radio], [type=checkbox])")) return;
  document.querySelector(way)?.click();
});

document.documentElement.classList.add("js");
settle();
