// Proved shuffles, as core/files/proof.py tells them; and what this device keeps of its own.
import { hmac, sha256 } from "./sha256.js";

const utf8 = (text) => new TextEncoder().encode(text);
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (two) => parseInt(two, 16));

export const digest = (word, ...parts) => hex(sha256(utf8(JSON.stringify(["gonfalon proof 1", word, ...parts]))));
export const commitment = (game, attempt, secret) => digest("commitment", game, attempt, secret);
export const closed = (committed, seat, share) => digest("share", committed, seat, share);
export const root = (committed, secret, opened) => digest("root", committed, secret, opened);
export const setup = (secret, game, rules, data, options) => digest("setup", secret, game, rules, data, options);
export const random = () => hex(crypto.getRandomValues(new Uint8Array(32)));

const block = (key, n, k) => BigInt("0x" + hex(hmac(bytes(key), utf8(`${n}.${k}`))));
export const seed = (key, n) => block(key, n, 0) >> 194n;

// Which of the outcomes with these weights chance has to give.
export function pick(key, n, weights) {
  const total = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
  const limit = (2n ** 256n / total) * total;
  let k = 0, bits = block(key, n, k);
  while (bits >= limit) bits = block(key, n, ++k);
  let left = Number(bits % total);
  return weights.findIndex((weight) => (left -= weight) < 0);
}

// Eight signs for what everybody was shown before the deal.
export function signs(committed, shut, setup) {
  const value = BigInt("0x" + digest("deal", committed, shut, setup).slice(0, 10));
  const found = Array.from({ length: 8 }, (_, i) => "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[Number((value >> BigInt(35 - 5 * i)) & 31n)]);
  return found.join("").replace(/(.{4})/, "$1 ");
}

// ---- what this device keeps: {game, attempt, closed, setup, shares: {seat: share}, at}, by the server's commitment

const NAME = "gonfalon-shares", TOLD = "gonfalon-told ", MOST = 40, memory = {};

function all() {
  try {
    return { ...JSON.parse(localStorage.getItem(NAME) ?? "{}"), ...memory };
  } catch {
    return memory;
  }
}

export const kept = (committed) => all()[committed];

export function keep(committed, what) {
  memory[committed] = { ...what, at: Date.now() };
  const latest = Object.entries(all()).sort((one, other) => other[1].at - one[1].at);
  try {
    for (const [old] of latest.slice(MOST)) localStorage.removeItem(TOLD + old);
    localStorage.setItem(NAME, JSON.stringify(Object.fromEntries(latest.slice(0, MOST))));
  } catch { /* it is kept as long as this page is open */ }
}

// The game as this device was shown it last, for each of its seats: {seat, names, decisions, log, over}.
export function keptGames(committed) {
  try {
    return JSON.parse(localStorage.getItem(TOLD + committed) ?? "[]");
  } catch {
    return [];
  }
}

export function keepGame(committed, game) {
  if (!kept(committed)) return;                                          // this device has sealed nothing here
  const others = keptGames(committed).filter(({ seat }) => seat !== game.seat);
  try {
    localStorage.setItem(TOLD + committed, JSON.stringify([...others, game]));
  } catch { /* there is no room */ }
}

// The same as a file, for `gonfalon verify --mine`.
export function file(committed) {
  const { game, attempt, closed: shut, setup, shares } = kept(committed);
  const own = Object.entries(shares).map(([seat, share]) => [Number(seat), share]), told = keptGames(committed);
  return JSON.stringify({ format: "gonfalon-share", game, attempt, commitment: committed, closed: shut, setup, shares: own, told }, null, 1);
}
