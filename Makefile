# make demo: sets everything up, runs the shipped examples, says where tables, pictures and films are
# make test: sets everything up, checks style and types, runs all tests
# make quick: style, types, laws and house tests: under a minute on two cores, besides building what changed
# make report-assets: builds the scripts of the one-file report and of the studio (needs Node.js with npm)
# make docs: builds the site into site/, with every film, output and notebook of it made anew
# make look: opens pages of the site on a desktop and a phone, light and dark: axe-core, overflow, errors, pictures
# make pictures: makes the moving picture of README.md anew
# make jupyterlab: installs JupyterLab and drags a pin of the studio in a notebook's cell
# make blender: renders the five-body chain with Blender and checks the picture against the table

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ASSETS := src/mubo/view/report/assets
SOURCES := pyproject.toml CMakeLists.txt cmake/report_assets.cmake README.md \
    $(shell find src core examples -type f ! -name '*.pyc' ! -path '$(ASSETS)/*') $(ASSETS)/report.css
WEB := web
SCRIPTS := $(wildcard $(WEB)/*.json $(WEB)/*.mjs) $(shell find $(WEB)/shared $(WEB)/report $(WEB)/studio -type f)
CPP := $(shell find core -name '*.hpp' -o -name '*.cpp')
DEMO := demo

.PHONY: demo docs look test suite scripts quick style format sanitize campaigns benchmarks blender jupyterlab pictures report-assets chromium clean

demo: $(VENV)/video
	@mkdir -p $(DEMO)
	@for model in kabios_four_bar kabios_thigh; do \
	    echo; $(BIN)/mubo run examples/$$model.dat -o $(DEMO)/$$model || exit 1; \
	    $(BIN)/mubo kinematics examples/$$model.dat -o $(DEMO)/$$model/listing.txt --quiet || exit 1; \
	done
	@for model in eight_body.toml engine.toml five_body_chain.toml eleven_bar.deck; do \
	    echo; $(BIN)/mubo run examples/$$model -o $(DEMO)/$${model%.*} || exit 1; \
	done
	@echo; echo "Pictures and films, about a minute:"
	@$(BIN)/mubo plot examples/kabios_four_bar.dat P1.x P1.y -o $(DEMO)/kabios_four_bar/path_of_P1.png
	@$(BIN)/mubo plot examples/kabios_four_bar.dat --strobe 9 -o $(DEMO)/kabios_four_bar/positions.png
	@$(BIN)/mubo plot examples/kabios_four_bar.dat --kind newton-totals -o $(DEMO)/kabios_four_bar/newton_totals.png
	@$(BIN)/mubo plot examples/eight_body.toml K.x K.y -o $(DEMO)/eight_body/path_of_K.png
	@$(BIN)/mubo plot examples/five_body_chain.toml --strobe 6 -o $(DEMO)/five_body_chain/positions.png
	@$(BIN)/mubo animate examples/kabios_four_bar.dat --speed 0.2 --charts P1.x,P1.y -o $(DEMO)/kabios_four_bar/film.mp4
	@$(BIN)/mubo animate examples/kabios_thigh.dat --speed 0.2 --charts body1.y,body1.vy,body1.ay \
	    -o $(DEMO)/kabios_thigh/film.mp4
	@$(BIN)/mubo animate examples/eight_body.toml --charts K.x,K.y -o $(DEMO)/eight_body/film.mp4
	@$(BIN)/mubo plot examples/engine.toml shaft.effort shaft.power --over shaft -o $(DEMO)/engine/effort_over_angle.png
	@$(BIN)/mubo animate examples/engine.toml --speed 0.01 --charts shaft.effort,B.on_rod.f -o $(DEMO)/engine/film.mp4
	@$(BIN)/mubo animate examples/five_body_chain.toml --speed 0.5 \
	    --charts energy.kinetic,energy.potential,energy.total -o $(DEMO)/five_body_chain/film.mp4
	@for model in kabios_four_bar.dat kabios_thigh.dat eight_body.toml engine.toml five_body_chain.toml; do \
	    $(BIN)/mubo report examples/$$model -o $(DEMO)/$${model%.*}.html || exit 1; \
	done
	@echo; echo "Tables, listings, pictures and films are in $(DEMO)/; the pages $(DEMO)/*.html move in any browser."
	@echo "To drag, edit and play one: $(BIN)/mubo studio examples/four_bar.toml"

# Checking style and types keeps one core busy for a minute or two: it goes on beside the tests.
test: $(VENV)/installed $(VENV)/tools chromium
	@$(MAKE) --no-print-directory -j 3 suite style scripts

suite: $(VENV)/installed $(VENV)/tools
	$(BIN)/python -m pytest -n 2 --dist worksteal

scripts: $(WEB)/node_modules/.package-lock.json
	cd $(WEB) && npm run --silent check

docs: $(VENV)/video
	$(BIN)/pip install --quiet --no-build-isolation ".[docs]"
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m sphinx -W --keep-going -b html docs site -d build/doctrees -q
	$(BIN)/python tools/check_site.py site
	@echo "The site is site/index.html."

look: chromium $(VENV)/tools $(WEB)/node_modules/.package-lock.json
	$(BIN)/python tools/look_at_site.py site --pictures build/look

quick: $(VENV)/installed $(VENV)/tools style
	$(BIN)/python -m pytest -n 2 --dist worksteal tests/laws tests/house

style: $(VENV)/tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(CPP)

format: $(VENV)/tools $(WEB)/node_modules/.package-lock.json
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	PYTHONPATH=src $(BIN)/python tools/write_reference.py
	$(BIN)/python tools/draw_flowcharts.py
	PYTHONPATH=src $(BIN)/python tools/write_manual.py
	PYTHONPATH=src $(BIN)/python tools/write_stubs.py && $(BIN)/ruff format -q src/mubo/api/questions.pyi
	$(BIN)/clang-format -i $(CPP)
	cd $(WEB) && npm run --silent format

# The tests, and mutated inputs for so many seconds, against a core built with address and undefined-behaviour sanitizers.
sanitize: $(VENV)/installed $(VENV)/tools
	$(BIN)/pip install --quiet --no-build-isolation --no-deps --upgrade --target build/sanitize/site \
	    -C build-dir=build/sanitize/cmake -C cmake.define.MUBO_SANITIZE=ON -C cmake.build-type=Debug .
	LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libstdc++.so)" \
	    ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=build/sanitize/site \
	    $(BIN)/python -m pytest tests/laws tests/truth
	LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libstdc++.so)" \
	    ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 PYTHONPATH=build/sanitize/site \
	    $(BIN)/python tests/campaigns/mutated.py --seconds $(SECONDS) $(if $(FIRST),--first $(FIRST))

# Random machines, mutated files and broken models, each campaign for so many seconds; a case is its seed:
# make campaigns SECONDS=600 FIRST=1
# With ROBOTS, a folder of robot descriptions with reference numbers, these too: make campaigns ROBOTS=../robots
# With RECORDINGS, a folder of gait recordings with reference results, likewise: make campaigns RECORDINGS=../recordings
SECONDS ?= 120
campaigns: $(VENV)/tools chromium
	@status=0; for campaign in planar spatial closed curves rolling heaps rewritten mutated broken optimised synthesised designed hostile faults clumsy; do echo; \
	    $(BIN)/python tests/campaigns/$$campaign.py --seconds $(SECONDS) $(if $(FIRST),--first $(FIRST)) || status=1; done; \
	    $(if $(ROBOTS),$(BIN)/python tests/campaigns/robots.py $(ROBOTS) || status=1;) \
	    $(if $(RECORDINGS),$(BIN)/python tests/campaigns/recordings.py $(RECORDINGS) || status=1;) exit $$status

benchmarks: $(VENV)/installed
	$(BIN)/pip install --quiet exudyn 'pylinkage[numba]' pin mujoco drake 'imageio-ffmpeg>=0.5'
	for file in four_bar latency many groups batch scissor_lift start_up five_body_chain states stepping chains closed_loops contact forces strength stiff synthesis film growth studio; do PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python benchmarks/$$file.py || exit 1; done

# JupyterLab in an environment of its own, with the studio in the cell of a notebook.
jupyterlab: $(VENV)/tools chromium
	$(BIN)/python tests/campaigns/jupyterlab.py --lab build/jupyterlab --picture build/jupyterlab.png

# The film of the five-body chain rendered by Blender (bpy from PyPI, 370 MB, in an environment of its own): bodies must
# be where the table says, in the scene, in the picture, and in the .glb that Blender reads back.
BLENDER := build/blender
FILM = $(BLENDER)/film.py $(BLENDER)/poses.csv $(BLENDER)/film.glb $(BLENDER)

blender: $(VENV)/installed
	@mkdir -p $(BLENDER)
	$(BIN)/mubo export examples/five_body_chain.toml --blender $(BLENDER)/film.py -o $(BLENDER)/poses.csv -o $(BLENDER)/film.glb
	@if $(MAKE) --silent $(BLENDER)/venv/ready; then $(BLENDER)/venv/bin/python tests/blender/check_film.py $(FILM); \
	elif command -v blender > /dev/null; then echo "bpy cannot be installed here: Blender itself is used"; \
	    blender --background --python-exit-code 1 --python tests/blender/check_film.py -- $(FILM); \
	else echo "install bpy (pip) or Blender (Debian: apt-get install blender python3-numpy)"; exit 1; fi
	@echo "The pictures are $(BLENDER)/frame.png and $(BLENDER)/bodies.png."

$(BLENDER)/venv/ready:
	@$(PYTHON) -m venv $(BLENDER)/venv
	@$(BLENDER)/venv/bin/pip install --quiet bpy
	@touch $@

# The first picture of README.md.
pictures: $(VENV)/video
	$(BIN)/mubo animate examples/four_bar.toml --charts P.x,P.y --size 640x320 --fps 12 --speed 0.3333 -o docs/pictures/four_bar.gif

# The script of the report, from TypeScript.
report-assets: $(ASSETS)/report.css

$(ASSETS)/report.css: $(SCRIPTS) | $(WEB)/node_modules/.package-lock.json
	cd $(WEB) && npm run --silent build
	@touch $@

$(WEB)/node_modules/.package-lock.json: $(WEB)/package-lock.json
	@command -v npm >/dev/null || { \
	    if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -qq && apt-get install -y -qq nodejs npm; \
	    else echo "mubo's report needs Node.js 18 or later with npm (Debian: apt-get install nodejs npm)"; exit 1; fi; }
	@node -e 'if (parseInt(process.versions.node) < 18) { console.log("mubo needs Node.js 18 or later; found " + process.version); process.exit(1) }'
	cd $(WEB) && npm ci --silent
	@touch $@

# The browser of the report's tests.
chromium:
	@command -v chromium >/dev/null || { \
	    if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -qq && apt-get install -y -qq chromium; \
	    else echo "the tests of the report need Chromium (Debian: apt-get install chromium)"; exit 1; fi; }

$(VENV)/installed: $(SOURCES) | $(VENV)/bin/pip
	@command -v c++ >/dev/null || command -v g++ >/dev/null || { \
	    if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -qq && apt-get install -y -qq g++; \
	    else echo "mubo needs a C++17 compiler: install g++ (Debian: apt-get install g++) or clang"; exit 1; fi; }
	$(BIN)/pip install --quiet scikit-build-core nanobind cmake ninja
	$(BIN)/pip install --quiet --no-build-isolation .
	@touch $@

$(VENV)/video: pyproject.toml | $(VENV)/installed
	$(BIN)/pip install --quiet "imageio-ffmpeg>=0.5"
	@touch $@

$(VENV)/tools: pyproject.toml | $(VENV)/installed
	$(BIN)/pip install --quiet --no-build-isolation ".[dev]"
	@touch $@

$(VENV)/bin/pip:
	$(PYTHON) -c 'import sys; sys.exit("mubo needs Python 3.11 or later") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

clean:
	rm -rf build $(DEMO) $(VENV) $(ASSETS) $(WEB)/node_modules
