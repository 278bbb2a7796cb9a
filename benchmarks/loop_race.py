"""Mechanisms with closed loops: mubo beside MuJoCo and Exudyn at equal or smaller error; and a stiff one.

Errors are those of one body's place at the end against mubo at tolerance 1e-13. Every engine is compared with the
loosest tolerance of mubo whose error is not larger. CPU time of the integration alone, shortest of rounds in which all
take turns.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import process_time
from typing import Any

import numpy as np
from loop_cases import Case, cases, slider_crank
from timing import Array, duration, print_table, ratio, sized

from mubo import _core
from mubo._core import Status
from mubo.mechanism import mechanism_of
from mubo.mechanism.formulations.absolute import absolute
from mubo.solvers.dynamics.absolute import AbsoluteStart, absolute_run
from mubo.solvers.dynamics.integration import ENERGY_FREE, absolute_tolerances
from mubo.solvers.dynamics.settings import SimulationSettings

TOLERANCES = [10.0**-k for k in sized(range(3, 12), range(3, 5))]
STIFF = sized((1e4, 1e6, 1e8, 1e10), (1e4,))
ROUNDS = sized(3, 1)
Run = Callable[[], Any]


def by_mubo(case: Case, tolerance: float) -> Run:
    tree = case.tree
    y = tree.begin(0.0)
    times = np.array([0.0, case.end])
    atol = absolute_tolerances(tree, times, y, SimulationSettings(tolerance, tolerance), ENERGY_FREE)

    def run() -> Array:
        made = _core.TreeRun(
            tree.system, 0.0, case.end, y, times, tolerance, atol, 0.0, case.end, 10**6, np.zeros(0), []
        )
        while made.advance(10.0) == Status.running:
            pass
        assert made.status == Status.done, made.status
        return made.last()

    return run


def shortest(runs: dict[str, Run], rounds: int = ROUNDS) -> tuple[dict[str, float], dict[str, Any]]:
    """CPU seconds of each, and its last answer; short runs are repeated within a turn."""
    best, answers = dict.fromkeys(runs, np.inf), {}
    for _ in range(rounds):
        for name, run in runs.items():
            spent = 0.0
            while spent < sized(5e-3, 1e-9):
                began = process_time()
                answers[name] = run()
                seconds = process_time() - began
                spent += seconds
                best[name] = min(best[name], seconds)
    return best, answers


def peers_of(case: Case) -> dict[str, Run]:
    """The engines that are installed."""
    out: dict[str, Run] = {}
    with suppress(ImportError):
        from loop_mujoco import by_mujoco

        for integrator in ("implicitfast", "RK4"):
            out[f"MuJoCo {integrator}"] = by_mujoco(case, integrator, case.step)
    with suppress(ImportError):
        from loop_exudyn import by_exudyn

        out["Exudyn"] = by_exudyn(case, case.step)
    return out


def race(case: Case) -> list[list[str]]:
    truth = case.place(by_mubo(case, 1e-13)())
    own = {f"{tol:.0e}": by_mubo(case, tol) for tol in TOLERANCES}
    peers = peers_of(case)
    seconds, answers = shortest({**own, **peers})
    error = {name: float(np.linalg.norm(case.place(answers[name]) - truth)) for name in own}
    error |= {name: float(np.linalg.norm(answers[name] - truth)) for name in peers}
    lines = []
    for name in peers:
        good = next((tol for tol in own if error[tol] <= error[name]), "")
        if not good:
            lines.append([case.name, name, f"{error[name]:.0e}", *"---", duration(seconds[name] / case.end), "-"])
            continue
        times = [duration(seconds[k] / case.end) for k in (good, name)]
        more = ratio(seconds[name] / seconds[good])
        lines.append([case.name, name, f"{error[name]:.0e}", good, f"{error[good]:.0e}", *times, more])
    return lines


def stiff_run(stiffness: float) -> Run:
    """The slider-crank with a spring in absolute coordinates, tolerance 1e-6."""
    case = Case("", slider_crank(stiffness), 2.0, "slider", 0.0)
    form = absolute(mechanism_of(case.model))
    poses = [[*case.poses[name][0][:2], np.arctan2(*case.poses[name][1][1::-1, 0])] for name in form.free]
    state = AbsoluteStart(np.ravel(poses), np.zeros(3 * len(form.free)), 1)
    settings = SimulationSettings(rtol=1e-6, atol=1e-6)

    def run() -> int:
        made = absolute_run(form, np.array([0.0, 2.0]), state, settings)
        while made.advance(10.0) == Status.running:
            pass
        assert made.status == Status.done, made.status
        return made.steps

    return run


def main() -> None:
    head = ["", "beside", "its error", "mubo at", "error", "mubo, per s", "other, per s", "ratio"]
    print_table([head, *(line for case in cases() for line in race(case))])
    seconds, steps = shortest({f"{k:.0e}": stiff_run(k) for k in STIFF})
    print("\nslider-crank with a spring in absolute coordinates, tolerance 1e-6")
    lines = [[k, str(steps[k]), duration(seconds[k] / 2), ratio(seconds[k] / seconds["1e+04"])] for k in seconds]
    print_table([["stiffness in N/m", "steps", "per s", "ratio"], *lines])


if __name__ == "__main__":
    main()
