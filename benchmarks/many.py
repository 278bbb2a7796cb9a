"""A thousand simulations at once: mubo's simulate_many beside MuJoCo's rollout, on all cores, at equal error.

    python benchmarks/many.py

A cart with its pole, a double pendulum and a slider-crank, 1 s each, with other velocities at the start. MuJoCo takes
steps of 10 and 1 ms (RK4 where there are no loops; implicitfast, 1 ms, where there are) and keeps the state of every
step; mubo keeps eleven rows, at the loosest tolerance whose largest error is not larger. Errors are those of one body's
place at the end against mubo at tolerance 1e-13. Both take turns in one process; the least time of each counts.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter, process_time
from typing import Any

import numpy as np
from loop_cases import Case, slider_crank
from timing import EXAMPLES, Array, duration, print_table, ratio, sized

import mubo
from mubo.model import Initial, ModelDefinition

RUNS, COMPARED = sized(1000, 3), sized(50, 3)
END = 1.0
ROUNDS = sized(3, 1)
ANGLES = {"cart-pole": 0.05, "double pendulum": 0.0, "slider-crank": 0.5}  # of the joint whose rate differs
TOLERANCES = [10.0**-k for k in sized(range(3, 13), range(3, 5))]
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def double_pendulum() -> ModelDefinition:
    """Two rods of 1 m and 1 kg, hanging one from the other, both horizontal at the start."""
    model = mubo.Model("double pendulum", gravity=(0, -9.81))
    model.ground.point("A", (0, 0))
    rod = {"mass": 1.0, "inertia": 1 / 12, "center": (0.5, 0)}
    model.body("upper", (0, 0), 0.0, {"A": (0, 0), "B": (1, 0)}, **rod)
    model.body("lower", (1, 0), 0.0, {"B": (0, 0)}, **rod)
    model.revolute("A", "ground.A", "upper.A")
    model.revolute("B", "upper.B", "lower.B")
    return model.build()


def cases() -> list[tuple[Case, str]]:
    """Each with the joint whose rate differs from run to run."""
    cart_pole = mubo.load(EXAMPLES / "cart_pole.toml").build()
    return [
        (Case("cart-pole", cart_pole, END, "pole", 1e-2), "hinge"),
        (Case("cart-pole", cart_pole, END, "pole", 1e-3), "hinge"),
        (Case("double pendulum", double_pendulum(), END, "lower", 1e-2), "A"),
        (Case("double pendulum", double_pendulum(), END, "lower", 1e-3), "A"),
        (Case("slider-crank", slider_crank(), END, "slider", 1e-3), "A"),
    ]


def by_mubo(case: Case, joint: str, rates: Array, tolerance: float) -> Array:
    """Place of the compared body at the end of every run."""
    model, names = mubo.Model.from_definition(case.model), [f"{case.body}.x", f"{case.body}.y"]
    asked = {"columns": names, "rtol": tolerance, "atol": tolerance}
    initial = {f"{joint}.q": np.full(len(rates), ANGLES[case.name]), f"{joint}.v": rates}
    runs = model.simulate_many(0, END, END / 10, initial=initial, **asked)
    assert runs.ok.all(), runs.status
    return np.stack([runs[name][:, -1] for name in names], axis=1)


def by_rollout(case: Case, joint: str, rates: Array) -> tuple[Callable[[], Any], Callable[[Any], Array]]:
    """The rollout of all runs, and the places of the compared body at the ends of the first ones."""
    import mujoco
    from loop_mujoco import closed_model, hinge_rates
    from mujoco import rollout

    integrator = "implicitfast" if case.tree.closing.rows else "RK4"
    model, walked = closed_model(case, integrator, case.step)
    moving = {**case.model.initial_joints}
    before = moving.get(joint, Initial(joint, (), ()))
    unit = Case(
        case.name,
        case.model.changed(initial_joints={**moving, joint: replace(before, v=(1.0,))}),
        END,
        case.body,
        case.step,
    )
    turning = hinge_rates(unit, model, walked)
    data = [mujoco.MjData(model) for _ in range(CORES)]
    state = np.zeros((len(rates), mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    state[:, 1 : 1 + model.nq] = model.qpos0
    state[:, 1 + model.nq : 1 + model.nq + model.nv] = rates[:, None] * turning

    def places(answer: Any) -> Array:
        out = []
        for line in answer[0][:COMPARED, -1]:
            data[0].qpos[:] = line[1 : 1 + model.nq]
            mujoco.mj_kinematics(model, data[0])
            out.append(data[0].xpos[model.body(case.body).id][:2].copy())
        return np.array(out)

    return lambda: rollout.rollout(model, data, state, nstep=round(END / case.step)), places


def least(runs: dict[str, Callable[[], Any]]) -> dict[str, tuple[float, float]]:
    """Least wall-clock and processor seconds of each."""
    best = dict.fromkeys(runs, (math.inf, math.inf))
    for _ in range(ROUNDS):
        for name, run in runs.items():
            wall, own = perf_counter(), process_time()
            run()
            best[name] = (min(best[name][0], perf_counter() - wall), min(best[name][1], process_time() - own))
    return best


def line(case: Case, joint: str) -> list[str]:
    rates = np.linspace(0.0, 3.0, RUNS)
    truth = by_mubo(case, joint, rates[:COMPARED], 1e-13)

    def error(tolerance: float) -> float:
        return float(np.max(np.abs(by_mubo(case, joint, rates[:COMPARED], tolerance) - truth)))

    runs: dict[str, Callable[[], Any]] = {}
    try:
        run, places = by_rollout(case, joint, rates)
        allowed = float(np.max(np.abs(places(run()) - truth)))
        runs["MuJoCo"] = run
    except ImportError as missing:
        print(f"MuJoCo is left out: {missing}")
        allowed = 1e-6
    good = next((one for one in TOLERANCES if error(one) <= allowed), TOLERANCES[-1])
    runs["mubo"] = lambda: by_mubo(case, joint, rates, good)
    best = least(runs)
    cells = [
        case.name,
        f"{1e3 * case.step:g} ms",
        f"{allowed:.0e}",
        f"{good:.0e}",
        f"{error(good):.0e}",
        duration(best["mubo"][0]),
    ]
    if "MuJoCo" not in best:
        return [*cells, "-", "-", "-"]
    wall, own = (best["MuJoCo"][k] / best["mubo"][k] for k in range(2))
    return [*cells, duration(best["MuJoCo"][0]), ratio(wall), ratio(own)]


def main() -> None:
    print(f"{RUNS} runs of {END:g} s on {CORES} cores; ratios above one: mubo is faster\n")
    head = ["", "step", "error of MuJoCo", "mubo at", "its error", "mubo", "MuJoCo", "ratio, clock", "ratio, processor"]
    print_table([head, *(line(*case) for case in cases())])


if __name__ == "__main__":
    main()
