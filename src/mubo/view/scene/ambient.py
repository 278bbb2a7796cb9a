"""Plane and space: everything in which a drawing of the one differs from the other by a number or a name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.lazy_dataclass import dataclass

LEAST, MOST = 1e-30, 1e30


def require_drawable(size: float, far: Iterable[tuple[str, float]]) -> float:
    """The size of what is drawn, if it can be; `far` has words for what may be the cause, with how far it lies."""
    if LEAST <= size <= MOST:
        return size
    words, distance = max(far, key=lambda entry: entry[1], default=("the mechanism", size))
    raise ResultError(
        f"this cannot be drawn: it is {size:g} long, pictures are {LEAST:g} to {MOST:g}; {words} is {distance:g} away",
        numbers={"size": size},
        suggestion="Check its unit. Tables of the result can be written all the same.",
    )


@dataclass(frozen=True, eq=False)
class DrawingAmbient:
    """The plane or space of a drawing. Sizes of glyphs are multiples of `thick`, half the width of a link."""

    solid: bool  # whether shapes have a direction out of the plane
    standing: Array  # pose of what does not move
    main: int  # the axis of a joint's frame along which it slides or about which it turns
    thick: tuple[float, float, float]  # of a typical body's length; at least and at most of the whole motion
    pin: float  # radius
    bead: float  # largest radius of the glyph of a joint that turns in all directions: a pin in the plane
    turn: float  # radius of the arrow around a joint
    stand: tuple[float, float]  # height: of thick, and at least of the whole motion
    block: tuple[float, ...]  # sides of what slides
    clear: float  # how far names of bodies keep away from them

    @property
    def along(self) -> Array:
        """Direction of the main axis."""
        return np.asarray(np.eye(3 if self.solid else 2)[self.main])

    def about(self, axis: Array) -> dict[str, Any]:
        """The axis of a shape; in the plane there is only one."""
        return {"axis": axis} if self.solid else {}


PLANE = DrawingAmbient(
    solid=False,
    standing=np.zeros(3),
    main=0,
    thick=(0.0375, 0.0042, 0.0105),
    pin=0.72,
    bead=0.72,
    turn=2.2,
    stand=(3.4, 0.026),
    block=(6.0, 3.2),
    clear=1.0,
)
SPACE = DrawingAmbient(
    solid=True,
    standing=np.array([0.0, 0, 0, 1, 0, 0, 0]),
    main=2,
    thick=(0.06, 0.006, 0.011),
    pin=1.5,
    bead=2.0,
    turn=3.0,
    stand=(6.0, 0.0),
    block=(3.6, 3.2, 6.0),
    clear=1.6,
)
AMBIENTS = {2: PLANE, 3: SPACE}
