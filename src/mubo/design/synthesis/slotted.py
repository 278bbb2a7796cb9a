"""Quick returns with a slotted arm: the crank's pin slides in an arm, a rod leads the ram.

Crank a about O, arm about Q at distance d from O, time ratio Q, δ = 180° (Q − 1)/(Q + 1):

* shaper (crank and slotted lever, d > a): the arm swings by δ, where the crank stands square to it: a = d sin(δ/2).
  Its end at distance r leads the ram square to OQ: stroke = 2 r sin(δ/2).
* Whitworth (d < a): the arm turns round with the crank. Its pin at distance r is at its ends where the arm stands
  square to OQ, along the ram's path through Q: the crank goes round in 180° ± δ between, d = a sin(δ/2), stroke = 2 r.
"""

from __future__ import annotations

import math

from mubo.design.synthesis.family import STEPS
from mubo.model import Builder, ModelDefinition, Units
from mubo.model.parts import Analysis

ROD = 3.0  # lengths of the rod, in radii of the arm's pin
SHARE = 0.5  # crank of a Whitworth drive, and half the frame of a shaper, in strokes


def shaper(stroke: float, delta: float, units: Units) -> tuple[ModelDefinition, dict[str, float]]:
    """A slotted lever that swings, its rod to a ram at the height of the lever's end midway between its limits."""
    half = math.sin(delta / 2)
    r, d = stroke / (2 * half), 2 * SHARE * stroke
    a = d * half
    height = r * (1 + math.cos(delta / 2)) / 2
    lengths = {"crank": a, "frame": d, "arm": r, "rod": ROD * stroke / 2}
    return _machine("shaper", units, lengths, d, r, height), lengths


def whitworth(stroke: float, delta: float, units: Units) -> tuple[ModelDefinition, dict[str, float]]:
    """An arm that turns round; the ram goes through the arm's pin."""
    a, r = SHARE * stroke, stroke / 2
    d = a * math.sin(delta / 2)
    lengths = {"crank": a, "frame": d, "arm": r, "rod": ROD * r}
    return _machine("Whitworth drive", units, lengths, d, r, 0.0), lengths


def _machine(name: str, units: Units, lengths: dict[str, float], d: float, r: float, height: float) -> ModelDefinition:
    """Drawn with the crank pointing away from Q: arm upright, its end at height r, the rod to the right."""
    a, rod = lengths["crank"], lengths["rod"]
    model = Builder(name, Units(length=units.length, angle="deg", time="s"))
    model.ground.point("O", (0, d))
    model.ground.point("Q", (0, 0))
    model.ground.point("S", (0, height))
    model.body("crank", (0, d), 90, {"O": (0, 0), "A": (a, 0)})
    model.body("block", (0, d + a), 90, {"A": (0, 0)})
    model.body("arm", (0, 0), 90, {"Q": (0, 0), "end": (1.05 * (d + a), 0), "B": (r, 0)})
    tilt = math.asin((height - r) / rod)
    model.body("rod", (0, r), math.degrees(tilt), {"B": (0, 0), "C": (rod, 0)})
    model.body("ram", (rod * math.cos(tilt), height), 0, {"C": (0, 0)})
    model.revolute("O", "ground.O", "crank.O")
    model.revolute("A", "crank.A", "block.A")
    model.translational("slot", "arm.Q", "block.A", axis=(1, 0), angle=0)
    model.revolute("Q", "ground.Q", "arm.Q")
    model.revolute("B", "arm.B", "rod.B")
    model.revolute("C", "rod.C", "ram.C")
    model.translational("slide", "ground.S", "ram.C", axis=(1, 0), angle=0)
    model.driver("motor", "crank.phi", "90 + 360*t")
    model.point("tool", "ram", (0, 0))
    model.analysis = Analysis(step=1 / STEPS)
    return model.build()
