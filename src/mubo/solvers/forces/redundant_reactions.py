"""Redundant reactions, which equilibrium alone does not determine: labels, and the values of minimum norm.

Jᵀλ = Q − M a leaves λ open along the null space N of Jᵀ (all equations, drivers included). A component c·λ of a
reaction is unique where c·N = 0, else indeterminate; the reported values of these are those for which
    Σ |F|² + |M|²/l²
over all joints is least, M about the joint points, l the length scale. Where joints have a stiffness, F and M are
weighted by it instead: the sum is then the energy stored in elastic joints, whose minimum is the true state (Menabrea).
At a singular position the rank drops: reactions along the lost direction are unbounded and not a number there.
Criterion: Wojtyra and Frączek, Multibody System Dynamics 30 (2013).

A joint deforms by F/k and M/k_θ, and so does a body at each of its joints. Compliances in series add up, so that F and
M of a joint contribute F² Σ 1/k and M² Σ 1/k_θ, twice the energy that is stored there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.model import ModelDefinition
from mubo.note import Note
from mubo.numerics.singularity import UNBOUNDED
from mubo.solvers.forces.multipliers import body_dofs, working_equations
from mubo.solvers.forces.reactions import ReactionMap

UNIQUE = 1e-8  # of a component's size: what rounding leaves of a unique one in the null space
CHUNK = 4_000_000  # numbers in the matrices that are solved together
MOST = 400  # equations of a dense solution
TURNS = {"turn": 1, "ball": 3}  # DOFs of turning that a joint leaves


@dataclass(frozen=True)
class ReactionWeight:
    """Weights of force and moment of one element in the norm."""

    force: float
    moment: float


@dataclass(frozen=True)
class RedundantReactions:
    """Multipliers λ of minimum norm at every row, and the labels of every component.

    `unique` and `lost` (beyond all bounds) are times × places × components; `unique_lam` and `lost_lam` times ×
    equations; `together` says which elements share a load that is not determined: owners × owners.
    """

    lam: Array
    unique: Booleans
    lost: Booleans
    unique_lam: Booleans
    lost_lam: Booleans
    together: Booleans
    open_lam: Array  # λ along the null space: times × equations × its directions
    open: Array  # what the null space exerts at every place: times × places × components × its directions
    sums: dict[str, Booleans]  # of a body with several such joints: whether their resultant is unique
    pushed: Array  # at a singular position: the part of the loads along the motion that it allows, of all of them
    by_stiffness: tuple[str, ...] = ()  # joints among which stiffness has divided the load

    def divided(self, form: Absolute, reaction_map: ReactionMap, joints: tuple[str, ...]) -> RedundantReactions:
        """The reactions where stiffness has divided the load of these joints: they are determined."""
        places = [k for k, place in enumerate(reaction_map.places) if place.joint in joints]
        rows = [k for k, e in enumerate(form.equations) if e.owner in {f"joint {joint}" for joint in joints}]
        unique, known = np.array(self.unique), np.array(self.unique_lam)
        free, free_lam = np.array(self.open), np.array(self.open_lam)
        unique[:, places], known[:, rows], free[:, places], free_lam[:, rows] = True, True, 0.0, 0.0
        return replace(self, unique=unique, unique_lam=known, open=free, open_lam=free_lam, by_stiffness=joints)


class MinimumNormSolver:
    """Solver for λ of minimum norm at rows of a motion; `rank` is that of J at regular positions."""

    def __init__(
        self, form: Absolute, reaction_map: ReactionMap, weights: Mapping[str, ReactionWeight], rank: int
    ) -> None:
        self._form, self._map, self._rank, self._weights = form, reaction_map, rank, weights
        self._active = working_equations(form)
        if len(self._active) > MOST:
            raise ModelError(
                f"the model has redundant constraints or a singular position, and {len(self._active):,} equations; "
                f"reactions of such models are computed up to {MOST}",
                suggestion="Use joints without redundancy, such as spherical and cylindrical ones for revolutes.",
            )
        self.owners = list(dict.fromkeys(form.equations[k].owner for k in self._active))
        number = {name: k for k, name in enumerate(self.owners)}
        self._owner = np.array([number[form.equations[k].owner] for k in self._active])
        self._moments = np.array(form.mechanism.ambient.is_rotation)

    def solve(self, states: Array, motion: Array, right: Array, lost: float = UNBOUNDED) -> RedundantReactions:
        """Solve all rows, in chunks. Singular values below `lost` of the largest count as zero."""
        wide = len(self._form.mechanism.ambient.twist) * len(self._map.places) + body_dofs(self._form)
        count = max(1, CHUNK // (len(self._active) * wide))
        cuts = [slice(k, k + count) for k in range(0, len(states), count)]
        parts = [self._chunk(states[cut], motion[cut], right[cut], lost) for cut in cuts]

        def joined(name: str) -> Any:
            return np.concatenate([getattr(part, name) for part in parts])

        by_row = {
            name: joined(name)
            for name in ("lam", "unique", "lost", "unique_lam", "lost_lam", "open_lam", "open", "pushed")
        }
        bodies = dict.fromkeys(body for part in parts for body in part.sums)
        sums = {body: _all_of([part.sums[body] for part in parts if body in part.sums]) for body in bodies}
        together = ~_all_of([~part.together for part in parts])
        return RedundantReactions(**by_row, together=together, sums=sums)

    def _chunk(self, states: Array, motion: Array, right: Array, least: float) -> RedundantReactions:
        """Solve Jᵀ T y = right for the shortest y, where y are reactions weighted to unit norm and λ = T y."""
        active, form = self._active, self._form
        exerts = self._exerts(states, motion)
        to_lam = self._to_multipliers(exerts)
        # Moments count as forces at one size of the mechanism, so that no unit decides the rank.
        scale = np.tile(np.where(self._moments, 1 / form.mechanism.size, 1.0), len(form.free))
        jacobian = form.system.twist_jacobians(states, motion)[:, active]
        matrix = np.einsum("tec,tey->tcy", jacobian, to_lam) * scale[None, :, None]
        u, s, vh = np.linalg.svd(matrix)
        kept = np.sum(s[:, : self._rank] > least * s[:, :1], axis=1)
        strength = np.where(np.arange(s.shape[1]) < kept[:, None], s, np.inf)
        along = np.einsum("tcy,tc->ty", u[:, :, : s.shape[1]], right * scale)
        idle = np.where((np.arange(s.shape[1]) >= kept[:, None]) & (np.arange(s.shape[1]) < self._rank), along, 0.0)
        pushed = np.linalg.norm(idle, axis=1) / np.maximum(np.linalg.norm(along, axis=1), np.finfo(float).tiny)
        y = along / strength
        y = np.einsum("tky,tk->ty", vh[:, : s.shape[1]], y)
        lam = np.zeros((len(states), len(form.equations)))
        lam[:, active] = np.einsum("tey,ty->te", to_lam, y)
        order = np.arange(vh.shape[1])
        null = np.where((order >= self._rank)[None, :, None], vh, 0.0)
        gone = np.where(((order >= kept[:, None]) & (order < self._rank))[:, :, None], vh, 0.0)
        components = np.einsum("tpce,tey->tpcy", exerts, to_lam)
        known = ~_has_component(components, null)
        free = np.einsum("tpcy,tky->tpck", components, null[:, self._rank :])
        free_lam = np.zeros((*lam.shape, free.shape[-1]))
        free_lam[:, active] = np.einsum("tey,tky->tek", to_lam, null[:, self._rank :])
        one, two = np.ones((2, *lam.shape), bool)
        one[:, active], two[:, active] = ~_has_component(to_lam, null), ~_has_component(to_lam, gone)
        sums = self._sums(jacobian, to_lam, null, known)
        lost = _has_component(components, gone)
        return RedundantReactions(lam, known, lost, one, ~two, self._together(null), free_lam, free, sums, pushed)

    def _exerts(self, states: Array, motion: Array) -> Array:
        """Wrenches by λ of one equation after the other: times × places × components × equations."""
        lam = np.zeros((len(states), len(self._form.equations)))
        parts = []
        for equation in self._active:
            lam[:, equation] = 1.0
            parts.append(self._map.wrenches(states, motion, lam))
            lam[:, equation] = 0.0
        return np.stack(parts, axis=-1)

    def _to_multipliers(self, exerts: Array) -> Array:
        """Transformation T: for each element G = RᵀR = L Lᵀ with the weighted wrenches R of its λ; |Lᵀλ| is its norm
        and λ = L⁻ᵀ y."""
        count = len(self._active)
        out = np.zeros((len(exerts), count, count))
        for number, owner in enumerate(self.owners):
            mine, weight = np.flatnonzero(self._owner == number), self._weights[owner]
            counted = np.where(self._moments, weight.moment, weight.force)[None, None, :, None]
            part = (exerts[:, self._map.counted[owner]][..., mine] * counted).reshape(len(exerts), -1, len(mine))
            factor = np.linalg.cholesky(np.einsum("tce,tcf->tef", part, part))
            out[:, mine[:, None], mine[None, :]] = np.linalg.inv(factor).transpose(0, 2, 1)
        return out

    def _together(self, null: Array) -> Booleans:
        """Flags of the pairs of elements that the null space couples."""
        joined = np.any(np.abs(np.einsum("tky,tkz->tyz", null, null)) > UNIQUE, axis=0)
        out = np.zeros((len(self.owners), len(self.owners)), bool)
        np.logical_or.at(out, (self._owner[:, None], self._owner[None, :]), joined)
        return out

    def _sums(self, jacobian: Array, to_lam: Array, null: Array, known: Booleans) -> dict[str, Booleans]:
        """Flags of bodies with several redundant joints whose resultant about the body's origin is unique."""
        dofs, out = len(self._form.mechanism.ambient.twist), {}
        for body in self._form.free:
            mine = [k for k, place in enumerate(self._map.places) if place.body == body and place.others]
            mine = [k for k in mine if not known[:, k].all()]
            if len(mine) > 1:
                joints = {self._map.places[k].joint for k in mine}
                theirs = np.array([self.owners[k].split(" ", 1)[1] in joints for k in self._owner])
                number = self._form.numbers[body]
                block = jacobian[:, :, dofs * number : dofs * (number + 1)].transpose(0, 2, 1) * theirs
                total = np.einsum("tce,tey->tcy", block, to_lam)
                out[body] = np.array([not reached.any() for reached in _has_component(total, null).T])
        return out


def _all_of(parts: list[Booleans]) -> Booleans:
    """Elementwise conjunction of several arrays."""
    return np.asarray(np.logical_and.reduce(parts), bool)


def _has_component(components: Array, directions: Array) -> Booleans:
    """Whether a component, the last axis, has a part along one of the directions (times × number × last axis)."""
    size = np.linalg.norm(components, axis=-1)
    rest = size.reshape(len(size), -1).max(axis=1).reshape(-1, *[1] * (size.ndim - 1))
    letters = "abc"[: components.ndim - 2]
    part = np.linalg.norm(np.einsum(f"t{letters}y,tky->t{letters}k", components, directions), axis=-1)
    return np.asarray((part > UNIQUE * size) & (size > 1e-12 * rest), bool)


def length_scale_in_units(model: ModelDefinition, length_scale: float | None) -> float:
    """The length scale in the model's unit: one metre unless given."""
    scale = model.units.read("1 m", "length") if length_scale is None else length_scale
    if not (np.isfinite(scale) and scale > 0):
        raise ModelError(f"the length scale must be positive; found {scale:g}")
    return scale


def compliance_weight(form: Absolute, owner: str) -> ReactionWeight | None:
    """Weights of force and moment of a joint by its stiffness and that of its bodies; None where none is given."""
    kind, name = owner.split(" ", 1)
    if kind != "joint":
        return None
    joint = form.model.joints[name]
    bodies = [form.model.bodies[reference.partition(".")[0]] for reference in joint.between]
    stiffnesses = [joint.options.get("stiffness"), *(body.stiffness for body in bodies)]
    turns = [joint.options.get("turning_stiffness"), *(body.turning_stiffness for body in bodies)]
    yields, twists = (sum(1 / k for k in every if k) for every in (stiffnesses, turns))
    if not yields or (_transmits_moments(form, name) and not twists):
        return None
    return ReactionWeight(math.sqrt(yields), math.sqrt(twists or yields))


def _transmits_moments(form: Absolute, joint: str) -> bool:
    """Whether a joint transmits moments."""
    element = form.model.kinds[form.model.joints[joint].kind]
    free = sum(TURNS.get(dof.split()[0], 0) for dof in element.dofs)
    return free < len(form.mechanism.ambient.spin)


def sharing_groups(together: Booleans) -> list[list[int]]:
    """Groups of elements that share a load, by number; `together` says of any two whether they do."""
    from scipy.sparse.csgraph import connected_components

    count, label = connected_components(together, directed=False)
    sets = ([int(k) for k in np.flatnonzero((label == s) & together.any(axis=1))] for s in range(count))
    return [found for found in sets if found]


def missing_stiffness_notes(form: Absolute, names: tuple[str, ...]) -> list[Note]:
    """Note on joints and drivers that share a load but lack a stiffness; none where none states one."""
    joints = [name for name in names if name in form.model.joints]
    missing = [name for name in names if name not in joints or compliance_weight(form, f"joint {name}") is None]
    stated = [name for name in joints if _has_stiffness(form, name)]
    if not stated or not missing:
        return []
    turning = any(name in joints and _transmits_moments(form, name) for name in missing)
    return [Note("forces.stiffness_missing", names=missing, turning=turning)]


def _has_stiffness(form: Absolute, joint: str) -> bool:
    """Whether a joint states its stiffness or that of its bodies."""
    options = form.model.joints[joint].options
    return any(options.get(name) for name in ("stiffness", "turning_stiffness"))
