"""The drawing sheet of parts: every plate at one scale of ISO 5455 with its dimensions, and the list of parts.

The sheet is A3 across (ISO 216); the scale is the largest at which all parts find room beside each other. Dimensions
are distances between the centres of holes and of the round corners of the contour, and the size of what has no round
corners; diameters, radii and thickness stand below the name of a part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.arrays import Array
from mubo.describe.parts import part_rows
from mubo.errors import ResultError
from mubo.laws.number_text import number, unit_text
from mubo.view.painters.style import figure_style, picture_target, save_figure, title
from mubo.view.scene.colours import INK, QUIET

if TYPE_CHECKING:
    from mubo.applications.workshop.parts import CutParts
    from mubo.applications.workshop.plates import Plate

SHEET, EDGE, INCH = (420.0, 297.0), 10.0, 25.4  # mm
SCALES = (10, 5, 2, 1, 1 / 2, 1 / 5, 1 / 10, 1 / 20, 1 / 50, 1 / 100, 1 / 200, 1 / 500, 1 / 1000)  # ISO 5455
AROUND, NAME, LINE = 14.0, 12.0, 5.2  # mm: room for dimensions, for the name of a part, of a line of the list
ALL_PAIRS = 3  # places whose distances are all given; of more those from the first one
SAME = 1e-9  # of the size of a part: places that are one
THIN, WIDE = 0.5, 1.3  # points
BLUE = "#0b5cad"


def plot_parts(found: CutParts, path: str | Path | None = None) -> Any:
    """The sheet, written to `path` where one is given."""
    target = picture_target(path)
    mm = found.model.units.unit("length").si / found.model.units.unit("length").factor * 1e3
    rows = part_rows(found)
    floor = EDGE + LINE * (len(rows) + 1.5)
    scale, places = _arranged(found.plates, mm, floor)
    with figure_style() as figure_class:
        figure = figure_class(figsize=(SHEET[0] / INCH, SHEET[1] / INCH), layout="none")
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, SHEET[0]), ylim=(0, SHEET[1]))
        axes.set_axis_off()
        for plate, at in zip(found.plates, places, strict=True):
            _draw_part(axes, found, plate, at, scale * mm)
        _draw_list(axes, rows, floor)
        _draw_title(axes, found, scale, floor)
        save_figure(figure, target)
    return figure


def _arranged(plates: Sequence[Plate], mm: float, floor: float) -> tuple[float, list[Array]]:
    """The largest scale at which all parts find room, and the lower left corner of each."""
    boxes = [np.subtract(*plate.contour.box[::-1]) * mm for plate in plates]
    for scale in SCALES:
        x, y, tall, places = EDGE, SHEET[1] - EDGE, 0.0, []
        for size in boxes:
            wide, high = size * scale + 2 * AROUND + (0, NAME)
            if x + wide > SHEET[0] - EDGE and x > EDGE:
                x, y, tall = EDGE, y - tall, 0.0
            places.append(np.array([x + AROUND, y - high + AROUND + NAME]))
            x, tall = x + max(wide, 42.0), max(tall, high)
        if y - tall >= floor and all(size[0] * scale + 2 * AROUND < SHEET[0] - 2 * EDGE for size in boxes):
            return scale, places
    raise ResultError(f"{len(plates)} parts find no room on a sheet of A3", suggestion="Write .dxf or .svg instead.")


def _draw_part(axes: Any, found: CutParts, plate: Plate, at: Array, scale: float) -> None:
    """A plate with its lower left corner at a place of the sheet."""
    low = plate.contour.box[0]
    fine = 0.01 / scale
    for contour in (plate.contour, *(hole.contour for hole in plate.holes)):
        ring = (contour.corners(fine) - low) * scale + at
        axes.plot(*np.vstack([ring, ring[:1]]).T, color=INK, lw=WIDE, solid_joinstyle="round")
    for hole in plate.holes:
        for end in filter(None, (hole.center, hole.end)):
            _draw_cross(axes, (np.array(end) - low) * scale + at, hole.diameter * scale)
    factor = found.model.units.unit("length").factor
    middle = (plate.moments.center - low) * scale + at
    for one, two in dimensioned(plate):
        text = number(float(np.linalg.norm(two - one)) / factor, 5)
        ends = [(place - low) * scale + at for place in (one, two)]
        _draw_dimension(axes, ends, middle, plate.contour.corners(fine), low, scale, at, text)
    foot = at - (0, AROUND - 2)
    axes.text(*foot, title(plate.body), fontsize=9, weight="bold", va="top")
    axes.text(*(foot - (0, 4.6)), _sizes(plate, factor), fontsize=7.5, va="top", color=INK)


def dimensioned(plate: Plate) -> Iterator[tuple[Array, Array]]:
    """Pairs of places whose distance is given: centres of holes and of round corners; and the sides of its box where
    the contour has straight corners."""
    low, high = plate.contour.box
    near = SAME * float(np.max(high - low))
    places: list[Array] = []
    round_corners = [arc.center for arc in plate.contour.arcs]
    ends = [np.array(end) for hole in plate.holes for end in (hole.center, hole.end) if end is not None]
    for place in (*ends, *round_corners):
        if not any(np.linalg.norm(place - other) <= near for other in places):
            places.append(place)
    few = len(places) <= ALL_PAIRS
    yield from combinations(places, 2) if few else ((places[0], other) for other in places[1:])
    if not round_corners:
        yield low, np.array([high[0], low[1]])
        yield low, np.array([low[0], high[1]])


def _sizes(plate: Plate, factor: float) -> str:
    """Diameters, radii and thickness: "2 × ⌀4   R6   t = 3"."""
    counts: dict[str, int] = {}
    for hole in plate.holes:
        wide = number(hole.diameter / factor, 4)
        long = np.linalg.norm(np.subtract(hole.end or hole.center, hole.center)) / factor
        word = f"⌀{wide}" if hole.end is None else f"slot {wide} × {number(float(long) + hole.diameter / factor, 4)}"
        counts[word] = counts.get(word, 0) + 1
    words = [f"{count} × {word}" if count > 1 else word for word, count in counts.items()]
    words += dict.fromkeys(f"R{number(arc.radius / factor, 4)}" for arc in plate.contour.arcs)
    if plate.thickness is not None:
        words.append(f"t = {number(plate.thickness / factor, 4)}")
    return "   ".join(words)


def _draw_cross(axes: Any, at: Array, size: float) -> None:
    """The centre lines of a hole."""
    reach = size / 2 + 1.5
    for along in ((reach, 0), (0, reach)):
        axes.plot(*np.stack([at - along, at + along]).T, color=QUIET, lw=THIN, ls=(0, (8, 2, 2, 2)))


def _draw_dimension(
    axes: Any, ends: Sequence[Array], middle: Array, ring: Array, low: Array, scale: float, at: Array, text: str
) -> None:
    """A dimension line beside the part, on the side away from its middle."""
    along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    normal = np.array([-along[1], along[0]])
    inside = float((middle - ends[0]) @ normal)
    if inside > 1e-6 or (abs(inside) <= 1e-6 and normal[1] > 0):
        normal = -normal
    reach = float(np.max(((ring - low) * scale + at - ends[0]) @ normal)) + 5.0
    feet = [end + reach * normal for end in ends]
    for end, foot in zip(ends, feet, strict=True):
        axes.plot(*np.stack([end, foot + 1.5 * normal]).T, color=BLUE, lw=THIN)
    arrow = {"arrowstyle": "<|-|>", "color": BLUE, "lw": THIN, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 6}
    axes.annotate("", feet[0], feet[1], arrowprops=arrow)
    turned = np.degrees(np.arctan2(along[1], along[0]))
    turned = turned - 180 if turned > 90 else turned + 180 if turned <= -90 else turned
    face = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
    place = (feet[0] + feet[1]) / 2
    if np.linalg.norm(feet[1] - feet[0]) < 3.0 * len(text):
        place = place + 3.0 * normal
    axes.text(*place, text, rotation=turned, fontsize=7.5, ha="center", va="center", color=BLUE, bbox=face)


def _draw_list(axes: Any, rows: Sequence[Sequence[str]], floor: float) -> None:
    """The list of parts along the lower edge."""
    widths = [2.0 * max(map(len, column)) + 5 for column in zip(*rows, strict=True)]
    for k, row in enumerate(rows):
        y, x = floor - LINE * (k + 1), EDGE
        for j, (cell, wide) in enumerate(zip(row, widths, strict=True)):
            right = j > 1
            axes.text(x + (wide - 3 if right else 0), y, cell, fontsize=7.5, ha="right" if right else "left",
                      weight="bold" if k == 0 else "normal")  # fmt: skip
            x += wide
    axes.plot([EDGE, SHEET[0] - EDGE], [floor, floor], color=INK, lw=THIN)


def _draw_title(axes: Any, found: CutParts, scale: float, floor: float) -> None:
    """Name, scale, unit and size of the sheet, at the lower right."""
    ratio = f"{scale:g} : 1" if scale >= 1 else f"1 : {1 / scale:g}"
    unit = unit_text(found.model.units.unit_of("length"))
    lines = (title(found.model.name), f"scale {ratio}", f"lengths in {unit}" if unit else "", "A3")
    for k, line in enumerate(lines):
        axes.text(SHEET[0] - EDGE, floor - LINE * (k + 1), line, ha="right", fontsize=11 if k == 0 else 8,
                  weight="bold" if k == 0 else "normal")  # fmt: skip
    axes.add_patch(_frame())


def _frame() -> Any:
    from matplotlib.patches import Rectangle

    wide, high = SHEET[0] - EDGE, SHEET[1] - EDGE
    return Rectangle((EDGE / 2, EDGE / 2), wide, high, fill=False, ec=INK, lw=WIDE)
