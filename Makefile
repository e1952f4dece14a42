# On a bare machine with Python 3.11 or newer (with venv) and make, `make play` and `make test` set up the rest.
SHELL := /bin/sh
VENV ?= .venv
BIN := $(VENV)/bin
WORKERS ?= 2
CODE := src tests $(wildcard benchmarks)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet
COMPILE := uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --quiet --upgrade \
	--no-header --no-emit-index-url --no-emit-find-links

.NOTPARALLEL:
.PHONY: help play test lint types imports tests rules format lock clean

help: ## say what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: $(VENV)/.play ## start the table server and open the browser
	@$(BIN)/gonfalon

test: lint types imports tests rules ## run all checks and all tests

lint: $(VENV)/.test ## check style and format
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)

types: $(VENV)/.test ## check types
	$(BIN)/mypy --strict $(CODE)

imports: $(VENV)/.test ## check that imports run downwards only
	$(BIN)/lint-imports

tests: $(VENV)/.test ## run the tests (ARGS="-k word" for some of them)
	$(BIN)/pytest -n $(WORKERS) --dist worksteal $(ARGS)

rules: $(VENV)/.test ## say which rulings have tests
	$(BIN)/python -m tests.rules

format: $(VENV)/.test ## put the code into form
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

lock: $(VENV)/.test ## write the lock files anew, with the newest versions
	$(PIP) install 'uv>=0.13'
	$(BIN)/$(COMPILE) --all-extras --group dev --output-file requirements-dev.lock
	$(BIN)/$(COMPILE) --group build --constraint requirements-dev.lock --output-file requirements.lock

clean: ## remove all that was made here
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache test-results
	find src tests -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/.play: requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing the packages of requirements.lock ..."
	@$(PIP) install --requirement requirements.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.test: requirements-dev.lock pyproject.toml | $(BIN)/python
	@echo "Installing the packages of requirements-dev.lock ..."
	@$(PIP) install --requirement requirements-dev.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

# A name on PATH may not run (version managers leave such shims), and may come without ensurepip (Debian packs it apart).
$(BIN)/python:
	@old=; for python in $(PYTHON) python3.14 python3.13 python3.12 python3.11 python3; do \
		"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
		"$$python" -c 'import ensurepip, venv' 2>/dev/null || { old=$$python; continue; }; \
		echo "Making $(VENV) with $$("$$python" --version) ..."; \
		exec "$$python" -m venv $(VENV); \
	done; \
	if [ -n "$$old" ]; then \
		echo "$$old cannot make virtual environments: install its venv module (Debian, Ubuntu: apt install python3-venv)." >&2; \
	else \
		echo "Gonfalon needs Python 3.11 or newer, and none was found on PATH (make PYTHON=/path/to/python names one)." >&2; \
	fi; exit 1
