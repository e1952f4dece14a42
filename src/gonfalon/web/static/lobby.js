// The lobby: menus, and the live list of open seats.
import { morph } from "./morph.js";
import "./named.js";

// The menus of the bar fold by a click elsewhere and by Escape.
const menus = () => document.querySelectorAll(".bar details[open]");
document.addEventListener("click", (e) => { for (const menu of menus()) if (!menu.contains(e.target)) menu.open = false; });
document.addEventListener("keydown", (e) => { if (e.key === "Escape") for (const menu of menus()) { menu.open = false; menu.querySelector("summary").focus(); } });

// Open seats come and go while the page is looked at.
const offers = () => document.getElementById("offers"), only = document.querySelector("[data-only]")?.dataset.only;
function narrow() { if (only) for (const row of offers().querySelectorAll("[data-game]")) row.hidden = row.dataset.game !== only; }
function follow() {
  const socket = new WebSocket(new URL("/opponents/live", location.href.replace(/^http/, "ws")));
  socket.onmessage = (e) => { if (e.data) { morph(offers(), e.data); narrow(); } };
  socket.onclose = () => setTimeout(() => document.hidden ? document.addEventListener("visibilitychange", follow, { once: true }) : follow(), 5000);
}
if (offers()) { narrow(); follow(); }
