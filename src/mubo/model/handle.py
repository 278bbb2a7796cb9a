"""A body in the hands of a builder, to name its points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mubo.model.geometry_from_lengths import kept_figure, with_figure
from mubo.model.parts import Vector

if TYPE_CHECKING:
    from mubo.model.builder import Builder


class BodyHandle:
    """A body in the hands of a builder: `model.ground`, or what `model.body` answers.

    >>> model = mubo.Model("bench")
    >>> crank = model.body("crank")
    >>> crank.point("A", (0, 0))
    """

    def __init__(self, builder: Builder, name: str) -> None:
        self._builder, self.name = builder, name

    def __repr__(self) -> str:
        return f"body {self.name} with the points {', '.join(self.points) or 'none'}"

    @property
    def points(self) -> Mapping[str, Vector]:
        """Its points by name, in its own axes.

        >>> list(mubo.load("four_bar.toml").ground.points)
        ['A', 'D']
        """
        return self._builder.bodies[self.name].points

    def point(self, name: str, at: Sequence[float]) -> None:
        """Names a point of the body, in its own axes.

        >>> model = mubo.Model("bench")
        >>> model.ground.point("A", (0, "20 mm"))
        >>> model.ground.points["A"]
        (0.0, 0.02)
        """
        body = self._builder.bodies[self.name]
        points = {**body.points, name: self._builder.vector(at)}
        self._builder.bodies[self.name] = replace(body, points=points)

    def figure(
        self,
        lengths: Mapping[str, float | str],
        angles: Mapping[str, float | str] | None = None,
        right: Sequence[str] = (),
    ) -> None:
        """Names points by lengths between them and angles at corners, as `Model.body` does.

        >>> model = mubo.Model("bench")
        >>> model.ground.figure({"AD": 4})
        >>> model.ground.points["D"]
        (4.0, 0.0)
        """
        builder, body = self._builder, self._builder.bodies[self.name]
        given = {"lengths": lengths, "angles": angles, "right": right}
        points = with_figure(builder.units, builder.dimension, body.points, given)
        builder.bodies[self.name] = replace(body, points=points, figure=kept_figure(builder.units, given, body.points))
