// The bench: a slider and the field beside it say the same, what is changed is marked, and a refusal goes with the next change.
for (const slider of document.querySelectorAll(".slider")) {
  const field = document.getElementById(slider.dataset.for), knob = slider.closest(".knob");
  const mark = () => knob.classList.toggle("changed", field.value !== knob.dataset.comes);
  slider.addEventListener("input", () => {
    field.value = slider.value;
    mark();
  });
  field.addEventListener("input", () => {
    slider.value = field.value;
    mark();
  });
}
let soon;
const bench = document.getElementById("bench"), refusal = bench.querySelector(".refusal");
bench.addEventListener("input", () => { refusal.textContent = ""; });   // it was about what stood there then
bench.addEventListener("change", () => {   // the address stays a link to what stands there
  const said = new URLSearchParams(new FormData(bench));
  said.delete("find");   // what is looked for is not there yet
  for (const field of bench.querySelectorAll(".knob [name]"))
    if (field.value === field.closest(".knob").dataset.comes) said.delete(field.name);
  for (const [name, value] of [...said]) if (value === "") said.delete(name);
  history.replaceState(null, "", `?${said}`);
  clearTimeout(soon);
  soon = setTimeout(tell, 200);              // a key that is held down turns a slider many times a second
});

// What is yours now, or why it cannot be, as the page of that link says it; where none can be had, what stood there stays.
async function tell() {
  const asked = location.href, answer = await fetch(asked).catch(() => null);
  const page = new DOMParser().parseFromString(await answer?.text() ?? "", "text/html"), now = page.getElementById("yours");
  const yours = document.getElementById("yours"), held = yours.querySelector(":focus")?.value;
  if (!now || asked !== location.href) return;
  yours.replaceChildren(...now.childNodes);
  if (held) yours.querySelector(`[name=drop][value="${CSS.escape(held)}"]`)?.focus();
  refusal.textContent = page.querySelector("#bench .refusal").textContent;
}
document.documentElement.classList.add("js");
