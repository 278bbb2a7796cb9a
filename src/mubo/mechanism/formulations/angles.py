"""Bodies that turn together: sliders and welds fix the relative angle, so that one unknown angle serves them all."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from mubo.arrays import Array
from mubo.mechanism.formulations.vectors import NONE, Term

Fixed = tuple[str, str, float]  # first body, second body, angle of the second minus that of the first


class AngleClasses:
    """φ of a body = angle of its class + offset. The class of the fixed bodies is number −1, with angle 0."""

    def __init__(self, pose: Mapping[str, Array], standing: Iterable[str], fixed: Iterable[Fixed]) -> None:
        self._offset: dict[str, tuple[str, float]] = {}  # body → leader, offset
        members: dict[str, list[str]] = {}
        for name in pose:
            self._offset[name] = (name, 0.0)
            members[name] = [name]
        self._fixed = {name: float(pose[name][2]) for name in standing}
        for first, second, angle in fixed:
            self._join(members, first, second, angle)
        led = {self._offset[name][0] for name in self._fixed}
        self.leaders = [name for name in members if name not in led]
        self._number = {name: k for k, name in enumerate(self.leaders)}
        self.start = [float(pose[name][2]) for name in self.leaders]

    def _join(self, members: dict[str, list[str]], first: str, second: str, angle: float) -> None:
        """Join two classes by φ_second = φ_first + angle."""
        (leader, a), (other, b) = self._offset[first], self._offset[second]
        if leader == other:
            return  # a repeated angle: its own equation is redundant, which is found elsewhere
        if other in self._fixed or any(m in self._fixed for m in members[other]):
            leader, other, a, b, angle = other, leader, b, a, -angle
        shift = a + angle - b
        for name in members.pop(other):
            self._offset[name] = (leader, self._offset[name][1] + shift)
            members[leader].append(name)

    def of(self, body: str) -> tuple[int, float]:
        """Number of the unknown angle (−1: none) and offset of a body."""
        leader, offset = self._offset[body]
        if leader in self._number:
            return self._number[leader], offset
        standing = next(name for name in self._fixed if self._offset[name][0] == leader)
        return -1, self._fixed[standing] - self._offset[standing][1] + offset

    def arm(self, body: str, at: Iterable[float], sign: float = 1.0) -> Term:
        """Vector A s of a body-fixed point."""
        angle, offset = self.of(body)
        c, s = math.cos(offset), math.sin(offset)
        x, y = at
        return angle, NONE, NONE, sign * (c * x - s * y), sign * (s * x + c * y)
