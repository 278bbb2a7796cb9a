"""Where tests find data, examples and the command line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import mubo

ROOT = Path(__file__).parent.parent
DATA = ROOT / "tests" / "data"
EXAMPLES = ROOT / "examples"


def _is_simulated(path: Path) -> bool:
    """Whether a model file asks for a simulation, itself or by the file that it extends."""
    analysis = mubo.load(path).analysis
    return analysis is not None and analysis.type == "simulate"


# Examples that are moved by drivers; those to be simulated have DOFs left.
MOVED_EXAMPLES = sorted(
    path for path in EXAMPLES.glob("*.*") if path.suffix in (".toml", ".dat") and not _is_simulated(path)
)


@pytest.fixture
def reference():
    """A stored reference answer by name."""
    return lambda name: json.loads((DATA / f"{name}.json").read_text())


@pytest.fixture
def command(tmp_path):
    """Runs `mubo …` in an empty folder, as a person would."""
    program = Path(sys.executable).parent / "mubo"

    def call(*words, **options):
        return subprocess.run(
            [program, *map(str, words)], cwd=tmp_path, capture_output=True, text=True, timeout=120, **options
        )

    return call


@pytest.fixture(params=["tree", "absolute"])
def form(request):
    """Both formulations of a simulation."""
    return request.param
