// Small comforts at a table: long press to read a card, links that copy themselves, and one menu at a time.
const $ = (id) => document.getElementById(id);

// What is printed on a card lies once beside the board (#cards), and is opened by a button that names it. Hover and focus show it too.
const fine = matchMedia("(hover: hover) and (min-width: 60rem)"), wide = matchMedia("(min-width: 60rem)");
const printed = (el) => $(el?.closest(".token, .slot")?.querySelector('[popovertarget^="card-"]')?.getAttribute("popovertarget"));
let shown, timer;

// What is not printed, but true of this card now.
function note(full, el) {
  const place = full?.querySelector("[data-where]"), text = el.closest(".slot")?.querySelector(".where-note .where")?.textContent.trim() ?? "";
  if (place) { place.textContent = text; place.hidden = !text; }
}

function peek(full, el) {
  clearTimeout(timer);
  if (el) note(full, el);
  if (full === shown) return;
  shown?.classList.remove("peek");
  shown = full;
  shown?.classList.add("peek");
}

document.addEventListener("pointerover", (e) => {
  if (e.pointerType !== "mouse" || !fine.matches) return;
  const full = e.target.closest("[popover]") ? null : printed(e.target);
  clearTimeout(timer);
  if (full) timer = setTimeout(peek, shown ? 0 : 350, full, e.target); else peek();
});
document.addEventListener("focusin", (e) => { if (wide.matches) peek(e.target.matches(":focus-visible") && !e.target.closest("[popover]") ? printed(e.target) : null, e.target); });
document.addEventListener("click", (e) => { const opener = e.target.closest('[popovertarget^="card-"]'); if (opener) note($(opener.getAttribute("popovertarget")), opener); }, true);
document.addEventListener("focusout", () => peek());
document.addEventListener("keydown", (e) => { if (e.key === "Escape") peek(); });
document.addEventListener("board", () => peek());

// A click beside an open card closes it, and does nothing to the table under it.
let closes = false;
addEventListener("pointerdown", (e) => { closes = Boolean(document.querySelector(":popover-open")) && !e.target.closest(":popover-open"); }, true);
addEventListener("click", (e) => {
  if (!closes || !e.detail || !e.target.closest("#table")) return;
  closes = false;
  e.preventDefault();
  e.stopImmediatePropagation();
}, true);

// Long press on a card opens its full text; the click that would follow is swallowed.
let press, read;
document.addEventListener("pointerdown", (e) => {
  read = undefined;
  peek();
  const full = e.pointerType !== "mouse" && (printed(e.target) ?? e.target.closest(".slot")?.querySelector(".full"));
  if (full) note(full, e.target);
  if (full) press = setTimeout(() => { read = full; full.showPopover?.(); }, 450);
});
for (const end of ["pointerup", "pointercancel", "pointermove", "carry"]) {
  document.addEventListener(end, (e) => {
    if (end === "pointermove" && Math.hypot(e.movementX, e.movementY) < 4) return;
    clearTimeout(press);
    if (end === "pointerup" && read) setTimeout((full) => full.matches(":popover-open") || full.showPopover?.(), 60, read);      // lifting the finger dismissed it
  });
}
document.addEventListener("click", (e) => { if (read && e.target.closest(".slot")) e.preventDefault(); }, true);
document.addEventListener("contextmenu", (e) => { if (e.pointerType === "touch" && e.target.closest(".slot")) e.preventDefault(); });

// Where there is room the log is always open; a window may be turned, or grow.
const narrow = matchMedia("(max-width: 75.99rem), (max-height: 29.99rem)");
const fold = () => { if ($("log-drawer")) $("log-drawer").open = !narrow.matches; };
narrow.addEventListener("change", fold);
document.addEventListener("past", fold);
if ("shares" in document.body.dataset) document.addEventListener("moment", fold);      // there each moment is drawn anew
fold();

for (const link of document.querySelectorAll("[data-here]")) link.value = new URL("./", location.href).href;
// What is unfolded over the page folds by a click elsewhere, and by Escape, the innermost first.
const unfolded = () => [...document.querySelectorAll(":is(details.menu, details.answers, details.confirm, details.reasons, details.rule)[open]")];
document.addEventListener("click", (e) => { for (const open of unfolded()) if (!open.contains(e.target)) open.open = false; });
document.addEventListener("keydown", (e) => {
  if (e.key !== "Escape" || document.querySelector(":popover-open, dialog[open]")) return;
  const open = unfolded(), top = open.findLast((el) => el.contains(document.activeElement)) ?? open.at(-1);
  if (!top) return;
  top.open = false;
  e.preventDefault();
  top.querySelector("summary").focus();
});
