"""A variant followed from the nominal design: its parameters change little by little, its position along with them, so
that it is assembled on the branch of the nominal one, or is reported not to be."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mubo.arrays import Array
from mubo.errors import MuboError
from mubo.lazy_dataclass import dataclass, replace
from mubo.mappings import cached_property
from mubo.mechanism import Absolute, absolute, mechanism_of
from mubo.mechanism.mechanism import share_equations
from mubo.model import ModelDefinition
from mubo.solvers.assembly.assemble import assemble
from mubo.solvers.assembly.start_analysis import TOLERANCE, StartAnalysis, analyse_start

SHORTEST = 1 / 256  # of the path to a variant: if it cannot be followed in such steps, it ends there
NEAR = 0.25  # sizes and radians: a position so near is reached in one step
SAME = 1e-6  # of sizes and radians: positions reached in one step and in two


class NotFollowed(MuboError):
    """A variant that cannot be followed from the nominal design."""

    exit_code = 3


@dataclass(frozen=True)
class Nominal:
    """The nominal design, assembled at the time when runs begin."""

    model: ModelDefinition
    start: float

    @cached_property
    def look(self) -> StartAnalysis | None:
        """Its first position; None where a variant needs no leading: nothing is driven, or it starts as it is drawn."""
        if any(driver.start for driver in self.model.drivers.values()):
            return None
        look = analyse_start(self.model, self.start)
        return look if look.determined else None

    def variant(self, values: Mapping[str, float]) -> ModelDefinition:
        """The model with these parameters, its estimates where it was followed to."""
        wanted = self.model.replace(**values)
        if self.look is None or not values:
            return wanted
        here = {name: float(self.model.parameters[name].value) for name in values}
        q, form = self.look.assembly.q, self.look.form
        reached, step, last = 0.0, 1.0, form
        while reached < 1.0:
            step = min(step, 1.0 - reached)
            half, whole = (
                {name: here[name] + (reached + part * step) * (values[name] - here[name]) for name in values}
                for part in (0.5, 1.0)
            )
            target = wanted if reached + step == 1.0 else self._replaced(whole)
            once = self._closed(last, q, target)
            if step == 1.0 and once is not None and np.max(np.abs((once[1] - q) * form.weight)) > NEAR:
                step = 0.5  # the whole path at once is for designs near by
                continue
            middle = self._closed(last, q, self._replaced(half)) if once is not None else None
            twice = middle and self._closed(*middle, target)
            if once is not None and twice and np.max(np.abs((once[1] - twice[1]) * form.weight)) < SAME:
                reached, (last, q), step = reached + step, twice, 2 * step
                continue
            step /= 2
            if step < SHORTEST:
                at = {name: here[name] + reached * (values[name] - here[name]) for name in values}
                raise NotFollowed(end_words(at, once is None))
        placed = _placed(wanted, last, q)
        share_equations(last.mechanism, placed)
        return placed

    def _replaced(self, values: Mapping[str, float]) -> ModelDefinition | None:
        """The model with other parameters; None where it has no meaning with them."""
        try:
            return self.model.replace(**values)
        except MuboError:
            return None

    def _closed(self, form: Absolute, q: Array, model: ModelDefinition | None) -> tuple[Absolute, Array] | None:
        """The mechanism of a variant, closed from a position near by; None where it does not close."""
        if model is None:
            return None
        try:
            near = self._near(form, q, model)
        except MuboError:
            return None
        same = model.dimension == 2 and model.drivers is self.model.drivers  # in space a screw has an advance
        motion = self._motion if same else near.motion(np.array([self.start]))[0]
        found = assemble(near, motion, TOLERANCE * near.scale, 20)
        return (near, found.q) if found.gap <= TOLERANCE * near.scale else None

    @cached_property
    def _motion(self) -> Array:
        """The drivers of the nominal design at the start."""
        assert self.look is not None
        return np.asarray(self.look.form.motion(np.array([self.start]))[0])

    def _near(self, form: Absolute, q: Array, model: ModelDefinition) -> Absolute:
        """The equations of a variant with a position near by as their estimate."""
        kept: Absolute | None = model.derived_values.get("followed form")
        if kept is None:
            kept = absolute(mechanism_of(_placed(model, form, q)))
            if not kept.mechanism.has_numbers_of_estimates:  # they serve from any position
                model.derived_values["followed form"] = kept
        return replace(kept, estimate=q)


def end_words(at: Mapping[str, float], open_: bool) -> str:
    """A phrase for where the path to a variant ends: it stays `open_`, or closes only on another branch."""
    place = ", ".join(f"{name} = {value:.6g}" for name, value in at.items())
    return f"cannot be assembled beyond {place}" if open_ else f"other circuit: its branch ends at {place}"


def _placed(model: ModelDefinition, form: Absolute, q: Array) -> ModelDefinition:
    """The model with the positions of `form` as its estimates."""
    width = len(q) // len(form.free)
    bodies = dict(model.bodies)
    for name, pose in zip(form.free, map(tuple, q.reshape(-1, width).tolist()), strict=True):
        if width == 3:
            bodies[name] = replace(bodies[name], position=pose[:2], angle=pose[2])
        else:
            bodies[name] = replace(bodies[name], position=pose[:3], orientation=pose[3:])
    placed = model.variant(bodies=bodies)
    placed.__dict__["dependent_parts"] = model.dependent_parts
    return placed
