"""Whether the axes of two gears, or of a Geneva drive, are as far apart as their sizes ask for.

The pitch circles of two wheels touch: the axes are r_i + r_j apart on the body that carries them, of an internal mesh
|r_j − r_i|, with r = m z/2 by module and teeth. Teeth with profile shift run at another distance, with the same ratio:
so another one is noted and not refused.

The pin of a Geneva drive enters a slot along it where its crank is c sin(π/n) long, c the distance of the axes. With
another length the wheel would jump at the mouth of every slot: what rounding of drawings leaves is noted, more refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from mubo.elements.plane.couplings.gears import pitch_radii
from mubo.errors import ModelError
from mubo.model import GROUND, Joint, ModelDefinition
from mubo.model.parts import Vector
from mubo.note import Note

CLOSE = 1e-6  # of the distance
ROUNDED = 1e-3  # of the length of a crank


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


def geneva_notes(model: ModelDefinition) -> Iterator[Note]:
    """Notes on Geneva drives whose crank is a little too long or too short."""
    for joint in model.joints.values():
        length, wanted = _crank_of(model, joint)
        if abs(length - wanted) > CLOSE * wanted:
            yield Note("mechanism.crank_of_geneva", joint=joint.name, length=length, wanted=wanted, units=model.units)


def require_fitting_crank(model: ModelDefinition, joint: Joint) -> None:
    """Refuses a Geneva drive whose pin misses the mouths of the slots."""
    length, wanted = _crank_of(model, joint)
    if abs(length - wanted) > ROUNDED * wanted:
        unit = f" {model.units.unit_of('length')}".rstrip()
        raise ModelError(
            f"joint {joint.name}: its crank is {length:.6g}{unit} long: the pin would run into the side of a slot",
            suggestion=f"Place the pin {wanted:.6g}{unit} from its axis: the distance of the axes times sin(π/slots).",
            names=[joint.name],
        )


def _crank_of(model: ModelDefinition, joint: Joint) -> tuple[float, float]:
    """The length of a crank, and that with which its pin enters a slot; zeros where there is no pin or no distance."""
    if "pin" not in joint.options:
        return 0.0, 0.0
    crank, wheel = (reference.partition(".")[0] for reference in joint.between)
    axes = ((_axis_on_carrier(model, crank, body), _axis_on_carrier(model, wheel, body)) for body in model.bodies)
    apart = next((math.dist(one, two) for one, two in axes if one is not None and two is not None), 0.0)
    if not apart:
        return 0.0, 0.0
    length = math.dist(joint.options["pin"], model.place(joint.between[0])[1])
    return length, apart * math.sin(math.pi / joint.options.get("slots", 4.0))


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
