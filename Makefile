# Two commands to know: `make run` and `make test`. Each target installs what it needs.
.PHONY: help run run-browser stop test check gallery bench format install uninstall deb deps
.DEFAULT_GOAL := help

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

run: deps ## Start a server on this machine and open the app (PROFILE=bob: a second account; APP=terminal)
	@Tools/run

run-browser: deps ## The same with the desktop app in a browser, for machines without a display (WEB_PORT=8085)
	@Tools/run-browser

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
	Tools/test-desktop .build/debug
	Tools/gallery .scratch/gallery

check: deps ## Format, import arrows, forbidden words, field cases, desktop data (warnings are errors in every build)
	swift format lint --strict --recursive Package.swift Sources Tests Benchmarks
	Tools/check-imports
	Tools/check-words
	Tools/check-field-cases
	desktop-file-validate data/org.chatter.Chatter.desktop
	appstreamcli validate --no-net data/org.chatter.Chatter.metainfo.xml

gallery: deps ## Paint every state of the desktop app's screens into .scratch/gallery (STATES="chats …" for some)
	swift build --product chatter-gallery
	Tools/gallery .scratch/gallery $(STATES)

bench: deps ## Measure throughput, latency, memory; prints the numbers
	swift build -c release --product chatter-server
	swift build -c release --product chatter-bench
	swift build -c release --product chatter-gtk
	swift build -c release --product chatter-desktop-bench
	.build/release/chatter-bench
	Tools/bench-desktop .build/release

format: ## Rewrite the sources in the house's format
	swift format format --in-place --recursive Package.swift Sources Tests Benchmarks

install: deps ## Build the programs as released and install them (PREFIX=/usr/local, DESTDIR=)
	@Tools/build-release
	@Tools/install .build/static/stripped

uninstall: ## Remove what make install put there (with its PREFIX)
	@Tools/install --remove

deb: deps ## Build them into a Debian package
	@Tools/build-release
	@Tools/make-deb .build/static/stripped

deps:
	@Tools/install-packages
