// Live table. The server pushes whole boards as HTML, the newest wins; they are morphed in and moved cards glide.
// Every action stays a form post; here it is sent by fetch, and a refusal shows the server's own sentence.
import { glide } from "./glide.js";

const $ = (id) => document.getElementById(id);

// A player's half-made choice and what is unfolded belong to the player, not to the server.
const callbacks = {
  beforeAttributeUpdated: (name, el) => !(name === "checked" || name === "selected" || (name === "open" && el.tagName === "DETAILS")),
};

function morph(html) {
  const held = document.activeElement;
  Idiomorph.morph($("table"), html, { callbacks });
  if (held && held !== document.body && (!held.isConnected || held.disabled || !held.checkVisibility?.())) $("status").focus();
  document.dispatchEvent(new Event("board"));
}

function net(state, words) {
  const el = $("net");
  if (el.dataset.state === state) return;
  el.dataset.state = state;
  el.querySelector(".net-words").textContent = words;
}

let last = "";
function listen(wait = 250) {
  const socket = new WebSocket(new URL(document.body.dataset.live, location.href.replace(/^http/, "ws")));
  socket.onopen = () => { wait = 250; net("on", "live"); };
  socket.onmessage = (e) => { if (e.data !== last) { last = e.data; glide(e.data, () => morph(e.data)); } };
  socket.onclose = () => {
    net("lost", "reconnecting …");
    setTimeout(listen, wait * (0.7 + 0.6 * Math.random()), Math.min(wait * 2, 10000));
  };
}

function refuse(text) {
  const box = $("refusal");
  box.textContent = "";
  requestAnimationFrame(() => { box.textContent = text; });            // emptied first, so that the same sentence is read twice
}

let sending = false;
addEventListener("submit", async (e) => {
  const form = e.target;
  if (form.id !== "act" || form.method !== "post") return;
  e.preventDefault();
  if (sending) return;
  sending = true;
  refuse("");
  try {
    const body = new URLSearchParams(new FormData(form, e.submitter));
    const answer = await fetch(form.action, { method: "POST", headers: { "X-Live": "1" }, body });
    if (!answer.ok) refuse((await answer.text()).slice(0, 400) || "The table refused that.");
    else form.reset();
  } catch {
    refuse("No connection: nothing was sent. Try again.");
  } finally {
    sending = false;
  }
});

document.documentElement.classList.add("js");
if (matchMedia("(max-width: 59.99rem)").matches && !$("invite")) $("log-drawer").open = false;
listen();
