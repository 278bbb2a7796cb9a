"""Elements of space laid into the core's arrays, row by row."""

from __future__ import annotations

from collections.abc import Iterable

from mubo import _core
from mubo.elements import Row
from mubo.mechanism.rows import Equation, Packer, Values
from mubo.mechanism.stack import Stack, stack_of
from mubo.model import Driver, Joint, Target, target_of

SPATIAL_ROW_KINDS = {name: (number, *sizes) for number, (name, *sizes) in enumerate(_core.spatial_row_kinds())}
UNIT_LENGTH = Row("normalise", ("length",), ("unit quaternion",), ("i",))


class SpatialPacker(Packer):
    """Rows of space as they are added."""

    rows = SPATIAL_ROW_KINDS
    core = _core.SpatialSystem

    def add_bodies(self, names: Iterable[str]) -> None:
        """One row for each moving body: its quaternion has length one. These rows come first."""
        for name in names:
            self._add(UNIT_LENGTH, {"length": [1.0]}, {"i": name}, Equation("body", name), -1, None)

    def add_joint(self, joint: Joint) -> None:
        stack = stack_of(self.model, joint)
        held = _axes(stack)
        held |= {key: [float(v)] for key, v in joint.options.items() if isinstance(v, float | int)}
        for row in self.model.kinds[joint.kind].rows:
            bodies = {"i": stack.first, "j": stack.second}
            self._add(row, held, bodies, Equation("joint", joint.name), -1, None)
        self.values[joint.name] = held

    def add_driver(self, driver: Driver, column: int) -> None:
        target = target_of(self.model, driver.of)
        bodies = dict(zip("ij", target.bodies, strict=False))
        held: Values = {"zero": [0.0]}
        held |= {name: list(at) for name, at in zip(("point_i", "point_j"), target.points, strict=False)}
        if target.joint:
            swapped, axes = self._joint_axes(target)
            held |= axes
            bodies = dict(zip("ji", target.bodies, strict=True)) if swapped else bodies
        else:
            held["direction"] = [float(letter == target.picked) for letter in "xyz"]
        for row in target.element.rows:
            self._add(row, held, bodies, Equation("driver", driver.name), column, None)

    def _joint_axes(self, target: Target) -> tuple[bool, Values]:
        """Whether the row takes the second body first, and the axes along or about which a joint coordinate goes."""
        stack = stack_of(self.model, self.model.joints[target.joint])
        axes = _axes(stack)
        if target.element.name != "joint_turn":
            return False, {"along": axes[f"{target.picked}_i"]}
        swapped, base, toward, arm = stack.arms(target.number)
        one, other = ("j", "i") if swapped else ("i", "j")
        return swapped, {
            "from": axes[f"{base}_{one}"],
            "toward": axes[f"{toward}_{one}"],
            "arm": axes[f"{arm}_{other}"],
        }


def _axes(stack: Stack) -> Values:
    """Points and axes of a joint by the names that declarations use."""
    held = {"point_i": stack.at.tolist(), "point_j": stack.on.tolist()}
    held |= {f"{letter}_i": stack.F[:, k].tolist() for k, letter in enumerate("xyz")}
    return held | {f"{letter}_j": stack.G[:, k].tolist() for k, letter in enumerate("xyz")}
