// What is chosen and not yet sent survives a reload of this tab. It is kept on this device alone, for one question: a table that
// has moved on, the curtain or another person's page drops it.
import { session } from "./stage.js";

const KEY = `draft ${location.pathname}`;
// The version, and the person of a shared device. Values alone: extensions and screenshots leave attributes on fields.
const asked = () => JSON.stringify([...document.querySelectorAll("#act > input")].map((el) => [el.name, el.value]));
const fields = () => [...document.querySelectorAll("#table :is(input, select)[id]")];
const kept = JSON.parse(session.get(KEY)), same = kept && kept.asked === asked();

export const own = same ? kept.own : {};                                  // what else a game's script keeps of its draft

function save() {
  if (!document.querySelector("#table *")) return;                        // a shared device empties a page that is left
  const chosen = fields().filter((el) => el.checked ?? el.value).map((el) => [el.id, el.value]);
  session.set(KEY, JSON.stringify(chosen.length ? { asked: asked(), chosen, own } : null));
}

if (same) for (const [id, value] of kept.chosen) {
  const el = document.getElementById(id);
  if (el) el[el.options ? "value" : "checked"] = value;
}
for (const leaves of ["pagehide", "visibilitychange"]) addEventListener(leaves, save);
document.addEventListener("board", save);
save();
