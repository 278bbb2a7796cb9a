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
    assert len(python) <= 120
    assert not {"scipy", "matplotlib"} & set(modules)
    unneeded = ("mubo.elements.space", "mubo.elements.loads", "mubo.formats.walk", "mubo.formats.motion_data")
    assert not [name for name in modules if name.startswith(unneeded)]


@pytest.mark.parametrize(
    ("code", "arguments", "most"), [(COUNT, ["--help"], 15), ("import sys, mubo; print(*sys.modules)", [], 3)]
)
def test_help_and_import_load_little(code, arguments, most):
    """The help needs the declarations of studies; `import mubo` the errors."""
    modules = loaded(code, *arguments)
    assert len([name for name in modules if name.split(".")[0] == "mubo"]) <= most
    assert not {"scipy", "matplotlib", "numpy"} & set(modules)
