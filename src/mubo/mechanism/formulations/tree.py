"""A model as a tree for the core: links, loads, laws, closed loops, and the map between joint coordinates and its."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

import numpy as np

from mubo import _core
from mubo.arrays import Array, Integers
from mubo.elements import loads_of
from mubo.elements.declare import reflected_inertia
from mubo.errors import ModelError
from mubo.geometry.rotation import point_on, product
from mubo.laws.chebyshev import pieces_of
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.mechanism.formulations.inertia import bodies_without_inertia, require_inertia
from mubo.mechanism.formulations.links import LinkMotion, Links, core_ball, euler_rates, joint_ball, lay_links
from mubo.mechanism.formulations.loop_closure import LoopClosureRows, add_loop_closure, loop_closure_rows
from mubo.mechanism.formulations.sensors import Sensors
from mubo.mechanism.formulations.state_dependent_loads import add_reaction_friction, add_state_loads
from mubo.mechanism.formulations.tree_loads import Pieces, lay_loads
from mubo.mechanism.loads import load_notes
from mubo.mechanism.mechanism import Mechanism
from mubo.model import GROUND, Initial, Joint, ModelDefinition, target_of
from mubo.model.coordinates import JointDof, holds_of, joint_dofs
from mubo.note import Note
from mubo.topology.tree import Hinge

DRIVABLE = ("turn", "slide", "screw")  # motions of a link that a driver can prescribe
NOTHING = LoopClosureRows()
MOST_LINES = 100_000  # bodies times rows whose motion is computed at once
FIXED = np.array([0.0] * 3 + [1.0] + [0.0] * 15)  # motion of the ground


@dataclass(frozen=True)
class Tree:
    """A model ready for dynamics. Joints are in the order in which the walk from the ground meets them."""

    mechanism: Mechanism
    system: _core.TreeSystem
    hinges: list[Hinge]
    links: Links
    driven: dict[str, int]  # driver: the velocity of the core that it prescribes
    forces: list[str]  # the force that each load of the core belongs to
    notes: tuple[Note, ...]
    closing: LoopClosureRows = NOTHING
    watched: Mapping[str, int] = field(default_factory=dict)  # events that the core evaluates: number of the bytecode
    near: tuple[float, ...] = ()  # estimates at the start of the angles whose turns the state counts
    state: tuple[Array, Array] | None = None  # q and v of the core at the start, where `initial` does not define them
    left_out: tuple[int, ...] = ()  # equations of `closing` that depend on others
    senses: tuple[int, ...] = ()  # of every load, the place of its last number: the speed of friction

    @property
    def dofs(self) -> int:
        """Number of undriven degrees of freedom: rates of the tree less driven ones and independent rows of loops."""
        return self.links.velocities - len(self.driven) - len(self.closing.equations) + len(self.left_out)

    @property
    def free(self) -> tuple[str, ...]:
        """The bodies that move."""
        return self.mechanism.free

    @property
    def model(self) -> ModelDefinition:
        return self.mechanism.model

    @cached_property
    def without_inertia(self) -> tuple[str, ...]:
        """Bodies with mass and without inertia that the joints of the tree let rotate; its loops may prevent it."""
        return tuple(bodies_without_inertia(self.mechanism))

    @property
    def joints(self) -> list[Joint]:
        """Joints in the order in which the walk from the ground meets them."""
        inserted = {hinge.joint: hinge.inserted for hinge in self.hinges}
        return [joint or self.model.joints[name] for name, joint in inserted.items()]

    def label(self, joint: str) -> str:
        """Name of a joint of the tree in messages: "joint A", or the body that floats by it."""
        return next((hinge.label for hinge in self.hinges if hinge.joint == joint), f"joint {joint}")

    def state_names(self) -> list[str]:
        """Meaning of each entry of the core's state: "joint A" for its coordinates and rates."""
        q, v = [""] * self.links.positions, [""] * self.links.velocities
        for motion in self.links.motions:
            for k in range(motion.q.start, motion.q.stop):
                q[k] = self.label(motion.joint)
            for k in range(motion.v.start, motion.v.stop):
                v[k] = f"rate of {self.label(motion.joint)}"
        turns = ["a turn"] * len(self.near)
        return [*q, *v, *turns, "energy dissipated", "energy supplied"]

    def start(self) -> tuple[Array, Array]:
        """The core's q and v at the start, from the initial conditions; what is not given is zero, at rest."""
        if self.state is not None:
            return self.state
        q: list[float] = []
        v: list[float] = []
        for joint in self.joints:
            given = self.model.initial_joints.get(joint.name, Initial(joint.name, (), ()))
            zero = [x for dof in joint_dofs(self.model, joint) for x in dof.zero]
            q += given.q or zero
            v += given.v or (0.0,) * len(holds_of(self.model, joint, True))
        core_q, core_v, _ = self.core_motion(np.array([q]), np.array([v]), np.zeros((1, len(v))))
        return core_q[0], core_v[0]

    def begin(self, t: float) -> Array:
        """The core's state at the start: q, v, turns that it counts, no energy exchanged."""
        q, v = self.start()
        turns = _core.turns_at(self.system, t, q, v, np.array(self.near, float))
        return np.concatenate([q, v, turns, [0.0, 0.0]])

    def turns(self, states: Array) -> Array | None:
        """The turns that states of the core count; None where there are none."""
        first = self.links.positions + self.links.velocities
        return np.ascontiguousarray(states[:, first:-2]) if self.near else None

    def core_motion(self, q: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
        """The core's positions, velocities and accelerations of joint coordinates, joint by joint: (rows, …) each."""
        rows = len(q)
        positions, velocities = self.links.positions, self.links.velocities
        out = np.zeros((rows, positions)), np.zeros((rows, velocities)), np.zeros((rows, velocities))
        first_q, first_v = {}, {}
        count_q = count_v = 0
        for joint in self.joints:
            first_q[joint.name], first_v[joint.name] = count_q, count_v
            count_q += len(holds_of(self.model, joint))
            count_v += len(holds_of(self.model, joint, True))
        for m in self.links.motions:
            wide = len(JointDof("ball", "", m.euler).q) if m.kind == "ball" else m.q.stop - m.q.start
            tall = m.v.stop - m.v.start
            at_q = slice(first_q[m.joint] + m.first, first_q[m.joint] + m.first + wide)
            at_v = slice(first_v[m.joint] + m.first_rate, first_v[m.joint] + m.first_rate + tall)
            parts = (q[:, at_q], v[:, at_v], a[:, at_v])
            if m.kind == "ball":
                parts = core_ball(m, *parts)
            sign = -1.0 if m.kind == "shift" and not m.forward else 1.0
            for whole, part, place in zip(out, parts, (m.q, m.v, m.v), strict=True):
                whole[:, place] = sign * part
        return out

    def joint_columns(self, q: Array, v: Array, a: Array, angles: dict[int, Array]) -> dict[str, tuple[Array, ...]]:
        """Coordinates, rates and accelerations of every joint, in radians: (times, coordinates) each.

        `angles` holds by link the Euler angles of the balls that have them, which only the whole motion can tell.
        """
        parts: dict[str, list[tuple[int, tuple[Array, ...]]]] = {hinge.joint: [] for hinge in self.hinges}
        for m in self.links.motions:
            entry: tuple[Array, ...]
            if m.kind == "ball":
                entry = joint_ball(m, q[:, m.q], v[:, m.v], a[:, m.v])
                if m.euler:
                    entry = (angles[m.link], *euler_rates(m.euler, angles[m.link], *entry[1:]))
            else:
                sign = -1.0 if m.kind == "shift" and not m.forward else 1.0
                entry = (sign * q[:, m.q], sign * v[:, m.v], sign * a[:, m.v])
            parts[m.joint].append((m.first, entry))
        out = {}
        for joint in (name for name in self.model.joints if name in parts):  # a body that floats has columns of its own
            pieces = sorted(parts[joint], key=lambda part: part[0])
            if holds_of(self.model, self.model.joints[joint]):
                out[joint] = tuple(np.concatenate([part[1][k] for part in pieces], axis=1) for k in range(3))
        return out

    def body_motions(self, names: Sequence[str], links: Array) -> Array:
        """Place, quaternion, velocity, angular velocity and their derivatives of bodies: (times, bodies, 19), ground
        axes."""
        number, turn, place = self.links.origins(tuple(names))
        out = np.empty((len(links), len(number), 19))
        most = max(1, MOST_LINES // max(len(links), 1))
        for first in range(0, len(number), most):
            part = slice(first, first + most)
            lines = links[:, number[part]]
            lines[:, number[part] < 0] = FIXED
            line, shape = lines.reshape(-1, 19), (len(links), -1, 3)
            moved = point_on(line, np.broadcast_to(place[part], (*lines.shape[:2], 3)).reshape(-1, 3))
            out[:, part, 0:3], out[:, part, 7:10], out[:, part, 13:16] = (one.reshape(shape) for one in moved)
            out[:, part, 3:7] = product(lines[:, :, 3:7], turn[part])
            out[:, part, 10:13], out[:, part, 16:19] = lines[:, :, 10:13], lines[:, :, 16:19]
        return out

    def body_motion(self, body: str, links: Array) -> Array:
        """Place, quaternion, velocity, angular velocity and their derivatives of a body: (times, 19), ground axes."""
        return self.body_motions((body,), links)[:, 0]


def tree_form(mechanism: Mechanism, start: float, end: float, kinematic: bool = False) -> Tree:
    """A mechanism as a tree over a span of time, with the rows that close its loops; for `kinematic` questions alone
    its bodies need no mass."""
    model = mechanism.model
    if not kinematic:
        require_inertia(mechanism)
    hinges = list(mechanism.tree.hinges)
    links = _links(mechanism, hinges)
    laws, law_of, driven, of_driver = _lay_drivers(mechanism, links, start, end)
    sensors = Sensors(mechanism, links, of_driver)
    loads, windings = lay_loads(mechanism, links, laws, sensors, start, end)
    system = _core.TreeSystem(
        np.array(links.parent, np.int32),
        np.array(links.kind, np.int32),
        np.array(links.place),
        np.array(links.axis),
        np.array(links.pitch),
        np.array(links.inertia),
        law_of,
        np.array([*(model.gravity or (0.0, 0.0, 0.0)), 0.0][:3], float),
        laws,
        loads,
        np.array(links.armature),
    )
    _refuse_cut_armature(mechanism)
    closing = loop_closure_rows(mechanism, hinges, driven)
    add_loop_closure(
        system, mechanism, links, closing, {name: law for name, (law, _) in of_driver.items() if name not in driven}
    )
    watched = add_state_loads(system, mechanism, sensors, windings)
    add_reaction_friction(system, mechanism, sensors, closing)
    notes = tuple(_notes(mechanism))
    near = tuple(sensors.near)
    senses = tuple(len(load[-1]) - 1 for load in loads)
    return Tree(
        mechanism, system, hinges, links, driven, list(model.forces), notes, closing, watched, near, senses=senses
    )


def _refuse_cut_armature(mechanism: Mechanism) -> None:
    """Refuse a reflected inertia of a joint that closes a loop: it belongs to a coordinate of the tree."""
    cut = [name for name in mechanism.tree.cut if reflected_inertia(mechanism.model.joints[name].options)]
    if cut:
        raise ModelError(
            f"{mechanism.model.where}joint {cut[0]}: it closes a loop and has no coordinate for its armature to act on",
            names=cut,
            suggestion='Let another joint of the loop have role = "cut".',
        )


def _lay_drivers(
    mechanism: Mechanism, links: Links, start: float, end: float
) -> tuple[list[Pieces], Integers, dict[str, int], dict[str, tuple[int, float]]]:
    """Laws of the drivers, the law of every link, the velocity that a driver prescribes where it moves a link, and of
    every driver its law with the factor from its own unit to that."""
    model, driven, of_driver = mechanism.model, {}, {}
    laws: list[Pieces] = []
    law_of = np.full(len(links.kind), -1, np.int32)
    for k, driver in enumerate(model.drivers.values()):
        motion = _driven_motion(model, links, driver.name)
        pieces = pieces_of(driver.motion, start, end, f"driver {driver.name}", model.units.time_text)
        pieces.coefficients[:, 0, 0] += mechanism.starts[k]
        factor = mechanism.motion_factors[k]
        if motion is not None:
            law_of[motion.link] = len(laws)
            driven[driver.name] = motion.v.start
            turns = target_of(model, driver.of).holds == "angle"
            factor = model.units.angle_factor() if turns else 1.0
        of_driver[driver.name] = (len(laws), factor)
        laws.append((pieces.edges, pieces.coefficients * factor))
    return laws, law_of, driven, of_driver


def _links(mechanism: Mechanism, hinges: list[Hinge]) -> Links:
    """The links of the hinges; what joints of the plane leave out is taken from the estimates."""
    if mechanism.dimension == 3:
        return lay_links(mechanism.model, hinges, {}, {})
    angles = {name: values["angle"][0] for name, values in mechanism.values.items() if "angle" in values}
    fixed = {name: mechanism.poses[name] for name in mechanism.fixed if name != GROUND}
    return lay_links(mechanism.model, hinges, angles, fixed)


def _driven_motion(model: ModelDefinition, links: Links, driver: str) -> LinkMotion | None:
    """The link that a driver moves; None where it is no joint of the tree: then the driver is a row."""
    target = target_of(model, model.drivers[driver].of)
    if not target.joint:
        return None
    for motion in links.motions:
        own = motion.first - target.arm * len(holds_of(model, model.joints[target.joint].arms[0]))
        if motion.joint == target.joint and own == target.number and motion.kind in DRIVABLE:
            return motion
    return None


def _notes(mechanism: Mechanism) -> Iterable[Note]:
    yield from mechanism.starting_notes
    yield from mechanism.length_notes
    yield from load_notes(mechanism.model)
    elements = loads_of(mechanism.dimension)
    for force in mechanism.model.forces.values():
        if elements[force.kind].key != "of" and {on.partition(".")[0] for on in force.on} == {GROUND}:
            yield Note("mechanism.acts_on_ground", force=force.name)
