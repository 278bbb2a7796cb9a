"""The result of a search for equilibria, as numbers for programs and as words for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mubo.mechanism.wording import join_words
from mubo.results import Columns
from mubo.solvers.assembly.undriven_motion import STILL
from mubo.solvers.statics.coordinates import free_coordinates
from mubo.solvers.statics.equilibrium import Equilibrium
from mubo.solvers.statics.equilibrium_path import FARTHEST
from mubo.solvers.statics.equilibrium_search import EquilibriumSearch


def entries_of(search: EquilibriumSearch, columns: Columns) -> list[dict[str, Any]]:
    """Entries of every equilibrium: position, stability, stiffness, potential and residual."""
    return [_entry(one, row, columns) for row, one in enumerate(search.found)]


def _entry(one: Equilibrium, row: int, columns: Columns) -> dict[str, Any]:
    telling = free_coordinates(one.state)
    out: dict[str, Any] = {
        "number": row + 1,
        "stability": one.stability,
        "coordinates": {c.name: float(columns[c.name][row]) for c in telling},
        "units": {c.name: columns.unit(c.name) for c in telling} | {"potential": columns.units.of("energy")},
        "stiffness": [float(value) for value in one.stiffnesses],
        "unstable_motions": one.unstable,
        "neutral_motions": one.neutral,
        "residual": one.residual,
    }
    if one.potential is not None:
        out["potential"] = one.potential
    if len(telling) == 1:  # of one DOF: ∂²V/∂θ², whatever the sizes of the bodies
        name, units = telling[0].name, columns.units
        out["stiffness_of"] = {name: float(one.state.stiffness[0, 0] / telling[0].rates[0] ** 2)}
        turns = columns.column(name).holds == "angle"
        per = f"{units.of('torque')}/rad" if turns else f"{units.of('force')}/{units.of('length')}"
        out["stiffness_unit"] = per if units.of("force") else ""
    return out


def search_notes(search: EquilibriumSearch) -> Iterator[str]:
    """Notes about the search."""
    paths, starts = search.paths, f"{search.starts} position{'s' * (search.starts != 1)}"
    if paths:
        count = len(paths)
        yield (
            f"every equilibrium on {count} path{'s' * (count != 1)} of the mechanism, found from {starts}"
            if all(path.closed for path in paths)
            else f"the motion does not come back to its start: {count} path{'s' * (count != 1)} searched up to "
            f"{FARTHEST:g} sizes of the mechanism or radians from {starts}"
        )
    else:
        yield f"searched from {starts}: there may be more equilibria; --starts N searches from more"
    neutral = [one for one in search.found if one.neutral]
    if search.everywhere:
        yield "every position that was tried is in equilibrium: the loads hold the mechanism anywhere, or none acts"
    elif neutral:
        numbers = join_words([str(k + 1) for k, one in enumerate(search.found) if one.neutral])
        few = "equilibrium" if len(neutral) == 1 else "each of the equilibria"
        yield (
            f"{few} {numbers} is one of many: no load resists {_idle_words(neutral[0])}, and positions with the same "
            "potential are told once"
        )
    if search.singular:
        yield f"{search.singular} more at singular positions, whose stability the stiffness does not tell, left out"
    if search.jumps:
        yield "the force along the motion jumps over zero where a load changes its direction: no equilibrium is there"
    if not all(one.conservative for one in search.found):
        yield (
            "some loads have no potential: stability is that against drifting off; growing vibrations depend on masses "
            "and damping"
        )


def _idle_words(one: Equilibrium) -> str:
    """The bodies that move where no load resists: "a motion of rod"."""
    form, dofs = one.state.rest.form, len(one.state.rest.weight) // len(one.state.rest.form.free)
    moves = np.max(np.abs(one.idle @ one.state.free), axis=0).reshape(-1, dofs).max(axis=1)
    bodies = [name for name, size in zip(form.free, moves, strict=True) if size > STILL * moves.max()]
    return f"{'a motion' if len(one.idle) == 1 else f'{len(one.idle)} motions'} of {join_words(bodies)}"


def nothing_words(search: EquilibriumSearch) -> str:
    """A sentence on what was tried where no equilibrium was found."""
    if not search.paths:
        return (
            f"no equilibrium was found: from {search.starts} positions the loads carried the mechanism on, and "
            "Newton's method found none near them"
        )
    ends = "back to their starts" if all(path.closed for path in search.paths) else f"{FARTHEST:g} sizes far"
    least = min(float(np.min(np.abs(force) / scale)) for force, scale in (path.forces for path in search.paths))
    count = len(search.paths)
    return (
        f"there is no equilibrium on the {count} path{'s' * (count != 1)} of the mechanism, traced {ends}: the loads "
        f"act in one direction everywhere, with {least:.2g} of the largest force at least"
    )
