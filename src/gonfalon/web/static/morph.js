// The new HTML of a part of the page, morphed in.

// A player's half-made choice and what is unfolded belong to the player, not to the server; their standing answers lie there.
// Links to free seats come with the page alone, and the decks of
// this device lie where the server knows of none.
const callbacks = {
  beforeNodeMorphed: (old) => !old.matches?.(".shelved"),
  beforeAttributeUpdated: (name, el) => !((name === "checked" || name === "selected") && !el.closest("#answers") || (name === "open" && el.tagName === "DETAILS")
    || (name === "value" && el.matches(".copy"))),
};

export function morph(el, html) {
  Idiomorph.morph(el, html, { callbacks });
}
