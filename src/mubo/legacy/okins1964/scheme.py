"""The predictor-corrector of O'Kins' programs (1964) with the constants and the eight digits of its computer.

    predictor   θ = θ₀ + ω₀ Δt + α₀ Δt²/2        (17)
    corrector   θ = θ₀ + (ω + ω₀) Δt/2           (19), NUMCYC times, with ω from the velocity loops at the last θ

Then α from the acceleration loops. Nothing asks whether the position loops are closed: (19) is the trapezoidal rule,
its error stays, and since the rule is symmetric in time a reversed run cannot show it. Names in capitals are
those of the programs MAIN, ACOE, BCOE, ANGLE and KINE; 57.2958 and 57.2985 are their degrees per radian.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, localcontext

from mubo.lazy_dataclass import dataclass
from mubo.legacy.okins1964.gauss import (
    HUNDRED,
    IBM_1410,
    TWO,
    ZERO,
    Matrix,
    Reduction,
    Vector,
    cosine,
    reduce_by_gauss,
    sine,
    stored,
)
from mubo.legacy.okins1964.linkage import VectorLinkage
from mubo.legacy.okins1964.listing import Step

DEGREES, DEGREES_PUNCHED = Decimal("57.2958"), Decimal("57.2985")  # the second, in MAIN's statement 33, is a slip


@dataclass(frozen=True)
class Singular:
    """The position whose velocity loops are singular, ACOE's array there, and what GAUSS leaves of it."""

    step: int
    AY: Matrix
    reduction: Reduction


@dataclass(frozen=True)
class Scheme:
    """The steps, and the position at which the velocity loops were singular."""

    steps: list[Step]
    singular: Singular | None = None


class Programs:
    """MAIN with its subroutines; angles in radians. To be used within the context IBM_1410."""

    def __init__(self, linkage: VectorLinkage) -> None:
        assert linkage.drive is not None
        self.linkage, self.ram = linkage, linkage.drive.kind == "ram"
        self.R = [stored(r) for r in linkage.lengths]
        self.THETA = [stored(angle) / DEGREES for angle in linkage.angles]
        self.THETA2 = list(self.THETA)
        self.DRIVER = stored(linkage.drive.rate) / (1 if self.ram else DEGREES)
        self.MATRIX = len(linkage.links)
        self.OMEGA: Vector = [ZERO] * self.MATRIX
        self.X: Vector = [ZERO] * self.MATRIX
        self.SIG = [next((_sign(v) for v in loop.vectors if abs(v) == 1), 0) for loop in linkage.loops]

    def ACOE(self) -> Matrix:
        """Σ ± r cos θ and Σ ± r sin θ of each link in each loop (58), (59)."""
        AY = [[ZERO] * self.MATRIX for _ in range(2 * len(self.linkage.loops))]
        for row, loop in enumerate(self.linkage.loops):
            for vector in loop.vectors:
                link, k = self.linkage.link_of(vector), abs(vector) - 1
                if link:
                    PROD = _sign(vector) * self.R[k]
                    AY[2 * row][link - 1] += PROD * cosine(self.THETA2[k])
                    AY[2 * row + 1][link - 1] += PROD * sine(self.THETA2[k])
        return AY

    def _drive(self, first: Decimal, second: Decimal) -> Vector:
        """SIG times a term of the driver in the cosine and in the sine equations."""
        return [sign * term for sign in self.SIG for term in (first, second)]

    def velocity_terms(self) -> Vector:
        """The terms of the driver in Σ a ω = 0."""
        C1, S1 = cosine(self.THETA2[0]), sine(self.THETA2[0])
        if self.ram:
            return self._drive(self.DRIVER * S1, -self.DRIVER * C1)
        return self._drive(self.R[0] * self.DRIVER * C1, self.R[0] * self.DRIVER * S1)

    def acceleration_terms(self) -> Vector:
        """The terms of the driver in Σ a α - Σ a' ω² = 0."""
        C1, S1 = cosine(self.THETA2[0]), sine(self.THETA2[0])
        if self.ram:
            PROD3 = TWO * self.DRIVER * self.OMEGA[0]
            return self._drive(PROD3 * C1, PROD3 * S1)
        PROD4 = self.R[0] * self.DRIVER * self.DRIVER
        return self._drive(-PROD4 * S1, PROD4 * C1)

    def BCOE(self, mode: int, AY: Matrix) -> Vector:
        """Right sides of the velocity loops (mode 1) or of the acceleration loops (mode 2)."""
        if mode == 1:
            return [-term for term in self.velocity_terms()]
        return [-sum(row, ZERO) - term for row, term in zip(self.squares(AY), self.acceleration_terms(), strict=True)]

    def squares(self, AY: Matrix) -> Matrix:
        """The products ∓ a' ω² of each equation, a' of the other equation of its loop."""
        return [
            [(a if row % 2 else -a) * w * w for a, w in zip(AY[row ^ 1], self.OMEGA, strict=True)]
            for row in range(len(AY))
        ]

    def ANGLE(self, turn: Vector) -> None:
        for vector in self.linkage.vectors:
            link = self.linkage.link_of(vector)
            if link:
                self.THETA2[vector - 1] = turn[link - 1] + self.THETA[vector - 1]

    def KINE(self) -> Iterator[tuple[int, list[float]]]:
        """Points of the paths; a driven crank counts as fixed there, and a ram as of constant length."""
        for number, path in enumerate(self.linkage.paths, 1):
            at = [ZERO] * 6
            for vector in path.vectors:
                link, k = self.linkage.link_of(vector), abs(vector) - 1
                rates = (self.OMEGA[link - 1], self.X[link - 1]) if link else (ZERO, ZERO)
                at = _added(at, _sign(vector) * self.R[k], self.THETA[k], *rates)
                if path.every or vector == path.vectors[-1]:
                    yield vector, [float(x) for x in at]
            if path.coupler is not None:
                angle = self.THETA[k] + stored(path.coupler.angle) / DEGREES
                yield number, [float(x) for x in _added(at, stored(path.coupler.length), angle, *rates)]


def _sign(vector: int) -> int:
    return 1 if vector > 0 else -1


def _added(at: Vector, length: Decimal, angle: Decimal, omega: Decimal, alpha: Decimal) -> Vector:
    """A point with its rates, one vector further: equations (3), (4) and (20) to (23)."""
    x, y = length * cosine(angle), length * sine(angle)
    vx, vy = -y * omega, x * omega
    return [
        old + new for old, new in zip(at, (x, y, vx, vy, -vy * omega - y * alpha, vx * omega + x * alpha), strict=True)
    ]


def run_1964(linkage: VectorLinkage, count: int, step: float) -> Scheme:
    """MAIN, from reading the cards to the last card punched."""
    with localcontext(IBM_1410):
        return _main(linkage, count, stored(step))


def _main(linkage: VectorLinkage, count: int, DELTEE: Decimal) -> Scheme:
    assert linkage.positions is not None
    p = Programs(linkage)
    steps: list[Step] = []
    back, last = linkage.positions.back, count
    while True:
        approximations, singular = _angles(p, len(steps), linkage.positions.passes, DELTEE)
        if singular is not None:
            return Scheme(steps, singular)
        steps.append(_position(p, len(steps) + 1, approximations))
        if len(steps) == last:
            if not back:
                return Scheme(steps)
            p.DRIVER, last, back = -p.DRIVER, 2 * last, False
            p.THETA2 = list(p.THETA)
            continue
        if p.ram:
            p.R[0] += p.DRIVER * DELTEE
        else:
            p.THETA[0] += p.DRIVER * DELTEE
            p.THETA2[0] = p.THETA[0]
        p.ANGLE([w * DELTEE + a * DELTEE * DELTEE / TWO for w, a in zip(p.OMEGA, p.X, strict=True)])


def _angles(p: Programs, done: int, passes: int, DELTEE: Decimal) -> tuple[list[list[float]], Singular | None]:
    """The angles of each pass of a position, and where its velocity loops are singular. Leaves the rates in OMEGA."""
    approximations: list[list[float]] = []
    while True:
        approximations.append([float(angle * DEGREES_PUNCHED) for angle in p.THETA2])
        AY = p.ACOE()
        reduction = reduce_by_gauss(AY, p.BCOE(1, AY))
        if reduction.X is None:
            return approximations, Singular(done + 1, AY, reduction)
        if done:
            p.ANGLE([(w + x) * DELTEE / TWO for w, x in zip(p.OMEGA, reduction.X, strict=True)])
        if not done or len(approximations) >= passes:
            p.OMEGA = reduction.X
            return approximations, None


def _position(p: Programs, number: int, approximations: list[list[float]]) -> Step:
    """Residues, accelerations and points of one position; leaves the accelerations in X."""
    AY = p.ACOE()
    products = [[a * w for a, w in zip(row, p.OMEGA, strict=True)] for row in AY]
    velocity = [_per_cent([*row, term]) for row, term in zip(products, p.velocity_terms(), strict=True)]
    found = reduce_by_gauss(AY, p.BCOE(2, AY)).X
    p.X = [ZERO] * p.MATRIX if found is None else found  # of singular loops the next pass reports it
    paths = zip(AY, p.squares(AY), p.acceleration_terms(), strict=True)
    acceleration = [
        _per_cent([*(part for a, x, w in zip(row, p.X, squares, strict=True) for part in (a * x, w)), term])
        for row, squares, term in paths
    ]
    p.THETA = list(p.THETA2)
    return Step(
        number=number,
        length=float(p.R[0]),
        theta=_degrees(p.THETA2),
        omega=_degrees(p.OMEGA),
        alpha=_degrees(p.X),
        points=list(p.KINE()),
        approximations=approximations,
        residues=[velocity, acceleration],
    )


def _degrees(values: Vector) -> list[float]:
    return [float(value * DEGREES) for value in values]


def _per_cent(terms: Vector) -> float:
    """BUFFER(I) / TOTPTH(I) · 100."""
    path = sum(map(abs, terms), ZERO)
    return float(sum(terms, ZERO) / path * HUNDRED) if path else 0.0
