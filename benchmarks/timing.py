"""Races between ways to compute the same thing.

The clock of a machine drifts with load and temperature. So the competitors take turns in one process and the
shortest processor time of each counts. Ratios carry over to other machines, times do not.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any, TypeVar

import numpy as np

Array = np.ndarray
FOLDER = Path(__file__).resolve().parent
EXAMPLES = FOLDER.parent / "examples"
SMALLEST = "--smallest" in sys.argv  # whether the script only has to run through
Size = TypeVar("Size")


def sized(whole: Size, smallest: Size) -> Size:
    """The size of a benchmark; with --smallest the one that shows no more than that it runs."""
    return smallest if SMALLEST else whole


@dataclass(frozen=True)
class Competitor:
    """`run` is timed. `states` turns its answer into (times, orders, coordinates); orders after the last one given
    are not checked."""

    name: str
    run: Callable[[], Any]
    states: Callable[[Any], Array] = np.asarray


@dataclass
class Result:
    name: str
    seconds: float  # the shortest of all calls
    answer: Any  # of the last call


def race(competitors: Sequence[Competitor], rounds: int, turn: float = 0.0) -> list[Result]:
    """Shortest time of one call of each competitor; in every round each one runs for at least `turn` seconds.

    Each competitor first runs once without the clock. A turn of some milliseconds lets the caches settle.
    """
    results = [_warmed_up(one) for one in competitors]
    for _ in range(sized(rounds, 0)):
        for one, result in zip(competitors, results, strict=True):
            spent = 0.0
            while True:
                began = process_time()
                result.answer = one.run()
                seconds = process_time() - began
                result.seconds = min(result.seconds, seconds)
                spent += seconds
                if spent >= turn:
                    break
    return results


def _warmed_up(one: Competitor) -> Result:
    """The answer of the first call; its time counts with --smallest alone."""
    began = process_time()
    answer = one.run()
    return Result(one.name, sized(float("inf"), process_time() - began), answer)


def errors(states: Array, truth: Array) -> list[str]:
    """Largest difference of position, velocity and acceleration, or "-" where a competitor has none."""
    gaps = np.abs(states - truth[:, : states.shape[1]]).max(axis=(0, 2))
    return [f"{gap:.1e}" for gap in gaps] + ["-"] * (truth.shape[1] - len(gaps))


def accuracy_table(competitors: Sequence[Competitor], results: Sequence[Result], positions: int) -> list[list[str]]:
    """Lines of name, time per position, ratio and errors; the first competitor is the floor and the truth, the rest
    is sorted by time."""
    floor = results[0]
    truth = competitors[0].states(floor.answer)
    lines = [["", "per position", "ratio", "position", "velocity", "acceleration"]]
    for one, result in sorted(zip(competitors, results, strict=True), key=lambda pair: pair[1].seconds):
        found = ["", "", ""] if result is floor else errors(one.states(result.answer), truth)
        lines.append([one.name, duration(result.seconds / positions), ratio(result.seconds / floor.seconds), *found])
    return lines


def duration(seconds: float) -> str:
    """Three digits in the unit that fits: "92.1 ns"."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def ratio(value: float) -> str:
    """Two digits below ten, whole numbers above."""
    return f"{value:.2g}" if value < 10 else f"{value:.0f}"


def print_table(lines: Sequence[Sequence[str]]) -> None:
    """The first column flush left, all others flush right; the first line is the heading."""
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    for number, line in enumerate(lines):
        cells = [
            line[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)),
        ]
        print("  ".join(cells).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))


def compile_c(source: Path) -> ctypes.CDLL:
    """The C file as a loaded library, built with -O3; nothing stays on the disk."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise SystemExit("the benchmarks need a C compiler: install gcc")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "benchmark.so"
        subprocess.run([compiler, "-O3", "-shared", "-fPIC", str(source), "-o", str(library), "-lm"], check=True)
        return ctypes.CDLL(str(library))
