"""Normal form of a change point: whether two motions cross, part, or end there, and with which gap.

At a point where J has a null vector n and a left null vector w, the constraints Φ(x, t) = 0 reduce to one equation for
the time τ and the distance c along n (Lyapunov and Schmidt), to second order

    ½ (H₁₁ τ² + 2 H₁₂ τ c + H₂₂ c²) + E = 0,        x = x₀ + τ v₀ + c n,

where J v₀ = ν has no share of n, H holds −wᵀγ(v₀ + c n), and the point is moved until the linear terms vanish. If
E = 0, two motions cross (Haug 1989, chapter 3): their rates are the roots of the quadratic form. If not, they do not
meet: with H₂₂ E > 0 there is no position for small τ, and the motion ends before; with H₂₂ E < 0 each of the two goes
on, sharply turned. E is what links that do not fit exactly leave open.

Redundant equations leave several left null vectors, each with its own form. Where all forms are multiples of one, two
motions cross as before. Where they have one root in common, only that motion exists: coupled wheels with three and more
cranks pass the line of their pins in parallel, though J loses its rank there.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.numerics.singularity import SECOND_NULL_VECTOR
from mubo.solvers.continuation.steppers import ContinuationResult, DriverMotion, KinematicStepper

RESOLUTION = 1e-12  # of the decade of the size: a smaller misfit cannot be distinguished from none
ITERATIONS = 20
CONVERGED = 1e-11  # radians or sizes: the point is found
INDEPENDENT = 1e-6  # of the largest: a further form that is no multiple of the first
COMMON = 1e-5  # of the largest entry: a root of all forms
FLAT = 1e-5  # of the largest entry of H: no curvature along n
MAX_DISTANCE = 0.3  # radians or sizes between the bifurcation and the position it is searched from


TimedState = tuple[float, Array]  # a time and the state there


@dataclass(frozen=True)
class BifurcationPoint:
    """A change point, or a nearby one that is just missed: its time, unknowns, v₀, n and H."""

    t: float
    x: Array
    v0: Array
    n: Array
    H: Array
    weight: Array  # of the unknowns
    gap: float  # E
    misfit: float  # how much longer or shorter a link would close it
    unique: bool  # whether one motion alone passes it

    @property
    def spread(self) -> float:
        """√(H₁₂² − H₁₁ H₂₂): half the difference of the two rates along n, times H₂₂."""
        return float(np.sqrt(self.H[0, 1] ** 2 - self.H[0, 0] * self.H[1, 1]))

    def along(self, time: float, side: float, gap: float) -> Array:
        """Unknowns at a time on one of the two sides (±1) of the curve with the gap E."""
        tau = time - self.t
        root = np.sqrt(max((self.spread * tau) ** 2 - 2 * self.H[1, 1] * gap, 0.0))
        return np.asarray(self.x + tau * self.v0 + (side * root - self.H[0, 1] * tau) / self.H[1, 1] * self.n)

    def rates(self, side: float) -> Array:
        """Rates of the straight motion that is on this side after the point, and on the other before it."""
        return np.asarray(self.v0 + (side * self.spread - self.H[0, 1]) / self.H[1, 1] * self.n)

    def side(self, time: float, x: Array) -> float:
        """Side of the curve on which a position lies, ±1."""
        tau = time - self.t
        n = self.weight * self.n
        c = float(n @ (self.weight * (x - self.x - tau * self.v0))) / float(n @ n)
        return float(np.sign(self.H[1, 1] * c + self.H[0, 1] * tau))

    @property
    def flat(self) -> bool:
        """Whether bodies can move on at the point without an end: one of the two rates is infinite."""
        return abs(float(self.H[1, 1])) < FLAT * float(np.max(np.abs(self.H)))

    @property
    def ends(self) -> bool:
        """Whether no position exists at the time of the point, by the sign of its gap."""
        return self.flat or bool(self.H[1, 1] * self.gap > 0)

    @property
    def half_width(self) -> float:
        """Half of the time span in which no position exists, or the motions turn sharply."""
        return float(np.sqrt(abs(2 * self.H[1, 1] * self.gap))) / self.spread


@dataclass(frozen=True)
class ReducedEquation:
    """Data of the Lyapunov-Schmidt reduction: weighted unknowns and equations divided by `rows`, so that units do not
    matter."""

    stepper: KinematicStepper
    motion: DriverMotion
    weight: Array
    rows: Array


def reduced_equation(
    motion: DriverMotion, stepper: KinematicStepper, weight: Array, path: ContinuationResult, grid: Array
) -> ReducedEquation:
    """Reduced equation with rows scaled by their length at the first and the last row of a motion: near the point some
    may vanish."""
    lengths = []
    for k in {0, path.reached}:
        x, v, _ = path.states[k]
        J = stepper.equations(x, v, np.asarray(motion(grid[k : k + 1])[0]))[1]
        lengths.append(np.linalg.norm(J / weight, axis=1))
    return ReducedEquation(stepper, motion, weight, np.max(lengths, axis=0))


def find_bifurcation(at: ReducedEquation, time: float, x: Array) -> BifurcationPoint | None:
    """Stationary point of the reduced equation near a position, by Newton's method; None if there is none."""
    begin, t = x, time
    for _ in range(ITERATIONS):
        here = _reduce_equation(at, x, t)
        if here is None:
            return None
        tau, c = here.step_to_point
        step = tau * here.v0 + c * here.n
        t, x = t + float(tau), here.x + step
        if not float(np.max(np.abs(at.weight * (x - begin)), initial=here.speed * abs(t - time))) < MAX_DISTANCE:
            return None
        if float(np.max(np.abs(at.weight * step), initial=here.speed * abs(tau))) < CONVERGED:
            return here.point(at, t - float(tau))
    return None


@dataclass(frozen=True)
class _Reduction:
    """Reduced equations at a position x on the constraints, with a line of forms and gradients per left null vector."""

    x: Array
    v0: Array
    n: Array
    speed: float
    sigma: float  # smallest singular value
    null: Array  # left null vectors, the one of `sigma` first
    phi: Array
    forms: Array  # H₁₁, H₁₂, H₂₂
    gradients: Array  # derivatives to τ and c

    @property
    def step_to_point(self) -> Array:
        """τ and c of the Newton step to where the linear terms vanish.

        Away from the point only the vector of σ counts: redundant equations have a zero gradient anywhere.
        """
        count = 1 if self.sigma > SECOND_NULL_VECTOR else len(self.forms)
        stacked = self.forms[:count, [[0, 1], [1, 2]]].reshape(-1, 2)
        return np.asarray(np.linalg.lstsq(stacked, -self.gradients[:count].ravel(), rcond=None)[0])

    def point(self, at: ReducedEquation, t: float) -> BifurcationPoint | None:
        """The point at this position, or None where no motion passes it."""
        chosen = _choose_form(self.forms)
        if chosen is None:
            return None
        share, H, unique = chosen
        if not H[0, 1] ** 2 > H[0, 0] * H[1, 1]:
            return None  # the two rates are not real: an isolated position
        w = share @ self.null.T
        gap = float(w / at.rows @ self.phi)
        misfit = abs(gap / (w / at.rows)[np.argmax(np.abs(w))])
        return BifurcationPoint(t, self.x, self.v0, self.n, H, at.weight, gap, float(misfit), unique)


def _reduce_equation(at: ReducedEquation, x: Array, t: float) -> _Reduction | None:
    """Reduced equations at the position on the constraints next to x; None where it is not determined."""
    stepper, weight, rows, still = at.stepper, at.weight, at.rows, np.zeros_like(x)
    motion = at.motion(np.array([t]))[0]
    for _ in range(3):  # onto the constraints, without moving along the null vector
        phi, J, nu, _ = stepper.equations(x, still, motion)
        scaled = J / weight / rows[:, None]
        if not np.all(np.isfinite(scaled)):
            return None
        left, values, right = np.linalg.svd(scaled)
        if len(values) > 1 and values[-2] < SECOND_NULL_VECTOR:
            return None
        regular = len(values) - 1
        back, onto = left[:, :regular].T / rows, right[:-1].T / weight[:, None]
        x = x - onto @ (back @ phi / values[:-1])
    phi, J, nu, _ = stepper.equations(x, still, motion)
    v0 = onto @ (back @ nu / values[:-1])
    speed = float(np.max(np.abs(weight * v0)))
    if not speed > 0:
        return None  # the drivers are at rest
    n = speed * right[-1] / weight
    right_sides = np.array([stepper.equations(x, v0 + c * n, motion)[3] for c in (-1.0, 0.0, 1.0)])
    if not np.all(np.isfinite(right_sides)):
        return None
    null = left[:, regular:]  # of redundant equations more than one
    W = (null / rows[:, None]).T
    before, middle, after = (-(W @ side) for side in right_sides)
    forms = np.stack([middle, (after - before) / 4, (before + after) / 2 - middle], 1)  # H₁₁, H₁₂, H₂₂ of each
    gradients = np.stack([-(W @ nu), W @ (J @ n)], 1)
    return _Reduction(x, v0, n, speed, float(values[-1]), null, phi, forms, gradients)


def acceleration_at_point(
    at: ReducedEquation, point: BifurcationPoint, v: Array, half: Array, full: TimedState
) -> Array:
    """Acceleration a₀ at a singular position of the motion with the velocity v₀ there, whose states at the distances
    h/2 and h are solved.

    Simpson's rule, v(h) − v₀ = h/6 (a₀ + 4 a(h/2) + a(h)), gives a₀ with an error of h⁴. J a₀ = γ then corrects all of
    it but its share along the null vector.
    """
    time, (_, v_full, a_full) = full
    a = 6 * (v_full - v) / (time - point.t) - 4 * half[2] - a_full
    _, J, _, gamma = at.stepper.equations(point.x, v, np.asarray(at.motion(np.array([point.t]))[0]))
    left, values, right = np.linalg.svd(J / at.weight / at.rows[:, None])
    regular = len(values) - 1
    missing = (left[:, :regular].T / at.rows) @ (gamma - J @ a)
    return np.asarray(a + right[:-1].T @ (missing / values[:-1]) / at.weight)


def _choose_form(forms: Array) -> tuple[Array, Array, bool] | None:
    """The share of each form (H₁₁, H₁₂, H₂₂) in the one that decides, this one, and whether it has but one motion.

    A root r = c/τ of all forms is normal to each of them: (1, 2r, r²) spans their null space. The form that stands for
    one root alone has the roots r and r + 1.
    """
    left, values, right = np.linalg.svd(forms)
    share, (a, b, c) = left[:, 0], values[0] * right[0]
    if len(forms) == 1 or values[1] <= INDEPENDENT * values[0]:
        return share, np.array([[a, b], [b, c]]), False
    one, two, three = right[-1] * (1.0, 0.5, 1.0)
    if (len(values) > 2 and values[2] > COMMON * values[0]) or abs(two**2 - one * three) > COMMON or abs(one) < FLAT:
        return None
    r = two / one
    return share, np.array([[r * (r + 1), -r - 0.5], [-r - 0.5, 1.0]]), True
