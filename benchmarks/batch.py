"""10,000 linkages of different lengths at 361 positions each: one call of mubo, closed forms in C, a loop.

    python benchmarks/batch.py

Four-bars, slider-cranks and Watt six-bars. The closed forms compute all bodies and throw them away; mubo checks every
step for its branch and keeps the path of one point. Both share the variants among all cores, and run on one. For the
four-bar a loop over model.replace(...).kinematics(...) is timed on a few variants and multiplied.
"""

from __future__ import annotations

import ctypes
import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from timing import EXAMPLES, FOLDER, Array, Competitor, compile_c, duration, print_table, race, ratio, sized

import mubo

VARIANTS, STEPS, LOOPED = sized(10_000, 5), 360, 3
RATE = 2 * math.pi
TIMES = np.arange(STEPS + 1) / STEPS
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
ROUNDS = 5


@dataclass(frozen=True)
class Linkage:
    """One kind: its model, lengths as the closed form takes them and as the model does, the path kept, and that path
    from the closed form's bodies (times × 3 × 3 per body)."""

    name: str
    model: str
    function: str
    start: float
    lengths: Array
    given: dict[str, Array]
    columns: list[str]
    bodies: int
    path: Callable[[Array], Array]


def spread(nominal: tuple[float, ...], low: float, high: float) -> Array:
    return np.random.default_rng(0).uniform(low, high, (VARIANTS, len(nominal))) * nominal


def four_bars() -> Linkage:
    """Crank, coupler, rocker and ground about 2, 4, 4, 2.5; all crank-rockers by Grashof's rule:
    the shortest and the longest, at most 2 + 4.2, do not exceed the other two, at least 2.5 + 3.8."""
    part = np.random.default_rng(0).uniform((0.8, 0.95, 0.95), (1.0, 1.05, 1.05), (VARIANTS, 3))
    held = np.column_stack([part * (2.0, 4.0, 4.0), np.full(VARIANTS, 2.5)])
    half = np.stack([held / 2, np.zeros_like(held)], axis=2)  # bodies of the model have their origins in the middle
    crank, coupler, rocker = (half[:, k] for k in range(3))
    given = {
        "crank.A": -crank,
        "crank.B": crank,
        "coupler.B": -coupler,
        "coupler.C": coupler,
        "rocker.C": rocker,
        "rocker.D": -rocker,
    }
    return Linkage(
        "four-bars", "four_bar", "four_bars", math.pi / 3, held, given, ["P.x", "P.y"], 3, lambda q: at(q, 1, 0.5, 1.5)
    )


def slider_cranks() -> Linkage:
    """Crank 50, rod 150; the rod is always longer than the crank."""
    held = spread((50.0, 150.0), 0.9, 1.1)
    given = {"crank.A": point(held, 0), "rod.B": point(held, 1)}
    return Linkage(
        "slider-cranks",
        "slider_crank",
        "slider_cranks",
        math.pi / 4,
        held,
        given,
        ["pin.x", "pin.y"],
        3,
        lambda q: q[:, 0, 6:8],
    )


def watt_six_bars() -> Linkage:
    """All lengths within 2 %."""
    held = spread((30.0, 95.0, 80.0, -50.0, 100.0, 115.0, 20.0, 75.0, 80.0, 75.0), 0.98, 1.02)
    given = {
        "crank.B": point(held, 0),
        "coupler.C": point(held, 1),
        "coupler.E": np.ascontiguousarray(held[:, 2:4]),
        "rocker.C": point(held, 4),
        "rocker.F": np.ascontiguousarray(held[:, 5:7]),
        "tracer.H": point(held, 7),
        "brace.H": point(held, 8),
        "ground.D": point(held, 9),
    }
    return Linkage(
        "Watt six-bars",
        "watt_six_bar",
        "watt_six_bars",
        math.pi / 3,
        held,
        given,
        ["P.x", "P.y"],
        5,
        lambda q: at(q, 3, 120.0, 0.0),
    )


def point(held: Array, k: int) -> Array:
    """The k-th length along the x axis of its body."""
    return np.column_stack([held[:, k], np.zeros(len(held))])


def at(states: Array, body: int, x: float, y: float) -> Array:
    """Path of a point of a body of the closed form."""
    px, py, phi = states[:, 0, 3 * body : 3 * body + 3].T
    c, s = np.cos(phi), np.sin(phi)
    return np.column_stack([px + c * x - s * y, py + s * x + c * y])


def closed_form(linkage: Linkage, cores: int) -> Competitor:
    """Answers the bodies of the last variant, which stay in its room."""
    function = getattr(compile_c(FOLDER / "closed_form.c"), linkage.function)
    numbers = np.ctypeslib.ndpointer(float, flags="C_CONTIGUOUS")
    function.argtypes = [ctypes.c_int, numbers, ctypes.c_double, ctypes.c_double, ctypes.c_int, numbers, numbers]
    function.restype = None
    shares = [np.ascontiguousarray(share) for share in np.array_split(linkage.lengths, cores)]
    rooms = [np.empty((len(TIMES), 3, 3 * linkage.bodies)) for _ in shares]
    pool = ThreadPoolExecutor(cores)

    def one(share: Array, room: Array) -> None:
        function(len(share), share, linkage.start, RATE, len(TIMES), TIMES, room)

    def run() -> Array:
        list(pool.map(one, shares, rooms))
        return rooms[-1]

    return Competitor(f"closed form in C, {_on(cores)}", run)


def mubo_batch(linkage: Linkage, cores: int) -> Competitor:
    model = mubo.load(EXAMPLES / f"{linkage.model}.toml")

    def run() -> mubo.Batch:
        batch = model.batch(linkage.given, 0, 1, 1 / STEPS, columns=linkage.columns, threads=cores)
        assert batch.ok.all(), "a variant stopped early"
        return batch

    return Competitor(f"mubo batch, {_on(cores)}", run)


def mubo_loop(linkage: Linkage) -> Competitor:
    def run() -> list[mubo.Run]:
        runs = []
        for k in range(LOOPED):
            variant = mubo.load(EXAMPLES / f"{linkage.model}.toml")
            for name, values in linkage.given.items():
                variant = variant.replace(name, values[k])  # type: ignore[assignment]
            runs.append(variant.kinematics(0, 1, 1 / STEPS))
        return runs

    return Competitor(f"loop over model.kinematics, {LOOPED} variants, multiplied", run)


def _on(cores: int) -> str:
    return "one core" if cores == 1 else f"{cores} cores"


def compare(linkage: Linkage, loop: bool) -> None:
    """Times, ratios to the closed form on one core, and how far the answers are apart."""
    each = sorted({1, CORES})
    competitors = [closed_form(linkage, cores) for cores in each] + [mubo_batch(linkage, cores) for cores in each]
    results = race(competitors + ([mubo_loop(linkage)] if loop else []), ROUNDS)
    batch = results[len(each)].answer
    gaps = {"closed form": np.max(np.abs(batch.values[-1] - linkage.path(results[0].answer)))}
    if loop:
        results[-1].seconds *= VARIANTS / LOOPED
        gaps["loop"] = max(
            np.max(np.abs(run[name] - batch[name][k]))
            for k, run in enumerate(results[-1].answer)
            for name in linkage.columns
        )
    floor, positions = results[0].seconds, VARIANTS * len(TIMES)
    print(f"\n{VARIANTS} {linkage.name}, {len(TIMES)} positions each\n")
    lines = [
        [one.name, duration(one.seconds), duration(one.seconds / positions), ratio(one.seconds / floor)]
        for one in results
    ]
    print_table([["", "whole", "per position", "ratio"], *lines])
    size = float(np.max(np.abs(batch.values)))
    print("\nlargest difference of batch and " + ", ".join(f"{name} {gap / size:.0e}" for name, gap in gaps.items()))


def main() -> None:
    compare(four_bars(), loop=True)
    compare(slider_cranks(), loop=False)
    compare(watt_six_bars(), loop=False)


if __name__ == "__main__":
    main()
