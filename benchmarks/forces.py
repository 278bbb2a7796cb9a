"""What forces cost: beside the kinematics of the same form, over the size of a mechanism, and beside other engines.

    python benchmarks/forces.py

Planar mechanisms at 1001 positions: steps and bodies in absolute coordinates, then efforts and reactions of every
joint from the same states. Scissor lifts of up to 1000 stages, whole calls. The four-bar in Exudyn: its dynamic solver
with the motion prescribed. The robot arm by mj_inverse of MuJoCo and rnea of Pinocchio.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable

import numpy as np
from groups import core
from scissor_lift import ANGLE, RATE, builder, exponent
from timing import EXAMPLES, Array, Competitor, duration, print_table, race, ratio, sized
from tree_models import Body, missing, mubo_system, mujoco_model, pinocchio_model

import mubo
from mubo.solvers.forces.applied_loads import applied_loads
from mubo.solvers.forces.force_solution import ForceSolver
from mubo.solvers.forces.multipliers import multipliers

DATA = EXAMPLES.parent / "tests" / "data" / "forces"
PLANAR = ("four_bar", "slider_crank", "eight_bodies")
POSITIONS = 1001
STAGES = sized((30, 100, 300, 1000), (2, 3))
INSTANTS = sized(2000, 2)


def loaded(name: str) -> tuple[mubo.Model, Array]:
    """A model of the reference answers, and the times of its motion."""
    model = mubo.load(DATA / f"{name}.toml")
    asked = model.build().output_times()
    return model, np.linspace(asked.start, asked.end, POSITIONS)


def forces(model: mubo.Model, times: Array) -> Competitor:
    """Efforts and reactions from states that are known; the sizes of loads are computed before."""
    run = model.kinematics(float(times[0]), float(times[-1]), float(times[1] - times[0]), formulation="absolute")
    form = run.record.inspection.form
    solver = ForceSolver(form, 1.0)
    states = np.ascontiguousarray(core(model, "absolute", times).run())
    motion = form.motion(times)
    loads = np.ascontiguousarray(applied_loads(form, states, run.columns).on)

    def solve() -> Array:
        right = form.system.unbalanced_wrenches(solver.masses, solver.gravity, states, loads)
        lam = multipliers(form, states, motion, right)
        return solver.reaction_map.wrenches(states, motion, lam)

    return Competitor("forces", solve)


def planar_lines() -> list[list[str]]:
    lines = [["", "bodies", "kinematics", "forces", "forces / kinematics", "whole inverse / whole kinematics"]]
    for name in PLANAR:
        model, times = loaded(name)
        span = (float(times[0]), float(times[-1]), float(times[1] - times[0]))
        motion, found = race([core(model, "absolute", times), forces(model, times)], rounds=20, turn=0.005)
        whole = race(
            [
                Competitor("kinematics", lambda m=model, s=span: m.kinematics(*s, formulation="absolute")),  # type: ignore[misc]
                Competitor("inverse", lambda m=model, s=span: m.inverse(*s, formulation="absolute")),  # type: ignore[misc]
            ],
            rounds=3,
        )
        cells = [duration(one.seconds / POSITIONS) for one in (motion, found)]
        ratios = [ratio(found.seconds / motion.seconds), ratio(whole[1].seconds / whole[0].seconds)]
        lines.append([model.name, str(len(model.bodies) - 1), *cells, *ratios])
    return lines


def heavy_lift(stages: int) -> mubo.Model:
    """A scissor lift whose bars weigh one kilogramme each."""
    model = builder()(stages, start=ANGLE, rate=RATE)
    for name, body in list(model.bodies.items()):
        if name != "ground":
            model.bodies[name] = mubo.model.Body(
                name, body.position, body.angle, body.points, mass=1.0, inertia=(1 / 3,)
            )
    model.gravity = (0.0, -9.81)
    return model


def lift_lines() -> list[list[str]]:
    lines, seconds = [["stages", "kinematics", "inverse", "ratio", "growth", "power residual"]], []
    for stages in STAGES:
        model = heavy_lift(stages)
        motion, found = race(
            [
                Competitor("kinematics", lambda m=model: m.kinematics(0, 0.1, 0.05)),  # type: ignore[misc]
                Competitor("inverse", lambda m=model: m.inverse(0, 0.1, 0.05)),  # type: ignore[misc]
            ],
            rounds=3,
        )
        seconds.append(found.seconds)
        grown = f"{exponent(STAGES[: len(seconds)][-2:], seconds[-2:]):.2f}" if len(seconds) > 1 else ""
        off = f"{found.answer.summary['power_residual']:.0e}"
        cells = [duration(motion.seconds), duration(found.seconds), ratio(found.seconds / motion.seconds)]
        lines.append([str(stages), *cells, grown, off])
    return lines


def exudyn_lines() -> list[list[str]]:
    """The four-bar over a turn; Exudyn takes one step a position, and its motor torque is compared."""
    from forces_exudyn import exudyn_dynamic

    model, times = loaded("four_bar")
    span = (float(times[0]), float(times[-1]), float(times[1] - times[0]))
    run = model.inverse(*span)
    words = ("x", "y", "phi", "vx", "vy", "omega")
    start = np.array([run[f"{link}.{word}"][0] for link in ("crank", "coupler", "rocker") for word in words])
    motion, found = core(model, "absolute", times), forces(model, times)
    results = race(
        [
            Competitor("mubo core, motion and forces", lambda: (motion.run(), found.run())),
            Competitor("mubo, whole study with proof", lambda: model.inverse(*span)["motor.effort"]),
            exudyn_dynamic(start.reshape(3, 2, 3), times),
        ],
        rounds=5,
    )
    lines = [["four-bar, motor torque", "per position", "ratio", "error"]]
    truth = run["motor.effort"]
    for one in results:
        # the accelerations of an integrator settle over its first steps
        off = "" if one is results[0] else f"{np.abs(one.answer - truth)[5:].max() / np.abs(truth).max():.0e}"
        cost = [duration(one.seconds / POSITIONS), ratio(one.seconds / results[0].seconds)]
        lines.append([one.name, *cost, off])
    return lines


def robot_arm() -> list[Body]:
    """Six turning joints, links as slender rods and blocks."""
    return [
        Body(-1, "z", (0.0, 0.0, 0.0), 40.0, (0.0, 0.0, 0.225), (0.82, 0.82, 0.29)),
        Body(0, "y", (0.1, 0.0, 0.45), 18.0, (0.0, 0.0, 0.3), (0.56, 0.56, 0.044)),
        Body(1, "y", (0.0, 0.0, 0.6), 12.0, (0.12, 0.0, 0.0), (0.04, 0.15, 0.15)),
        Body(2, "x", (0.3, 0.0, 0.0), 6.0, (0.175, 0.0, 0.0), (0.006, 0.064, 0.064)),
        Body(3, "y", (0.35, 0.0, 0.0), 2.0, (0.03, 0.0, 0.0), (0.002, 0.003, 0.003)),
        Body(4, "x", (0.08, 0.0, 0.0), 6.0, (0.14, 0.0, 0.045), (0.003, 0.006, 0.006)),
    ]


def arm_competitors(q: Array, v: Array, a: Array) -> list[Competitor]:
    """All instants in a call: mubo's core runs over them, the others are called from Python for each."""
    bodies, times = robot_arm(), np.zeros(len(q))
    system = mubo_system(bodies)
    out = [Competitor("mubo core, rnea", lambda: system.rnea(times, q, v, a)[3])]
    if not missing("Pinocchio"):
        pin, model = importlib.import_module("pinocchio"), pinocchio_model(bodies)
        data, states = model.createData(), list(zip(q, v, a, strict=True))
        out.append(Competitor("Pinocchio rnea", lambda: [pin.rnea(model, data, *s).copy() for s in states]))
    if not missing("MuJoCo"):
        out.append(Competitor("MuJoCo mj_inverse", mujoco_inverse(bodies, q, v, a)))
    return out


def mujoco_inverse(bodies: list[Body], q: Array, v: Array, a: Array) -> Callable[[], list[Array]]:
    mujoco, model = importlib.import_module("mujoco"), mujoco_model(bodies, 1e-3)
    data = mujoco.MjData(model)

    def run() -> list[Array]:
        out = []
        for at, rate, second in zip(q, v, a, strict=True):
            data.qpos[:], data.qvel[:], data.qacc[:] = at, rate, second
            mujoco.mj_inverse(model, data)
            out.append(data.qfrc_inverse.copy())
        return out

    return run


def arm_lines() -> list[list[str]]:
    rng = np.random.default_rng(6)
    q, v, a = (rng.uniform(-1, 1, (INSTANTS, 6)) for _ in range(3))
    results = race(arm_competitors(q, v, a), rounds=10)
    truth = np.asarray(results[0].answer)
    lines = [["robot arm, six efforts", "per instant", "ratio", "difference"]]
    for one in results:
        off = np.abs(np.asarray(one.answer) - truth).max() / np.abs(truth).max()
        cost = [duration(one.seconds / INSTANTS), ratio(one.seconds / results[0].seconds)]
        lines.append([one.name, *cost, f"{off:.0e}"])
    return lines


def main() -> None:
    print(f"absolute coordinates, {POSITIONS} positions\n")
    print_table(planar_lines())
    print("\nscissor lifts, whole calls at three positions\n")
    print_table(lift_lines())
    if importlib.util.find_spec("exudyn"):
        print()
        print_table(exudyn_lines())
    print()
    print_table(arm_lines())


if __name__ == "__main__":
    main()
