# On a bare machine with Python 3.11 or newer (with venv) and make, `make play` and `make test` set up the rest.
SHELL := /bin/sh
# Hundreds of short processes are started by the tests: without bytecode files each would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE
VENV ?= .venv
BIN := $(VENV)/bin
CORES := $(shell nproc 2>/dev/null || echo 2)
# More than there are cores: tests in browsers and at servers wait for one another.
WORKERS ?= $(shell echo $$(($(CORES) + 1)))
GAMES ?= factionwars feint generals jinkei
COUNT ?= 100
SEED ?= 1
LADDER ?= --pairs 100 --near --seed 1123
# Whole files, in the order of tests/conftest.py: servers and browsers are started once for a file.
SHARED := --dist loadfile --no-loadscope-reorder
CODE := src tests hatch_build.py $(wildcard docs examples tools)
SOURCES := $(shell find src hatch_build.py pyproject.toml LICENSE LICENSES -type f ! -name '*.pyc' ! -name '* *')
# Where tests run, the rules stay plain in $(VENV), and the compiled build has an environment of its own.
COMPILED := $(VENV)/compiled
# Says that dist/ has the compiled wheel for the Python of $(VENV).
COMPILED_WHEEL := dist/.compiled$(notdir $(abspath $(VENV)))
CAN_COMPILE = $(BIN)/python -c 'import os, shutil, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h"); os.stat(shutil.which("cc"))' 2>/dev/null
IS_COMPILED = $(COMPILED)/bin/gonfalon --version | grep -q '(compiled)'
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet
INSTALL := install --no-deps --no-build-isolation --editable .
WHEEL := wheel --no-deps --no-build-isolation --wheel-dir dist .
LOCK := uv pip compile --universal --python-version 3.11 --generate-hashes --quiet --upgrade \
	--no-header --no-emit-index-url --no-emit-find-links
ORACLES := $(abspath tests/oracles)
DOCS := $(abspath $(VENV))/share/gonfalon/docs
# Tests of the rules, and of what plays by them: the kit holds that both builds play the same games.
RULES := $(addprefix tests/,core $(GAMES) bots bridges vector check learn lab)
OTHER ?= $(BIN)/python
UNCOMPILED := $(addprefix tests/,check/test_mutants.py check/test_slips.py)
# Left out of `make test`: what takes long and checks in another way what shorter tests check.
QUICK := -m "not extended and not long"
EXTENDED := -m "extended and not long"

ifndef TOGETHER
.NOTPARALLEL:
endif
.PHONY: help play wheel test quick extended thorough checks lint types imports tests compiled rules coverage mutants learners benchmarks strength chances docs pictures screens clicks faults format lock clean

help: ## say what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# It compiles nothing: it takes the compiled rules if they are made of these sources. A recipe that names MAKE itself
# would start the server for `make -n` too.
AGAIN := $(MAKE)
play: $(or $(wildcard $(VENV)/.test),$(VENV)/.play) ## start the table server and open the browser
	@if $(AGAIN) --no-print-directory --question $(COMPILED_WHEEL); then $(AGAIN) --silent $(COMPILED)/.play && bin=$(COMPILED)/bin; \
	else bin=$(BIN); echo 'The rules run as plain Python; "make wheel" compiles them, which makes bots several times as fast.'; fi; \
	export GONFALON_DOCS="$${GONFALON_DOCS:-$(DOCS)}"; exec $$bin/gonfalon

wheel: $(COMPILED_WHEEL) ## build in dist/ the wheel with compiled rules for this platform, and the plain one for all
	@$(PIP) $(WHEEL)
	@$(BIN)/python -m tools.wheels

test: ## lint, types, imports and the quick tests: five minutes on two cores
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=line TOGETHER=yes checks quick

quick: $(VENV)/.test ## the quick tests alone: rules, kit, server and API in process, a browser journey for each game
	$(BIN)/pytest -n $(WORKERS) $(SHARED) tests $(QUICK) $(ARGS)

# Bots, bridges, studies and learning are tested on the compiled build only.
extended: $(VENV)/.test ## what CI tests beside `make test` on the plain build: browsers, PostgreSQL, tools
	$(BIN)/pytest -n $(WORKERS) $(SHARED) $(EXTENDED) $(filter-out tests/bots/ tests/bridges/ tests/lab/ tests/learn/,$(wildcard tests/*/)) $(ARGS)

thorough: checks tests compiled rules ## run all tests, the longest too, those of the rules on both builds: an hour

checks: lint types imports ## lint, types and imports

lint: $(VENV)/.test ## check style and format
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/python -m tools.style

types: $(VENV)/.test ## check types
	$(BIN)/mypy --strict $(CODE)
	$(BIN)/basedpyright --pythonpath $(BIN)/python

imports: $(VENV)/.test ## check that imports run downwards only
	$(BIN)/lint-imports

tests: $(VENV)/.test ## run all tests on the plain build (ARGS="-k word" for some of them)
	$(BIN)/pytest -n $(WORKERS) $(SHARED) $(TESTED) $(ARGS)

# Where nothing can be compiled, this is when the rules are tested on the plain build.
compiled: $(COMPILED)/.play ## run the tests of rules, kit, bots, environments, lab and learning on the compiled build (ARGS as above)
	@python=$(COMPILED)/bin/python; \
	if [ -z "$$CI" ] && ! $(IS_COMPILED); then \
		echo "The plain build is tested instead: $$($(COMPILED)/bin/gonfalon --version)."; python=$(BIN)/python; fi; \
	GONFALON_OTHER_PYTHON=$(abspath $(OTHER)) \
		$$python -m pytest -n $(WORKERS) $(SHARED) $(RULES) $(addprefix --ignore=,$(UNCOMPILED)) $(ARGS)

strength: $(COMPILED)/.play ## measure how strong the bots are, into docs/strength: hours (GAMES=feint for one game, SEATS=4)
	@set -e; for game in $(GAMES); do \
		seats="$(if $(SEATS),--option seats=$(SEATS))"; \
		if [ -z "$$seats" ] && [ $$game = factionwars ]; then seats="--option seats=2"; fi; \
		$(COMPILED)/bin/gonfalon check $$game --honesty 500; \
		mirrored="$$(test $$game = generals && echo --mirrored || true)"; \
		$(COMPILED)/bin/python -m tools.strength ladder $$game $$seats $$mirrored --workers all --write docs/strength $(LADDER); \
		$(COMPILED)/bin/python -m tools.strength calibration $$game $$seats --seed 2 --workers all --write docs/strength $(CHANCES); \
		$(COMPILED)/bin/python -m tools.strength.tables $$game --write docs/strength $(TABLES); \
	done

chances: $(COMPILED)/.play ## learn anew what sets the chances right that bots tell (GAMES and SEATS as above)
	@set -e; for game in $(GAMES); do \
		seats="$(if $(SEATS),--option seats=$(SEATS))"; \
		if [ -z "$$seats" ] && [ $$game = factionwars ]; then seats="--option seats=2"; fi; \
		$(COMPILED)/bin/python -m tools.fitting.chances $$game $$seats --seed 1 --workers all $(CHANCES) \
			--out src/gonfalon/games/$$game/bots/chances.json; \
	done

rules: $(VENV)/.test ## say which rulings have tests
	$(BIN)/python -m tools.rulings src/gonfalon/games tests

coverage: $(VENV)/.test ## say how much of the games' rules their tests run through, by branches (at least 95 %)
	@mkdir -p test-results
	$(BIN)/coverage run -m pytest -q $(addprefix tests/,$(GAMES)) tests/check/test_games.py $(ARGS)
	$(BIN)/coverage report

learners: $(VENV)/learners/.installed ## run the scripts of CleanRL and MaskablePPO, and our baselines, on Debian's PyTorch
	$(VENV)/learners/bin/python -m pytest -n $(WORKERS) $(SHARED) -p no:cacheprovider tests/examples/test_learners.py tests/examples/test_selfplay.py $(ARGS)

mutants: $(VENV)/mutants/.installed ## change the rules here and there and see whether tests notice, into docs/mutants (GAMES=feint COUNT=100 SEED=1)
	$(VENV)/mutants/bin/python -m tools.mutants $(GAMES) $(if $(ONLY),--only $(ONLY)) $(if $(QUICK),--quick) $(if $(ALIVE),--alive) $(if $(JUDGED),--judged) \
		--count $(COUNT) --seed $(SEED)

benchmarks: $(COMPILED)/.play $(VENV)/benchmarks/.installed ## measure both builds and the peers in one run
	$(VENV)/benchmarks/bin/python -m tools.benchmarks --plain $(BIN)/python --compiled $(COMPILED)/bin/python $(ARGS)

docs: $(VENV)/.test ## build the documentation, which the table server then offers at /docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --config-file docs/mkdocs.yml --site-dir $(DOCS)
	@echo "The documentation is in $(DOCS), and at /docs of the table server."

pictures: $(VENV)/.test ## draw the pictures of README and documentation anew
	$(BIN)/python -m tools.pictures
	$(BIN)/python -m tools.terminal_pictures

screens: $(VENV)/.test ## take the pictures of every screen anew (ARGS="--only feint" for some of them)
	$(BIN)/python -m tools.screens $(ARGS)

faults: $(VENV)/.test ## cause all faults of a server while people play, on both databases: an hour (ARGS="--kills 5 --stops 3 --steps 2")
	$(BIN)/python -m tools.faults $(ARGS)

clicks: $(COMPILED)/.play ## measure the way from a click to both boards, into the documentation
	$(COMPILED)/bin/python -m tools.benchmarks.clicks --write docs/pages/why/clicks.md

format: $(VENV)/.test ## put the code into form
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

lock: $(VENV)/.test ## write the lock files anew, with the newest versions
	$(PIP) install 'uv>=0.13'
	$(BIN)/$(LOCK) pyproject.toml --all-extras --group dev --output-file requirements-dev.lock
	$(BIN)/$(LOCK) pyproject.toml --extra server --extra terminal --group build --constraint requirements-dev.lock \
		--output-file requirements.lock
	$(BIN)/$(LOCK) pyproject.toml --extra postgres --group build --constraint requirements-dev.lock \
		--output-file requirements-server.lock
	$(BIN)/$(LOCK) --group compile --constraint requirements-dev.lock --output-file requirements-compile.lock
	$(BIN)/$(LOCK) --group docs --constraint requirements-dev.lock --output-file requirements-docs.lock
	$(BIN)/$(LOCK) --group benchmarks --output-file requirements-benchmarks.lock
	printf 'gymnasium>=1.2,<1.3\nnumpy<2\ntorch; python_version < "0"\n' | \
		$(BIN)/$(LOCK) --group learners --override /dev/stdin --output-file requirements-learners.lock
	$(BIN)/$(LOCK) --group mutants --constraint requirements-dev.lock --output-file requirements-mutants.lock

clean: ## remove all that was made here
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache test-results
	find src tests -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/.play: requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing the packages of requirements.lock ..."
	@$(PIP) install --no-compile --requirement requirements.lock
	@$(PIP) $(INSTALL)
	@touch $@

$(COMPILED_WHEEL): $(SOURCES) | $(VENV)/.test
	@echo "Compiling the rules, which takes some minutes when they have changed ..."
	@GONFALON_COMPILE=1 $(PIP) $(WHEEL)
	@touch $@

# The compiled build, with the packages of $(VENV) and the reference rules in reach. Outside CI a machine without a C
# compiler gets the plain build.
$(COMPILED)/.play: $(SOURCES) | $(VENV)/.test
	@if [ -n "$$CI" ] || $(CAN_COMPILE); then $(MAKE) --silent $(COMPILED_WHEEL); else $(PIP) $(WHEEL); fi
	@$(BIN)/python -m venv --without-pip $(COMPILED)
	@where='import sysconfig; print(sysconfig.get_path("purelib"))'; \
		{ $(BIN)/python -c "$$where"; echo $(ORACLES); } > "$$($(COMPILED)/bin/python -c "$$where")/tests.pth"
	@$(PIP) --python $(COMPILED)/bin/python install --no-deps --force-reinstall --no-index --find-links dist gonfalon
	@$(COMPILED)/bin/gonfalon --version
	@touch $@

$(VENV)/.test: requirements-dev.lock pyproject.toml tests/oracles/pyproject.toml | $(BIN)/python
	@echo "Installing the packages of requirements-dev.lock ..."
	@$(PIP) install --no-compile --requirement requirements-dev.lock
	@$(PIP) $(INSTALL) --editable tests/oracles
	@touch $@

$(VENV)/benchmarks/.installed: requirements-benchmarks.lock | $(VENV)/.test
	@echo "Installing the packages of requirements-benchmarks.lock ..."
	@$(BIN)/python -m venv --without-pip $(VENV)/benchmarks
	@$(PIP) --python $(VENV)/benchmarks/bin/python install --requirement requirements-benchmarks.lock
	@touch $@

# PyTorch for x86-64 comes with 4 GB of CUDA from the package index, and without it from Debian, for Debian's Python.
# CleanRL asks for Python 3.10 at most, and its scripts run on later ones.
$(VENV)/learners/.installed: requirements-learners.lock tests/examples/cleanrl.lock | $(VENV)/.test
	@/usr/bin/python3 -c 'import sys, torch; assert sys.version_info[:2] == ($(shell $(BIN)/python -c 'import sys; print("%d, %d" % sys.version_info[:2])'))' || \
		{ echo "make learners needs Debian's python3-torch, and $(VENV) with the Python of Debian." >&2; exit 1; }
	@/usr/bin/python3 -m venv --system-site-packages --without-pip $(VENV)/learners
	@$(PIP) --python $(VENV)/learners/bin/python install --no-deps --ignore-requires-python \
		--requirement requirements-learners.lock --requirement tests/examples/cleanrl.lock
	@$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' > \
		"$$($(VENV)/learners/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tests.pth"
	@echo $(abspath src) >> "$$($(VENV)/learners/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tests.pth"
	@touch $@

# The sources and the packages of $(VENV) are in reach, and mutants are tried on the plain build.
$(VENV)/mutants/.installed: requirements-mutants.lock | $(VENV)/.test
	@echo "Installing the packages of requirements-mutants.lock ..."
	@$(BIN)/python -m venv --without-pip $(VENV)/mutants
	@$(PIP) --python $(VENV)/mutants/bin/python install --requirement requirements-mutants.lock
	@where='import sysconfig; print(sysconfig.get_path("purelib"))'; \
		{ $(BIN)/python -c "$$where"; echo $(abspath src); echo $(ORACLES); } > "$$($(VENV)/mutants/bin/python -c "$$where")/tests.pth"
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
