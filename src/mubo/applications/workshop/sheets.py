"""Drawings of plates: one beside the other on a sheet, as DXF to cut or as SVG; and the parts list.

DXF is that of AutoCAD release 12: a layer for each body, its contour as a closed POLYLINE whose arcs are bulges, its
holes as CIRCLEs. Numbers are in the model's unit of length, which the header states by $INSUNITS.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

import numpy as np

from mubo.applications.workshop.plates import Hole, Plate, plates_of
from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.formats.files import write_text
from mubo.model import ModelDefinition
from mubo.results.table_files import LINES, write_lines

GAP = 0.05  # of the largest part: between two parts
INSUNITS = {"in": 1, "ft": 2, "mm": 4, "cm": 5, "m": 6}  # codes of DXF
DRAWINGS = (".dxf", ".svg")
STYLE = 'fill="#0b5cad" fill-opacity="0.08" stroke="#0b5cad" stroke-width="1" vector-effect="non-scaling-stroke"'
HEADER = ("part", "pins", "length", "width", "area", "mass")


def write_parts(
    model: ModelDefinition, path: str | Path, hole: float | None = None, width: float | None = None
) -> None:
    """Write every link as a part: a drawing to cut, .dxf or .svg, or the list of parts as a table."""
    target = Path(path)
    if target.suffix not in (*DRAWINGS, *LINES):
        raise ResultError(f'cannot write "{target.name}": the ending must be {", ".join((*DRAWINGS, *LINES))}')
    plates = plates_of(model, hole, width)
    factor, unit = model.units.unit("length")[:2]
    if target.suffix in LINES:
        write_lines(target, *parts_list(model, plates), "parts")
        return
    draw = _dxf if target.suffix == ".dxf" else _svg
    write_text(target, draw(plates, _places(plates), factor, unit))


def parts_list(model: ModelDefinition, plates: Sequence[Plate]) -> tuple[list[str], list[list[object]]]:
    """Header and lines of the parts list: sizes of the blanks, areas and masses, in the model's units."""
    kinds = {"length": "length", "width": "length", "area": "length^2", "mass": "mass"}
    units = {key: model.units.unit(kind) for key, kind in kinds.items()}
    header = [f"{key} [{units[key][1]}]" if key in units and units[key][1] else key for key in HEADER]
    lines: list[list[object]] = []
    for plate in plates:
        low, high = plate.box
        sizes = sorted(float(x) for x in high - low)
        found = {"length": sizes[1], "width": sizes[0], "area": plate.area, "mass": plate.mass}
        numbers = [None if x is None else x / units[key][0] for key, x in found.items()]
        lines.append([plate.body, " ".join(hole.joint for hole in plate.holes), *numbers])
    return header, lines


def _places(plates: Sequence[Plate]) -> list[Array]:
    """The shift of every plate: in rows from the left, about as wide as they are high together."""
    boxes = [plate.box for plate in plates]
    sizes = np.array([high - low for low, high in boxes])
    gap = GAP * float(sizes.max())
    wide = max(float(sizes[:, 0].max()), float(np.sqrt(np.sum(np.prod(sizes + gap, axis=1)))) * 1.4)
    out, x, y, tall = [], gap, gap, 0.0
    for (low, _), size in zip(boxes, sizes, strict=True):
        if x > gap and x + size[0] > wide:
            x, y, tall = gap, y + tall + gap, 0.0
        out.append(np.array([x, y]) - low)
        x, tall = x + float(size[0]) + gap, max(tall, float(size[1]))
    return out


def _dxf(plates: Sequence[Plate], places: Sequence[Array], factor: float, unit: str) -> str:
    lines = ["0", "SECTION", "2", "HEADER", "9", "$ACADVER", "1", "AC1009"]
    lines += ["9", "$INSUNITS", "70", str(INSUNITS.get(unit, 0)), "0", "ENDSEC", "0", "SECTION", "2", "ENTITIES"]
    for plate, shift in zip(plates, places, strict=True):
        layer = plate.body
        lines += ["0", "POLYLINE", "8", layer, "66", "1", "70", "1"]
        for (x, y), bulge in zip(((plate.vertices + shift) / factor).tolist(), plate.bulges.tolist(), strict=True):
            lines += ["0", "VERTEX", "8", layer, "10", repr(x), "20", repr(y), "42", repr(bulge)]
        lines += ["0", "SEQEND", "8", layer]
        for hole in plate.holes:
            x, y = ((np.array(hole.center) + shift) / factor).tolist()
            lines += ["0", "CIRCLE", "8", layer, "10", repr(x), "20", repr(y), "40", repr(hole.diameter / 2 / factor)]
    return "\n".join([*lines, "0", "ENDSEC", "0", "EOF", ""])


def _svg(plates: Sequence[Plate], places: Sequence[Array], factor: float, unit: str) -> str:
    """In true size where the unit of length is known to SVG."""
    boxes = [np.array(plate.box) + shift for plate, shift in zip(plates, places, strict=True)]
    high = (np.max(boxes, axis=(0, 1)) + np.min(boxes, axis=(0, 1))) / factor  # the same margin on all sides
    size = f'width="{high[0]:.6g}{unit}" height="{high[1]:.6g}{unit}" ' if unit in ("mm", "cm", "in") else ""
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}viewBox="0 0 {high[0]:.9g} {high[1]:.9g}">']
    for plate, shift in zip(plates, places, strict=True):
        data = _contour((plate.vertices + shift) / factor, plate.bulges, float(high[1]))
        data += "".join(
            _circle((np.array(hole.center) + shift) / factor, hole, factor, high[1]) for hole in plate.holes
        )
        title = f"<title>{escape(plate.body)}</title>"
        parts.append(f'<path id="{escape(plate.body)}" d="{data}" {STYLE} fill-rule="evenodd">{title}</path>')
    return "\n".join([*parts, "</svg>", ""])


def _circle(center: Array, hole: Hole, factor: float, top: float) -> str:
    """The path of a hole: two half circles."""
    r = hole.diameter / 2 / factor
    half = f"a{r:.9g},{r:.9g} 0 1 0 "
    return f" M{center[0] - r:.9g},{top - center[1]:.9g}{half}{2 * r:.9g},0{half}{-2 * r:.9g},0Z"


def _contour(vertices: Array, bulges: Array, top: float) -> str:
    """The path of a contour, y downwards."""
    words = [f"M{vertices[0, 0]:.9g},{top - vertices[0, 1]:.9g}"]
    for one, two, bulge in zip(vertices, np.roll(vertices, -1, axis=0), bulges, strict=True):
        to = f"{two[0]:.9g},{top - two[1]:.9g}"
        angle = 4 * np.arctan(bulge)
        radius = np.linalg.norm(two - one) / (2 * np.sin(angle / 2)) if angle else 0.0
        words.append(f"A{radius:.9g},{radius:.9g} 0 {int(angle > np.pi + 1e-9)} 0 {to}" if angle else f"L{to}")
    return "".join(words) + "Z"
