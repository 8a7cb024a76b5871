# Two commands do all the set-up on a fresh machine: `make play` and `make test`.
VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin
GAME ?= victorus
# Whole files of tests side by side, the long ones first (tests/conftest.py says which, and how many).
SIDE_BY_SIDE := -n auto --dist loadfile --no-loadscope-reorder
# As the product runs: processes side by side, each multiplying small matrices on one thread.
export OPENBLAS_NUM_THREADS ?= 1
# Modules are compiled once, also where a container's environment forbids it: the tests start Python
# hundreds of times.
unexport PYTHONDONTWRITEBYTECODE
# desktop (opencv-python), headless or none; auto finds out where it runs.
OPENCV ?= auto
INSTALL := $(PYTHON) tools/install.py $(VENV) --opencv $(OPENCV)

.PHONY: play club install test thorough compiled lint bench soak screenshots programs clean languages

play: $(VENV)/.play
	$(BIN)/companion play $(GAME)

# A club of many tables, with TABLES simulated ones; broker and database are Debian's, in a folder of
# the club's own. What Debian starts by itself is kept off where it is installed here.
TABLES ?= 0
club: $(VENV)/.club
	@missing=; PATH="$$PATH:$(SERVERS)" command -v mosquitto >/dev/null || missing=mosquitto; \
	set -- $(POSTGRESQL)/*/bin/postgres; [ -x "$$1" ] || missing="$$missing postgresql"; \
	[ -z "$$missing" ] || ! command -v apt-get >/dev/null || { \
	  as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
	  echo "Installing for the club:" $$missing; \
	  $$as_root apt-get update -qq && \
	  $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing >/dev/null && \
	  { ! [ -d /run/systemd/system ] || $$as_root systemctl disable --now --quiet $$missing; }; }
	$(BIN)/companion club start --tables $(TABLES)

# What an update needs, with nothing started.
install: $(VENV)/.play

test: $(VENV)/.test programs
	$(BIN)/pytest $(SIDE_BY_SIDE) -m "not slow and not thorough"

# What takes seconds each.
thorough: $(VENV)/.test programs
	$(BIN)/pytest $(SIDE_BY_SIDE) -m "thorough and not slow"

# The tests of rules and games once more, on a wheel whose hot modules are native code, installed in
# a folder of its own; OPTIMISE=3 is what a wheel for players has, and takes a minute more.
OPTIMISE ?= 1
COMPILED := build/compiled
compiled: $(VENV)/.test
	rm -rf $(COMPILED)
	mkdir -p $(COMPILED)
	COMPANION_COMPILED=1 COMPANION_OPTIMISE=$(OPTIMISE) $(BIN)/python -m build --no-isolation \
	  --outdir $(COMPILED) . >$(COMPILED)/build.log 2>&1 || { tail -20 $(COMPILED)/build.log; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --target $(COMPILED) $(COMPILED)/*.whl
	cp -r pyproject.toml docs tests $(COMPILED)
	cd $(COMPILED) && PYTHONPATH=. MYPYC_OPT_LEVEL=$(OPTIMISE) $(abspath $(BIN))/mypyc --config-file= \
	  --follow-imports=silent tests/bench/bulk_perft.py >>build.log 2>&1 || { tail -20 build.log; exit 1; }
	cd $(COMPILED) && COMPANION_COMPILED=1 PYTHONPATH=. $(abspath $(BIN))/pytest $(SIDE_BY_SIDE) \
	  -m "not slow and not thorough" tests/rules tests/games tests/players tests/bench

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.test
	$(BIN)/pip install --quiet --disable-pip-version-check chess
	for bench in tests/bench/bench_*.py; do PYTHONPATH=. $(BIN)/python $$bench || exit 1; done

soak: $(VENV)/.test programs $(VENV)/network-manager
	$(BIN)/pip install --quiet --disable-pip-version-check chess
	$(BIN)/pytest $(SIDE_BY_SIDE) -m slow
	$(BIN)/pytest $(SIDE_BY_SIDE) -m "not slow and not no_cover" tests/rules tests/games tests/players \
	  --cov --cov-report=term --cov-fail-under=99.9
	for soak in tests/soak/*.py; do \
	  $(BIN)/python -m tests.soak.$$(basename $$soak .py) || exit 1; done

screenshots: $(VENV)/.test programs
	$(BIN)/python -m tests.system.screenshots
	$(BIN)/python -m tests.system.contact_sheets
	$(BIN)/python -m tests.system.moving_picture

# Brings the catalogs up to the source: new sentences are empty until somebody translates them.
languages: $(VENV)/.test
	mkdir -p build
	$(BIN)/pybabel -q extract -k say -F babel.cfg --no-location -o build/messages.pot .
	for language in it fr es; do \
	  $(BIN)/pybabel -q update -N --ignore-obsolete -w 1000 -l $$language \
	    -i build/messages.pot -o companion/languages/$$language.po || exit 1; done

# Where Debian keeps games, which is in nobody's PATH when he is root.
GAMES ?= /usr/games
# And servers, whose folder is in nobody's PATH either.
SERVERS ?= /usr/sbin
POSTGRESQL ?= /usr/lib/postgresql
# What tests run that pip does not bring. Debian and Raspberry Pi OS; elsewhere such tests say what
# they miss and are skipped. Nobody is asked for a password. The shell of Chromium has no window to
# draw: a page takes half the time of the whole Chromium, which does where there is no shell.
programs:
	@missing=; command -v chromium-headless-shell >/dev/null || missing=chromium-headless-shell; \
	PATH="$$PATH:$(GAMES)" command -v stockfish >/dev/null || missing="$$missing stockfish"; \
	PATH="$$PATH:$(SERVERS)" command -v mosquitto >/dev/null || missing="$$missing mosquitto"; \
	command -v ffmpeg >/dev/null || missing="$$missing ffmpeg"; \
	command -v systemd-analyze >/dev/null || missing="$$missing systemd"; \
	set -- $(POSTGRESQL)/*/bin/postgres; [ -x "$$1" ] || missing="$$missing postgresql"; \
	[ -z "$$missing" ] || ! command -v apt-get >/dev/null || { \
	  as_root=; [ "$$(id -u)" = 0 ] || as_root="sudo -n"; \
	  install() { $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$1 >/dev/null; }; \
	  if $$as_root true 2>/dev/null; then \
	    echo "Installing for the tests:" $$missing; \
	    $$as_root apt-get update -qq; \
	    for package in $$missing; do \
	      install $$package || [ $$package != chromium-headless-shell ] || install chromium; \
	    done; \
	  else \
	    ! command -v chromium >/dev/null || missing=$${missing#chromium-headless-shell}; \
	    [ -z "$$missing" ] || \
	    echo "Some tests are skipped: they need what only root may install (sudo apt-get install" \
	      "$${missing# })"; \
	  fi; }

# NetworkManager is unpacked, not installed: nobody's networks are to become another's by a test.
$(VENV)/network-manager: | $(VENV)/.test programs
	@command -v NetworkManager >/dev/null || ! command -v apt-get >/dev/null || { \
	  as_root=; [ "$$(id -u)" = 0 ] || as_root="sudo -n"; \
	  mkdir -p $@.packages/partial; \
	  if $$as_root apt-get install -y -qq -o DPkg::Lock::Timeout=600 --download-only --no-install-recommends \
	    -o "Dir::Cache::archives=$(abspath $@.packages)" network-manager >/dev/null; then \
	    for package in $@.packages/*.deb; do dpkg -x "$$package" $@; done; \
	  else \
	    echo "Some tests are skipped: they need network-manager, which only root may fetch"; \
	  fi; }
	@rm -rf $@.packages

$(VENV)/.play: pyproject.toml tools/install.py
	@$(INSTALL)
	@touch $@

$(VENV)/.test: pyproject.toml tools/install.py
	@$(INSTALL) --extra test
	@touch $@ $(VENV)/.play

$(VENV)/.club: pyproject.toml tools/install.py
	@$(INSTALL) --extra club
	@touch $@ $(VENV)/.play

clean:
	rm -rf $(VENV) build *.egg-info
