"""Rams as columns: the rod of a driver between two points, compressed by its effort, at the length that it has then.

The force is that of the driver on the body of the second point, along the line of both points; it compresses where it
pushes them apart. The critical load changes with the length, so that what is searched is their ratio.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.applications.strength.buckling import CompressedMember
from mubo.applications.strength.checks import StrengthCheck
from mubo.applications.strength.force_history import ForceSample
from mubo.applications.strength.pins import KIND
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition, target_of
from mubo.model.column_names import Column
from mubo.model.details import material_of
from mubo.model.parts import Detail

Peaks = dict[str, tuple[float, float]]  # by word: value and time


@dataclass(frozen=True)
class Ram:
    """The rod of a driver, and the two points between which it stands: bodies with places on them."""

    detail: Detail
    ends: tuple[tuple[str, tuple[float, ...]], tuple[str, tuple[float, ...]]]
    member: CompressedMember

    @property
    def owner(self) -> str:
        return self.detail.name

    def compression(self, sample: ForceSample) -> tuple[Array, Array]:
        """The force that compresses it, zero where it is pulled, and its length, over the times."""
        (one, first), (two, second) = self.ends
        line = sample.place(two, second) - sample.place(one, first)
        length = np.linalg.norm(line, axis=1)
        wrench = sample.forces.wrenches[:, self._number(sample)]
        push = np.einsum("ti,ti->t", wrench[:, :2], line) / length
        return np.maximum(push, 0.0), length

    def _number(self, sample: ForceSample) -> int:
        places = sample.solver.reaction_map.places
        return next(k for k, p in enumerate(places) if p.joint == self.owner and p.body == self.ends[1][0])

    def unique(self, sample: ForceSample) -> bool:
        """Whether equilibrium alone determines its load."""
        return bool(sample.forces.unique[:, self._number(sample), :2].all())

    def columns(self, sample: ForceSample) -> Iterator[tuple[Column, Array]]:
        """The compression, and what part it is of the critical load."""
        force, length = self.compression(sample)
        yield self._column("compression", "force"), force
        yield self._column("buckling", "number"), force / self.member.critical_load(length)

    def _column(self, word: str, holds: str) -> Column:
        return Column(f"{self.owner}.{word}", KIND, self.owner, word, 0, holds)


def rams_of(model: ModelDefinition) -> list[Ram]:
    """The rams that have details."""
    out = []
    for detail in model.struts.values():
        material = material_of(model, detail)
        assert material is not None  # the check of the model has made sure of it
        target = target_of(model, model.drivers[detail.name].of)
        if target.joint:
            one, two = (model.place(end) for end in model.joints[target.joint].between)
        else:
            one, two = zip(target.bodies, target.points, strict=True)
        outer, inner = detail["diameter"], detail["inner"] or 0.0
        area, moment = np.pi * (outer**2 - inner**2) / 4, np.pi * (outer**4 - inner**4) / 64
        factor = detail["length_factor"] or 1.0
        out.append(Ram(detail, (one, two), CompressedMember(area, moment, material["E"], material["yield"], factor)))
    return out


def ram_checks(ram: Ram, peaks: Peaks, length: float | None) -> Iterator[StrengthCheck]:
    """The lines of a ram; `length` is that at its worst instant."""
    asked = ram.detail["safety"] or 1.0
    force, t = peaks["compression"]
    yield StrengthCheck("strut", ram.owner, "largest compression", force, "force", t=t)
    share, when = peaks["buckling"]
    if share > 0 and length is not None:
        critical = float(ram.member.critical_load(length))
        how = f"{ram.member.law(length)}, at the length that it has then"
        yield StrengthCheck(
            "strut", ram.owner, "buckling", share * critical, "force", critical, 1 / share, asked, when, how=how
        )
