// What styles cannot do when a card or general is taken up: the same tap again or one beside puts it down, an act waits until
// it is paid, and the cards of least use are suggested. The server asks for the rest, or refuses, without this script.
const all = (selector) => [...document.querySelectorAll(selector)];
const pays = () => all(".pays input"), paid = () => pays().filter((el) => el.checked);
const draft = () => all(".draft").find((el) => el.checkVisibility());
const down = () => { document.getElementById("go")?.reset(); setTimeout(draw); };

function draw() {
  const open = draft(), due = Number(open?.dataset.pays ?? 0), left = due - paid().length;
  for (const el of pays()) el.disabled = left <= 0 && !el.checked;
  for (const el of open?.querySelectorAll(".commit") ?? []) el.disabled = left !== 0;
  const said = open?.querySelector(".said"), text = due ? `${due - left} of ${due} paid` : "";
  if (said && said.textContent !== text) said.textContent = text;
}

let was;
document.addEventListener("pointerdown", (e) => { was = e.target.closest("label")?.querySelector(".lift:checked"); });
document.addEventListener("click", (e) => {
  if (e.target.matches(".lift") && e.target === was) down();
  else if (e.target.closest(".field") && !e.target.closest("button, label, .full") && document.querySelector(".lift:checked")) down();
  if (!e.target.closest("[data-least]")) return;
  const least = pays().filter((el) => el.closest(".pays").checkVisibility()).sort((a, b) => a.dataset.use - b.dataset.use);
  for (const el of least.slice(0, Number(draft().dataset.pays))) if (paid().length < draft().dataset.pays) el.checked = true;
  draw();
});
document.addEventListener("change", (e) => {
  if (e.target.matches(".lift")) for (const el of pays()) el.checked = false;
  draw();
});
document.addEventListener("reset", () => setTimeout(draw));
document.addEventListener("board", draw);
draw();
