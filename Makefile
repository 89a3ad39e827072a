# Every target does its own set-up; a second run installs nothing again.
BIN := .venv/bin
export HYPOTHESIS_STORAGE_DIRECTORY := build/hypothesis

.DEFAULT_GOAL := help
.PHONY: help setup demo test check clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-6s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Install what is missing: system packages, .venv, optional tools
	@.ci/setup

demo: setup ## Port sample_model/ to OpenACC into build/demo, with evidence and a report
	@$(BIN)/acclimate migrate sample_model --out build/demo

test: setup ## Run the tests on all cores; ARGS="-m 'not slow'" passes on to pytest
	@$(BIN)/pytest -n auto --dist loadgroup $(ARGS)

check: setup ## Lint, format, layers and types; changes nothing
	@.ci/check

clean: ## Remove everything built, the virtual environment included
	rm -rf .venv build *.egg-info
