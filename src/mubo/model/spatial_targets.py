"""What a driver of a spatial model drives: a joint coordinate, the distance of two points, or x, y, z of a point."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mubo.elements import driver_of
from mubo.errors import ModelError, nearest
from mubo.model.coordinates import coordinate_of, freedoms_of
from mubo.model.targets import Of, Target, point_of

if TYPE_CHECKING:
    from mubo.model.model import Parts


def spatial_target_of(model: Parts, of: Of) -> Target:
    """The target of a driver; raises ModelError with the nearest right word."""
    if isinstance(of, tuple):
        if len(of) != 2:
            raise ModelError(f"between needs 2 points; found {len(of)}")
        (first, at), (second, on) = (point_of(model, reference) for reference in of)
        if first == second:
            raise ModelError(f'both points are on "{first}": their distance cannot change')
        return Target(driver_of(3, "distance"), (first, second), (at, on))
    head, _, tail = of.partition(".")
    if head in model.joints:
        return _joint(model, of)
    if head in model.bodies and tail in ("x", "y", "z"):
        return Target(driver_of(3, "place"), (head,), ((0.0, 0.0, 0.0),), tail)
    name, _, picked = of.rpartition(".")
    if picked in ("x", "y", "z") and (head in model.points or head in model.bodies):
        body, at = point_of(model, name)
        return Target(driver_of(3, "place"), (body,), (at,), picked)
    if head in model.bodies:
        raise ModelError(f'"{of}" is not a coordinate of a body: write "{head}.x", or "{head}.POINT.x"')
    known = [*model.joints, *model.bodies, *model.points]
    raise ModelError(f'there is no joint or body "{head}". {nearest(head, known)}')


def _joint(model: Parts, of: str) -> Target:
    joint, number = coordinate_of(model, of)
    freedoms = freedoms_of(model, joint)
    if any(freedom.kind == "ball" for freedom in freedoms[: number + 1]):
        raise ModelError(
            f'joint "{joint.name}" turns about a ball: its angles cannot be driven; use a distance of points'
        )
    freedom = freedoms[number]
    (first, at), (second, on) = (point_of(model, reference) for reference in joint.between)
    return Target(driver_of(3, freedom.kind), (first, second), (at, on), freedom.axis, joint=joint.name, number=number)
