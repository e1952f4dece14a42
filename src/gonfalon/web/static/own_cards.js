// Own cards of a new table: checked while they are typed, and read from a file of the device.
import { refuseSize } from "./drop.js";

const field = document.getElementById("cards"), said = document.getElementById("cards-check"), file = document.getElementById("cards-file");
let timer, latest = 0;

function refuse(file) {
  const words = refuseSize(file, Number(field.dataset.most));
  if (words) said.textContent = words;
  return Boolean(words);
}
async function check() {
  const mine = ++latest;
  if (!field.value.trim()) return said.replaceChildren();
  if (refuse(new Blob([field.value]))) return;
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
  if (!chosen || refuse(chosen)) return;
  field.value = await chosen.text();
  check();
});
