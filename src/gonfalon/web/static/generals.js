// What styles cannot do when a card or general is taken up: the same tap again or one beside puts it down, whom it is for is
// chosen by a tap on what lights up, an act waits until it is paid, and the cards of least use are suggested. All of it stays
// in this page until it is sent, at once. The server asks for the rest, or refuses, without this script.
import { own } from "./draft.js";
import { refuse } from "./refusal.js";

const $ = (id) => document.getElementById(id);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const pays = () => all(".pays input"), paid = () => pays().filter((el) => el.checked);
const draft = () => all(".draft").find((el) => el.checkVisibility());
const lifted = () => all(".lift:checked")[0];
const down = () => { $("go")?.reset(); setTimeout(draw); };
const none = () => { own.at = own.effect = ""; };                        // who does it, and which effect is drafted

// The button that sends a draft: where there are targets, the way to do it that was chosen.
function way(open) {
  if (!open?.matches("[data-plan]")) return null;
  const ways = all(".commit", open);
  return ways.length === 1 ? ways[0] : ways.find((el) => el.value === own.at);
}

// The targets of a draft: those of the way that was chosen are shown, and as many can be chosen as the rules let.
function drawAims(open, chosen) {
  const value = chosen?.value || "-", mine = [], has = (words) => words.split(" ").includes(value);
  for (const el of all('[name="aim"]')) {
    const of = Boolean(chosen) && open.contains(el) && has(el.dataset.of), fixed = of && has(el.dataset.fixed);
    el.closest("label").hidden = !of;
    if (fixed || !of) el.checked = fixed;
    el.disabled = fixed || !of;
    if (of && !fixed) mine.push(el);
  }
  const picked = mine.filter((el) => el.checked), most = Number(chosen?.dataset.most), one = chosen && "zone" in chosen.dataset;
  for (const el of mine) {
    const away = one && picked.length > 0 && picked[0].dataset.in !== el.dataset.in;
    el.disabled = !el.checked && most > 1 && (away || picked.length >= most);
  }
  const places = new Map(mine.map((el) => [el.value, el]));
  for (const el of all("[data-id]")) {
    const aim = places.get(el.dataset.id);
    el.classList.toggle("aimable", Boolean(aim && !aim.disabled));
    el.classList.toggle("chosen", Boolean(aim?.checked));
  }
  return { picked: picked.length, aims: mine.length };
}

function draw() {
  for (const el of all(".effect")) el.hidden = el.id !== own.effect;
  const open = draft(), chosen = way(open), plans = open?.matches("[data-plan]"), table = all(".generals")[0];
  const due = plans && !chosen ? 0 : Number(open?.dataset.pays ?? 0), left = due - paid().length;
  table?.classList.toggle("planning", Boolean(chosen));
  table?.classList.toggle("paying", Boolean(chosen) && due > 0);
  const { picked, aims } = drawAims(open, chosen);
  for (const el of pays()) el.disabled = left <= 0 && !el.checked;
  for (const el of open ? all(".commit", open) : []) {
    el.hidden = Boolean(chosen) && el !== chosen;
    el.classList.toggle("primary", el === chosen || !el.name);
    el.disabled = plans && !chosen ? false : left !== 0 || picked < Number(chosen?.dataset.least ?? 0) && aims > 0;
  }
  const said = open?.querySelector(".said"), text = due ? `${due - left} of ${due} paid` : "";
  if (said && said.textContent !== text) said.textContent = text;
  if (open) all(".payments > span", open).forEach((el, n) => { el.textContent = paid()[n]?.closest(".slot").querySelector(".name").textContent ?? ""; });
  laid = lifted() && open ? { lift: lifted().id, cards: paid().map((el) => el.id) } : null;
}

// A push from elsewhere keeps what is laid out as long as its cards are there.
let laid = null, sent = false;
function pushed() {
  const gone = laid && !sent && !(lifted()?.id === laid.lift && laid.cards.every((id) => $(id)?.checked));
  if (sent || gone) { none(); sent = false; }
  if (gone) {
    $("go")?.reset();
    for (const el of pays()) el.checked = false;
    refuse("The table has changed: what you had laid out is back where it was.");
  }
  draw();
}

// Where one target is chosen another tap chooses another.
function choose(aim) {
  if (aim.checked && way(draft())?.dataset.most === "1") for (const el of all('[name="aim"]', draft())) if (el !== aim) el.checked = el.disabled && el.checked;
}

// Taps on the table and in the dock, before anything else takes them.
addEventListener("click", (e) => {
  const open = draft(), on = e.target.closest(".aimable, .unit.chosen"), to = e.target.closest('[name="at"]');
  if (on && !e.target.closest(".full")) all('[name="aim"]', open).find((el) => el.value === on.dataset.id).click();
  else if (to?.dataset.opens) [own.effect, own.at] = [to.dataset.opens, ""];
  else if (to && open?.matches("[data-plan]") && to !== way(open)) own.at = to.value;
  else return;
  e.preventDefault();
  e.stopImmediatePropagation();
  draw();
  const now = document.activeElement;
  if (!now.checkVisibility() || now === document.body || to) (draft()?.querySelector('[name="aim"]:enabled, .commit:enabled') ?? $("status"))?.focus({ preventScroll: true });
}, true);

let was;
document.addEventListener("pointerdown", (e) => { was = e.target.closest("label")?.querySelector(".lift:checked"); });
document.addEventListener("click", (e) => {
  if (e.target.matches(".lift") && e.target === was) down();
  else if (e.target.closest(".field") && !e.target.closest("button, label, .full") && lifted()) down();
  if (!e.target.closest("[data-least-use]")) return;
  const least = pays().filter((el) => el.closest(".pays").checkVisibility()).sort((a, b) => a.dataset.use - b.dataset.use);
  for (const el of least.slice(0, Number(draft().dataset.pays))) if (paid().length < draft().dataset.pays) el.checked = true;
  draw();
});
// Enter commits what is complete, from wherever the hand is.
addEventListener("keydown", (e) => {
  const open = e.key === "Enter" && e.target.matches(".fan input, .aims input") && draft(), ready = open ? all(".commit:enabled", open).filter((el) => el.checkVisibility()) : [];
  if (ready.length !== 1 || open.matches("[data-plan]") && !way(open)) return;
  e.preventDefault();
  ready[0].click();
}, true);
document.addEventListener("change", (e) => {
  if (e.target.matches(".lift")) {
    none();
    sent = false;
    for (const el of [...pays(), ...all('[name="aim"]')]) el.checked = false;
  }
  if (e.target.matches('[name="aim"]')) choose(e.target);
  draw();
});
// The arrow from an attacker to its target, under both: the tip is half way.
function aim() {
  const [o, a, b] = [".aim", ".acting", ".aimed, .hurt"].map((selector) => all(selector)[0]?.getBoundingClientRect());
  if (!o || !a || !b) return;
  const middle = (p, q = p) => [(p.x + p.right + q.x + q.right) / 4 - o.x, (p.y + p.bottom + q.y + q.bottom) / 4 - o.y];
  for (const el of all(".aim > path")) el.setAttribute("d", `M${[middle(a), middle(a, b), middle(b)]}`);
}
for (const moved of ["resize", "transitionend"]) addEventListener(moved, aim);

// The window closes for everybody at the same time; under reduced motion it does so second by second.
const calm = matchMedia("(prefers-reduced-motion: reduce)");
function burn() {
  const fuse = all("[data-fuse]")[0], seconds = Number(fuse?.dataset.fuse);
  if (!fuse || fuse.getAnimations().length) return;
  const easing = calm.matches ? `steps(${Math.max(1, Math.round(seconds))})` : "linear";
  fuse.animate([{ transform: "none" }, { transform: "scaleX(0)" }], { duration: 1000 * seconds, easing, fill: "both" });
}

addEventListener("submit", () => { sent = true; });
document.addEventListener("reset", () => { none(); setTimeout(draw); });
document.addEventListener("board", () => { pushed(); burn(); aim(); });
draw();
burn();
aim();
