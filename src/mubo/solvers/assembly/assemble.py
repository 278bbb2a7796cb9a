"""Assembly: from rough estimates to a position that satisfies every constraint, or to the smallest gap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo import _core
from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.model import GROUND
from mubo.solvers.continuation.linear_algebra import EquationSubset, damped_step, newton_step

DAMPED_ITERATIONS = 300
PATIENCE = 40  # steps within which the gap has to shrink by a hundredth: else it is as small as it gets
SMALL = 1e-6  # radians, or sizes of the mechanism


@dataclass(frozen=True)
class Assembly:
    """The position reached, the number of Newton iterations, and the largest gap left."""

    q: Array
    corrections: int
    gap: float
    worst: int  # the equation with the largest gap


def assemble(
    form: Absolute,
    motion: Array,
    tolerance: float,
    max_iterations: int,
    start: Array | None = None,
    part: EquationSubset | None = None,
) -> Assembly:
    """Assemble from `start`, else from the estimates: Newton's method while it makes clear progress in moderate steps;
    otherwise damped (Levenberg), which converges to the nearest assembly and, where there is none, to the smallest
    gap.

    With a `part` only its equations are closed and only its unknowns move.
    """
    start, part = form.estimate if start is None else start, part or EquationSubset.whole(form)
    problem = _AssemblyProblem(form, motion, part)
    attempt = _solve_newton(problem, start, tolerance, max_iterations)
    found = attempt if attempt is not None else _solve_damped(problem, start, tolerance)
    return _refine(problem, found) if found.gap <= tolerance else found


@dataclass(frozen=True)
class _AssemblyProblem:
    form: Absolute
    motion: Array
    part: EquationSubset

    def gap(self, q: Array) -> tuple[Array, float, int]:
        """Residual Φ, and the largest gap of the subset with its equation."""
        phi = self.form.system.phi(q, self.motion)
        counted = np.where(self.part.rows > 0, np.abs(phi), 0.0)
        worst = int(np.argmax(counted)) if len(phi) else 0
        return phi, float(np.max(counted, initial=0.0)), worst

    def size(self, phi: Array) -> float:
        scaled = (self.part.rows * phi)[self.part.rows > 0]
        return float(scaled @ scaled)

    def newton_step(self, q: Array, phi: Array) -> Array | None:
        return newton_step(self.form, q, self.motion, phi, self.part)

    def damped_step(self, q: Array, phi: Array, damping: float) -> Array | None:
        return damped_step(self.form, q, self.motion, phi, damping, self.part)


def _refine(problem: _AssemblyProblem, found: Assembly) -> Assembly:
    """One further Newton iteration where it helps, not counted: the rank of J is judged at this position."""
    form = problem.form
    phi, gap, _ = problem.gap(found.q)
    step = problem.newton_step(found.q, phi) if gap > _core.rounding * form.scale else None
    if step is None or np.max(np.abs(form.weight * step)) > SMALL:
        return found
    _, after, worst = problem.gap(found.q + step)
    return Assembly(found.q + step, found.corrections, after, worst) if after < gap else found


def _solve_newton(problem: _AssemblyProblem, start: Array, tolerance: float, most: int) -> Assembly | None:
    q = start.copy()
    before = np.inf
    for count in range(most + 1):
        phi, gap, worst = problem.gap(q)
        if gap <= tolerance:
            return Assembly(q, count, gap, worst)
        size = problem.size(phi)  # not the gap: that is of lengths in millimetres, of angles in metres
        step = problem.newton_step(q, phi) if size < before else None
        if step is None or not np.max(np.abs(problem.form.weight * step), initial=0.0) < 1.0:
            return None
        q, before = q + step, size
    return None


def _solve_damped(problem: _AssemblyProblem, start: Array, tolerance: float) -> Assembly:
    q = start.copy()
    phi, gap, worst = problem.gap(q)
    size, damping, count = problem.size(phi), 1.0, 0
    sizes = [np.inf] * PATIENCE
    while gap > tolerance and count < DAMPED_ITERATIONS and damping < 1e12 and size < 0.98 * sizes[-PATIENCE]:
        sizes.append(size)
        step = problem.damped_step(q, phi, damping * min(size, 1.0))
        if step is None:
            break
        trial, trial_gap, trial_worst = problem.gap(q + step)
        trial_size = problem.size(trial)
        count += 1
        if trial_size < size:
            stalled = size - trial_size < 1e-14 * size
            q, phi, gap, worst, size = q + step, trial, trial_gap, trial_worst, trial_size
            damping = max(damping / 5, 1e-9)
            if stalled:
                break
        else:
            damping *= 4
    return Assembly(q, count, gap, worst)


def reversed_joints(form: Absolute, q: Array) -> tuple[str, ...]:
    """Joints whose axes are perpendicular as required but reversed, which the equations cannot distinguish."""
    model = form.model
    if model.dimension == 2:
        return ()
    from mubo.geometry.rotation import matrix
    from mubo.mechanism.joint_frames import joint_motion

    A = {name: matrix(pose[3:]) for name, pose in zip(form.free, q.reshape(-1, 7), strict=True)}
    A[GROUND] = np.eye(3)
    backwards = []
    for joint in model.joints.values():
        element = model.kinds[joint.kind]
        for stack in (joint_motion(model, arm) for arm in joint.arms if element.rows and element.hinge):
            along = np.sum((A[stack.first] @ stack.F) * (A[stack.second] @ stack.G), axis=0)
            backwards += [joint.name] * any(along["xyz".index(letter)] < 0.5 for letter in stack.parallel)
    return tuple(dict.fromkeys(backwards))
