"""The arrays of ACOE, BCOE and GAUSS (O'Kins 1964) at positions of a linkage, as their programs write them.

MAIN writes AY in 10F8.4, GAUSS the adjusted AY with BEE and COLSWP beside it in 12E10.4, where a pivot is zero. Here
they are written for every position where they are asked for, in lines of comment behind the cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal, localcontext

from mubo.legacy.okins1964.gauss import IBM_1410, Matrix, Reduction, reduce_by_gauss, stored
from mubo.legacy.okins1964.linkage import VectorLinkage, vector_name
from mubo.legacy.okins1964.listing import exponent
from mubo.legacy.okins1964.read import deck_of
from mubo.legacy.okins1964.scheme import DEGREES, Programs, Singular
from mubo.model import ModelDefinition
from mubo.results import Columns


def arrays_of(model: ModelDefinition, columns: Columns) -> str:
    """AY, BEE of velocities and of accelerations, and what GAUSS leaves of them, at every row of a run."""
    linkage = deck_of(model).linkage
    (driver,) = model.drivers
    links = [vector_name(min(link)) for link in linkage.links]
    lines: list[str] = []
    for row in range(len(columns["t"])):
        at = _linkage_at(linkage, columns, row, f"{driver}.rate")
        omega = [float(columns[f"{name}.omega"][row]) for name in links]
        lines += [f"position {row + 1}", *position_arrays(at, omega)]
    return "".join(f"# {line}\n" for line in lines)


def _linkage_at(linkage: VectorLinkage, columns: Columns, row: int, rate: str) -> VectorLinkage:
    """The linkage as it stands at a row of a run."""
    assert linkage.drive is not None
    return replace(
        linkage,
        lengths=(float(columns["z1.r"][row]), *linkage.lengths[1:]),
        angles=tuple(float(columns[f"{vector_name(n)}.theta"][row]) for n in linkage.vectors),
        drive=replace(linkage.drive, rate=float(columns[rate][row])),
    )


def position_arrays(linkage: VectorLinkage, omega: Sequence[float]) -> Iterator[str]:
    """The lines of one position; the links turn by `omega` in degrees per second."""
    with localcontext(IBM_1410):
        programs = Programs(linkage)
        programs.OMEGA = [stored(rate) / DEGREES for rate in omega]
        AY = programs.ACOE()
        yield "AY of ACOE, a row for every equation"
        yield from map(_fixed, AY)
        for mode, word in enumerate(("velocity", "acceleration"), 1):
            BEE = programs.BCOE(mode, AY)
            yield f"BEE of BCOE, {word}"
            yield _fixed(BEE)
            yield f"AY, BEE and COLSWP of GAUSS, {word}"
            yield from gauss_lines(reduce_by_gauss(AY, BEE))


def singular_lines(singular: Singular) -> Iterator[str]:
    """The lines that the programs write where the velocity loops are singular."""
    yield f" ACOEF({singular.reduction.zero:2d},{singular.reduction.zero:2d}) IS ZERO"
    yield from gauss_lines(singular.reduction)
    yield from map(_fixed, singular.AY)


def gauss_lines(reduction: Reduction) -> Iterator[str]:
    rows: Matrix = reduction.AY
    for row, right, column in zip(rows, reduction.BEE, reduction.COLSWP, strict=True):
        yield " " + "".join(exponent(float(value), 4) for value in (*row, right, Decimal(column)))


def _fixed(values: Sequence[Decimal]) -> str:
    """10F8.4, digits cut off; more columns than ten stay on the line."""
    texts = (f"{IBM_1410.quantize(value, Decimal('0.0001')) if value else Decimal(0):.4f}" for value in values)
    return "".join(f"{text:>9}" if len(text) > 8 else f"{text:>8}" for text in texts)
