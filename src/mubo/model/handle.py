"""A body of a model under construction, to name its points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mubo.arrays import Vector
from mubo.docstrings import documented
from mubo.model.draft import ModelDraft
from mubo.model.tables import BODY


class BodyHandle:
    """A body in the hands of a builder: `model.ground`, or what `model.body` answers.

    Examples
    --------
    >>> model = mubo.Model("bench")
    >>> crank = model.body("crank")
    >>> crank.point("A", (0, 0))
    """

    def __init__(self, draft: ModelDraft, name: str) -> None:
        self._draft, self.name = draft, name

    def __repr__(self) -> str:
        return f"body {self.name} with the points {', '.join(self.points) or 'none'}"

    @property
    def points(self) -> Mapping[str, Vector]:
        """Its points by name, in its own axes.

        Examples
        --------
        >>> list(mubo.load("four_bar.toml").ground.points)
        ['A', 'D']
        """
        return self._draft.bodies[self.name].points

    @documented(name="Name of the point.", at="Its coordinates in the axes of the body, numbers or text with a unit.")
    def point(self, name: str, at: Sequence[float]) -> None:
        """Names a point of the body, in its own axes.

        >>> model = mubo.Model("bench")
        >>> model.ground.point("A", (0, "20 mm"))
        >>> model.ground.points["A"]
        (0.0, 0.02)
        """
        body = self._draft.bodies[self.name]
        points = {**body.points, name: self._draft.vector(at)}
        self._draft.bodies[self.name] = replace(body, points=points)

    @documented(BODY.sentences)
    def geometry_from_lengths(
        self,
        lengths: Mapping[str, float | str],
        angles: Mapping[str, float | str] | None = None,
        right: Sequence[str] = (),
    ) -> None:
        """Names points by lengths between them and angles at corners, as `Model.body` does.

        >>> model = mubo.Model("bench")
        >>> model.ground.geometry_from_lengths({"AD": 4})
        >>> model.ground.points["D"]
        (4.0, 0.0)
        """
        draft, body = self._draft, self._draft.bodies[self.name]
        given = {"lengths": lengths, "angles": angles, "right": right}
        points, figure = draft._place_points(body.points, given)
        draft.bodies[self.name] = replace(body, points=points, figure=figure)
