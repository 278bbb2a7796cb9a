"""A q̈ = B integrated over time, in the coordinates of the book, and as a formulation of simulations."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import ModelError, SimulationError
from mubo.geometry.rotation import product
from mubo.legacy.wittenburg.system import EULER_LOST, System, lost_euler
from mubo.mechanism.formulations.tree import Tree
from mubo.model import Builder, ModelDefinition
from mubo.model.coordinates import holds_of
from mubo.note import Note
from mubo.solvers.dynamics.integration import IntegrationResult
from mubo.solvers.dynamics.settings import SimulationSettings

NEAR = math.sin(math.radians(2))  # |det p| of Euler angles below which their nearness is reported
SHORT, PATIENCE = 1e-9, 200  # so many steps in a row below that part of the whole time are a collapse
MOST_STEPS, STEPS_A_ROW = 2_000, 20  # of a run; each is many evaluations of these equations, in Python
FINE = np.linspace(0.0, 1.0, 17)  # points along a step where that is evaluated

JointMotion = tuple[Array, Array, Array]  # joint coordinates, rates, accelerations


def integrate(
    model: ModelDefinition | Builder,
    times: Array,
    rtol: float = 1e-10,
    atol: float = 1e-10,
    report: Callable[[str], None] = warnings.warn,
) -> JointMotion:
    """q, v and a at the times, one line each, from the model's initial conditions at the first; by DOP853.

    Columns as `System.coordinates` and `System.rates` name them. Where the integration cannot go on the rows reached
    are returned, fewer than `times`, and `report` gets the reason, as well as Euler angles near their singularity.
    """
    times = np.asarray(times, float)
    if times.ndim != 1 or len(times) == 0 or not np.all(np.isfinite(times)) or np.any(np.diff(times) <= 0):
        raise ModelError("the times must be finite and grow from one to the next")
    if not rtol > 0 or not atol > 0:
        raise ModelError(f"the tolerances must be positive; found rtol {rtol:g}, atol {atol:g}")
    system = System(model)
    q, v = system.put_driven(*system.start(), float(times[0]))
    joint, distance = system.near_singular(q)
    if distance < EULER_LOST:
        raise lost_euler(joint, f"at the start, t = {system.model.units.time_text(times[0])}")
    steps = _Integration(system)
    rows, reason = steps.run(np.concatenate([q, v]), times, rtol, atol)
    if steps.nearest[0] < NEAR:
        report(steps.nearness())
    if reason:
        report(reason)
    count = len(system.coordinates)
    q, v = np.array(rows)[:, :count], np.array(rows)[:, count:]
    for k, t in enumerate(times[: len(q)]):
        q[k], v[k] = system.put_driven(q[k], v[k], t)
    a = np.array([system.accelerations(q[k], v[k], t) for k, t in enumerate(times[: len(q)])])
    return q, v, a


class _Integration:
    """The steps of one integration, and how near the Euler angles came to their singularity."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.nearest: tuple[float, str, float] = (1.0, "", 0.0)  # |det p|, joint, time

    def run(self, y: Array, times: Array, rtol: float, atol: float) -> tuple[list[Array], str]:
        """Rows at the times, and why there are fewer of them than times."""
        from scipy.integrate import DOP853

        rows = [y]
        if len(times) == 1:
            return rows, ""
        with np.errstate(all="ignore"):  # a number that is not finite is reported below, with its time
            try:
                solver = DOP853(self.slope, times[0], y, times[-1], rtol=rtol, atol=atol)
                before, short, steps = y, 0, 0
                while len(rows) < len(times):
                    steps += 1
                    if steps > max(MOST_STEPS, STEPS_A_ROW * len(times)):
                        return rows, self._stopped(solver.t, f"that took {steps - 1} steps, the most for so few rows")
                    words = solver.step()
                    if words or not np.all(np.isfinite(solver.y)):
                        return rows, self._stopped(solver.t, words or "a number grew beyond all bounds")
                    self._watch(solver.t_old, before, solver.t, solver.y)
                    before = solver.y
                    short = short + 1 if solver.step_size < SHORT * (times[-1] - times[0]) else 0
                    if short > PATIENCE:
                        return rows, self._stopped(solver.t, self._collapse(solver.step_size, solver.t, solver.y))
                    reached = times[len(rows) :][times[len(rows) :] <= solver.t]
                    if len(reached):
                        rows += list(solver.dense_output()(reached).T)
            except SimulationError as error:
                return rows, f"stopped after t = {self._time(times[len(rows) - 1])}: {error}"
        return rows, ""

    def slope(self, t: float, y: Array) -> Array:
        """q̇ and v̇; the quaternion of a ball without Euler angles turns by p′ = ½ p ∘ ω."""
        system = self.system
        count = len(system.coordinates)
        q, v = system.put_driven(y[:count], y[count:], t)
        qdot = np.zeros(count)
        for stack in system.stacks:
            if stack.quaternion is None:
                qdot[stack.q] = v[stack.v]
            else:
                qdot[stack.q.start : stack.quaternion.start] = v[stack.v][:-3]
                p = q[stack.quaternion] / np.linalg.norm(q[stack.quaternion])
                qdot[stack.quaternion] = product(p, [0.0, *v[stack.v][-3:]]) / 2
        return np.concatenate([qdot, system.accelerations(q, v, t)])

    def _time(self, t: float) -> str:
        return self.system.model.units.time_text(t, 6)

    def nearness(self) -> str:
        """Which joint came near to its singularity, and when."""
        distance, joint, t = self.nearest
        angle = math.degrees(math.asin(min(distance, 1.0)))
        return (
            f'the Euler angles of joint "{joint}" came within {angle:.2g} deg of their singularity at t = '
            f"{self._time(t)}: digits are lost there; quaternions have no such point"
        )

    def _watch(self, start: float, before: Array, end: float, after: Array) -> None:
        """Middle Euler angles along one step, by the cubic through its ends: a step may reach over the singularity."""
        count, h = len(self.system.coordinates), end - start
        a, b, c, d = (
            2 * FINE**3 - 3 * FINE**2 + 1,
            3 * FINE**2 - 2 * FINE**3,
            FINE**3 - 2 * FINE**2 + FINE,
            FINE**3 - FINE**2,
        )
        for stack in self.system.stacks:
            if stack.middle is None:
                continue
            q, v, phase = stack.middle[0], count + stack.middle[1], stack.middle[2]
            angle = before[q] * a + after[q] * b + h * (before[v] * c + after[v] * d)
            determinant = np.sin(angle + phase)
            k = int(np.argmin(np.abs(determinant)))
            crossed = np.any(determinant[1:] * determinant[:-1] < 0)
            distance = 0.0 if crossed else float(abs(determinant[k]))
            if distance < self.nearest[0]:
                self.nearest = (distance, stack.name, start + float(FINE[k]) * h)

    def _collapse(self, step: float, t: float, y: Array) -> str:
        rate = np.abs(self.slope(t, y)[len(self.system.coordinates) :])
        return f"the step size fell to {step:.1e}; {self.system.rates[int(np.argmax(rate))]} changes fastest"

    def _stopped(self, t: float, words: str) -> str:
        distance, joint, _ = self.nearest
        cause = f'; the Euler angles of joint "{joint}" are singular there' if distance < NEAR else ""
        return f"stopped at t = {self._time(t)}: {words.strip().rstrip('.')}{cause}"


def by_wittenburg(
    tree: Tree, grid: Array, settings: SimulationSettings
) -> tuple[IntegrationResult, Array, dict[int, Array], list[str]]:
    """States of the core at the times reached, accelerations of the core, Euler angles by link, and its notes."""
    for asked, what in ((tree.model.events, "events"), (settings.user, "forces by a function")):
        if asked:
            raise ModelError(f"Wittenburg's equations are integrated without {what}: use --formulation tree")
    if settings.method != "DOP853":
        raise ModelError(f"Wittenburg's equations are integrated by DOP853 only; found {settings.method}")
    notes: list[str] = []
    q, v, a = integrate(tree.model, grid, settings.rtol, settings.atol, notes.append)
    core_q, core_v, core_a = tree.core_motion(q, v, a)
    states = np.concatenate([core_q, core_v, np.zeros((len(q), 2))], axis=1)
    reached = len(q) == len(grid)  # else the last note says why not
    done = IntegrationResult(
        states,
        float(grid[len(q) - 1]),
        Status.done if reached else Status.running,
        reason=None if reached or not notes else Note("events.wittenburg_stops", reason=notes[-1]),
    )
    return done, core_a, _euler_angles(tree, q), notes


def _euler_angles(tree: Tree, q: Array) -> dict[int, Array]:
    """The angles that were integrated, of every ball that has them."""
    first, out = {}, {}
    count = 0
    for joint in tree.joints:
        first[joint.name] = count
        count += len(holds_of(tree.model, joint))
    for motion in tree.links.motions:
        if motion.kind == "ball" and motion.euler:
            at = first[motion.joint] + motion.first
            out[motion.link] = q[:, at : at + 3]
    return out
