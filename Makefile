# Two commands are enough: `make play` and `make test`. Each sets up everything it needs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
NPM    := $(BIN)/python web/npm.py
MODULES := web/node_modules/.ready
CLIENT := web/dist/index.html
SOURCES := $(shell find web/src web/public web/*.* src/pokade/texts -type f)

.PHONY: setup client play test bench soak docs format clean

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

test: $(READY) $(CLIENT)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/coverage run -m pytest tests/games
	$(BIN)/coverage combine --quiet && $(BIN)/coverage report
	$(BIN)/python -m pytest -n auto --dist loadgroup -m 'not soak' --ignore tests/games --ignore tests/web
	$(NPM) run --silent check
	$(NPM) run --silent test
	$(BIN)/python -m tests.web.browsers
	$(BIN)/python -m pytest -n auto --dist loadfile --reruns 1 -r R tests/web  # a browser on a busy machine gets a second try, and that is told

bench: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[bench]'
	$(BIN)/python -m benchmarks

soak: $(READY)
	$(BIN)/python -m pytest -n auto -m soak

docs: $(READY)
	$(BIN)/python -m docs

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist
