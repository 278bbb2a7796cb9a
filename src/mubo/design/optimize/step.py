"""The step of a local search: the minimum of its quadratic model, with cuts at kinks (see `search`).

It is a convex quadratic programme of few unknowns,

    minimise ½ uᵀHu + qᵀu  where  Gu ≥ h.

With H = LLᵀ and w = Lᵀu + L⁻¹q it is the point nearest to the origin in a polyhedron, which non-negative least squares
finds: Lawson and Hanson, Solving Least Squares Problems (1974), chapter 23, algorithm LDP.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from mubo.arrays import Array
from mubo.design.optimize.derivatives import Local
from mubo.design.optimize.problem import OptimizationProblem
from mubo.lazy_dataclass import dataclass


def least(hessian: Array, linear: Array, normals: Array, levels: Array) -> tuple[Array, Array] | None:
    """The unknowns and the multiplier of every row of `normals`; None where no point satisfies all rows."""
    from scipy.linalg import cholesky, solve_triangular
    from scipy.optimize import nnls

    root = cholesky(hessian, lower=True)
    shift = solve_triangular(root, linear, lower=True)
    tilted = solve_triangular(root, normals.T, lower=True).T  # G L⁻ᵀ
    raised = levels + tilted @ shift
    columns = np.vstack([tilted.T, raised])
    size = np.linalg.norm(columns, axis=0)
    size[size == 0.0] = 1.0
    wanted = np.zeros(len(columns))
    wanted[-1] = 1.0
    try:
        weights, _ = nnls(columns / size, wanted, maxiter=30 * len(size))
    except RuntimeError:  # it went round in circles: numbers too far apart to tell them from rounding
        return None
    weights = weights / size
    rest = columns @ weights - wanted
    if -rest[-1] < 1e-14:
        return None
    nearest = rest[:-1] / -rest[-1]
    return solve_triangular(root.T, nearest - shift, lower=False), weights / -rest[-1]


FLAT = 1e-9  # of the greatest curvature: the least one of a model
STIFF, STIFFEST = 10.0, 1e6  # weight of the limits, at first and at most
SOFT = 1e-2  # curvature of what is linear in the model, which must be strictly convex


def definite(curvature: Array) -> Array:
    """A symmetric matrix with no curvature below a small share of its greatest."""
    values, vectors = np.linalg.eigh((curvature + curvature.T) / 2)
    least_one = max(FLAT * float(np.max(np.abs(values))), 1e-12)
    return np.asarray((vectors * np.maximum(values, least_one)) @ vectors.T)


@dataclass
class TrustRegionStep:
    """A step of the model: where to, what it promises, and multipliers of the limits."""

    d: Array
    promised: float
    limits: Array
    kinked: bool


@dataclass
class Search:
    """The state of a search: where it is, its cuts, its trust region, its curvature and the weight of its limits."""

    problem: OptimizationProblem
    here: Local
    curvature: Array
    reach: float
    stiff: float = STIFF
    cuts: list[Local] = field(default_factory=list)

    def merit(self, aim: float, beyond: Array) -> float:
        short = np.where(self.problem.equal, np.abs(beyond), np.maximum(beyond, 0.0))
        return float(aim + self.stiff * np.sum(short))

    def step(self) -> TrustRegionStep | None:
        """The least of the model; the weight of limits grows where they could be met better."""
        found = None
        for _ in range(6):
            found = self._step()
            if found is None or self.stiff >= STIFFEST or not len(self.here.beyond):
                break
            left = self._model_short(found.d)
            now = self.merit(0.0, self.here.beyond) / self.stiff
            if left <= max(1e-9, 0.1 * now) or np.max(np.abs(found.d)) >= 0.99 * self.reach:
                break
            self.stiff *= 5.0
        return found

    def _model_short(self, d: Array) -> float:
        return self.merit(0.0, self.here.beyond + self.here.across @ d) / self.stiff

    def _step(self) -> TrustRegionStep | None:
        here, width, count = self.here, len(self.here.x), len(self.here.beyond)
        kinked, kinks = self.problem.kinked()
        rows, levels, owner = [], [], []  # normals · (d, z, s) ≥ levels; owner −1 of the aim, else of a limit
        for cut in [here, *self.cuts]:
            back = here.x - cut.x
            for aim, down in cut.pieces if cut is here or kinked else ():
                rows.append(np.concatenate([-down, [1.0], np.zeros(count)]))
                levels.append(min(aim + down @ back - here.aim, 0.0))
                owner.append(-1)
            for i in range(count):
                if cut is here or kinks[i]:
                    rows.append(np.concatenate([-cut.across[i], [0.0], np.eye(count)[i]]))
                    levels.append(min(cut.beyond[i] + cut.across[i] @ back, here.beyond[i]))
                    owner.append(i)
        for i in np.flatnonzero(self.problem.equal).tolist():
            rows.append(np.concatenate([here.across[i], [0.0], np.eye(count)[i]]))
            levels.append(-here.beyond[i])
            owner.append(i - count - 1)  # against its sign
        fence = np.hstack([np.eye(width), np.zeros((width, 1 + count))])
        positive = np.hstack([np.zeros((count, width + 1)), np.eye(count)])
        down, up = np.maximum(-here.x, -self.reach), np.minimum(1 - here.x, self.reach)
        normals = np.vstack([*rows, positive, fence, -fence])
        weights = np.concatenate([np.zeros(width), [1.0], np.full(count, self.stiff)])
        hessian = np.diag(np.maximum(weights, 1.0) * SOFT)
        hessian[:width, :width] = definite(self.curvature)
        answer = least(hessian, weights, normals, np.concatenate([levels, np.zeros(count), down, -up]))
        return None if answer is None else self._from_solution(answer, np.array(owner))

    def _from_solution(self, answer: tuple[Array, Array], owner: Array) -> TrustRegionStep:
        (unknowns, multipliers), width, count = answer, len(self.here.x), len(self.here.beyond)
        d, z, short = unknowns[:width], unknowns[width], unknowns[width + 1 :]
        model = z + 0.5 * d @ definite(self.curvature) @ d + self.stiff * np.sum(np.maximum(short, 0.0))
        promised = self.merit(0.0, self.here.beyond) - float(model)
        shares = multipliers[: len(owner)]
        of = [shares[owner == i].sum() - shares[owner == i - count - 1].sum() for i in range(count)]
        kinked = any(np.sum(shares[owner == i] > 1e-9) > 1 for i in {*owner.tolist()})
        return TrustRegionStep(np.clip(d, -self.here.x, 1 - self.here.x), promised, np.array(of), kinked)
