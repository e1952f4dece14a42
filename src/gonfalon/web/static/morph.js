// The new HTML of a part of the page, morphed in. An element with an id stays the same element wherever it goes, so it keeps
// its focus, its scrolling and its animations; others are matched by their order.

// A player's half-made choice and what is unfolded belong to the player, not to the server; standing answers are the server's.
// Links to free seats come with the page alone, and the decks of this device lie where the server knows of none. A pushed
// end page does not know its review (`end.js`).
const kept = (el, name) => (name === "checked" || name === "selected") && !el.closest("#answers") || name === "open" && el.tagName === "DETAILS"
  || name === "value" && el.matches(".copy");

function dress(old, now, kept) {
  for (const { name, value } of [...now.attributes]) if (!kept(old, name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes]) if (!kept(old, name) && !now.hasAttribute(name)) old.removeAttribute(name);
  if (old.tagName !== "INPUT") return;
  if (!kept(old, "checked")) old.checked = now.checked;
  if (!kept(old, "value") && old.value !== now.value) old.value = now.value;
}

// `keeps` says which attributes of an element stay as they are.
export function morph(el, html, keeps = kept) {
  const part = new DOMParser().parseFromString(html, "text/html").body.firstElementChild;
  const ids = (root) => new Map([...root.querySelectorAll("[id]")].map((one) => [one.id, one])), have = ids(el), wanted = ids(part);

  function put(old, now) {
    if (old.nodeType !== 1) { if (old.data !== now.data) old.data = now.data; return; }
    if (old.matches("[data-shelf]") || now.dataset.look === "later" && old.id === now.id) return;
    dress(old, now, keeps);
    if (old.tagName === "TEMPLATE") old.innerHTML = now.innerHTML; else fill(old, now);
  }
  // What is in the way of a child: an element that is wanted no more, or what has no id before one that only stands further back.
  const idle = (at, known) => at.id ? !wanted.has(at.id) : known?.parentNode === at.parentNode && at.compareDocumentPosition(known) & 4;
  function place(old, node, at) {
    if (old.moveBefore && node.isConnected) old.moveBefore(node, at); else old.insertBefore(node, at);
  }
  function fill(old, now) {
    let at = old.firstChild;
    const next = () => { const here = at; at = at.nextSibling; return here; };
    for (const child of [...now.childNodes]) {
      let known = child.id ? have.get(child.id) : undefined;
      if (known?.tagName !== child.tagName || known?.contains(old)) known = undefined;
      while (at && at !== known && idle(at, known)) next().remove();
      if (known) {
        if (known === at) next(); else place(old, known, at);
        put(known, child);
      } else if (at && !at.id && !child.id && at.nodeName === child.nodeName) put(next(), child);
      else if ([...child.querySelectorAll?.("[id]") ?? []].some((one) => have.has(one.id))) {
        const shell = child.cloneNode(false);
        old.insertBefore(shell, at);
        fill(shell, child);
      } else old.insertBefore(child, at);
    }
    while (at) next().remove();
  }
  put(el, part);
}
