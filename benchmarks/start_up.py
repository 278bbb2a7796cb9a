"""How long a command takes from an empty process to its answer.

    python benchmarks/start_up.py

Each command runs in a fresh process; the commands take turns and the least processor time counts. The ratio is to
importing NumPy, which mubo cannot do without. Modules are compiled by the first round, which does not count.
"""

from __future__ import annotations

import importlib.util
import math
import os
import shutil
import subprocess
import sys
import tempfile
from operator import itemgetter
from pathlib import Path

from timing import EXAMPLES, SMALLEST, duration, print_table, ratio, sized

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
    mubo, model, classic = mubo_command(), EXAMPLES / "four_bar.toml", EXAMPLES / "kabios_four_bar.dat"
    held = {
        'python -c "pass"': [sys.executable, "-c", "pass"],
        FLOOR: [sys.executable, "-c", "import numpy"],
        "mubo --help": [mubo, "--help"],
        f"mubo check examples/{model.name}": [mubo, "check", str(model)],
        f"mubo kinematics examples/{classic.name}": [mubo, "kinematics", str(classic)],
        f"mubo kinematics examples/{model.name}": [mubo, "kinematics", str(model)],
        f"mubo report examples/{model.name}": [mubo, "report", str(model), "-o", "page.html"],
    }
    if importlib.util.find_spec("exudyn"):
        held['python -c "import exudyn"'] = [sys.executable, "-c", "import exudyn"]
    else:
        print("Exudyn is left out: it is not installed (pip install 'mubo[benchmarks]')\n")
    return held


def processor_time(command: list[str], folder: str) -> float:
    """Seconds of the processor of one process and its children."""
    child = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {child.returncode}")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    asked = commands()
    best = dict.fromkeys(asked, math.inf)
    with tempfile.TemporaryDirectory() as folder:  # whatever a command writes
        for count in range(sized(ROUNDS, 0) + 1):
            for name, command in asked.items():
                spent = processor_time(command, folder)
                best[name] = min(best[name], spent) if count or SMALLEST else best[name]
    print(f"whole process, least processor time of {ROUNDS}\n")
    lines = [
        [name, duration(spent), ratio(spent / best[FLOOR])] for name, spent in sorted(best.items(), key=itemgetter(1))
    ]
    print_table([["", "time", "ratio"], *lines])


if __name__ == "__main__":
    main()
