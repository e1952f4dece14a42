// The decks of this device's shelf wherever a deck is chosen: as a row of choices before the ready-made ones, or as a group of
// a list. The server says of each what it amounts to, or why it is not legal; a deck that is mended in another window is there at once.
import "./named.js";
import { decks } from "./shelf.js";

const asked = new WeakMap();

async function ask(game, field) {
  const kept = decks(game).filter((deck) => deck.d);
  if (!kept.length) return "";
  const fields = new URLSearchParams([["field", field], ...kept.flatMap(({ id, d, name }) => [["id", id], ["d", d], ["name", name]])]);
  const answer = await fetch(`/games/${game}/decks/choices`, { method: "POST", body: fields });
  return answer.ok ? answer.text() : "";
}

function list(select, html) {
  select.querySelector("optgroup")?.remove();
  const group = Object.assign(document.createElement("optgroup"), { label: "My decks" });
  group.innerHTML = html;
  const there = new Set([...select.options].map((option) => option.value));
  for (const option of [...group.children]) if (there.has(option.value) && !option.disabled) option.remove();
  const chosen = select.value;
  if (group.children.length) select.prepend(group);
  select.value = chosen;
}

function row(place, html) {
  const chosen = place.querySelector("input:checked")?.closest("[data-id]").dataset.id;
  place.innerHTML = html;
  const again = chosen && place.querySelector(`[data-id="${CSS.escape(chosen)}"] input`);
  if (again) again.checked = true;
}

// What is asked for again while it is still asked for is shown once: the latest counts.
export async function shelve(root = document, anew = true) {
  for (const place of root.querySelectorAll("[data-shelf]")) {
    if (!anew && asked.has(place)) continue;
    const mine = {}, choices = place.matches("select");
    asked.set(place, mine);
    try {
      const html = await ask(place.dataset.shelf, choices ? "" : place.dataset.field);
      if (asked.get(place) === mine) (choices ? list : row)(place, html);
    } catch { asked.delete(place); }                                     // no connection: what is ready-made is there
  }
}

shelve();
document.addEventListener("board", () => shelve(document, false));
addEventListener("storage", () => shelve());
addEventListener("pageshow", (e) => { if (e.persisted) shelve(); });
