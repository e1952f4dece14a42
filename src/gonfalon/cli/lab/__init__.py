"""The studies of `gonfalon lab`, each with its arguments and what it does."""
