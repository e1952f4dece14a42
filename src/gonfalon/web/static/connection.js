// The socket by which the server pushes what changes. A dead one looks alive, so the server sends a heartbeat every 20 seconds:
// after 40 seconds of silence the page reconnects, and whenever it is looked at again or the network returns a new socket
// replaces the old one. A page that has been hidden for a while says so: it is then told only whether its player is asked. The
// server lets a page with the files of another version reload.
import { reader } from "./frames.js";

const BANNED = 4403;
const SILENCE = 40000, OPENING = 10000, GLANCE = 3000, CHECK = 5000, HIDDEN = 10000;      // milliseconds
const FILES = import.meta.url.split("/").at(-2);
const age = (then) => Math.abs(Date.now() - then);                        // a clock that was set back proves nothing

function net(state, words) {
  const el = document.getElementById("net");
  if (el.dataset.state === state) return;
  el.dataset.state = state;
  el.querySelector(".net-words").textContent = words;
}

function tell(words) {
  net("lost", words);
  for (const el of document.querySelectorAll(".news-off")) el.lastChild.data = words;
}

export function connect(show, mayRest = () => false) {
  let live, next, retry, rest, resting = false, wait = 250, begun = 0, heard = 0;

  function open() {
    clearTimeout(retry);
    next?.close();
    const mine = next = new WebSocket(new URL(`live?files=${FILES}`, location.href.replace(/^http/, "ws")));
    const read = reader((part, html) => { if (mine === live) show(part, html); }, () => mine.close());
    begun = Date.now();
    mine.onopen = () => {
      const old = live;
      [live, next, wait, heard] = [mine, null, 250, Date.now()];
      old?.close();
      if (resting) live.send("hidden");
      net("on", "live");
    };
    mine.onmessage = (e) => {
      heard = Date.now();
      if (e.data.size) read(e);                                           // a heartbeat is empty
    };
    mine.onclose = (e) => {
      if (e.code === BANNED) return tell(e.reason);                       // it would be closed again
      if (mine === live) live = null;
      else if (mine === next) next = null;
      else return;
      if (!live && !next) lose();
    };
  }
  function lose() {
    net("lost", "reconnecting …");
    retry = setTimeout(open, wait * (0.7 + 0.6 * Math.random()));
    wait = Math.min(wait * 2, 3000);
  }
  function check() {
    if (next) {
      if (age(begun) > OPENING) next.close();
    } else if (live && age(heard) > SILENCE) {
      live.close();
      live = null;
      lose();
    }
  }
  function look() {
    clearTimeout(rest);
    if (document.hidden) rest = setTimeout(hide, HIDDEN);
    else if (resting || age(live ? heard : begun) > GLANCE) {
      resting = false;
      open();
    }
  }
  function hide() {
    resting = mayRest();
    if (resting && live) live.send("hidden");
  }

  open();
  setInterval(check, CHECK);
  addEventListener("online", open);
  addEventListener("focus", look);
  document.addEventListener("visibilitychange", look);
  return { open, heard: () => live ? heard : 0 };                         // when the server was heard last; never over a lost connection
}
