"""A mechanism that was let loose under a hand: drivers are left free, gravity acts, and the pointer pulls by a spring.

The motion is that of `Stepper`, in true time, from where it was shown, at rest. The pointer pulls the gripped
point P towards its own place Z with F = k (Z − P) − c v, constant over steps of a tenth of 1/ω: k = m ω², c = 2 m ω
(critical damping) with m the mass of all bodies. ω = √(10 g / size) lets the whole weight stretch it by a tenth of the
mechanism's size; without gravity ω is two turns a second.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from mubo.analyses.statics.statics import without_drivers
from mubo.applications.control.stepper import Stepper
from mubo.arrays import Array
from mubo.elements import POINT_FORCE
from mubo.errors import ModelError
from mubo.laws import Polynomial
from mubo.model import Force, ModelDefinition
from mubo.model.coordinates import grounded

PARTS = 10.0  # of 1/ω: the longest step with one pull; and of the mechanism's size: the sag under its weight
TURNS = 2.0  # a second: ω without gravity
MOST_SECONDS = 0.1  # that one request advances: a page that was away does not catch up
MOST_STEPS = 60  # of one request
PULLS = ("pointer_x", "pointer_y")
GRIP = "pointer"  # the point of the body that the pointer grips


@dataclass(frozen=True)
class Hold:
    """A pointer that holds a point of a body, in its axes, and where the pointer is, in ground axes."""

    body: str
    at: tuple[float, float]
    to: tuple[float, float]


class ReleasedMechanism:
    """The motion of a released mechanism: each request advances it by the time that has passed."""

    def __init__(self, model: ModelDefinition, poses: Mapping[str, Array], size: float) -> None:
        if model.dimension != 2:
            raise ModelError("a mechanism in space is simulated, not pushed", suggestion="Read the tab Dynamics.")
        self.model = placed(without_drivers(model, list(model.drivers)), poses)
        self._begin = model.start_time
        self.moving = [name for name in model.bodies if name not in {*grounded(model)}]
        self.size = size
        self.grip: tuple[str, tuple[float, float]] | None = None
        self._plant = self._compiled(None, self._begin)

    def _compiled(self, grip: tuple[str, tuple[float, float]] | None, time: float) -> Stepper:
        model = self.model
        inputs: tuple[str, ...] = ()
        if grip is not None:
            body = model.bodies[grip[0]]
            points = {**body.points, GRIP: grip[1]}
            forces = {
                name: Force(
                    name, POINT_FORCE, (f"{body.name}.{GRIP}",), {"direction": axis, "force": Polynomial((0.0,))}
                )
                for name, axis in zip(PULLS, ((1.0, 0.0), (0.0, 1.0)), strict=True)
            }
            bodies = {**model.bodies, body.name: replace(body, points=points)}
            model, inputs = model.changed(bodies=bodies, forces={**model.forces, **forces}), PULLS
        names = [f"{name}.{word}" for name in self.moving for word in ("x", "y", "phi", "vx", "vy", "omega")]
        return Stepper(model, inputs, names, time)

    def advance(self, seconds: float, hold: Hold | None) -> None:
        """Advance by seconds of true time, the pointer holding a point or none."""
        self._take(hold)
        units = self.model.units
        second = units.read("1 s", "time") if units.declared else 1.0
        rest = min(seconds, MOST_SECONDS) * second
        omega = self._rate(second)
        count = min(max(1, math.ceil(rest * omega * PARTS)), MOST_STEPS)
        for _ in range(count if rest > 0 else 0):
            self._plant.step(rest / count, self._pull(hold, omega) if hold is not None else None)

    def _take(self, hold: Hold | None) -> None:
        """Compile the plant for another gripped point; its state goes on."""
        grip = None if hold is None else (hold.body, hold.at)
        if grip == self.grip:
            return
        if grip is not None and grip[0] not in self.moving:
            raise ModelError(f"{grip[0]} is fixed: hold a link that moves")
        (q, v), time = self._plant.joint_state, self._plant.t
        self._plant = self._compiled(grip, time)
        self._plant.set_state(list(q.values()), list(v.values()))
        self.grip = grip

    def _rate(self, second: float) -> float:
        """ω of the pointer's spring, per unit of time of the model."""
        g = math.hypot(*(self.model.gravity or (0.0, 0.0)))
        return math.sqrt(PARTS * g / self.size) if g > 0 else 2 * math.pi * TURNS / second

    def _pull(self, hold: Hold, omega: float) -> dict[str, float]:
        units, out = self.model.units, self._plant.outputs
        pose = [out[f"{hold.body}.{word}"] for word in ("x", "y", "phi", "vx", "vy", "omega")]
        kinds = (("length", 0), ("length", 0), ("angle", 0), ("length", 1), ("length", 1), ("angle", 1))
        x, y, phi, vx, vy, turn = (value * units.factor(*kind) for value, kind in zip(pose, kinds, strict=True))
        c, s = math.cos(phi), math.sin(phi)
        arm = (c * hold.at[0] - s * hold.at[1], s * hold.at[0] + c * hold.at[1])
        at, rate = (x + arm[0], y + arm[1]), (vx - turn * arm[1], vy + turn * arm[0])
        mass = sum(self.model.bodies[name].whole.mass or 0.0 for name in self.moving)
        forces = [mass * omega * (omega * (z - p) - 2 * v) for z, p, v in zip(hold.to, at, rate, strict=True)]
        return dict(zip(PULLS, (force / units.factor("force") for force in forces), strict=True))

    def frame(self) -> dict[str, Any]:
        """Time and poses (x, y, radians) as a message."""
        out, angle = self._plant.outputs, self.model.units.angle_factor()
        poses = {name: [out[f"{name}.x"], out[f"{name}.y"], out[f"{name}.phi"] * angle] for name in self.moving}
        return {"is": "frame", "t": self._plant.t, "poses": poses}


def placed(model: ModelDefinition, poses: Mapping[str, Array]) -> ModelDefinition:
    """The model as it is shown: estimates of all bodies at their poses, nothing else about the start."""
    bodies = {
        name: replace(body, position=(float(poses[name][0]), float(poses[name][1])), angle=float(poses[name][2]))
        if name in poses
        else body
        for name, body in model.bodies.items()
    }
    return model.changed(bodies=bodies, initial_joints={}, initial_bodies={}, events={}, analysis=None)
