"""The cards that MAIN and KINE punch (O'Kins 1964, Table III), digit for digit as their formats ask.

For every step: approximations of the angles, residues, points of the paths, number of the step with r and θ of the
driver, angles, angular velocities and angular accelerations in degrees. An exact result has one approximation: its
angles.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import field
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal

from mubo.lazy_dataclass import dataclass
from mubo.legacy.okins1964.linkage import vector_name
from mubo.legacy.okins1964.read import deck_of
from mubo.legacy.okins1964.vectors import residues, vectors_of
from mubo.model import ModelDefinition
from mubo.results import Columns

Fixed = Callable[[float], str]


@dataclass(frozen=True)
class Step:
    """The numbers punched for one position: angles in degrees, rates by link, points with their number on the card."""

    number: int
    length: float  # of the driver
    theta: Sequence[float]
    omega: Sequence[float]
    alpha: Sequence[float]
    points: Sequence[tuple[int, Sequence[float]]] = ()
    approximations: Sequence[Sequence[float]] = ()
    residues: Sequence[Sequence[float]] = field(default_factory=list)  # velocity, acceleration; per cent


def punch(steps: Sequence[Step], fixed: Fixed | None = None) -> str:
    """The cards of all steps. Digits behind the second are dropped, not rounded, unless `fixed` does otherwise."""
    fixed = fixed or truncated
    lines: list[str] = []
    for step in steps:
        for angles in step.approximations:
            lines += _cards(angles, fixed)
        for values in step.residues:
            lines += _cards(values, exponent)
        for item, values in step.points:
            lines.append(f"{step.number:4d}{item:4d}" + "".join(map(fixed, values)))
        lines.append(f"   {step.number:3d}  {fixed(step.length)}{fixed(step.theta[0])}")
        for values in (step.theta, step.omega, step.alpha):
            lines += _cards(values, fixed)
    return "\n".join(lines) + "\n"


def _cards(values: Sequence[float], form: Fixed) -> list[str]:
    texts = [form(value) for value in values]
    return ["".join(texts[k : k + 10]) for k in range(0, len(texts), 10)]


def truncated(value: float) -> str:
    """F8.2 of the IBM 1410: 98.0999 is "   98.09", -0.001 is "    -.00"."""
    return _fixed(value, ROUND_DOWN)


def rounded(value: float) -> str:
    """F8.2 to the nearest hundredth."""
    return _fixed(value, ROUND_HALF_EVEN)


def _fixed(value: float, rounding: str) -> str:
    value = (
        0.0 if rounding == ROUND_HALF_EVEN and abs(value) < 0.005 else value
    )  # rounding alone gives such a zero a sign
    digits = str(abs(Decimal(repr(float(value)))).quantize(Decimal("0.01"), rounding))
    text = ("-" if value < 0 else "") + digits.removeprefix("0")
    return f"{text:>8}" if len(text) <= 8 else 8 * "*"


def exponent(value: float, places: int = 2) -> str:
    """E8.2 of the IBM 1410: "-.80E-05"; zero is ".00E-99". With four places E10.4."""
    if value == 0:
        return f" .{'0' * places}E-99"
    number = abs(Decimal(repr(float(value))))
    power = number.adjusted() + 1
    digits = int(number.scaleb(places - power))
    sign, minus = "-" if value < 0 else "", "-" if power < 0 else " "
    return f"{sign}.{digits:0{places}d}E{minus}{abs(power):02d}".rjust(places + 6)


def listing_key(model: ModelDefinition, scheme: str) -> str:
    """The key of the cards of a position, as Table III, part 1 has it, in lines of comment."""
    linkage = deck_of(model).linkage
    vectors, links = len(linkage.lengths), len(linkage.links)
    passes = linkage.positions.passes if scheme == "1964" and linkage.positions is not None else 1
    points = sum((len(path.vectors) if path.every else 1) + (path.coupler is not None) for path in linkage.paths)
    angles, rates = math.ceil(vectors / 10), math.ceil(links / 10)
    again = f", {passes} times from position 2 on" if passes > 1 else ""
    entries = [
        (angles, f"THEAPP(1) to ({vectors}): approximations of the directions, degrees{again}"),
        (rates, f"BUFF1(1) to ({links}): residues of velocity, per cent of the path"),
        (rates, f"BUFF1(1) to ({links}): residues of acceleration, per cent of the path"),
        (points, "NMSTEP, IPOINT, X, Y, XDOT, YDOT, XDBLDT, YDBLDT"),
        (1, "NMSTEP, R(1), THETA2(1)"),
        (angles, f"THETA2(1) to ({vectors}): directions, degrees"),
        (rates, f"OMEGA(1) to ({links}): angular velocities of the links, degrees/s"),
        (rates, f"ALPHA(1) to ({links}): angular accelerations of the links, degrees/s^2"),
    ]
    lines = [f"# {count:4d}   {text}" for count, text in entries if count]
    return "\n".join(["# cards  of each position", *lines]) + "\n"


def listing_of(model: ModelDefinition, columns: Columns) -> str:
    """The cards of an exact result, rounded."""
    linkage = deck_of(model).linkage
    velocity, acceleration = residues(linkage, vectors_of(linkage, columns))
    theta = [[float(columns[f"{vector_name(n)}.theta"][k]) for n in linkage.vectors] for k in range(len(velocity))]
    links = [vector_name(min(link)) for link in linkage.links]
    items: list[tuple[int, str]] = []
    for number, path in enumerate(linkage.paths, 1):
        names = [name for name in columns if name.startswith(f"path{number}_") and name.endswith(".x")]
        items += [(v, name[:-2]) for v, name in zip(path.vectors, names, strict=False)]
        if not path.every:
            items.append((path.vectors[-1], f"path{number}"))
        if path.coupler is not None:
            items.append((number, f"coupler{number}"))
    words = ("x", "y", "vx", "vy", "ax", "ay")
    steps = [
        Step(
            number=k + 1,
            length=float(columns["z1.r"][k]),
            theta=theta[k],
            omega=[float(columns[f"{name}.omega"][k]) for name in links],
            alpha=[float(columns[f"{name}.alpha"][k]) for name in links],
            points=[(item, [float(columns[f"{name}.{w}"][k]) for w in words]) for item, name in items],
            approximations=[theta[k]],
            residues=[velocity[k].tolist(), acceleration[k].tolist()],
        )
        for k in range(len(columns["t"]))
    ]
    return punch(steps, rounded)
