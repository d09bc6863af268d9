# `make` lists what can be done. Every target sets up what it needs, once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PROTO_VENV := .venv-proto
LOCK_VENV := build/lock-venv
TYPED := $(wildcard engine sdk arena leaderboard tests benchmarks examples)
PROTOS := $(wildcard proto/conquest/v1/*.proto)
SERVICES := $(patsubst %,proto/conquest/v1/%.proto,catalog match referee)
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal
DEMO_BOTS := --bot strategist --bot aggressor --bot cautious --bot random
# Locks name public packages only: the settings of this machine (mirrors, local wheels) stay out of them.
COMPILE_LOCK = env -u PIP_FIND_LINKS -u PIP_EXTRA_INDEX_URL PIP_CONFIG_FILE=/dev/null CUSTOM_COMPILE_COMMAND="make lock" \
    $(LOCK_VENV)/bin/pip-compile --quiet --no-config --generate-hashes --allow-unsafe --strip-extras \
    --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options $(UPGRADE)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test soak bench lint format types compile proto lock clean distclean

help: ## list the targets
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20

run: compile ## set everything up and play a small demonstration
	@$(BIN)/arena --version
	@for variant in classic officers summary ad2210-classic godstorm-classic; do \
	    $(BIN)/arena play --table --variant $$variant $(DEMO_BOTS) --matches 20 || exit; done
	@echo "Next: source $(BIN)/activate; arena --help"

test: lint types compile ## set everything up and run all checks and tests (soak apart)
	@mode=$$($(BIN)/python -c 'import engine; print(engine.MODE)') && echo "== all tests, engine $$mode"
	$(PYTEST)
	@if $(BIN)/python -P engine/build_stamp.py; then echo "== engine tests once more, engine interpreted"; \
	    ARENA_INTERPRETED=1 $(PYTEST) tests/engine; fi

soak: $(VENV)/.test compile ## run the long tests
	HYPOTHESIS_PROFILE=soak $(PYTEST) -m soak

bench: compile ## measure the engine
	$(BIN)/python -m benchmarks.engine

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

proto: $(PROTO_VENV)/.made ## generate the modules of the wire contract
	$(PROTO_VENV)/bin/buf lint proto
	$(PROTO_VENV)/bin/python -m grpc_tools.protoc -I proto --python_out=proto --pyi_out=proto $(PROTOS)
	$(PROTO_VENV)/bin/python -m grpc_tools.protoc -I proto --grpc_python_out=proto $(SERVICES)
	cd proto && LC_ALL=C sha256sum conquest/v1/*.proto conquest/v1/*_pb2* > SHA256SUMS

# Made with the oldest Python we support, so that what only it needs is in them too. UPGRADE=--upgrade takes newer ones.
lock: $(LOCK_VENV)/.made ## pin the dependencies of pyproject.toml, with hashes
	$(COMPILE_LOCK) --all-build-deps --extra referee --output-file requirements/run.txt pyproject.toml
	$(COMPILE_LOCK) --all-build-deps --extra referee --extra test --constraint requirements/run.txt --output-file requirements/test.txt pyproject.toml
	$(COMPILE_LOCK) --output-file requirements/proto.txt requirements/proto.in

clean: ## remove what was built and cached
	rm -rf build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find engine \( -name '*.so' -o -name compiled.sha256 \) -delete
	find . -name __pycache__ -not -path './.venv*' -prune -exec rm -rf {} +

distclean: clean ## remove the environments too
	rm -rf $(VENV) $(PROTO_VENV)

# ---- set-up: each step leaves a file, and is done again when what it depends on is newer ----

define NEW_VENV
@command -v $(PYTHON) >/dev/null || { echo "make: no $(PYTHON) found; Conquest Arena needs Python 3.11 or newer (make PYTHON=...)" >&2; exit 1; }
@$(PYTHON) -c 'import sys; v = sys.version.split()[0]; sys.exit(sys.version_info < (3, 11) and \
    f"make: Conquest Arena needs Python 3.11 or newer, and $(PYTHON) is {v}; run make PYTHON=python3.11 or the like")'
@echo "== setting up $(@D)"
@$(PYTHON) -m venv --clear $(@D)
endef
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

$(LOCK_VENV)/.made:
	$(NEW_VENV)
	$(LOCK_VENV)/bin/python $(INSTALL) pip-tools==7.6.2
	@touch $@
