"""A variant followed from the nominal design: its parameters change little by little, its position along with them, so
that it is assembled on the branch of the nominal one, or is reported not to be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from mubo.arrays import Array
from mubo.errors import MuboError
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute, absolute, mechanism_of
from mubo.model import ModelDefinition
from mubo.solvers.assembly.assemble import assemble
from mubo.solvers.assembly.start_analysis import TOLERANCE, StartAnalysis, analyse_start

SHORTEST = 1 / 256  # of the path to a variant: if it cannot be followed in such steps, it ends there
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
        reached, step, last = 0.0, 0.5, form
        while reached < 1.0:
            step = min(step, 1.0 - reached)
            targets = [
                {name: here[name] + (reached + part * step) * (values[name] - here[name]) for name in values}
                for part in (0.5, 1.0)
            ]
            once = self._closed(last, q, values if reached + step == 1.0 else targets[1])
            middle = self._closed(last, q, targets[0]) if once is not None else None
            twice = middle and self._closed(*middle, values if reached + step == 1.0 else targets[1])
            if once is not None and twice and np.max(np.abs((once[1] - twice[1]) * form.weight)) < SAME:
                reached, (last, q), step = reached + step, twice, 2 * step
                continue
            step /= 2
            if step < SHORTEST:
                at = {name: here[name] + reached * (values[name] - here[name]) for name in values}
                raise NotFollowed(end_words(at, once is None))
        return _placed(wanted, last, q)

    def _closed(self, form: Absolute, q: Array, values: Mapping[str, float]) -> tuple[Absolute, Array] | None:
        """The mechanism with other parameters, closed from a position near by; None where it does not close."""
        try:
            near = absolute(mechanism_of(_placed(self.model.replace(**values), form, q)))
        except MuboError:
            return None
        motion = near.motion(np.array([self.start]))[0]
        found = assemble(near, motion, TOLERANCE * near.scale, 20)
        return (near, found.q) if found.gap <= TOLERANCE * near.scale else None


def end_words(at: Mapping[str, float], open_: bool) -> str:
    """A phrase for where the path to a variant ends: it stays `open_`, or closes only on another branch."""
    place = ", ".join(f"{name} = {value:.6g}" for name, value in at.items())
    return f"cannot be assembled beyond {place}" if open_ else f"other circuit: its branch ends at {place}"


def _placed(model: ModelDefinition, form: Absolute, q: Array) -> ModelDefinition:
    """The model with the positions of `form` as its estimates."""
    width = len(q) // len(form.free)
    bodies = dict(model.bodies)
    for k, name in enumerate(form.free):
        pose = tuple(float(x) for x in q[k * width : (k + 1) * width])
        if width == 3:
            bodies[name] = replace(bodies[name], position=pose[:2], angle=pose[2])
        else:
            bodies[name] = replace(bodies[name], position=pose[:3], orientation=pose[3:])
    return model.changed(bodies=bodies)
