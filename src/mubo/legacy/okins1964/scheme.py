"""The predictor-corrector of O'Kins' programs (1964) in double precision, with its own constants.

    predictor   θ = θ₀ + ω₀ Δt + α₀ Δt²/2        (17)
    corrector   θ = θ₀ + (ω + ω₀) Δt/2           (19), NUMCYC times, with ω from the velocity loops at the last θ

Then α from the acceleration loops. Nothing asks whether the position loops are closed: (19) is the trapezoidal rule,
its error stays, and since the rule is symmetric in time a reversed run cannot show it. Names in capitals are
those of the programs MAIN, ACOE, BCOE, ANGLE and KINE; 57.2958 and 57.2985 are their degrees per radian.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.legacy.okins1964.linkage import VectorLinkage
from mubo.legacy.okins1964.listing import Step

DEGREES, DEGREES_PUNCHED = 57.2958, 57.2985  # the second, in MAIN's statement 33, is a slip of the thesis


@dataclass(frozen=True)
class Scheme:
    """The steps, and the number of the step at which the velocity loops were singular (0: none)."""

    steps: list[Step]
    singular_at: int = 0


class _Programs:
    """MAIN with its subroutines; angles in radians."""

    def __init__(self, linkage: VectorLinkage) -> None:
        assert linkage.drive is not None
        self.linkage, self.ram = linkage, linkage.drive.kind == "ram"
        self.R = np.array(linkage.lengths)
        self.THETA = np.array(linkage.angles) / DEGREES
        self.THETA2 = self.THETA.copy()
        self.DRIVER = linkage.drive.rate / (1.0 if self.ram else DEGREES)
        self.MATRIX = len(linkage.links)
        self.OMEGA: Array = np.zeros(self.MATRIX)
        self.X: Array = np.zeros(self.MATRIX)
        self.SIG = np.array([next((np.sign(v) for v in loop.vectors if abs(v) == 1), 0) for loop in linkage.loops])

    def ACOE(self) -> Array:
        """Σ ± r cos θ and Σ ± r sin θ of each link in each loop (58), (59)."""
        AY = np.zeros((2 * len(self.linkage.loops), self.MATRIX))
        for row, loop in enumerate(self.linkage.loops):
            for vector in loop.vectors:
                link, k = self.linkage.link_of(vector), abs(vector) - 1
                if link:
                    AY[2 * row, link - 1] += np.sign(vector) * self.R[k] * np.cos(self.THETA2[k])
                    AY[2 * row + 1, link - 1] += np.sign(vector) * self.R[k] * np.sin(self.THETA2[k])
        return AY

    def _drive(self, first: float, second: float) -> Array:
        """SIG times a term of the driver in the cosine and in the sine equations."""
        return np.column_stack([self.SIG * first, self.SIG * second]).ravel()

    def velocity_terms(self) -> Array:
        """The terms of the driver in Σ a ω = 0."""
        C1, S1 = np.cos(self.THETA2[0]), np.sin(self.THETA2[0])
        if self.ram:
            return self._drive(self.DRIVER * S1, -self.DRIVER * C1)
        return self._drive(self.R[0] * self.DRIVER * C1, self.R[0] * self.DRIVER * S1)

    def acceleration_terms(self) -> Array:
        """The terms of the driver in Σ a α - Σ a' ω² = 0."""
        C1, S1 = np.cos(self.THETA2[0]), np.sin(self.THETA2[0])
        if self.ram:
            coriolis = 2.0 * self.DRIVER * self.OMEGA[0]
            return self._drive(coriolis * C1, coriolis * S1)
        return self._drive(-self.R[0] * self.DRIVER**2 * S1, self.R[0] * self.DRIVER**2 * C1)

    def ANGLE(self, turn: Array) -> None:
        for vector in self.linkage.vectors:
            link = self.linkage.link_of(vector)
            if link:
                self.THETA2[vector - 1] = turn[link - 1] + self.THETA[vector - 1]

    def KINE(self, ALPHA: Array) -> Iterator[tuple[int, list[float]]]:
        """Points of the paths; a driven crank counts as fixed there, and a ram as of constant length."""
        for number, path in enumerate(self.linkage.paths, 1):
            at = np.zeros(3, complex)
            for vector in path.vectors:
                link, k = self.linkage.link_of(vector), abs(vector) - 1
                omega, alpha = (self.OMEGA[link - 1], ALPHA[link - 1]) if link else (0.0, 0.0)
                rates = np.array([1, 1j * omega, 1j * alpha - omega**2])
                at = at + np.sign(vector) * self.R[k] * np.exp(1j * self.THETA[k]) * rates
                if path.every or vector == path.vectors[-1]:
                    yield vector, _pairs(at)
            if path.coupler is not None:
                turn = self.THETA[k] + path.coupler.angle / DEGREES
                yield number, _pairs(at + path.coupler.length * np.exp(1j * turn) * rates)


def _pairs(at: Array) -> list[float]:
    return [float(x) for value in at for x in (value.real, value.imag)]


def run_1964(linkage: VectorLinkage, count: int, step: float) -> Scheme:
    """MAIN, from reading the cards to the last card punched."""
    assert linkage.positions is not None
    p = _Programs(linkage)
    steps: list[Step] = []
    back, passes, last = linkage.positions.back, linkage.positions.passes, count
    while True:
        approximations: list[list[float]] = []
        while True:
            approximations.append(list(p.THETA2 * DEGREES_PUNCHED))
            AY = p.ACOE()
            try:
                p.X = np.asarray(np.linalg.solve(AY, -p.velocity_terms()), float)
            except np.linalg.LinAlgError:
                return Scheme(steps, len(steps) + 1)
            if steps:
                p.ANGLE((p.OMEGA + p.X) * step / 2.0)
            if not steps or len(approximations) >= passes:
                break
        p.OMEGA = p.X
        steps.append(_position(p, len(steps) + 1, approximations))
        if len(steps) == last:
            if not back:
                return Scheme(steps)
            p.DRIVER, last, back = -p.DRIVER, 2 * last, False
            p.THETA2 = p.THETA.copy()
            continue
        if p.ram:
            p.R[0] += p.DRIVER * step
        else:
            p.THETA[0] += p.DRIVER * step
            p.THETA2[0] = p.THETA[0]
        p.ANGLE(p.OMEGA * step + p.X * step * step / 2.0)


def _position(p: _Programs, number: int, approximations: list[list[float]]) -> Step:
    """Residues, accelerations and points of one position; leaves the accelerations in X."""
    AY, along = p.ACOE(), p.velocity_terms()
    velocity = _per_cent(np.column_stack([AY * p.OMEGA, along]))
    across = AY.reshape(-1, 2, p.MATRIX)[:, ::-1].reshape(AY.shape)  # sine beside cosine
    square = np.where(np.arange(len(AY)) % 2, 1.0, -1.0)[:, None] * across * p.OMEGA**2
    drive = p.acceleration_terms()
    p.X = np.linalg.solve(AY, -square.sum(axis=1) - drive)
    acceleration = _per_cent(np.column_stack([AY * p.X, square, drive]))
    p.THETA = p.THETA2.copy()
    return Step(
        number=number,
        length=float(p.R[0]),
        theta=list(p.THETA2 * DEGREES),
        omega=list(p.OMEGA * DEGREES),
        alpha=list(p.X * DEGREES),
        points=list(p.KINE(p.X)),
        approximations=approximations,
        residues=[velocity, acceleration],
    )


def _per_cent(terms: Array) -> list[float]:
    """BUFFER(I) / TOTPTH(I) · 100."""
    path = np.abs(terms).sum(axis=1)
    return list(100.0 * terms.sum(axis=1) / np.where(path > 0, path, 1.0))
