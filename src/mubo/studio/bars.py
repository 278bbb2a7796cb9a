"""Bars of steel that links are taken for where nothing is stated: masses with gravity, and cross-sections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from mubo.elements import REVOLUTE
from mubo.errors import ModelError
from mubo.model import GROUND, ModelDefinition
from mubo.model.coordinates import grounded
from mubo.studio.construction import Draft, lines
from mubo.studio.edits import Patch, add_table, literal, put_key, spell
from mubo.studio.spans import Spans

DENSITY = 7850.0  # kg/m³
WIDE, THICK = 0.06, 0.02  # of a bar's length: its cross-section
STEEL = {"yield": "235 MPa", "E": "210 GPa"}  # S235 of EN 10025-2, to 16 mm thick; E of EN 1993-1-1, 3.2.6


def add_masses(draft: Draft, bodies: Iterable[str] = ()) -> str:
    """Masses of steel bars for bodies that have none, and gravity; a bar is 6 % as wide and 2 % as thick as long.

    m = ρ·0.06·0.02·L³, J = m L²/12 about its middle (a slender rod), with L the largest distance of its points.
    """
    model = draft.known
    chosen = [name for name in bodies or model.bodies if name != GROUND and not model.bodies[name].weighs]
    for name in chosen:
        length, wide, thick = bar_sizes(model, name)
        mass = DENSITY * wide * thick * length
        inertia = mass * length**2 / 12
        points = np.array([at[:2] for at in model.bodies[name].points.values()], float)
        unit = (" kg", " kg m^2") if model.units.declared else ("", "")
        center = [draft.rounded(x) for x in points.mean(axis=0).tolist()]
        given: dict[str, Any] = {"center": center}
        given |= {
            key: _measured(x, word) for key, x, word in zip(("mass", "inertia"), (mass, inertia), unit, strict=True)
        }
        for key, value in given.items():
            draft = draft.after(put_key(draft.spans, ("body", name), key, value if key != "center" else literal(value)))
    if model.gravity is None:
        draft = draft.after(_gravity(draft.spans, model))
    return draft.text


def bar_sizes(model: ModelDefinition, name: str) -> tuple[float, float, float]:
    """Length, width and thickness in metres of the bar that a body is taken for."""
    points = np.array([at[:2] for at in model.bodies[name].points.values()], float).reshape(-1, 2)
    if len(points) == 0:
        raise ModelError(f"body {name} has no points to take a bar's length from")
    meter = model.units.read("1 m", "length") if model.units.declared else 1.0
    length = max(float(np.max(np.linalg.norm(points[:, None] - points, axis=2))) / meter, 1e-9)
    return length, WIDE * length, THICK * length


def _measured(value: float, unit: str) -> Any:
    number = float(f"{value:.4g}")
    return f"{spell(number)}{unit}" if unit else number


def _gravity(spans: Spans, model: ModelDefinition) -> list[Patch]:
    """The acceleration of gravity before the first table."""
    down = '"-9.81 m/s^2"' if model.units.declared else "-9.81"
    zero = "0" if model.dimension == 2 else "0, 0"
    at = min((start for start, _ in spans.headers.values()), default=len(spans.text))
    return [Patch(at, at, f"gravity = [{zero}, {down}]\n\n")]


def links_without_section(model: ModelDefinition) -> list[str]:
    """Links with two joints or more, which strength takes for beams, that have no cross-section."""
    fixed = {*grounded(model), GROUND}
    if model.dimension != 2:
        return []
    ends = [end for joint in model.joints.values() if joint.kind == REVOLUTE for end in joint.between]
    pins = {name: {end for end in ends if end.split(".")[0] == name} for name in model.bodies if name not in fixed}
    return [name for name, own in pins.items() if len(own) > 1 and name not in model.sections]


def add_sections(draft: Draft, bodies: Sequence[str] = ()) -> str:
    """Cross-sections of flat steel bars, a material with them: the bars whose masses `add_masses` gives."""
    model = draft.known
    chosen = [name for name in bodies or links_without_section(model) if name not in model.sections]
    if not chosen:
        raise ModelError("every link has a cross-section")
    declared = model.units.declared
    if "steel" not in model.materials:
        given = STEEL if declared else {"yield": 235e6, "E": 210e9}
        draft = draft.after(add_table(draft.spans, ("material", "steel"), lines(given)))
    for name in chosen:
        _, wide, thick = bar_sizes(model, name)
        sizes = {"height": wide, "width": thick}
        entries: dict[str, Any] = {"shape": "rectangle"}
        entries |= {key: f"{1e3 * x:.4g} mm" if declared else float(f"{x:.4g}") for key, x in sizes.items()}
        draft = draft.after(add_table(draft.spans, ("section", name), lines({**entries, "material": "steel"})))
    return draft.text
