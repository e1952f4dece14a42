"""`gonfalon benchmark`: a player measured by a protocol that is frozen, on a card that can be cited."""
