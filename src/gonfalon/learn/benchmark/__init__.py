"""`gonfalon benchmark`: measures a player by a frozen protocol whose figures can be cited."""
