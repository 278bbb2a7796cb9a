"""Design by hand: linkages for poses, a path or pairs of a function; and which length moves a point by how much.

The derivative of a place P by a length L of a link is a central difference of two solved positions: one end of the
length moves along its line by ±h, and the mechanism is closed anew on its branch. With a tolerance ±T of every length
the place varies with the covariance Σ (T²/3) g gᵀ, g = ∂P/∂L (uniform in the tolerance, to first order); the band is
two standard deviations of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.design.live import live_motion
from mubo.design.synthesis import function_task, motion_task, path_task
from mubo.design.synthesis.design import Design
from mubo.design.synthesis.family import Complex
from mubo.errors import ModelError, MuboError
from mubo.formats.toml_write import toml_text
from mubo.model import ModelDefinition, Units
from mubo.model.coordinates import grounded
from mubo.quantities.output_times import OutputTimes
from mubo.studio.answers import answer_text, page_data

MOST_DESIGNS = 8
MOST_PLACES = 12  # of a path drawn by hand
MOST_LENGTHS = 40
STEP = 1e-5  # of the mechanism's size
TOLERANCE = 1e-3  # of each length


def synthesized(task: str, rows: Sequence[Sequence[float]], units: Units | None) -> list[Design]:
    """The best linkages for poses (x, y, degrees), places of a path, or pairs of a function (degrees)."""
    table = np.array(rows, float).reshape(len(rows), -1)
    known = Units(length=(units.length if units else "") or "mm", angle="deg", time="s")
    turned = table * [1, 1, math.pi / 180] if table.shape[1] == 3 else table
    if task == "poses":
        if table.shape[1:] != (3,):
            raise ModelError("a pose has x, y and an angle")
        found = motion_task.motion(_at_least_three(turned), units=known, most=MOST_DESIGNS)
    elif task == "path":
        places = _thinned(table[:, 0] + 1j * table[:, 1])
        found = path_task.path(places, units=known, most=MOST_DESIGNS, rounds=2)
    elif task == "function":
        found = function_task.function(table[:, :2] * math.pi / 180, units=known, most=MOST_DESIGNS, ground=100.0)
    else:
        raise ModelError(f'there is no task "{task}"', suggestion="Take poses, path or function.")
    return [design for design in found.designs if design.sound and design.run is not None]


def _at_least_three(poses: Array) -> Array:
    """Poses; where there are two alone, with one between them, a tenth of their distance beside the straight line.

    Two poses leave a whole family of linkages; one on the circle about their pole would only give pins at the pole.
    """
    if len(poses) != 2:
        return poses
    (x, y, a), (u, v, b) = poses
    first, second = complex(x, y), complex(u, v)
    middle = (first + second) / 2 + 0.1j * (second - first)
    return np.array([poses[0], [middle.real, middle.imag, (a + b) / 2], poses[1]])


def _thinned(places: Complex) -> Complex:
    """A line drawn by hand at a few places, evenly along it."""
    if len(places) <= MOST_PLACES:
        return places
    along = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(places)))])
    wanted = np.linspace(0, along[-1], MOST_PLACES)
    return np.asarray(np.interp(wanted, along, places.real) + 1j * np.interp(wanted, along, places.imag))


def designs_message(designs: Iterable[Design], path: Path) -> dict[str, Any]:
    """The designs with their text and a small moving picture each."""
    out = []
    for design in designs:
        text = toml_text(design.model, path.name)
        try:
            data = page_data(answer_text(text, path, brief=True), brief=True)
        except MuboError:
            data = None
        links = ", ".join(f"{name} {value:.4g}" for name, value in design.lengths.items())
        label = f"{design.label} · {links} · transmission {design.transmission:.1f}°"
        error = max(design.errors.values(), default=0.0)
        if error > 1e-6:
            label += f" · error {error:.2g}"
        out.append({"label": label, "text": text, "data": data})
    return {"is": "designs", "designs": out}


def influence_message(model: ModelDefinition, point: str, time: float) -> dict[str, Any]:
    """Which lengths move a point of interest or a pin at a time, the strongest first, and its tolerance band."""
    dot = _dot(model, point)
    lengths = _lengths(model)
    if not lengths:
        raise ModelError("no length of a link of this file can be varied")
    gradients = _gradients(model, dot, time, lengths)
    band = np.zeros((2, 2))
    found = []
    for (body, a, b, length), g in zip(lengths, gradients, strict=True):
        band += (TOLERANCE * length) ** 2 / 3 * np.outer(g, g)
        found.append({"body": body, "ends": [a, b], "length": length, "by": g.tolist(), "size": float(np.hypot(*g))})
    found.sort(key=lambda one: -one["size"])
    values, vectors = np.linalg.eigh(band)
    axes = (2 * np.sqrt(np.maximum(values, 0))).tolist()
    angle = math.atan2(vectors[1, 1], vectors[0, 1])
    ellipse = {"axes": axes[::-1], "angle": angle}
    return {"is": "influence", "point": point, "t": time, "lengths": found, "band": ellipse, "tolerance": TOLERANCE}


def _lengths(model: ModelDefinition) -> list[tuple[str, str, str, float]]:
    """Lengths between pins of each body: body, the two points, and how long they are."""
    joined = {end for joint in model.joints.values() for end in joint.between}
    out = []
    for body in model.bodies.values():
        pins = [name for name in body.points if f"{body.name}.{name}" in joined]
        for k, a in enumerate(pins):
            for b in pins[k + 1 :]:
                length = math.dist(body.points[a][:2], body.points[b][:2])
                if length > 0:
                    out.append((body.name, a, b, length))
    return out[:MOST_LENGTHS]


def _dot(model: ModelDefinition, point: str) -> tuple[str, Array]:
    """The body of a point of interest or of a pin such as "crank.B", and its place in the body's axes."""
    body, _, pin = point.partition(".")
    if model.dimension != 2:
        raise ModelError("sensitivity is shown at points of the plane")
    if point in model.points:
        found = model.points[point].body, np.array(model.points[point].at[:2])
    elif body in model.bodies and pin in model.bodies[body].points:
        found = body, np.array(model.bodies[body].points[pin][:2])
    else:
        raise ModelError(f'there is no point "{point}"', suggestion="Trace a point first.")
    if found[0] in {*grounded(model)}:
        raise ModelError(f"{point} is a point of the ground, which nothing moves")
    return found


def _gradients(model: ModelDefinition, dot: tuple[str, Array], time: float, lengths: Sequence[Any]) -> Array:
    """∂P/∂L of each length (lengths × 2), the second point of each moved along its line."""
    names = list(dict.fromkeys(f"{body}.{b}" for body, _, b, _ in lengths))
    (own_body, own), factor = dot, model.units.angle_factor()
    columns = [f"{own_body}.{word}" for word in ("x", "y", "phi")]
    live = live_motion(model, names, OutputTimes.listed(np.unique([model.start_time, time])), columns)
    first = {name: np.array(at) for name, at in live.dimensions.items()}
    step = STEP * max(length for *_, length in lengths)
    out = np.empty((len(lengths), 2))
    for k, (body, a, b, length) in enumerate(lengths):
        along = (first[f"{body}.{b}"] - np.array(model.bodies[body].points[a][:2])) / length
        ends = []
        follows = own_body == body and math.dist(own, first[f"{body}.{b}"]) < 1e-9 * length  # it lies on the moved pin
        for sign in (1, -1):
            by = sign * step * along
            moved = first | {f"{body}.{b}": first[f"{body}.{b}"] + by}
            x, y, phi = live.positions(np.concatenate([moved[name] for name in live.dimensions]).tolist())[-1]
            c, s = math.cos(phi * factor), math.sin(phi * factor)
            at = own + by if follows else own
            ends.append(np.array([x + c * at[0] - s * at[1], y + s * at[0] + c * at[1]]))
        out[k] = (ends[0] - ends[1]) / (2 * step)
    if np.isnan(out).any():
        raise ModelError("at this time some length cannot be varied: the mechanism stands at a limit")
    return out
