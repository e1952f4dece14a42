// What happens is seen, and in its order. A frame that follows on moments between two decisions waits until they have been
// shown; what others do stays for a while before the next thing comes. Whoever has seen enough skips: nobody else waits.
import { ask } from "./ask.js";

const PACES = { fast: 0, normal: 700, slow: 1600 };                      // milliseconds that what another has done stays
const SCENE = 5000;                                                      // and a scene without a time of its own, beside the pace
const AT_MOST = 16, MISSED = 3;                                          // scenes and boards that wait to be shown; scenes after an absence
const KEY = `moments ${location.pathname.split("/").slice(0, 4).join("/")}`;
const $ = (id) => document.getElementById(id);

const store = (area) => ({
  get: (key) => { try { return area().getItem(key); } catch { return null; } },
  set: (key, value) => { try { area().setItem(key, value); } catch { /* private windows may refuse: then it lasts until reload */ } },
});
export const session = store(() => sessionStorage);
export const device = store(() => localStorage);
export const pace = () => PACES[device.get("pace")] ?? PACES.normal;
const moments = (html) => Number(/data-moments="(\d+)"/.exec(html)?.[1] ?? 0);
const asks = (html) => html.includes('class="prompt mine');
const looked = () => document.hidden ? new Promise((go) => document.addEventListener("visibilitychange", go, { once: true })) : Promise.resolve();

const now = moments($("table").outerHTML);
let seen = $("end") ? now : Math.max(session.get(KEY) ?? now, now - MISSED), running = false, ends = null;
const frames = [];

const behind = (more) => document.body.classList.toggle("behind", more);    // more is to be shown: "Live" is offered
const saw = (number) => { seen = Math.max(seen, number); session.set(KEY, seen); };

// Waits, while a card is read longer, or until somebody goes on.
function wait(milliseconds) {
  return new Promise((go) => {
    let timer;
    const due = () => { if ($("table").dataset.moment && document.querySelector(":popover-open")) timer = setTimeout(due, 1000); else go(); };
    timer = setTimeout(due, milliseconds);
    ends = () => { clearTimeout(timer); go(); };
  }).finally(() => { ends = null; });
}

// Ends what is shown now: the animation first, then the moment.
export function goOn() {
  if (!ends) return false;
  const moving = $("table").dataset.moment ? document.getAnimations().filter((one) => one.playState === "running" && one.effect?.getTiming().iterations !== Infinity) : [];
  if (moving.length && !$("table").dataset.seconds) for (const one of moving) one.finish();
  else ends();
  return true;
}

export function skip() {
  frames.splice(0, frames.length - 1);
  if (frames.length) saw(moments(frames[0]));
  ends?.();
}

async function tell(number, show) {
  const { answer, text } = await ask(`moment?n=${number}`).catch(() => ({}));
  if (number <= seen) return;                                            // skipped meanwhile
  saw(number);
  if (!answer?.ok) return;                                               // gone by, or no connection
  await looked();
  await show(text);
  document.body.classList.add("staged");
  $("go-on")?.focus({ preventScroll: true });
  document.dispatchEvent(new Event("moment"));
  await wait(1000 * ($("table").dataset.seconds ?? 0) || SCENE + 4 * pace());
}

async function run(show) {
  running = true;
  while (frames.length) {
    const html = frames[0], last = moments(html);
    for (let number = Math.max(seen, last - AT_MOST) + 1; number <= last && number > seen; number++) {
      behind(number < last || frames.length > 1);
      await tell(number, show);
    }
    if (frames[0] !== html) continue;                                    // skipped meanwhile
    frames.shift();
    await show(html);
    document.body.classList.remove("staged");
    behind(frames.length > 0);
    if (!asks(html) && !html.includes("data-passing") && !document.hidden) await wait(pace());
  }
  running = false;
}

// The newest frame; `show` puts one on the page.
export function stage(html, show) {
  frames.push(html);
  if (frames.length > AT_MOST) frames.splice(1, 1);
  if (!running) run(show);
  else if (frames.length > 1) behind(true);
}

document.addEventListener("click", (e) => {
  if (e.target.closest("#skip, [data-skip]")) skip();
  else if (document.body.classList.contains("staged") && e.target.closest("#table") && !e.target.closest("summary, [popovertarget], #log")) goOn();
  else return;
  e.preventDefault();
  e.stopImmediatePropagation();
}, true);
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
  const staged = document.body.classList.contains("staged");
  if (!staged && !(document.body.classList.contains("behind") && e.key === "Escape")) return;
  if (!["Enter", " ", "Escape"].includes(e.key) || e.target.closest("summary, input, textarea, [popovertarget]")) return;
  if (staged && !(e.key === "Escape" && $("table").dataset.seconds)) goOn(); else skip();
  e.preventDefault();
  e.stopImmediatePropagation();
}, true);

// The settings of the menu, which this device remembers.
const heard = () => { if (device.get("sound") === "on") return import("./sound.js"); };
for (const input of document.querySelectorAll("[data-setting]")) {
  const { name, type } = input, kept = device.get(name);
  if (kept !== null) input.checked = kept === (type === "radio" ? input.value : "on");
  input.addEventListener("change", () => {
    device.set(name, type === "radio" ? input.value : input.checked ? "on" : "off");
    if (name === "sound") heard()?.then(({ play }) => setTimeout(play, 400, "card"));
  });
}
heard();
