// The deck builder. Every change is a form or a link; here it is sent by fetch, the page that comes back is morphed in, and
// the address follows. A deck that lies on the shelf of this device is kept there with every change. Without this script the
// same forms load the same pages.
import "./copy.js";
import { shelve as offer } from "./bring.js";
import { refuseSize, takeDrops } from "./drop.js";
import { morph } from "./morph.js";
import { drop, keep, newId } from "./shelf.js";

const $ = (id) => document.getElementById(id);
const REST = 250;                                                        // milliseconds after the last key of a search

function focus(held, fallback) {
  if (held.isConnected && !held.disabled && document.activeElement === held) return;
  const there = held.id && $(held.id);
  const target = there && !there.disabled ? there : $(fallback);
  target?.focus();
}

// ---- the shelf ----
let touched = false;
function shelve() {
  const { game, kept, d, name } = $("builder").dataset;
  const button = $("keep");
  button.setAttribute("aria-pressed", String(Boolean(kept)));
  button.textContent = kept ? "In my decks" : "Keep in my decks";
  if (!kept || !(d || touched)) return;
  if (!keep(game, { id: kept, d, name })) $("error").textContent = "This browser keeps nothing for us: there is no room, or it was told not to.";
}
function mark(kept) {
  $("builder").dataset.kept = kept;
  for (const field of document.querySelectorAll("input[name=kept]")) field.value = kept;
  for (const way of document.querySelectorAll("a[data-builder]")) {
    const to = new URL(way.href);
    if (kept) to.searchParams.set("kept", kept); else to.searchParams.delete("kept");
    way.href = to;
  }
  const here = new URL(location.href);
  if (kept) here.searchParams.set("kept", kept); else here.searchParams.delete("kept");
  history.replaceState(null, "", here);
}
document.addEventListener("click", (e) => {
  if (!e.target.closest("#keep")) return;
  const { game, kept } = $("builder").dataset;
  if (kept) drop(game, kept); else touched = true;
  mark(kept ? "" : newId());
  shelve();
});

// ---- changes ----
async function send(url, body, held, typed) {
  try {
    const answer = await fetch(url, { headers: { "X-Live": "1" }, ...body && { method: "POST", body } }), html = await answer.text();
    const page = new DOMParser().parseFromString(html, "text/html"), next = page.getElementById("builder");
    if (!next) return complain(html);
    const chosen = [...document.querySelectorAll("#f-q, #f-cost, #f-turn")].map((el) => [el.id, el.value]);
    const now = document.activeElement;                                  // who has gone on meanwhile is not called back
    const open = $("start").open, text = $("text").value, sieve = $("filter").scrollLeft;
    morph($("builder"), next.outerHTML, () => false);
    offer(document, false);
    morph(document.querySelector("header.bar"), page.querySelector("header.bar").outerHTML);
    for (const [id, value] of chosen) $(id).value = value;              // quick fingers may have chosen on meanwhile
    if (open && !typed) $("start").open = true;
    $("text").value = typed ? next.querySelector("#text").value : text;
    if (typed) $("file").value = "";
    $("filter").scrollLeft = sieve;
    if (answer.ok) history.replaceState(null, "", answer.url);
    const here = now && now !== document.body ? now : held;
    if (here) focus(here, here.dataset?.else ?? "deck");
    touched ||= Boolean(body);
    shelve();
  } catch { complain("No connection: nothing was changed. Try again."); }
}
function complain(words) {
  $("error").textContent = "";
  requestAnimationFrame(() => { $("error").textContent = words; });
}

// One after the other, so that quick fingers lose no card; a form is read when its turn comes: the answer before has changed it.
let queue = Promise.resolve();
addEventListener("submit", (e) => {
  const form = e.target, by = e.submitter, held = document.activeElement;
  if (!form.matches("[data-builder]")) return;
  e.preventDefault();
  queue = queue.then(() => {
    const data = new FormData(form), url = new URL(form.action), file = data.get("file");
    if (by?.name) data.set(by.name, by.value);
    const words = refuseSize(file?.size ? file : new Blob([data.get("text") ?? ""]));
    if (words) {
      $("file").value = "";
      return complain(words);
    }
    if (form.method === "post") return send(url, data, held, by?.value === "open");
    url.search = new URLSearchParams([...data].filter(([, text]) => text));
    return send(url, undefined, held);
  });
});
addEventListener("click", (e) => {
  const way = e.target.closest("a[data-builder]");
  if (!way || e.ctrlKey || e.metaKey || e.shiftKey) return;
  e.preventDefault();
  queue = queue.then(() => send($(way.id)?.href ?? way.href, undefined, way));
});
let typing;
addEventListener("input", (e) => {
  if (e.target.id !== "f-q") return;
  clearTimeout(typing);
  typing = setTimeout(() => e.target.form.requestSubmit(), REST);
});
addEventListener("change", (e) => {
  if (e.target.matches("select") && e.target.form?.matches("[data-at-once]")) e.target.form.requestSubmit();
});

// ---- files: opened as soon as they are chosen or dropped ----
addEventListener("change", (e) => { if (e.target.id === "file" && e.target.files[0]) $("pasting").requestSubmit($("open")); });
takeDrops("Drop the deck to open it", (file) => {
  const dropped = new DataTransfer();
  dropped.items.add(file);
  $("file").files = dropped.files;
  $("pasting").requestSubmit($("open"));
});

document.documentElement.classList.add("js");
shelve();
