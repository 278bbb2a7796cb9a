"""State-dependent loads in absolute coordinates: programs over the motion, and reaction friction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mubo import _core
from mubo.mechanism.formulations.links import Links
from mubo.mechanism.formulations.sensors import Sensor, Sensors
from mubo.mechanism.formulations.state_dependent_loads import Program, state_programs
from mubo.mechanism.frames import JointFrame
from mubo.mechanism.mechanism import Mechanism
from mubo.model import GROUND

Friction = tuple[int, float, list[int], list[int]]  # load, coefficient, equations, and the end of each that counts
# Sensors, those whose turns are counted, programs, how many of them are sizes, of which loads; frictions
Lists = tuple[list[Sensor], list[int], list[Program], int, list[int], list[Friction]]


@dataclass(frozen=True)
class AbsoluteStateLoads:
    """Data for the core, the program that an event watches where one can, and the approximate values of counted
    rotations."""

    lists: Lists
    watched: dict[str, int]
    near: tuple[float, ...]


def absolute_state_loads(mechanism: Mechanism) -> AbsoluteStateLoads:
    """Programs and frictions for bodies numbered as in absolute coordinates: moving ones, then fixed ones."""
    laws = {name: (k, mechanism.motion_factors[k]) for k, name in enumerate(mechanism.model.drivers)}
    senses = Sensors(mechanism, _bodies(mechanism), laws)
    programs, sized, watched = state_programs(mechanism, senses)
    lists = (senses.sensors, senses.windings, programs, len(sized), sized, list(_frictions(mechanism)))
    return AbsoluteStateLoads(lists, watched, tuple(senses.near))


def _bodies(mechanism: Mechanism) -> Links:
    """Every body as a link of its own, in its own axes."""
    out = Links()
    for number, name in enumerate((*mechanism.free, *mechanism.fixed)):
        out.frame[name] = (number, JointFrame(name, np.zeros(3), np.eye(3)))
    out.frame[GROUND] = (-1, JointFrame(GROUND, np.zeros(3), np.eye(3)))
    out.turned = dict.fromkeys(out.frame, 0.0)
    return out


def _frictions(mechanism: Mechanism) -> Iterator[Friction]:
    """Reaction friction: the rows of its joint act on one body as on the other; one that moves is taken."""
    for number, load in enumerate(mechanism.loads):
        if load.reaction_friction is None:
            continue
        equations, ends, count = [], [], 0
        for row in mechanism.rows:
            for _ in row.equations:
                if row.owner.owner == f"joint {load.reaction_friction.joint}":
                    moving = next(k for k, body in enumerate(row.bodies) if body in mechanism.free)
                    equations.append(count)
                    ends.append(_core.most_bodies * count + moving)
                count += 1
        yield number, load.reaction_friction.factor, equations, ends
