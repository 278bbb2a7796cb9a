"""Grashof's rule: the links of a planar four-bar that can make full revolutions.

With the shortest link s, the longest l and the others p and q, some link turns fully against its neighbours exactly if
s + l ≤ p + q (Grashof 1883). Which one is shortest decides what the frame sees.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from mubo.elements.registry import REVOLUTE
from mubo.model import GROUND, ModelDefinition
from mubo.model.coordinates import grounded

EQUAL = 1e-9  # of the longest link: how close s + l and p + q are where they count as equal
MOST_BODIES = 60  # of a model that is searched
MOST_LOOPS = 12
Pin = tuple[str, str, str]  # joint, and its two ends


def four_bars(model: ModelDefinition) -> list[dict[str, Any]]:
    """Every loop of four pins through the ground: its links, their lengths, and its Grashof class."""
    if model.dimension != 2 or len(model.bodies) > MOST_BODIES:
        return []
    return [_four_bar_entry(model, loop) for _, loop in zip(range(MOST_LOOPS), _loops(model), strict=False)]


def _loops(model: ModelDefinition) -> Iterator[tuple[Pin, Pin, Pin, Pin]]:
    """Four pins in turn around a loop, the first and the last at the ground."""
    still = grounded(model)
    pins = [
        (joint.name, *pair)
        for joint in model.joints.values()
        if joint.kind == REVOLUTE
        for pair in combinations(joint.between, 2)
    ]

    def body(end: str) -> str:
        name = end.partition(".")[0]
        return GROUND if name in still else name

    both = [pin for name, one, two in pins for pin in ((name, one, two), (name, two, one))]
    onward: dict[str, list[Pin]] = {}
    for pin in both:
        onward.setdefault(body(pin[1]), []).append(pin)
    for first in onward.get(GROUND, []):
        for second in onward.get(body(first[2]), []):
            for third in onward.get(body(second[2]), []):
                for last in onward.get(body(third[2]), []):
                    links = [body(pin[2]) for pin in (first, second, third)]
                    distinct = len(set(links)) == 3 and GROUND not in links and body(last[2]) == GROUND
                    if distinct and len({p[0] for p in (first, second, third, last)}) == 4 and first[0] < last[0]:
                        yield first, second, third, last


def _four_bar_entry(model: ModelDefinition, loop: tuple[Pin, Pin, Pin, Pin]) -> dict[str, Any]:
    first, second, third, last = loop
    pairs = [(first[2], second[1]), (second[2], third[1]), (third[2], last[1]), (last[2], first[1])]
    names = [one.partition(".")[0] for one, _ in pairs[:3]]
    lengths = [math.dist(*(_point_in_body(model, end) for end in pair)) for pair in pairs]
    return {"joints": [pin[0] for pin in loop], "links": dict(zip([*names, GROUND], lengths, strict=True))} | {
        "class": grashof_class(names, lengths)
    }


def grashof_class(names: list[str], lengths: list[float]) -> str:
    """Grashof class as text, from the names of input link, coupler and output link, and the lengths of these and of the
    frame."""
    s, p, q, longest = sorted(lengths)
    gap = p + q - s - longest
    if abs(gap) <= EQUAL * longest:
        return "change point: the links can fall into one line, where the motion may branch"
    if gap < 0:
        return "no Grashof four-bar: no link turns round (triple rocker)"
    shortest = lengths.index(s)
    if shortest == 3:
        return f"double crank: {names[0]} and {names[2]} turn round"
    if shortest == 1:
        return f"double rocker: {names[1]} turns round, {names[0]} and {names[2]} rock"
    rocker = names[2 - shortest]
    return f"crank-rocker: {names[shortest]} turns round, {rocker} rocks"


def _point_in_body(model: ModelDefinition, reference: str) -> tuple[float, float]:
    """A point in its body's axes; on a body that is fixed to the ground, in the ground's."""
    body, (x, y) = model.place(reference)
    if body not in grounded(model):
        return x, y
    c, s = math.cos(model.bodies[body].angle), math.sin(model.bodies[body].angle)
    left, up = model.bodies[body].position
    return left + c * x - s * y, up + s * x + c * y
