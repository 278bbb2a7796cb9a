"""What stopped a deck, or where two of its motions cross, in degrees and by the names of vectors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import words_for
from mubo.mechanism.formulations.deck import DEGREE, DeckLoops
from mubo.mechanism.wording import join_words
from mubo.model.linkage import vector_name
from mubo.results import Event
from mubo.solvers.continuation.stepping import ContinuationResult, KinematicStepper
from mubo.solvers.kinematics.bifurcation import ChangePoint
from mubo.solvers.kinematics.events import (
    describe_change_point,
    describe_lock,
    describe_misfit,
    describe_near_singularity,
    stop_event,
)
from mubo.solvers.transmission.transmission import TransmissionSample

LINED_UP = 2e-3  # radians


def _unit(deck: DeckLoops) -> str:
    return "deg" if deck.driver == "crank" else ""


def drivers_at(deck: DeckLoops, time: float) -> dict[str, float]:
    return deck.driver_values(deck.motion(np.array([time]))[0])


def passed(deck: DeckLoops, crossing: ChangePoint, branch: str, turned: float) -> Event:
    """A change point; after the driver has turned back (`turned` is that time) rates are those of the way back."""
    sign = -1.0 if np.isfinite(turned) else 1.0
    rates = {}
    for word, v in (("smooth", crossing.smooth), ("other", crossing.other)):
        rates[word] = {
            vector_name(n): sign * float(v[k]) / DEGREE + 0.0 for k, group in enumerate(deck.turning) for n in group
        }
    time = crossing.t if sign > 0 else 2 * turned - crossing.t
    told = describe_change_point(time, drivers_at(deck, crossing.t), rates, deck.free, branch, (_unit(deck), "deg/s"))
    return replace(told, message=told.message + describe_misfit(crossing, deck.scale, deck.model.units.length))


def missed(deck: DeckLoops, miss: TransmissionSample) -> Event:
    """A singular position that was passed closely."""
    return describe_near_singularity(miss, drivers_at(deck, miss.t), miss.group.parts, unit=_unit(deck))


def stopped(deck: DeckLoops, stepper: KinematicStepper, path: ContinuationResult, turned: float = np.nan) -> Event:
    """Where and why the motion ends, and which vectors lie in one line there."""
    time, state = path.stopped_at, path.stopped_state
    motion = deck.motion(np.array([time]))[0]
    kind, moving = classify(stepper, state[0], motion)
    names = tuple(deck.free[k] for k in moving)
    more = f"; there {join_words(names)} can move while the {deck.driver} stands still" if names else ""
    kind, more = describe_lock(path, kind, more, deck.scale, deck.model.units.length)
    lined = _lined_up(deck, moving, state[0]) if kind == "limit" else []
    more += f", and {'; '.join(lined)}" if lined else ""
    shown = 2 * turned - time if np.isfinite(turned) else time
    reason = words_for(Status(path.status))
    return stop_event(kind, shown, drivers_at(deck, time), names, more, reason, _unit(deck))


def classify(stepper: KinematicStepper, x: Array, motion: Array) -> tuple[str, list[int]]:
    """ "limit" if the driver cannot go on, "bifurcation" if it can; and the unknowns that move without it.

    w is the left null vector of J. J v = ν has a solution only if wᵀν = 0 (Haug 1989, chapter 3).
    """
    _, J, nu, _ = stepper.equations(x, np.zeros_like(x), motion)
    left, values, right = np.linalg.svd(J)
    if values[-1] > 1e-3 * values[0]:
        return "failure", []
    share = abs(float(left[:, -1] @ nu)) / (float(np.linalg.norm(nu)) or 1.0)
    moves = np.abs(right[-1])
    return ("limit" if share > 1e-4 else "bifurcation"), [int(k) for k in np.flatnonzero(moves > 1e-3 * moves.max())]


def _lined_up(deck: DeckLoops, moving: list[int], x: Array) -> list[str]:
    """Vectors of different links, in one loop and free to move, that have the same or opposite directions."""
    linkage = deck.linkage
    angle = {n: linkage.angles[n - 1] * DEGREE + float(x[k]) for k in moving for n in deck.turning[k]}
    owner = {n: k for k in moving for n in deck.turning[k]}
    pairs: dict[str, None] = {}
    for loop in linkage.loops:
        inside = [abs(v) for v in loop.vectors if abs(v) in angle]
        for i, a in enumerate(inside):
            for b in inside[:i]:
                if owner[a] != owner[b] and abs(np.sin(angle[a] - angle[b])) < LINED_UP:
                    first, second = sorted((a, b))
                    pairs[f"{vector_name(first)} and {vector_name(second)} lie in one direction"] = None
    return list(pairs)
