"""The studies of `gonfalon lab`, each with its arguments and its function."""
