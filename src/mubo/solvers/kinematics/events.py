"""Events of a motion: where it stops, crosses another motion, or comes close to a singular position."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import status_text
from mubo.mechanism import Absolute
from mubo.mechanism.rows import join_words
from mubo.note import Note
from mubo.numerics.singularity import NEAR_SINGULAR
from mubo.results import Event
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.continuation.steppers import ContinuationResult, KinematicStepper
from mubo.solvers.kinematics.bifurcation import ChangePoint

if TYPE_CHECKING:
    from mubo.solvers.transmission.transmission import Transmission, TransmissionSample

MISSED = 1e-2  # of the decade of the size: change points that are missed by less are reported
ANGULAR = ("wx", "wy", "wz")
LINED_UP, MOST_LINES = 2e-3, 3  # radians between arms that lie in one line; such lines that are reported


def singular_event(
    analysis: StartAnalysis, stepper: KinematicStepper, path: ContinuationResult, turned: float = math.nan
) -> Event:
    """Event of a motion that stops, with place and reason; `turned` is when the drivers were reversed before it."""
    from mubo.solvers.assembly.singular_positions import classify_singularity

    form, time = analysis.form, path.stopped_at
    motion = form.motion(np.array([time]))
    drivers = form.mechanism.driver_values(motion[0])
    q = stepper.bodies(path.stopped_state[None], motion)[0][0]
    kind, bodies = classify_singularity(form, q, motion[0])
    passed = misfit = None
    if path.status == Status.step_limit:
        kind, passed = "failure", len(path.crossings)
    elif path.misses is not None:
        kind = "limit"  # a change point that is just missed
        misfit = path.misses.misfit if path.misses.misfit < MISSED * form.scale else None
    planar_limit = kind == "limit" and form.model.dimension == 2
    fact = Note(
        "events.motion_stops",
        kind=kind,
        t=_shown_time(time, turned),
        drivers=drivers,
        units=form.model.units,
        bodies=bodies,
        pins=pins_in_line(form, q, bodies) if planar_limit else [],
        passed=passed,
        misfit=misfit,
        contradicting=[join_words([*d.others, d.name]) for d in analysis.diagnosis.dependent],
        reason=status_text(path.status),
    )
    return Event(kind, _shown_time(time, turned), drivers, bodies, fact)


def pins_in_line(form: Absolute, q: Array, bodies: Sequence[str]) -> list[tuple[str, ...]]:
    """Three pins of two moving bodies that share the middle one, where they are stretched or folded onto each other."""
    from mubo.elements import REVOLUTE

    pins = [joint for joint in form.model.joints.values() if joint.kind == REVOLUTE]
    ends = {pin.name: [reference.partition(".")[0] for reference in pin.between] for pin in pins}
    pins_of = {name: [pin for pin, joined in ends.items() if name in joined] for name in bodies}
    places = {pin.name: _place(form, q, pin.between) for pin in pins}
    found: list[tuple[str, ...]] = []
    for one, other in combinations(bodies, 2):
        for middle in (name for name in pins_of[one] if name in pins_of[other]):
            for first, last in product(*([name for name in pins_of[body] if name != middle] for body in (one, other))):
                arms = [places[end] - places[middle] for end in (first, last)]
                across = abs(arms[0][0] * arms[1][1] - arms[0][1] * arms[1][0])
                if first != last and across < LINED_UP * math.prod(float(np.linalg.norm(arm)) for arm in arms):
                    found.append((first, middle, last))
    return found[:MOST_LINES]


def _place(form: Absolute, q: Array, ends: Sequence[str]) -> Array:
    """Where a pin is: by an end on a body that can move."""
    body, at = next(end for end in map(form.model.place, ends) if end[0] in form.free)
    x, y, phi = q[3 * form.numbers[body] :][:3]
    c, s = math.cos(phi), math.sin(phi)
    return np.array([x + c * at[0] - s * at[1], y + s * at[0] + c * at[1]])


def _shown_time(time: float, turned: float) -> float:
    """A time of the backward motion as the table has it."""
    return 2 * turned - time if math.isfinite(turned) else time


def change_point_event(
    form: Absolute, stepper: KinematicStepper, crossing: ChangePoint, branch: str, turned: float = math.nan
) -> Event:
    """Event of a change point that was passed: both motions with their angular rates, and the one followed.

    `turned` is when the drivers were reversed, if it was passed after that.
    """
    from mubo.solvers.continuation.bifurcation_normal_form import RESOLUTION

    motion = form.motion(np.array([crossing.t]))
    rates = {}
    for word, v in (("smooth", crossing.smooth), ("other", crossing.other)):
        q, rate, _ = stepper.bodies(np.stack([crossing.x, v, np.zeros_like(v)])[None], motion)[0]
        rates[word] = _angular_rates(form, q, -rate if math.isfinite(turned) else rate)
    bodies = _turning_otherwise(rates["smooth"], rates["other"])
    drivers, time = form.mechanism.driver_values(motion[0]), _shown_time(crossing.t, turned)
    fact = Note(
        "events.change_point",
        t=time,
        drivers=drivers,
        rates=rates,
        bodies=bodies,
        branch=branch,
        misfit=crossing.misfit if crossing.misfit >= np.finfo(float).eps * form.scale else 0.0,
        least=RESOLUTION * form.scale,
        units=form.model.units,
    )
    return Event("bifurcation", time, drivers, bodies, fact, rates)


def _turning_otherwise(smooth: dict[str, float], other: dict[str, float]) -> tuple[str, ...]:
    """Bodies whose angular rates differ between two motions that cross."""
    differ = [name for name in smooth if abs(smooth[name] - other[name]) > 1e-6 * (1 + abs(smooth[name]))]
    return tuple(dict.fromkeys(name.partition(".")[0] for name in differ))


def near_singularity_event(form: Absolute, found: Transmission, place: TransmissionSample) -> Event:
    """Event of a near-singular position, with the joints of its group."""
    drivers = form.mechanism.driver_values(form.motion(np.array([place.t]))[0])
    joints, bodies = _joints_and_bodies(form, found, place.group.loops, place.group.parts)
    group = place.group
    by_angle = group.angle is not None and place.grade < math.sqrt(2) * NEAR_SINGULAR
    fact = Note(
        "events.near_singular",
        t=place.t,
        drivers=drivers,
        group=group.name,
        angle_between=group.parts if by_angle else (),
        smallest=place.grade if by_angle else place.sigma,
        limit=group.near,
        joints=joints,
        remaining_travel=place.left,
        driver_units=form.mechanism.driver_units,
        units=form.model.units,
    )
    return Event("near_miss", place.t, drivers, bodies, fact, remaining_travel=place.left)


def _joints_and_bodies(
    form: Absolute, found: Transmission, numbers: tuple[int, ...], parts: tuple[str, ...]
) -> tuple[list[str], tuple[str, ...]]:
    """Joints around the links of a group, and its moving bodies."""
    if found.loops is None:
        return [], parts
    edges = [edge for k in numbers for edge, _ in found.loops.walks[k]]
    near = [edge for edge in edges if {edge.name, edge.first, edge.second} & set(parts)]
    joined = {end for edge in near if edge.name in parts for end in (edge.first, edge.second)} | set(parts)
    names = {edge.name for edge in near}
    return [name for name in form.model.joints if name in names], tuple(name for name in form.free if name in joined)


def _angular_rates(form: Absolute, q: Array, v: Array) -> dict[str, float]:
    """Angular rate of every body, in the model's unit; in space about each ground axis: "crank.wx"."""
    from mubo.solvers.assembly.undriven_motion import body_rates

    rates = body_rates(form, q, v[None])[0].reshape(len(form.free), -1) / form.model.units.factor("angle", 1)
    if form.model.dimension == 2:
        return {name: float(rate[2]) for name, rate in zip(form.free, rates, strict=True)}
    return {
        f"{name}.{axis}": float(value)
        for name, rate in zip(form.free, rates, strict=True)
        for axis, value in zip(ANGULAR, rate[3:], strict=True)
    }
