"""Where tests find data, examples and the command line."""

import gc
import json
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


@pytest.fixture(params=["tree", "absolute"])
def form(request):
    """Both formulations of a simulation."""
    return request.param
