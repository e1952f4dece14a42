// Before a proved deal: this device seals a share for each of its seats, and opens it when everybody has sealed theirs.
import { closed, keep, kept, random } from "./proof.js";

const sent = new Set();

async function post(fields) {
  const body = new URLSearchParams(fields), once = body.toString();
  if (sent.has(once)) return;
  sent.add(once);
  try {
    const answer = await fetch("share", { method: "POST", body, headers: { "X-Live": "1" } });
    if (answer.ok || answer.status === 409) return; // what has changed meanwhile is pushed
  } catch { /* the connection is lost */ }
  setTimeout(() => {
    sent.delete(once);
    step();
  }, 2000);
}

function step() {
  const panel = document.getElementById("proof");
  if (!panel) return;
  const { game, commitment, attempt, opening, setup } = panel.dataset;
  const seats = [...panel.querySelectorAll("[data-seat]")].map((row) => row.dataset);
  const shut = seats.map((row) => row.closed || null);
  const mine = kept(commitment) ?? { game, attempt: Number(attempt), closed: shut, shares: {} };
  let elsewhere = false;
  for (const [seat, row] of seats.entries()) {
    if (!("mine" in row) || "opened" in row) continue;
    if (!opening && !("said" in row)) {
      mine.shares[seat] ??= random();
      keep(commitment, mine);
      post({ attempt, seat, closed: closed(commitment, seat, mine.shares[seat]) });
    } else if (opening && row.closed) {
      const share = mine.shares[seat];
      if (share && closed(commitment, seat, share) === row.closed) {
        keep(commitment, { ...mine, closed: shut, setup });
        post({ attempt, seat, opened: share });
      } else elsewhere = true;
    }
  }
  const note = document.getElementById("share-note");
  const words = elsewhere
    ? "Another device of yours has sealed the share of this seat: open this table there. If that cannot be, say here that you are not ready after all, and be ready again." : "";
  if (note.textContent !== words) note.textContent = words; // written anew it would be news once more
}

new MutationObserver(step).observe(document.getElementById("main"), { childList: true, subtree: true, attributes: true, attributeFilter: ["data-commitment", "data-opening", "data-said", "data-opened", "data-closed"] });
step();
