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
const refusal = document.querySelector("#bench .refusal");
document.getElementById("bench").addEventListener("input", () => { refusal.textContent = ""; });   // it was about what stood there then
document.documentElement.classList.add("js");
