"""Where tests find data, examples and the command line."""

import gc
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from forked_command import ForkedCommands

import mubo

ROOT = Path(__file__).parent.parent
DATA = ROOT / "tests" / "data"
EXAMPLES = ROOT / "examples"


def _is_simulated(path: Path) -> bool:
    """Whether a motion is integrated: a file asks for a simulation, itself or by the file that it extends, or rolls."""
    model = mubo.load(path)
    rolls = any(row.on_velocities for joint in model.joints.values() for row in model.kinds[joint.kind].rows)
    return rolls or (model.analysis is not None and model.analysis.type == "simulate")


# Examples that are moved by drivers; those to be simulated have DOFs left.
MOVED_EXAMPLES = sorted(
    path for path in EXAMPLES.glob("*.*") if path.suffix in (".toml", ".dat") and not _is_simulated(path)
)


def pytest_collection_finish():
    """Modules and tests live as long as the suite: the collector of garbage need not look through them again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def reference():
    """A stored reference answer by name."""
    return lambda name: json.loads((DATA / f"{name}.json").read_text())


@pytest.fixture(scope="session")
def forked_commands():
    """The server from which commands are forked, one for each worker of the suite."""
    server = ForkedCommands()
    yield server
    server.close()


@pytest.fixture
def command(tmp_path, forked_commands):
    """Runs `mubo …` in an empty folder, as a person would: forked, or in a fresh process where `env` is given."""
    program = Path(sys.executable).parent / "mubo"

    def call(*words, env=None, input=""):
        words = [str(word) for word in words]
        if env is None:
            return forked_commands.run(words, tmp_path, input, timeout=120)
        return subprocess.run(
            [program, *words], cwd=tmp_path, capture_output=True, text=True, timeout=120, env=env, input=input
        )

    return call


CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"  # installed by `make test` where missing
CHROMIUM_ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--no-first-run", "--enable-unsafe-swiftshader"),
)


@pytest.fixture(scope="session")
def start_chromium():
    """Starts Debian's Chromium, without a window, with further arguments.

    Its event loop belongs to the thread of the tests until the end: a test with a loop of its own runs that in another
    thread.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield lambda *more: playwright.chromium.launch(executable_path=CHROMIUM, args=[*CHROMIUM_ARGUMENTS, *more])


@pytest.fixture(scope="session")
def chromium(start_chromium):
    """The one Chromium of each worker of the suite; a test has contexts of its own, and closes them."""
    running = start_chromium()
    yield running
    running.close()


@pytest.fixture(scope="session")
def studio_server(tmp_path_factory):
    """A studio of an empty folder, one for each worker of the suite: the folder and its address."""
    folder, program = tmp_path_factory.mktemp("models"), Path(sys.executable).parent / "mubo"
    with subprocess.Popen([program, "studio", folder, "--no-browser"], stdout=subprocess.PIPE, text=True) as process:
        yield folder, re.search(r"http://\S+", process.stdout.readline())[0]
        process.terminate()


@pytest.fixture(params=["tree", "absolute"])
def form(request):
    """Both formulations of a simulation."""
    return request.param
