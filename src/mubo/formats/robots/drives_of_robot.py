"""Drives of a robot in a model: couplers of joints, actuators as efforts and servos, friction, springs of tendons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mubo.formats.robots.robot import Place, Robot, RobotActuator, RobotCoupling, RobotJoint, RobotOptions
from mubo.laws import Polynomial
from mubo.model import Builder, Force, Joint

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

INPUTS = (
    "an input: the effort of its joint in N m or N, zero until it is set; gear, gains and ranges are in "
    'model.origin.data["actuators"]'
)
ACTS = "acts with its gains on its control signal, that of the keyframe or zero; ranges are left out"


class RobotDrives:
    """Adds the drives of a robot to its model. `joints` has the names in the model of those of the file, `free_name`
    gives a name that nothing has yet, `place` the reference of a place on a link, for a point with a name."""

    def __init__(
        self,
        robot: Robot,
        options: RobotOptions,
        model: Builder,
        joints: Mapping[str, str],
        free_name: Callable[[str], str],
        place: Callable[[str, str, Place], str],
    ) -> None:
        self.robot, self.options, self.model = robot, options, model
        self.joints, self.free_name, self.place = joints, free_name, place

    def add(self) -> dict[str, Any]:
        """Couplers, actuators, friction and springs; returns the facts on the actuators by their names in the model."""
        for coupling in self.robot.couplings:
            self._coupling(coupling)
        for joint in self.robot.joints:
            self._friction(joint)
        for name, (ends, numbers) in self.robot.springs.items():
            own = self.free_name(name)
            first, second = (self.place(link, own, at) for link, at in ends)
            self.model.forces[own] = Force(own, "spring", (first, second), numbers)
        out: dict[str, Any] = {}
        for actuator in self.robot.actuators:
            out |= self._actuator(actuator)
        return out

    def _coupling(self, coupling: RobotCoupling) -> None:
        """A coupler between the points of the two joints on the bodies that they move."""
        leader, follower = self.joints[coupling.leader], self.joints[coupling.follower]
        parts = self.model.joints
        name = self.free_name(coupling.name)
        options: dict[str, Any] = {"of": (leader, follower)}
        if coupling.points:
            options["points"] = coupling.points
        elif len(coupling.coefficients) > 2:
            options["polynomial"] = coupling.coefficients
        else:
            given = dict(zip(("offset", "ratio"), (*coupling.coefficients, 0.0), strict=False))
            options |= {key: value for key, value in given.items() if key == "ratio" or value}
        parts[name] = Joint(name, "coupler", (parts[leader].between[1], parts[follower].between[1]), options)
        self.model.initial_joints.pop(follower, None)  # it begins where its leader puts it

    def _friction(self, joint: RobotJoint) -> None:
        """Coulomb friction of a joint, where the rate below which it creeps is given."""
        if not joint.friction:
            return
        speed = self.options.friction_rate
        if speed is None or not joint.single:
            cure = "; `friction_rate = …` lets it act" if joint.single else f" of a {joint.kind} joint"
            self.robot.notes.left_out("joint", joint.name, f"friction{cure}")
            return
        own = self.free_name(f"{self.joints[joint.name]}_friction")
        given = {"effort": Polynomial((abs(joint.friction),)), "speed": speed}
        self.model.forces[own] = Force(own, "friction", (self.joints[joint.name],), given)

    def _actuator(self, actuator: RobotActuator) -> dict[str, Any]:
        acts, out = self.options.actuators == "act", {}
        servo = acts and len(actuator.joints) == 1
        self.robot.notes.add("actuator", actuator.name, ACTS if servo else INPUTS)
        for joint, gear in actuator.joints.items():
            of = self.joints[joint]
            name = self.free_name(actuator.name if len(actuator.joints) == 1 else f"{actuator.name}_{of}")
            effort = gear * (actuator.gain * actuator.control + actuator.bias[0]) if servo else 0.0
            self.model.forces[name] = Force(name, "joint_effort", (of,), {"effort": Polynomial((effort,))})
            given = {"stiffness": -actuator.bias[1] * gear**2, "damping": -actuator.bias[2] * gear**2}
            given = {key: value for key, value in given.items() if value}
            if servo and given:
                own = self.free_name(f"{name}_servo")
                self.model.forces[own] = Force(own, "joint_spring", (of,), given)
            facts = {"type": actuator.kind, "joint": of, "gear": gear, "gain": actuator.gain, "bias": actuator.bias}
            out[name] = {**facts, **actuator.facts}
        return out
