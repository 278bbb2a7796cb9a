"""Disc, sphere or ellipsoid that rolls on a plane.

What moves:   a round body touches a plane of the first body and rolls on it without slip. The plane may move. With
              `axle` it is a thin disc, with a `tube` as well a wheel whose rim is a torus; with a radius alone a
              sphere; with `semi_axes` an ellipsoid along the axes of the body.
Zero:         none.
Positive:     `axis` is the normal of the plane, in the first body's axes; the body lies on that side.
DOF:          none of its own. Rows: 1 on positions (the height), 2 on velocities (no slip along the plane).
Formula:      n · (P_j − P_i) − h = 0; x_i · (V_j − V_i) = 0; y_i · (V_j − V_i) = 0 at the contact
              C = P_j − Σ (n · a_k) a_k / √Σ (n · a_k)² − c n, with a_k the semi-axes and c the radius of the tube
Forces:       the reaction acts at the contact; `NAME.contact` is the normal force and `NAME.friction_needed` the
              coefficient of friction |T| / N that rolling takes. The contact does not open: a negative one pulls.
Degenerate:   a thin disc that lies flat has no contact point: refused at the start, and a run ends there.
Checked in:   tests/truth/test_rolling_space.py, tests/truth/test_bicycle.py
Source:       Neimark and Fufaev, Dynamics of Nonholonomic Systems (1972), chapters I and III; Meijaard, Papadopoulos,
              Ruina and Schwab, Linearized dynamics equations for the balance and steer of a bicycle (2007)

    [joint.road]
    type = "rolling"
    between = ["ground.O", "disc.C"]
    axis = [0, 0, 1]
    radius = 0.25
    axle = [0, 1, 0]
"""

from collections.abc import Mapping, Sequence
from typing import Any

from mubo.elements.declare import Element, Option, Row
from mubo.errors import ModelError
from mubo.laws.dependent import sqrt

NORMAL = Option("axis", "direction", "normal of the plane, in the first body's axes", example=(0.48, 0.6, 0.64))
AXLE = Option(
    "axle", "direction", "axis of a disc, in the second body's axes; left out, a sphere rolls", required=False
)


def unit_vector(given: Sequence[float]) -> list[float]:
    """A direction at length one."""
    length = sqrt(sum((x * x for x in given), 0.0))
    return [x / length for x in given]


def _across(axle: Sequence[float]) -> tuple[list[float], list[float]]:
    """Two unit vectors square to an axis and to each other."""
    k = min(range(3), key=lambda i: abs(float(axle[i])))
    helper = [float(i == k) for i in range(3)]
    first = unit_vector(_cross(axle, helper))
    return first, _cross(axle, first)


def _cross(a: Sequence[float], b: Sequence[float]) -> list[float]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _semi_axes(options: Mapping[str, Any]) -> dict[str, list[float]]:
    """Semi-axes as vectors in body axes: of a disc two, of a sphere or an ellipsoid three."""
    radius: Any = options.get("radius")
    axle, sizes = options.get("axle"), options.get("semi_axes")
    if (radius is None) == (sizes is None):
        raise ModelError("give either a radius or semi_axes")
    if sizes is not None and (axle is not None or not all(float(size) > 0 for size in sizes)):
        raise ModelError("semi_axes are three positive lengths along the axes of the body, without an axle")
    if axle is not None:
        lines = [[radius * x for x in line] for line in _across(unit_vector(axle))] + [[0.0] * 3]
    else:
        sizes = sizes or (radius,) * 3
        lines = [[sizes[k] * float(i == k) for i in range(3)] for k in range(3)]
    out = {f"semi_axis_{k + 1}": line for k, line in enumerate(lines)}
    return out | {"tube": [options.get("tube") or 0.0]}


SHAPE = ("semi_axis_1", "semi_axis_2", "semi_axis_3", "tube")
ROLLING = Element(
    name="rolling",
    key="between",
    rows=(
        Row("touch", ("point_i", "z_i", "point_j", *SHAPE), ("off the plane",)),
        Row("rolling", ("x_i", "y_i", "z_i", "point_j", *SHAPE), ("slip x", "slip y"), on_velocities=True),
    ),
    options=(
        NORMAL,
        Option("radius", "length", "radius of the disc or sphere", required=False, example=0.3, positive=True),
        AXLE,
        Option("tube", "length", "radius of the rim of a wheel that is a torus", required=False, least=0.0),
        Option(
            "semi_axes", "vector", "semi-axes of an ellipsoid, instead of a radius", required=False, measures="length"
        ),
    ),
    summary="a disc, sphere or ellipsoid that rolls without slip on a plane",
    word="rolling contact",
    glyph="wheel",
    couples=True,
    contact="plane",
    derive=_semi_axes,
)
