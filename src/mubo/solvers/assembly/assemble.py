"""Assembly: from rough estimates to a position that satisfies every constraint, or to the smallest gap.

Where the estimates are symmetric or collinear, other starts are tried. Links drawn on top of each other, as lengths
alone give them, are a saddle of the gap: Newton's and Levenberg's steps stay in the line. Starts turned and shifted a
little, to either side, leave it; the assembly nearest to the estimates is taken.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo import _core
from mubo._core import Status
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.model import GROUND
from mubo.solvers.continuation.linear_algebra import EquationSubset, damped_step, is_large, newton_step

AMOUNTS = (0.05, 0.4, 1.2)  # radians, or sizes of the mechanism, by which starts are moved
SIDES = 2  # random directions, each tried to both sides
DEFLATED_ITERATIONS = 40
LONGEST = 0.5  # step towards another branch, in radians or sizes of the mechanism
SAME = 1e-4  # distance below which two assemblies are one
MOST_UNKNOWNS = 120  # of a mechanism that is tried again


def assemble_from_other_starts(
    form: Absolute,
    motion: Array,
    tolerance: float,
    max_iterations: int,
    first: Assembly,
    part: EquationSubset | None = None,
) -> Assembly:
    """The assembly nearest to the estimates from starts around them, of a subset or all; `first` where none closes."""
    if len(form.weight) > MOST_UNKNOWNS:
        return first
    for starts in starts_around(form, form.estimate):
        trials = [assemble(form, motion, tolerance, max_iterations, start, part) for start in starts]
        closed = [trial for trial in trials if trial.gap <= tolerance]
        if closed:
            return min(closed, key=lambda trial: float(np.linalg.norm(form.weight * (trial.q - form.estimate))))
    return first


def starts_around(form: Absolute, q: Array) -> Iterator[list[Array]]:
    """Positions around q, to either side of it; the nearer ones first."""
    anyhow = np.random.default_rng(0)  # any directions do; the same ones for the same answer
    for amount in AMOUNTS:
        shifts = [amount * anyhow.uniform(-1, 1, len(q)) / form.weight for _ in range(SIDES)]
        yield [q + side * shift for shift in shifts for side in (1.0, -1.0)]


def find_other_branch(form: Absolute, motion: Array, tolerance: float, known: Array, start: Array) -> Assembly | None:
    """Another assembly than a `known` one from the same start, or None where none is found.

    Newton on m Φ with m = 1 + 1/d², d the distance to the known one: its step is that of Φ, longer or shorter
    (deflation: Brown and Gearhart 1971; Farrell, Birkisson and Funke 2015).
    """
    if _solved_by_core(form):
        status, assembly = _core_assembly(form, motion, start, tolerance, DEFLATED_ITERATIONS, LONGEST, known)
        if status not in (Status.singular, Status.not_finite):
            return assembly if status == Status.done else None
    q, whole = start.copy(), EquationSubset.whole(form)
    for count in range(DEFLATED_ITERATIONS):
        phi = form.system.phi(q, motion)
        gap = float(np.max(np.abs(phi), initial=0.0))
        away = form.weight * (q - known)
        square = float(away @ away)
        if gap <= tolerance:
            return Assembly(q, count, gap, int(np.argmax(np.abs(phi)))) if square > SAME**2 else None
        step = newton_step(form, q, motion, phi, whole) if square > 0 else None
        if step is None or not np.all(np.isfinite(step)):
            return None
        slope = -2 * float(away @ (form.weight * step)) / (square * (square + 1))  # m'·step / m
        step = step / (1 - slope) if slope != 1 else step
        q = q + step / max(1.0, float(np.max(np.abs(form.weight * step))) / LONGEST)
    return None


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
    start = form.estimate if start is None else start
    if (part is None or part.is_whole) and _solved_by_core(form):
        status, assembly = _core_assembly(form, motion, start, tolerance, max_iterations, 1.0)
        if status == Status.done:
            return assembly
    problem = _AssemblyProblem(form, motion, part or EquationSubset.whole(form))
    attempt = _solve_newton(problem, start, tolerance, max_iterations)
    found = attempt if attempt is not None else _solve_damped(problem, start, tolerance)
    return _refine(problem, found) if found.gap <= tolerance else found


def _solved_by_core(form: Absolute) -> bool:
    """Whether the core can assemble all equations: those of a small system, as many as unknowns."""
    return not is_large(form) and form.system.equations == form.system.unknowns


def _core_assembly(
    form: Absolute,
    motion: Array,
    start: Array,
    tolerance: float,
    most: int,
    longest: float,
    known: Array | None = None,
) -> tuple[Status, Assembly]:
    """Status and assembly by Newton's method in the core; it ends where J loses its rank: least squares then decide
    here."""
    status, count, gap, worst, q = form.system.assemble(
        start, motion, form.equation_scales.weight, form.weight, tolerance, form.scale, most, longest, known
    )
    return status, Assembly(q, count, gap, worst)


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
