// The end of a game: its pictures move once, and any key or touch stops that. The decisions that mattered come from a
// review, which a player's page requests and then follows.
import { ask } from "./ask.js";
import { morph } from "./morph.js";
import { session } from "./stage.js";

const KEY = `ended ${location.pathname}`, PAUSE = 1000;                    // milliseconds
const box = () => document.getElementById("decisions");
let looking = false;

function still() {
  for (const one of document.getAnimations()) if (one.effect?.target?.closest(".end")) one.finish();
}

function begin() {
  if (!document.getElementById("end")) return;
  if (session.get(KEY)) still();
  else document.getElementById("log-drawer").open = false;
  session.set(KEY, "told");
  if (!looking) look();
}

async function look() {
  looking = true;
  for (let way; (way = box()?.dataset.look);) {
    try {
      if (way === "ask" && !(await ask("review", { method: "POST" })).answer.ok) break;
      if (way === "wait") await new Promise((done) => setTimeout(done, PAUSE));
      const { answer, text } = await ask("decisions");
      if (answer.status !== 200 || !box()) break;
      morph(box(), text);
    } catch {
      await new Promise((done) => setTimeout(done, 5 * PAUSE));            // the connection is away for a while
    }
  }
  looking = false;
}

document.addEventListener("board", begin);
for (const touch of ["keydown", "pointerdown", "wheel"]) addEventListener(touch, still, { passive: true });
begin();
