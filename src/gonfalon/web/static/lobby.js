// The lobby: menus, and the live list of open seats.
import { morph } from "./morph.js";
import { refuseSize, takeDrops } from "./drop.js";
import "./named.js";

// The menus of the bar fold by a click elsewhere and by Escape.
const menus = () => document.querySelectorAll(".bar details[open], .opens[open]");
document.addEventListener("click", (e) => { for (const menu of menus()) if (!menu.contains(e.target)) menu.open = false; });
document.addEventListener("keydown", (e) => { if (e.key === "Escape") for (const menu of menus()) { menu.open = false; menu.querySelector("summary").focus(); } });

// Open seats come and go while the page is looked at.
const offers = () => document.getElementById("offers"), only = document.querySelector("[data-only]")?.dataset.only;
function narrow() { if (only) for (const row of offers().querySelectorAll("[data-game]")) row.hidden = row.dataset.game !== only; }
function follow() {
  const socket = new WebSocket(new URL("/opponents/live", location.href.replace(/^http/, "ws")));
  socket.onmessage = (e) => {
    if (!e.data) return;
    morph(e.data.includes('id="notice"') ? document.getElementById("notice") : offers(), e.data);
    narrow();
  };
  socket.onclose = () => setTimeout(() => document.hidden ? document.addEventListener("visibilitychange", follow, { once: true }) : follow(), 5000);
}
if (offers()) { narrow(); follow(); }

// A record is opened as soon as it is chosen or dropped.
document.documentElement.classList.add("js");
const record = document.getElementById("record");
async function open(file) {
  const form = record.form, error = document.getElementById("records-error"), body = new FormData();
  body.set("record", file);
  form.setAttribute("aria-busy", "true");
  error.textContent = refuseSize(file);
  if (!error.textContent) try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Live": "1" } });
    if (answer.ok) location.href = answer.headers.get("location");
    else {
      error.textContent = await answer.text();
      const href = answer.headers.get("x-link");
      if (href) error.append(" ", Object.assign(document.createElement("a"), { href, textContent: "Go there" }));
    }
  } catch { error.textContent = "No connection: try again."; }
  if (error.textContent) document.getElementById("records").open = true;
  form.removeAttribute("aria-busy");
  record.value = "";
}
if (record) {
  record.addEventListener("change", () => { if (record.files[0]) open(record.files[0]); });
  takeDrops("Drop the record to open it", open);
}
