"""Deflection of points by the bending and stretching of links, to first order, with the drivers locked.

The theorem of Castigliano and Mohr's integral: a point moves in a direction by

    δ = Σ ∫ (N n / (E A) + M m / (E I)) ds

over all links that are beams, with N, M the section forces of the machine in motion and n, m those of a unit force at
the point in that direction. Both follow from inverse dynamics with a force of +F and of −F at the point: half their
sum is the one, half their difference over F the other. Links without a section, pins and drivers are rigid, shear does
not deform; δ is small against the mechanism, and inertia by the vibration of links is left out. (Timoshenko, Strength
of Materials, part I, energy of strain.)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from mubo.analyses.inverse import force_problem
from mubo.applications.strength.beams import InternalForces, pieces_of
from mubo.applications.strength.checks import StrengthCheck
from mubo.applications.strength.force_history import ForceHistory, ForceSample
from mubo.applications.strength.links import Link
from mubo.applications.strength.pins import KIND
from mubo.arrays import Array
from mubo.elements import POINT_FORCE
from mubo.errors import ModelError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.model.column_names import Column
from mubo.model.coordinates import point_of
from mubo.model.options import read_options
from mubo.model.parts import Force

PROBE = "unit_force_of_deflection"  # a name that no load has
LETTERS = "xy"
NODES, WEIGHTS = np.polynomial.legendre.leggauss(3)  # exact for a cubic times a linear function


@dataclass(frozen=True)
class Deflection:
    """A point of interest, with the machine that has a force of either sign at it, in each direction."""

    point: str
    links: tuple[Link, ...]
    probes: tuple[tuple[ForceHistory, ForceHistory], ...]
    force: float

    @property
    def owner(self) -> str:
        return self.point

    def columns(self, sample: ForceSample) -> Iterator[tuple[Column, Array]]:
        """The deflection in x and y, and its size."""
        parts = [self._along(sample.t, *pair) for pair in self.probes]
        for letter, part in zip(LETTERS, parts, strict=True):
            yield self._column(f"deflection_{letter}"), part
        yield self._column("deflection"), np.hypot(*parts)

    def _column(self, word: str) -> Column:
        return Column(f"{self.point}.{word}", KIND, self.point, word, 0, "length")

    def _along(self, t: Array, plus: ForceHistory, minus: ForceHistory) -> Array:
        pushed, pulled = plus.at(t), minus.at(t)
        return np.asarray(
            sum(_energy(link, pieces_of(link.beam, pushed), pieces_of(link.beam, pulled)) for link in self.links)
            / self.force
        )


def _energy(link: Link, pushed: InternalForces, pulled: InternalForces) -> Array:
    """∫ (N₊² − N₋²)/(4 E A) + (M₊² − M₋²)/(4 E I) ds: the products of half sums and half differences."""
    modulus, section = link.material["E"], link.beam.section
    fine = pushed if pushed.start.shape[1] >= pulled.start.shape[1] else pulled  # one may lack a torque that is zero
    assert section.second_moment is not None  # deflections_of has made sure of it
    total = np.zeros(len(fine.t))
    for node, weight in zip(NODES, WEIGHTS, strict=True):
        s = fine.start + fine.length * (1 + node) / 2
        (n, _, m), (n2, _, m2) = pushed.at(s), pulled.at(s)
        part = (n - n2) * (n + n2) / section.area + (m - m2) * (m + m2) / section.second_moment
        total = total + np.sum(part * fine.length / 2, axis=1) * weight / (4 * modulus)
    return total


def deflections_of(history: ForceHistory, points: Sequence[str], links: Sequence[Link]) -> list[Deflection]:
    """The deflections of points; refuses links whose stiffness is not known."""
    model = history.model
    for name in points:
        if name not in model.points:
            raise ModelError(f'there is no point of interest "{name}". {nearest(name, model.points)}', names=[name])
    soft = [link.owner for link in links if link.material["E"] is None or link.beam.section.second_moment is None]
    if points and (soft or not links):
        who = f"section {soft[0]}: its" if soft else "no link has a section:"
        raise ModelError(
            f"{who} stiffness is not known", suggestion="Give its material E, and without a shape its second_moment."
        )
    return [_deflection(history, name, tuple(links)) for name in points]


def _deflection(history: ForceHistory, point: str, links: tuple[Link, ...]) -> Deflection:
    sample = history.at(history.run.columns.raw("t"))
    force = float(np.nanmax(np.abs(sample.forces.wrenches[..., :2]), initial=0.0)) or 1.0
    body, at = point_of(history.model, point)
    probes = []
    for k in range(2):
        direction = tuple(float(j == k) for j in range(2))
        probes.append(tuple(_with_force(history, body, at, direction, sign * force) for sign in (1.0, -1.0)))
    return Deflection(point, links, tuple(probes), force)  # type: ignore[arg-type]


def _with_force(
    history: ForceHistory, body: str, at: Sequence[float], direction: tuple[float, ...], force: float
) -> ForceHistory:
    """Add a force at a point of a body to the same motion; a point of that place is made."""
    model = history.model
    owner = model.bodies[body]
    near = next((name for name, place in owner.points.items() if math.dist(place, at) == 0), PROBE)
    bodies = {**model.bodies, body: replace(owner, points={**owner.points, near: tuple(at)})}
    on = (f"{body}.{near}",)
    given = {"direction": direction, "force": force / model.units.factor("force")}
    probe = Force(PROBE, POINT_FORCE, on, read_options(model.units, POINT_FORCE, on, given, 2, "force"))
    probed: ModelDefinition = model.changed(bodies=bodies, forces={**model.forces, PROBE: probe})
    grid = history.run.columns.raw("t")
    problem = force_problem(probed, grid, history.problem.settings, None)
    return replace(history, problem=problem)


def deflection_checks(found: Deflection, most: tuple[float, float]) -> Iterator[StrengthCheck]:
    """The largest deflection of a point."""
    how = "∫ (N n/(E A) + M m/(E I)) ds, links with sections bend and stretch, drivers locked"
    yield StrengthCheck("point", found.point, "deflection", most[0], "length", t=most[1], how=how)
