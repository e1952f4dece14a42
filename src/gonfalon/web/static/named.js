// A name that is missing is said under its field: the browser's own bubble would cover the button.
document.addEventListener("invalid", (e) => {
  const says = e.target.form?.querySelector(".name-missing");
  if (!says || e.target.name !== "name") return;
  e.preventDefault();
  says.hidden = false;
  e.target.setAttribute("aria-invalid", "true");
  e.target.setAttribute("aria-describedby", says.id);
  e.target.focus({ preventScroll: true });
  e.target.scrollIntoView({ block: "center" });
}, true);
document.addEventListener("input", (e) => {
  const says = e.target.required && e.target.form?.querySelector(".name-missing");
  if (says) { says.hidden = true; e.target.removeAttribute("aria-invalid"); }
});
