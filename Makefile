# Two commands to know: `make run` and `make test`. Each target installs what it needs.
.PHONY: help run stop test check bench format deps
.DEFAULT_GOAL := help

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

run: deps ## Start a server on this machine and open the terminal app (PROFILE=bob for a second account)
	@Tools/run

stop: ## Stop the server that make run started
	@Tools/stop

test: deps check ## Everything CI runs: checks, build, all tests
	swift build --build-tests
	Tools/run-tests '^(SQLite|WebSockets|Arguments|ChatterModel)Tests'
	Tools/run-tests '^(ChatterServer|ChatterCommand)Tests'
	Tools/run-tests '^ChatterClientTests'
	Tools/run-tests '^(ChatterViewModels|ChatterGtk|Profiles)Tests'
	Tools/run-tests '^EndToEndTests'
	Tools/test-contract .build/debug

check: deps ## Format, import arrows, forbidden words, field cases, desktop data (warnings are errors in every build)
	swift format lint --strict --recursive Package.swift Sources Tests Benchmarks
	Tools/check-imports
	Tools/check-words
	Tools/check-field-cases
	desktop-file-validate data/org.chatter.Chatter.desktop
	appstreamcli validate --no-net data/org.chatter.Chatter.metainfo.xml

bench: deps ## Measure throughput, latency, memory; prints the numbers
	swift build -c release --product chatter-server
	swift build -c release --product chatter-bench
	.build/release/chatter-bench

format: ## Rewrite the sources in the house's format
	swift format format --in-place --recursive Package.swift Sources Tests Benchmarks

deps:
	@Tools/install-packages
