// SHA-256 and HMAC. The browser's own (crypto.subtle) is missing where a table is reached by plain http, as at home.

const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
const word = (x) => ((x % 1) * 2 ** 32) >>> 0;
const FIRST = primes.slice(0, 8).map((p) => word(Math.sqrt(p)));
const ROUND = primes.map((p) => word(Math.cbrt(p)));
const turn = (x, by) => (x >>> by) | (x << (32 - by));

function mix(state, view, at) {
  const w = new Uint32Array(64);
  for (let i = 0; i < 64; i++) {
    const a = w[i - 15], b = w[i - 2];
    w[i] = i < 16 ? view.getUint32(at + 4 * i)
      : w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i] + w[i]) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((x, i) => (state[i] += x));
}

export function sha256(bytes) {
  const blocks = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.length - 4, bytes.length * 8);
  const state = Uint32Array.from(FIRST);
  for (let at = 0; at < blocks.length; at += 64) mix(state, view, at);
  const found = new DataView(new ArrayBuffer(32));
  state.forEach((x, i) => found.setUint32(4 * i, x));
  return new Uint8Array(found.buffer);
}

// The key has at most 64 bytes.
export function hmac(key, bytes) {
  const padded = (by) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ by);
  return sha256(Uint8Array.of(...padded(0x5c), ...sha256(Uint8Array.of(...padded(0x36), ...bytes))));
}
