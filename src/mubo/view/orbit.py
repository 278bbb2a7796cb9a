"""Orbits of journals: the path of a journal's centre in its bearing, within the circle of the clearance."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.arrays import Array, Integers
from mubo.errors import ResultError, nearest
from mubo.geometry.rotation import matrix
from mubo.laws.number_text import with_prefix
from mubo.model import ModelDefinition
from mubo.results import Run
from mubo.view.scene import Scene
from mubo.view.scene.colours import COLOURS, INK
from mubo.view.scene.outlines import circle

Place = tuple[str, tuple[float, ...]]


def orbits_of(model: ModelDefinition) -> dict[str, tuple[Place, Place, float]]:
    """Bearing and journal of every joint with radial clearance and of every oil film, and their clearance."""
    out = {}
    for name, joint in model.joints.items():
        if joint.options.get("clearance") and joint.options.get("bearing_radius"):
            one, two = (model.place(end) for end in joint.between)
            out[name] = (one, two, float(joint.options["clearance"]))
    for name, bearing in model.surfaces.items():
        head, _, word = name.rpartition("_")
        if word == "bearing" and f"{head}_journal" in model.surfaces and head in model.contacts:
            journal = model.surfaces[f"{head}_journal"]
            ends = tuple((str(one["body"]), tuple(one["at"])) for one in (bearing, journal))
            out[head] = (ends[0], ends[1], float(bearing["radius"]) - float(journal["radius"]))
    for name, force in model.forces.items():
        if force.options.get("viscosity") and force.options.get("clearance"):
            one, two = (model.place(end) for end in force.on)
            out[name] = (one, two, float(force.options["clearance"]))
    return out


def eccentricity(run: Run, name: str) -> tuple[Array, float]:
    """Places of a journal in axes of its bearing at every row, and the clearance, in the model's unit of length."""
    known = orbits_of(run.model)
    if name not in known:
        raise ResultError(f'there is no journal "{name}". {nearest(name, known)}')
    (bearing, at), (journal, on), clearance = known[name]
    (base, axes), (place, own) = (_pose(run, body) for body in (bearing, journal))
    gap = place + own @ np.array(on) - base - axes @ np.array(at)
    return np.einsum("tji,tj->ti", axes, gap), clearance


def _pose(run: Run, body: str) -> tuple[Array, Array]:
    """Origin and axes of a body at every row; those of a fixed one as it was written."""
    size, rows = run.model.dimension, len(run)
    words = ("x", "y", "z")[:size]
    if f"{body}.x" not in run.columns:
        given = run.model.bodies[body]
        at = np.tile(np.array(given.position if given.position is not None else (0.0,) * size, float), (rows, 1))
        turn = np.tile(_axes_of(given, size), (rows, 1, 1))
        return at, turn
    at = np.column_stack([run.columns.raw(f"{body}.{word}") for word in words])
    if size == 2:
        c, s = np.cos(run.columns.raw(f"{body}.phi")), np.sin(run.columns.raw(f"{body}.phi"))
        return at, np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)
    return at, matrix(np.column_stack([run.columns.raw(f"{body}.{word}") for word in ("qw", "qx", "qy", "qz")]))


def _axes_of(body: Any, size: int) -> Array:
    if size == 3:
        return matrix(np.array(body.orientation if body.orientation is not None else (1.0, 0.0, 0.0, 0.0), float))
    c, s = np.cos(float(body.angle or 0.0)), np.sin(float(body.angle or 0.0))
    return np.array([[c, -s], [s, c]])


def draw_orbit(axes: Any, run: Run, columns: list[str], scene: Scene, rows: Integers) -> None:
    """The orbit of a journal, with the circle that its centre cannot leave and the rows at which it presses."""
    known = orbits_of(run.model)
    names = list(dict.fromkeys(name.partition(".")[0] for name in columns)) or list(known)[:1]
    if len(names) != 1:
        found = ", ".join(known) or "none"
        raise ResultError(f"an orbit is that of one journal with clearance or oil film; this model has {found}")
    name = names[0]
    path, clearance = eccentricity(run, name)
    factor, unit = with_prefix(clearance, run.model.units.unit_of("length"))
    across, upward = path[:, 0] / factor, path[:, 1] / factor
    axes.plot(*circle(np.zeros(2), clearance / factor, 180).T, color=INK, lw=1.0, ls="--")
    axes.plot(across, upward, color=COLOURS[0], lw=0.9)
    axes.plot(across[:1], upward[:1], "o", color=INK, ms=5.5, zorder=4)
    if f"{name}.normal" in run.columns:
        pressed = run[f"{name}.normal"] > 0
        axes.plot(across[pressed], upward[pressed], ".", color=COLOURS[1], ms=6, label="presses")
        if pressed.any():
            axes.legend(loc="upper right", frameon=False)
    axes.plot([0], [0], "+", color=INK, ms=8)
    for word, label in (("x", axes.set_xlabel), ("y", axes.set_ylabel)):
        label(f"{word} in the bearing [{unit}]" if unit else f"{word} in the bearing")
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_title(f"orbit of the journal: {name}")
