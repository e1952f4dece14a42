// Before the deal: who comes and who is ready is pushed; when the game begins, its page is loaded.
import { connect } from "./connection.js";
import { morph } from "./morph.js";

const last = {};
function arrive(part, html) {
  const mine = part === "table";
  if (mine && !html.includes("data-waits")) return location.replace("./");
  if (last[part] !== html && !(mine && !(part in last) && document.getElementById("refusal")?.textContent)) {
    const held = document.activeElement;
    morph(document.getElementById(part), html);
    if (held && held !== document.body && !held.isConnected) document.getElementById("status").focus();
    document.dispatchEvent(new Event("board"));
  }
  last[part] = html;
}

document.documentElement.classList.add("js");
if (!location.pathname.endsWith("/")) history.replaceState(null, "", "./");
connect(arrive);

// The system's own sheet for sharing, where there is one.
const share = document.getElementById("share"), link = document.getElementById("invite-url");
if (share && navigator.share) {
  share.hidden = false;
  share.onclick = () => navigator.share({ text: share.dataset.text, url: link.value }).catch(() => { /* closed by the player */ });
}
