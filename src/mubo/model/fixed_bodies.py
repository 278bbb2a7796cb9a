"""Bodies that stand still: the ground, and those that a joint holds where they are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mubo.model.parts import GROUND

if TYPE_CHECKING:
    from mubo.model.definition import Parts


def grounded(model: Parts) -> tuple[str, ...]:
    """Their names, the ground first. Joints of unknown kinds, which are reported elsewhere, hold nothing."""
    joints = (j for j in model.joints.values() if j.kind in model.kinds and j.between)
    return (GROUND, *(j.between[0] for j in joints if model.kinds[j.kind].anchors))
