"""How the cost of mubo's kinematics grows with the size of the mechanism.

    python benchmarks/scissor_lift.py

The scissor lift of examples/scissor_lift.py, from 30 to 1000 stages of two bars each, at three positions. The whole
public call is timed: checks, assembly, diagnosis, the way there and back, residuals and the named columns. Building
the model is not. Then the core alone, at 51 positions.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable

import numpy as np
from groups import core
from timing import EXAMPLES, Competitor, Result, duration, print_table, race, ratio, sized

import mubo

STAGES = sized((30, 100, 300, 500, 1000), (2, 3))
END, STEP = 0.1, 0.05
POSITIONS, CORE_POSITIONS = 3, 51
ANGLE, RATE = 0.5, 0.2  # of the lowest bar
ROUNDS = 3


def builder() -> Callable[..., mubo.Model]:
    """The function scissor_lift of the example, which is a script and not part of the package."""
    spec = importlib.util.spec_from_file_location("scissor_lift_example", EXAMPLES / "scissor_lift.py")
    assert spec is not None, "examples/scissor_lift.py is missing"
    assert spec.loader is not None, "examples/scissor_lift.py is missing"
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.scissor_lift  # type: ignore[no-any-return]


def competitor(stages: int) -> Competitor:
    model = builder()(stages, start=ANGLE, rate=RATE)
    return Competitor(str(stages), lambda: model.kinematics(0, END, STEP))


def top_error(stages: int, run: mubo.Run) -> float:
    """The top is 2 · stages · sin(angle) high; the largest difference as a part of the height."""
    height = 2 * stages * np.sin(ANGLE + RATE * run["t"])
    return float(np.max(np.abs(run["top.y"] / height - 1)))


def exponent(sizes: tuple[int, ...], seconds: list[float]) -> float:
    """p of cost = c · sizeᵖ, by least squares on the logarithms."""
    return float(np.polyfit([math.log(size) for size in sizes], [math.log(second) for second in seconds], 1)[0])


def lines(results: list[Result]) -> list[list[str]]:
    """The table; growth is the exponent between a line and the one above it."""
    seconds = [result.seconds for result in results]
    growths = ["", *(f"{exponent(STAGES[k : k + 2], seconds[k : k + 2]):.2f}" for k in range(len(STAGES) - 1))]
    each = [result.seconds / stages / POSITIONS for stages, result in zip(STAGES, results, strict=True)]
    return [
        ["stages", "unknowns", "whole call", "per position and stage", "ratio", "growth", "error of the top"],
        *(
            [
                result.name,
                str(3 * (2 * stages + 1)),
                duration(result.seconds),
                duration(cost),
                ratio(cost / each[0]),
                growth,
                f"{top_error(stages, result.answer):.1e}",
            ]
            for stages, result, cost, growth in zip(STAGES, results, each, growths, strict=True)
        ),
    ]


def core_lines() -> list[list[str]]:
    """Steps and bodies in the core, per position and stage."""
    times = np.linspace(0, END, CORE_POSITIONS)
    results = race([core(builder()(n, start=ANGLE, rate=RATE), "loops", times) for n in STAGES], rounds=30)
    each = [result.seconds / stages / CORE_POSITIONS for stages, result in zip(STAGES, results, strict=True)]
    return [
        ["stages", "core per position and stage", "ratio"],
        *([str(n), duration(cost), ratio(cost / each[0])] for n, cost in zip(STAGES, each, strict=True)),
    ]


def main() -> None:
    results = race([competitor(stages) for stages in STAGES], ROUNDS)
    assert all(len(result.answer) == POSITIONS for result in results), "a lift stopped early"
    print(f"scissor lift, {POSITIONS} positions\n")
    print_table(lines(results))
    power = exponent(STAGES, [result.seconds for result in results])
    print(f"\nthe whole call costs stages^{power:.2f} (all lines fitted); growth is the exponent from line to line\n")
    print_table(core_lines())


if __name__ == "__main__":
    main()
