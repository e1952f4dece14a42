// The menus of the bar fold by a click elsewhere and by Escape.
const menus = () => document.querySelectorAll(".bar details[open]");
document.addEventListener("click", (e) => { for (const menu of menus()) if (!menu.contains(e.target)) menu.open = false; });
document.addEventListener("keydown", (e) => { if (e.key === "Escape") for (const menu of menus()) { menu.open = false; menu.querySelector("summary").focus(); } });
