"""What can be asked of a model about walking."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo.api.asking import Asking, Time, settings_of

if TYPE_CHECKING:
    from mubo.applications.gait.report import Gait


class Gaits(Asking):
    """Markers and force plates of a walking person, and the moments of its joints."""

    def markers(self, file: str | Path, **given: Any) -> None:
        """Segments, joints and drivers by the markers of a file; `set_subject` comes before.

        `right`, `left` name the markers of hip, knee, ankle, heel and toe, `trunk` that of the shoulder, each one or a
        list whose middle counts; `forward` and `up` are axes of the laboratory, "x" and "y" unless given; `smooth` and
        `max_gap` are those of measured motion.

        >>> model = mubo.Model("walk", gravity=(0, -9.81))
        >>> model.set_subject(mass=70, height=1.75)
        >>> leg = {"hip": "RHIP", "knee": "RKNE", "ankle": "RANK", "heel": "RHEE", "toe": "RTOE"}
        >>> model.markers("walker.trc", right=leg, smooth={"butterworth": 6})
        >>> model
        Model "walk" in the plane: 3 bodies, 2 joints, 5 drivers, 3 measures
        """
        from mubo.formats.walk import add_markers

        self._lab = add_markers(self, {"file": str(file), **given}, Path())

    def plate(self, name: str, file: str | Path, foot: str, **given: Any) -> None:
        """Forces of the ground on a foot from a table: `force` and `point` (centre of pressure) say how their columns
        begin, or name them.

        >>> model = mubo.Model("walk", gravity=(0, -9.81))
        >>> model.set_subject(mass=70, height=1.75)
        >>> leg = {"hip": "RHIP", "knee": "RKNE", "ankle": "RANK", "heel": "RHEE", "toe": "RTOE"}
        >>> model.markers("walker.trc", right=leg)
        >>> model.plate("right", "walker_forces.mot", "right", force="ground_force_v", point="ground_force_p")
        >>> list(model.forces)
        ['right_fx', 'right_fy', 'right_m']
        """
        from mubo.formats.walk import add_plate

        words: Mapping[str, Any] = {key.removesuffix("_"): value for key, value in given.items()}
        add_plate(self, name, {"file": str(file), "foot": foot, **words}, Path(), getattr(self, "_lab", None))

    def gait(
        self,
        start: Time = None,
        end: Time = None,
        step: Time = None,
        *,
        threshold: float | str | None = None,
        events: str | None = None,
        tolerance: float | None = None,
        max_iterations: int = 20,
        formulation: str = "auto",
        branch: str = "smooth",
        mode: int = 1,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Gait:
        """Angles, moments and powers of hip, knee and ankle, per kilogram, over the gait cycle (print it).

        `threshold` is the upward force that makes a stance (default 20 N), `events` the rule that tells heel strikes,
        "force" or "coordinate" (default: force where a foot strikes plates twice). `.run` is the run with all columns;
        `.run.plot(kind="gait")` draws the figure, `.save` writes the mean cycles.

        >>> found = mubo.load("walker.toml").gait()
        >>> found.mean("ankle_angle_r_moment").shape, found.run.unit("ankle_angle_r")
        ((101,), 'deg')
        >>> picture = found.run.plot(kind="gait", path="gait.png")
        """
        from mubo.applications.gait.gait import gait

        settings = settings_of(
            tolerance, max_iterations, progress=progress, formulation=formulation, branch=branch, mode=mode
        )
        least = None if threshold is None else self.units.in_own(threshold, "force")
        found = gait(self.build(), *self._times(start, end, step), settings, least, events)
        run = self._answer(replace(found.run, record=replace(found.run.record, study="gait", gait=found)))
        return replace(found, run=run)
