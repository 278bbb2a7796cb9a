"""The tasks of `mubo.synthesize` beyond four-bars: cognates, six-bars with a dwell, gear trains, cams."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mubo.design.synthesis import cam_task, cognate_task, dwell_task, planetary_task
from mubo.design.synthesis.result import Synthesis
from mubo.docstrings import documented
from mubo.formats import load as load_file
from mubo.model import ModelDefinition, Units

Size = float | str  # a number, or text with a unit
Progress = Callable[[float, float], None]


def length_units(length: str) -> Units:
    """The units of a synthesis, with that of lengths."""
    return Units(length=length, angle="deg", time="s")


class MachineSynthesis:
    """Tasks that are answered with other machines than four-bars and slider-cranks.

    Examples
    --------
    >>> len(mubo.synthesize.cognates("parameters.toml"))
    4
    """

    @documented(
        model="Model of a four-bar with a coupler point, or its file.",
        point="Name of the coupler point; the only one by default.",
        returns="The four-bar, its two cognates, and the geared five-bar that draws the same curve.",
        raises={"ModelError": "If the model is no four-bar, or its point stands on a pin."},
    )
    def cognates(self, model: Any, *, point: str = "") -> Synthesis:
        """The linkages that draw the coupler curve of a four-bar: its cognates (Roberts, Chebyshev), run through it.

        >>> found = mubo.synthesize.cognates("parameters.toml")
        >>> len(found), max(design.errors["place"] for design in found.designs) < 1e-12
        (4, True)
        """
        given = load_file(model) if isinstance(model, str | Path) else model
        return cognate_task.cognates_of(given if isinstance(given, ModelDefinition) else given.build(), point)

    @documented(
        ratio="Speed of the input over that of the output; negative where they turn in opposite senses.",
        planets="Number of planets, evenly spaced.",
        stepped="Whether planets have two wheels of different numbers of teeth.",
        tolerance='Relative tolerance of the ratio, such as 0.01 or "1 %".',
        least="Least number of teeth of a wheel.",
        most_teeth="Largest number of teeth, of the ring.",
        module="Module of the teeth, pitch diameter per tooth.",
        efficiency="Share of the power that arrives through both meshes with the carrier fixed.",
        length="Unit of lengths.",
        most="Largest number of designs to report.",
        returns="The trains.",
        raises={"ModelError": "If no train has such a ratio; the nearest is named."},
    )
    def planetary(
        self,
        ratio: float,
        *,
        planets: int = 3,
        stepped: bool = False,
        tolerance: float | str = 0.0,
        least: int = planetary_task.UNDERCUT,
        most_teeth: int = 120,
        module: Size = 1.0,
        efficiency: float = 1.0,
        length: str = "",
        most: int = 12,
    ) -> Synthesis:
        """Planetary gear trains of a ratio: teeth that can be assembled, whose planets do not touch (Willis).

        >>> found = mubo.synthesize.planetary(4)
        >>> found[1].label, [int(found[1].lengths[f"{name} teeth"]) for name in ("sun", "planet", "ring")]
        ('sun to carrier, ring fixed', [18, 18, 54])
        """
        units = length_units(length)
        allowed = float(tolerance.strip().removesuffix("%")) / 100 if isinstance(tolerance, str) else float(tolerance)
        size = units.read(module, "length")
        how: dict[str, Any] = {"least": int(least), "most": int(most_teeth), "module": size, "units": units}
        request = planetary_task.PlanetaryRequest(
            float(ratio), int(planets), bool(stepped), allowed, efficiency=float(efficiency), **how
        )
        return planetary_task.planetary(request, most)

    @documented(
        parts="Parts of a turn: how far the cam turns, the rise (none of a dwell) and its law (cycloidal by default).",
        follower='"roller" or "flat" on a slide, "arm-roller" or "arm-flat" on an arm, whose rises are angles.',
        pressure="Largest pressure angle.",
        roller="Radius of the roller; 0 is a knife edge.",
        offset="Distance of the line of travel from the cam's centre, on the side where the edge moves with the rise.",
        curvature="Least radius of curvature of the edge.",
        arm="Length of the arm of a roller.",
        centres="Distance of the arm's pin from the cam's centre.",
        length="Unit of lengths.",
        returns="The cam of the smallest base circle, run with its follower.",
        raises={"ModelError": "If the motion is no turn, or no base circle meets the limits."},
    )
    def cam(
        self,
        parts: Sequence[Sequence[Any]],
        *,
        follower: str = "roller",
        pressure: Size = 30.0,
        roller: Size = 0.0,
        offset: Size = 0.0,
        curvature: Size = 0.0,
        arm: Size = 0.0,
        centres: Size = 0.0,
        length: str = "",
    ) -> Synthesis:
        """The cam of the smallest base circle for a motion of its follower: pressure angle, no undercut.

        >>> found = mubo.synthesize.cam([(120, 20), (60,), (120, -20), (60,)], roller=8, length="mm")
        >>> round(found[1].lengths["base circle"], 2), found[1].errors["motion"] < 1e-9
        (16.29, True)
        """
        units = length_units(length)
        kind = "angle" if follower.startswith("arm") else "length"
        segments = []
        for part in parts:
            turned, rise, law = (*part, 0.0, "cycloidal")[:3] if len(part) < 2 else (*part, "cycloidal")[:3]
            high = units.read(rise, kind)
            segments.append((str(law) if high else "dwell", units.read(turned, "angle"), high))
        sizes = {"roller": roller, "offset": offset, "curvature": curvature, "arm": arm, "centres": centres}
        read: dict[str, Any] = {name: units.read(size, "length") for name, size in sizes.items()}
        steep = units.read(pressure, "angle")
        return cam_task.cam(cam_task.CamRequest(tuple(segments), follower, steep, units=units, **read))

    @documented(
        dwell="How far the crank turns while the output stands.",
        swing="How far the output swings over the turn.",
        by='"arc", a rod on an arc of the coupler curve, or "line", a slot along a straight part.',
        ground="Distance of the four-bar's fixed pins.",
        length="Unit of lengths.",
        most="Largest number of designs to report.",
        seed="Seed of the random linkages.",
        progress="Called with the work done and the whole work.",
        returns="The six-bars that stand first, by transmission.",
    )
    def dwell(
        self,
        dwell: Size,
        swing: Size,
        *,
        by: str = "arc",
        ground: Size = 1.0,
        length: str = "",
        most: int = 6,
        seed: int = 0,
        progress: Progress = lambda done, total: None,
    ) -> Synthesis:
        """Six-bars whose output dwells while the crank turns on, from an arc or a line of a coupler curve.

        >>> found = mubo.synthesize.dwell(90, 25, by="line", most=1)
        >>> found[1].errors["dwell"] < 0.05  # degrees
        True
        """
        units = length_units(length)
        angles = units.read(dwell, "angle"), units.read(swing, "angle")
        request = dwell_task.DwellRequest(*angles, by, units.read(ground, "length"), seed, units)
        return dwell_task.dwell(request, most, progress)
