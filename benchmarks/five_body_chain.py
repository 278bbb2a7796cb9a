"""The five-body chain beside other engines: one forward-dynamics evaluation, and its motion over five seconds.

    python benchmarks/five_body_chain.py

The motion starts at rest; every engine uses its loosest setting whose energy, looked at every 0.1 s, stays within 1e-8
of the largest kinetic energy. Engines that are not installed are named and left out.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from timing import Array, Competitor, duration, print_table, race, ratio, sized
from tree_models import (
    drake_plant,
    five_body_chain,
    missing,
    mubo_positions,
    mubo_system,
    mujoco_model,
    pinocchio_model,
    pinocchio_positions,
    plain_c,
    stacked,
)

from mubo._core import Status, TreeRun, TreeSystem

BODIES = five_body_chain()
ANGLES = np.array([np.pi, 1, 2, 1, 2, 1, np.pi, 2, -2])  # z-x-z, z-x-z, z, y, y: the first reference motion
SPEEDS = np.array([0.3, -0.5, 0.7, 1.1, -0.2, 0.4, 0.9, -0.8, 0.6])
TIMES = sized(np.linspace(0, 5, 51), np.linspace(0, 0.2, 3))
MANY = sized(2000, 2)  # evaluations per call where the loop runs inside
GOAL = 1e-8
ROUNDS, SLOW_ROUNDS = 40, 5


def quaternion(psi: float, theta: float, phi: float) -> Array:
    """Of Rz(psi) Rx(theta) Rz(phi)."""
    c, s, plus, minus = np.cos(theta / 2), np.sin(theta / 2), (psi + phi) / 2, (psi - phi) / 2
    return np.array([c * np.cos(plus), s * np.cos(minus), s * np.sin(minus), c * np.sin(plus)])


START = np.concatenate([quaternion(*ANGLES[:3]), quaternion(*ANGLES[3:6]), ANGLES[6:]])


def drift(system: TreeSystem, q: Array, v: Array) -> float:
    """Largest change of energy as a part of the largest kinetic energy."""
    energy = system.energy(TIMES, np.ascontiguousarray(q), np.ascontiguousarray(v))[3]
    total = energy[:, :3].sum(axis=1)
    return float(np.abs(total - total[0]).max() / energy[:, 0].max())


# One evaluation ---------------------------------------------------------------------------------------------------


def evaluations() -> list[tuple[Competitor, int, Array]]:
    """Competitors, evaluations per call, and the accelerations they should answer."""
    system, angles = mubo_system(BODIES), mubo_system(stacked(BODIES))
    t, Q, V = np.zeros(MANY), np.tile(START, (MANY, 1)), np.tile(SPEEDS, (MANY, 1))
    none = np.zeros((MANY, 9))
    truth = system.aba(t[:1], Q[:1], V[:1], none[:1])[3][0]
    in_c = plain_c(BODIES, MANY)
    found = [(Competitor("plain C, this kind of tree only", lambda: in_c(START, SPEEDS)), MANY, truth)]
    found.append((Competitor("mubo core", lambda: system.aba(t, Q, V, none)[3][0]), MANY, truth))
    y = np.concatenate([START, SPEEDS, [0.0, 0.0]])
    found.append((Competitor("mubo rhs, from Python", lambda: system.rhs(0.0, y)[2][11:20]), 1, truth))
    if not missing("Pinocchio"):
        pin = importlib.import_module("pinocchio")
        model = pinocchio_model(BODIES)
        data, q, tau = model.createData(), pinocchio_positions(BODIES, START), np.zeros(9)
        found.append((Competitor("Pinocchio aba, from Python", lambda: pin.aba(model, data, q, SPEEDS, tau)), 1, truth))
    if not missing("MuJoCo"):
        mujoco = importlib.import_module("mujoco")
        model_m = mujoco_model(BODIES, 1e-3)
        data_m = mujoco.MjData(model_m)
        data_m.qpos[:], data_m.qvel[:] = START, SPEEDS

        def forward() -> Array:
            mujoco.mj_forward(model_m, data_m)
            return np.array(data_m.qacc)

        found.append((Competitor("MuJoCo mj_forward, from Python", forward), 1, truth))
    if not missing("Drake"):
        plant = drake_plant(stacked(BODIES))
        context = plant.CreateDefaultContext()
        plant.SetPositions(context, ANGLES)
        wanted = angles.aba(t[:1], ANGLES[None], SPEEDS[None], none[:1])[3][0]

        def derivatives() -> Array:
            plant.SetVelocities(context, SPEEDS)  # drops what is cached
            return np.array(plant.EvalTimeDerivatives(context).CopyToVector()[9:])

        found.append((Competitor("Drake EvalTimeDerivatives, z-x-z angles", derivatives), 1, wanted))
    return found


# Five seconds -----------------------------------------------------------------------------------------------------


def loosest(name: str, settings: list[Any], make: Callable[[Any], Competitor]) -> Competitor | None:
    for setting in settings:
        one = make(setting)
        found = one.states(one.run())
        if found <= GOAL:
            return Competitor(f"{name} {setting:g}", one.run, one.states)
    print(f"{name}: no setting keeps the energy")
    return None


def mubo_run(tolerance: float) -> Competitor:
    system = mubo_system(BODIES)
    y, atol, none = np.concatenate([START, np.zeros(11)]), np.full(system.states, tolerance), np.zeros(0)

    def run() -> Array:
        going = TreeRun(system, 0.0, TIMES[-1], y, TIMES, tolerance, atol, 0.0, np.inf, 10**6, none, [])
        while going.advance(0.1) == Status.running:
            pass
        return going.states()

    return Competitor("mubo", run, lambda out: drift(system, out[:, :11], out[:, 11:20]))


def pinocchio_run(tolerance: float) -> Competitor:
    pin, integrate = importlib.import_module("pinocchio"), importlib.import_module("scipy.integrate")
    system, model = mubo_system(BODIES), pinocchio_model(BODIES)
    data, tau = model.createData(), np.zeros(9)

    def spin(q: Array, w: Array) -> Array:
        x, y, z, s = q
        return np.array([s * w[0] + y * w[2] - z * w[1], s * w[1] + z * w[0] - x * w[2], s * w[2] + x * w[1] - y * w[0],
                         -x * w[0] - y * w[1] - z * w[2]]) / 2  # fmt: skip

    def rates(_: float, y: Array) -> Array:
        q, v = y[:11].copy(), y[11:]
        dq = np.concatenate([spin(q[:4], v[:3]), spin(q[4:8], v[3:6]), v[6:]])
        q[:4] /= np.linalg.norm(q[:4])
        q[4:8] /= np.linalg.norm(q[4:8])
        return np.concatenate([dq, pin.aba(model, data, q, v, tau)])

    y = np.concatenate([pinocchio_positions(BODIES, START), np.zeros(9)])

    def run() -> Array:
        return integrate.solve_ivp(rates, (0, TIMES[-1]), y, "DOP853", TIMES, rtol=tolerance, atol=tolerance).y.T

    return Competitor("", run, lambda out: drift(system, mubo_positions(BODIES, out[:, :11]), out[:, 11:]))


def mujoco_run(step: float) -> Competitor:
    mujoco, rollout = importlib.import_module("mujoco"), importlib.import_module("mujoco.rollout")
    system, model = mubo_system(BODIES), mujoco_model(BODIES, step)
    data, each = mujoco.MjData(model), round(0.1 / step)
    first = np.concatenate([[0.0], START, np.zeros(9)])[None]

    def run() -> Array:
        out, _ = rollout.rollout(model, data, first, nstep=(len(TIMES) - 1) * each)
        return np.vstack([first, out[0, each - 1 :: each]])

    return Competitor("", run, lambda out: drift(system, out[:, 1:12], out[:, 12:21]))


def drake_run(accuracy: float) -> Competitor:
    analysis = importlib.import_module("pydrake.systems.analysis")
    bodies = stacked(BODIES)
    system, plant = mubo_system(bodies), drake_plant(bodies)

    def run() -> Array:
        simulator = analysis.Simulator(plant)
        integrator = analysis.ResetIntegratorFromFlags(simulator, "runge_kutta5", 0.05)
        integrator.set_target_accuracy(accuracy)
        context = simulator.get_mutable_context()
        plant.SetPositionsAndVelocities(context, np.concatenate([ANGLES, np.zeros(9)]))
        out = []
        for t in TIMES:
            simulator.AdvanceTo(t)
            out.append(plant.GetPositionsAndVelocities(context).copy())
        return np.array(out)

    return Competitor("", run, lambda out: drift(system, out[:, :9], out[:, 9:]))


def main() -> None:
    entries = evaluations()
    results = race([one for one, _, _ in entries], ROUNDS, 0.005)
    floor = results[0].seconds / entries[0][1]
    lines = [["one evaluation", "time", "ratio", "error"]]
    for (_, each, wanted), result in zip(entries, results, strict=True):
        gap = np.abs(result.answer - wanted).max() / np.abs(wanted).max()
        cost = result.seconds / each
        lines.append([result.name, duration(cost), ratio(cost / floor), f"{gap:.1e}"])
    print()
    print_table(lines)

    tolerances = [3e-8, 1e-8, 3e-9, 1e-9, 3e-10, 1e-10]
    runs = [loosest("mubo, tolerance", tolerances, mubo_run)]
    if not missing("Pinocchio"):
        runs.append(loosest("Pinocchio + SciPy DOP853, tolerance", tolerances, pinocchio_run))
    if not missing("MuJoCo"):
        runs.append(loosest("MuJoCo rollout RK4, step", [0.004, 0.0025, 0.002, 0.00125, 0.001], mujoco_run))
    if not missing("Drake"):
        runs.append(loosest("Drake runge_kutta5, accuracy", [1e-10, 3e-11, 1e-11, 3e-12], drake_run))
    races = [one for one in runs if one is not None]
    timed = race(races, SLOW_ROUNDS)
    lines = [["five seconds", "time", "ratio", "energy drift"]]
    for one, result in zip(races, timed, strict=True):
        part = one.states(result.answer)
        lines.append([result.name, duration(result.seconds), ratio(result.seconds / timed[0].seconds), f"{part:.1e}"])
    print()
    print_table(lines)


if __name__ == "__main__":
    main()
