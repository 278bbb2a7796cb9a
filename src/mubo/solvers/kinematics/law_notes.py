"""Notes on the data behind the laws of a model: samples, filled gaps, smoothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mubo.elements import loads_of
from mubo.laws import Law
from mubo.model import ModelDefinition, Units, target_of


def law_data_notes(model: ModelDefinition) -> dict[str, dict[str, Any]]:
    """Notes on the data of every law that has some, by driver, or as "cam.lift" by joint or force and option."""
    out = {}
    for name, law, units in _laws(model):
        notes = law.notes()
        if notes:
            out[name] = {**notes, "units": units} if "residual" in notes else notes
    return out


def _laws(model: ModelDefinition) -> Iterator[tuple[str, Law, dict[str, str]]]:
    for driver in model.drivers.values():
        holds = target_of(model, driver.of).holds
        yield driver.name, driver.motion, _units(model.units, holds, "time")
    for joint in model.joints.values():
        over = "angle" if model.kinds[joint.kind].profiled else "time"
        for option, value in joint.options.items():
            if isinstance(value, Law):
                yield f"{joint.name}.{option}", value, _units(model.units, "length", over)
    for force in model.forces.values():
        law = loads_of(model.dimension)[force.kind].formula.law
        if law in force.options:
            yield f"{force.name}.{law}", force.options[law], _units(model.units, "", "time")


def _units(units: Units, holds: str, over: str) -> dict[str, str]:
    """Units of the residual and of the cut-off frequency, which is in cycles per unit of the law's argument."""
    per = (units.time or "s") if over == "time" else (units.angle or "rad")
    return {"residual": units.unit_of(holds) if holds else "", "cutoff": "Hz" if per == "s" else f"/{per}"}


def describe_law_data(notes: Mapping[str, Any]) -> list[str]:
    """Phrases that describe the data of a law."""
    from mubo.laws.number_text import number

    unit = {name: f" {text}" if text else "" for name, text in notes.get("units", {}).items()}
    phrases = [f"{notes[key]} {key}" for key in ("samples", "filled") if key in notes]
    phrases += [notes["method"]] if "method" in notes else []
    if "smoothing" in notes:
        shape = {0.0: " (interpolating)", float("inf"): " (one polynomial)"}.get(notes["smoothing"], "")
        phrases.append(f"λ = {notes['smoothing']:.7g}{shape}")
    if "cutoff" in notes:
        half = f"; half the amplitude at {number(notes['half_amplitude'], 4)}" if "half_amplitude" in notes else ""
        phrases.append(f"cut-off {number(notes['cutoff'], 4)}{unit['cutoff']} (−3 dB{half})")
    if "residual" in notes:
        phrases.append(f"rms residual {number(notes['residual'], 3)}{unit['residual']}")
    known = ("samples", "filled", "method", "smoothing", "cutoff", "half_amplitude", "residual", "units", "order")
    return phrases + [text if key == "ends" else f"{key}: {text}" for key, text in notes.items() if key not in known]
