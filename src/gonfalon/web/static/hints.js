// Small comforts round the hand: why a place refuses the chosen card, how many cards are marked, long press to read a card,
// links that copy themselves, and one menu at a time. The server refuses with the same reasons when scripts are off.
const $ = (id) => document.getElementById(id);

function hint() {
  const card = document.querySelector('#hand input[type="radio"]:checked');
  const why = card ? JSON.parse(card.dataset.why ?? "{}") : {};
  for (const el of document.querySelectorAll(".why")) {
    const text = card ? why[el.id.slice(4)] ?? card.dataset.whyAll ?? "" : "";
    if (el.textContent !== text) el.textContent = text;
  }
  for (const el of document.querySelectorAll('.where-row button')) {
    const text = card ? why[el.value.slice(1)] ?? card.dataset.whyAll : undefined;
    if (text) el.title = text; else el.removeAttribute("title");
  }
  const done = document.querySelector("[data-done]");
  if (done) {
    const n = document.querySelectorAll('#hand input[type="checkbox"]:checked').length;
    const text = n ? `Discard ${n}, draw to 7` : "Keep all, draw to 7";
    if (done.textContent !== text) done.textContent = text;
  }
}
document.addEventListener("change", hint);
document.addEventListener("reset", () => setTimeout(hint));
document.addEventListener("board", hint);
hint();

// Long press on a card opens its full text; the click that would follow is swallowed.
let press, read;
document.addEventListener("pointerdown", (e) => {
  read = undefined;
  const full = e.pointerType !== "mouse" && e.target.closest(".slot")?.querySelector(".full");
  if (full) press = setTimeout(() => { read = full; full.showPopover?.(); }, 450);
});
for (const end of ["pointerup", "pointercancel", "pointermove"]) {
  document.addEventListener(end, (e) => {
    if (end === "pointermove" && Math.hypot(e.movementX, e.movementY) < 4) return;
    clearTimeout(press);
    if (end === "pointerup" && read) setTimeout((full) => full.matches(":popover-open") || full.showPopover?.(), 60, read);      // lifting the finger dismissed it
  });
}
document.addEventListener("click", (e) => { if (read && e.target.closest(".slot")) e.preventDefault(); }, true);
document.addEventListener("contextmenu", (e) => { if (e.pointerType === "touch" && e.target.closest(".slot")) e.preventDefault(); });

document.addEventListener("focusin", (e) => { if (e.target.matches(".copy")) e.target.select(); });
document.addEventListener("click", (e) => {
  for (const open of document.querySelectorAll("details.menu[open], .prompt details.confirm[open]")) if (!open.contains(e.target)) open.open = false;
});
