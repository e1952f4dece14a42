// A finished game whose deal was proved: this device works out everything again, and looks for what it has kept itself.
import { closed, commitment, file, kept, keptGames, pick, root, seed, setup } from "./proof.js";

const own = document.getElementById("own"), list = document.getElementById("own-findings");
const { game, attempt, commitment: committed, secret, setup: chosen, rules, data, options } = own.dataset;
const shares = [...document.querySelectorAll("[data-share]")].map((row) => ({ shut: row.dataset.closed || null, share: row.dataset.opened || null }));
const draws = [...document.querySelectorAll("[data-nth]")].map((row) => row.dataset);

function say(holds, good, bad) {
  const line = document.getElementById("finding").content.firstElementChild.cloneNode(true);
  const icons = [...line.querySelectorAll(".icon")], shown = holds === null ? 2 : holds ? 0 : 1;
  icons.forEach((icon, i) => i === shown || icon.remove());
  line.className = ["finding-good", "finding-bad", "finding-note"][shown];
  line.lastElementChild.textContent = holds === false ? `Fails: ${bad}` : good;
  list.append(line);
}

const sealed = commitment(game, Number(attempt), secret) === committed && setup(secret, game, rules, data, options) === chosen
  && shares.every(({ shut, share }, seat) => (shut === null ? share === null : share !== null && closed(committed, seat, share) === shut));
say(sealed, "Secret, shares and options are those that were sealed.", "secret, shares or options are not those that were sealed.");

const key = root(committed, secret, shares.map(({ share }) => share));
const right = draws.filter(({ nth, given, weights, ...rest }) =>
  ("seed" in rest ? seed(key, nth).toString() : String(pick(key, nth, weights.split(" ").map(Number)))) === given).length;
say(right === draws.length, `Everything that chance gave is what it had to give: ${draws.length} in all.`, `${draws.length - right} of ${draws.length} draws are not what chance had to give.`);

const plain = (text) => text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").split(/\s+/).filter(Boolean).join(" ");
const same = (one, other) => JSON.stringify(one.map(plain)) === JSON.stringify(other.map(plain));

// What this device was shown of the game, against the record and the log that follows from it.
async function compare(games) {
  if (!games.length) return say(null, "This device has kept nothing of the game itself, so its moves are not compared.");
  let record;
  try {
    record = await (await fetch("record.json")).json();
  } catch {
    return say(null, "The record cannot be loaded just now, so its moves are not compared.");
  }
  const logs = JSON.parse(document.getElementById("own-logs").textContent);
  for (const { seat, names, decisions, log, over } of games) {
    const own = record.decisions.filter(([who]) => who === seat).map(([, what]) => what), who = `at the seat of ${names[seat]}`;
    say(same(names, record.names), `The record has the names that this device was shown ${who}.`, `the record has other names than this device was shown ${who}.`);
    const tells = same(own.slice(0, over ? own.length : decisions.length), decisions) && (!over || same(logs[seat] ?? log, log));
    say(tells, `The record tells the game that this device was shown ${who}${over ? "" : ", as far as it saw that"}.`, `the record tells another game than this device was shown ${who}; gonfalon verify says where.`);
  }
}

const mine = kept(committed);
if (mine) {
  const seats = Object.entries(mine.shares);
  const same = seats.every(([seat, share]) => shares[seat]?.share === share) && mine.closed.every((shut, seat) => shut === shares[seat].shut) && mine.setup === chosen;
  say(same, "The share that this device has sealed is in the deal, among the seals that it was shown.", "this device has kept another share, or other seals.");
  await compare(keptGames(committed));
  const save = document.getElementById("own-save");
  save.hidden = false;
  save.onclick = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([file(committed)], { type: "application/json" }));
    link.download = "mine.json";
    link.click();
    URL.revokeObjectURL(link.href);
  };
} else say(null, "This device has sealed no share here, or has forgotten it: it knows the seals from this server alone.");
own.hidden = false;
