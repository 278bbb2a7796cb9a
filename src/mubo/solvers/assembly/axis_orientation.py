"""Spatial joints whose equations hold with a reversed axis: perpendicularity does not depend on the sense."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import matrix
from mubo.mechanism import Absolute
from mubo.mechanism.joint_frames import joint_motion
from mubo.model import GROUND


def reversed_joints(form: Absolute, q: Array) -> tuple[str, ...]:
    """Joints whose axes are perpendicular as required but reversed, which the equations cannot distinguish."""
    model = form.model
    if model.dimension == 2:
        return ()
    A = {name: matrix(pose[3:]) for name, pose in zip(form.free, q.reshape(-1, 7), strict=True)}
    A[GROUND] = np.eye(3)
    backwards = []
    for joint in model.joints.values():
        element = model.kinds[joint.kind]
        for stack in (joint_motion(model, arm) for arm in joint.arms if element.rows and element.hinge):
            along = np.sum((A[stack.first] @ stack.F) * (A[stack.second] @ stack.G), axis=0)
            backwards += [joint.name] * any(along["xyz".index(letter)] < 0.5 for letter in stack.parallel)
    return tuple(dict.fromkeys(backwards))
