"""The rules core: states, steps, chance, masks, worlds and records. It knows no game and no user."""
