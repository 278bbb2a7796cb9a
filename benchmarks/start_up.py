"""How long a command takes from an empty process to its answer.

    python benchmarks/start_up.py

Each command runs in a fresh process; the commands take turns and the shortest time counts. The ratio is to
importing NumPy, which mubo cannot do without.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from timing import EXAMPLES, Competitor, duration, print_table, race, ratio

ROUNDS = 15
FLOOR = 'python -c "import numpy"'


def mubo_command() -> str:
    """The command `mubo` beside this Python, else the one on the search path."""
    beside = shutil.which("mubo", path=str(Path(sys.executable).parent))
    found = beside or shutil.which("mubo")
    if found is None:
        raise SystemExit('there is no command "mubo": install it (pip install .) and run again')
    return found


def commands() -> dict[str, list[str]]:
    """What is shown, and what is run."""
    mubo = mubo_command()
    model = EXAMPLES / "kabios_four_bar.dat"
    held = {
        'python -c "pass"': [sys.executable, "-c", "pass"],
        FLOOR: [sys.executable, "-c", "import numpy"],
        "mubo --help": [mubo, "--help"],
        f"mubo kinematics examples/{model.name}": [mubo, "kinematics", str(model)],
    }
    if importlib.util.find_spec("exudyn"):
        held['python -c "import exudyn"'] = [sys.executable, "-c", "import exudyn"]
    else:
        print("Exudyn is left out: it is not installed (pip install 'mubo[benchmarks]')\n")
    return held


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:  # whatever a command writes

        def competitor(name: str, command: list[str]) -> Competitor:
            return Competitor(name, lambda: subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL))

        results = race([competitor(*item) for item in commands().items()], ROUNDS)
    results.sort(key=lambda one: one.seconds)
    floor = next(one.seconds for one in results if one.name == FLOOR)
    print(f"whole process, shortest of {ROUNDS}\n")
    print_table(
        [
            ["", "time", "ratio"],
            *([one.name, duration(one.seconds), ratio(one.seconds / floor)] for one in results),
        ]
    )


if __name__ == "__main__":
    main()
