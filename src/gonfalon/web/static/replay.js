// Step through a finished game without loading whole pages: the bar works alone, as links and a form; this makes it move at once.
// One step is asked for at a time. Whoever drags or holds a key asks for many: of those only the latest.
import { ask } from "./ask.js";
import { glide } from "./glide.js";
import { morph } from "./morph.js";
import { pace } from "./stage.js";

const $ = (id) => document.getElementById(id);
const PARTS = ["replay-bar", "replay-note"], LEAST = 250, LOOK = 3500;     // milliseconds: between two steps at least; for a moment without a time
let wanted = null, loading = null, playing = false;

const slider = () => $("replay-step");
const now = () => Number(slider().value);                                  // where the slider stands, and the table soon
const last = () => Number(slider().max);
const parts = () => [...document.querySelectorAll("#replay-parts option")].map((one) => Number(one.value));

function go(url) {
  wanted = url;
  loading ??= load().finally(() => { loading = null; });
  return loading;
}

async function load() {
  while (wanted) {
    const url = wanted;
    wanted = null;
    try {
      const { answer, text } = await ask(url);
      if (!answer.ok) throw new Error(answer.status);
      const page = new DOMParser().parseFromString(text, "text/html");
      if (wanted) continue;                                                // a later step is wished for already
      await show(page);
    } catch {
      location.href = url;
      return;
    }
  }
}

async function show(page) {
  const board = page.getElementById("table").outerHTML, held = slider().matches(":active") ? slider().value : null;
  for (const id of PARTS) morph($(id), page.getElementById(id).outerHTML);
  slider().value = held ?? page.getElementById("replay-step").getAttribute("value");
  press(playing);
  await glide(board, () => { morph($("table"), board); document.dispatchEvent(new Event("board")); });
  if ($("table").dataset.moment) document.dispatchEvent(new Event("moment"));
  history.replaceState(null, "", $("replay-bar").dataset.here);
}

function step(to) {
  const place = Math.max(0, Math.min(last(), to));
  slider().value = place;
  return go(`replay?place=${place}&as=${encodeURIComponent($("replay-slide").elements.as.value)}`);
}

const WAYS = {
  first: () => 0,
  back: () => now() - 1,
  next: () => now() + 1,
  last,
  "part-back": () => parts().findLast((one) => one < now()) ?? 0,
  "part-next": () => parts().find((one) => one > now()) ?? last(),
};

// ---- by itself, at the pace that one likes --------------------------------------------------------------------------
function press(on) {
  playing = on;
  const button = $("replay-play"), word = on ? "Pause" : "Play";
  button.setAttribute("aria-pressed", on);
  button.title = word;
  button.querySelector(".vh").textContent = word;
}

let due = 0;
function play() {
  clearTimeout(due);
  const moment = "moment" in $("table").dataset, seconds = Number($("table").dataset.seconds ?? 0);
  due = setTimeout(async () => {
    if (!playing) return;
    if (now() >= last()) return press(false);
    await step(now() + 1);
    if ("fresh" in $("replay-note").dataset) press(false);                 // a note wants to be read
    if (playing) play();
  }, Math.max(LEAST, pace(), moment ? 1000 * seconds || LOOK : 0));
}

async function toggle() {
  press(!playing);
  if (!playing) return clearTimeout(due);
  if (now() >= last()) await step(0);
  play();
}

const stop = () => { if (playing) toggle(); };

// ---- what is touched and pressed --------------------------------------------------------------------------------------
addEventListener("click", (e) => {
  if (e.target.closest("#replay-play")) return toggle();
  const link = e.target.closest("#replay-bar a, #note-back, #note-next");
  if (!link || e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
  e.preventDefault();
  const way = WAYS[link.id.replace("replay-", "")];
  if (way) { stop(); step(way()); } else go(link.href);
});
addEventListener("input", (e) => { if (e.target === slider()) { stop(); step(now()); } });
addEventListener("submit", (e) => { if (e.target.id === "replay-slide") { e.preventDefault(); step(now()); } });

const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey || e.target.closest("dialog[open], :popover-open") || e.target.matches("select, textarea, input:not([type=range])")) return;
  const way = KEYS[e.key];
  if (way) { stop(); step(WAYS[e.shiftKey && way in { back: 1, next: 1 } ? `part-${way}` : way]()); }
  else if (e.key === "o") go($("replay-open").href);
  else if (e.key === "n" || e.key === "b") { stop(); const link = $(e.key === "n" ? "note-next" : "note-back"); if (link) go(link.href); }
  else if (e.key === " " && e.target.closest("[role=switch]")) go(e.target.href);
  else if (e.key === " " && !e.target.closest("button, summary, a")) toggle();
  else return;
  e.preventDefault();
});

const narrow = matchMedia("(max-width: 75.99rem), (max-height: 29.99rem)");
const fold = () => { if ($("thought")) $("thought").open = !narrow.matches; };                // over a small table it would hide too much
narrow.addEventListener("change", fold);
fold();
document.documentElement.classList.add("js");
