"""Where the reactions of a run act: what pictures and reports need to place the arrows of its force columns."""

from __future__ import annotations

from dataclasses import dataclass

from mubo.arrays import Array
from mubo.model.parts import Vector


@dataclass(frozen=True)
class Place:
    """A reaction: the columns "A.on_crank.…" are exerted by `others` on `body`, at `point` of `carrier` (in its axes).

    The joint point is that of the second body: of a pin it is the common point, of a slide it moves with the rod.
    """

    joint: str
    body: str
    others: tuple[str, ...]
    carrier: str  # the body in whose axes the point stands still
    point: Vector

    @property
    def owner(self) -> str:
        """The owner of its columns."""
        return f"{self.joint}.on_{self.body}"


@dataclass(frozen=True)
class ForceRecord:
    """How the forces of a run were found: where reactions act, and what decided those that are not unique."""

    places: tuple[Place, ...]
    length_scale: float  # of the minimum norm, in the model's unit of length
    sharing: tuple[tuple[str, ...], ...] = ()  # joints that share what is indeterminate
    # What self-stress exerts, rows × places × components × its directions: a component without a part of it is unique.
    open: Array | None = None
