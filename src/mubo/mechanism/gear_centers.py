"""Whether the axes of two gears are as far apart as their pitch radii ask for.

The pitch circles of two wheels touch: the axes are r_i + r_j apart on the body that carries them, of an internal mesh
|r_j − r_i|, with r = m z/2 by module and teeth. Teeth with profile shift run at another distance, with the same ratio:
so another one is noted and not refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from mubo.elements.plane.couplings.gears import pitch_radii
from mubo.model import GROUND, ModelDefinition
from mubo.model.parts import Vector
from mubo.note import Note

CLOSE = 1e-6  # of the distance


def center_distance_notes(model: ModelDefinition) -> Iterator[Note]:
    """Notes on gear pairs whose axes are not where their pitch circles touch."""
    for joint in model.joints.values():
        if not model.kinds[joint.kind].meshes:
            continue
        carrier = joint.options.get("carrier") or GROUND
        one, two = (_axis_on_carrier(model, wheel, carrier) for wheel in joint.between)
        if one is None or two is None:
            continue
        apart, (first, second) = math.dist(one, two), (float(r) for r in pitch_radii(joint.options))
        wanted = abs(first - second) if joint.options.get("mesh") == "internal" else first + second
        if abs(apart - wanted) > CLOSE * wanted:
            teeth = joint.options.get("mesh", "external") if "teeth" in joint.options else ""
            where = {"apart": apart, "wanted": wanted, "teeth": teeth, "units": model.units}
            yield Note("mechanism.axes_apart", joint=joint.name, **where)


def _axis_on_carrier(model: ModelDefinition, wheel: str, carrier: str) -> Vector | None:
    """The axis of a wheel in the axes of its carrier: a pin of both, or pins of both on one axis of a third body."""
    pins = [
        {reference.partition(".")[0]: model.place(reference)[1] for reference in joint.between}
        for joint in model.joints.values()
        if model.kinds[joint.kind].coordinate == "angle" and model.kinds[joint.kind].ends == "point"
    ]
    for pin in pins:
        if wheel in pin and carrier in pin:
            return pin[carrier]
    for one in (pin for pin in pins if wheel in pin):
        for two in (pin for pin in pins if carrier in pin):
            for body in one.keys() & two.keys():
                if one[body] == two[body]:
                    return two[carrier]
    return None
