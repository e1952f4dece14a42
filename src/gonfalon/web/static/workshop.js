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
const bench = document.getElementById("bench"), refusal = bench.querySelector(".refusal");
bench.addEventListener("input", () => { refusal.textContent = ""; });   // it was about what stood there then
bench.addEventListener("change", () => {   // the address stays a link to what stands there
  const said = new URLSearchParams(new FormData(bench));
  said.delete("find");   // what is looked for is not there yet
  for (const field of bench.querySelectorAll(".knob [name]"))
    if (field.value === field.closest(".knob").dataset.comes) said.delete(field.name);
  for (const [name, value] of [...said]) if (value === "") said.delete(name);
  history.replaceState(null, "", `?${said}`);
});
document.documentElement.classList.add("js");
