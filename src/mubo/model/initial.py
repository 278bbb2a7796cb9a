"""Initial conditions of joints and bodies, from what users write to what mubo holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.model.coordinates import holds_of
from mubo.model.options import read_orientation, read_vector, unit_quaternion
from mubo.model.parts import GROUND, Initial, InitialBody, Parts


def initial_of_joint(model: Parts, joint: str, q: Any, v: Any) -> Initial:
    """Coordinates and rates of a joint, angles in the model's unit."""
    if joint not in model.joints:
        known = [*model.joints, *model.bodies]
        raise ModelError(f'there is no joint "{joint}", which alone has q and v. {nearest(joint, known)}')
    position, rate = _state(model, joint, q, False), _state(model, joint, v, True)
    holds = holds_of(model, model.joints[joint])
    at = 0
    while position and "number" in holds[at:]:  # four numbers for each ball without Euler angles
        at = holds.index("number", at)
        position = (*position[:at], *unit_quaternion(position[at : at + 4]), *position[at + 4 :])
        at += 4
    return Initial(joint, position, rate)


def _state(model: Parts, joint: str, given: Any, rates: bool) -> tuple[float, ...]:
    """Numbers of a joint's coordinates or rates, as mubo holds them."""
    given = given.tolist() if hasattr(given, "tolist") else given
    values = list(given) if isinstance(given, list | tuple) else [given]
    holds = holds_of(model, model.joints[joint], rates)
    if values and len(values) != len(holds):
        what = f"{'v' if rates else 'q'} of a {model.joints[joint].kind} joint"
        raise ModelError(f"{what} needs {len(holds)} number{'s' * (len(holds) != 1)}; found {len(values)}")
    per = "/time" if rates else ""
    return tuple(model.units.read(x, kind + per) for x, kind in zip(values, holds, strict=False))


def initial_of_body(
    model: Parts,
    body: str,
    position: Any = None,
    orientation: Any = None,
    velocity: Any = None,
    omega: Any = None,
    angle: Any = None,
) -> InitialBody:
    """Place, orientation (in the plane angle), velocity of the origin and angular velocity of a body; ground axes."""
    flat = model.dimension == 2
    if (orientation if flat else angle) is not None:
        raise ModelError(f'a body of {"the plane" if flat else "space"} has "{"angle" if flat else "orientation"}"')
    if body not in model.bodies:
        raise ModelError(f'there is no body "{body}". {nearest(body, [*model.bodies, *model.joints])}')
    if body == GROUND:
        raise ModelError("the ground is fixed at the origin: it has no initial conditions")

    def vector(name: str, value: Any, holds: str) -> tuple[float, ...]:
        try:
            return () if value is None else read_vector(model.units, value, holds, model.dimension)
        except ModelError as error:
            raise ModelError(f"{name}: {error}") from None

    return InitialBody(
        body,
        vector("position", position, "length"),
        () if orientation is None else read_orientation(model.units, orientation),
        vector("velocity", velocity, "length/time"),
        _omega(model, omega, vector),
        None if angle is None else model.units.read(angle, "angle"),
    )


def _omega(model: Parts, omega: Any, vector: Callable[[str, Any, str], tuple[float, ...]]) -> tuple[float, ...]:
    """In the plane one number."""
    if model.dimension == 3 or omega is None:
        return vector("omega", omega, "angle/time")
    one = omega[0] if isinstance(omega, list | tuple) and len(omega) == 1 else omega
    return (model.units.read(one, "angle/time"),)
