"""What stopped a motion, in words."""

from __future__ import annotations

import numpy as np

from mubo.compile import Compiled
from mubo.errors import STATUS_WORDS
from mubo.motion.law import Array
from mubo.results import Event
from mubo.studies.crossing import Crossing
from mubo.studies.formulation import Formulation
from mubo.studies.inspect import Inspection
from mubo.studies.march import Path
from mubo.studies.singular import classify_singularity
from mubo.studies.words import join_words


def driver_values(compiled: Compiled, motion: Array) -> dict[str, float]:
    """Value of every driver in the model's units."""
    values = motion[::3] / compiled.motion_factors
    return dict(zip(compiled.model.drivers, (float(v) for v in values), strict=True))


def singular_event(look: Inspection, way: Formulation, path: Path) -> Event:
    """Where and why the motion stopped."""
    compiled, time = look.compiled, path.stopped_at
    motion = compiled.motion(np.array([time]))
    drivers = driver_values(compiled, motion[0])
    at = ", ".join(f"{name} = {value:.9g}" for name, value in drivers.items())
    q = way.stepper.bodies(path.stopped_state[None], motion)[0][0]
    kind, bodies = classify_singularity(compiled, q, motion[0])
    words = {
        "limit": "the mechanism locks: nothing exists beyond",
        "bifurcation": "two motions cross here and the constraints do not choose between them",
        "failure": _failure(look, path.status),
    }
    moving = f"; there {join_words(bodies)} can move while the drivers stand still" if bodies else ""
    return Event(kind, time, drivers, bodies, f"the motion stops at t = {time:.9g} ({at}): {words[kind]}{moving}")


def _failure(look: Inspection, status: int) -> str:
    """Redundant constraints that agreed at the start are the likely ones to disagree later."""
    if look.diagnosis.dependent:
        sets = "; ".join(join_words([*d.others, d.name]) for d in look.diagnosis.dependent)
        return f"from here on {sets} contradict each other"
    return STATUS_WORDS[status]


def crossing_event(compiled: Compiled, way: Formulation, crossing: Crossing, branch: str) -> Event:
    """A change point that was passed: both motions with their angular rates, and which one was followed."""
    motion = compiled.motion(np.array([crossing.t]))
    drivers = driver_values(compiled, motion[0])
    at = ", ".join(f"{name} = {value:.9g}" for name, value in drivers.items())
    factor = compiled.model.units.angle_factor()
    rates = {}
    for word, v in (("smooth", crossing.smooth), ("other", crossing.other)):
        state = np.stack([crossing.x, v, np.zeros_like(v)])
        omega = way.stepper.bodies(state[None], motion)[0][1][2::3] / factor
        rates[word] = {name: float(value) for name, value in zip(compiled.free, omega, strict=True)}
    differ = [
        n for n in compiled.free if abs(rates["smooth"][n] - rates["other"][n]) > 1e-6 * (1 + abs(rates["smooth"][n]))
    ]
    told = "; ".join(
        f"{word}: " + ", ".join(f"{name} turns at {rates[word][name]:.6g}" for name in differ) for word in rates
    )
    return Event(
        "bifurcation",
        crossing.t,
        drivers,
        tuple(differ),
        f"two motions cross at t = {crossing.t:.9g} ({at}); the {branch} one is followed. {told}",
        rates,
    )


def lost_branch(compiled: Compiled, end: float, distance: float) -> Event:
    """A run that went there and back does not end where it began: somewhere it changed its branch."""
    return Event(
        "failure",
        end,
        driver_values(compiled, compiled.motion(np.array([end]))[0]),
        (),
        f"the run does not come back to its start: there and back it ends {distance:.2g} away, so that somewhere it "
        "changed to another branch; take a shorter step",
    )
