"""Equations of motion of a tree at one state, in its joint coordinates by name: M(q) a + h(q, v, t) = τ.

The recursions of the core take link velocities w: of a ball the angular velocity of its child link, whatever the
coordinates of its joint are. With w = B(q) v, and ẇ = B a + g(q, v),

    M = Bᵀ M_core B,    τ = Bᵀ τ_core,    power τ·v = τ_core·w.

Source of the recursions: Featherstone, Rigid Body Dynamics Algorithms (2008), chapters 5 to 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import ModelError, SimulationError, status_text
from mubo.geometry.rotation import point_on
from mubo.laws import Law
from mubo.mechanism import mechanism_of
from mubo.mechanism.formulations.tree import Tree, tree_form
from mubo.model import Joint, ModelDefinition
from mubo.model.coordinates import column_names, holds_of, point_of
from mubo.solvers.dynamics.named_numbers import read_by_name
from mubo.topology.tree import Hinge, tree_of

HALF = 0.5  # of a unit of time: laws of forces are tabulated this far around the given instant
EULER_LOST = 1e-9  # smallest singular value of B at which Euler rates no longer determine the motion
# Quantities of a state by letter, with their unit per time.
PER_TIME = {"q": "", "v": "/time", "a": "/time^2"}


class StateNames(NamedTuple):
    """Names of the coordinates q and of the rates v, in the order of arrays; a and τ have the order of v.

    Joints stand in the order in which a walk from the ground meets their bodies, neighbours first; the coordinates of a
    joint in the order of docs/elements.md. A ball without `euler` has four numbers in q and three in v.
    """

    q: tuple[str, ...]
    v: tuple[str, ...]


class Energy(NamedTuple):
    """Energies of a state, in the model's units."""

    kinetic: float
    potential: float

    @property
    def total(self) -> float:
        """Kinetic and potential energy together."""
        return self.kinetic + self.potential


@dataclass(frozen=True)
class TreeEquations:
    """Equations of a model that is a tree in space. Drivers are ignored: every joint coordinate is free."""

    model: ModelDefinition

    @cached_property
    def names(self) -> StateNames:
        """Names of all coordinates and rates, in the order of arrays."""
        return state_names_of(self.model, self._still.hinges)

    @cached_property
    def _still(self) -> Tree:
        """The tree over the first span of time for which all laws are known."""
        return self._tree_between(*_span(self._laws, max([0.0, *(law.domain[0] for law in self._laws)])))

    @cached_property
    def _laws(self) -> list[Law]:
        options = [option for force in self.model.forces.values() for option in force.options.values()]
        return [option for option in options if isinstance(option, Law)]

    def _tree_between(self, start: float, end: float) -> Tree:
        if self.model.dimension != 3:
            raise ModelError(
                "the equations in joint coordinates are those of models with dimension = 3; this model is planar",
                suggestion="Use constraint_jacobian(q, t), gamma(q, v, t) or equations(at=t), in absolute coordinates.",
            )
        tree_of(self.model)  # refuses loops
        return tree_form(mechanism_of(self.model.changed(drivers={})), start, end)

    def _tree(self, t: float) -> Tree:
        return self._tree_between(*_span(self._laws, t)) if self._laws else self._still

    def mass_matrix(self, q: Any) -> Array:
        """M(q)."""
        core, B = self._core_state(q)
        return np.asarray(B.T @ self._still.system.crba(core) @ B)

    def inverse_dynamics(self, q: Any, v: Any, a: Any, t: float = 0.0) -> Array:
        """τ = M a + h."""
        tree = self._tree(t)
        position, B = self._core_state(q)
        rows = self._read(q, "q")[None], self._read(v, "v")[None], self._read(a, "a")[None]
        _, w, w_rate = tree.core_motion(*rows)
        status, where, _, tau = tree.system.rnea(np.array([t]), position[None], w, w_rate)
        self._require(status, tree, where, t)
        return np.asarray(B.T @ tau[0])

    def forward_dynamics(self, q: Any, v: Any, tau: Any, t: float = 0.0) -> Array:
        """a with M a + h = τ, by articulated bodies."""
        tree = self._tree(t)
        position, B = self._core_state(q)
        effort = self._read(tau, "tau")
        smallest = np.linalg.svd(B, compute_uv=False)[-1] if len(B) else 1.0
        if smallest < EULER_LOST:
            raise SimulationError(
                "the Euler angles of a joint are at their singular position: rates do not exist there"
            )
        rates = self._read(v, "v")
        _, w, turning = tree.core_motion(self._read(q, "q")[None], rates[None], np.zeros((1, len(rates))))
        core_tau = np.asarray(np.linalg.solve(B.T, effort)[None], np.float64)
        status, where, _, w_rate, _ = tree.system.aba(np.array([t]), position[None], w, core_tau)
        self._require(status, tree, where, t)
        return np.asarray(np.linalg.solve(B, w_rate[0] - turning[0]))

    def energy(self, q: Any, v: Any, t: float = 0.0) -> Energy:
        """Kinetic energy, and potential energy of gravity (zero at the ground's origin) and springs."""
        tree = self._tree(t)
        position, B = self._core_state(q)
        status, where, _, numbers = tree.system.energy(np.array([t]), position[None], (B @ self._read(v, "v"))[None])
        self._require(status, tree, where, t)
        kinetic, gravity, springs = (float(x) for x in numbers[0, :3])
        return Energy(kinetic, gravity + springs)

    def jacobian(self, of: str, q: Any) -> Array:
        """∂(velocity)/∂v: of a point 3 rows; of a body 6, its angular velocity first, then that of its origin."""
        position, B = self._core_state(q)
        whole = of in self.model.bodies
        body, at = (of, (0.0, 0.0, 0.0)) if whole else point_of(self.model, of)
        count = B.shape[1]
        units = np.ascontiguousarray(B.T)  # one line per unit rate
        links = self._still.system.forward(np.tile(position, (count, 1)), units, np.zeros_like(units))
        motion = self._still.body_motion(body, links)
        moving = point_on(motion, at)[1].T
        return np.asarray(np.concatenate([motion[:, 10:13].T, moving]) if whole else moving)

    def _core_state(self, q: Any) -> tuple[Array, Array]:
        """The core's coordinates, and B(q)."""
        tree, given = self._still, self._read(q, "q")
        count = len(self.names.v)
        zero = np.zeros((count, count))
        rows, w, _ = tree.core_motion(np.tile(given, (max(count, 1), 1))[:count], np.eye(count), zero)
        position = rows[0] if count else np.zeros(0)
        return np.ascontiguousarray(position), np.ascontiguousarray(w.T)

    def _read(self, given: Any, letter: str) -> Array:
        return read_numbers(self.model, self.names, given, letter)

    @staticmethod
    def _require(status: Status, tree: Tree, where: int, t: float) -> None:
        if status != Status.done:
            names = tree.forces if status == Status.zero_length else tree.links.names()
            at = f" ({names[where]})" if 0 <= where < len(names) else ""
            raise SimulationError(f"the equations of motion have no answer at t = {t:g}: {status_text(status)}{at}")


def _span(laws: Iterable[Law], t: float) -> tuple[float, float]:
    """Time span around t in which all laws are known."""
    domains = [law.domain for law in laws]
    first, last = max((d[0] for d in domains), default=-np.inf), min((d[1] for d in domains), default=np.inf)
    if not first <= t <= last:
        raise ModelError(f"t = {t:g} is outside the data of the forces, t = {first:g} to {last:g}")
    return max(first, t - HALF), min(last, t + HALF)


def state_names_of(model: ModelDefinition, hinges: Sequence[Hinge]) -> StateNames:
    """ "A.q", "B.q1", "B.q2" … and "A.v", "B.v1", "B.v2" …"""
    names: dict[bool, list[str]] = {False: [], True: []}
    for joint in {hinge.joint: hinge.inserted or model.joints[hinge.joint] for hinge in hinges}.values():
        for rates, letter in ((False, "q"), (True, "v")):
            count = len(holds_of(model, joint, rates))
            names[rates] += [f"{joint.name}.{word}" for word in column_names(count, letter)]
    return StateNames(tuple(names[False]), tuple(names[True]))


def read_numbers(model: ModelDefinition, names: StateNames, given: Any, letter: str) -> Array:
    """An array in the order of the names; a dictionary by joint, or by the names of coordinates.

    Plain numbers are radians and the model's unit of length; text carries its unit. τ is in the model's units.
    """
    order = names.q if letter == "q" else names.v
    if isinstance(given, Mapping) and letter not in ("q", "v"):
        joints = {name.rpartition(".")[0] for name in order}
        given = {key if key in joints else key.replace(f".{letter}", ".v"): value for key, value in given.items()}
    return read_by_name(order, given, letter, "joint", lambda name, text: _read_text(model, name, text, letter))


def _read_text(model: ModelDefinition, name: str, text: str, letter: str) -> float:
    joint, _, word = name.rpartition(".")
    owner = model.joints.get(joint) or Joint(joint, "free", ())  # a body that floats
    holds = holds_of(model, owner, letter != "q")[int(word[1:] or 1) - 1]
    kind = holds + PER_TIME[letter] if letter in PER_TIME else {"angle": "torque", "length": "force"}[holds]
    return model.units.read(text, kind)
