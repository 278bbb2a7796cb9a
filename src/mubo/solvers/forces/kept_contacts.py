"""Forces of contacts that are kept along a prescribed motion: columns, and Coulomb friction of those that slide.

The joint in place of a contact exerts the force F on the body of the rounded point. With the unit normal n of the face
at the contact C the normal force is N = F · n, which presses where it is positive; what remains is the friction that a
contact needs to stick. One that slides with velocity u along the face has the friction −μ N u/|u|, which changes N in
turn: N = N₀ + G μ N with the response G of all normal forces to unit friction at each contact, because all equations
are linear in forces while the sense of sliding is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.errors import SimulationError
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.mechanism.kept_contacts import KeptContact, kept_contacts
from mubo.model.column_names import friction_needed_column
from mubo.results import Column, Columns
from mubo.solvers.forces.energy import body_origin
from mubo.solvers.forces.force_solution import ForceSolution, ForceSolver
from mubo.solvers.forces.reactions import body_axes, moments_of, point_positions

AT_REST = 1e-9  # of the largest sliding speed: below, a contact is at rest for an instant and has no sense of sliding
JAMMED = 1e-9  # det(1 − G μ), which is 1 without friction: below, it jams
UNIQUE = 1e-8  # of the largest of a self-stress: what rounding leaves in a unique component


@dataclass(frozen=True)
class ContactMotion:
    """A kept contact over the rows: its point, normal, and the sliding velocity of the first body along the face."""

    contact: KeptContact
    at: Array
    normal: Array
    sliding: Array

    @property
    def sense(self) -> Array:
        """Unit vectors of the sliding velocity; zero where it rests."""
        speed = np.linalg.norm(self.sliding, axis=1, keepdims=True)
        moves = speed > AT_REST * speed.max(initial=0.0)
        return np.where(moves, self.sliding / np.where(moves, speed, 1.0), 0.0)


def contact_motions(form: Absolute, states: Array, columns: Columns) -> list[ContactMotion]:
    """Points, normals and sliding velocities of all kept contacts."""
    out = []
    for one in kept_contacts(form.model):
        center = point_positions(form, states, one.body, one.center)
        face = point_positions(form, states, one.on, one.face.at)
        normal = one.normal(face, center, body_axes(form, states, one.on))
        at = center - one.radius * normal
        relative = _velocity(form, columns, one.body, at) - _velocity(form, columns, one.on, at)
        along = relative - np.sum(relative * normal, axis=1, keepdims=True) * normal
        out.append(ContactMotion(one, at, normal, along))
    return out


def _velocity(form: Absolute, columns: Columns, body: str, at: Array) -> Array:
    """Velocity of the material point of a body that is at a place, over the rows."""
    if body not in form.free:
        return np.zeros_like(at)
    twist = np.stack([columns.raw(f"{body}.{word}") for word in form.mechanism.ambient.twist], axis=1)
    arm, size = at - body_origin(form, columns, body), form.mechanism.dimension
    turning = np.cross(twist[:, 3:], arm) if size == 3 else twist[:, 2:] * np.stack([-arm[:, 1], arm[:, 0]], axis=1)
    return np.asarray(twist[:, :size] + turning)


def normal_forces(solver: ForceSolver, solution: ForceSolution, motions: Sequence[ContactMotion]) -> Array:
    """Normal force of every kept contact: rows × contacts."""
    found = [np.sum(_force(solver, solution, one) * one.normal, axis=1) for one in motions]
    return np.stack(found, axis=1) if found else np.zeros((len(solution.states), 0))


def _place(solver: ForceSolver, contact: KeptContact) -> int:
    return next(
        k
        for k, place in enumerate(solver.reaction_map.places)
        if (place.joint, place.body) == (contact.joint, contact.body)
    )


def _force(solver: ForceSolver, solution: ForceSolution, motion: ContactMotion) -> Array:
    """Force of the joint on the body of the rounded point: rows × dimension."""
    size = solver.form.mechanism.dimension
    return np.asarray(solution.wrenches[:, _place(solver, motion.contact), :size])


def with_sliding_friction(
    solver: ForceSolver,
    states: Array,
    columns: Columns,
    solve: Callable[[tuple[Array, Array] | None], ForceSolution],
) -> ForceSolution:
    """The solution with Coulomb friction at every kept contact that slides; `solve` takes wrenches and their power."""
    motions = contact_motions(solver.form, states, columns)
    sliding = [k for k, one in enumerate(motions) if one.contact.kinetic > 0 and not one.contact.sticks]
    plain = solve(None)
    if not sliding:
        return plain
    mu = np.array([motions[k].contact.kinetic for k in sliding])
    unit = [_friction_wrenches(solver.form, columns, motions[k]) for k in sliding]
    first = normal_forces(solver, plain, motions)[:, sliding]
    normals = [normal_forces(solver, solve(wrench), motions)[:, sliding] for wrench in unit]
    matrix = np.eye(len(sliding)) - np.stack([one - first for one in normals], axis=2) * mu
    _require_solution(matrix, [motions[k] for k in sliding], columns)
    size = mu * np.maximum(np.linalg.solve(matrix, first[..., None])[..., 0], 0.0)
    on = sum(size[:, j, None, None] * wrench for j, (wrench, _) in enumerate(unit))
    power = sum(size[:, j] * spent for j, (_, spent) in enumerate(unit))
    return solve((np.asarray(on), np.asarray(power)))


def _require_solution(matrix: Array, motions: list[ContactMotion], columns: Columns) -> None:
    """Refuse friction that makes more normal force than it takes: det(1 − G μ) has changed its sign from 1."""
    determinant = np.linalg.det(matrix)
    bad = np.flatnonzero(~(determinant > JAMMED))
    if len(bad):
        names = list(dict.fromkeys(one.contact.contact for one in motions))
        t = float(columns["t"][bad[0]])
        raise SimulationError(
            f"contact {', '.join(names)}: at t = {columns.units.time_text(t)} friction makes more normal force than it "
            "takes, so that the contact jams",
            names=names,
            numbers={"t": t},
            suggestion="Take a smaller coefficient of friction, or apply the force closer to the direction of motion.",
        )


def _friction_wrenches(form: Absolute, columns: Columns, motion: ContactMotion) -> tuple[Array, Array]:
    """Wrenches on all bodies by unit friction at a contact against its sliding, and their power."""
    force, one, size = -motion.sense, motion.contact, form.mechanism.dimension
    names = [*form.free, *form.fixed]
    out = np.zeros((len(force), len(names), len(form.mechanism.ambient.wrench)))
    for body, sign in ((one.body, 1.0), (one.on, -1.0)):
        k = names.index(body)
        arm = motion.at - body_origin(form, columns, body)
        out[:, k, :size] += sign * force
        out[:, k, size:] += sign * moments_of(arm, force)
    return out, np.sum(force * motion.sliding, axis=1)


@dataclass(frozen=True)
class ContactForce:
    """Force of a kept contact on the body of its rounded point, over the rows; `open` is what equilibrium leaves open
    of it: rows × dimension × directions."""

    motion: ContactMotion
    normal: Array
    tangent: Array  # rows × dimension
    open: Array

    def is_known(self, solution: ForceSolution) -> bool:
        """Whether equilibrium determines the normal force."""
        if solution.shared is None:
            return True
        along = np.einsum("td,tdk->tk", self.motion.normal, self.open)
        return bool(np.all(np.abs(along) <= UNIQUE * np.abs(solution.shared.open).max(initial=0.0)))

    @property
    def force(self) -> Array:
        """The whole force, for the body of the surface named first."""
        return np.asarray(self.motion.contact.sense * (self.normal[:, None] * self.motion.normal + self.tangent))


def contact_forces(solver: ForceSolver, solution: ForceSolution) -> dict[str, list[ContactForce]]:
    """Forces at the places of every kept contact, at the rows."""
    out: dict[str, list[ContactForce]] = {}
    for one in contact_motions(solver.form, solution.states, solution.columns):
        force, contact, shared = _force(solver, solution, one), one.contact, solution.shared
        normal = np.sum(force * one.normal, axis=1)
        tangent = -contact.kinetic * np.maximum(normal, 0.0)[:, None] * one.sense
        if contact.sticks:
            tangent = force - normal[:, None] * one.normal
        size = one.normal.shape[1]
        free = np.zeros((*force.shape, 0)) if shared is None else shared.open[:, _place(solver, contact), :size]
        out.setdefault(contact.contact, []).append(ContactForce(one, normal, tangent, free))
    return out


def kept_contact_columns(solver: ForceSolver, solution: ForceSolution) -> Iterator[tuple[Column, Array]]:
    """Columns of every kept contact, named as those of a simulation, and the friction that it needs to stick."""
    largest = 0.0 if solution.shared is None else float(np.abs(solution.shared.open).max(initial=0.0))
    for name, parts in contact_forces(solver, solution).items():
        pressed = sum(np.einsum("td,tdk->tk", one.motion.normal, one.open) for one in parts)
        free = sum(one.motion.contact.sense * one.open for one in parts)
        known = bool(np.all(np.abs(pressed) <= UNIQUE * largest))
        whole = bool(np.all(np.abs(free) <= UNIQUE * largest))
        normal, force = sum(one.normal for one in parts), sum(one.force for one in parts)
        yield Column(f"{name}.normal", "contact", name, "normal", 0, "force", unique=known), np.asarray(normal)
        friction = np.linalg.norm(sum(one.motion.contact.sense * one.tangent for one in parts), axis=1)
        yield Column(f"{name}.friction", "contact", name, "friction", 0, "force", unique=whole), friction
        if parts[0].motion.contact.sticks:
            yield replace(friction_needed_column(name), unique=known and whole), friction_needed(parts)
        for k, word in enumerate("xyz"[: solver.form.mechanism.dimension]):
            column = Column(f"{name}.f{word}", "contact", name, f"f{word}", 0, "force", unique=whole)
            yield column, np.asarray(force)[:, k]
        place = _centre_of_pressure(parts)
        for k, word in enumerate("xyz"[: solver.form.mechanism.dimension]):
            yield Column(f"{name}.{word}", "contact", name, word, 0, "length"), place[:, k]


def friction_needed(parts: Sequence[ContactForce]) -> Array:
    """The least coefficient with which a contact sticks: |Σ T| / Σ N of points on one face, else the largest of all.

    It has no number where nothing presses.
    """
    face = parts[0].motion.normal
    flat = all(np.allclose(one.motion.normal, face, rtol=0, atol=1e-9) for one in parts)
    sets = [parts] if flat else [[one] for one in parts]
    ratios = []
    for some in sets:
        normal = np.asarray(sum(one.normal for one in some))
        tangential = np.linalg.norm(sum(one.tangent for one in some), axis=1)
        ratios.append(np.where(normal > 0, tangential / np.where(normal > 0, normal, 1.0), np.nan))
    return np.asarray(np.max(ratios, axis=0))


def _centre_of_pressure(parts: Sequence[ContactForce]) -> Array:
    """Centre of pressure; of points of which none presses their mean."""
    pressed = np.stack([np.clip(one.normal, 0.0, None) for one in parts], axis=1)
    places = np.stack([one.motion.at for one in parts], axis=1)
    whole = pressed.sum(axis=1, keepdims=True)
    part = np.where(whole > 0, pressed / np.where(whole > 0, whole, 1.0), 1.0 / len(parts))
    return np.asarray(np.einsum("tp,tpd->td", part, places))
