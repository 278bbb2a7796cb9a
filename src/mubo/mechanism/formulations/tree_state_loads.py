"""State-dependent loads of a tree: programs over the motion, and reaction friction."""

from __future__ import annotations

from collections.abc import Mapping

from mubo import _core
from mubo.mechanism.formulations.loop_closure import LoopClosureRows
from mubo.mechanism.formulations.sensors import Sensors
from mubo.mechanism.formulations.state_dependent_loads import state_programs
from mubo.mechanism.loads import NamedLoad
from mubo.mechanism.mechanism import Mechanism

Friction = tuple[int, float, int, list[int], list[int], list[int]]


def add_state_loads(
    system: _core.TreeSystem, mechanism: Mechanism, senses: Sensors, windings: Mapping[int, int]
) -> dict[str, int]:
    """Give the core's tree its programs; returns the program that each event watches, if the core can evaluate it."""
    programs, sized, watched = state_programs(mechanism, senses)
    of = {number: (-1, winding) for number, winding in windings.items()}
    of |= {number: (program, windings.get(number, -1)) for program, number in enumerate(sized)}
    loads = [(number, *what) for number, what in of.items()]
    _core.steer(system, senses.sensors, senses.windings, programs, len(sized), loads)
    return watched


def add_reaction_friction(
    system: _core.TreeSystem, mechanism: Mechanism, senses: Sensors, closing: LoopClosureRows
) -> None:
    """Give the core's tree the friction that depends on reactions."""
    frictions = [
        _friction(senses, closing, number, load)
        for number, load in enumerate(mechanism.loads)
        if load.reaction_friction
    ]
    if frictions:
        _core.rub(system, frictions, len(closing.equations))


def _friction(senses: Sensors, closing: LoopClosureRows, number: int, load: NamedLoad) -> Friction:
    """Load, coefficient, the last link of its joint and those that slide; or the rows that close a loop."""
    assert load.reaction_friction is not None
    joint = load.reaction_friction.joint
    coefficient = load.reaction_friction.factor
    mine = [motion for motion in senses.links.motions if motion.joint == joint]
    if mine:
        slides = [motion.link for motion in mine if motion.kind == "slide"]
        return number, coefficient, max(motion.link for motion in mine), slides, [], []
    second = senses.model.joints[joint].between[1].partition(".")[0]
    rows, ends, equation = [], [], 0
    for row in closing.rows:
        for _ in row.equations:
            if row.owner.owner == f"joint {joint}":
                rows.append(equation)
                ends.append(_core.most_bodies * equation + row.bodies.index(second))
            equation += 1
    return number, coefficient, -1, [], rows, ends
