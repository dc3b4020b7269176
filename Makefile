# Everything happens in .venv; the first run of any target makes it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# What OpenCV needs of the system, and the browsers that the page can be tested in.
LIBRARIES := libgl1 libglib2.0-0
BROWSERS := chromium chromium-browser google-chrome google-chrome-stable chrome

.PHONY: run test lint unit libraries browser clean

run: libraries
	$(BIN)/cairn play

test: lint unit

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

unit: libraries browser
	$(BIN)/pytest -n auto

# Debian's libraries where they may be installed; otherwise clear words.
libraries: $(VENV)/ready
	@$(BIN)/python -c 'import cv2' 2>/dev/null \
	|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	     && apt-get update -qq && apt-get install -qq -y --no-install-recommends $(LIBRARIES) \
	     && $(BIN)/python -c 'import cv2'; } \
	|| { echo 'OpenCV cannot be loaded. On Debian or Ubuntu: apt-get install $(LIBRARIES)' >&2; exit 1; }

# An installed browser, else Debian's, else the one that playwright brings; otherwise clear words.
browser: $(VENV)/ready
	@if [ -n "$$CAIRN_SKIP_BROWSER$$CAIRN_BROWSER" ]; then exit 0; fi; \
	for name in $(BROWSERS); do command -v $$name >/dev/null && exit 0; done; \
	if $(BIN)/python -c 'import os, sys; from playwright.sync_api import sync_playwright as s; \
	p = s().start(); found = os.path.exists(p.chromium.executable_path); p.stop(); sys.exit(not found)'; \
	then exit 0; fi; \
	echo 'No browser to test the page in; installing one.'; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	&& apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium; then exit 0; fi; \
	$(BIN)/playwright install chromium && exit 0; \
	echo 'No browser could be installed. Install Chromium or Chrome, or name one in CAIRN_BROWSER;' \
	'CAIRN_SKIP_BROWSER=1 leaves its tests out.' >&2; exit 1

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Cairn needs Python 3.11 or newer: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@
