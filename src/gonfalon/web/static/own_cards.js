// Own cards of a new table: checked while they are typed, and read from a file of the device.
const field = document.getElementById("cards"), said = document.getElementById("cards-check"), file = document.getElementById("cards-file");
let timer, latest = 0;

async function check() {
  const mine = ++latest;
  if (!field.value.trim()) return said.replaceChildren();
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
  if (chosen.size > field.maxLength) { said.textContent = `This file is too large: ${Math.ceil(chosen.size / 1024)} kB of at most ${Math.floor(field.maxLength / 1000)}.`; return; }
  field.value = await chosen.text();
  check();
});
