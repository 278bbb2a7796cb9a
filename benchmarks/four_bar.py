"""1001 positions of a four-bar linkage over one turn of its crank: closed form, mubo, NumPy, pylinkage and Exudyn.

    python benchmarks/four_bar.py

All compute the model of examples/four_bar.toml. States are (times, orders, coordinates): position, velocity and
acceleration of x, y, phi of crank, coupler and rocker at their middles.
"""

from __future__ import annotations

import ctypes
import math
import sys

import numpy as np
from timing import EXAMPLES, FOLDER, Array, Competitor, accuracy_table, compile_c, print_table, race

import mubo
from mubo.solvers.assembly.start_analysis import analyse_start
from mubo.solvers.continuation.continuation import CORRECTION_RATIO
from mubo.solvers.continuation.steppers import Settings
from mubo.solvers.kinematics.formulations import choose_formulation

CRANK, COUPLER, ROCKER, GROUND = 2.0, 4.0, 4.0, 2.5
START, RATE = math.pi / 3, 2 * math.pi
STEP = 0.001
TIMES = np.arange(1001) * STEP
MODEL = EXAMPLES / "four_bar.toml"
TOLERANCE = 1e-10


def closed_form() -> Competitor:
    """The formulas for this one linkage, in C."""
    function = compile_c(FOLDER / "closed_form.c").four_bar
    numbers = np.ctypeslib.ndpointer(float, flags="C_CONTIGUOUS")
    function.argtypes = [numbers, ctypes.c_double, ctypes.c_double, ctypes.c_int, numbers, numbers]
    function.restype = None
    lengths = np.array([CRANK, COUPLER, ROCKER, GROUND])
    out = np.empty((len(TIMES), 3, 9))

    def run() -> Array:
        function(lengths, START, RATE, len(TIMES), TIMES, out)
        return out

    return Competitor("closed form in C, -O3", run)


def mubo_core(formulation: str, label: str) -> Competitor:
    """Only the steps over the grid and the bodies' motion, as model.kinematics() does them."""
    look = analyse_start(mubo.load(MODEL).build(), 0.0, TOLERANCE)
    motion = look.form.motion(TIMES)
    _, stepper, _ = choose_formulation(look, Settings(TOLERANCE, formulation=formulation))
    _, state = stepper.start(look.assembly.q, motion[0])

    def run() -> Array:
        status, done, states, _ = stepper.sweep(TIMES, motion, state, CORRECTION_RATIO)
        assert status == 0, "the sweep stopped early"
        assert done == len(TIMES) - 1, "the sweep stopped early"
        return stepper.bodies(states, motion)

    return Competitor(label, run)


def mubo_study() -> Competitor:
    """The public call: checks, assembly, diagnosis, the way there and back, residuals and the named columns."""
    model = mubo.load(MODEL)
    words = (("x", "y", "phi"), ("vx", "vy", "omega"), ("ax", "ay", "alpha"))
    bodies = ("crank", "coupler", "rocker")

    def states(run: mubo.Run) -> Array:
        columns = [[run[f"{body}.{word}"] for body in bodies for word in order] for order in words]
        return np.moveaxis(np.array(columns), 2, 0)

    return Competitor("mubo, whole study with proof", lambda: model.kinematics(0, 1, STEP), states)


class PlainNewton:
    """Newton as one writes it with NumPy: four bodies with three coordinates each, four pins, ground, motor."""

    # body i, body j, and the pin in the axes of either
    PINS = ((0, 1, 0.0, -1.0), (1, 2, 1.0, -2.0), (2, 3, 2.0, 2.0), (3, 0, -2.0, 2.5))
    ESTIMATE = (0, 0, 0, 0.5, 0.8, math.pi / 3, 2.6, 2.6, math.pi / 6, 3.5, 1.8, math.pi / 3)

    def __init__(self) -> None:
        i, j, self.reach_i, self.reach_j = (np.array(column) for column in zip(*self.PINS, strict=True))
        self.i, self.j = 3 * i, 3 * j  # the first coordinate of either body
        rows = self.rows = 2 * np.arange(4)
        self.constant = np.zeros((12, 12))  # entries of J that do not change
        for axis in (0, 1):
            self.constant[rows + axis, self.i + axis] = 1
            self.constant[rows + axis, self.j + axis] = -1
        self.constant[[8, 9, 10], [0, 1, 2]] = 1  # the ground stays at the origin
        self.constant[11, 5] = 1  # the motor turns the crank
        self.speed = np.zeros(12)
        self.speed[11] = RATE

    def arms(self, q: Array) -> tuple[Array, Array]:
        """From the bodies' origins to the pins, in ground axes; both shaped (axis, pin)."""
        angle_i, angle_j = q[self.i + 2], q[self.j + 2]
        arm_i = self.reach_i * np.array([np.cos(angle_i), np.sin(angle_i)])
        arm_j = self.reach_j * np.array([np.cos(angle_j), np.sin(angle_j)])
        return arm_i, arm_j

    def gaps(self, q: Array, t: float, arms: tuple[Array, Array]) -> Array:
        gap = np.empty(12)
        for axis in (0, 1):
            gap[self.rows + axis] = q[self.i + axis] + arms[0][axis] - q[self.j + axis] - arms[1][axis]
        gap[8:11] = q[:3]
        gap[11] = q[5] - START - RATE * t
        return gap

    def jacobian(self, arms: tuple[Array, Array]) -> Array:
        J = self.constant.copy()
        J[self.rows, self.i + 2], J[self.rows + 1, self.i + 2] = -arms[0][1], arms[0][0]
        J[self.rows, self.j + 2], J[self.rows + 1, self.j + 2] = arms[1][1], -arms[1][0]
        return J

    def run(self) -> Array:
        out = np.empty((len(TIMES), 3, 12))
        q, v, a = np.array(self.ESTIMATE, float), np.zeros(12), np.zeros(12)
        for k, t in enumerate(TIMES):
            q = q + STEP * v + 0.5 * STEP**2 * a
            arms = self.arms(q)
            gap = self.gaps(q, t, arms)
            while np.abs(gap).max() > TOLERANCE:
                q = q - np.linalg.solve(self.jacobian(arms), gap)
                arms = self.arms(q)
                gap = self.gaps(q, t, arms)
            J = self.jacobian(arms)
            v = np.linalg.solve(J, self.speed)
            centripetal = v[self.i + 2] ** 2 * arms[0] - v[self.j + 2] ** 2 * arms[1]
            right = np.zeros(12)
            right[self.rows], right[self.rows + 1] = centripetal
            a = np.linalg.solve(J, right)
            out[k] = q, v, a
        return out


def numpy_newton() -> Competitor:
    return Competitor("NumPy Newton, 12 × 12", PlainNewton().run, lambda states: states[:, :, 3:])


def main() -> None:
    cores = [mubo_core("loops", "mubo core, vector loops"), mubo_core("absolute", "mubo core, absolute coordinates")]
    competitors = [closed_form(), *cores, mubo_study(), numpy_newton()]
    first = competitors[0].run()[0, 0]
    try:
        from four_bar_pylinkage import pylinkage_fast
    except ImportError as error:
        print(f"pylinkage is left out: {error} (pip install 'mubo[benchmarks]')\n")
    else:
        competitors += pylinkage_fast((CRANK, COUPLER, ROCKER, GROUND), START, RATE, TIMES, first)
    sys.exudynFast = True  # type: ignore[attr-defined]  # its build without range checks
    try:
        from four_bar_exudyn import exudyn_static
    except ImportError as error:
        print(f"Exudyn is left out: {error} (pip install 'mubo[benchmarks]')\n")
    else:
        competitors.append(exudyn_static(first, RATE, TIMES))
    results = race(competitors, rounds=20, turn=0.005)
    print(f"four-bar linkage, {len(TIMES)} positions; errors against the closed form\n")
    print_table(accuracy_table(competitors, results, len(TIMES)))


if __name__ == "__main__":
    main()
