"""Forces, moments and powers at hip, knee and ankle, per kilogram of the subject.

The moment that the body on the near side of a joint exerts on the far one is the effort of the joint's own driver, and
of all drivers that turn bodies beyond it in the laboratory. Along a coordinate of OpenSim it is positive where it
flexes hip and knee and lifts the toe (dorsiflexion); its power is moment · rate. Forces are by the near body on the
far one. In space the coordinates of a joint are flexion about z of the near segment, adduction or inversion about the
floating axis and inner rotation about y of the far one; the moment of each is that along its axis, its generalised
force.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.applications.gait.legs import Leg, upright
from mubo.arrays import Array
from mubo.model import ModelDefinition
from mubo.model.column_names import Column
from mubo.results import Run
from mubo.solvers.forces.reaction import joint_reaction

Entry = tuple[Column, Array]
# Near and far segment of a joint, and the sign of far minus near in its coordinate.
PAIRS = {"hip": ("trunk", "thigh", 1.0), "knee": ("thigh", "shank", -1.0), "ankle": ("shank", "foot", 1.0)}
MOMENT, POWER, FORCE = "length^2 time^-2", "length^2 time^-3", "length^1 time^-2"  # each per mass
FULL = 2 * np.pi


def joint_columns(run: Run, leg: Leg, mass: float) -> Iterator[Entry]:
    """Angles, with rates, moments, powers and forces of a leg."""
    if leg.in_space:
        yield from _spatial_columns(run, leg, mass)
        return
    for joint in PAIRS:
        name = leg.name(joint)
        angle = joint_angle(run, leg, joint)
        for order, (tail, values) in enumerate(zip(("", ".rate", ".rate2"), angle, strict=True)):
            yield Column(f"{name}{tail}", "gait", name, "value", order, "angle"), values
        moment = PAIRS[joint][2] * moment_on_far(run, leg, joint) / mass
        yield Column(f"{name}_moment", "gait", name, "moment", 0, MOMENT), moment
        yield Column(f"{name}_power", "gait", name, "power", 0, POWER), moment * angle[1]
        force = force_on_far(run, leg, joint) / mass
        for k, letter in enumerate("xy"):
            word = f"{joint}_{leg.side}_force_{letter}"
            yield Column(word, "gait", f"{joint}_{leg.side}_force", letter, 0, FORCE), force[:, k]


def _spatial_columns(run: Run, leg: Leg, mass: float) -> Iterator[Entry]:
    """Columns of a leg in space: every coordinate has a driver, whose effort is the moment along its axis."""
    for joint in PAIRS:
        total = np.zeros(len(run))
        for name in leg.names(joint):
            of = str(run.model.drivers[name].of)
            base, _, number = of.partition(".q")
            for order, (tail, letter) in enumerate((("", "q"), (".rate", "v"), (".rate2", "a"))):
                values = run.columns.raw(f"{base}.{letter}{number}")
                yield Column(f"{name}{tail}", "gait", name, "value", order, "angle"), values
            moment = run.columns.raw(f"{name}.effort") / mass
            power = moment * run.columns.raw(f"{base}.v{number}")
            total += power
            yield Column(f"{name}_moment", "gait", name, "moment", 0, MOMENT), moment
            yield Column(f"{name}_power", "gait", name, "power", 0, POWER), power
        yield Column(f"{joint}_{leg.side}_power", "gait", f"{joint}_{leg.side}", "power", 0, POWER), total
        far = leg.distal(joint)[0]
        force = joint_reaction(run, leg.joints[joint], far).force / mass
        for k, letter in enumerate("xyz"):
            word = f"{joint}_{leg.side}_force_{letter}"
            yield Column(word, "gait", f"{joint}_{leg.side}_force", letter, 0, FORCE), force[:, k]


def joint_angle(run: Run, leg: Leg, joint: str) -> Array:
    """The angle of a joint with its rates, in radians: three × times."""
    near, far, sign = PAIRS[joint]
    first = leg.pelvis or leg.trunk if near == "trunk" else leg.bodies[near]
    angle = sign * (_turn(run, leg.bodies[far]) - (_turn(run, first) if first else 0.0))
    angle[0] -= FULL * np.round(np.median(angle[0]) / FULL)
    return np.asarray(angle)


def _turn(run: Run, body: str) -> Array:
    values = np.array([run.columns.raw(f"{body}.{word}") for word in ("phi", "omega", "alpha")])
    values[0] += upright(run.model, body)
    return values


def moment_on_far(run: Run, leg: Leg, joint: str) -> Array:
    """The moment that the near body exerts on the far one, counter-clockwise."""
    beyond = leg.distal(joint)
    total = np.zeros(len(run))
    for driver in run.model.drivers.values():
        if not isinstance(driver.of, str):
            continue
        effort = run.columns.raw(f"{driver.name}.effort")
        body, _, coordinate = driver.of.partition(".")
        if coordinate == "phi" and body in beyond:
            total += effort
        elif driver.of == leg.joints.get(joint):
            total += _sense(run.model, driver.of, beyond[0]) * effort
    return total


def _sense(model: ModelDefinition, joint: str, body: str) -> float:
    """1 where a body is the second of a joint, on which its driver acts; −1 of the first."""
    return -1.0 if model.joints[joint].between[0].partition(".")[0] == body else 1.0


def force_on_far(run: Run, leg: Leg, joint: str) -> Array:
    """The force of the near body on the far one, times × 2: a reaction, and efforts that lead origins beyond."""
    beyond, total = leg.distal(joint), np.zeros((len(run), 2))
    if joint in leg.joints:
        total += joint_reaction(run, leg.joints[joint], beyond[0]).force
    for driver in run.model.drivers.values():
        body, _, coordinate = driver.of.partition(".") if isinstance(driver.of, str) else ("", "", "")
        if coordinate in ("x", "y") and body in beyond:
            total[:, "xy".index(coordinate)] += run.columns.raw(f"{driver.name}.effort")
    return total
