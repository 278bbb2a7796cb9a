"""The legend of force arrows: bars of round values, and words."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.laws.number_text import quantity_text, unit_text
from mubo.lazy_dataclass import dataclass
from mubo.quantities.unit_algebra import measure
from mubo.view.scene.data import Paint, Scene

ROUND = (5, 2, 1)
PART = {"force": 1.0, "torque": 0.4}  # of the longest bar
SUFFIX = {"force": "", "torque": ", radius"}
SI = {"force": "N", "torque": "N m"}


@dataclass(frozen=True)
class Bar:
    """A length of the drawing, and what it stands for: "1 kN", or "20 N m" for the radius of an arrow around."""

    holds: str
    length: float
    text: str


def scale_bars(scene: Scene, longest: float) -> list[Bar]:
    """A bar for forces and one for torques, of round values, no longer than asked for; that of torques is shorter."""
    scale = scene.scale
    if scale is None:
        return []
    pairs = [(holds, per) for holds, per in (("force", scale.force), ("torque", scale.torque)) if per > 0]
    out = []
    for holds, per in pairs:
        value = _round(per * longest * PART[holds])
        out.append(Bar(holds, value / per, _words(scene, holds, value) + SUFFIX[holds]))
    return out


def scale_data(scene: Scene) -> dict[str, Any] | None:
    """The data of bars and words on the page; None where there are no arrows."""
    scale = scene.scale
    if scale is None:
        return None
    out = []
    for holds, per in (("force", scale.force), ("torque", scale.torque)):
        unit = scale.units.get(holds, "")
        known = measure(unit) if unit and unit != SI[holds] else None
        si = {} if known is None else {"si": {"factor": known[0], "unit": SI[holds]}}
        if per > 0:
            out.append({"per": per, "unit": unit_text(unit), **si, "suffix": SUFFIX[holds], "part": PART[holds]})
    return {"scales": out, "words": scale_notes(scene)}


def _round(most: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not more."""
    decade = 10.0 ** np.floor(np.log10(most) + 1e-12)
    return float(next(k * decade for k in ROUND if k * decade <= most * (1 + 1e-9)))


def _words(scene: Scene, holds: str, value: float) -> str:
    """A value with its unit; other units than SI are followed by the SI value."""
    assert scene.scale is not None
    unit = scene.scale.units.get(holds, "")
    text = quantity_text(value, unit)
    known = measure(unit) if unit and unit != SI[holds] else None
    return text if known is None else f"{quantity_text(value * known[0], SI[holds])} = {text}"


def scale_notes(scene: Scene) -> list[str]:
    """Sentences on the meaning of colours and outlines, on arrows that are cut off and that are left out."""
    if scene.scale is None:
        return []
    paints, flat = {shape.paint for shape in scene.shapes}, not scene.ambient.solid
    loads = {shape.name for shape in scene.shapes if shape.paint == Paint.LOAD}
    lines = ["red: loads, weights, drivers"] if loads else []
    if paints & {Paint.FORCE, Paint.OPEN}:
        lines.append("reactions: colour of the body they act on")
    if Paint.OPEN in paints:
        lines.append(f"{'hollow' if flat else 'pale'}: indeterminate")
    for holds, value in scene.scale.cut.items():
        lines.append(f"{holds}s beyond {_words(scene, holds, value)} cut off")
    if scene.scale.bending:
        lines.append(f"on links: bending moments, at most {_words(scene, 'torque', scene.scale.bending)}")
    if scene.scale.left_out:
        shown = len({reach.name.removesuffix(" head") for reach in scene.reaches if reach.to_scale})
        lines.append(f"arrows of the {shown} largest of {shown + scene.scale.left_out:,}")
    return lines
