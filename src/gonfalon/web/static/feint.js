// Why a Location refuses the chosen card, and how many cards are marked. The server refuses with the same reasons when scripts are off.

// A reason lies on no card: it stands at the end of its place that has room; where none has, only a screen reader meets it here.
function fit(el) {
  el.classList.remove("up", "tight");
  const place = el.closest(".place")?.getBoundingClientRect(), { top, bottom, height } = el.getBoundingClientRect();
  if (!place || !height) return;
  const cards = [...el.parentElement.querySelectorAll(".token, .sum")].map((card) => card.getBoundingClientRect());
  const free = (from, to) => cards.every((card) => card.bottom <= from || card.top >= to);
  if (free(top, bottom)) return;
  el.classList.add("up");
  const up = el.getBoundingClientRect();
  if (!free(up.top, up.bottom)) el.classList.replace("up", "tight");
}

function hint() {
  const card = document.querySelector('#hand input[type="radio"]:checked');
  const why = card ? JSON.parse(card.dataset.why ?? "{}") : {};
  for (const el of document.querySelectorAll(".why")) {
    const text = card ? why[el.id.slice(4)] ?? card.dataset.whyAll ?? "" : "";
    if (el.textContent !== text) el.textContent = text;
    fit(el);
  }
  const done = document.querySelector("[data-done]");
  if (done) {
    const n = document.querySelectorAll('#hand input[type="checkbox"]:checked').length;
    const text = n ? `Discard ${n}, draw to 7` : "Keep all, draw to 7";
    if (done.textContent !== text) done.textContent = text;
  }
}
document.addEventListener("change", hint);
document.addEventListener("reset", () => setTimeout(hint));
document.addEventListener("board", hint);
hint();
