"""Tools that make and check Gonfalon's data. They run from a checkout; README.md lists them."""
