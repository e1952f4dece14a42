// The end of a game is told in motion once, and any key or touch ends that.
import { session } from "./stage.js";

const KEY = `ended ${location.pathname}`;

function still() {
  for (const one of document.getAnimations()) if (one.effect?.target?.closest(".end")) one.finish();
}

function begin() {
  if (!document.getElementById("end")) return;
  if (session.get(KEY)) still();
  session.set(KEY, "told");
}

document.addEventListener("board", begin);
for (const touch of ["keydown", "pointerdown", "wheel"]) addEventListener(touch, still, { passive: true });
begin();
