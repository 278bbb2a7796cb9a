"""One control step beside MuJoCo's `mj_step`, at equal error: cart and pole, an arm of six axes, a four-bar, Andrews.

    python benchmarks/stepping.py [--smallest]

MuJoCo goes by RK4, one step of its own a control step, all of them inside one call; mubo is asked for every step from
Python. Its cheapest setting whose error is that of MuJoCo (within a fifth) or less counts: fixed steps, or a tolerance.
The truth is mubo at a tolerance of 1e-12. Processor time of one step; the two take turns.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np
from loop_cases import Case, example
from timing import Array, duration, print_table, ratio
from tree_models import missing, model_of_bodies, six_axis_arm

import mubo

ROUNDS = 15
SAME = 1.2  # errors that differ by less are equal: the same method rounds otherwise
SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *((f"{n} step{'s' * (n > 1)} of RK4", {"parts": n}) for n in (1, 2, 4)),
    *((f"tolerance 1e-{n}", {"rtol": 10.0**-n, "atol": 10.0**-n}) for n in (3, 5, 7, 9)),
]


@dataclass(frozen=True)
class Stepped:
    """A case with the length of its control steps and their number."""

    case: Case
    dt: float
    steps: int


def cases(smallest: bool) -> list[Stepped]:
    arm = model_of_bodies(six_axis_arm())
    for k in range(6):
        arm.initial(f"joint{k}", q=0.3 - 0.1 * k, v=0.2)
    few = 2 if smallest else 0
    return [
        Stepped(Case("cart and pole", example("cart_pole"), 1.0, "pole", 0.01), 0.01, few or 100),
        Stepped(Case("arm of six axes", arm.build(), 1.0, "body5", 0.01), 0.01, few or 100),
        Stepped(Case("four-bar", example("released_four_bar"), 1.0, "coupler", 0.005), 0.005, few or 200),
        Stepped(Case("Andrews' squeezer", example("andrews_squeezer"), 0.02, "K2", 1e-4), 1e-4, few or 200),
    ]


def by_mubo(one: Stepped, parts: int = 0, **tolerances: float) -> Callable[[], Array]:
    """All steps of a case, each asked for from Python; answers where the compared body is at the end."""
    model = mubo.Model.from_definition(one.case.model)
    names = [f"{one.case.body}.{axis}" for axis in "xyz"[: model.dimension]]
    fixed = one.dt / parts if parts else None
    begun = model.stepper([], names, start=0.0, fixed=fixed, **tolerances)

    def run() -> Array:
        plant = begun.copy()
        for _ in range(one.steps):
            found = plant.step(one.dt)
        return np.array([*found.values(), 0.0][:3])

    return run


def seconds(run: Callable[[], Array], steps: int) -> float:
    began = process_time()
    run()
    return (process_time() - began) / steps


def accurate(one: Stepped, truth: Array, allowed: float) -> dict[str, Callable[[], Array]]:
    """The settings of mubo that are as accurate as allowed."""
    good = {}
    for name, setting in SETTINGS:
        run = by_mubo(one, **setting)
        try:
            error = float(np.abs(run() - truth).max())
        except mubo.MuboError:
            continue
        if error <= SAME * allowed:
            good[name] = run
    return good or {"tolerance 1e-12": by_mubo(one, rtol=1e-12, atol=1e-12)}


def line(one: Stepped, peer: bool, rounds: int) -> list[str]:
    truth = by_mubo(one, rtol=1e-12, atol=1e-12)()
    allowed, theirs = 1e-6, {}
    if peer:
        case = Case(one.case.name, one.case.model, one.steps * one.dt, one.case.body, one.dt)
        theirs["MuJoCo"] = importlib.import_module("loop_mujoco").by_mujoco(case, "RK4", one.dt)
        allowed = float(np.abs(theirs["MuJoCo"]() - truth).max())
    ours = accurate(one, truth, allowed)
    best = dict.fromkeys([*ours, *theirs], float("inf"))
    for _ in range(rounds):
        for name, run in {**ours, **theirs}.items():
            best[name] = min(best[name], seconds(run, one.steps))
    setting = min(ours, key=best.__getitem__)
    error = float(np.abs(ours[setting]() - truth).max())
    cells = [one.case.name, setting, f"{error:.0e}", duration(best[setting])]
    if not theirs or best["MuJoCo"] <= 0:
        return [*cells, "-", "-", "-"]
    return [*cells, f"{allowed:.0e}", duration(best["MuJoCo"]), ratio(best[setting] / best["MuJoCo"])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smallest", action="store_true", help="two steps of each, to see that it runs")
    smallest = parser.parse_args().smallest
    peer = not missing("MuJoCo")
    lines = [["", "mubo", "error", "a step", "error of MuJoCo", "a step", "ratio"]]
    lines += [line(one, peer, 1 if smallest else ROUNDS) for one in cases(smallest)]
    print_table(lines)


if __name__ == "__main__":
    main()
