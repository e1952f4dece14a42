"""The study of card values: `gonfalon lab cards`."""
