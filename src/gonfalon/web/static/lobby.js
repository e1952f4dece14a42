// The lobby: the whole form of a game in a sheet instead of on a page of its own. Without this script the same link leads to
// the page.
import { shelve } from "./bring.js";

const sheet = document.getElementById("sheet"), body = document.getElementById("sheet-body");
let opener;
document.addEventListener("click", async (e) => {
  const way = e.target.closest("a[data-sheet]");
  if (!way || e.ctrlKey || e.metaKey || e.shiftKey) return;
  e.preventDefault();
  try {
    const answer = await fetch(way.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("whole");
    if (!page || !answer.ok) throw new Error("no form");
    page.querySelector("h1").outerHTML = page.querySelector("h1").outerHTML.replaceAll("h1", "h2");
    body.replaceChildren(document.adoptNode(page));
    shelve(body);
    part(body);
    opener = way;
    sheet.showModal();
    sheet.scrollTop = 0;
  } catch { location.href = way.href; }
});
sheet?.addEventListener("click", (e) => { if (e.target === sheet) sheet.close(); });
sheet?.addEventListener("close", () => { body.replaceChildren(); opener?.focus(); });

// Both sides lead the same faction only in a mirror match: elsewhere the opponent is not offered one's own.
function part(root) {
  for (const form of root.querySelectorAll(".open-table:has([name=mirror])")) {
    const own = form.querySelector('[name="factions.0"]:checked')?.value, others = [...form.querySelectorAll('[name="factions.1"]')];
    for (const one of others) one.disabled = one.value === own && form.elements.mirror.value !== "true";
    if (others.some((one) => one.checked && one.disabled)) others.find((one) => !one.disabled).checked = true;
  }
}
document.addEventListener("change", (e) => part(e.target.closest(".open-table")?.parentElement ?? document));
part(document);

// The menus of the bar fold by a click elsewhere and by Escape.
const menus = () => document.querySelectorAll(".bar details[open]");
document.addEventListener("click", (e) => { for (const menu of menus()) if (!menu.contains(e.target)) menu.open = false; });
document.addEventListener("keydown", (e) => { if (e.key === "Escape") for (const menu of menus()) { menu.open = false; menu.querySelector("summary").focus(); } });
