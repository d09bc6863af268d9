# `make` lists what can be done. Every target sets up what it needs, once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PROTO_VENV := .venv-proto
OLDEST_VENV := .venv-oldest
LOCK_VENV := build/lock-venv
TYPED := $(wildcard engine sdk arena leaderboard tests benchmarks examples)
PROTOS := $(wildcard proto/conquest/v1/*.proto)
SERVICES := $(patsubst %,proto/conquest/v1/%.proto,catalog match referee)
RELEASED := proto/conquest.binpb
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal
DEMO_STORE := build/demo.db
SERVE := 1
# Locks name public packages only: the settings of this machine (mirrors, local wheels) stay out of them.
COMPILE_LOCK = env -u PIP_FIND_LINKS -u PIP_EXTRA_INDEX_URL PIP_CONFIG_FILE=/dev/null CUSTOM_COMPILE_COMMAND="make lock" \
    $(LOCK_VENV)/bin/pip-compile --quiet --no-config --generate-hashes --allow-unsafe --strip-extras \
    --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options $(UPGRADE)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test programs soak bench lint format types compile proto proto-check proto-release oldest lock clean distclean

help: ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 24

run: compile ## set everything up, play a small tournament and serve its pages until Ctrl-C; SERVE=0 only plays
	@$(BIN)/arena --version
	@mkdir -p build && rm -f $(DEMO_STORE) $(DEMO_STORE)-wal $(DEMO_STORE)-shm
	@PATH="$(CURDIR)/$(BIN):$$PATH" arena tournament run --table examples/demo.toml --store $(DEMO_STORE)
	@echo "Next: source $(BIN)/activate; arena --help"
	@if [ "$(SERVE)" != 0 ]; then PATH="$(CURDIR)/$(BIN):$$PATH" arena leaderboard serve --table --store $(DEMO_STORE); fi

test: programs lint types compile ## set everything up and run all checks and tests (soak apart)
	@mode=$$($(BIN)/python -c 'import engine; print(engine.MODE)') && echo "== all tests, engine $$mode"
	$(PYTEST)
	@if $(BIN)/python -P engine/build_stamp.py; then echo "== engine tests once more, engine interpreted"; \
	    ARENA_INTERPRETED=1 $(PYTEST) tests/engine; fi
	@if $(OLD_PYTHON); then $(MAKE) --no-print-directory proto-check oldest; \
	    else echo "== not checked: generated modules and oldest packages, for which $(PYTHON) is too new"; test -z "$$CI"; fi

programs: ## install the programs that tests use, where make may, or say which are missing
	@tests/programs.sh

soak: programs $(VENV)/.test compile ## run the long tests
	HYPOTHESIS_PROFILE=soak $(PYTEST) -m soak

bench: compile ## measure the engine, the referee, tournaments and the leaderboard
	$(BIN)/python -m benchmarks.engine
	$(BIN)/python -m benchmarks.referee
	$(BIN)/python -m benchmarks.fairness
	$(BIN)/python -m benchmarks.tournament
	$(BIN)/python -m benchmarks.leaderboard
	$(BIN)/python -m benchmarks.pages

lint: $(VENV)/.test ## check style and formatting
	@echo "== lint"
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.test ## format the code and put imports in order
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.test ## check the types
	@echo "== types"
	$(BIN)/mypy $(TYPED)

# The hash of the sources decides, not their times: a deleted or checked-out source counts as changed too.
compile: $(VENV)/.project ## compile the rules in place, if their sources have changed
	@$(BIN)/python -P engine/build_stamp.py || $(BIN)/python setup.py --quiet build_ext --inplace

# $(call GENERATE,folder)
define GENERATE
$(PROTO_VENV)/bin/python -m grpc_tools.protoc -I proto --python_out=$(1) --pyi_out=$(1) $(PROTOS)
$(PROTO_VENV)/bin/python -m grpc_tools.protoc -I proto --grpc_python_out=$(1) $(SERVICES)
endef

proto: $(PROTO_VENV)/.made ## generate the modules of the wire contract
	$(PROTO_VENV)/bin/buf lint proto
	$(call GENERATE,proto)
	cd proto && LC_ALL=C sha256sum conquest/v1/*.proto conquest/v1/*_pb2* > SHA256SUMS

proto-check: $(PROTO_VENV)/.made ## compare the generated modules and the contract with what they should be
	@echo "== wire contract"
	$(PROTO_VENV)/bin/buf lint proto
	$(PROTO_VENV)/bin/buf breaking proto --against $(RELEASED)
	@rm -rf build/proto && mkdir -p build/proto
	$(call GENERATE,build/proto)
	@for made in build/proto/conquest/v1/*; do cmp "$$made" "proto/$${made#build/proto/}" \
	    || { echo "make: the modules are not those of the contract; run make proto" >&2; exit 1; }; done

proto-release: $(PROTO_VENV)/.made ## take the contract as released: changes that break it are refused from now on
	$(PROTO_VENV)/bin/buf build proto --exclude-source-info --output $(RELEASED)

oldest: $(OLDEST_VENV)/.made ## play on the oldest packages that pyproject.toml allows
	@echo "== oldest packages"
	ARENA_INTERPRETED=1 PYTHONPATH=.:proto $(OLDEST_VENV)/bin/python -W error -m tests.referee.short_match

# Made with the oldest Python we support, so that what only it needs is in them too. UPGRADE=--upgrade takes newer ones.
lock: $(LOCK_VENV)/.made ## pin the dependencies of pyproject.toml, with hashes
	$(COMPILE_LOCK) --all-build-deps --extra arena --extra leaderboard --extra referee --output-file requirements/run.txt pyproject.toml
	$(COMPILE_LOCK) --all-build-deps --extra arena --extra leaderboard --extra referee --extra postgres --extra test --constraint requirements/run.txt --output-file requirements/test.txt pyproject.toml
	$(COMPILE_LOCK) --output-file requirements/proto.txt requirements/proto.in
	$(COMPILE_LOCK) --output-file requirements/oldest.txt requirements/oldest.in

clean: ## remove what was built and cached
	rm -rf build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find engine \( -name '*.so' -o -name compiled.sha256 \) -delete
	find . -name __pycache__ -not -path './.venv*' -prune -exec rm -rf {} +

distclean: clean ## remove the environments too
	rm -rf $(VENV) $(PROTO_VENV) $(OLDEST_VENV)

# ---- set-up: each step leaves a file, and is done again when what it depends on is newer ----

define NEW_VENV
@command -v $(PYTHON) >/dev/null || { echo "make: no $(PYTHON) found; Conquest Arena needs Python 3.11 or newer (make PYTHON=...)" >&2; exit 1; }
@$(PYTHON) -c 'import sys; v = sys.version.split()[0]; sys.exit(sys.version_info < (3, 11) and \
    f"make: Conquest Arena needs Python 3.11 or newer, and $(PYTHON) is {v}; run make PYTHON=python3.11 or the like")'
@echo "== setting up $(@D)"
@$(PYTHON) -m venv --clear $(@D)
endef
# The generator and the oldest packages have no wheels for newer Pythons.
OLD_PYTHON := $(PYTHON) -c 'import sys; sys.exit(sys.version_info >= (3, 13))'
INSTALL := -m pip install --quiet --disable-pip-version-check

$(VENV)/.made:
	$(NEW_VENV)
	@touch $@

$(VENV)/.run: requirements/run.txt $(VENV)/.made
	$(BIN)/python $(INSTALL) --require-hashes -r requirements/run.txt
	@touch $@

$(VENV)/.test: requirements/test.txt $(VENV)/.run
	$(BIN)/python $(INSTALL) --require-hashes -r requirements/test.txt
	@touch $@

# A new top-level package must be made known to the editable install; other new modules are found without it.
$(VENV)/.project: pyproject.toml setup.py $(wildcard */__init__.py proto/*/__init__.py) $(VENV)/.run
	ARENA_COMPILE=0 $(BIN)/python $(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(PROTO_VENV)/.made: requirements/proto.txt
	$(NEW_VENV)
	$(PROTO_VENV)/bin/python $(INSTALL) --require-hashes -r requirements/proto.txt
	@touch $@

$(OLDEST_VENV)/.made: requirements/oldest.txt
	$(NEW_VENV)
	$(OLDEST_VENV)/bin/python $(INSTALL) --require-hashes -r requirements/oldest.txt
	@touch $@

$(LOCK_VENV)/.made:
	$(NEW_VENV)
	$(LOCK_VENV)/bin/python $(INSTALL) pip-tools==7.6.2
	@touch $@
