"""Stiffness of joints and bodies, which divides the reactions that equilibrium leaves open.

A joint yields by F/k and M/k_θ; a body by the same at each of its joints. What yields one after the other adds up, so
that F and M of a joint count F² Σ 1/k and M² Σ 1/k_θ, twice the energy that is stored there.
"""

from __future__ import annotations

import math

import numpy as np

from mubo.arrays import Booleans
from mubo.mechanism import Absolute
from mubo.solvers.forces.multipliers import BODY_DOFS
from mubo.solvers.forces.redundant_reactions import ReactionWeight

TURNS = {"turn": 1, "ball": 3}  # DOFs of turning that a joint leaves


def compliance_weight(form: Absolute, owner: str) -> ReactionWeight | None:
    """Weights of force and moment of a joint by its stiffness and that of its bodies; None where none is given."""
    kind, name = owner.split(" ", 1)
    if kind != "joint":
        return None
    joint = form.model.joints[name]
    bodies = [form.model.bodies[reference.partition(".")[0]] for reference in joint.between]
    ways = [joint.options.get("stiffness"), *(body.stiffness for body in bodies)]
    turns = [joint.options.get("turning_stiffness"), *(body.turning_stiffness for body in bodies)]
    yields, twists = (sum(1 / k for k in every if k) for every in (ways, turns))
    if not yields or (_transmits_moments(form, name) and not twists):
        return None
    return ReactionWeight(math.sqrt(yields), math.sqrt(twists or yields))


def _transmits_moments(form: Absolute, joint: str) -> bool:
    """Whether a joint transmits moments."""
    element = form.model.kinds[form.model.joints[joint].kind]
    free = sum(TURNS.get(dof.split()[0], 0) for dof in element.dofs)
    return free < BODY_DOFS[form.mechanism.dimension] - form.mechanism.dimension


def sharing_groups(together: Booleans) -> list[list[int]]:
    """Groups of elements that share a load, by number; `together` says of any two whether they do."""
    from scipy.sparse.csgraph import connected_components

    count, label = connected_components(together, directed=False)
    sets = ([int(k) for k in np.flatnonzero((label == s) & together.any(axis=1))] for s in range(count))
    return [found for found in sets if found]


def missing_stiffness_note(form: Absolute, names: tuple[str, ...]) -> str:
    """Text on joints and drivers that share a load but lack a stiffness; empty where none states one."""
    joints = [name for name in names if name in form.model.joints]
    missing = [name for name in names if name not in joints or compliance_weight(form, f"joint {name}") is None]
    stated = [name for name in joints if _has_stiffness(form, name)]
    if not stated or not missing:
        return ""
    turning = any(name in joints and _transmits_moments(form, name) for name in missing)
    what = "stiffness and turning_stiffness" if turning else "stiffness"
    lack = f"{', '.join(missing)} {'lacks' if len(missing) == 1 else 'lack'} {what}"
    return f"stiffness divides a load only where all that share it state it: {lack}"


def _has_stiffness(form: Absolute, joint: str) -> bool:
    """Whether a joint states its stiffness or that of its bodies."""
    options = form.model.joints[joint].options
    return any(options.get(name) for name in ("stiffness", "turning_stiffness"))
