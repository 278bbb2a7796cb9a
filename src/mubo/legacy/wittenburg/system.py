"""A tree ready to be asked for A and B at any position and velocity."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, SimulationError
from mubo.geometry import UNIT
from mubo.laws import Law
from mubo.legacy.wittenburg.bodies import augment, hinge_vectors, masses_of
from mubo.legacy.wittenburg.equations import AugmentedTerms, Matrices, State, augmented_terms, general_form, state_of
from mubo.legacy.wittenburg.graph import directed_graph
from mubo.legacy.wittenburg.hinges import stacks_of
from mubo.legacy.wittenburg.loads import Loads
from mubo.mechanism import mechanism_of
from mubo.model import Builder, ModelDefinition, check
from mubo.model.coordinates import coordinate_of, joint_dofs
from mubo.model.options import UNIT_TOLERANCE
from mubo.results import Columns
from mubo.topology.tree import tree_of

NO_INERTIA = 1e-13  # smallest pivot of A, scaled to a diagonal of ones, at which it counts as singular
EULER_LOST = 1e-6  # |det p| of Euler angles at which such a pivot is theirs


class System:
    """Graph, bodies, hinges and loads of a spatial tree; refuses other models, with names.

    Coordinates q stand hinge by hinge from the ground outwards (`coordinates` names them), rates v likewise. A ball
    without `euler` has a quaternion in q and quasi-velocities in v: its angular velocity in the axes of the joint on
    its second body. Joint coordinates that a driver moves are put to its law.
    """

    def __init__(self, model: ModelDefinition | Builder) -> None:
        model = model.build() if isinstance(model, Builder) else model
        _require_spatial(model)
        hinges = tree_of(model)
        if not hinges:
            raise ModelError("the model has no bodies but the ground")
        self.model = model
        self.graph = directed_graph(model, hinges)
        self.stacks = stacks_of(model, hinges)
        self.coordinates = tuple(name for stack in self.stacks for name in stack.coordinates)
        self.rates = tuple(name for stack in self.stacks for name in stack.rates)
        if not self.rates:
            raise ModelError("no joint of the model has a degree of freedom: nothing can move")
        self.masses = masses_of(model, self.graph)
        if not self.masses.m.sum() > 0:
            raise ModelError("the total mass is zero: nothing resists a force")
        self.c = hinge_vectors(self.graph, self.stacks, self.masses)
        self.turns_only = all(stack.turns_only for stack in self.stacks)
        self.bodies = augment(self.graph, self.masses, self.c) if self.turns_only else None
        self.loads = Loads(model, self.graph, self.stacks, self.masses)
        self.driven = _driven(self)

    def state(self, q: Array, v: Array) -> State:
        """Positions and velocities of all bodies."""
        return state_of(self.graph, self.stacks, self.c, q, v)

    def matrices(self, q: Array, v: Array, t: float = 0.0, form: str = "") -> Matrices:
        """A and B; `form` "general" is the one for trees that slide, also where all hinges only turn."""
        state = self.state(q, v)
        acting = self.loads(state, q, v, t)
        if self.bodies is None or form == "general":
            return general_form(self.graph, self.masses, state, *acting)
        terms = augmented_terms(self.graph, self.masses, self.bodies, state, *acting)
        return terms.A, terms.B

    def terms(self, q: Array, v: Array, t: float = 0.0) -> AugmentedTerms | None:
        """The terms of A and B by augmented bodies; None where a hinge slides."""
        if self.bodies is None:
            return None
        state = self.state(q, v)
        return augmented_terms(self.graph, self.masses, self.bodies, state, *self.loads(state, q, v, t))

    def accelerations(self, q: Array, v: Array, t: float = 0.0) -> Array:
        """q̈ (rates of the quasi-velocities of balls without `euler`) from A q̈ = B; driven coordinates have theirs."""
        A, B = self.matrices(q, v, t)
        out = np.zeros(len(B))
        free = np.ones(len(B), bool)
        for _, at, law, factor, _ in self.driven:
            free[at] = False
            out[at] = law(np.array([t]))[0, 2] * factor
        if not free.any():
            return out
        out[free] = self._solve(A[np.ix_(free, free)], B[free] - A[np.ix_(free, ~free)] @ out[~free], free, q)
        return out

    def start(self) -> tuple[Array, Array]:
        """q and v as [initial] of the joints says; what is left out is zero."""
        if self.model.initial_bodies:
            raise ModelError(
                "Wittenburg's equations begin with initial conditions of joints; found some of bodies: "
                + ", ".join(self.model.initial_bodies),
                names=list(self.model.initial_bodies),
                suggestion="Give q and v of the joints that carry them.",
            )
        q, v = np.zeros(len(self.coordinates)), np.zeros(len(self.rates))
        for stack in self.stacks:
            given = self.model.initial_joints.get(stack.name)
            if stack.quaternion is not None:
                q[stack.quaternion] = UNIT
            if given is not None and given.q:
                q[stack.q] = given.q
            if given is not None and given.v:
                v[stack.v] = given.v
        require_unit(self, q)
        return q, v

    def put_driven(self, q: Array, v: Array, t: float) -> tuple[Array, Array]:
        """q and v with the driven coordinates where their laws say."""
        q, v = q.copy(), v.copy()
        for at_q, at_v, law, factor, start in self.driven:
            q[at_q], v[at_v] = law(np.array([t]))[0, :2] * factor
            q[at_q] += start
        return q, v

    def energy(self, q: Array, v: Array) -> tuple[float, float]:
        """Kinetic energy, and potential energy of gravity with its zero at the origin of the ground."""
        state = self.state(q, v)
        return float(np.sum(self.kinetic(state))), -float(np.sum(self.loads.weight * state.r))

    def kinetic(self, state: State) -> Array:
        """Kinetic energy of every body: of the translation of its centre, ½ m ṙ², and of its rotation, ½ ω·J·ω."""
        turning = np.einsum("iyx,iy->ix", state.A0[1:], state.omega[1:])  # in body axes
        moving = self.masses.m * np.sum(state.rdot**2, axis=1)
        return np.stack([moving, np.einsum("ix,ixy,iy->i", turning, self.masses.J, turning)], 1) / 2

    def near_singular(self, q: Array) -> tuple[str, float]:
        """The joint whose Euler angles are nearest to their singularity, and |det p|: 0 at it."""
        found = min(self.stacks, key=lambda stack: stack.euler_distance(q))
        return found.name, found.euler_distance(q)

    def _solve(self, A: Array, B: Array, free: np.ndarray, q: Array) -> Array:
        if not np.all(np.isfinite(A)) or not np.all(np.isfinite(B)):
            raise SimulationError("a number grew beyond all bounds: A or B is not finite")
        size = np.sqrt(np.abs(np.diag(A)))
        if np.all(size > NO_INERTIA * size.max()):
            scaled = A / np.outer(size, size)
            try:
                regular = np.min(np.diag(np.linalg.cholesky(scaled))) ** 2 > NO_INERTIA
            except np.linalg.LinAlgError:
                regular = False
            if regular:
                return np.asarray(np.linalg.solve(scaled, B / size) / size)
        names = [name for name, is_free in zip(self.rates, free, strict=True) if is_free]
        raise self._singular(A, names, q)

    def _singular(self, A: Array, names: list[str], q: Array) -> SimulationError:
        """Which degree of freedom the matrix leaves without inertia, or whose Euler angles are lost."""
        joint, distance = self.near_singular(q)
        if distance < EULER_LOST:
            return lost_euler(joint, "here")
        size = np.sqrt(np.abs(np.diag(A)))
        share = np.where(size > NO_INERTIA * size.max(), 0.0, 1.0)
        if not share.any():
            share = np.abs(np.linalg.eigh(A / np.outer(size, size))[1][:, 0])
        loose = [name for name, part in zip(names, share, strict=True) if part > 0.3 * share.max()]
        return SimulationError(
            f"nothing resists {', '.join(loose)}: a degree of freedom without inertia",
            names=loose,
            suggestion="Give the bodies behind it mass and inertia.",
        )


def wittenburg_matrices(
    model: ModelDefinition | Builder, q: Sequence[float] | Array, v: Sequence[float] | Array, t: float = 0.0
) -> Matrices:
    """A and B of A q̈ = B; coordinates hinge by hinge as `topology.tree.tree_of` orders them."""
    system = System(model)
    return system.matrices(*_sized(system, q, v), t)


def wittenburg_accelerations(
    model: ModelDefinition | Builder, q: Sequence[float] | Array, v: Sequence[float] | Array, t: float = 0.0
) -> Array:
    """q̈ of A q̈ = B."""
    system = System(model)
    return system.accelerations(*_sized(system, q, v), t)


def table_residuals(model: ModelDefinition, columns: Columns, rows: Sequence[int]) -> Array:
    """|A q̈ − B| at rows of a table of joint coordinates, of the largest |A| |q̈| + |B| of each coordinate: rows × rates.

    Equations of driven coordinates are left out: their laws replace them.
    """
    system = System(model)
    left, scale = [], []
    free = np.ones(len(system.rates), bool)
    free[[at for _, at, *_ in system.driven]] = False

    def numbers(names: Sequence[str], row: int) -> Array:
        return np.array([columns.raw(name)[row] for name in names])

    changes = [f"{head}.a{tail}" for head, _, tail in (name.rpartition(".v") for name in system.rates)]
    for row in rows:
        q, v, a = (numbers(names, row) for names in (system.coordinates, system.rates, changes))
        A, B = system.matrices(q, v, float(columns.raw("t")[row]))
        left.append(np.where(free, A @ a - B, 0.0))
        scale.append(np.abs(A) @ np.abs(a) + np.abs(B))
    largest = np.max(scale, axis=0)
    return np.abs(left) / np.where(largest > 0, largest, 1.0)


def _sized(system: System, q: Sequence[float] | Array, v: Sequence[float] | Array) -> tuple[Array, Array]:
    q, v = np.asarray(q, float), np.asarray(v, float)
    for letter, given, names in (("q", q, system.coordinates), ("v", v, system.rates)):
        if given.shape != (len(names),):
            raise ModelError(f"{letter} needs {len(names)} numbers ({', '.join(names)}); found {given.size}")
    require_unit(system, q)
    return q, v


def require_unit(system: System, q: Array) -> None:
    """Refuses a quaternion that has not the length 1."""
    for stack in system.stacks:
        if stack.quaternion is not None:
            length = float(np.linalg.norm(q[stack.quaternion]))
            if not abs(length - 1) <= UNIT_TOLERANCE:
                raise ModelError(
                    f'the quaternion of joint "{stack.name}" has length {length:.9g}; it must be 1', names=[stack.name]
                )


def lost_euler(joint: str, where: str) -> SimulationError:
    """Euler angles whose first and last axis line up."""
    return SimulationError(
        f'the Euler angles of joint "{joint}" are singular {where}: its first and last axis line up',
        names=[joint],
        suggestion="Start elsewhere, take another sequence, or leave `euler` out: a ball has no such point.",
    )


def _require_spatial(model: ModelDefinition) -> None:
    where = f"{model.source}: " if model.source else ""
    if model.dimension != 3:
        raise ModelError(
            f"{where}Wittenburg's equations are for trees of bodies in space; this model is planar",
            suggestion="Write dimension = 3, or see the loops of a planar model with --loops.",
        )
    crowded = [joint.name for joint in model.joints.values() if len(joint.arms) > 1]
    if crowded:
        raise ModelError(
            f"{where}Wittenburg's hinges have two ends each; joint {crowded[0]} has more",
            names=crowded,
            suggestion="Write one joint for each end after the first, or use --formulation tree.",
        )
    problems = check(model)
    if problems:
        raise ModelError(
            where + "\n".join(map(str, problems)), names=[p.where[1] for p in problems if len(p.where) > 1]
        )


def _driven(system: System) -> list[tuple[int, int, Law, float, float]]:
    """For each driver its coordinate, rate, law, radians per unit of the law, and the value that it counts from."""
    out = []
    stacks = {stack.name: stack for stack in system.stacks}
    model = system.model
    starts = mechanism_of(model).starts if model.drivers else ()
    for driver, start in zip(model.drivers.values(), starts, strict=True):
        head = driver.of.partition(".")[0] if isinstance(driver.of, str) else ""
        if head not in stacks:
            raise ModelError(
                f'driver "{driver.name}" does not drive a joint coordinate',
                names=[driver.name],
                suggestion="In Wittenburg's equations only joint coordinates are prescribed.",
            )
        joint, number = coordinate_of(model, str(driver.of))
        holds = [word for dof in joint_dofs(model, joint) for word in dof.q]
        factor = model.units.angle_factor() if holds[number] == "angle" else 1.0
        out.append(
            (stacks[head].q.start + number, stacks[head].v.start + number, driver.motion, factor, start * factor)
        )
    return out
