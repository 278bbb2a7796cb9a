"""Whether the force plates agree with the motion: unit, sense and size of their forces, foot by foot, and their clock.

By momentum the motion needs the force N = F + R on both feet, F measured and R the root residual. Along every axis the
factors k of least squares of N = Σ k_f F_f over the feet f are 1 where motion, masses and forces agree. The clock is
off by the τ for which the upward forces F(t + τ) are closest to N(t). Centres of pressure that are moved by d forwards
leave the moment −d F_y.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from mubo.applications.gait.ground import Residual
from mubo.arrays import Array
from mubo.model import ModelDefinition

AGREES = 0.1  # motion and forces of one walk differ by less
FORCE_UNITS = ("kgf", "lbf")  # read as newtons they are too small by a few times; larger errors are refused at reading
REVERSED = -0.5  # the factor of a reversed force is −1; small forces are less exact
ASIDE = 0.03  # m: a trunk that does not bend makes a third of it
LATE = 0.02  # s: clocks that differ by less
SEARCH = 0.5  # s: clocks that differ by more are not found
BETTER = 0.6  # of the misfit, that remains at the most at the right time
ALIKE = 2.0  # times the least misfit: of a step earlier or later
STEP = 0.2  # s: less than half a step


def disagreements(residual: Residual, t: Array, model: ModelDefinition) -> Iterator[str]:
    """Yield why the motion needs other forces than those measured: their clock, unit, sense or plate, or the mass."""
    second = model.units.in_own("1 s", "time")
    late = time_offset(residual, t, second)
    if late:
        yield (
            f"the forces of the plates fit the motion {abs(late) / second:.2g} s {'earlier' if late > 0 else 'later'} "
            "than they are: the clocks of plates and markers differ. Shift the times of one of the files"
        )
        return
    wrong = [*_upward(residual, model), *_senses(residual)]
    yield from wrong or _pressures(residual, model.units.in_own("1 m", "length"))


def _upward(residual: Residual, model: ModelDefinition) -> Iterator[str]:
    """Yield the foot whose upward force is another one than the motion needs, or that all are."""
    lone = {foot: one[1] for foot, one in foot_factors(residual).items() if not abs(one[1] - 1) <= AGREES}
    _, up = residual.needed
    if len(lone) == 1:
        foot, factor = next(iter(lone.items()))
        yield (
            f"the motion needs {factor:.3g} times the upward force on {foot}, and the measured one on the other foot: "
            "look at the calibration and the zero of its plate"
        )
    elif not abs(up - 1) <= AGREES:
        yield _of_all(up, model)


def _senses(residual: Residual) -> Iterator[str]:
    """Yield the level forces whose sense is reversed."""
    factors = foot_factors(residual)
    for axis, word in ((0, "forward"), (2, "sideways"))[: residual.force.shape[1] - 1]:
        wrong = [foot for foot, one in factors.items() if one[axis] < REVERSED]
        if wrong:
            yield (
                f"the motion needs {factors[wrong[0]][axis]:.3g} times the {word} force on {' and '.join(wrong)}: its "
                'sense is reversed. Write a minus sign before its column, force = ["-Fx", "Fy"], or give the axes of '
                "the plate"
            )


def _pressures(residual: Residual, metre: float) -> Iterator[str]:
    """Yield by how much centres of pressure are beside those that the moments show."""
    for aside, (ahead, behind) in zip(
        pressure_offsets(residual), (("forwards", "backwards"), ("right", "left")), strict=False
    ):
        if abs(aside) > ASIDE * metre:
            yield (
                f"the moments fit the motion best with all centres of pressure {1e3 * abs(aside) / metre:.0f} mm "
                f"farther {ahead if aside > 0 else behind}: look at the origins of plates and markers"
            )


def _of_all(up: float, model: ModelDefinition) -> str:
    """Why the motion needs a multiple of all upward forces."""
    assert model.subject is not None
    newton = model.units.in_own("1 N", "force")
    sizes = {unit: model.units.in_own(f"1 {unit}", "force") / newton for unit in FORCE_UNITS}
    unit = next((unit for unit, size in sizes.items() if abs(up / size - 1) <= AGREES), "")
    mass = model.subject["mass"] * model.units.size("mass")
    cause = f"{mass / up:.3g} kg would agree with it" if up > 0 else "its sense is reversed"
    if unit:
        cause = f'its unit looks like {unit}: write units = {{ force = "{unit}" }} in the plates'
    return (
        f"the motion of {mass:.3g} kg needs {up:.3g} times the upward force of the plates; {cause}. "
        "Check the mass of [subject], and whether every step has its plate"
    )


def foot_factors(residual: Residual) -> Mapping[str, tuple[float, ...]]:
    """How many times the force measured on each foot the motion needs, along each axis; 1 where it cannot be seen."""
    names = list(residual.feet)
    feet = np.stack([residual.feet[name][residual.counts] for name in names])
    needed = residual.force[residual.counts] + feet.sum(axis=0)
    out = np.ones((len(names), needed.shape[1]))
    for axis in range(needed.shape[1]):
        columns = feet[:, :, axis].T
        known = np.any(columns != 0, axis=0)
        out[known, axis] = np.linalg.lstsq(columns[:, known], needed[:, axis], rcond=None)[0]
    return {name: tuple(float(x) for x in out[k]) for k, name in enumerate(names)}


def pressure_offsets(residual: Residual) -> list[float]:
    """The offsets, forwards and to the right, by which all centres of pressure would leave the least moments.

    d_x = Σ M_z F_y/ΣF_y² and d_z = −Σ M_x F_y/ΣF_y².
    """
    up = residual.ground[residual.counts, 1]
    moments = residual.moment[residual.counts]
    across = [moments[:, -1], *([-moments[:, 0]] if moments.shape[1] == 3 else [])]
    return [float(moment @ up / (up @ up)) if np.any(up) else 0.0 for moment in across]


def time_offset(residual: Residual, t: Array, second: float) -> float:
    """The delay of the upward forces recorded after those that the motion needs; 0 where the clocks agree."""
    measured = residual.ground[:, 1]
    needed = (residual.force[:, 1] + measured)[residual.counts]
    inside = t[residual.counts]
    off: dict[float, float] = {}
    for shift in np.arange(-SEARCH, SEARCH + 1e-9, LATE / 4) * second:
        both = (inside + shift >= t[0]) & (inside + shift <= t[-1])
        if 2 * both.sum() > len(inside) and np.ptp(needed[both]) > 0:
            off[float(shift)] = float(np.mean((np.interp(inside[both] + shift, t, measured) - needed[both]) ** 2))
    if not off:
        return 0.0
    now = float(np.mean((np.interp(inside, t, measured) - needed) ** 2))
    alike = [shift for shift, one in off.items() if one <= ALIKE * min(off.values())]
    nearest = min(alike, key=abs)  # steps are alike, so that a shift fits a step later almost as well
    lowest = [shift for shift in off if abs(shift - nearest) < STEP * second and shift * nearest >= 0]
    best = min(lowest, key=off.__getitem__)
    return best if abs(best) > LATE * second and off[best] < BETTER * now else 0.0
