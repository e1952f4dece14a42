// At a table with a proved deal this device keeps the game as it is shown, to compare it with the record at the end.
import { keepGame } from "./proof.js";

function note() {
  const list = document.getElementById("log-list");
  if (!list?.dataset.told) return;                                       // the curtain, a moment, or somebody who only watches
  const { commitment, ...game } = JSON.parse(list.dataset.told);
  keepGame(commitment, { ...game, log: Array.from(list.children, sentence) });
}

// Without the mark of a private line, which is no part of it.
function sentence(line) {
  const copy = line.cloneNode(true);
  copy.querySelector(".only")?.remove();
  return copy.textContent.trim();
}

document.addEventListener("board", note);
note();
