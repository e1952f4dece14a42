// A refusal: its sentence in the news line, its rule behind an i, and a tag of two or three words at the place that it concerns.
// It goes by its own button, by the next touch, and by itself after a while.
const $ = (id) => document.getElementById(id);
const TAG = 2500, LEAST = 4000, LETTER = 60;                             // milliseconds
let timer, tag;

export function refuse(text, about) {
  const box = $("refusal");
  clearTimeout(timer);
  tag?.remove();
  if (!box) return;                                                      // the curtain has fallen meanwhile
  box.textContent = "";
  if (text) timer = setTimeout(tell, 20, box, text, about);              // emptied first, so that the same sentence is read twice
}

function tell(box, text, { tag: words, rule, at } = {}) {
  const more = $("rule");
  box.textContent = text;
  if (more) {
    const link = more.lastElementChild;
    Object.assign(more, { hidden: !rule, open: false });
    link.textContent = rule ?? "";
    link.hash = `ruling-${/\d+/.exec(rule) ?? ""}`;
  }
  if (words && at) {
    tag = Object.assign(document.createElement("span"), { className: "nope", ariaHidden: "true", textContent: words });
    at.append(tag);
    setTimeout((old) => old.remove(), TAG, tag);
  }
  timer = setTimeout(fade, Math.max(LEAST, LETTER * text.length));
}

function fade() {
  if (document.querySelector(".news-no")?.matches(":focus-within, :has([open])")) timer = setTimeout(fade, 1000); else refuse("");
}

export function dismiss() {
  if (document.activeElement?.id === "dismiss") $("status")?.focus();
  refuse("");
}

addEventListener("pointerdown", (e) => { if (!e.target.closest(".news-no")) refuse(""); });
document.addEventListener("click", (e) => { if (e.target.closest("#dismiss")) dismiss(); });
