"""Toothed wheels in space: pitch point, directions and numbers of teeth of bevel gears and of worm gears.

Two shafts with axes a through C turn in bearings of one body, the carrier, in whose axes everything here is. At the
pitch point P the teeth push along a unit vector n, and part the wheels along a unit vector m, square to n:

bevel gears   the axes meet in O; d points from O to a wheel, cos Σ = d_1 · d_2, tan δ_1 = sin Σ/(z_2/z_1 + cos Σ);
              P = O + r_1/sin δ_1 (cos δ_1 d_1 + sin δ_1 w), w in the plane of both square to d_1; n is square to the
              plane, m in it square to the pitch line O P, from wheel 2 to wheel 1
worm gear     c points from F_1 to F_2, the feet of the common perpendicular of length a: P = F_1 + r_1 c,
              r_2 = a − r_1; n = cos λ a_1 − h sin λ a_1 × c, h = ±1 the hand; m = −c. From z_1 ω_1 = ± z_2 ω_2 with
              the same speed of both teeth along n, tan λ = (z_1/z_2) r_2 |S|/(r_1 ± (z_1/z_2) r_2 a_1 · a_2),
              S = c · (a_1 × a_2) and the sign that of h S

With b_k = n · (a_k × (P − C_k)) the row is b_1 ω_1 = b_2 ω_2 (core/rows/space/tooth.hpp).
Source: Budynas and Nisbett, Shigley's Mechanical Engineering Design (2015), chapter 13.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.laws.tangent import listed, value_of
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.joint_frames import joint_motion
from mubo.model import Joint, ModelDefinition

CLOSE = 1e-6  # of a length or a sine
MEET = 1e-3  # of a length: axes that pass each other so closely are rounded


@dataclass(frozen=True)
class Shaft:
    """A wheel in its bearing: axes x, y, z and centre in the carrier, and axis x, axis z and centre in the wheel."""

    body: str
    carrier: str
    axes: Array
    center: Array
    own_axes: Array
    own_center: Array
    is_second: bool  # the wheel is the second body of its bearing, whose coordinate is then its own turn

    @property
    def axis(self) -> Array:
        return self.axes[:, 2]


@dataclass(frozen=True)
class ToothContact:
    """The teeth at the pitch point, in axes of the carrier."""

    shafts: tuple[Shaft, Shaft]
    point: Array
    push: Array  # n
    part: Array  # m
    lead_angle: float = 0.0  # of a worm

    @property
    def levers(self) -> tuple[Any, Any]:
        """b of both wheels: the speed of a tooth along n per rate of its wheel."""
        one, two = (_dot(self.push, np.cross(s.axis, self.point - s.center)) for s in self.shafts)
        return one, two


def tooth_contact(model: ModelDefinition, joint: Joint, like: Array | None = None) -> ToothContact:
    """Pitch point and directions of a pair of wheels; they have derivatives by parameters where `like` has some."""
    one, two = (
        _shaft(model, name, end.partition(".")[0], like)
        for name, end in zip(joint.options["of"], joint.between, strict=True)
    )
    try:
        return PAIRS[model.kinds[joint.kind].on_shafts](joint, (one, two))
    except ModelError as error:
        raise ModelError(f"joint {joint.name}: {error}", names=[joint.name]) from None


def tooth_values(model: ModelDefinition, joint: Joint, like: Array) -> tuple[dict[str, str], dict[str, list[Any]]]:
    """Bodies and numbers of the row of a pair of wheels."""
    teeth, contact = joint.options["teeth"], tooth_contact(model, joint, like)
    signed = [
        z * sign * float(np.sign(value_of(b))) for z, sign, b in zip(teeth, (1.0, -1.0), contact.levers, strict=True)
    ]
    values: dict[str, list[Any]] = {}
    for word, shaft, z in zip(("first", "second"), contact.shafts, signed, strict=True):
        lever = np.cross(contact.point - shaft.center, contact.push)
        vectors = (shaft.axes[:, 0], shaft.axes[:, 1], shaft.center, lever)
        own = (shaft.own_axes[:, 0], shaft.own_axes[:, 2], shaft.own_center)
        values[word] = [x for vector in (*vectors, *own) for x in listed(vector)] + [z]
    start = joint.options.get("phase", 0.0) * (1.0 if contact.shafts[1].is_second else -1.0)
    scale = abs(contact.levers[0]) / float(teeth[0])
    values["mesh"] = [*listed(contact.push), signed[1] * start, *listed(np.stack([scale]))]
    bodies = (*(shaft.body for shaft in contact.shafts), contact.shafts[0].carrier)
    return dict(zip("ijk", bodies, strict=True)), values


def _shaft(model: ModelDefinition, name: str, wheel: str, like: Array | None) -> Shaft:
    """A wheel in its bearing, whose other body is the carrier."""
    stack = joint_motion(model, model.joints[name], like)
    ends = [(stack.first, stack.F, stack.at), (stack.second, stack.G, stack.on)]
    second = stack.second == wheel
    (carrier, axes, center), (body, own_axes, own_center) = ends if second else ends[::-1]
    return Shaft(body, carrier, axes, center, own_axes, own_center, second)


def _bevel(joint: Joint, shafts: tuple[Shaft, Shaft]) -> ToothContact:
    one, two = shafts
    feet = _feet(shafts)
    reach = max(_size(one.center - two.center), float(joint.options["radius"]))
    apart = _size(feet[0] - feet[1])
    if apart > MEET * reach:
        raise ModelError(
            f"the axes of its bearings pass each other at a distance of {apart:.4g}. Let them meet, or use a worm_gear."
        )
    apex = feet[0]
    d, e = (_away(shaft, apex, reach) for shaft in shafts)
    along = _dot(d, e)
    across = e - along * d
    sine = np.sqrt(_dot(across, across))
    across = across / sine
    z, Z = joint.options["teeth"]
    cone = np.arctan2(sine, Z / z + along)
    pitch_line = np.cos(cone) * d + np.sin(cone) * across
    point = apex + joint.options["radius"] / np.sin(cone) * pitch_line
    return ToothContact(shafts, point, np.cross(d, across), np.sin(cone) * d - np.cos(cone) * across)


def _away(shaft: Shaft, apex: Array, reach: float) -> Array:
    """Unit vector along an axis from where the axes meet to the wheel; along the axis where the wheel is there."""
    arm = shaft.center - apex
    length = np.sqrt(_dot(arm, arm))
    return arm / length if float(value_of(length)) > CLOSE * reach else shaft.axis


def _worm(joint: Joint, shafts: tuple[Shaft, Shaft]) -> ToothContact:
    one, two = shafts
    feet = _feet(shafts)
    between = feet[1] - feet[0]
    apart = np.sqrt(_dot(between, between))
    radius = joint.options["radius"]
    if float(value_of(apart)) <= float(value_of(radius)):
        raise ModelError(
            f"the axes of its bearings pass each other at a distance of {float(value_of(apart)):.4g}, which is not "
            f"above the radius {float(value_of(radius)):.4g} of the worm. Move the bearings apart."
        )
    c, other = between / apart, apart - radius
    z, Z = joint.options["teeth"]
    sine = _dot(c, np.cross(one.axis, two.axis))
    hand = -1.0 if joint.options.get("hand") == "left" else 1.0
    sense = hand * float(np.sign(value_of(sine)))
    tangent = (z / Z) * other * abs(sine) / (radius + sense * (z / Z) * other * _dot(one.axis, two.axis))
    if not float(value_of(tangent)) > 0:
        raise ModelError("no thread of this hand drives such teeth between these axes. Take the other hand.")
    lead = np.arctan(tangent)
    push = np.cos(lead) * one.axis - hand * np.sin(lead) * np.cross(one.axis, c)
    return ToothContact(shafts, feet[0] + radius * c, push, -c, float(value_of(lead)))


def _feet(shafts: tuple[Shaft, Shaft]) -> tuple[Array, Array]:
    """The points of two axes that are nearest to each other."""
    one, two = shafts
    normal = np.cross(one.axis, two.axis)
    square = _dot(normal, normal)
    if float(value_of(square)) < CLOSE**2:
        raise ModelError("the axes of its bearings are parallel. Let them meet or cross.")
    gap = two.center - one.center
    first, second = (_dot(np.cross(gap, axis), normal) / square for axis in (two.axis, one.axis))
    return one.center + first * one.axis, two.center + second * two.axis


PAIRS = {"meet": _bevel, "cross": _worm}


def _dot(a: Array, b: Array) -> Any:
    return np.sum(a * b)


def _size(vector: Array) -> float:
    return float(np.linalg.norm(value_of(vector)))
