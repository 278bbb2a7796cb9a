"""Equations of motion at a state, in joint coordinates by name: M(q) a + h(q, v, t) + Jᵀλ = τ, with J a = γ of loops.

A model is compiled once; every call is then one call of the core, for one state or for many along the first axis.

The recursions of the core take link velocities w: of a ball the angular velocity of its child link, whatever the
coordinates of its joint are. With w = B(q) v, and ẇ = B a + g(q, v),

    M = Bᵀ M_core B,    τ = Bᵀ τ_core,    power τ·v = τ_core·w.

Source of the recursions: Featherstone, Rigid Body Dynamics Algorithms (2008), chapters 5 to 7; of their derivatives:
Singh, Russell and Wensing (2022), doi 10.1109/LRA.2022.3141194.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mubo import _core
from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import ModelError, MuboError, SimulationError, status_text
from mubo.geometry.rotation import of_matrix
from mubo.laws import Law
from mubo.mechanism import mechanism_of
from mubo.mechanism.formulations.contact_units import refuse_switching
from mubo.mechanism.formulations.inertia import require_inertia
from mubo.mechanism.formulations.tree import Tree, tree_form
from mubo.model import ModelDefinition, Units
from mubo.model.coordinates import point_of
from mubo.solvers.dynamics.joint_links import joint_links
from mubo.solvers.dynamics.named_numbers import read_numbers, require_named_coordinates, state_names_of

HALF = 0.5  # of a unit of time: laws of forces are tabulated this far around the given instant


class Energy(NamedTuple):
    """Energies of a state, in the model's units."""

    kinetic: Any  # a float, or an array over many states
    potential: Any

    @property
    def total(self) -> Any:
        """Kinetic and potential energy together."""
        return self.kinetic + self.potential


class InverseDerivatives(NamedTuple):
    """Derivatives of the joint efforts τ(q, v, a), rates × rates; those by q are per unit of motion along each rate."""

    q: Array
    v: Array
    a: Array  # the mass matrix


class ForwardDerivatives(NamedTuple):
    """Derivatives of the accelerations a(q, v, τ), rates × rates; those by q are per unit of motion along each rate."""

    q: Array
    v: Array
    tau: Array  # the inverse of the mass matrix, where loops close within the motions that they allow


class EquationsOfMotion:
    """The compiled equations of motion of a model. Drivers are ignored: every joint coordinate of the tree is free.

    q, v, a and τ are arrays in the order of `names`, one state or, along a first axis, many; or dictionaries by joint.
    `out` takes the answer: a C-contiguous array of doubles of its shape.
    """

    def __init__(self, model: ModelDefinition) -> None:
        self.model = model
        options = [option for force in model.forces.values() for option in force.options.values()]
        self._laws = [option for option in options if isinstance(option, Law)]
        self._free = model.changed(drivers={})
        self._places: dict[str, _core.LinkPlace] = {}
        self._chosen = False
        self._lacking: ModelError | None = None  # why there are no equations of motion, but kinematics alone
        try:
            require_inertia(mechanism_of(self._free))
        except ModelError as error:
            self._lacking = error
        self._compile(max([0.0, *(law.domain[0] for law in self._laws)]))
        self._unknown_efforts = self._lacking or _friction_refusal(self._tree)
        self.names = state_names_of(model, self._tree.hinges)

    @property
    def loops(self) -> bool:
        """Whether equations close loops."""
        return bool(self._tree.closing.rows)

    def _compile(self, t: float) -> None:
        """Compile the tree over the span of time around t for which all laws are known."""
        self._span = _span(self.model.units, self._laws, t)
        refuse_switching(mechanism_of(self._free), "an equation of motion at a state")
        self._tree = tree_form(mechanism_of(self._free), *self._span, kinematic=self._lacking is not None)
        require_named_coordinates(self.model, self._tree.hinges)
        self._core = _core.States(self._tree.system, joint_links(self._tree), self.model.dimension == 2)
        self._chosen = not self._tree.closing.rows

    def _at(self, t: float) -> _core.States:
        """The core's functions at time t."""
        if self._laws and not self._span[0] <= t <= self._span[1]:
            self._compile(t)
        return self._core

    def mass_matrix(self, q: Any, out: Array | None = None) -> Array:
        """M(q)."""
        if self._lacking is not None:
            raise self._lacking
        found = self._core.mass_matrix(q, out)
        return found if found is not None else self._ask("mass_matrix", {"q": q}, out=out)

    def bias(self, q: Any, v: Any, t: float = 0.0, out: Array | None = None) -> Array:
        """h(q, v, t) = τ at a = 0."""
        if self._unknown_efforts is not None:
            raise self._unknown_efforts
        found = self._at(t).bias(q, v, t, out)
        return found if found is not None else self._ask("bias", {"q": q, "v": v}, t, out=out)

    def inverse_dynamics(self, q: Any, v: Any, a: Any, t: float = 0.0, out: Array | None = None) -> Array:
        """τ = M a + h, the loops open."""
        if self._unknown_efforts is not None:
            raise self._unknown_efforts
        found = self._at(t).inverse_dynamics(q, v, a, t, out)
        return found if found is not None else self._ask("inverse_dynamics", {"q": q, "v": v, "a": a}, t, out=out)

    def forward_dynamics(self, q: Any, v: Any, tau: Any, t: float = 0.0, out: Array | None = None) -> Array:
        """a with M a + h + Jᵀλ = τ and J a = γ, by articulated bodies."""
        if self._lacking is not None:
            raise self._lacking
        core = self._at(t)
        found = core.forward_dynamics(q, v, tau, t, out) if self._chosen else None
        return found if found is not None else self._ask("forward_dynamics", {"q": q, "v": v, "tau": tau}, t, out=out)

    def energy(self, q: Any, v: Any, t: float = 0.0) -> Energy:
        """Kinetic energy, and potential energy of gravity (zero at the ground's origin) and springs."""
        if self._lacking is not None:
            raise self._lacking
        found = self._at(t).energy(q, v, t)
        if found is None:
            found = self._ask("energy", {"q": q, "v": v}, t)
        return Energy(float(found[0]), float(found[1])) if found.ndim == 1 else Energy(found[:, 0], found[:, 1])

    def jacobian(self, of: str, q: Any, out: Array | None = None) -> Array:
        """∂(velocity)/∂v of a point; of a body its angular velocity first, then that of its origin."""
        place = self._places.get(of) or self._place(of)
        found = self._core.jacobian(place, q, out)
        return found if found is not None else self._ask("jacobian", {"q": q}, of=place, out=out)

    def forward_kinematics(self, of: str, q: Any, out: Array | None = None) -> Array:
        """Place of a point; of a body its origin with its quaternion, in the plane with its angle."""
        place = self._places.get(of) or self._place(of)
        found = self._core.place(place, q, out)
        return found if found is not None else self._ask("place", {"q": q}, of=place, out=out)

    def loop_jacobian(self, q: Any, t: float = 0.0, out: Array | None = None) -> Array:
        """J of the independent equations that close loops: equations × rates; without loops it has no rows."""
        core = self._at(t)
        found = core.loop_jacobian(q, t, out) if self._chosen and self._tree.closing.rows else None
        return found if found is not None else self._ask("loop_jacobian", {"q": q}, t, out=out)

    def inverse_dynamics_derivatives(
        self, q: Any, v: Any, a: Any, t: float = 0.0, out: InverseDerivatives | None = None
    ) -> InverseDerivatives:
        """∂τ/∂q, ∂τ/∂v, ∂τ/∂a = M, the loops open."""
        if self._unknown_efforts is not None:
            raise self._unknown_efforts
        found = self._at(t).inverse_derivatives(q, v, a, t, *(out or ()))
        given = {"q": q, "v": v, "a": a}
        return InverseDerivatives(
            *(found if found is not None else self._ask("inverse_derivatives", given, t, out=out))
        )

    def forward_dynamics_derivatives(
        self, q: Any, v: Any, tau: Any, t: float = 0.0, out: ForwardDerivatives | None = None
    ) -> ForwardDerivatives:
        """∂a/∂q, ∂a/∂v, ∂a/∂τ; loops stay closed to second order."""
        if self._unknown_efforts is not None:
            raise self._unknown_efforts
        if self._tree.closing.rows and any(
            m.kind == "ball" and (m.euler or not m.forward) for m in self._tree.links.motions
        ):
            raise ModelError(
                "derivatives with closed loops need balls without `euler`, written from the ground outwards",
                suggestion="Leave out `euler`, or exchange the ends of the ball.",
            )
        core = self._at(t)
        found = core.forward_derivatives(q, v, tau, t, *(out or ())) if self._chosen else None
        given = {"q": q, "v": v, "tau": tau}
        return ForwardDerivatives(
            *(found if found is not None else self._ask("forward_derivatives", given, t, out=out))
        )

    def _ask(
        self, name: str, given: Mapping[str, Any], t: float | None = None, of: Any = None, out: Any = None
    ) -> Array:
        """Ask the core with arguments that are read and checked here first."""
        numbers = {letter: self._read(values, letter) for letter, values in given.items()}
        counts = {letter: len(one) for letter, one in numbers.items() if one.ndim == 2}
        if counts and (len(counts) < len(numbers) or len(set(counts.values())) > 1):
            given_counts = ", ".join(f"{letter} {counts.get(letter, 'one state')}" for letter in numbers)
            raise ModelError(f"arrays of many states need the same number of states each; found {given_counts}")
        first = numbers["q"] if numbers["q"].ndim == 1 else numbers["q"][:1].ravel()
        if not self._chosen and len(first):
            self._choose_rows(first, t or 0.0)
        if name == "loop_jacobian" and not self._tree.closing.rows:
            return np.zeros((*numbers["q"].shape[:-1], 0, len(self.names.v)))
        places = [] if of is None else [of]
        times = [] if t is None else [float(t)]
        outs = [*(out or ())] if name.endswith("derivatives") else [out]
        found: Array | None = getattr(self._core, name)(*places, *numbers.values(), *times, *outs)
        if found is None:
            raise self._refusal(t or 0.0, outs)
        return found

    def _choose_rows(self, q: Array, t: float) -> None:
        """Choose the independent equations of the loops, at the closed position next to q."""
        rest = np.zeros((1, len(self.names.v)))
        position = self._tree.core_motion(q[None], rest, rest)[0][0]
        status, where, closed, _ = _core.project_onto_loops(self._tree.system, t, position, rest[0])
        if status != Status.done:
            at = f" ({self._tree.closing.equations[where]})" if where >= 0 else ""
            raise SimulationError(f"the loops cannot be closed near this q: {status_text(status)}{at}")
        _core.choose_rows(self._tree.system, t, closed)
        self._chosen = True

    def _place(self, of: str) -> _core.LinkPlace:
        """The place of a body or point on its link, resolved once."""
        whole = of in self.model.bodies
        body, at = (of, (0.0,) * self.model.dimension) if whole else point_of(self.model, of)
        link, frame = self._tree.links.frame[body]
        place = frame.axes.T @ (np.array([*at, 0.0][:3]) - frame.at)
        angle = -self._tree.links.turned.get(body, 0.0)
        self._places[of] = _core.LinkPlace(link, place, of_matrix(frame.axes.T), angle, whole)
        return self._places[of]

    def _read(self, given: Any, letter: str) -> Array:
        order = self.names.q if letter == "q" else self.names.v
        if isinstance(given, np.ndarray) and given.ndim == 2:
            if given.shape[1] != len(order):
                raise ModelError(
                    f"{letter} of many states needs {len(order)} columns, {', '.join(order)}; found {given.shape[1]}"
                )
            bad = np.argwhere(~np.isfinite(given))
            if len(bad):
                state, column = bad[0]
                raise ModelError(
                    f"{letter}: {order[column]} of state {state} is {given[state, column]}: a finite number is needed"
                )
            return np.ascontiguousarray(given, np.float64)
        return read_numbers(self.model, self.names, given, letter)

    def _refusal(self, t: float, outs: Sequence[Any]) -> MuboError:
        status, where, state = self._core.fault
        if status == Status.running:
            shapes = ", ".join(str(getattr(out, "shape", type(out).__name__)) for out in outs)
            return ModelError(f"out must be a C-contiguous array of doubles of the answer's shape; found {shapes}")
        if status == Status.singular:
            return SimulationError(
                "the Euler angles of a joint are at their singular position: rates do not exist there"
            )
        names = self._tree.forces if status == Status.zero_length else self._tree.links.names()
        at = f" ({names[where]})" if 0 <= where < len(names) else ""
        many = f", state {state}" if state else ""
        when = f"{self._tree.model.units.time_text(t)}{many}"
        return SimulationError(f"the equations of motion have no answer at t = {when}: {status_text(status)}{at}")


def _friction_refusal(tree: Tree) -> ModelError | None:
    """The error of friction whose size depends on reactions, which only forward dynamics finds; None without any."""
    names = [load.name for load in tree.mechanism.loads if load.reaction_friction is not None]
    if not names:
        return None
    return ModelError(
        f"force {names[0]}: its friction depends on a joint reaction, known to forward_dynamics alone",
        names=names,
        suggestion="Give its normal force as a number.",
    )


def _span(units: Units, laws: Iterable[Law], t: float) -> tuple[float, float]:
    """Time span around t in which all laws are known."""
    domains = [law.domain for law in laws]
    first, last = max((d[0] for d in domains), default=-np.inf), min((d[1] for d in domains), default=np.inf)
    if not first <= t <= last:
        when, end = units.time_text(t), units.time_text(last)
        raise ModelError(f"t = {when} is outside the data of the forces, t = {first:g} to {end}")
    return max(first, t - HALF), min(last, t + HALF)
