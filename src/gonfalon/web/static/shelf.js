// The decks kept on this device: for every game a list of {id, d (share code), name}, the latest first.
const key = (game) => `gonfalon.decks.${game}`;
export const most = 60;

export function decks(game) {
  try {
    const found = JSON.parse(localStorage.getItem(key(game)) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => one && typeof one.id === "string" && typeof one.d === "string" && typeof one.name === "string") : [];
  } catch { return []; }
}

// Whether the browser keeps it: it may not let us, or have no room.
function write(game, list) {
  try { localStorage.setItem(key(game), JSON.stringify(list)); return true; } catch { return false; }
}

export const newId = () => Math.random().toString(36).slice(2, 10);
export const keep = (game, deck) => write(game, [deck, ...decks(game).filter((one) => one.id !== deck.id)].slice(0, most));
export const drop = (game, id) => write(game, decks(game).filter((one) => one.id !== id));
