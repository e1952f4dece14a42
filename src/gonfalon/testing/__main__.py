"""`python -m gonfalon.testing GAMES TESTS`: print which rulings of the games in a folder are proved by tests."""

import sys

from gonfalon.testing.rulings import main

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
