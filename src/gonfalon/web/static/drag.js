// Drag and drop, a short way of tap and tap. A card that is drawn away is lifted by the same click; where it is let go the
// button that lights up there is pressed, and anywhere else the card is put down. A button[data-drop] names where it may be
// dropped, and is pressed itself. A field[data-take] names the buttons that a card dropped on it is for: if there is one that
// can be pressed it is, if there are others the card stays lifted.
import { putDown } from "./keys.js";

const FAR = 8;                                                           // pixels; less is a tap
const CARDS = '#hand label:has(> [type="radio"]), label:has(> .lift), [data-lay].filled .here, button[data-drop]';
let press, ghost, over, meant;

function scrolls(el, axis) {
  const size = axis === "Y" ? "Height" : "Width", room = el[`scroll${size}`] > el[`client${size}`] + 1;
  if (room && (el === document.scrollingElement || /auto|scroll/.test(getComputedStyle(el)[`overflow${axis}`]))) return true;
  return el.parentElement ? scrolls(el.parentElement, axis) : false;
}

// The place under the pointer, if the card may go there.
function place({ clientX, clientY }) {
  const { card, input, drop } = press, places = input?.dataset.places?.split(" ");
  const el = document.elementFromPoint(clientX, clientY)?.closest(drop ?? ".here, .strike, #announce button, [data-take]");
  return el && el !== card && (el.matches(`[data-lay] *, [data-take], ${drop ?? "#announce *"}`) || !places || places.includes(el.value.slice(1))) ? el : null;
}

function light(el) {
  if (over === el) return;
  over?.classList.remove("over");
  over = el;
  over?.classList.add("over");
}

function lift() {
  const { card, input } = press, box = card.getBoundingClientRect();
  document.dispatchEvent(new Event("carry"));
  getSelection().removeAllRanges();
  ghost = card.cloneNode(true);
  for (const el of ghost.querySelectorAll("input")) el.remove();
  ghost.removeAttribute("id");
  ghost.classList.add("ghost");
  Object.assign(ghost, { inert: true, popover: "manual" });
  const width = card.offsetWidth, height = card.offsetHeight;
  Object.assign(ghost.style, { width: `${width}px`, height: `${height}px`, left: `${box.x + (box.width - width) / 2}px`, top: `${box.y + (box.height - height) / 2}px` });
  card.after(ghost);
  ghost.showPopover();
  card.classList.add("away");
  document.body.classList.add("carrying");
  if (!press.drop && !input?.checked) (input ?? card).click();
}

function end() {
  light();
  ghost?.remove();
  press?.card.classList.remove("away");
  document.body.classList.remove("carrying");
  press = ghost = undefined;
}

// Of cards that lie over each other a browser takes the one whose middle is nearest to a finger. The one under it is meant.
addEventListener("click", (e) => {
  const card = e.target.closest(".hand label");
  if (!e.isTrusted || !meant || !card || card === meant) return;
  e.preventDefault();
  e.stopImmediatePropagation();
  meant.click();
}, true);

addEventListener("pointerdown", (e) => {
  end();
  meant = e.pointerType === "touch" ? document.elementFromPoint(e.clientX, e.clientY)?.closest(".hand label") : null;
  const card = e.target.closest("label, button"), drop = card?.dataset.drop;
  if (e.isPrimary && !e.button && card?.matches(CARDS) && !card.disabled) press = { card, drop, input: card.querySelector(':scope > [type="radio"]'), x: e.clientX, y: e.clientY };
});
addEventListener("pointermove", (e) => {
  if (!press || !e.isPrimary) return;
  const x = e.clientX - press.x, y = e.clientY - press.y;
  if (!ghost) {
    if (Math.hypot(x, y) < FAR) return;
    const away = Math.abs(y) > Math.abs(x) ? "Y" : "X";
    if (document.querySelector(":popover-open") || e.pointerType === "touch" && scrolls(press.card, away)) { press = undefined; return; }
    lift();
  }
  ghost.style.translate = `${x}px ${y}px`;
  light(place(e));
});
addEventListener("pointerup", (e) => {
  const { card, drop } = press ?? {}, carried = ghost, to = carried && place(e);
  end();
  if (!carried) return;
  const takes = to?.dataset.take && [...document.querySelectorAll(to.dataset.take)].filter((el) => el.checkVisibility());
  if (takes ? takes.length === 1 && !takes[0].disabled : to) (takes?.[0] ?? (drop ? card : to)).click();
  else if (!drop && !takes?.length) putDown();
  const swallow = (click) => { click.preventDefault(); click.stopImmediatePropagation(); };
  addEventListener("click", swallow, true);                              // the one that a mouse sends after its button
  setTimeout(removeEventListener, 0, "click", swallow, true);
});
addEventListener("keydown", (e) => {
  if (!ghost || e.key !== "Escape") return;
  end();
  putDown();
  e.preventDefault();
  e.stopImmediatePropagation();
}, true);
for (const gone of ["pointercancel", "blur"]) addEventListener(gone, () => { if (ghost) { end(); putDown(); } });
document.addEventListener("board", end);
document.getElementById("main").addEventListener("touchmove", (e) => { if (ghost && e.cancelable) e.preventDefault(); }, { passive: false });
