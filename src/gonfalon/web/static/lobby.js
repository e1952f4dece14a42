// The lobby: the whole form of a game in a sheet instead of on a page of its own, and the decks of this device among
// those to choose from. Without this script the same link leads to the page.
import { decks, link } from "./shelf.js";

function shelve(root) {
  for (const select of root.querySelectorAll("select[data-shelf]")) {
    const kept = decks(select.dataset.shelf).filter((deck) => deck.d);
    if (!kept.length) continue;
    const there = [...select.options].map((option) => option.value);
    const group = Object.assign(document.createElement("optgroup"), { label: "On your shelf" });
    for (const deck of kept) if (!there.includes(link(deck))) group.append(new Option(deck.name || "A deck without a name", link(deck)));
    if (group.children.length) select.prepend(group);
  }
}

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
    opener = way;
    sheet.showModal();
    sheet.scrollTop = 0;
  } catch { location.href = way.href; }
});
sheet?.addEventListener("click", (e) => { if (e.target === sheet) sheet.close(); });
sheet?.addEventListener("close", () => { body.replaceChildren(); opener?.focus(); });
shelve(document);

// The menus of the bar fold by a click elsewhere and by Escape.
const menus = () => document.querySelectorAll(".bar details[open]");
document.addEventListener("click", (e) => { for (const menu of menus()) if (!menu.contains(e.target)) menu.open = false; });
document.addEventListener("keydown", (e) => { if (e.key === "Escape") for (const menu of menus()) { menu.open = false; menu.querySelector("summary").focus(); } });
