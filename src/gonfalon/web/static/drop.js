// Files and texts that are dropped on a page. Without this script a file field takes the same files.

// The sentence about a file that the server would not read; empty for others. The size is that of web/shared/guard.py.
export const refuseSize = (file, most = 256000, what = "This file is") => file.size > most ? `${what} too large: ${Math.ceil(file.size / 1000)} kB of at most ${most / 1000}.` : "";

// Calls `take(file)` for the first file dropped on the page, and for dropped text as a file. `label` is shown during the drag.
export function takeDrops(label, take) {
  const root = document.documentElement;
  const holds = (e) => !own && [...(e.dataTransfer?.types ?? [])].some((type) => type === "Files" || type === "text/plain");
  const typed = (e) => e.target.closest?.("input, textarea, [draggable]");
  // What is dragged from the page itself is no file.
  let depth = 0, own = false;
  root.addEventListener("dragstart", () => { own = true; });
  root.addEventListener("dragend", () => { own = false; });
  const mark = (by) => { depth = by ? Math.max(0, depth + by) : 0; if (depth) root.dataset.over = label; else delete root.dataset.over; };
  root.addEventListener("dragenter", (e) => { if (holds(e)) mark(1); });
  root.addEventListener("dragleave", (e) => { if (holds(e)) mark(-1); });
  root.addEventListener("dragover", (e) => { if (holds(e) && !typed(e)) e.preventDefault(); });
  root.addEventListener("drop", (e) => {
    mark(0);
    if (own || typed(e)) return;
    const file = e.dataTransfer.files[0], text = e.dataTransfer.getData("text/plain");
    if (!file && !text) return;
    e.preventDefault();
    take(file ?? new File([text], "dropped.txt", { type: "text/plain" }));
  });
}
