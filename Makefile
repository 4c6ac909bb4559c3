# make demo: everything that is needed, then the shipped tasks with the reference agents.
# make test: the development environment, then all tests.
# make board: the leaderboard of results/ as pages in site/; open site/index.html.
# make references: runs the reference agents again and writes them into results/.
# make bench: speed and cost, half an hour on a quiet machine; see docs/benchmarks.md.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test board references bench lint types clean

demo: $(VENV)/.installed
	$(BIN)/clawgym-bench demo

test: $(VENV)/.installed-dev lint types
	$(BIN)/pytest -n auto --dist loadgroup

board: $(VENV)/.installed
	$(BIN)/clawgym-bench board build --results results --out site --viewer

references: $(VENV)/.installed
	BIN=$(BIN) bash results/references.sh

bench: $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/python -m benchmarks.sandbox
	$(BIN)/python -m benchmarks.harness
	$(BIN)/python -m benchmarks.audit

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; say which: make demo PYTHON=python3.12"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
