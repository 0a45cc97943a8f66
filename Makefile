# Every command of the project. `make` alone lists them.
PYTHON := $(shell sh tools/find-python)
RUN := .venv/bin/python
# Hundreds of short-lived processes import the same modules: compiled once, whatever the machine says about bytecode.
# One compute thread each: the test processes share the cores already.
ENVIRONMENT := PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
PYTEST := $(ENVIRONMENT) $(RUN) -m pytest
PARALLEL := -n 4
# What is ignored has tests of `make chaos` alone: importing it is left out.
SUITE := --ignore=tests/chaos -m "not long and not chaos"

.DEFAULT_GOAL := help
.PHONY: help up test test-long flaky mutants chaos check bench bench-ui figures wheel lock fmt clean python base dev

help: ## list the commands
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:[^#]*## /\t/' | expand -t 12

python:
ifeq ($(PYTHON),)
	@echo "Paretoscope needs Python 3.11, 3.12 or 3.13 (python3.11 or python3 on PATH). On Debian 12: apt-get install python3 python3-venv" >&2; exit 1
endif

base: python
	@$(PYTHON) tools/environment.py base

dev: python
	@$(PYTHON) tools/environment.py dev

up: python ## start everything, with a first result (ONCE=1 ends then; PORT=, TORCH=0)
	@$(PYTHON) tools/up.py $(if $(filter-out 0,$(ONCE)),--once) $(if $(PORT),--port $(PORT)) $(if $(filter 0,$(TORCH)),--no-torch)

test: dev ## all tests but the long ones and the chaos ones (TORCH=0 leaves torch's out)
	@$(if $(filter 0,$(TORCH)),true,$(RUN) tools/environment.py torch || echo "The tests that need torch will be skipped.")
	@$(RUN) tools/browser.py
	$(PYTEST) $(PARALLEL) $(SUITE) $(ARGS)

test-long: dev ## the tests that take longer, and property tests with random examples
	@$(RUN) tools/browser.py
	$(PYTEST) --hypothesis-profile=random -m "(long or hypothesis) and not chaos" $(ARGS)

flaky: dev ## repeat `make test` N times, half of them on a busy machine, and list the tests that did not always pass (N=10)
	@$(RUN) tools/environment.py torch
	@$(RUN) tools/browser.py
	@$(ENVIRONMENT) $(RUN) tools/flaky.py --runs=$(or $(N),10) $(PARALLEL) $(SUITE) $(ARGS)

mutants: dev ## change formulas one place at a time and list what no test notices (long; ARGS=training for one group)
	@$(RUN) tools/environment.py torch
	@$(RUN) tools/mutants.py $(ARGS)

chaos: dev ## the tests that kill processes in the middle of their work, and those of docs/attacks.md
	@$(RUN) tools/faketime.py
	PARETOSCOPE_SOAK_MINUTES=$(MINUTES) $(PYTEST) -m "chaos or attack" $(ARGS)

check: dev ## style, names, types, layers, migrations
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) tools/check_names.py
	$(RUN) tools/check_words.py
	$(RUN) -m mypy
	.venv/bin/lint-imports
	$(RUN) manage.py makemigrations --check --dry-run
	$(RUN) manage.py check

bench: dev ## measure, with the limits beside the figures (ARGS=pages for one of them)
	@$(RUN) tools/browser.py
	@$(RUN) benchmarks/bench.py $(ARGS)

bench-ui: dev ## measure the run page in a browser, large and live, and thirty people looking at a live run
	@$(RUN) tools/browser.py
	@$(RUN) benchmarks/bench.py ui viewers

figures: dev ## how large the code is and how it is cut: lines by purpose, sizes, shapes in docstrings, tests beside modules
	@$(RUN) -m tools.size_figures

wheel: dev ## build the wheel of the product in dist/
	@$(RUN) -m pip wheel --quiet --no-deps --wheel-dir dist .

lock: python ## compile requirements/*.lock from pyproject.toml
	@sh tools/lock $(PYTHON)

fmt: dev ## format and mend what can be mended by itself
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

clean: ## remove environment, caches and test results (var/, the data, stays)
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache test-results
	find . -name __pycache__ -type d -not -path './var/*' -prune -exec rm -rf {} +
