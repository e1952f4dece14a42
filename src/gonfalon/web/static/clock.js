// Clocks count down from what the server said: what was left when they began to run, and when that was by its own clock.
const born = Number(document.body.dataset.now) * 1000;
const came = Date.now() - performance.now() + (performance.getEntriesByType("navigation")[0]?.responseStart ?? 0);
const now = () => Date.now() - came + born;                              // by the server's clock
const LOW = 20000, SAID = [[20, "Twenty seconds left."], [60, "One minute left."]];
const two = (number) => String(number).padStart(2, "0");

function text(left) {
  const s = Math.max(0, Math.ceil(left / 1000)), hours = Math.floor(s / 3600), rest = `${Math.floor(s / 60) % 60}`;
  if (s >= 86400) return `${Math.floor(s / 86400)} d ${hours % 24} h`;
  return hours ? `${hours}:${two(rest)}:${two(s % 60)}` : `${rest}:${two(s % 60)}`;
}

// The seats of the board show who is here and their clocks; the bar has both for screen readers, and without scripts.
function seat() {
  for (const el of document.querySelectorAll("[data-at]")) {
    const chair = document.getElementById(`at-${el.dataset.at}`), is = /chair-(here|lost|away|bot|nobody)/.exec(chair?.className)?.[1];
    if (!is) continue;
    if (el.dataset.is !== is) el.dataset.is = is;
    el.replaceChildren(...[is === "bot" ? chair.querySelector(".icon") : null, chair.querySelector(".chair-says")].flatMap((one) => one ? [one.cloneNode(true)] : []));
  }
}
for (const news of ["seats", "board"]) document.addEventListener(news, seat);
seat();

let said = Infinity;
function tick() {
  if (document.getElementById("net")?.dataset.state === "lost") return;  // while the server is away no clock runs
  let own = Infinity, runs;
  for (const el of document.querySelectorAll("#seats [data-ms]")) {
    const since = Number(el.dataset.since || Infinity), ran = Math.max(0, now() - since * 1000), left = el.dataset.ms - ran;
    const figures = text(left);
    if (el.textContent !== figures) el.textContent = figures;
    const box = el.closest(".clock");
    box.classList.toggle("low", !box.matches(".clock-free") && left <= LOW);
    box.hidden = box.matches(".clock-free") && left <= 0;
    const mine = box.matches(".chair-mine .clock");
    if (since * 1000 <= now()) {
      if (mine) own = left / 1000;
      if (mine || !runs) runs = box;
    }
  }
  say(own);
  for (const el of document.querySelectorAll("[data-clock]")) {
    const box = document.querySelector(`#at-${el.dataset.clock} .clock`);
    el.hidden = !box;
    el.className = `seat-clock ${box?.className ?? "clock"}`;
    el.textContent = box ? (box.querySelector("[data-ms]") ?? box).textContent : "";
  }
  const row = document.getElementById("prompt-clock");                   // the one that runs, one's own first
  if (!row) return;
  row.hidden = !runs || runs.hidden;
  row.textContent = runs?.querySelector("[data-ms]").textContent ?? "";
  row.classList.toggle("low", Boolean(runs?.matches(".low")));
}

// Read out a few times only, as one's own clock passes them.
function say(own) {
  const [mark, words] = SAID.find(([seconds]) => own <= seconds) ?? [Infinity, ""];
  const told = document.getElementById("time-left");
  if (own === Infinity || (mark < said && own > 0)) {
    told.setAttribute("aria-live", mark === 20 ? "assertive" : "polite");
    told.textContent = words;
  }
  said = own === Infinity || own > said ? Infinity : mark;
}

if (born) {
  for (const news of ["seats", "board"]) document.addEventListener(news, tick);
  setInterval(tick, 250);
  tick();
}
