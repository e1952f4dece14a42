// Step through a finished game without loading whole pages: the links of the bar work alone, this makes them glide.
import { glide } from "./glide.js";
import { morph } from "./morph.js";

const $ = (id) => document.getElementById(id);
let before = Promise.resolve();

// One after another, so that a key pressed twice is two steps; where a link leads is asked when its turn comes.
function go(href) {
  before = before.then(() => follow(href()));
}

async function follow(url) {
  try {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const board = page.getElementById("table").outerHTML;
    for (const id of ["replay-bar", "replay-thoughts"]) morph($(id), page.getElementById(id).outerHTML);
    glide(board, () => { morph($("table"), board); document.dispatchEvent(new Event("board")); });
    history.replaceState(null, "", url);
  } catch {
    location.href = url;
  }
}

addEventListener("click", (e) => {
  const link = e.target.closest("#replay-bar a");
  if (!link || e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
  e.preventDefault();
  go(() => (link.id ? $(link.id) : link).href);
});

const keys = { ArrowLeft: "replay-back", ArrowRight: "replay-next", Home: "replay-first", End: "replay-last" };
addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey || e.target.closest("dialog[open], :popover-open") || e.target.matches("input, select, textarea")) return;
  if (!keys[e.key]) return;
  e.preventDefault();
  go(() => $(keys[e.key]).href);
});

document.documentElement.classList.add("js");
