# Two commands are enough: `make play` and `make test`. Each sets up everything it needs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
NPM    := $(BIN)/python web/npm.py
MODULES := web/node_modules/.ready
CLIENT := web/dist/index.html
SOURCES := $(shell find web/src web/public web/*.* src/pokade/texts -type f)

.PHONY: setup client play test test-format test-lint test-types test-client test-rules test-python test-browser bench soak docs format clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'Pokade needs Python 3.11 or newer: make PYTHON=/path/to/python3'; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { echo 'python3 -m venv failed: install the venv module of your Python (Debian: python3-venv)'; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $(READY)

$(MODULES): web/package.json web/.npmrc | $(READY)
	@$(NPM) install --loglevel=error
	@touch $(MODULES)

client: $(CLIENT)

$(CLIENT): $(MODULES) $(SOURCES)
	@$(NPM) run --silent build -- --logLevel warn

play: $(READY) $(CLIENT)
	@$(BIN)/pokade serve

# Every part runs, also after one has failed; the last lines say how each ended. `make test-python` runs one alone.
PARTS := format lint types client rules python browser
RESULTS := .test-results

test: $(READY) $(CLIENT)
	@rm -rf $(RESULTS) && mkdir $(RESULTS)
	@for part in $(PARTS); do \
	  { $(MAKE) --no-print-directory test-$$part && touch $(RESULTS)/$$part.ok; } 2>&1 | tee $(RESULTS)/$$part.log; \
	done
	@echo; failed=0; for part in $(PARTS); do \
	  test -e $(RESULTS)/$$part.ok && end=passed || { end=FAILED; failed=1; }; \
	  echo "$$end: make test-$$part" $$(grep -E '(passed|failed|errors?|tests ran).* in [0-9.]+s' $(RESULTS)/$$part.log | tail -n 1); \
	done; exit $$failed

test-format: $(READY)
	$(BIN)/ruff format --check .

test-lint: $(READY)
	$(BIN)/ruff check .

test-types: $(READY)
	$(BIN)/mypy

test-client: $(MODULES)
	$(NPM) run --silent check
	$(NPM) run --silent test

test-rules: $(READY)
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n auto tests/games
	$(BIN)/coverage combine --quiet && $(BIN)/coverage report

test-python: $(READY) $(CLIENT)
	$(BIN)/python -m pytest -n auto --dist loadgroup -m 'not soak' --ignore tests/games --ignore tests/web

test-browser: $(READY) $(CLIENT)
	$(BIN)/python -m tests.web.browsers
	$(BIN)/python -m pytest -n auto --dist loadgroup tests/web

bench: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[bench]'
	$(BIN)/python -m benchmarks

soak: $(READY)
	$(BIN)/python -m pytest -n auto -m soak

docs: $(READY) $(CLIENT)
	$(BIN)/python -m docs

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) $(RESULTS) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist
