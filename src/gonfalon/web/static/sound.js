// Six short sounds, off until somebody turns them on: before that nobody loads this. A moment names its sounds and when they
// come: data-sounds="flip:250 laurel:2550". It imports nothing, since it is loaded beside scripts that were joined.

// For ZzFX: volume, randomness, frequency, attack, sustain, release, shape, curve, slide, -, pitch jump and when, repeat, noise, -, crush, delay, sustain volume, decay.
const SOUNDS = {
  card: [.6, .03, 160, .002, .01, .06, 3, 1.8, -4, 0, 0, 0, 0, .9],
  turn: [.5, 0, 440, .01, .08, .25, 0, 1, 0, 0, 147, .09, 0, 0, 0, 0, 0, .7, .05],
  flip: [.4, .02, 520, .003, .015, .06, 4, 2.4, -18, 0, 0, 0, 0, .5],
  clash: [.6, .02, 196, .002, .04, .32, 2, 1.4, 0, 0, 0, 0, .03, .2, 0, .08, .03, .6, .05],
  drum: [.8, 0, 64, .003, .04, .28, 0, 1.8, -2, 0, 0, 0, 0, .2, 0, 0, 0, .5, .04],
  laurel: [.5, 0, 587, .01, .25, .4, 0, 1, 0, 0, 196, .1, 0, 0, 0, 0, .05, .7, .08],
};
const QUIET = .25, SPELL = 5000;                                         // of the full volume; between two calls to one's turn
const $ = (id) => document.getElementById(id);
let called = 0, due = [];

// The synthesiser opens an audio device as it is read: not before somebody has touched the page.
function load() { document.head.append(Object.assign(document.createElement("script"), { src: new URL("./vendor/zzfx.min.js", import.meta.url) })); }
const on = () => localStorage.getItem("sound") === "on";                   // what loads this has read it there

export function play(name) {
  if (!on() || typeof zzfx === "undefined") return;
  zzfxV = QUIET;
  zzfx(...SOUNDS[name]);
}

document.addEventListener("moment", () => {
  for (const [name, at] of ($("table").querySelector("[data-sounds]")?.dataset.sounds ?? "").split(" ").filter(Boolean).map((one) => one.split(":"))) due.push(setTimeout(play, Number(at), name));
});
document.addEventListener("board", () => {
  for (const one of due.splice(0)) clearTimeout(one);
  if (document.querySelector(".fresh")) play("card");
  if (document.querySelector(".prompt.mine") && (document.hidden || Date.now() - called > SPELL)) { called = Date.now(); play("turn"); }
});

if (navigator.userActivation?.hasBeenActive) load(); else addEventListener("pointerdown", load, { once: true });
