// The bench: a slider and the field beside it say the same, and what is changed is marked.
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
document.documentElement.classList.add("js");
