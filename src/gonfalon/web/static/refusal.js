// What the table refused. It lies where nothing is needed for the next move, lets touches through, and goes by its own button, by the
// next touch, and by itself after a while; its words stay for a screen reader until something else is done.
const $ = (id) => document.getElementById(id);
let timer;

export function refuse(text) {
  const box = $("refusal");
  clearTimeout(timer);
  if (!box) return;                                                      // the curtain has fallen meanwhile
  box.textContent = "";
  if (text) timer = setTimeout(tell, 20, box, text);                     // emptied first, so that the same sentence is read twice
}

function tell(box, text) {
  box.textContent = text;
  box.parentElement.classList.remove("past");
  timer = setTimeout(fade, Math.max(6000, 70 * text.length));
}

function fade() {
  const box = $("refusal")?.parentElement;
  if (box?.matches(":focus-within")) timer = setTimeout(fade, 1000); else box?.classList.add("past");
}

export function dismiss() {
  if (document.activeElement?.id === "dismiss") $("status")?.focus();
  refuse("");
}

addEventListener("pointerdown", (e) => { if (!e.target.closest("#dismiss")) refuse(""); });
document.addEventListener("click", (e) => { if (e.target.closest("#dismiss")) dismiss(); });
if ($("refusal")?.textContent) tell($("refusal"), $("refusal").textContent);
