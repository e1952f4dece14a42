// The shelf's page: the decks of this device as boxes, which the server draws from their codes; what is pasted is read
// as one types.
import "./copy.js";
import { refuseSize, takeDrops } from "./drop.js";
import { decks, drop, keep, newId } from "./shelf.js";

document.documentElement.classList.add("js");
const page = document.querySelector(".shelf"), game = page.dataset.game, url = page.dataset.url;
const list = document.getElementById("boxes"), said = document.getElementById("said");

// Another window may change the shelf while its boxes are still asked for: only the latest answer is shown.
let asked = 0;
async function show() {
  const mine = ++asked, kept = decks(game);
  list.replaceChildren();
  document.getElementById("mine").hidden = !kept.length;
  said.textContent = "";
  if (!kept.length) return;
  const fields = new URLSearchParams(kept.flatMap(({ id, d, name }) => [["id", id], ["d", d], ["name", name]]));
  try {
    const answer = await fetch(`${url}/boxes`, { method: "POST", body: fields });
    if (!answer.ok) throw new Error(answer.statusText);
    const html = await answer.text();
    if (mine !== asked) return;
    list.innerHTML = html;
  } catch { if (mine === asked) said.textContent = `Your ${kept.length} decks could not be shown: no connection. They are safe; try again.`; }
}

document.addEventListener("click", (e) => {
  const button = e.target.closest("[data-do]"), box = button?.closest("[data-id]");
  if (button?.dataset.do === "drop" && box) {
    const name = box.querySelector("h3").textContent, after = box.nextElementSibling;
    drop(game, box.dataset.id);
    box.remove();
    document.getElementById("mine").hidden = !list.children.length;
    said.textContent = `${name} was removed.`;
    (after?.querySelector("a, button") ?? document.getElementById("new")).focus();
  } else if (button?.dataset.do === "keep") {
    const kept = keep(game, { id: newId(), d: button.dataset.d, name: button.dataset.name });
    if (kept) location.href = url;
    else document.getElementById("error").textContent = "This browser keeps nothing for us: there is no room, or it was told not to.";
  } else if (!e.target.closest(".share")) {
    for (const open of document.querySelectorAll(".share[open]")) open.open = false;
  }
});
document.addEventListener("keydown", (e) => {
  const open = e.key === "Escape" && document.querySelector(".share[open]");
  if (open) { open.open = false; open.querySelector("summary").focus(); }
});

const text = document.getElementById("text");
let timer, latest = 0;
async function read(file) {
  const mine = ++latest, body = new FormData(), told = document.getElementById("found");
  const refuse = (words) => { told.innerHTML = '<p id="error" class="refusal"></p>'; told.firstChild.textContent = words; };
  if (!file && !text.value.trim()) return told.replaceChildren();
  body.set(file ? "file" : "text", file ?? text.value);
  try {
    const words = refuseSize(file ?? new Blob([text.value]));
    if (words) return refuse(words);
    const answer = await fetch(url, { method: "POST", body, headers: { "X-Live": "1" } }), html = await answer.text();
    if (mine !== latest) return;
    const page = new DOMParser().parseFromString(html, "text/html"), found = page.getElementById("found");
    if (!found) return refuse(html);
    told.replaceChildren(...found.childNodes);
    if (file) text.value = page.getElementById("text").value;
  } catch { if (mine === latest) refuse("No connection: try again."); }
}
async function paste(file) {
  text.closest("details").open = true;
  clearTimeout(timer);
  await read(file);
  document.getElementById("found").focus({ preventScroll: true });
  document.getElementById("found").scrollIntoView({ block: "nearest" });
}
document.getElementById("file").addEventListener("change", (e) => { if (e.target.files[0]) paste(e.target.files[0]); e.target.value = ""; });
takeDrops("Drop the deck to read it", paste);
text?.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => read(), 400); });
text?.form.addEventListener("submit", (e) => { e.preventDefault(); clearTimeout(timer); read(); });

document.getElementById("new").search = new URLSearchParams({ kept: newId() });
show();
addEventListener("storage", show);
addEventListener("pageshow", (e) => { if (e.persisted) show(); });
