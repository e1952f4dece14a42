"""The tests: run them with `make test`."""
