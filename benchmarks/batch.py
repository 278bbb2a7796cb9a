"""10,000 four-bar linkages of different lengths at 361 positions each: one call of mubo, the closed form in C, a loop.

    python benchmarks/batch.py

The closed form computes all bodies and throws them away; mubo checks every step for its branch and keeps the path of
the coupler point. Both share the variants among all cores; mubo also runs on one. The loop over
model.replace(...).kinematics(...) is timed on a few variants and multiplied.
"""

from __future__ import annotations

import ctypes
import math
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from timing import EXAMPLES, FOLDER, Array, Competitor, compile_c, duration, print_table, race, ratio

import mubo

VARIANTS, STEPS, LOOPED = 10_000, 360, 3
START, RATE = math.pi / 3, 2 * math.pi
TIMES = np.arange(STEPS + 1) / STEPS
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
ROUNDS = 5


def lengths() -> Array:
    """Crank, coupler, rocker and ground about 2, 4, 4, 2.5; all crank-rockers by Grashof's rule:
    the shortest and the longest, at most 2 + 4.2, do not exceed the other two, at least 2.5 + 3.8."""
    spread = np.random.default_rng(0).uniform((0.8, 0.95, 0.95), (1.0, 1.05, 1.05), (VARIANTS, 3))
    return np.column_stack([spread * (2.0, 4.0, 4.0), np.full(VARIANTS, 2.5)])


def dimensions(held: Array) -> dict[str, Array]:
    """The same in the points of examples/four_bar.toml, whose bodies have their origins in the middle."""
    half = np.stack([held / 2, np.zeros_like(held)], axis=2)
    (crank, coupler, rocker), flip = (half[:, k] for k in range(3)), -1
    return {
        "crank.A": flip * crank,
        "crank.B": crank,
        "coupler.B": flip * coupler,
        "coupler.C": coupler,
        "rocker.C": rocker,
        "rocker.D": flip * rocker,
    }


def closed_form(held: Array, cores: int) -> Competitor:
    function = compile_c(FOLDER / "closed_form.c").four_bars
    numbers = np.ctypeslib.ndpointer(float, flags="C_CONTIGUOUS")
    function.argtypes = [ctypes.c_int, numbers, ctypes.c_double, ctypes.c_double, ctypes.c_int, numbers, numbers]
    function.restype = None
    shares = [np.ascontiguousarray(share) for share in np.array_split(held, cores)]
    rooms = [np.empty((len(TIMES), 3, 9)) for _ in shares]
    pool = ThreadPoolExecutor(cores)

    def one(share: Array, room: Array) -> None:
        function(len(share), share, START, RATE, len(TIMES), TIMES, room)

    return Competitor(f"closed form in C, {_on(cores)}", lambda: list(pool.map(one, shares, rooms)))


def mubo_batch(model: mubo.Model, given: dict[str, Array], cores: int) -> Competitor:
    def run() -> object:
        batch = model.batch(given, 0, 1, 1 / STEPS, columns=["P.x", "P.y"], threads=cores)
        assert batch.ok.all(), "a variant stopped early"
        return batch

    return Competitor(f"mubo batch, {_on(cores)}", run)


def mubo_loop(model: mubo.Model, given: dict[str, Array]) -> Competitor:
    def run() -> list[mubo.Run]:
        runs = []
        for k in range(LOOPED):
            variant = model
            for name, values in given.items():
                variant = variant.replace(name, values[k])  # type: ignore[assignment]
            runs.append(variant.kinematics(0, 1, 1 / STEPS))
        return runs

    return Competitor(f"loop over model.kinematics, {LOOPED} variants, multiplied", run)


def _on(cores: int) -> str:
    return "one core" if cores == 1 else f"{cores} cores"


def main() -> None:
    held = lengths()
    model, given = mubo.load(EXAMPLES / "four_bar.toml"), dimensions(held)
    each = sorted({1, CORES})
    competitors = [closed_form(held, cores) for cores in each] + [mubo_batch(model, given, cores) for cores in each]
    results = race([*competitors, mubo_loop(model, given)], ROUNDS)
    results[-1].seconds *= VARIANTS / LOOPED
    worst = 0.0
    for k, run in enumerate(results[-1].answer):
        for name in ("P.x", "P.y"):
            worst = max(worst, float(np.max(np.abs(run[name] - results[len(each)].answer[name][k]))))
    floor = results[0].seconds
    print(f"{VARIANTS} four-bar linkages, {len(TIMES)} positions each\n")
    heading = ["", "whole", "per position", "ratio"]
    positions = VARIANTS * len(TIMES)
    lines = [
        [one.name, duration(one.seconds), duration(one.seconds / positions), ratio(one.seconds / floor)]
        for one in results
    ]
    print_table([heading, *lines])
    print(f"\nlargest difference between batch and loop: {worst:.1e}")


if __name__ == "__main__":
    main()
