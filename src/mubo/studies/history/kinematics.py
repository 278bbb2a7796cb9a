"""Exact kinematics of a linkage: the loops are closed by turning the links, then followed by Newton's method."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import AssemblyError, ModelError, SingularityError
from mubo.formats.decks.punch import listing_of
from mubo.mechanism.forms.linkage import DEGREE, CompiledLinkage, compile_linkage
from mubo.model import Units
from mubo.model.linkage import Linkage
from mubo.results import Event, LinkageTrajectory
from mubo.studies.history.events import classify, driver_at, driver_values, missed, passed, stopped
from mubo.studies.history.vectors import columns_of, residues, vectors_of
from mubo.studies.motion.kinematics import require_settings, time_grid
from mubo.studies.motion.march import Settings, march
from mubo.studies.motion.near_miss import Lowest, Seeker
from mubo.studies.motion.round_trip import RoundTrip, round_trip
from mubo.studies.motion.steppers import LoopStepper
from mubo.studies.motion.summary import transmission_summary
from mubo.studies.quality.transmission import of_loops

TOLERANCE = 1e-10
LARGE = 2.0  # degrees by which closing may turn a link without a word


def linkage_kinematics(
    linkage: Linkage,
    start: float | None = None,
    end: float | None = None,
    step: float | None = None,
    settings: Settings | None = None,
) -> LinkageTrajectory:
    """The positions that the deck asks for (or a grid of times), there and, with HYST, back.

    The way back is that of the deck: the driver is reversed, so that the last position appears twice, with both rates.
    """
    settings = settings or Settings()
    require_settings(settings)
    if settings.formulation == "absolute":
        raise ModelError("a deck has vectors and loops, no bodies: there are no absolute coordinates of it")
    compiled = compile_linkage(linkage)
    asked = compiled.linkage.positions
    assert asked is not None
    grid = time_grid(
        asked.start if start is None else start,
        asked.end if end is None else end,
        asked.step if step is None else step,
        8 * len(linkage.lengths),
    )
    settings = replace(settings, tolerance=settings.tolerance or TOLERANCE * compiled.scale, scale=compiled.scale)
    stepper = LoopStepper(compiled.loops, settings)
    closed = close(compiled, stepper)
    state = _at_start(compiled, stepper, closed, float(grid[0]))
    trip = round_trip(
        compiled.motion, stepper, compiled.loops.weight, grid, state, settings, _far_from_singular(compiled, stepper)
    )
    t, states, motion = _rows(compiled, grid, trip, asked.back)
    vectors = vectors_of(compiled, states, motion)
    driver = motion[:, :2] / compiled.factor
    there = trip.there.reached + 1
    quality = of_loops(compiled.loops, trip.there.states[:there, 0], compiled.motion(grid[:there]))
    seeker = Seeker(compiled.motion, stepper, grid[:there], trip.there)
    misses = seeker.near_misses(quality)
    events = _events(compiled, stepper, grid, trip, settings.branch, asked.back, misses)
    summary = _summary(compiled, closed, states, motion, trip, events, settings.tolerance)
    degrees = Units(angle="deg")
    summary["transmission"] = transmission_summary(quality, seeker, misses, degrees, partial(driver_values, compiled))
    velocity, acceleration = residues(compiled.linkage, vectors)
    summary["residues_percent"] = {"velocity": float(velocity.max()), "acceleration": float(acceleration.max())}
    summary["warnings"].append(residue_words(summary["residues_percent"]))
    columns = columns_of(compiled.linkage, t, vectors, driver)
    return LinkageTrajectory(
        columns=columns,
        units=degrees,
        model=compiled.linkage,
        events=events,
        summary=summary,
        corrections=_corrections(trip, len(t)),
        tolerance=settings.tolerance,
        cards=listing_of(compiled.linkage, columns),
    )


def residue_words(largest: dict[str, float]) -> str:
    told = ", ".join(f"{word} {value:.1e}" for word, value in largest.items())
    return f"largest residues in per cent of the path: {told}"


def close(compiled: CompiledLinkage, stepper: LoopStepper) -> Array:
    """The state at the deck's own position, every loop closed by turning the links; the driver stays."""
    motion = compiled.motion(np.zeros(1))[0]
    status, state = stepper.start(np.zeros(0), motion)
    if status == Status.done:
        return state
    x = np.zeros(len(compiled.free))
    kind, moving = classify(compiled, stepper, x, motion)
    if kind != "failure":
        names = " and ".join(compiled.free[k] for k in moving)
        raise SingularityError(
            f"the deck starts at a singular position: {names} can move while the {compiled.driver} stands still",
            names=[compiled.free[k] for k in moving],
            suggestion="Start a little before or after it.",
        )
    gaps = np.abs(stepper.equations(x, x, motion)[0][: 2 * len(compiled.linkage.loops)].reshape(-1, 2)).max(axis=1)
    worst = int(np.argmax(gaps)) + 1
    raise AssemblyError(
        f"the loops cannot be closed together by turning the links; loop {worst} is open by {gaps[worst - 1]:.3g}",
        names=[f"loop {worst}"],
        numbers={"gap": float(gaps[worst - 1])},
        suggestion="`mubo check` shows the misclosure of every loop, and what each vector would have to be.",
    )


def turned_by(compiled: CompiledLinkage, closed: Array) -> dict[str, float]:
    """Degrees by which closing turned each link, by the name of its first vector; a driven crank stays."""
    turned = zip(compiled.free, closed[0], strict=True)
    return {name: float(x) / DEGREE for name, x in turned if not (compiled.driver == "crank" and name == "z1")}


def _at_start(compiled: CompiledLinkage, stepper: LoopStepper, closed: Array, start: float) -> Array:
    """The state at the first time of the grid, led there from the deck's own position."""
    if start == 0.0:
        return closed
    path = march(compiled.motion, stepper, np.array([0.0, start]), closed, lambda done, total: None)
    if path.status != Status.done:
        raise SingularityError(f"t = {start:g} cannot be reached: {stopped(compiled, stepper, path).message}")
    return np.asarray(path.states[1])


def _far_from_singular(compiled: CompiledLinkage, stepper: LoopStepper) -> Any:
    def regular(state: Array, time: float) -> bool:
        _, J, _, _ = stepper.equations(state[0], state[1], compiled.motion(np.array([time]))[0])
        values = np.linalg.svd(J, compute_uv=False)
        return bool(values[-1] > 1e-4 * values[0])

    return regular


def _rows(compiled: CompiledLinkage, grid: Array, trip: RoundTrip, back: bool) -> tuple[Array, Array, Array]:
    """Times, states and driver of all rows. On the way back the driver is reversed: rates change their sign."""
    there = trip.there.reached + 1
    t, states, motion = grid[:there], trip.there.states[:there], compiled.motion(grid[:there])
    if not back or trip.there.status != Status.done:
        return t, states, motion
    count = trip.back.reached + 1
    signs = np.array([1.0, -1.0, 1.0])
    return (
        np.concatenate([t, 2 * t[-1] - t[::-1][:count]]),
        np.concatenate([states, trip.back.states[:count] * signs[:, None]]),
        np.concatenate([motion, motion[::-1][:count] * signs]),
    )


def _corrections(trip: RoundTrip, rows: int) -> Array:
    """Newton corrections of every row; the turning point is solved once."""
    both = (path.corrections[: path.reached + 1] for path in (trip.there, trip.back))
    return np.concatenate([*both])[:rows]


def _events(
    compiled: CompiledLinkage,
    stepper: LoopStepper,
    grid: Array,
    trip: RoundTrip,
    branch: str,
    back: bool,
    misses: list[Lowest],
) -> list[Event]:
    events = [passed(compiled, crossing, branch, np.nan) for crossing in trip.there.crossings]
    events = sorted([*events, *(missed(compiled, miss) for miss in misses)], key=lambda event: event.t)
    end = float(grid[-1])
    if trip.there.status != Status.done:
        events.append(stopped(compiled, stepper, trip.there))
        return events
    if back:
        events += [passed(compiled, crossing, branch, end) for crossing in trip.back.crossings]
        if trip.back.status != Status.done:
            return [*events, stopped(compiled, stepper, trip.back, end)]
    if not trip.same:
        events.append(
            Event(
                "failure",
                end,
                driver_at(compiled, end),
                (),
                f"the run does not come back to its start: there and back it ends {trip.apart:.2g} away, so that "
                "somewhere it changed to another branch; take a shorter step",
            )
        )
    return events


def _summary(
    compiled: CompiledLinkage,
    closed: Array,
    states: Array,
    motion: Array,
    trip: RoundTrip,
    events: list[Event],
    tolerance: float,
) -> dict[str, Any]:
    linkage, loops = compiled.linkage, len(compiled.linkage.loops)
    along = [
        compiled.loops.system.along(state[0], state[1], state[2], m) for state, m in zip(states, motion, strict=True)
    ]
    largest = np.abs(np.array(along)).max(axis=0)[:, : 2 * loops].reshape(3, loops, 2).max(axis=2)
    words = ("position", "velocity", "acceleration")
    turned = turned_by(compiled, closed)
    most = max(turned, key=lambda name: abs(turned[name]))
    notes = [*linkage.notes, *compiled.notes]
    if abs(turned[most]) > 1e-9:
        more = "; look at the lengths and directions" if abs(turned[most]) > LARGE else ""
        notes.append(f"the loops are closed by turning links, {most} by {turned[most]:.4g} deg at most{more}")
    return {
        "status": "ok" if all(event.passed for event in events) else "stopped",
        "model": linkage.name,
        "formulation": "loops",
        "rows": len(states),
        "tolerance": tolerance,
        "mobility": {"gruebler": 1, "rank": 1, "loops": loops, "redundant": []},
        "residual": {word: float(line.max()) for word, line in zip(words, largest, strict=True)},
        "residual_per_element": {
            f"loop {k + 1}": {word: float(largest[order, k]) for order, word in enumerate(words)} for k in range(loops)
        },
        "there_and_back": trip.apart,
        "newton_iterations": int(_corrections(trip, len(states)).sum()),
        "motion": {},
        "closing_rotations_deg": turned,
        "events": [event.as_dict() for event in events],
        "warnings": notes,
        "files": [],
    }
