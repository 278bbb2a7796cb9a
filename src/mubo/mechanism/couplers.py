"""Couplers of joint coordinates as rows of the core: how each coordinate is measured, and the function in pieces."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.geometry.cubic_splines import spline_pieces
from mubo.laws.tangent import listed
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.joint_frames import FOLLOWING, JointMotion, axis_of, joint_motion
from mubo.mechanism.profiles import ProfileArrays
from mubo.model import Joint, ModelDefinition
from mubo.model.coordinates import coordinate_of

MOST_COUNT = 12  # denominator of a ratio whose turns are counted
TURNS = 15  # place of the weight of a turn among the numbers of a coordinate
ORDER = 6  # coefficients of a piece


@dataclass(frozen=True)
class FunctionPieces:
    """A function in pieces of polynomials in (x − knot); the first and the last extend beyond the ends."""

    knots: Array
    coefficients: Array

    @property
    def arrays(self) -> ProfileArrays:
        """Arrays of the core; the period zero is that of a function that has none."""
        return 0.0, self.knots.tolist(), self.coefficients.ravel().tolist()

    def __call__(self, x: Array) -> Array:
        """f, f', f'' at places, one line for each."""
        piece = np.maximum(np.searchsorted(self.knots, x, side="right") - 1, 0)
        away, c = np.asarray(x - self.knots[piece]), self.coefficients[piece]
        powers = np.arange(ORDER)
        first, second = powers * c, powers * (powers - 1) * c
        orders = (c, first[:, 1:], second[:, 2:])
        return np.column_stack([np.sum(part * away[:, None] ** np.arange(part.shape[1]), axis=1) for part in orders])


@dataclass(frozen=True)
class Coupling:
    """A coupler for the core: its four bodies, its numbers, the function, and the count of a ratio m/count."""

    bodies: dict[str, str]
    values: dict[str, list[float]]
    function: FunctionPieces


def coupling_of(model: ModelDefinition, joint: Joint, like: Array) -> Coupling:
    """The coupler of a model; the numbers have derivatives by parameters where those of `like` have."""
    first, second = (_measured(model, name, like) for name in joint.options["of"])
    count = _count(joint.options) if first[2] and second[2] else 1
    bodies = dict(zip("ijkl", (*first[0], *second[0]), strict=True))
    values = {"first": first[1], "second": second[1], "count": [float(count)]}
    return Coupling(bodies, values, coupler_function(joint.options, count if second[2] else 1))


def _measured(model: ModelDefinition, name: str, like: Array) -> tuple[tuple[str, str], list[float], bool]:
    """Bodies and numbers by which the core measures a joint coordinate, and whether it is a turn."""
    joint, number = coordinate_of(model, name)
    stack = joint_motion(model, joint, like)
    turns = stack.dofs[number].kind != "slide"
    swapped, base, toward, arm = stack.measured_by(number) if turns else (False, *_across(stack, number))
    ends = [(stack.first, stack.at), (stack.second, stack.on)]
    (one, at), (other, on) = ends[::-1] if swapped else ends
    numbers = [number for vector in (at, base, toward, on, arm) for number in listed(vector)]
    return (one, other), [*numbers, float(turns), float(not turns)], turns


def _across(stack: JointMotion, number: int) -> tuple[Array, Array, Array]:
    """Two axes of the first body square to a slide, and one of the second."""
    b = FOLLOWING[stack.dofs[number].axis]
    return stack.F @ axis_of(b), stack.F @ axis_of(FOLLOWING[b]), stack.G @ axis_of(b)


def _count(options: Mapping[str, Any]) -> int:
    """n of a ratio m/n; 1 where it is no such fraction, or where the coordinates are not proportional."""
    if "polynomial" in options or "points" in options:
        return 1
    ratio = float(options.get("ratio", 1.0))
    near = Fraction(ratio).limit_denominator(MOST_COUNT)
    return near.denominator if abs(float(near) - ratio) <= 1e-12 * abs(ratio) else 1


def coupler_function(options: Mapping[str, Any], count: int = 1) -> FunctionPieces:
    """The second coordinate as a function of the first, times `count`."""
    if "points" in options:
        knots, pieces = spline_pieces(np.array(options["points"], float))
        return FunctionPieces(knots, np.pad(pieces, ((0, 0), (0, ORDER - pieces.shape[1]))))
    given = options.get("polynomial", (options.get("offset", 0.0), options.get("ratio", 1.0)))
    coefficients = np.zeros((1, ORDER))
    coefficients[0, : len(given)] = np.array(given, float) * count
    return FunctionPieces(np.zeros(1), coefficients)
