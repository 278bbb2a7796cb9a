"""KABIOS text files (Flores 2010, section 5): a line of counts, then records in fixed order.

Numbers are separated by commas or blanks; line breaks between records do not matter; the label letters "(a)" that
the manual prints at line ends, and leading body numbers on the body lines, may stand or be left out. The file has
no units; angles are radians.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from mubo.errors import ModelError
from mubo.formats import kabios_records as records
from mubo.formats.kabios_records import COORDINATES, COUNTS, NumberReader
from mubo.laws import Polynomial, Table
from mubo.model import Analysis, Builder, ModelDefinition, Origin

QUARTER_TURN = math.pi / 2 * (1 + 1e-9)
ROUNDING = 1e-9  # of a step: what the last row may miss TE by
MOST_ROWS = 1e9  # beyond, the analysis refuses the times as they are


def read_kabios(text: str, path: Path) -> ModelDefinition:
    """The model of the text of a KABIOS file."""
    r, model = NumberReader(text, path), Builder(path.stem)
    model.source = str(path)
    if not r.has(1):
        raise ModelError(f"{path}: the file is empty")
    n = records.read_counts(r)
    _bodies(r, n, model)
    _joints(r, n, model)
    _drivers_and_points(r, n, model)
    _guides(r, n, model)
    start, end, step = records.read_times(r)
    records.require_end(r, "the time parameters")
    model.analysis = Analysis("kinematics", {"start": start, "end": _last_row(start, end, step), "step": step})
    model.origin = Origin("kabios", dict(n), _step_notes(model, start, end, step))
    return model.build()


def _last_row(start: float, end: float, step: float) -> float:
    """Return the time of the last row, T0 + k DT ≤ TE: the manual's thigh ends 0.0005 s before its TE."""
    rows = (end - start) / step
    return start + math.floor(rows + ROUNDING) * step if rows < MOST_ROWS else end


def _step_notes(model: Builder, start: float, end: float, step: float) -> tuple[str, ...]:
    """Notes on drivers that turn more than a quarter turn per output step (Flores 2010, section 5: at most 10°)."""
    notes = []
    for driver in model.drivers.values():
        if not driver.name.startswith("guide") and str(driver.of).endswith(".phi"):
            times = np.array([start, max(end - step, start)])
            turn = float(np.max(np.abs(driver.motion(times + step)[:, 0] - driver.motion(times)[:, 0])))
            if turn > QUARTER_TURN:
                notes.append(
                    f"{driver.name} turns up to {math.degrees(turn):.4g} degrees per step DT; the manual advises 10. "
                    "mubo divides such steps itself and does not need it, but tables and charts show few positions."
                )
    return tuple(notes)


def _bodies(r: NumberReader, n: dict[str, int], model: Builder) -> None:
    numbered = _bodies_are_numbered(r, n)
    for k in range(1, n["NB"] + 1):
        x, y, phi = records.read_body(r, k, numbered)
        model.body(f"body{k}", (x, y), phi)


def _bodies_are_numbered(r: NumberReader, n: dict[str, int]) -> bool:
    """Whether bodies are numbered, by the count of values in the file; if it fits neither, by the first body's line."""
    plain = len(COUNTS) + 3 * n["NB"] + 6 * n["NR"] + 8 * n["NT"] + n["NG"] + 2 * n["NS"] + 5 * n["ND"]
    plain += 3 * n["NP"] + 2 * n["NGUI"] + (n["NGUI"] + 1) * n["NDATA"] + 3
    for count in (plain, plain + n["NB"]):
        if r.has(count) and not r.has(count + 1):
            return count > plain
    if not r.has(r.next + 1):
        return False
    r.has(r.next + 5)
    return sum(token.line == r.tokens[r.next].line for token in r.tokens[r.next : r.next + 5]) == 4


def _point(model: Builder, body: int, name: str, at: tuple[float, float]) -> str:
    known = model.bodies[f"body{body}"]
    points = {**known.points, name: at}
    model.bodies[known.name] = type(known)(known.name, known.position, known.angle, points)
    return f"body{body}.{name}"


def _joints(r: NumberReader, n: dict[str, int], model: Builder) -> None:
    nb = n["NB"]
    for k in range(1, n["NR"] + 1):
        i, j, at = records.read_revolute(r, k, nb)
        first = _point(model, i, f"R{k}", (at[0], at[1]))
        model.revolute(f"R{k}", first, _point(model, j, f"R{k}", (at[2], at[3])))
    for k in range(1, n["NT"] + 1):
        i, j, at = records.read_translational(r, k, nb)
        first = _point(model, i, f"T{k}", (at[0], at[1]))
        second = _point(model, j, f"T{k}", (at[4], at[5]))
        model.translational(f"T{k}", first, second, (at[2] - at[0], at[3] - at[1]))
    for k in range(1, n["NG"] + 1):
        model.joint(f"G{k}", "ground", f"body{records.read_ground(r, k, nb)}")
    for k in range(1, n["NS"] + 1):
        of = records.read_coordinate(r, f"simple constraint {k}", nb)
        body, _, coordinate = of.partition(".")
        known = model.bodies[body]
        pose = dict(zip(COORDINATES, (*known.position, known.angle), strict=True))
        model.joint(f"S{k}", "coordinate", of, value=pose[coordinate])


def _drivers_and_points(r: NumberReader, n: dict[str, int], model: Builder) -> None:
    for k in range(1, n["ND"] + 1):
        of, (position, velocity, acceleration) = records.read_driver(r, k, n["NB"])
        model.driver(f"driver{k}", of, Polynomial((position, velocity, acceleration / 2)))
    for k in range(1, n["NP"] + 1):
        body, xi, eta = records.read_point(r, k, n["NB"])
        model.point(f"P{k}", f"body{body}", (xi, eta))


def _guides(r: NumberReader, n: dict[str, int], model: Builder) -> None:
    guided = [records.read_coordinate(r, f"guide {k}", n["NB"]) for k in range(1, n["NGUI"] + 1)]
    records.require_samples(r, n)
    rows: list[list[float]] = []
    for k in range(1, n["NDATA"] + 1):
        rows.append(records.read_sample(r, k, n["NGUI"], rows[-1] if rows else None))
    for k, of in enumerate(guided, 1):
        times, values = tuple(row[0] for row in rows), tuple(row[k] for row in rows)
        model.driver(f"guide{k}", of, Table(times, values, "gcv"))
