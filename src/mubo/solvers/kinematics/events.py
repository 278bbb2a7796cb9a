"""Events of a motion: where it stops, crosses another motion, or comes close to a singular position."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import status_text
from mubo.mechanism import Absolute
from mubo.mechanism.rows import join_words
from mubo.numerics.singularity import CHANGE_POINT, NEAR_SINGULAR
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
    moving = f"; there {join_words(bodies)} can move while the drivers are fixed" if bodies else ""
    kind, moving = describe_lock(path, kind, moving, form.scale, form.model.units.length)
    if kind == "limit" and form.model.dimension == 2:
        moving += "".join(f", and pins {_enumerated(pins)} lie in one line" for pins in pins_in_line(form, q, bodies))
    failure, second = _failure_reason(analysis, path.status), form.model.units.unit_of("time")
    return stop_event(kind, _shown_time(time, turned), drivers, bodies, moving, failure, second=second)


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


def _enumerated(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _shown_time(time: float, turned: float) -> float:
    """A time of the backward motion as the table has it."""
    return 2 * turned - time if math.isfinite(turned) else time


def stop_event(
    kind: str,
    time: float,
    drivers: dict[str, float],
    names: tuple[str, ...],
    more: str,
    failure: str,
    unit: str = "",
    second: str = "",
) -> Event:
    """Event of a motion that ends at a singular position; `unit` belongs to driver values, `second` to the time."""
    words = {
        "limit": "the mechanism locks: no position exists beyond",
        "bifurcation": "two motions cross here and the constraints do not choose between them",
        "failure": failure,
    }
    at = describe_drivers(drivers, unit)
    when = f"{time:.9g} {second}".rstrip()
    return Event(kind, time, drivers, names, f"the motion stops at t = {when} ({at}): {words[kind]}{more}")


def describe_lock(path: ContinuationResult, kind: str, more: str, scale: float, unit: str) -> tuple[str, str]:
    """Kind and text of a stop; where a change point is just missed it is a limit, and the misfit is reported."""
    if path.status == Status.step_limit:
        return "failure", f"; {len(path.crossings):,} change points were passed" if path.crossings else ""
    if path.misses is None:
        return kind, more
    misfit = path.misses.misfit
    if misfit < MISSED * scale:
        more += f"; with lengths changed by about {misfit:.2g} {unit}".rstrip() + " two motions would cross here"
    return "limit", more


def describe_drivers(drivers: dict[str, float], unit: str = "") -> str:
    """Text of the driver values, such as "motor = 30 deg"."""
    return ", ".join(f"{name} = {value:.9g} {unit}".rstrip() for name, value in drivers.items())


def _failure_reason(analysis: StartAnalysis, status: Status) -> str:
    """Reason of a failed step: redundant constraints that agreed at the start are the likely ones to disagree later."""
    if analysis.diagnosis.dependent:
        sets = "; ".join(join_words([*d.others, d.name]) for d in analysis.diagnosis.dependent)
        return f"from here on {sets} contradict each other"
    return status_text(status)


def change_point_event(
    form: Absolute, stepper: KinematicStepper, crossing: ChangePoint, branch: str, turned: float = math.nan
) -> Event:
    """Event of a change point that was passed: both motions with their angular rates, and the one followed.

    `turned` is when the drivers were reversed, if it was passed after that.
    """
    motion = form.motion(np.array([crossing.t]))
    rates = {}
    for word, v in (("smooth", crossing.smooth), ("other", crossing.other)):
        q, rate, _ = stepper.bodies(np.stack([crossing.x, v, np.zeros_like(v)])[None], motion)[0]
        rates[word] = _angular_rates(form, q, -rate if math.isfinite(turned) else rate)
    drivers, time = form.mechanism.driver_values(motion[0]), _shown_time(crossing.t, turned)
    units = ("", form.model.units.unit_of("angle", 1), form.model.units.unit_of("time"))
    event = describe_change_point(time, drivers, rates, list(rates["smooth"]), branch, units)
    return replace(event, message=event.message + describe_misfit(crossing, form.scale, form.model.units.length))


def describe_misfit(crossing: ChangePoint, scale: float, unit: str) -> str:
    """Text on the misfit of the lengths at a change point that was passed, and on the smallest detectable one."""
    from mubo.solvers.continuation.bifurcation_normal_form import RESOLUTION

    misfit, least = (f"{length:.1g} {unit}".rstrip() for length in (crossing.misfit, RESOLUTION * scale))
    if crossing.misfit < np.finfo(float).eps * scale:
        misfit = "zero"
    return (
        f". The misfit of the lengths is {misfit} here; less than {least} cannot be distinguished from none, with more "
        "the mechanism would lock or the two motions would part"
    )


def describe_change_point(
    time: float,
    drivers: dict[str, float],
    rates: dict[str, dict[str, float]],
    names: Sequence[str],
    branch: str,
    units: tuple[str, str, str] = ("", "", ""),
) -> Event:
    """Event of a change point that was passed, with the rates of `names` that differ between the two motions.

    `units` are those of the drivers, of the rates and of the time.
    """
    smooth, other = rates["smooth"], rates["other"]
    differ = [name for name in names if abs(smooth[name] - other[name]) > 1e-6 * (1 + abs(smooth[name]))]
    bodies = tuple(dict.fromkeys(name.partition(".")[0] for name in differ))
    text = "; ".join(
        f"{word}: "
        + ", ".join(f"{name} turns at {_format_rate(rates[word], name)} {units[1]}".rstrip() for name in bodies)
        for word in rates
    )
    at = describe_drivers(drivers, units[0])
    when = f"{time:.9g} {units[2]}".rstrip()
    message = f"two motions cross at t = {when} ({at}); the {branch} one is followed. {text}"
    return Event("bifurcation", time, drivers, bodies, message, rates)


def _format_rate(rates: dict[str, float], name: str) -> str:
    """A rate, in space a vector; beside large ones a small number is zero."""
    least = 1e-9 * max(map(abs, rates.values()))
    if name not in rates:
        vector = [rates[f"{name}.{axis}"] for axis in ANGULAR]
        return "(" + ", ".join(f"{value:.4g}" if abs(value) > 1e3 * least else "0" for value in vector) + ")"
    return "0" if abs(rates[name]) < least else f"{rates[name]:.4g}"


def near_singularity_event(form: Absolute, found: Transmission, place: TransmissionSample) -> Event:
    """Event of a near-singular position, with the joints of its group."""
    drivers = form.mechanism.driver_values(form.motion(np.array([place.t]))[0])
    joints, bodies = _joints_and_bodies(form, found, place.group.loops, place.group.parts)
    units, second = form.mechanism.driver_units, form.model.units.unit_of("time")
    return describe_near_singularity(place, drivers, bodies, joints, units=units, second=second)


def describe_near_singularity(
    place: TransmissionSample,
    drivers: dict[str, float],
    names: tuple[str, ...],
    joints: Sequence[str] = (),
    unit: str = "",
    units: Mapping[str, str] = MappingProxyType({}),
    second: str = "",
) -> Event:
    """Event of a near-singular position; `unit` belongs to driver values, `units` to their remaining travel, `second`
    to the time."""
    group, limit = place.group, math.sqrt(2) * NEAR_SINGULAR
    least = f"{place.sigma:.3g}" if place.sigma > CHANGE_POINT else "0"
    how = f"the smallest singular value of {group.name} falls to {least}, below {group.near:.3g}"
    if group.angle is not None and place.grade < limit:
        how = f"the transmission angle of {join_words(group.parts)} falls to {math.degrees(place.grade):.3g} deg, "
        how += f"below {math.degrees(limit):.2g} deg"
    where = f" (joints {', '.join(joints)})" if joints else ""
    at = describe_drivers(drivers, unit)
    when = f"{place.t:.9g} {second}".rstrip()
    message = f"near-singular position at t = {when} ({at}): {how}; transmission is poor{where}"
    for name, travel in place.left.items():
        more = f"{travel:.3g} {units.get(name, unit)}".rstrip()
        message += f"; {name} reverses {more} before its limit, where the mechanism would lock"
    return Event("near_miss", place.t, drivers, names, message, remaining_travel=place.left)


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
