"""Bodies, joints and drivers of space as named rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mubo.arrays import Array
from mubo.elements import Row
from mubo.errors import ModelError
from mubo.laws.dependent import kept
from mubo.laws.tangent import listed
from mubo.mechanism.joint_frames import JointMotion, joint_motion
from mubo.mechanism.rows import Equation, NamedRow, Values, named_row
from mubo.model import Driver, Joint, ModelDefinition, Target, target_of
from mubo.note import Note

UNIT_LENGTH = Row("normalise", ("length",), ("unit quaternion",), ("i",))


class SpaceRows:
    """Rows of a spatial model. `values` are the points, axes and numbers of every joint, with derivatives by parameters
    where the `poses` have some."""

    def __init__(self, model: ModelDefinition, poses: Mapping[str, Array]) -> None:
        self.model, self.like = model, next(iter(poses.values()))
        self.notes: list[Note] = []
        self.values: dict[str, Values] = {}

    def body(self, name: str) -> Iterator[NamedRow]:
        """Row of a moving body: its quaternion has length one."""
        yield named_row(UNIT_LENGTH, {"length": [1.0]}, {"i": name}, Equation("body", name))

    def joint(self, joint: Joint) -> Iterator[NamedRow]:
        """Rows between the joint's two frames; one with more than two ends becomes pairs with its first end."""
        if self.model.kinds[joint.kind].relates:
            yield from self._coupler(joint)
            return
        if self.model.kinds[joint.kind].on_shafts:
            yield from self._wheels(joint)
            return
        for arm in joint.arms:
            stack = joint_motion(self.model, arm, self.like)
            values = _axes(stack)
            values |= {key: [kept(v)] for key, v in joint.options.items() if isinstance(v, float | int)}
            element = self.model.kinds[joint.kind]
            try:
                values |= element.derive({o.name: joint.options.get(o.name, o.default) for o in element.options})
            except ModelError as error:
                raise ModelError(f"joint {joint.name}: {error}", names=[joint.name]) from None
            for row in element.rows:
                yield named_row(row, values, {"i": stack.first, "j": stack.second}, Equation("joint", joint.name))
            self.values[joint.name] = values

    def _coupler(self, joint: Joint) -> Iterator[NamedRow]:
        """The row of a joint coordinate that follows another one."""
        from mubo.mechanism.couplers import coupling_of

        found = coupling_of(self.model, joint, self.like)
        self.values[joint.name] = found.values
        for row in self.model.kinds[joint.kind].rows:
            owner = Equation("joint", joint.name)
            yield named_row(row, found.values, found.bodies, owner, profile=found.function)

    def _wheels(self, joint: Joint) -> Iterator[NamedRow]:
        """The row of two toothed wheels."""
        from mubo.mechanism.toothed_wheels import tooth_values

        bodies, values = tooth_values(self.model, joint, self.like)
        self.values[joint.name] = values
        for row in self.model.kinds[joint.kind].rows:
            yield named_row(row, values, bodies, Equation("joint", joint.name))

    def driver(self, driver: Driver, column: int) -> Iterator[NamedRow]:
        """The row whose right side is the driver's law."""
        target = target_of(self.model, driver.of)
        bodies = dict(zip("ij", target.bodies, strict=False))
        values: Values = {"zero": [0.0]}
        values |= {name: list(at) for name, at in zip(("point_i", "point_j"), target.points, strict=False)}
        if target.joint:
            swapped, axes = self._joint_axes(target)
            values |= axes
            bodies = dict(zip("ji", target.bodies, strict=True)) if swapped else bodies
        else:
            values["direction"] = [float(letter == target.picked) for letter in "xyz"]
        for row in target.element.rows:
            yield named_row(row, values, bodies, Equation("driver", driver.name), column, of=target.joint)

    def _joint_axes(self, target: Target) -> tuple[bool, Values]:
        """Whether the row takes the second body first, and the axes of a joint coordinate."""
        stack = joint_motion(self.model, self.model.joints[target.joint].arms[target.arm], self.like)
        if not any("arm" in row.quantities for row in target.element.rows):
            return False, {"along": _axes(stack)[f"{target.picked}_i"]}
        swapped, base, toward, arm = stack.measured_by(target.number)
        return swapped, {"from": listed(base), "toward": listed(toward), "arm": listed(arm)}


def _axes(stack: JointMotion) -> Values:
    """Points and axes of a joint by the names that declarations use."""
    values = {"point_i": listed(stack.at), "point_j": listed(stack.on)}
    values |= {f"{letter}_i": listed(stack.F[:, k]) for k, letter in enumerate("xyz")}
    return values | {f"{letter}_j": listed(stack.G[:, k]) for k, letter in enumerate("xyz")}
