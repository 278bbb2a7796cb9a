"""Frames of joints: their positions on both bodies, and the axes that rows and trees are built from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import about, frame_about, frame_of, matrix
from mubo.laws.tangent import beside
from mubo.lazy_dataclass import dataclass
from mubo.model import Joint, ModelDefinition
from mubo.model.coordinates import axis_of

PLACE = "place"  # how a vector is carried over to other axes: as a place, and not as a direction


@dataclass(frozen=True)
class JointFrame:
    """A joint's frame on one body: its position and, as columns, its axes x, y, z in body axes."""

    body: str
    at: Array
    axes: Array


def axes_of(joint: Joint, like: Array | None = None) -> Array:
    """Axes of a joint's frame on its first body, as columns: z along `axis`, with `along` x along that; x and y along
    the two `axes` of a universal joint."""
    options = joint.options
    if "along" in options:
        x, y, z = frame_of(beside(like, options["axis"]), beside(like, options["along"])).T
        return np.column_stack([y, z, x])
    if "axis" in options:
        return frame_about(beside(like, options["axis"]))
    return frame_of(*beside(like, options["axes"])) if "axes" in options else np.eye(3)


def frames_of(
    model: ModelDefinition, joint: Joint, angle: float = 0.0, like: Array | None = None
) -> tuple[JointFrame, JointFrame]:
    """The frames on the first and on the second body; they coincide where the joint's coordinates are zero.

    On the second body the axes are turned back by `zero`, the orientation of the second body in the first. A joint of
    the plane lies in z = 0, with x along its axis; `angle` is what it fixes of the second body's turn in the first.
    Numbers have derivatives by parameters where those of `like` have.
    """
    if model.dimension == 2:
        return _in_plane(model, joint, angle)
    on_first = axes_of(joint, like)
    turned = matrix(beside(like, joint.options.get("zero", (1.0, 0.0, 0.0, 0.0))))
    (first, at), (second, on) = (model.place(reference) for reference in joint.between)
    return JointFrame(first, beside(like, at), on_first), JointFrame(second, beside(like, on), turned.T @ on_first)


def plane_rotation(angle: float) -> Array:
    """Rotation matrix of an angle in the plane z = 0."""
    return matrix(about(np.array([0.0, 0.0, 1.0]), np.array(angle)))


def _in_plane(model: ModelDefinition, joint: Joint, angle: float) -> tuple[JointFrame, JointFrame]:
    x, y = axis_of(model, joint)
    on_first = plane_rotation(float(np.arctan2(y, x)))
    (first, at), (second, on) = (model.place(reference) for reference in joint.between)
    return JointFrame(first, np.array([*at, 0.0]), on_first), JointFrame(
        second, np.array([*on, 0.0]), plane_rotation(-angle) @ on_first
    )


def frame_angle(frame: JointFrame) -> float:
    """Angle of a frame in the plane."""
    return float(np.arctan2(frame.axes[1, 0], frame.axes[0, 0]))


def in_link_axes(how: str, values: Sequence[float] | Array, frame: JointFrame | None) -> list[float]:
    """Numbers in the axes of a link: of a point, or of a direction."""
    if frame is None:
        return list(values)
    vector = np.array(values) - frame.at if how == PLACE else np.array(values)
    return [float(x) for x in frame.axes.T @ vector]
