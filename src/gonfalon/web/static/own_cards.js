// Own cards of a new table: checked while they are typed, and read from a file of the device.
import { refuseSize } from "./drop.js";

const field = document.getElementById("cards"), said = document.getElementById("cards-check"), file = document.getElementById("cards-file");
let timer, latest = 0;

function refuse(words) {
  const line = Object.assign(document.createElement("p"), { className: "refusal", textContent: words });
  said.replaceChildren(line);
  field.setAttribute("aria-invalid", "");
}

async function check() {
  const mine = ++latest;
  if (!field.value.trim()) return said.replaceChildren();
  const large = refuseSize(new Blob([field.value]), Number(field.dataset.most), "These cards are");
  if (large) return refuse(large);
  try {
    const body = new FormData();
    body.set("cards", field.value);
    const answer = await fetch(field.dataset.check, { method: "POST", body });
    const html = answer.ok ? await answer.text() : "";
    if (mine !== latest) return;
    if (html) said.innerHTML = html; else said.textContent = "The cards were not checked. Try again in a moment.";
    field.toggleAttribute("aria-invalid", Boolean(said.querySelector(".refusal")));
  } catch { if (mine === latest) said.textContent = "No connection: the cards are checked when you open the table."; }
}

field?.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(check, 400); });
file?.addEventListener("change", async () => {
  const [chosen] = file.files;
  if (!chosen) return;
  latest++;
  const large = refuseSize(chosen, Number(field.dataset.most));
  if (large) return refuse(large);
  try { field.value = new TextDecoder("utf-8", { fatal: true }).decode(await chosen.arrayBuffer()); } catch { return refuse(`${chosen.name} is not UTF-8 text.`); }
  check();
});
