"""Columns of measures along a motion, with exact rates.

Distances and angles follow from the motion of their points; expressions by the chain rule from the columns that stand
in them and the derivatives that the table has of those. Where one is missing, the rate is left out, and a note
reports it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mubo.arrays import Array
from mubo.laws.expression import evaluate
from mubo.laws.jet import FUNCTIONS, Jet
from mubo.laws.tangent import beside, value_of
from mubo.model import GROUND, Measure, ModelDefinition
from mubo.model.column_names import BODY
from mubo.model.coordinates import point_of
from mubo.model.measures import derivatives_of, in_order, quantities_of_measure
from mubo.note import Note
from mubo.results import Column, Columns
from mubo.solvers.columns.columns import point_motion

STANDING = np.array([0.0] * 3 + [1.0] + [0.0] * 15)  # of a body in space: place, unit quaternion, no rates


def add_measures(model: ModelDefinition, columns: Columns, run: Columns | None = None) -> list[Note]:
    """Add the columns of every measure; returns notes on derivatives that are left out.

    `run` are the columns of the run where `columns` lie between its rows: full turns of angles are counted from there.
    """
    notes = []
    known = {column.name: column for column in columns.schema}
    for measure in in_order(model):
        missing = [name for name in measure.formula.names if name not in known]
        if missing:
            notes.append(Note("columns.measure_left_out", measure=measure.name, column=missing[0]))
            continue
        quantities = quantities_of_measure(model, measure, known)
        if measure.key == "vector":
            columns.extend(zip(quantities, _vector(model, measure, columns, run), strict=True))
            known |= {quantity.name: quantity for quantity in quantities}
            continue
        if len(quantities) < 3:
            notes.append(_missing_rates_note(measure, quantities, known))
        jet = _jet(model, measure, columns, known, run)
        whole = quantities[0]
        own = measure.key in ("of", "value")  # expressions are in coherent units
        factor = model.units.coherent_factor(whole.holds, whole.order) if own else 1.0
        values = (factor * part for part in (jet.v, jet.d, jet.dd))
        columns.extend(zip(quantities, values, strict=False))
        known |= {quantity.name: quantity for quantity in quantities}
    return notes


def _missing_rates_note(measure: Measure, quantities: list[Column], known: Mapping[str, Column]) -> Note:
    count = len(quantities)
    name = next(n for n in measure.formula.names if len(derivatives_of(known[n], known)) == count)
    rates = [f"{measure.name}.{word}" for word in ("rate", "rate2")[count - 1 :]]
    last = derivatives_of(known[name], known)[-1]
    return Note("columns.measure_rates_left_out", measure=measure.name, rates=rates, column=last)


def _jet(
    model: ModelDefinition, measure: Measure, columns: Columns, known: Mapping[str, Column], run: Columns | None
) -> Jet:
    """Measure with its derivatives: expressions in coherent units, others in radians."""
    if measure.key in ("of", "value"):
        return _expression(model, measure, columns, known)
    if measure.key == "distance":
        one, two = (_point_jet(model, columns, reference) for reference in measure.on)
        with np.errstate(all="ignore"):  # no rate where the points meet
            return FUNCTIONS["sqrt"](_dot(two - one, two - one))
    if len(measure.on) == 2:
        return _relative_angle(model, columns, measure.on)
    places = [_point_jet(model, columns, reference) for reference in measure.on]
    if len(places) == 3:
        first, second = places[0] - places[1], places[2] - places[1]
    else:
        first, second = places[1] - places[0], places[3] - places[2]
    if model.dimension == 3:
        square = _dot(first, first) * _dot(second, second)
        along = _dot(first, second)
        return _atan2(FUNCTIONS["sqrt"](square - along * along), along)
    across = np.stack([-first[:, :, 1], first[:, :, 0]], 2)
    return _unwrapped(measure.name, _atan2(_dot(across, second), _dot(first, second)), columns, run)


def _vector(model: ModelDefinition, measure: Measure, columns: Columns, run: Columns | None) -> tuple[Array, ...]:
    """Length, direction, angular velocity and acceleration of the vector from one point to the other.

    The direction counts the full turns of the body of the first point: beside that body's angle it is between −π and π
    at the first row, and everywhere where both points are on one body.
    """
    from mubo.solvers.columns.joint_coordinates import whole_turns

    start, end = (_point_jet(model, columns, reference) for reference in measure.on)
    (body, at), (other, to) = (point_of(model, reference) for reference in measure.on)
    arm = end - start
    with np.errstate(all="ignore"):  # no direction where the points meet
        length = FUNCTIONS["sqrt"](_dot(arm, arm)).v
    x, y = (Jet(*(arm[:, k, axis] for k in range(3))) for axis in (0, 1))
    turning = _body(model, columns, body)[:, 2]
    angle = _atan2(y, x)
    if body == other:
        beside_body = np.arctan2(float(to[1] - at[1]), float(to[0] - at[0]))
        value = angle.v + whole_turns(value_of(turning) + beside_body - value_of(angle.v))
    else:
        angle = Jet(angle.v + whole_turns(turning - angle.v), angle.d, angle.dd)
        value = _unwrapped(f"{measure.name}.theta", angle, columns, run).v
    more = 0.0 if run is not None and body != other else 2 * np.pi * measure.turns  # a run between has them counted
    return length, value + more, angle.d, angle.dd


def _expression(model: ModelDefinition, measure: Measure, columns: Columns, known: Mapping[str, Column]) -> Jet:
    formula, t = measure.formula, columns["t"]
    sizes = {name: model.units.column_size(quantity.holds, quantity.order) for name, quantity in known.items()}
    tree, _ = formula.sized(sizes, model.units.own_sizes)
    absent = np.full(len(t), np.nan)
    names = {"t": Jet(t, np.ones(len(t)), np.zeros(len(t)))}
    for name in formula.names:
        parts = [columns.coherent(column) for column in derivatives_of(known[name], known)]
        names[name] = Jet(*[*parts, absent, absent][:3])
    with np.errstate(all="ignore"):  # where a formula has no value, the table shows NaN
        return evaluate(tree, names, formula.text)


def _point_jet(model: ModelDefinition, columns: Columns, reference: str) -> Array:
    """A point with its velocity and acceleration: (times, 3, dimension)."""
    from mubo.geometry.rotation import point_on

    body, at = point_of(model, reference)
    motion = _body(model, columns, body)
    if model.dimension == 2:
        return point_motion(motion.reshape(-1, 3, 3), at)
    return np.stack(point_on(motion, at), 1)


def _body(model: ModelDefinition, columns: Columns, name: str) -> Array:
    """All columns of a body side by side; the ground is at rest."""
    words = BODY[model.dimension]
    if name == GROUND:
        still = np.zeros(9) if model.dimension == 2 else STANDING
        like = next((columns.raw(column.name) for column in columns.schema if column.kind == "body"), None)
        return beside(like, np.tile(still, (len(columns["t"]), 1)))
    return np.stack([columns.raw(f"{name}.{word}") for word, *_ in words], 1)


def _relative_angle(model: ModelDefinition, columns: Columns, bodies: tuple[str, ...]) -> Jet:
    """Angle of the second body minus the first's; in space the angle of the rotation between them, 0 to π."""
    one, two = (_body(model, columns, name) for name in bodies)
    if model.dimension == 2:
        return Jet(*((two - one)[:, k] for k in (2, 5, 8)))
    # conj(p₁) p₂ with its derivatives; only its scalar part matters, cos(angle/2), which is p₁ · p₂.
    half = _dot(quaternion_motion(one), quaternion_motion(two))
    half = Jet(*(np.sign(half.v) * part for part in (half.v, half.d, half.dd)))  # p and −p are the same turn
    rest = Jet(np.ones_like(half.v), np.zeros_like(half.v), np.zeros_like(half.v)) - half * half
    angle = _atan2(FUNCTIONS["sqrt"](Jet(np.maximum(rest.v, 0.0), rest.d, rest.dd)), half)
    return Jet(2 * angle.v, 2 * angle.d, 2 * angle.dd)


def quaternion_motion(motion: Array) -> Array:
    """p, ṗ = ½ ω p and p̈ = ½ α p + ½ ω ṗ, with ω and α in ground axes: (times, 3, 4)."""
    from mubo.geometry.rotation import product

    p, zero = motion[:, 3:7], np.zeros((len(motion), 1))
    omega, alpha = (np.concatenate([zero, motion[:, at : at + 3]], 1) for at in (10, 16))
    rate = 0.5 * product(omega, p)
    return np.stack([p, rate, 0.5 * product(alpha, p) + 0.5 * product(omega, rate)], 1)


def _dot(a: Array, b: Array) -> Jet:
    from mubo.solvers.columns.joint_coordinates import dot_motion

    both = dot_motion(a, b)
    return Jet(*(both[:, k] for k in range(3)))


def _atan2(y: Jet, x: Jet) -> Jet:
    """The angle of (x, y), whose rate is (x ẏ − y ẋ) / (x² + y²)."""
    with np.errstate(all="ignore"):  # no angle where an arm has no length
        square = x.v**2 + y.v**2
        rate = (x.v * y.d - y.v * x.d) / square
        bend = (x.v * y.dd - y.v * x.dd) / square - 2 * rate * (x.v * x.d + y.v * y.d) / square
    return Jet(np.arctan2(y.v, x.v), rate, bend)


def _unwrapped(name: str, angle: Jet, columns: Columns, run: Columns | None) -> Jet:
    """Angle that continues over π from row to row; at the first row it is between −π and π."""
    from mubo.solvers.columns.joint_coordinates import unwrap_angle, unwrap_between_rows

    motion = np.stack([angle.v, angle.d, angle.dd], 1)
    if run is not None:
        return Jet(unwrap_between_rows(run, name, columns.raw("t"), angle.v), angle.d, angle.dd)
    if not len(motion) or not np.all(np.isfinite(motion)):
        return angle
    return Jet(unwrap_angle(motion, columns.raw("t"), angle.v[0], None), angle.d, angle.dd)
