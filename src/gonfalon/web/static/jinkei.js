// Laying cards on spaces. The lists (one for each card to lay) are the truth and work alone; with this script a card is chosen
// in the hand and laid by a click on its space. A page that asks for this draws, for each card to lay, a [data-lay] with a <select>
// and a button .here; option[data-card] is the value of a radio `carry` in #hand, whose <template> is how the card looks when laid.
import { refuse } from "./refusal.js";

const $ = (id) => document.getElementById(id);
const one = (el, selector) => el.querySelector(selector);
const spaces = () => [...document.querySelectorAll("[data-lay]")].map((el) => ({ el, list: one(el, "select"), button: one(el, ".here") }));
const cards = () => [...document.querySelectorAll('#hand input[name="carry"]')];
const chosen = () => cards().find((card) => card.checked);
const on = (space) => space.list.selectedOptions[0]?.dataset.card ?? "";

let locked = new Map();                                                  // what was sent last, for who takes it back

function put(space, card) {
  const option = [...space.list.options].find((o) => card && o.dataset.card === card);
  space.list.value = option?.value ?? "";
}

function write(el, text) {
  if (el && el.textContent !== text) el.textContent = text;
}

function draw() {
  const all = spaces(), carried = chosen()?.value;
  for (const [i, space] of all.entries()) {
    const card = on(space), option = space.list.selectedOptions[0];
    space.list.required = false;                                         // unseen now: the script asks for what is missing
    space.el.classList.toggle("filled", Boolean(card));
    space.el.classList.toggle("carried", Boolean(card) && card === carried);
    space.button.setAttribute("aria-label", `${space.list.getAttribute("aria-label")}: ${card ? option.textContent : "empty"}`);
    const shown = one(space.button, "[data-laid]");
    if (shown.dataset.laid !== card || Boolean(card) !== Boolean(shown.firstChild)) {
      const look = card && one(cards().find((el) => el.value === card)?.closest("li"), "template");
      shown.replaceChildren(...(look ? [look.content.cloneNode(true)] : []));
      shown.dataset.laid = card;
      write(one(shown, "[data-note]"), option?.dataset.note ?? "");
    }
    space.button.value = `@${i + 1}`;
  }
  const open = all.flatMap((space, i) => (on(space) ? [] : [i + 1]));
  for (const card of cards()) {
    const at = all.find((space) => on(space) === card.value);
    const slot = card.closest("li");
    slot.classList.toggle("laid", Boolean(at));
    write(one(slot, "[data-where]"), at?.el.dataset.lay ?? "");
    card.dataset.places = open.join(" ");
  }
  const left = $("progress");
  if (left && all.length) write(left, open.length ? `${open.length} more to lay` : "All laid");
}

function next(from) {
  const all = spaces(), free = all.some((space) => !on(space));
  const hand = cards(), at = hand.findIndex((card) => card.value === from);
  const card = [...hand.slice(at + 1), ...hand].find((el) => !all.some((space) => on(space) === el.value));
  (free && card ? card : $("done"))?.focus();
}

// With a card in hand: lay it (what lay there changes places with it). Without: take up what lies there.
function use(space, keyed) {
  const card = chosen(), here = on(space);
  if (!card) {
    const lies = cards().find((el) => el.value === here);
    if (lies) lies.checked = true;
    else cards().find((el) => !el.closest("li").classList.contains("laid"))?.focus({ preventScroll: !keyed });
  } else {
    const from = spaces().find((other) => on(other) === card.value);
    put(space, from?.list === space.list ? "" : card.value);
    if (from && from.list !== space.list) put(from, here);
    card.checked = false;
    if (keyed) next(card.value);
  }
  draw();
}

const find = (el) => spaces().find((space) => space.button === el?.closest?.("[data-lay] .here"));

document.addEventListener("click", (e) => {
  const space = find(e.target);
  if (space) use(space, e.detail === 0);
  if (e.target.closest('button[type="reset"][form="act"]')) locked.clear();
});

document.addEventListener("keydown", (e) => {
  const space = find(e.target);
  if (!space || (e.key !== "Delete" && e.key !== "Backspace")) return;
  put(space, "");
  draw();
  e.preventDefault();
});

document.addEventListener("change", (e) => { if (e.target.matches('[data-lay] select, input[name="carry"]')) draw(); });

// Before live.js, which listens further out.
document.addEventListener("submit", (e) => {
  if (e.target.id !== "act" || e.submitter?.name === "back") return;
  const all = spaces(), open = all.filter((space) => !on(space));
  if (open.length) {
    e.preventDefault();
    e.stopPropagation();
    refuse(`${open.length} still open: ${open.map((space) => space.el.dataset.lay).join(", ")}.`);
    open[0].button.focus();
  } else if (all.length) {
    locked = new Map(all.map((space) => [space.list.id, space.list.value]));
  }
});

// A reset after sending empties the lists; what was sent lies there until the table says otherwise.
function again() {
  const all = spaces();
  if (all.some((space) => locked.has(space.list.id))) {
    if (!all.some(on)) for (const space of all) space.list.value = locked.get(space.list.id) ?? "";
  } else if (!$("back")) {
    locked.clear();
  }
  draw();
}

document.addEventListener("reset", () => setTimeout(() => { for (const card of cards()) card.checked = false; again(); }));
document.addEventListener("board", again);
again();
