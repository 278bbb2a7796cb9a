"""The plate of every link: the hull of its points with rounded corners, or its own polygon, with a hole at each pin and
a slot where a pin slides.

Points are those of the body and the points of interest on it, such as the foot of a leg. A slot is as long as the
travel of its pin in the motion that the model asks for, searched between rows. Thickness times area, and the density
of its material, give the mass of a plate; area, centre and inertia are exact for lines and arcs.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mubo.applications.clearance.distances import segment_distances
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.geometry.contours import Contour, offset_contour, polygon_contour
from mubo.geometry.polygons import Moments
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.mechanism.rows import join_words
from mubo.model import GROUND, Body, ModelDefinition
from mubo.model.details import material_of
from mubo.model.parts import Detail

PINNED, SLIDING = ("turn z",), ("slide x", "turn z")  # degrees of freedom of joints with a pin, in a hole or in a slot


@dataclass(frozen=True)
class Hole:
    """A round hole at a point of a body, or a slot from its centre to `end`."""

    point: str
    joint: str
    center: tuple[float, float]
    diameter: float
    end: tuple[float, float] | None = None

    @cached_property
    def contour(self) -> Contour:
        """Its edge, counter-clockwise."""
        places = (self.center,) if self.end is None else (self.center, self.end)
        return offset_contour(np.array(places, float), self.diameter / 2)


@dataclass(frozen=True)
class PlateSizes:
    """Sizes of plates where the model states none: of holes, links, their thickness, and the density of the sheet."""

    hole: float | None = None
    width: float | None = None
    thickness: float | None = None
    density: float | None = None


@dataclass(frozen=True, eq=False)
class Plate:
    """One link as it is cut: its contour and holes, how thick it is and what it weighs, where that is known."""

    body: str
    contour: Contour
    holes: tuple[Hole, ...]
    thickness: float | None = None
    density: float | None = None
    layer: float | None = None

    @cached_property
    def moments(self) -> Moments:
        """Area, centre and ∫ |r − centre|² dA of the plate less its holes."""
        whole, cut = self.contour.moments, [hole.contour.moments for hole in self.holes]
        area = whole.area - sum(one.area for one in cut)
        center = (whole.area * whole.center - sum(one.area * one.center for one in cut)) / area

        def about(one: Moments) -> float:
            return one.polar + one.area * float(np.sum((one.center - center) ** 2))

        return Moments(area, center, about(whole) - sum(map(about, cut)))

    @property
    def width(self) -> float:
        """The shorter side of its box."""
        low, high = self.contour.box
        return float(np.min(high - low))

    @property
    def mass(self) -> float | None:
        """Area × thickness × density; None where one of them is not known."""
        if self.thickness is None or self.density is None:
            return None
        return self.moments.area * self.thickness * self.density

    @property
    def inertia(self) -> float | None:
        """About the centre of mass, square to the plate."""
        return None if self.mass is None else self.mass * self.moments.polar / self.moments.area


def plates_of(
    model: ModelDefinition, sizes: PlateSizes | None = None, slots: Mapping[str, tuple[float, float]] | None = None
) -> list[Plate]:
    """The plates of all moving bodies with two pins or more, with a polygon, or with a link as their shape.

    `sizes` stand where the model has none; `slots` are the least and greatest slide of every pin in a slot.
    """
    if model.dimension != 2:
        raise ModelError("links are cut as plates in the plane; this model is in space")
    sizes = sizes or PlateSizes()
    holes, unsized = _holes(model, sizes, slots or {})
    bodies = [body for name, body in model.bodies.items() if name != GROUND]
    _require_sizes(unsized, [body.name for body in bodies if not _width(model, body, holes.get(body.name, []), sizes)])
    found = [_plate(model, body, holes.get(body.name, []), sizes) for body in bodies]
    plates = [plate for plate in found if plate is not None]
    if not plates:
        raise ModelError("no body has two pins or a polygon: there is nothing to cut")
    return plates


def _require_sizes(unsized: list[str], narrow: list[str]) -> None:
    """Refuses pins without a diameter and links without a width, all at once."""
    if not unsized and not narrow:
        return
    pins, links = join_words(list(dict.fromkeys(unsized))), join_words(narrow)
    what = [f"{pins}: the diameter of the pin is not known"] if unsized else []
    what += [f"body {links}: its width is not known"] if len(narrow) == 1 else []
    what += [f"bodies {links}: their width is not known"] if len(narrow) > 1 else []
    tables = ["[pin.JOINT] with its diameter"] if unsized else []
    tables += [f"[outline.{narrow[0] if len(narrow) == 1 else 'BODY'}] with a radius"] if narrow else []
    options = " ".join(["--hole '6 mm'"] * bool(unsized) + ["--width '20 mm'"] * bool(narrow))
    raise ModelError(
        "; ".join(what),
        suggestion=f"Write {' and '.join(tables)}, or give one for all: {options}.",
        names=[*unsized, *narrow],
    )


def _holes(
    model: ModelDefinition, sizes: PlateSizes, slots: Mapping[str, tuple[float, float]]
) -> tuple[dict[str, list[Hole]], list[str]]:
    """The holes of every body, one for each of its points at which a joint has a pin; its slots; and the joints whose
    pins have no diameter."""
    out: dict[str, dict[str, Hole]] = {}
    unsized = []
    for name, joint in model.joints.items():
        slot = model.kinds[joint.kind].dofs == SLIDING
        if not slot and model.kinds[joint.kind].dofs != PINNED:
            continue
        pin = model.pins.get(name)
        for number, (body, _, point) in enumerate(end.partition(".") for end in joint.between):
            diameter = _drilled(model.bodies[body], point) if pin is None else pin["diameter"]
            diameter = diameter or sizes.hole
            if diameter is None:
                unsized.append(name)
                diameter = 0.0
            at, travel = np.array(model.bodies[body].points[point], float), None
            if slot and number == 0:
                axis = np.array(joint.options["axis"], float)
                ends = [at + axis / np.linalg.norm(axis) * q for q in slots[name]]
                at, travel = ends[0], (float(ends[1][0]), float(ends[1][1]))
            new = Hole(point, name, (float(at[0]), float(at[1])), diameter, travel)
            known = out.setdefault(body, {})
            key = f"{point} of {name}" if travel else point
            if key not in known or known[key].diameter < diameter:
                known[key] = new
    return {body: list(holes.values()) for body, holes in out.items()}, unsized


def _drilled(body: Body, point: str) -> float | None:
    """The hole that the shape of a body has at a point."""
    shape = body.shape
    drilled = shape is not None and shape.kind == "link" and (not shape.on or point in shape.on)
    return shape.sizes.get("hole") if drilled and shape is not None else None


def _plate(model: ModelDefinition, body: Body, holes: list[Hole], sizes: PlateSizes) -> Plate | None:
    detail = model.outlines.get(body.name) or Detail(body.name)
    shape = _link_sizes(body)
    if detail["polygon"] is not None:
        contour = polygon_contour(np.array(detail["polygon"], float))
    elif not _is_link(body, holes):
        return None
    else:
        contour = _round_link(model, body, holes, _width(model, body, holes, sizes))
    thickness = shape.get("thickness") or detail["thickness"] or sizes.thickness
    material = material_of(model, detail)
    density = body.density or (None if material is None else material["density"]) or sizes.density
    return Plate(body.name, contour, tuple(holes), thickness, density, detail["layer"])


def _link_sizes(body: Body) -> Mapping[str, float]:
    """The sizes of a body whose shape is a link."""
    return {} if body.shape is None or body.shape.kind != "link" else body.shape.sizes


def _is_link(body: Body, holes: list[Hole]) -> bool:
    """Whether a body has two pins or more, a slot, or a link as its shape."""
    return len(holes) + sum(hole.end is not None for hole in holes) >= 2 or bool(_link_sizes(body))


def _width(model: ModelDefinition, body: Body, holes: list[Hole], sizes: PlateSizes) -> float:
    """The width of a link: that of its shape, twice the radius of its outline, the height of its section, or that given
    for all; 0 where it is not known, and endless for what needs none."""
    detail = model.outlines.get(body.name) or Detail(body.name)
    if detail["polygon"] is not None or not _is_link(body, holes):
        return np.inf
    section, width = model.sections.get(body.name), _link_sizes(body).get("width") or 2 * (detail["radius"] or 0.0)
    if not width and section is not None:
        width = section["height"] or 0.0
    return width or sizes.width or 0.0


def _round_link(model: ModelDefinition, body: Body, holes: list[Hole], width: float) -> Contour:
    _require_room(body.name, holes, width)
    of_interest = [point.at for point in model.points.values() if point.body == body.name and not point.centered]
    if body.shape is not None and body.shape.kind == "link":  # its mass is that of its own points
        of_interest = []
    slots = [hole.end for hole in holes if hole.end is not None] + [hole.center for hole in holes]
    places: Array = np.array([*body.points.values(), *of_interest, *slots], float)
    return offset_contour(places, width / 2)


def _require_room(body: str, holes: list[Hole], width: float) -> None:
    """Refuses holes that reach the edge of the plate or each other."""
    for k, one in enumerate(holes):
        if one.diameter >= width:
            raise ModelError(
                f"body {body}: the hole of {one.joint} is {one.diameter / width:.3g} times as wide as the link",
                suggestion="Take a wider link or a thinner pin.",
                names=[body, one.joint],
            )
        for two in holes[k + 1 :]:
            if _apart(one, two) < (one.diameter + two.diameter) / 2:
                raise ModelError(
                    f"body {body}: the holes of {one.joint} and {two.joint} overlap",
                    suggestion="Take thinner pins, or one pin for both joints at one point.",
                    names=[body, one.joint, two.joint],
                )


def _apart(one: Hole, two: Hole) -> float:
    """The distance of two holes, of a slot that of its middle line."""
    lines = [np.array([hole.center, hole.end or hole.center], float) for hole in (one, two)]
    return float(segment_distances(lines[0][None, None], lines[1][None, None])[0, 0, 0])
