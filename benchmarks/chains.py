"""How the cost of forward dynamics grows: revolute chains of 10 to 10,000 bodies, beside other engines.

    python benchmarks/chains.py

One evaluation of the accelerations. Loops over instants run inside mubo's core and inside the yardstick in C; the
others are called from Python, which costs them about a microsecond each time. An engine is left out beyond the size it
can hold: Pinocchio's data grow with the cube of the size (gigabytes at 400), MuJoCo's tree may be 1,000 deep, Drake
needs 9 GB and half a minute to build 10,000 bodies.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable

import numpy as np
from timing import Array, Competitor, duration, print_table, race, ratio, sized
from tree_models import chain, drake_plant, missing, mubo_system, mujoco_model, pinocchio_model, plain_c

SIZES = sized((10, 100, 1000, 10_000), (2, 4))
WORK = sized(4_000, 8)  # bodies times evaluations in a call where the loop runs inside
ROUNDS = 15
LARGEST = {"Pinocchio": 100, "MuJoCo": 1000, "Drake": 1000}

Evaluate = Callable[[], Array]


def state(n: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(n)
    return rng.uniform(-1, 1, n), rng.normal(size=n)


def mubo_evaluation(n: int, repeats: int) -> Evaluate:
    system, (q, v) = mubo_system(chain(n)), state(n)
    many = (np.zeros(repeats), np.tile(q, (repeats, 1)), np.tile(v, (repeats, 1)), np.zeros((repeats, n)))
    return lambda: system.aba(*many)[3][0]


def c_evaluation(n: int, repeats: int) -> Evaluate:
    call, (q, v) = plain_c(chain(n), repeats), state(n)
    return lambda: call(q, v)


def pinocchio_evaluation(n: int) -> Evaluate:
    pin, model, (q, v) = importlib.import_module("pinocchio"), pinocchio_model(chain(n)), state(n)
    data, tau = model.createData(), np.zeros(n)
    return lambda: pin.aba(model, data, q, v, tau)


def mujoco_evaluation(n: int) -> Evaluate:
    mujoco, model = importlib.import_module("mujoco"), mujoco_model(chain(n), 1e-3)
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = state(n)

    def evaluate() -> Array:
        mujoco.mj_forward(model, data)
        return np.array(data.qacc)

    return evaluate


def drake_evaluation(n: int) -> Evaluate:
    plant, (q, v) = drake_plant(chain(n)), state(n)
    context = plant.CreateDefaultContext()
    plant.SetPositions(context, q)

    def evaluate() -> Array:
        plant.SetVelocities(context, v)  # drops what is cached
        return np.array(plant.EvalTimeDerivatives(context).CopyToVector()[n:])

    return evaluate


def measure(n: int, peers: dict[str, Callable[[int], Evaluate]]) -> dict[str, tuple[float, float]]:
    """Seconds per evaluation and error of the accelerations as a part of the largest, by name."""
    repeats = max(1, WORK // n)
    runs = {"plain C": (c_evaluation(n, repeats), repeats), "mubo core": (mubo_evaluation(n, repeats), repeats)}
    runs |= {name: (make(n), 1) for name, make in peers.items() if n <= LARGEST[name]}
    results = race([Competitor(name, run) for name, (run, _) in runs.items()], ROUNDS, 0.01)
    truth = results[0].answer
    return {
        r.name: (r.seconds / runs[r.name][1], float(np.abs(r.answer - truth).max() / np.abs(truth).max()))
        for r in results
    }


def main() -> None:
    makers = {"Pinocchio": pinocchio_evaluation, "MuJoCo": mujoco_evaluation, "Drake": drake_evaluation}
    peers = {name: make for name, make in makers.items() if not missing(name)}
    found = {n: measure(n, peers) for n in SIZES}
    lines = [["", *(f"{n:,} bodies" for n in SIZES), "exponent", "error"]]
    for name in ("plain C", "mubo core", *peers):
        sizes = [n for n in SIZES if name in found[n]]
        cells = [
            f"{duration(found[n][name][0])} ({ratio(found[n][name][0] / found[n]['mubo core'][0])})"
            if n in sizes
            else "-"
            for n in SIZES
        ]
        fit = np.polyfit([math.log(n) for n in sizes], [math.log(found[n][name][0]) for n in sizes], 1)[0]
        worst = max(found[n][name][1] for n in sizes)
        lines.append([name, *cells, f"{fit:.2f}", "" if name == "plain C" else f"{worst:.0e}"])
    print("\none forward-dynamics evaluation of a revolute chain (ratio to mubo core)\n")
    print_table(lines)


if __name__ == "__main__":
    main()
