"""A slider-crank whose rod is a damped spring, from soft to nearly rigid: DOP853 on the tree against Radau in absolute
coordinates, and both against the rigid rod. Times are CPU times of whole runs; the last column is the cost against the
softest rod: one would be a cost that does not depend on the stiffness.

    python benchmarks/stiff.py
"""

from __future__ import annotations

import time

import numpy as np
from timing import sized

import mubo

CRANK, ROD, ANGLE, SPEED, END = 0.1, 0.3, 0.6, 10.0, 2.0
TOLERANCE = 1e-8


def slider_crank(stiffness: float) -> mubo.Model:
    """Crank and piston, joined by a spring as long as the rod, or (0) by a rigid link without mass."""
    model = mubo.Model("crank", gravity=(0, -9.81))
    model.ground.point("A", (0, 0))
    high, wide = CRANK * np.sin(ANGLE), CRANK * np.cos(ANGLE)
    reach = np.sqrt(ROD**2 - high**2)
    points = {"A": (0, 0), "B": (CRANK, 0)}
    model.body("crank", (0, 0), angle=ANGLE, points=points, mass=1.5, inertia=0.004, center=(0.03, 0))
    model.body("piston", (wide + reach, 0), angle=0, points={"C": (0, 0)}, mass=1.2, inertia=0.001, center=(0, 0))
    model.revolute("A", "ground.A", "crank.A")
    model.translational("G", "ground.A", "piston.C", axis=(1, 0))
    model.initial("A", q=ANGLE, v=SPEED)
    if stiffness:
        damping = 0.6 * np.sqrt(0.4 * stiffness)
        model.force("rod", "spring", "crank.B", "piston.C", stiffness=stiffness, length=ROD, damping=damping)
        model.initial("G", q=wide + reach, v=-SPEED * high * (1 + wide / reach))
    else:
        model.joint("rod", "distance", "crank.B", "piston.C", length=ROD)
    return model


def measured(stiffness: float, formulation: str) -> tuple[float, mubo.Run]:
    """The least CPU time of three runs, in milliseconds, and the last of them."""
    least = np.inf
    for _ in range(sized(3, 1)):
        model, began = slider_crank(stiffness), time.process_time()
        run = model.simulate(0, END, END / 4, formulation=formulation, rtol=TOLERANCE, atol=TOLERANCE)
        least = min(least, 1e3 * (time.process_time() - began))
    return float(least), run


def main() -> None:
    rigid = slider_crank(0).simulate(0, END, END / 4)["crank.phi"]
    first = None
    print(f"{'k [N/m]':>8} {'tree':>10} {'absolute':>10} {'tree / absolute':>16} {'from rigid':>12} {'of softest':>11}")
    for stiffness in sized((1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10), (1e4,)):
        cost, run = measured(stiffness, "absolute")
        first = first or cost
        tree = measured(stiffness, "tree")[0] if stiffness <= 1e8 else np.nan
        away = np.max(np.abs(run["crank.phi"] - rigid))
        ratio = f"{tree / cost:.1f}" if np.isfinite(tree) else "not run"
        shown = f"{tree:.1f} ms" if np.isfinite(tree) else "not run"
        print(f"{stiffness:8.0e} {shown:>10} {cost:7.1f} ms {ratio:>16} {away:9.1e} rad {cost / first:11.1f}")


if __name__ == "__main__":
    main()
