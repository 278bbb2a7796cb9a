"""Where plates are drawn: side by side on a sheet, or as the mechanism has them at one instant, in layers.

Layers of an assembly are those of [outline.BODY]. Other bodies take the lowest layer in which they meet no body that is
joined to them or lies over them at that instant. A pin reaches through the layers of the bodies that it joins; of the
ground into a base below all of them, as deep as the thinnest plate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mubo.analyses.kinematics import kinematics
from mubo.applications.clearance.distances import inside_rings, segment_distances
from mubo.applications.workshop.plates import Plate
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.geometry.contours import Contour, offset_contour
from mubo.lazy_dataclass import dataclass
from mubo.model import GROUND, ModelDefinition
from mubo.quantities.output_times import OutputTimes

GAP = 0.05  # of the largest part: between two parts
NEAR = 1e-9  # of the largest part: pins that stand at one place are one
WITHIN = 1e-3  # of a radius: chords of arcs where layers are looked for


@dataclass(frozen=True, eq=False)
class PlacedPlate:
    """A plate in a drawing or an assembly: turned, shifted, and the height of its lower face."""

    plate: Plate
    shift: Array
    angle: float = 0.0
    bottom: float = 0.0

    @property
    def contour(self) -> Contour:
        """Its contour as placed."""
        return self.plate.contour.transformed(self.angle, self.shift)

    @property
    def cuts(self) -> list[Contour]:
        """The edges of its holes as placed."""
        return [hole.contour.transformed(self.angle, self.shift) for hole in self.plate.holes]


@dataclass(frozen=True, eq=False)
class _PinSpan:
    """A pin: its name, after its joint, its centre, diameter and ends."""

    name: str
    at: Array
    diameter: float
    low: float
    high: float

    def meets(self, other: _PinSpan, near: float) -> bool:
        """Whether another pin stands at the same place."""
        return float(np.linalg.norm(self.at - other.at)) <= near

    def joined(self, others: Sequence[_PinSpan]) -> _PinSpan:
        """One pin in place of several."""
        all_of = [*others, self]
        return _PinSpan(
            all_of[0].name,
            self.at,
            max(one.diameter for one in all_of),
            min(one.low for one in all_of),
            max(one.high for one in all_of),
        )

    @property
    def placed(self) -> PlacedPlate:
        """The pin as a disc."""
        disc = offset_contour(np.zeros((1, 2)), self.diameter / 2)
        return PlacedPlate(Plate(self.name, disc, (), self.high - self.low), self.at, 0.0, self.low)


def side_by_side(plates: Sequence[Plate]) -> list[PlacedPlate]:
    """Rows from the left, about as wide as they are high together."""
    boxes = [plate.contour.box for plate in plates]
    sizes = np.array([high - low for low, high in boxes])
    gap = GAP * float(sizes.max())
    wide = max(float(sizes[:, 0].max()), float(np.sqrt(np.sum(np.prod(sizes + gap, axis=1)))) * 1.4)
    out, x, y, tall = [], gap, gap, 0.0
    for plate, (low, _), size in zip(plates, boxes, sizes, strict=True):
        if x > gap and x + size[0] > wide:
            x, y, tall = gap, y + tall + gap, 0.0
        out.append(PlacedPlate(plate, np.array([x, y]) - low))
        x, tall = x + float(size[0]) + gap, max(tall, float(size[1]))
    return out


def assembled(model: ModelDefinition, plates: Sequence[Plate], time: float) -> list[PlacedPlate]:
    """The plates where the prescribed motion has their bodies at a time."""
    run = kinematics(model, OutputTimes(time, time, 1.0, (time,)))
    raw = run.columns.raw
    placed = [
        PlacedPlate(
            plate,
            np.array([raw(f"{plate.body}.x")[0], raw(f"{plate.body}.y")[0]]),
            float(raw(f"{plate.body}.phi")[0]),
        )
        for plate in plates
    ]
    layers = _layers(model, placed)
    high = _heights(plates, layers)
    laid = [PlacedPlate(one.plate, one.shift, one.angle, high[layers[one.plate.body]]) for one in placed]
    return [*laid, *_pins(model, laid)]


def _pins(model: ModelDefinition, laid: Sequence[PlacedPlate]) -> list[PlacedPlate]:
    """The pins as discs as high as the plates that they join; one for all joints at one place."""
    plates = {one.plate.body: one for one in laid}
    depth = min((one.plate.thickness or 0.0 for one in laid), default=0.0)
    near = NEAR * max(float(np.ptp(one.contour.box, axis=0).max()) for one in laid)
    found: list[_PinSpan] = []
    for name, joint in model.joints.items():
        ends = [end.partition(".")[::2] for end in joint.between]
        drilled = [hole.diameter for one in laid for hole in one.plate.holes if hole.joint == name]
        places = [
            _place_of(model, plates, *end) for end in reversed(ends)
        ]  # the pin of a slot is that of the last body
        if not drilled or places[0] is None:
            continue
        here = [plates[body] for body, _ in ends if body in plates]
        spans = [(one.bottom, one.bottom + (one.plate.thickness or 0.0)) for one in here]
        spans += [(-depth, 0.0)] * (len(here) < len(ends) and GROUND in [body for body, _ in ends])
        word = name if name.startswith("pin") and name not in model.bodies else f"pin_{name}"
        new = _PinSpan(word, places[0], max(drilled), min(low for low, _ in spans), max(high for _, high in spans))
        found = [
            *(one for one in found if not one.meets(new, near)),
            new.joined([one for one in found if one.meets(new, near)]),
        ]
    return [one.placed for one in found]


def _place_of(model: ModelDefinition, plates: Mapping[str, PlacedPlate], body: str, point: str) -> Array | None:
    """Where a point of the ground or of a plate is; None of a body that is none."""
    at = np.array(model.bodies[body].points[point], float)
    if body == GROUND:
        return at
    one = plates.get(body)
    if one is None:
        return None
    c, s = np.cos(one.angle), np.sin(one.angle)
    return np.asarray(np.array([[c, -s], [s, c]]) @ at + one.shift)


def _heights(plates: Sequence[Plate], layers: Mapping[str, float]) -> dict[float, float]:
    """The height of every layer: each is as thick as its thickest plate."""
    out, high = {}, 0.0
    for layer in sorted(set(layers.values())):
        out[layer] = high
        high += max((plate.thickness or 0.0) for plate in plates if layers[plate.body] == layer)
    return out


def _layers(model: ModelDefinition, placed: Sequence[PlacedPlate]) -> dict[str, float]:
    """The layer of every body; refuses bodies whose stated layer lets them overlap."""
    joined = {
        frozenset(end.partition(".")[0] for end in joint.between)
        for joint in model.joints.values()
        if len(joint.between) > 1
    }
    rings = {one.plate.body: one.contour.corners(WITHIN * _least_radius(one.contour)) for one in placed}

    def meet(one: str, two: str) -> bool:
        return any({one, two} <= pair for pair in joined) or _overlap(rings[one], rings[two])

    out: dict[str, float] = {}
    for plate in sorted((one.plate for one in placed), key=lambda plate: plate.layer is None):
        against = {out[other] for other in out if meet(plate.body, other)}
        if plate.layer is None:
            out[plate.body] = next(float(k) for k in range(len(placed)) if k not in against)
        elif plate.layer in against:
            other = next(name for name in out if out[name] == plate.layer and meet(plate.body, name))
            raise ModelError(
                f"body {plate.body} and body {other} overlap in layer {plate.layer:g}",
                suggestion=f"Give [outline.{plate.body}] another layer.",
                names=[plate.body, other],
            )
        else:
            out[plate.body] = plate.layer
    return out


def _least_radius(contour: Contour) -> float:
    low, high = contour.box
    return min((arc.radius for arc in contour.arcs), default=float(np.max(high - low)))


def _overlap(one: Array, two: Array) -> bool:
    edges = [np.stack([ring, np.roll(ring, -1, axis=0)], axis=1)[None] for ring in (one, two)]
    if np.any(segment_distances(*edges) <= 0):
        return True
    return bool(inside_rings(one[:1], two[None])[0] or inside_rings(two[:1], one[None])[0])
