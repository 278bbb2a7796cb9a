"""The parts of a mechanism: plates with holes and slots, their list, and the files in which they go to the workshop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mubo.analyses.kinematics import answer_kinematics
from mubo.applications.workshop.drawings import dxf_of, svg_of
from mubo.applications.workshop.placement import PlacedPlate, assembled, side_by_side
from mubo.applications.workshop.plates import SLIDING, Plate, PlateSizes, plates_of
from mubo.applications.workshop.solids import step_of, stl_of
from mubo.docstrings import documented
from mubo.errors import ModelError, ResultError
from mubo.formats.files import write_text
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.model import ModelDefinition
from mubo.results.presentation import DrawnResult, presented_by
from mubo.results.table import require_ending, save_by_ending, write_entries
from mubo.results.table_files import LINES, write_lines
from mubo.studies import STUDIES

MILLI = 1e3
HEADER = ("part", "pins", "length", "width", "thickness", "area", "mass", "inertia", "mass in the model")
MEASURES = {"length": "length", "width": "length", "thickness": "length", "area": "length^2"}
MEASURES |= {"mass": "mass", "inertia": "mass*length^2", "mass in the model": "mass"}
SHEETS = (".pdf", ".png")
DRAWN = (".dxf", ".svg", ".stl", ".step", *SHEETS)  # endings of plates that no other export has


@dataclass(frozen=True, eq=False, repr=False)
class CutParts(DrawnResult):
    """The links of a planar mechanism as plates; print it for the list of parts.

    Examples
    --------
    >>> parts = mubo.load("jansen_leg.toml").parts(hole="4 mm", width="12 mm")
    >>> [plate.body for plate in parts.plates][:2]
    ['crank', 'upper_rod']
    """

    model: ModelDefinition
    plates: tuple[Plate, ...]
    time: float | None = None  # of the assembly; None: side by side

    @cached_property
    def placed(self) -> list[PlacedPlate]:
        """The plates side by side, or as the mechanism has them.

        Examples
        --------
        >>> len(mubo.load("jansen_leg.toml").parts(hole="4 mm", width="12 mm").placed)
        7
        """
        return side_by_side(self.plates) if self.time is None else assembled(self.model, self.plates, self.time)

    @property
    def header(self) -> list[str]:
        """The words above the list of parts, with their units.

        Examples
        --------
        >>> mubo.load("jansen_leg.toml").parts(hole="4 mm", width="12 mm").header[2]
        'length [mm]'
        """
        units = {key: self.model.units.unit(kind)[1] for key, kind in MEASURES.items()}
        return [f"{key} [{units[key]}]" if units.get(key) else key for key in HEADER]

    @cached_property
    def rows(self) -> list[list[Any]]:
        """A line of the list for every part, and of an assembly for every pin, in the model's units: its blank, area,
        mass and inertia.

        Examples
        --------
        >>> mubo.load("jansen_leg.toml").parts(hole="4 mm", width="12 mm").rows[1][:4]
        ['upper_rod', 'pin_upper top', 62.0, 12.0]
        """
        out: list[list[Any]] = []
        for plate in self.plates:
            low, high = plate.contour.box
            width, length = sorted(float(x) for x in high - low)
            own = self.model.bodies[plate.body].whole.mass
            found = (length, width, plate.thickness, plate.moments.area, plate.mass, plate.inertia, own)
            factors = (self.model.units.unit(kind)[0] for kind in MEASURES.values())
            numbers = [None if x is None else x / factor for x, factor in zip(found, factors, strict=True)]
            out.append([plate.body, " ".join(dict.fromkeys(hole.joint for hole in plate.holes)), *numbers])
        size = self.model.units.factor("length")
        for pin in self.pins:
            if pin.thickness:
                out.append([pin.body, "", pin.thickness / size, pin.width / size, *[None] * (len(HEADER) - 4)])
        return out

    @property
    def pins(self) -> list[Plate]:
        """The pins of an assembly as discs; none of parts that lie side by side.

        Examples
        --------
        >>> parts = mubo.load("jansen_leg.toml").parts(hole="4 mm", width="12 mm", thickness="3 mm", at=0)
        >>> [pin.body for pin in parts.pins][:2]
        ['pin_shaft', 'pin_upper']
        """
        bodies = {plate.body for plate in self.plates}
        return [one.plate for one in self.placed if one.plate.body not in bodies]

    @documented(path="Drawing to cut, .dxf or .svg; solids, .stl or .step; sheet, .pdf or .png; list, .csv or other.")
    def save(self, path: str | Path) -> None:
        """Write drawings, solids, the drawing sheet or the list of parts, as the ending says.

        >>> mubo.load("jansen_leg.toml").parts(hole="4 mm", width="12 mm").save("leg.dxf")
        """
        units = self.model.units
        factor, unit = units.unit("length")[:2]
        scale = units.unit("length").si / factor * MILLI
        drawn: Mapping[str, Callable[[], str]] = {
            ".dxf": lambda: dxf_of(self.placed, factor, unit),
            ".svg": lambda: svg_of(self.placed, factor, unit),
            ".stl": lambda: stl_of(self.placed, scale),
            ".step": lambda: step_of(self.placed, scale, self.model.name),
        }

        def write_list(to: Path) -> None:
            write_lines(to, self.header, self.rows, "parts")

        def write_json(to: Path) -> None:
            parts = [dict(zip(self.header, row, strict=True)) for row in self.rows]
            write_entries(to, {"model": self.model.name, "parts": parts})

        def write_drawing(to: Path) -> None:
            write_text(to, drawn[to.suffix]())

        writers = {**dict.fromkeys(drawn, write_drawing), **dict.fromkeys(LINES, write_list), ".json": write_json}
        writers |= dict.fromkeys(SHEETS, lambda to: presented_by("CutParts.plot")(self, to))
        save_by_ending("CutParts", self, path, writers, self.model.source)


def parts_of(model: ModelDefinition, sizes: PlateSizes, time: float | None = None) -> CutParts:
    """The parts of a mechanism; slots are as long as the motion asks."""
    for name in ("hole", "width", "thickness", "density"):
        size = getattr(sizes, name)
        if size is not None and not size > 0:
            raise ModelError(f"{name}: must be positive; found {size:g}")
    sliding = [name for name, joint in model.joints.items() if model.kinds[joint.kind].dofs == SLIDING]
    return CutParts(model, tuple(plates_of(model, sizes, _travels(model, sliding))), time)


def _travels(model: ModelDefinition, sliding: list[str]) -> dict[str, tuple[float, float]]:
    """The least and greatest slide of joints over the motion that the model asks for."""
    if not sliding:
        return {}
    run = answer_kinematics(model, STUDIES["kinematics"].read(model, {}))
    if run.status != "ok":
        raise ResultError(f"the slot of {sliding[0]} is as long as the travel of its pin, and the motion stops early")
    out = {}
    for name in sliding:
        column = f"{name}.q1" if f"{name}.q1" in run.columns else f"{name}.q"
        found = run.extremes[column]
        factor = model.units.factor("length")
        out[name] = (found["min"][0] * factor, found["max"][0] * factor)
    return out


def require_part_ending(path: str | Path, source: str = "") -> None:
    """Refuses a file in which no parts are written, before anything is computed."""
    require_ending(path, "CutParts", source)
