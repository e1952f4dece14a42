// A field to copy: selected when it has the focus, copied by the button beside it.
document.documentElement.classList.add("js");
document.addEventListener("focusin", (e) => { if (e.target.matches(".copy")) e.target.select(); });
document.addEventListener("click", async (e) => {
  const button = e.target.closest('[data-do="copy"]');
  const field = button?.parentElement.querySelector(".copy");
  if (!field) return;
  field.select();
  try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
  const words = button.dataset.words ??= button.textContent;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = words; }, 2000);
});
