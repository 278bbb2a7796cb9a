"""Free bodies of the page: every force and torque on a planar body, its inertia by d'Alembert, and the beam that it is.

With the inertia force −m a_G at the centre of mass and the inertia torque −J_G α, the forces on a body are in balance
(d'Alembert, Traité de dynamique, 1743):

    Σ F − m a_G = 0,   Σ M_G − J_G α = 0,   a_G = a + α × r − ω² r

with a the acceleration of the body's origin and r the place of the centre of mass from it, in ground axes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.results import Run
from mubo.view.painters.decimation import MOST_ROWS
from mubo.view.report.numbers import pack_base64
from mubo.view.scene import Scene
from mubo.view.scene.actions import BodyPoint, Load, as_end

WORDS = ("ax", "ay", "omega", "alpha")
MOST_ACTIONS = 400  # forces and torques: of a larger model the page has no free bodies
KINDS = ("reaction", "weight", "inertia", "driver")  # first words of names; all others are loads


def inertia_loads(run: Run, scene: Scene) -> Iterator[Load]:
    """The inertia forces and torques of planar bodies that have mass, at the rows of the scene."""
    if run.record.forces is None or scene.dimension != 2:
        return
    rows = slice(None) if len(scene.times) == len(run) else np.searchsorted(run["t"], scene.times)
    for body in scene.bodies:
        whole = run.model.bodies[body.name].whole
        if body.fixed or not whole.mass or any(f"{body.name}.{word}" not in run.columns for word in WORDS):
            continue
        ax, ay, omega, alpha = (run.columns.raw(f"{body.name}.{word}")[rows] for word in WORDS)
        centre = tuple(whole.center or (0.0, 0.0))
        x, y = _turned(scene.poses[body.name][:, 2], centre)
        a = np.column_stack([ax - alpha * y - omega**2 * x, ay + alpha * x - omega**2 * y])
        end = BodyPoint(body.name, centre)
        force = -whole.mass * a / run.units.factor("force")
        yield Load(f"inertia {body.name}", end, force, "force", body.name)
        if whole.inertia:
            torque = -whole.inertia[0] * alpha[:, None] / run.units.factor("torque")
            yield Load(f"inertia torque {body.name}", end, torque, "torque", body.name)


def _turned(phi: Array, at: tuple[float, ...]) -> tuple[Array, Array]:
    c, s = np.cos(phi), np.sin(phi)
    return c * at[0] - s * at[1], s * at[0] + c * at[1]


def actions_data(run: Run, scene: Scene, kept: list[str]) -> list[dict[str, Any]]:
    """The forces and torques on planar bodies: reactions by the names of their columns where the page has each row of
    them, others as rows, one row where they do not change. In space, and of a run without forces, there are none."""
    if run.record.forces is None or scene.dimension != 2:
        return []
    loads = [*scene.forces, *inertia_loads(run, scene)]
    if len(loads) > MOST_ACTIONS:
        return []
    whole = len(scene.times) == len(run) <= MOST_ROWS
    known = set(kept) if whole else set()
    return [_action(load, known) for load in loads]


def _action(load: Load, known: set[str]) -> dict[str, Any]:
    first = load.name.split()[0]
    kind = "reaction" if load.reaction else first if first in KINDS else "load"
    out: dict[str, Any] = {"name": load.name, "kind": kind, "on": load.on, "holds": load.holds, **as_end(load.end)}
    out |= {"by": load.by} if load.by else {}
    out |= {"start": pack_base64(load.start, "<f4")} if load.start is not None else {}
    owner, moment = load.name.partition(" ")[2].removesuffix(" moment"), load.holds == "torque"
    columns = [f"{owner}.m"] if moment else [f"{owner}.fx", f"{owner}.fy"]
    if load.reaction and known.issuperset(columns):
        return {**out, "columns": columns}
    constant = bool(np.all(load.values == load.values[:1]))
    return {**out, "values": pack_base64(load.values[:1] if constant else load.values, "<f4")}


def beams_data(run: Run, scene: Scene) -> dict[str, Any]:
    """Lines and masses of the links that strength takes for beams, by body; of a run without strength none."""
    found = run.record.strength
    if found is None or scene.dimension != 2:
        return {}
    out = {}
    for link in found.links.values():
        beam = link.beam
        points = run.model.bodies[beam.body].points
        out[beam.body] = {
            "points": list(beam.points),
            "corners": beam.corners.tolist(),
            "mass": beam.mass,
            "added": [[mass, at.tolist()] for mass, at in beam.added],
            **({"torque_at": list(points[beam.torque_at])} if beam.torque_at else {}),
        }
    return out


def masses_data(run: Run, scene: Scene) -> dict[str, Any]:
    """Mass and centre of mass of the bodies that have them."""
    wholes = {body.name: run.model.bodies[body.name].whole for body in scene.bodies if not body.fixed}
    return {
        name: {"mass": whole.mass, "center": list(whole.center or (0.0,) * scene.dimension)}
        for name, whole in wholes.items()
        if whole.mass
    }
