"""Cognates: three four-bars draw the same coupler curve (Roberts 1875, Chebyshev 1878).

With fixed pins A, D, moving pins B, C and the coupler point P as complex numbers, the third fixed pin is

    E = A + (D − A) (P − B)/(C − B),

so that A, D, E form a triangle similar to the coupler. Each cognate has two of the three as its fixed pins; the one
that shares A has there a link as long as BP, the one that shares D a link as long as CP (Hartenberg and Denavit,
Kinematic Synthesis of Linkages, 1964, chapter 6).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.design.synthesis.design import Design
from mubo.model import GROUND
from mubo.numerics.vibration_modes import Complex

SAME = 1e-6  # of the size of the linkage: pins and links that agree
JOINTS = ("A", "B", "C", "D")


def cognate_groups(designs: Sequence[Design]) -> list[list[int]]:
    """Numbers of the designs, from 0, that draw the same coupler curve; those that are alone are left out."""
    groups: list[list[int]] = []
    for k in range(len(designs)):
        home = next((group for group in groups if are_cognates(designs[group[0]], designs[k])), None)
        home.append(k) if home is not None else groups.append([k])
    return [group for group in groups if len(group) > 1]


def are_cognates(one: Design, other: Design) -> bool:
    """Whether two four-bars draw the same curve: the same three fixed pins, with the links that belong to them."""
    first, second = _pins(one), _pins(other)
    if first is None or second is None:
        return False
    size = float(np.ptp([np.abs(first - first[0])]))
    a, d = first[:2]
    shared = [z for z in (a, d) if np.min(np.abs(second[:2] - z)) < SAME * size]
    same = all(np.min(np.abs(second - z)) < SAME * size for z in first)
    if not same or not shared:
        return False
    lengths = _arms(one)
    wanted = lengths["BP"] if abs(shared[0] - a) < SAME * size else lengths["CP"]
    mine = _arms(other)
    near = mine["AB"] if abs(second[0] - shared[0]) < SAME * size else mine["CD"]
    return bool(abs(near - wanted) < 1e-5 * size)


def _pins(design: Design) -> Complex | None:
    """The fixed pins A, D, E of a four-bar with a coupler point P; None for another linkage."""
    model = design.model
    if not set(JOINTS) <= set(model.joints) or "P" not in model.points or model.points["P"].body != "coupler":
        return None
    ground, coupler = model.bodies[GROUND].points, model.bodies["coupler"].points
    if not {"A", "D"} <= set(ground) or not {"B", "C"} <= set(coupler):
        return None
    a, d = (complex(*ground[name]) for name in "AD")
    b, c = (complex(*coupler[name]) for name in "BC")
    p = complex(*model.points["P"].at)
    return np.array([a, d, a + (d - a) * (p - b) / (c - b)])


def _arms(design: Design) -> dict[str, float]:
    """Lengths of the links beside the fixed pins, and from the coupler's pins to its point."""
    bodies, p = design.model.bodies, complex(*design.model.points["P"].at)
    b, c = (complex(*bodies["coupler"].points[name]) for name in "BC")
    crank, rocker = bodies["crank"].points, bodies["rocker"].points
    return {
        "AB": abs(complex(*crank["B"]) - complex(*crank["A"])),
        "CD": abs(complex(*rocker["C"]) - complex(*rocker["D"])),
        "BP": abs(p - b),
        "CP": abs(p - c),
    }
