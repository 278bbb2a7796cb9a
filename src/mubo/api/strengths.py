"""What can be asked of a model about metal and room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from mubo.api.asking import Time, settings_of
from mubo.api.gaits import Gaits

if TYPE_CHECKING:
    from mubo.applications.strength.report import Strength


class Strengths(Gaits):
    """Pins, bearings, links as beams, and the room that the motion takes."""

    def strength(
        self,
        start: Time = None,
        end: Time = None,
        step: Time = None,
        *,
        length_scale: float | str | None = None,
        tolerance: float | None = None,
        max_iterations: int = 20,
        formulation: str = "auto",
        branch: str = "smooth",
        mode: int = 1,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Strength:
        """Whether pins, bearings and links stand the motion, and what room it takes: a table to sign (print it).

        Pins are as `pin` or [pin.JOINT] says, links as `section` or [section.BODY]; the run is one cycle. `.run` is the
        run with forces, which draws the stresses on the moving links; `.save` writes the table or the envelopes.

        >>> found = mubo.load("strong_four_bar.toml").strength()
        >>> round(found.check("pin B", "mean effective load").value, 1)
        45688.8
        >>> found.run.plot(at=found.worst["coupler"].t, path="worst.png") is not None
        True
        """
        from mubo.applications.strength.strength import strength

        settings = settings_of(
            tolerance, max_iterations, progress=progress, formulation=formulation, branch=branch, mode=mode
        )
        scale = None if length_scale is None else self.units.read(length_scale, "length")
        found = strength(self.build(), *self._times(start, end, step), settings, scale)
        run = replace(found.run, record=replace(found.run.record, study="strength", strength=found))
        return replace(found, run=self._answer(run))
