// Live table. The server pushes boards as HTML, the newest wins; they are morphed in and moved cards glide.
// Who is at the table comes apart from the board. Every action stays a form post; here it is sent by fetch, and a refusal
// shows the server's own sentence.
import { ask } from "./ask.js";
import { connect } from "./connection.js";
import { glide, moved, zones } from "./glide.js";
import { morph as put } from "./morph.js";
import { refuse } from "./refusal.js";
import { device, session, stage } from "./stage.js";

const $ = (id) => document.getElementById(id);
const shares = "shares" in document.body.dataset;                        // several people sit at this device

// What others have laid or moved since one's own last move is ringed. What this page's own answer moved is not.
const RINGED = `ringed ${location.pathname}`;
let ringed = new Set((session.get(RINGED) ?? "").split(" ").filter(Boolean)), answered = false;

function ring(was) {
  if (answered) ringed.clear();
  else for (const id of moved(was, zones(document))) ringed.add(id);
  answered = false;
  session.set(RINGED, [...ringed].join(" "));
  mark();
}
// A hand is nobody else's: an id that was ringed elsewhere may by now be that of a card there.
function mark() { for (const id of ringed) { const el = $(id); if (el && !el.closest(".hand")) el.classList.add("fresh"); } }

// What others did last has the news line for a while.
const told = () => [...document.querySelectorAll("#log-list li:not(.private)")].at(-1), number = () => Number(told()?.id.slice(4) ?? -1);
let known = number(), until = 0, fades;
function toast(mine) {
  if (mine) until = 0;
  else if (number() > known) until = Date.now() + 4000;
  known = number();
  const rest = until - Date.now(), last = $("last");
  if (rest <= 0 || !last) return;
  last.classList.add("toast");
  clearTimeout(fades);
  fades = setTimeout(() => $("last")?.classList.remove("toast"), rest);
}

// Whoever has just acted keeps the focus, also where what had it is gone or hidden.
function keep(held) {
  if (held && held !== document.body && (!held.isConnected || held.disabled || !held.checkVisibility?.())) $("status")?.focus();
}

function morph(html) {
  const held = document.activeElement, was = zones(document), board = !html.includes("data-moment=");
  put($("table"), html);
  if (board) {
    toast(answered);
    ring(was);
  }
  keep(held);
  document.dispatchEvent(new Event("board"));
}

// Nothing of the one who sat here stays on the screen; the next one, who says so by a plain form, gets a page of their own.
function curtain(html) {
  for (const open of document.querySelectorAll(":popover-open")) open.hidePopover();
  for (const open of document.querySelectorAll("dialog[open]")) open.close();
  $("table").outerHTML = html;
  $("rise")?.focus();
  document.dispatchEvent(new Event("board"));
}

// The tab says when it is one's turn.
const title = document.title, icon = document.querySelector('link[rel="icon"]');
const asks = (html) => html.includes('class="prompt mine') || html.includes('id="rise"');
function call(asked) {
  document.title = asked ? `Your turn · ${title}` : title;
  icon.href = icon.dataset[asked && document.hidden ? "called" : "calm"];
}
document.addEventListener("visibilitychange", () => { if (!document.hidden) icon.href = icon.dataset.calm; });

function show(html) {
  const falls = html.includes("data-curtain"), down = Boolean(document.querySelector("[data-curtain]"));
  if (shares && html.includes("data-moment=")) $("table").outerHTML = html;
  else if (!shares) return glide(html, () => morph(html));                // done when the board lies there
  else if (falls) curtain(html);
  else if (down) leaving || location.reload();                           // lifted from another window
  else morph(html);
}

// A sentence of the log shows the table after it. What happens meanwhile is said, and shown when one returns to the present.
let present = "", news = "";                                             // the board that was left, and the newest since
async function look(link) {
  const { answer, text } = await ask(link.href).catch(() => ({}));
  if (!answer?.ok) return refuse(text ?? "No connection. Try again.");
  present ||= $("table").outerHTML.replace(/ style="[^"]*"/g, "");       // of cards on their way; no such attribute may be parsed
  put($("table"), text);
  document.querySelector(`#log-${$("table").dataset.past} a`)?.setAttribute("aria-current", "true");
  if (news) $("gone-on").hidden = false;
  for (const what of ["board", "past"]) document.dispatchEvent(new Event(what));          // a log that lies over the board folds
  if (!$("log-drawer")?.open) $("go-on").focus();
}
function live() {
  const newest = news, left = present, held = document.activeElement;
  present = news = "";
  put($("table"), left);                                                 // so that what is new since then is ringed
  for (const what of ["board", "past"]) document.dispatchEvent(new Event(what));
  keep(held);
  if (newest) stage(newest, show);
}
document.addEventListener("click", (e) => {
  const link = e.target.closest("#log-list a, [data-present]");
  if (!link || past || e.ctrlKey || e.metaKey || e.shiftKey) return;
  e.preventDefault();
  if (link.matches("[data-present]")) live(); else look(link);
});
addEventListener("keydown", (e) => {
  if (e.key !== "Escape" || !present || document.querySelector(":popover-open, dialog[open], details.menu[open]")) return;
  e.preventDefault();
  e.stopImmediatePropagation();
  live();
}, true);

// What has come of the table: its version grows with all that this page may know.
const last = {}, LATE = 3000;                                            // milliseconds
const version = (html) => html.includes("data-curtain") ? Infinity : Number(/name="expected" value="(\d+)"/.exec(html)?.[1] ?? 0);
let came = version($("table").outerHTML), connection, unsent = false;

function arrive(part, html) {
  if (part === "notice") return put($("notice"), html);
  if (part === "call") return call(html === "asked");
  if (unsent && part === "table") { unsent = false; refuse(""); }        // connected again: this is the table as it is now
  if (html === last[part]) return;
  last[part] = html;
  if (part === "seats") { put($("seats"), html); return document.dispatchEvent(new Event("seats")); }
  came = version(html);
  call(asks(html));
  if (present) {
    news = html;
    if ($("gone-on")) $("gone-on").hidden = false;
  } else stage(html, show);
}

// What a post has led to comes over the socket, which may be dead: where it is late, the page is fetched.
function expect(wanted, sent) {
  setTimeout(async () => {
    if (came >= wanted && connection.heard() >= sent) return;
    if (shares || past) return location.reload();
    connection.open();
    const { answer, text } = await ask("./").catch(() => ({}));
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(text, "text/html"), [table, seats] = ["table", "seats"].map((part) => page.getElementById(part)?.outerHTML ?? "");
    if (seats && version(table) + Boolean(document.querySelector(".thinking")) > came) { arrive("table", table); arrive("seats", seats); }
  }, connection?.heard() ? LATE : 0);
}

let leaving = false;
addEventListener("submit", (e) => {
  const form = e.target;
  if (form.method !== "post") return;
  if (!form.matches("#act, #answers, [data-act]")) {
    leaving = true;                                                      // the browser is on its way to the next page
    setTimeout(() => { leaving = false; }, 5000);
    return;
  }
  e.preventDefault();
  send(form, new URLSearchParams(new FormData(form, e.submitter)), e.submitter);
});

const PLACES = ".place, .zone, .space, .slot, li";                        // where the tag of a refusal stands
const sending = {};                                                      // by form and decision what is on its way: null, or the setting that follows it
async function send(form, body, by) {
  const asked = body.get("expected"), way = `${form.id} ${asked}`, acts = !["answers", "emotes", "ask-hint", "hide-tips"].includes(form.id);
  if (way in sending) {
    if (form.id === "answers") sending[way] = body;                      // of several settings the latest counts; an answer is given once
    return;
  }
  sending[way] = null;
  unsent = false;
  refuse("");
  if (acts) answered = true;                                             // the board may come before the word that it was taken
  const sent = Date.now();
  let refused = "", about;
  if (form.id === "ask-hint") $("prompt").classList.add("thinking");
  try {
    const { answer, text } = await ask(form.action, { method: "POST", body }, 20);          // a hint takes its time
    if (answer.ok || answer.status === 409) expect(Number(answer.headers.get("X-Version")), sent);
    if (!answer.ok) {
      const header = (name) => decodeURIComponent(answer.headers.get(name) ?? "");
      refused = text.slice(0, 400) || "That was refused.";
      about = { tag: header("X-Tag"), rule: header("X-Rule"), at: by?.closest(PLACES) };
    } else if (form.id === "hide-tips") document.body.classList.remove("tips");
    else if (form.id === "emotes") {
      form.closest("details").open = false;
      form.closest("details").querySelector("summary").focus();          // whoever has just acted keeps a place to go on from
    } else if (acts && asked === (form.elements.expected?.value ?? null)) {
      const held = document.activeElement;
      form.reset();                                                      // where the next decision is asked, what is chosen answers that
      keep(held);                                                        // a board that comes later would not know of it
      ringed.clear();
    }
  } catch {
    refused = "No connection: your move may not have arrived. Try again.";
    unsent = true;
    expect(0, sent);
  }
  if (refused) {
    $("prompt")?.classList.remove("thinking");
    refuse(refused, about);
    if (acts) answered = false;
  }
  const next = sending[way];
  delete sending[way];
  if (next) send(form, next);
}

// A refusal is about what was chosen then; the page of one that came without this script lies where nothing can be loaded again.
addEventListener("change", (e) => { if (e.target.form?.id === "answers") e.target.form.requestSubmit(); else refuse(""); });
const past = /\/(moment|past)$/.test(location.pathname);                       // the page of a moment stays as it is
if (!past && !location.pathname.endsWith("/")) history.replaceState(null, "", "./");

// A page that the browser keeps for its Back button holds nothing of anybody.
if (shares) {
  addEventListener("pagehide", () => $("table").replaceChildren());
  addEventListener("pageshow", (e) => { if (e.persisted) location.reload(); });
}

document.documentElement.classList.add("js");
mark();
call(asks($("table").outerHTML));
if (!past) connection = connect(arrive, () => !shares && device.get("sound") !== "on");   // sounds tell of moves unseen
