"""The headline of a run: the few numbers that a designer signs, each with the instant and the part it belongs to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mubo.applications.strength.checks import governing
from mubo.describe.gait import stride_means
from mubo.describe.run_summary import POOR_TRANSMISSION
from mubo.laws.number_text import number, quantity_text
from mubo.lazy_dataclass import dataclass
from mubo.model import Units
from mubo.results import Run

MOST_FACTS = 7
# of a walk: label, key of the means over the cycles, unit, digits
STRIDE = (
    ("cadence", "cadence", "steps/min", 3),
    ("walking speed", "speed", "m/s", 3),
    ("stride", "stride_length", "m", 3),
    ("stance", "stance", "% of the cycle", 3),
)


@dataclass(frozen=True)
class HeadlineFact:
    """A number with its label; its time and part ("joint:B") where it has them; `judgement` is "bad" or empty."""

    label: str
    text: str
    t: float | None = None
    part: str = ""
    judgement: str = ""


def headline(run: Run) -> list[HeadlineFact]:
    """Class, stroke, time ratio, transmission, safety, torque, power and pin force, as far as the run has them."""
    summary = run.summary
    found = [*_class(summary), *_outputs(summary), *_transmission(summary), *_safety(run), *_forces(run), *_gait(run)]
    return (found or [*_speed(run), *_actuators(run), *_contacts(run), *_energy(summary)])[:MOST_FACTS]


def _gait(run: Run) -> Iterator[HeadlineFact]:
    """Cadence, speed, stride and stance of a walk: means of all cycles."""
    found = run.record.gait
    sides = [] if found is None else [means for leg in found.legs if (means := stride_means(found, leg))]
    if not sides:
        return
    for label, key, unit, digits in STRIDE:
        mean = sum(means[key] for means in sides) / len(sides)
        yield HeadlineFact(label, f"{number(mean, digits)} {unit}")


def _speed(run: Run) -> Iterator[HeadlineFact]:
    """The largest speed and acceleration of a point, of a body where no point is named."""
    extremes = run.summary.get("extremes", {})
    for word in ("speed", "acceleration"):
        known = {name: entry for name, entry in extremes.items() if name.endswith(f".{word}") and "max" in entry}
        if not known:
            continue
        name, entry = max(known.items(), key=lambda item: item[1]["max"][0])
        (value, t), owner = entry["max"], name.rpartition(".")[0]
        kind = "body" if owner in run.model.bodies else "point"
        if value:
            yield HeadlineFact(f"largest {word} of {owner}", _value(value, entry), t, f"{kind}:{owner}")


def _actuators(run: Run) -> Iterator[HeadlineFact]:
    """The largest travel and rate among several drivers, of the rows."""
    drivers = [name for name in run.model.drivers if f"{name}.value" in run.columns]
    if len(drivers) < 2 or len(run) < 2:
        return
    travels = {name: float(np.ptp(run[f"{name}.value"])) for name in drivers}
    rates = {name: np.abs(run[f"{name}.rate"]) for name in drivers if f"{name}.rate" in run.columns}
    name = max(travels, key=lambda one: travels[one])
    if travels[name] > 0:
        farthest = float(run["t"][int(np.argmax(run[f"{name}.value"]))])
        text = quantity_text(travels[name], run.unit(f"{name}.value"), 3)
        yield HeadlineFact(f"largest travel: {name}", text, farthest, f"driver:{name}")
    if rates and (peak := max(float(np.max(values)) for values in rates.values())) > 0:
        name = next(one for one, values in rates.items() if float(np.max(values)) == peak)
        t = float(run["t"][int(np.argmax(rates[name]))])
        text = quantity_text(peak, run.unit(f"{name}.rate"), 3)
        yield HeadlineFact(f"largest rate: {name}", text, t, f"driver:{name}")


def _contacts(run: Run) -> Iterator[HeadlineFact]:
    """How often bodies hit each other, and when the last of them came to rest."""
    impacts = [event for event in run.events if event.kind == "impact"]
    if impacts:
        yield HeadlineFact("impacts", str(len(impacts)), impacts[0].t)
    rests = [event.t for event in run.events if event.kind == "rest"]
    moving = [event.t for event in run.events if event.kind in ("part", "slip")]
    if rests and max(rests) > max(moving, default=-math.inf):
        t = max(rests)
        yield HeadlineFact("at rest from", quantity_text(t, run.unit("t")), t)


def _energy(summary: Mapping[str, Any]) -> Iterator[HeadlineFact]:
    """The error of the energy balance of a simulation, of the energy that was exchanged."""
    relative = summary.get("energy", {}).get("relative")
    if relative is not None and math.isfinite(relative):
        yield HeadlineFact("energy balance within", f"{number(max(relative, 1e-16), 2)}")


def _class(summary: Mapping[str, Any]) -> Iterator[HeadlineFact]:
    found = summary.get("four_bars", ())
    if len(found) == 1 and summary.get("mobility", {}).get("loops") == 1:  # not one loop of a larger machine
        yield HeadlineFact("four-bar", found[0]["class"].partition(":")[0])


def _outputs(summary: Mapping[str, Any]) -> Iterator[HeadlineFact]:
    """The stroke or swing of the first output between toggle positions, and its time ratio."""
    extremes = summary.get("extremes", {})
    for name, output in summary.get("outputs", {}).items():
        entry = extremes.get(name)
        if entry is None or not output["toggle_positions"] or entry["range"] == 0:
            continue
        word = {"angle": "swing", "length": "stroke"}.get(entry.get("holds", ""), "range")
        joint = name.partition(".")[0]
        yield HeadlineFact(f"{word} of {joint}", _value(entry["range"], entry), entry["max"][1], f"joint:{joint}")
        if "time_ratio" in output:
            yield HeadlineFact("time ratio", number(output["time_ratio"], 4))
        return


def _transmission(summary: Mapping[str, Any]) -> Iterator[HeadlineFact]:
    entry = summary.get("transmission") or {}
    if entry.get("measure") != "angle":
        return
    degrees = entry["minimum"] * math.degrees(Units(angle=entry["unit"]).angle_factor())
    judgement = "bad" if degrees < POOR_TRANSMISSION else ""
    yield HeadlineFact("worst transmission angle", f"{number(degrees, 4)}°", entry["t"], "", judgement)


def _safety(run: Run) -> Iterator[HeadlineFact]:
    """The check that is nearest to its limit, or beyond it."""
    found = run.record.strength
    check = None if found is None else governing(found.checks)
    if check is not None and check.safety is not None:
        bad = "bad" if check.ok is False else ""
        yield HeadlineFact("least safety", f"{number(check.safety, 3)} ({check.name}: {check.what})", None, "", bad)


def _forces(run: Run) -> Iterator[HeadlineFact]:
    """The peak torque or force and the peak power of the drivers, and the largest joint reaction."""
    if run.record.forces is None or run.record.gait is not None:  # the drivers of a walk are no motors
        return
    extremes = run.summary.get("extremes", {})
    drivers = list(run.model.drivers)
    for quantity in ("effort", "power"):
        known = [(name, extremes[f"{name}.{quantity}"]) for name in drivers if f"{name}.{quantity}" in extremes]
        ends = [(name, entry, end) for name, entry in known for end in ("min", "max")]
        if ends:
            name, entry, end = max(ends, key=lambda item: abs(item[1][item[2]][0]))
            word = entry.get("holds", "effort") if quantity == "effort" else "power"
            value, t = entry[end]
            if value:
                yield HeadlineFact(f"peak {word} of {name}", _value(value, entry), t, f"driver:{name}")
    pins = {name: entry for name, entry in extremes.items() if ".on_" in name and name.endswith(".f")}
    if pins:
        name, entry = max(pins.items(), key=lambda item: item[1]["max"][0])
        value, t = entry["max"]
        yield HeadlineFact("largest joint force", _value(value, entry), t, f"joint:{name.partition('.')[0]}")


def _value(value: float, entry: Mapping[str, Any]) -> str:
    """A value with its unit; angles in degrees."""
    unit = entry.get("unit", "")
    if entry.get("holds") == "angle" and unit in ("rad", "deg"):
        return f"{number(value * math.degrees(Units(angle=unit).angle_factor()), 4)}°"
    return quantity_text(value, unit)
