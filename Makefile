# `make help` lists what there is to do. Everything is installed into .venv; nothing outside this directory is changed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help run test lint types generate check-generated check clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.installed ## show the metadata and tensors of the sample model
	$(BIN)/kaitai-gguf info examples/sample.gguf
	$(BIN)/kaitai-gguf metadata examples/sample.gguf
	$(BIN)/kaitai-gguf tensors examples/sample.gguf
	$(BIN)/python examples/read.py

test: $(VENV)/.installed-dev ## run the tests
	$(BIN)/pytest

lint: $(VENV)/.installed-dev ## check style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev ## check types
	$(BIN)/mypy

generate: $(VENV)/.installed-dev ## write generated/ from schema/ (needs Java, Maven and Node.js)
	$(BIN)/python schema/tools/generate.py

check-generated: $(VENV)/.installed-dev ## fail if generated/ is not what schema/ makes of it
	$(BIN)/python schema/tools/generate.py --check

check: lint types check-generated test ## all that CI checks

examples/sample.gguf: examples/make_sample.py | $(VENV)/.installed-dev
	$(BIN)/python examples/make_sample.py $@

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --editable . --group dev
	@touch $@ $(VENV)/.installed

clean: ## remove what was installed or built
	rm -rf $(VENV) build dist *.egg-info src/*.egg-info schema/tools/node_modules
