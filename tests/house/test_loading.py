"""What a command loads: the modules that it needs, and neither SciPy nor matplotlib."""

import subprocess
import sys

import pytest
from conftest import EXAMPLES

COUNT = (
    "import sys; from mubo.__main__ import main; sys.argv = ['mubo', *sys.argv[1:]]\n"
    "try:\n    main()\nexcept SystemExit:\n    pass\n"
    "print(*sorted(sys.modules), file=sys.stderr)"
)


def loaded(code, *arguments):
    done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr.split() or done.stdout.split()


def test_kinematics_of_a_linkage_loads_what_it_needs(tmp_path):
    modules = loaded(COUNT, "kinematics", EXAMPLES / "four_bar.toml", "-o", tmp_path / "table.csv", "--quiet")
    python = [name for name in modules if name.split(".")[0] == "mubo" and name != "mubo._core"]
    assert len(python) <= 116
    assert not {"scipy", "matplotlib", "numpy.ma"} & set(modules)
    unneeded = ("mubo.elements.space", "mubo.elements.loads", "mubo.formats.walk", "mubo.formats.motion_data")
    assert not [name for name in modules if name.startswith(unneeded)]


@pytest.mark.parametrize(
    "arguments", [["check", EXAMPLES / "four_bar.toml"], ["report", EXAMPLES / "four_bar.toml", "-o", "page.html"]]
)
def test_a_linkage_is_checked_and_reported_without_scipy(arguments, tmp_path, monkeypatch):
    """The page of a linkage and its check load neither SciPy nor matplotlib: half of their time was that."""
    monkeypatch.chdir(tmp_path)
    assert not {"scipy", "matplotlib", "numpy.ma"} & set(loaded(COUNT, *arguments))


FINISHED = (
    "import dataclasses, sys\n"
    "count, plain = [], dataclasses._process_class\n"
    "def process(cls, *rest, **more):\n    count.append(cls.__module__)\n    return plain(cls, *rest, **more)\n"
    "dataclasses._process_class = process\n"
    "from mubo.__main__ import main; sys.argv = ['mubo', *sys.argv[1:]]\n"
    "try:\n    main()\nexcept SystemExit:\n    pass\n"
    "print(*count, file=sys.stderr)"
)


def test_only_dataclasses_that_are_used_are_written(tmp_path):
    """Each costs about a millisecond: of the hundred that a command loads, those of which it makes no object wait."""
    found = loaded(FINISHED, "kinematics", EXAMPLES / "four_bar.toml", "-o", tmp_path / "table.csv", "--quiet")
    assert len([name for name in found if name.startswith("mubo")]) <= 70


@pytest.mark.parametrize(
    ("code", "arguments", "most"), [(COUNT, ["--help"], 15), ("import sys, mubo; print(*sys.modules)", [], 3)]
)
def test_help_and_import_load_little(code, arguments, most):
    """The help needs the declarations of studies; `import mubo` the errors."""
    modules = loaded(code, *arguments)
    assert len([name for name in modules if name.split(".")[0] == "mubo"]) <= most
    assert not {"scipy", "matplotlib", "numpy"} & set(modules)
