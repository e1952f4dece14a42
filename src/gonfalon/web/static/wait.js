// Before the deal: who comes and who is ready is pushed; when the game begins, its page is loaded.
import { reader } from "./frames.js";
import { morph } from "./morph.js";

const net = document.getElementById("net");
function say(state, words) {
  if (net.dataset.state === state) return;
  net.dataset.state = state;
  net.querySelector(".net-words").textContent = words;
}

const last = {};
function listen(wait = 250) {
  const socket = new WebSocket(new URL("live", location.href.replace(/^http/, "ws")));
  socket.onopen = () => {
    wait = 250;
    say("on", "live");
  };
  socket.onmessage = reader((part, html) => {
    const mine = part === "table";
    if (mine && !html.includes("data-waits")) return location.replace("./");
    if (last[part] !== html && !(mine && !(part in last) && document.getElementById("refusal")?.textContent)) {
      const held = document.activeElement;
      morph(document.getElementById(part), html);
      if (held && held !== document.body && !held.isConnected) document.getElementById("status").focus();
      document.dispatchEvent(new Event("board"));
    }
    last[part] = html;
  }, () => socket.close());
  socket.onclose = () => {
    say("lost", "reconnecting …");
    setTimeout(listen, wait * (0.7 + 0.6 * Math.random()), Math.min(wait * 2, 10000));
  };
}

document.documentElement.classList.add("js");
if (!location.pathname.endsWith("/")) history.replaceState(null, "", "./");
listen();
