// The new HTML of a part of the page, morphed in.

// A player's half-made choice and what is unfolded belong to the player, not to the server; their standing answers lie there.
// Links to free seats come with the page alone.
const callbacks = {
  beforeAttributeUpdated: (name, el) => !((name === "checked" || name === "selected") && !el.closest("#answers") || (name === "open" && el.tagName === "DETAILS")
    || (name === "value" && el.matches(".copy"))),
};

export function morph(el, html) {
  Idiomorph.morph(el, html, { callbacks });
}
