"""Links of a mechanism as parts to cut, in the words of the public model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo.docstrings import documented
from mubo.model import Units

if TYPE_CHECKING:
    from mubo.applications.workshop.parts import CutParts


class PartExport:
    """A model whose links can be cut."""

    units: Units
    build: Callable[[], Any]

    @documented(
        hole="Diameter of the holes at joints without [pin].",
        width="Width of links without [outline] and [section].",
        thickness="Thickness of plates without [outline].",
        density="Density of plates whose material is not known.",
        at="Time at which the parts are put together; side by side where it is left out.",
        returns="The plates, which print the list of parts and save themselves.",
        raises={"ModelError": "If a size is not known, or holes do not fit."},
    )
    def parts(
        self,
        *,
        hole: float | str | None = None,
        width: float | str | None = None,
        thickness: float | str | None = None,
        density: float | str | None = None,
        at: float | str | None = None,
    ) -> CutParts:
        """Links of a planar mechanism as plates: round ends, a hole at each pin, a slot where a pin slides.

        `save` of the parts writes drawings, solids, a drawing sheet and the list of parts.

        >>> parts = mubo.load("jansen_leg.toml").parts(hole="4 mm", width="12 mm", thickness="3 mm")
        >>> parts.save("leg.step")
        >>> [round(plate.moments.area) for plate in parts.plates][:2]
        [268, 688]
        """
        from mubo.applications.workshop.parts import parts_of
        from mubo.applications.workshop.plates import PlateSizes
        from mubo.model.mass import density_of

        read = self.units.read
        given = {"hole": hole, "width": width, "thickness": thickness}
        sizes = {name: read(size, "length") for name, size in given.items() if size is not None}
        heavy = None if density is None else density_of(self.units, density)
        time = None if at is None else read(at, "time")
        return parts_of(self.build(), PlateSizes(**sizes, density=heavy), time)

    @documented(
        path="Drawing, .dxf or .svg; solids, .stl or .step; sheet, .pdf or .png; list of parts, .csv and others.",
        given="Sizes as `parts` takes them.",
    )
    def save_parts(self, path: str | Path, **given: Any) -> None:
        """Write every link of a planar mechanism as a plate: the parts of `parts`, saved.

        >>> mubo.load("jansen_leg.toml").save_parts("leg.dxf", hole="4 mm", width="12 mm")
        """
        from mubo.applications.workshop.parts import require_part_ending

        require_part_ending(path, self.build().source)
        self.parts(**given).save(path)
