# Two commands do all the set-up on a fresh machine: `make play` and `make test`.
VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin
GAME ?= victorus
# Whole files of tests side by side, on as many processors as there are up to four.
SIDE_BY_SIDE := -n auto --maxprocesses 4 --dist loadfile
# As the product runs: processes side by side, each multiplying small matrices on one thread.
export OPENBLAS_NUM_THREADS ?= 1
# desktop (opencv-python), headless or none; auto finds out where it runs.
OPENCV ?= auto
INSTALL := $(PYTHON) tools/install.py $(VENV) --opencv $(OPENCV)

.PHONY: play install test lint bench soak screenshots browser clean languages

play: $(VENV)/.play
	$(BIN)/companion play $(GAME)

# What an update needs, with nothing started.
install: $(VENV)/.play

test: $(VENV)/.test browser
	$(BIN)/pytest $(SIDE_BY_SIDE) -m "not slow" --cov --cov-report=term --cov-fail-under=100

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.test
	$(BIN)/pip install --quiet --disable-pip-version-check chess
	for bench in tests/bench/bench_*.py; do $(BIN)/python $$bench || exit 1; done

soak: $(VENV)/.test browser
	$(BIN)/pytest $(SIDE_BY_SIDE) -m slow
	for soak in tests/soak/*.py; do \
	  $(BIN)/python -m tests.soak.$$(basename $$soak .py) || exit 1; done

screenshots: $(VENV)/.test browser
	$(BIN)/python -m tests.system.screenshots

# Brings the catalogs up to the source: new sentences are empty until somebody translates them.
languages: $(VENV)/.test
	mkdir -p build
	$(BIN)/pybabel -q extract -k say -F babel.cfg --no-location -o build/messages.pot .
	for language in it fr es; do \
	  $(BIN)/pybabel -q update -N --ignore-obsolete -w 1000 -l $$language \
	    -i build/messages.pot -o companion/languages/$$language.po || exit 1; done

# Debian and Raspberry Pi OS; elsewhere the browser tests say what they miss and are skipped.
# Nobody is asked for a password.
browser:
	@command -v chromium >/dev/null || ! command -v apt-get >/dev/null || { \
	  as_root=; [ "$$(id -u)" = 0 ] || as_root="sudo -n"; \
	  if $$as_root true 2>/dev/null; then \
	    echo "Installing chromium for the tests of the pages"; \
	    $$as_root apt-get update -qq && \
	    $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; \
	  else \
	    echo "The tests of the pages are skipped: they need chromium, which only root may" \
	      "install (sudo apt-get install chromium)"; \
	  fi; }

$(VENV)/.play: pyproject.toml tools/install.py
	@$(INSTALL)
	@touch $@

$(VENV)/.test: pyproject.toml tools/install.py
	@$(INSTALL) --extra test
	@touch $@ $(VENV)/.play

clean:
	rm -rf $(VENV) build *.egg-info
