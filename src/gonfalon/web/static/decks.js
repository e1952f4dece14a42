// The deck builder. Every change is a form; here it is sent by fetch, the page that comes back is morphed in, and the
// address follows. Without this script the same forms load the same pages.
const $ = (id) => document.getElementById(id);

function focus(held, fallback) {
  if (held.isConnected && !held.disabled && document.activeElement === held) return;
  const there = held.id && $(held.id);
  const target = there && !there.disabled ? there : $(fallback);
  target?.focus();
}

async function send(form, name, value, held) {
  const data = new FormData(form);                                     // read now: the answer before this one has changed it
  if (name) data.set(name, value);
  const fields = new URLSearchParams(data);
  const post = form.method === "post";
  const url = new URL(form.action);
  if (!post) url.search = new URLSearchParams([...fields].filter(([, text]) => text));
  try {
    const answer = await fetch(url, post ? { method: "POST", body: fields } : {});
    const next = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("builder");
    if (!next) throw new Error("no builder");
    const filters = [...$("filter").elements].filter((el) => el.id).map((el) => [el.id, el.value]);
    const now = document.activeElement;                                  // who has gone on meanwhile is not called back
    const typed = { text: $("text")?.value, open: $("start").open };
    Idiomorph.morph($("builder"), next.outerHTML);
    for (const [id, chosen] of filters) $(id).value = chosen;            // quick fingers may have chosen on meanwhile
    if (typed.open && value !== "open" && name !== "start") $("start").open = true;
    if (typed.text && $("text") && value !== "open" && name !== "start") $("text").value = typed.text;
    if (answer.ok) history.replaceState(null, "", answer.url);
    const here = now && now !== document.body ? now : held;
    if (here) focus(here, here.dataset?.else ?? "deck");
  } catch {
    const box = $("error");
    box.textContent = "";
    requestAnimationFrame(() => { box.textContent = "No connection: nothing was changed. Try again."; });
  }
}

// One after the other, so that quick fingers lose no card.
let queue = Promise.resolve();
addEventListener("submit", (e) => {
  const form = e.target;
  if (!form.matches("[data-builder]")) return;
  e.preventDefault();
  const by = e.submitter;
  const held = document.activeElement;
  queue = queue.then(() => send(form, by?.name, by?.value, held));
});

addEventListener("change", (e) => {
  if (e.target.matches("select") && e.target.form?.matches("[data-at-once]")) e.target.form.requestSubmit();
});

document.addEventListener("focusin", (e) => { if (e.target.matches(".copy")) e.target.select(); });
document.documentElement.classList.add("js");
