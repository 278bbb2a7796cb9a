"""Whole calls as people make them: the time of a question beside the arithmetic in it.

    python benchmarks/latency.py

361 rows of a four-bar, Jansen's leg and eight bodies: a changed dimension and the whole kinematics with its proof, the
same model asked again, and live positions. pylinkage sets the lengths of the first two and steps with and without
kinematics. Then whole simulations of N four-bars beside their own integration in the core. All take turns in one
process; the least processor time of each counts.
"""

from __future__ import annotations

import math
import runpy
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
from loop_cases import Case
from loop_race import by_mubo
from timing import EXAMPLES, Array, duration, print_table, ratio, sized

import mubo

ROWS = 361
ROUNDS = sized(100, 1)
SIZES = sized((10, 1000), (1,))
MODELS = {"four_bar": "coupler.C", "jansen_leg": "upper_rod.top", "eight_body": "boom.O"}
n_four_bar = runpy.run_path(str(EXAMPLES / "n_four_bars.py"))["n_four_bar"]


def least(runs: dict[str, Callable[[], Any]], rounds: int = ROUNDS) -> dict[str, float]:
    """Processor seconds of one call of each, the least of rounds in which all take turns."""
    for run in runs.values():
        run()
    best = dict.fromkeys(runs, math.inf)
    for _ in range(rounds):
        for name, run in runs.items():
            began = process_time()
            run()
            best[name] = min(best[name], process_time() - began)
    return best


def changes(model: mubo.Model, name: str) -> list[tuple[float, ...]]:
    """Numbers of a point that follow each other, so that nothing can be kept from the call before."""
    body, point = name.split(".")
    x, y = model.bodies[body].points[point]
    size = max(abs(x), abs(y), 1.0)
    return [(x + 1e-4 * size * k, y) for k in range(1, 6)]


def questions(name: str, dimension: str) -> dict[str, Callable[[], Any]]:
    """A variant with its kinematics, the model asked again, and live positions where it has vector loops."""
    model = mubo.load(EXAMPLES / f"{name}.toml")
    asked = model.build().output_times()
    step = (asked.end - asked.start) / (ROWS - 1)
    numbers = changes(model, dimension)
    turn = iter(range(10**9))

    def varied() -> mubo.Run:
        return model.replace(dimension, numbers[next(turn) % len(numbers)]).kinematics(step=step)

    out: dict[str, Callable[[], Any]] = {
        "replace + kinematics": varied,
        "kinematics": lambda: model.kinematics(step=step),
    }
    try:
        live = model.live(dimension, step=step)
    except mubo.ModelError:
        return out
    return out | {"live positions": lambda: live.positions(numbers[next(turn) % len(numbers)])}


def pylinkage_four_bar() -> dict[str, Callable[[], Any]]:
    """The four-bar of the examples in pylinkage, with its lengths set at every call."""
    from four_bar_pylinkage import FourBar

    run = mubo.load(EXAMPLES / "four_bar.toml").kinematics(step=1 / (ROWS - 1))
    names = [f"{body}.{letter}" for body in ("crank", "coupler", "rocker") for letter in ("x", "y", "phi")]
    first: Array = np.array([run[name][0] for name in names])
    times = np.arange(ROWS) / (ROWS - 1)
    linkage = FourBar((2.0, 4.0, 4.0, 2.5), math.pi / 3, 2 * math.pi, times, first)

    def set_lengths() -> None:
        linkage.pin.distance1, linkage.pin.distance2 = 4.0, 4.0

    def stepped() -> Any:
        set_lengths()
        return linkage.positions()

    def with_kinematics() -> Any:
        set_lengths()
        return linkage.kinematics()

    return {"pylinkage step_fast": stepped, "pylinkage step_fast_with_kinematics": with_kinematics}


def pylinkage_jansen_leg() -> dict[str, Callable[[], Any]]:
    """Jansen's leg in pylinkage: a crank and five dyads, those of the triangles and of the foot among them."""
    from four_bar_pylinkage import Leg

    run = mubo.load(EXAMPLES / "jansen_leg.toml").kinematics(step=1 / (ROWS - 1))

    def place(body: str, x: float, y: float) -> tuple[float, float]:
        angle = math.radians(run[f"{body}.phi"][0])
        c, s = math.cos(angle), math.sin(angle)
        return float(run[f"{body}.x"][0] + c * x - s * y), float(run[f"{body}.y"][0] + s * x + c * y)

    back = run.model.bodies["shoulder"].points["back"]
    first = [place("shoulder", 41.5, 0.0), place("shoulder", *back), place("link", 39.3, 0.0)]
    first += [place("strut", 39.4, 0.0), (float(run["foot.x"][0]), float(run["foot.y"][0]))]
    leg = Leg(ROWS, first)

    def set_lengths() -> None:
        leg.dyads[0].distance1 = 50.0

    def stepped() -> Any:
        set_lengths()
        return leg.positions()

    def with_kinematics() -> Any:
        set_lengths()
        return leg.kinematics()

    gap = float(np.abs(np.asarray(leg.positions())[:, -1] - np.column_stack([run["foot.x"], run["foot.y"]])).max())
    if gap > 1e-6:
        raise SystemExit(f"the feet of mubo and pylinkage differ by {gap:.1e} mm")
    return {"pylinkage step_fast": stepped, "pylinkage step_fast_with_kinematics": with_kinematics}


PEERS = {"four_bar": pylinkage_four_bar, "jansen_leg": pylinkage_jansen_leg}


def peers_of(name: str) -> dict[str, Callable[[], Any]]:
    """The same mechanism in pylinkage, where that is installed and has it."""
    try:
        return PEERS[name]() if name in PEERS else {}
    except ImportError as error:
        print(f"pylinkage is left out: {error}\n")
        return {}


def motions() -> None:
    """Table of whole kinematic calls; ratios are to pylinkage's own call on the same mechanism."""
    lines = [[f"{ROWS} rows", "call", "time", "of step_fast_with_kinematics", "of step_fast"]]
    for name, dimension in MODELS.items():
        best = least(questions(name, dimension) | peers_of(name))
        floors = [best.get(f"pylinkage {word}", math.nan) for word in ("step_fast_with_kinematics", "step_fast")]
        for call, seconds in best.items():
            shares = [ratio(seconds / floor) if floor == floor else "-" for floor in floors]
            lines.append([name, call, duration(seconds), *shares])
    print_table(lines)


def simulations() -> None:
    """Table of whole simulations beside their own integration in the core."""
    lines = [["simulate(0, 1, 0.1)", "whole call", "integration", "ratio"]]
    for number in SIZES:
        model = n_four_bar(number)
        case = Case("", model.build(), 1.0, "coupler0", 1e-3)
        runs = {"whole": lambda model=model: model.simulate(0, 1, 0.1), "core": by_mubo(case, 1e-11)}
        best = least(runs, sized(5 if number < 100 else 1, 1))
        lines.append([f"N = {number}", *(duration(best[one]) for one in best), ratio(best["whole"] / best["core"])])
    print_table(lines)


def main() -> None:
    motions()
    print()
    simulations()


if __name__ == "__main__":
    main()
