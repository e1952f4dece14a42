// The form of a table: the decks of this device, and factions that exclude each other.
import "./bring.js";
import "./lobby.js";
import "./own_cards.js";

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
