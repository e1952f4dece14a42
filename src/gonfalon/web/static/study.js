// A study that goes on: its page is asked again and again for what has changed, more seldom while nobody looks.
import { morph } from "./morph.js";

const study = document.getElementById("study");
const net = document.getElementById("net");
const OFTEN = 1000, SELDOM = 5000;

function say(state, words) {
  if (!net || net.dataset.state === state) return;
  net.dataset.state = state;
  net.querySelector(".net-words").textContent = words;
}

async function look() {
  let wait = document.hidden ? SELDOM : OFTEN;
  try {
    const answer = await fetch(location.href, { headers: { "X-Live": "1" } });
    if (answer.status === 404) return location.reload();
    if (!answer.ok) throw new Error(answer.status);
    const next = study.cloneNode();
    next.innerHTML = await answer.text();
    morph(study, next.outerHTML);
    say("on", "live");
  } catch {
    wait = SELDOM;
    say("lost", "connection lost, reconnecting …");
  }
  next(wait);
}
function next(wait) {
  if (study.querySelector("[data-live=yes]")) setTimeout(look, wait); else net?.remove();
}

document.addEventListener("click", async (e) => {
  const button = e.target.closest("#share");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(location.href);
    button.lastChild.textContent = "Copied";
  } catch {
    button.lastChild.textContent = "Copy it from the address bar";
  }
});
document.documentElement.classList.add("js");
next(OFTEN);
