"""A hand on a link in space: it moves along its joint, and the initial coordinate of the joint is written.

The link in the hand hangs on a joint of one coordinate q that no driver prescribes. The hand wants the gripped point P
at a place Z, which is known across the direction n of sight alone: q is where |(I − n nᵀ)(P(q) − Z)| is least, found by
Gauss–Newton steps from the coordinate before; P(q) is that of the initial state which a simulation would begin with.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from mubo.applications.check import is_simulation
from mubo.arrays import Array
from mubo.errors import ModelError, MuboError
from mubo.geometry.rotation import matrix
from mubo.model import Initial, ModelDefinition, target_of
from mubo.model.coordinates import grounded, holds_of
from mubo.results import Run
from mubo.studio.drag import Moved
from mubo.studio.edits import Patch, put_key, replace_value, respelled, spell
from mubo.studio.spans import Spans
from mubo.topology.tree import ends_of, spanning_tree
from mubo.view.first_position import first_run

STEPS = 3  # of one request
NUDGE = 1e-4  # radians, or of the mechanism's size: the difference that gives a slope
LONGEST = 0.4  # radians, or of the mechanism's size: a step of the search
CLOSE = 1e-3  # of a step: the search ends
FLAT = 1e-3  # of the mechanism's size: a slope that the hand cannot use
WORDS = ("x", "y", "z", "qw", "qx", "qy", "qz")


def joints_under_hand(model: ModelDefinition) -> dict[str, str]:
    """The joint along which each link in space is dragged, by the name of the link; empty where drivers move them.

    In a tree it is the nearest undriven joint of one coordinate that carries the link, in a mechanism with loops the
    one whose initial coordinate the file gives.
    """
    if model.dimension != 3 or not is_simulation(model):
        return {}
    driven = {target_of(model, driver.of).joint for driver in model.drivers.values()}
    single = {
        name
        for name, joint in model.joints.items()
        if name not in driven and len(joint.between) == 2 and len(holds_of(model, joint)) == 1
    }
    tree = spanning_tree(model)
    if not tree.cut:
        above = {hinge.child: hinge for hinge in tree.hinges}
        found: dict[str, str] = {}
        for hinge in tree.hinges:  # parents come first
            own = hinge.joint if hinge.joint in single and not hinge.inserted else found.get(hinge.parent)
            if own is not None and hinge.child in above:
                found[hinge.child] = own
        return found
    given = [name for name, initial in model.initial_joints.items() if initial.q and name in single]
    if not given:
        return {}
    touching = {body: name for name in given for body in ends_of(model.joints[name])}
    return {body: touching.get(body, given[0]) for body in model.bodies if body not in {*grounded(model)}}


@dataclass(frozen=True)
class _Reached:
    """A coordinate with the poses there, and the gripped point across the sight."""

    q: float
    poses: dict[str, Array]
    here: Array


@dataclass
class JointDrag:
    """A running gesture on a link in space, at the start of its simulation."""

    model: ModelDefinition
    name: str  # of the link
    grip: tuple[float, ...]  # where the hand grips it, in ground axes
    eye: tuple[float, ...]  # the direction of sight
    spans: Spans
    decimals: int = 6
    last: Moved | None = None
    joint: str = ""
    times: Array = field(default_factory=lambda: np.zeros(1))

    def __post_init__(self) -> None:
        joint = joints_under_hand(self.model).get(self.name)
        if joint is None:
            raise ModelError(
                f"{self.name} hangs on no undriven joint of one coordinate",
                suggestion="Drag it in the state Play: it goes through its motion.",
            )
        self.joint = joint
        self.times = np.array([self.model.start_time])
        first = first_run(self.model)
        poses = self._poses(first)
        pose = poses[self.name][0]
        self._local = matrix(pose[3:]).T @ (np.array(self.grip) - pose[:3])
        n = np.array(self.eye) / (float(np.linalg.norm(self.eye)) or 1.0)
        self._across = np.eye(3) - np.outer(n, n)
        points = [at for body in self.model.bodies.values() for at in body.points.values()]
        self._size = max((float(np.linalg.norm(at)) for at in points), default=1.0) or 1.0
        self._reached = _Reached(float(first[f"{joint}.q"][0]) * self._unit, poses, self._across @ np.array(self.grip))

    @property
    def _is_angle(self) -> bool:
        return holds_of(self.model, self.model.joints[self.joint])[0] == "angle"

    @property
    def _unit(self) -> float:
        """The size of one of the unit in which columns have the coordinate."""
        return self.model.units.angle_factor() if self._is_angle else 1.0

    def _poses(self, run: Run) -> dict[str, Array]:
        names = [name for name in self.model.bodies if f"{name}.x" in run.columns]
        return {name: np.array([[float(run[f"{name}.{word}"][0]) for word in WORDS]]) for name in names}

    def variant(self, q: float) -> ModelDefinition:
        """The model that starts with the joint at a coordinate (radians or length)."""
        before = self.model.initial_joints.get(self.joint)
        initial = Initial(self.joint, (q,), before.v if before is not None else ())
        return self.model.changed(initial_joints={**self.model.initial_joints, self.joint: initial})

    def _at(self, q: float) -> _Reached:
        """The mechanism with the joint at a coordinate."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            poses = self._poses(first_run(self.variant(q)))
        pose = poses[self.name][0]
        return _Reached(q, poses, self._across @ (pose[:3] + matrix(pose[3:]) @ self._local))

    def to(self, shift: Sequence[float]) -> Moved:
        """The mechanism with the link led towards a displacement of the hand; an impossible one keeps the last."""
        target = self._across @ (np.array(self.grip) + np.array(shift))
        try:
            self._reached = self._nearest(target)
        except MuboError as error:
            return Moved({}, None, f"{self.joint} cannot be moved farther: {str(error).partition(chr(10))[0]}", False)
        q = spell(self._reached.q / self._unit, 4).replace("-", "−")
        self.last = Moved({}, self._reached.poses, f"{self.joint}.q = {q} {self._label}".rstrip())
        return self.last

    def _nearest(self, target: Array) -> _Reached:
        """Where the gripped point is nearest to the target, across the sight; no step leads away from it."""
        at, scale = self._reached, 1.0 if self._is_angle else self._size
        for _ in range(STEPS):
            slope = (self._at(at.q + NUDGE * scale).here - at.here) / (NUDGE * scale)
            steep = float(slope @ slope)
            if steep * scale**2 < (FLAT * self._size) ** 2:
                break  # the joint moves the point along the sight alone
            step = float(np.clip(slope @ (target - at.here) / steep, -LONGEST * scale, LONGEST * scale))
            if abs(step) < CLOSE * scale:
                break
            new = self._at(at.q + step)
            if np.linalg.norm(target - new.here) >= np.linalg.norm(target - at.here):
                break
            at = new
        return at

    @property
    def _label(self) -> str:
        return self.model.units.unit_of("angle" if self._is_angle else "length") or ("rad" if self._is_angle else "")

    def _in_file(self, q: float) -> float:
        return q / self._unit

    def patches(self, moved: Moved) -> list[Patch]:
        """The change of the text: the initial coordinate of the joint, in its own spelling, or with a new table."""
        table = ("initial", self.joint)
        places = 4 if self._is_angle else self.decimals
        for path in ((*table, "q", 0), (*table, "q")):
            if path in self.spans.entries and self.spans.value(path)[:1] != "[":
                text = respelled(self.spans.value(path), self._reached.q, self._size_of, places)
                return replace_value(self.spans, path, text)
        return put_key(self.spans, table, "q", float(spell(self._reached.q / self._unit, places)))

    def _size_of(self, unit: str) -> float:
        kind = "angle" if self._is_angle else "length"
        return self.model.units.read(f"1 {unit}", kind) if unit else self._unit
