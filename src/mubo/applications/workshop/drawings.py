"""Plates as drawings: DXF to cut, SVG to look at and to print in true size.

DXF is that of AutoCAD release 12: a layer for each body, its contour and slots as closed POLYLINEs whose arcs are
bulges, its holes as CIRCLEs. Numbers are in the model's unit of length, which the header states by $INSUNITS.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from mubo.applications.workshop.placement import PlacedPlate
from mubo.arrays import Array
from mubo.geometry.contours import Contour, arc_of

INSUNITS = {"in": 1, "ft": 2, "mm": 4, "cm": 5, "m": 6}  # codes of DXF
STYLE = 'fill="#0b5cad" fill-opacity="0.08" stroke="#0b5cad" stroke-width="1" vector-effect="non-scaling-stroke"'


def dxf_of(placed: Sequence[PlacedPlate], factor: float, unit: str) -> str:
    """The drawing to cut; lengths are divided by `factor`."""
    lines = ["0", "SECTION", "2", "HEADER", "9", "$ACADVER", "1", "AC1009"]
    lines += ["9", "$INSUNITS", "70", str(INSUNITS.get(unit, 0)), "0", "ENDSEC", "0", "SECTION", "2", "ENTITIES"]
    for one in placed:
        layer = one.plate.body
        lines += _polyline(one.contour, layer, factor)
        for hole, cut in zip(one.plate.holes, one.cuts, strict=True):
            if hole.end is not None:
                lines += _polyline(cut, layer, factor)
                continue
            x, y = (cut.vertices.mean(axis=0) / factor).tolist()
            lines += ["0", "CIRCLE", "8", layer, "10", repr(x), "20", repr(y), "40", repr(hole.diameter / 2 / factor)]
    return "\n".join([*lines, "0", "ENDSEC", "0", "EOF", ""])


def _polyline(contour: Contour, layer: str, factor: float) -> list[str]:
    lines = ["0", "POLYLINE", "8", layer, "66", "1", "70", "1"]
    for (x, y), bulge in zip((contour.vertices / factor).tolist(), contour.bulges.tolist(), strict=True):
        lines += ["0", "VERTEX", "8", layer, "10", repr(x), "20", repr(y), "42", repr(bulge)]
    return [*lines, "0", "SEQEND", "8", layer]


def svg_of(placed: Sequence[PlacedPlate], factor: float, unit: str) -> str:
    """In true size where the unit of length is known to SVG."""
    boxes = np.array([one.contour.box for one in placed]) / factor
    low, high = boxes.min(axis=(0, 1)), boxes.max(axis=(0, 1))
    margin = 0.05 * float(np.max(high - low))
    wide, tall = high - low + 2 * margin
    size = f'width="{wide:.6g}{unit}" height="{tall:.6g}{unit}" ' if unit in ("mm", "cm", "in") else ""
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}viewBox="0 0 {wide:.9g} {tall:.9g}">']
    origin = np.array([low[0] - margin, high[1] + margin])
    for one in sorted(placed, key=lambda one: one.bottom):
        data = "".join(_path(contour, factor, origin) for contour in (one.contour, *one.cuts))
        name = escape(one.plate.body)
        parts.append(f'<path id="{name}" d="{data}" {STYLE} fill-rule="evenodd"><title>{name}</title></path>')
    return "\n".join([*parts, "</svg>", ""])


def _path(contour: Contour, factor: float, origin: Array) -> str:
    """The path of a contour, y downwards from the origin."""

    def at(place: Array) -> str:
        x, y = (place / factor - origin) * [1, -1]
        return f"{x:.9g},{y:.9g}"

    words = [f"M{at(contour.vertices[0])}"]
    for one, two, bulge in contour.sides:
        if not bulge:
            words.append(f"L{at(two)}")
            continue
        arc = arc_of(one, two, bulge)
        radius = f"{arc.radius / factor:.9g}"
        large, sweep = int(abs(arc.angle) > np.pi + 1e-9), int(arc.angle < 0)
        words.append(f"A{radius},{radius} 0 {large} {sweep} {at(two)}")
    return "".join(words) + "Z"
