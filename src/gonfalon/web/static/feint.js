// While a card is lifted the row asks where it goes; while cards are marked its button counts them.
const $ = (id) => document.getElementById(id), lifted = () => document.querySelector('#hand input[type="radio"]:checked');

function write(el, text) { if (el && el.textContent !== text) el.textContent = text; }

function draw() {
  const card = lifted();
  const slot = card?.closest(".slot");
  write($("lifted"), slot?.querySelector(".name").textContent ?? "");
  write($("lifted-text"), slot ? slot.querySelector(".lifted-text").textContent || "No ability." : "");
  const n = document.querySelectorAll('#hand input[type="checkbox"]:checked').length;
  write(document.querySelector("[data-done]"), n ? `Discard ${n}, draw to 7` : "Keep all, draw to 7");
}
document.addEventListener("change", draw);
document.addEventListener("reset", () => setTimeout(draw));
document.addEventListener("board", draw);
document.addEventListener("click", (e) => { if (e.target.closest('[data-do="read"]')) lifted()?.closest(".slot").querySelector(".info").click(); });
draw();
