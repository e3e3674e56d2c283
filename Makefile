# `make help` lists the targets. Everything is installed into .venv; nothing outside this directory is changed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# One more worker than there are processors, since some tests wait for the disk or for other programs.
IN_PARALLEL := -n $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1) --dist loadgroup

.PHONY: help run docs test test-integration test-platform test-interop sanitize lint lint-workflows types generate check-generated dist viewer rules facts check-facts memory-oracle pictures conformance bench-all bench-dequantize fuzz upstream verdicts check clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.installed ## show the metadata and tensors of the sample model
	$(BIN)/kaitai-gguf info examples/sample.gguf
	$(BIN)/kaitai-gguf metadata examples/sample.gguf
	$(BIN)/kaitai-gguf tensors examples/sample.gguf
	$(BIN)/python examples/read.py

test: $(VENV)/.installed-dev ## run the tests
	$(BIN)/pytest $(IN_PARALLEL)

test-integration: $(VENV)/.installed-integration ## run the tests with nginx, S3, SFTP, Chromium and shells (root on Debian: installs nginx, OpenSSH, Chromium, zsh and fish)
	$(BIN)/pytest tests/integration

test-platform: ## run the tests on another platform (root on Debian): PLATFORM=debian13, cpython3.12, cpython3.14, cpython3.13t, cpython3.14t, arm64, s390x or wheel
	tools/test_platform.sh $(PLATFORM)

test-interop: $(VENV)/.installed-interop ## run the tests with transformers and diffusers (installs torch, 6 GB)
	$(BIN)/pytest tests/interop tests/docs/test_pages.py

sanitize: $(VENV)/.installed-dev ## run the tests of the C code under AddressSanitizer and UBSan
	$(BIN)/python tests/sanitize.py

lint: $(VENV)/.installed-dev ## check style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lint-workflows: $(VENV)/.installed-dev ## check the GitHub workflows and action.yml (actionlint needs Go)
	$(BIN)/zizmor --offline --quiet .
	if command -v go > /dev/null; then go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12; else echo "skipped actionlint: no Go"; fi

types: $(VENV)/.installed-dev ## check types
	$(BIN)/mypy

generate: $(VENV)/.installed-dev ## write generated/ and the generated parts of javascript/ from schema/ (needs Java, Maven and Node.js)
	$(BIN)/python schema/tools/generate.py

check-generated: $(VENV)/.installed-dev ## fail if generated/ or the viewer's page is out of date
	$(BIN)/python schema/tools/generate.py --check
	$(BIN)/python javascript/viewer/build.py --check

viewer: $(VENV)/.installed-dev ## build the page of `kaitai-gguf view` from javascript/viewer (needs Node.js)
	$(BIN)/python javascript/viewer/build.py

dist: $(VENV)/.installed-dev ## build the source distribution, and a wheel from that, into dist/
	$(BIN)/python tools/distributions.py dist

docs: $(VENV)/.installed-docs ## build the documentation into build/docs
	$(BIN)/sphinx-build --quiet --fresh-env --write-all --fail-on-warning --keep-going docs build/docs

rules: $(VENV)/.installed-dev ## write docs/rules.md from the rules
	$(BIN)/python -m kaitai_gguf.rules.page docs/rules.md

facts: $(VENV)/.installed-dev ## write what llama.cpp knows into src/kaitai_gguf/llama_cpp.json (downloads the newest llama-cpp-python)
	$(BIN)/python tools/llama_cpp_facts.py

check-facts: $(VENV)/.installed-dev ## say what llama_cpp.json lacks of the newest llama.cpp
	$(BIN)/python tools/llama_cpp_facts.py --check

memory-oracle: $(VENV)/.installed-dev ## ask llama.cpp how much memory models need; writes tests/data/memory (15 minutes; builds it)
	$(BIN)/pip install --quiet transformers hf-mem
	$(BIN)/python tools/memory/oracle.py $(if $(LLAMA_CPP_SOURCES),--sources $(LLAMA_CPP_SOURCES))
	$(BIN)/python tools/memory/page.py

pictures: $(VENV)/.installed-dev ## draw the pictures of terminals in docs/images
	$(BIN)/python docs/images/pictures.py

conformance: $(VENV)/.installed-dev ## compare the generated parsers of four languages (of twelve with KAITAI_RUNTIMES=directory)
	$(BIN)/pytest tests/conformance

bench-all: $(VENV)/.installed-bench ## run the benchmarks against other readers and write docs/benchmarks.md (ONLY="opening writing", MODELS=directory, RENDER=1)
	$(BIN)/python -m benchmarks $(if $(ONLY),--only "$(ONLY)") $(if $(MODELS),--models "$(MODELS)") $(if $(RENDER),--render)

bench-dequantize: ## the same as make bench-all ONLY=dequantizing
	$(MAKE) bench-all ONLY=dequantizing

fuzz: $(VENV)/.installed-fuzz ## fuzz the reader, then its C code with clang's sanitizers (10 minutes each, or MINUTES)
	$(BIN)/python fuzz/run.py $(or $(MINUTES),10)

upstream: $(VENV)/.installed-dev ## write what can be submitted to Kaitai Struct and OSS-Fuzz into build/upstream
	$(BIN)/python tools/upstream.py build/upstream

verdicts: $(VENV)/.installed-dev ## write the files of tests/attacks and their verdicts (GGML=library: llama.cpp's verdicts, too)
	$(BIN)/python tests/attacks/verdicts.py $(if $(GGML),--ggml $(GGML))

check: lint lint-workflows types check-generated sanitize test ## everything that CI checks except the documentation and the integration tests

examples/sample.gguf: examples/make_sample.py | $(VENV)/.installed-dev
	$(BIN)/python examples/make_sample.py $@

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

COMPILED := setup.py src/kaitai_gguf/_scanner.c src/kaitai_gguf/_kernels.c src/kaitai_gguf/_blocks.h src/kaitai_gguf/_fields.h src/kaitai_gguf/_vectors.h generated/c/gguf_index.h

$(VENV)/.installed: pyproject.toml $(COMPILED) | $(VENV)/bin/python
	$(BIN)/pip install -qq --editable .
	@$(BIN)/python -m compileall -q src generated/python
	@touch $@

$(VENV)/.installed-dev: pyproject.toml $(COMPILED) | $(VENV)/bin/python
	$(BIN)/pip install -qq --editable . --group dev
	@$(BIN)/python -m compileall -q src generated/python
	@touch $@ $(VENV)/.installed

# Without a C++ compiler, Node.js, Go or Rust, only the other contenders are measured.
$(VENV)/.installed-bench: $(VENV)/.installed-dev benchmarks/package-lock.json benchmarks/ggml.py $(wildcard benchmarks/go/* benchmarks/rust/*)
	$(BIN)/pip install --quiet --group bench
	$(BIN)/python -m benchmarks.ggml || echo "ggml could not be built"
	if command -v npm > /dev/null; then npm ci --silent --prefix benchmarks; fi
	@mkdir -p benchmarks/build
	if command -v go > /dev/null; then cd benchmarks/go && go build -o ../build/gguf_parser_go . || echo "gguf-parser-go could not be built"; fi
	if command -v cargo > /dev/null; then cargo build --quiet --release --manifest-path benchmarks/rust/Cargo.toml --target-dir benchmarks/build/rust || echo "ggus could not be built"; fi
	@touch $@

$(VENV)/.installed-integration: $(VENV)/.installed-dev
	$(BIN)/pip install --quiet --group integration
	@touch $@

$(VENV)/.installed-docs: $(VENV)/.installed-dev
	$(BIN)/pip install --quiet --group docs
	@touch $@

$(VENV)/.installed-interop: $(VENV)/.installed-dev
	$(BIN)/pip install --quiet --group interop
	@touch $@

$(VENV)/.installed-fuzz: $(VENV)/.installed-dev
	$(BIN)/pip install --quiet --group fuzz
	@touch $@

clean: ## remove everything that was installed or built
	rm -rf $(VENV) build dist *.egg-info src/*.egg-info schema/tools/node_modules javascript/node_modules javascript/types javascript/viewer/node_modules
