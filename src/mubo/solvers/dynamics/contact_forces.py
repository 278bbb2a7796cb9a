"""Forces of contacts and exact friction on bodies, as inverse dynamics needs them: wrenches at the rows, and impulses.

A unit exerts forces along its normal and tangents at its contact point on its first body, and the opposite ones on its
second; a unit of a joint that turns exerts a torque. Gears with backlash exert torques on three bodies.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from mubo import _core
from mubo.arrays import Array, Booleans
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.contact_arrays import CONTACT, FRICTION, ContactOwner, ContactUnits
from mubo.mechanism.formulations.tree import Tree
from mubo.model.column_names import TIME
from mubo.results import Column, Columns
from mubo.solvers.dynamics.tree_columns import plane_states
from mubo.solvers.forces.energy import body_origin

UNIT = 23  # numbers of a unit in a row of the core
RESTING = 2  # mode along the normal
STICKING, SLIPPING = 1, 2  # modes along the tangents
DETERMINED = 3  # bits: sums of normals, of friction
# Number among the switches, owner, state before, velocities after, contact point, impulse on the first body
Impact = tuple[int, int, list[float], list[float], list[float], list[float]]


@dataclass(frozen=True)
class ContactForces:
    """Forces of units of contact at instants: of each its owner, point, force, torque and power."""

    owners: list[ContactOwner]
    at: Array  # instants × units × 3
    force: Array
    torque: Array
    power: Array  # instants × units
    # Of forces at rows: directions in which a unit is a constraint (instants × units × 3 × 3, zero where it is none),
    # whether it turns, and at which instants equilibrium does not determine all.
    constrained: Array = field(default_factory=lambda: np.zeros((0, 0, 3, 3)))
    turns: tuple[bool, ...] = ()
    shared: Booleans = field(default_factory=lambda: np.zeros(0, bool))

    def wrenches(self, form: Absolute, columns: Columns) -> Array:
        """Wrenches of all units on all bodies about their origins: instants × bodies × components."""
        names, dimension = (*form.free, *form.fixed), form.mechanism.dimension
        out = np.zeros((len(self.power), len(names), len(form.mechanism.ambient.wrench)))
        for number, name in enumerate(names):
            origin = np.pad(body_origin(form, columns, name), ((0, 0), (0, 3 - dimension)))
            for k, owner in enumerate(self.owners):
                for body, factor in zip(bodies_in_contact(owner), body_factors(owner), strict=True):
                    if body != name:
                        continue
                    force = factor * self.force[:, k]
                    moment = factor * self.torque[:, k] + np.cross(self.at[:, k] - origin, force)
                    out[:, number, :dimension] += force[:, :dimension]
                    out[:, number, dimension:] += moment if dimension == 3 else moment[:, 2:]
        return out


@dataclass(frozen=True)
class ImpactMotion:
    """Impacts of a run: number among its switches, poses, jumps of the twists of all bodies, and their impulses."""

    numbers: list[int]
    columns: Columns  # of the bodies before
    poses: Array
    jumps: Array
    forces: ContactForces  # impulses in place of forces, one unit of contact for each impact


def bodies_in_contact(owner: ContactOwner) -> tuple[str, ...]:
    """Bodies on which a unit acts; of gears also the carrier of their axes."""
    return (*owner.bodies, owner.carrier) if owner.carrier else owner.bodies


def body_factors(owner: ContactOwner) -> tuple[float, ...]:
    """Factors of the unit's force on these bodies: a force and its reaction; of gears their radii."""
    return (*owner.factors, -sum(owner.factors)) if owner.factors else (1.0, -1.0)


def recorded_units(units: ContactUnits, run: _core.ContactRun) -> tuple[ContactUnits, Array]:
    """The units that a run has recorded at some instant, and their numbers: instants × units × UNIT.

    Of hundreds of candidates most never come near. Where one is not recorded, it is open and others are nearer.
    """
    numbers, table = run.recorded_units()
    found, at = np.unique(numbers[:, 1].astype(int), return_inverse=True)
    rows = np.zeros((run.rows, len(found), UNIT))
    rows[:, :, 0], rows[:, :, 22] = np.inf, DETERMINED
    rows[numbers[:, 0].astype(int), at] = table
    return ContactUnits([units.units[k] for k in found], [units.owners[k] for k in found]), rows


def contact_forces(units: ContactUnits, rows: Array) -> ContactForces:
    """Forces of the units from their numbers at instants."""
    directions = np.stack([rows[:, :, 4 + 4 * k : 7 + 4 * k] for k in range(3)], axis=2)
    rates = np.stack([rows[:, :, 7 + 4 * k] for k in range(3)], axis=2)
    forces = rows[:, :, 16:19]
    resultant = np.einsum("tuk,tukx->tux", forces, directions)
    turned = tuple(_turns(unit) for unit in units.units)
    turns = np.array(turned, bool)[None, :, None]
    return ContactForces(
        units.owners,
        rows[:, :, 1:4],
        np.where(turns, 0.0, resultant),
        np.where(turns, resultant, 0.0),
        np.sum(forces * rates, axis=2),
        _constrained(units, rows, directions, forces),
        turned,
        np.any(rows[:, :, 22] != DETERMINED, axis=1),
    )


def _constrained(units: ContactUnits, rows: Array, directions: Array, forces: Array) -> Array:
    """Directions in which units are constraints: normals of what rests, with the friction of what slides, and tangents
    of what sticks; friction of a joint has its coordinate alone."""
    rests, sticks, slips = rows[:, :, 20] == RESTING, rows[:, :, 21] == STICKING, rows[:, :, 21] == SLIPPING
    alone = np.array([unit[0] == FRICTION for unit in units.units], bool)
    out = np.array(directions)
    pressed = np.where(forces[:, :, :1] > 0, forces[:, :, :1], 1.0)
    slid = np.einsum("tuk,tukx->tux", forces[:, :, 1:] / pressed, directions[:, :, 1:])
    out[:, :, 0] += np.where(slips[:, :, None], slid, 0.0)
    out[:, :, 0] *= np.where(alone, sticks, rests)[:, :, None]
    out[:, :, 1:] *= (sticks & ~alone)[:, :, None, None]
    return out


def impact_motion(tree: Tree, units: ContactUnits, impacts: list[Impact], times: list[float]) -> ImpactMotion:
    """Poses and jumps of velocity of impacts that the core has kept, at their times."""
    states = np.array([one[2] for one in impacts])
    t, positions = np.array(times), tree.links.positions
    q = np.ascontiguousarray(states[:, :positions])
    before = np.ascontiguousarray(states[:, positions : positions + tree.links.velocities])
    after = np.array([one[3] for one in impacts])
    poses, twists = _poses_and_twists(tree, t, q, before)
    jumps = _poses_and_twists(tree, t, q, after)[1] - twists
    columns, width = Columns(tree.model.units, [(TIME, t)]), poses.shape[1] // len(tree.free)
    for k, name in enumerate(tree.free):
        for j, letter in enumerate("xyz"[: tree.model.dimension]):
            columns.extend([(Column(f"{name}.{letter}", "body", name, letter, 0, "length"), poses[:, width * k + j])])
    at, impulse = (np.array([one[k] for one in impacts])[:, None] for k in (4, 5))
    owners = [units.owners[one[1]] for one in impacts]
    turns = np.array([_turns(units.units[one[1]]) for one in impacts])[:, None, None]
    force, torque = (np.where(mask, 0.0, impulse) for mask in (turns, ~turns))
    own = np.eye(len(impacts))[:, :, None]  # at each impact its own unit alone acts
    found = ContactForces(owners, at * own, force * own, torque * own, np.zeros((len(t), len(t))))
    return ImpactMotion([one[0] for one in impacts], columns, poses, jumps, found)


def _poses_and_twists(tree: Tree, t: Array, q: Array, v: Array) -> tuple[Array, Array]:
    q, v, _ = tree.system.drive(t, q.copy(), v.copy())
    links = tree.system.forward(q, v, np.zeros_like(v))
    if tree.model.dimension == 2:
        states = plane_states(tree, links, q)
        return states[:, 0], states[:, 1]
    lines = tree.body_motions(tree.free, links)
    return lines[:, :, :7].reshape(len(t), -1), lines[:, :, 7:13].reshape(len(t), -1)


def _turns(unit: tuple[Any, ...]) -> bool:
    """Whether a unit exerts torques: one of a joint that turns."""
    return bool(unit[0] != CONTACT and unit[3][13] > 0)
