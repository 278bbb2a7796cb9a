"""The summary of a run in labelled lines: first what a designer asks, then events and notes, then how it was solved.

A line that a designer should look at is marked; the terminal shows the mark as a colour. Rules of thumb: transmission
angles from 40 to 140 degrees, pressure angles of cams up to 30 degrees (Norton, Design of Machinery, 4.10 and 8.6).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from mubo.describe.run_accuracy import accuracy_lines, has_forces
from mubo.laws.number_text import number, quantity_text
from mubo.model import Units
from mubo.results import Run
from mubo.results.rounding import clear_extremes

GOOD, LOOK, BAD = "good", "look", "bad"  # marks of lines
STATUS_MARKS = {"ok": GOOD, "stopped": LOOK, "failed": BAD}
POOR_TRANSMISSION, STEEP_CAM = 40.0, 30.0  # degrees
NO_QUALITY = 1e-6  # a singular position is located to the root of rounding: a smaller singular value is 0
MOST_PINS = 6
MOST_LINES = 6  # of ranges of quantities
INSTANT = 5  # digits of a time: instants of one run are close together
STROKES = {"angle": "swing", "length": "stroke"}


class Line(NamedTuple):
    """A labelled line of a summary; its mark is "good", "look", "bad" or empty."""

    label: str
    text: str
    mark: str = ""


def summary_lines(run: Run) -> list[Line]:
    """The summary of a run: the answers, events, notes and files, and then the accuracy of the solution."""
    summary = run.summary
    drivers = {c.owner: run.unit(c.name) for c in run.columns.of_kind("driver") if c.name == f"{c.owner}.value"}
    places = PlaceText(run.model.units.unit_of("time"), drivers)
    stopped = [_event(event) for event in summary["events"][-1:] if summary["status"] != "ok"]
    count = f"{summary['rows']} row{'s' * (summary['rows'] != 1)}"
    return [
        Line("model", summary["model"]),
        Line("status", f"{summary['status']}, {count}", STATUS_MARKS[summary["status"]]),
        *stopped,
        *_answers(summary, places),
        *(_event(event) for event in summary["events"][: len(summary["events"]) - len(stopped)]),
        *(Line("note", warning) for warning in summary["warnings"]),
        *(Line("file", file) for file in summary["files"]),
        *(Line(*line) for line in accuracy_lines(summary)),
    ]


def _answers(summary: Mapping[str, Any], places: PlaceText) -> list[Line]:
    """Class, stroke and time ratio, transmission, efforts and reactions; or the equilibria."""
    if "equilibria" in summary or "balance" in summary:
        from mubo.describe.equilibria import balance_lines, equilibrium_lines
    if "equilibria" in summary:
        return [Line(*line) for line in equilibrium_lines(summary)]
    lines = [Line("four-bar", _bars(entry)) for entry in summary.get("four_bars", ())]
    lines += range_lines(summary, places)
    lines += _transmission(summary.get("transmission", {}), places)
    lines += _cams(summary, places) + _clearances(summary, places)
    lines += _forces(summary, places) + _points(summary, places)
    if "balance" in summary:
        lines += [Line(*line) for line in balance_lines(summary)]
    return lines + [Line(name, ", ".join(describe_law_data(data))) for name, data in summary.get("motion", {}).items()]


def _event(event: Mapping[str, Any]) -> Line:
    stops = event["kind"] in ("limit", "failure", "unbounded")
    return Line("event", event["message"], BAD if stops else LOOK if event["kind"] == "near_miss" else "")


class PlaceText(NamedTuple):
    """Times and driver values of a run as text: the model's unit of time, and the unit of every driver."""

    time: str
    drivers: Mapping[str, str]

    def at(self, t: float) -> str:
        """The time of a number."""
        return f"at t = {number(t, INSTANT)} {self.time}".rstrip()

    def end(self, entry: Mapping[str, Any], end: str) -> str:
        """The least ("min") or the greatest number ("max") of a quantity, with its time."""
        value, t = entry[end]
        return f"{quantity_text(value, entry.get('unit', ''))} {self.at(t)}"

    def ends(self, entry: Mapping[str, Any]) -> str:
        """The least and the greatest number of a quantity with their places; of a constant one its number."""
        if entry["min"][0] == entry["max"][0]:
            return f"constant, {quantity_text(entry['min'][0], entry.get('unit', ''))}"
        return f"{self.end(entry, 'min')} to {self.end(entry, 'max')}"

    def where(self, entry: Mapping[str, Any]) -> str:
        """The time and the values of the drivers there."""
        # Extremes are located to about 1e-8 of a radian or a length: what is below that is zero.
        values = {
            name: quantity_text(round(value, 7) + 0.0, self.drivers[name]) for name, value in entry["drivers"].items()
        }
        return f"{self.at(entry['t'])} ({', '.join(f'{name} = {value}' for name, value in values.items())})"


def _bars(entry: Mapping[str, Any]) -> str:
    return f"{entry['class']} ({', '.join(entry['joints'])})"


def range_lines(summary: Mapping[str, Any], places: PlaceText) -> list[Line]:
    """Strokes and swings of outputs, and ranges of measures."""
    extremes = {name: clear_extremes(entry) for name, entry in summary.get("extremes", {}).items()}
    outputs = {name: output for name, output in summary.get("outputs", {}).items() if name in extremes}
    lines = [Line(name, _output(extremes[name], output, places)) for name, output in outputs.items()]
    return _first([*lines, *(Line(n, _span("range", e, places)) for n, e in extremes.items() if "." not in n)])


def _points(summary: Mapping[str, Any], places: PlaceText) -> list[Line]:
    """The largest speed and acceleration of every point, and the number of quantities that were not searched."""
    extremes, lines = summary.get("extremes", {}), []
    for name, entry in extremes.items():
        if name.endswith(".speed"):
            point = name.removesuffix(".speed")
            fastest = extremes.get(f"{point}.acceleration", {"max": [0.0, 0.0]})
            text = f"speed at most {places.end(entry, 'max')}, acceleration {places.end(fastest, 'max')}"
            lines.append(Line(point, text))
    left = summary.get("extremes_left_out", 0)
    return _first(lines) + ([Line("extremes", f"of {left} more quantities are not searched")] if left else [])


def _first(lines: list[Line]) -> list[Line]:
    """The first lines, and the number of the others."""
    more = len(lines) - MOST_LINES
    return lines[:MOST_LINES] + ([Line("extremes", f"{more} more with --json")] if more > 0 else [])


def _output(entry: Mapping[str, Any], output: Mapping[str, Any], places: PlaceText) -> str:
    word = STROKES.get(entry.get("holds", ""), "range") if output["toggle_positions"] else "range"
    text = _span(word, entry, places)
    if "time_ratio" in output:
        text += f"; time ratio {output['time_ratio']:.4g} (slow stroke to quick stroke)"
    return text


def _span(word: str, entry: Mapping[str, Any], places: PlaceText) -> str:
    unit = entry.get("unit", "")
    if entry["range"] == 0:
        return places.ends(entry)
    return f"{word} {quantity_text(entry['range'], unit)}, {places.ends(entry)}"


def _transmission(entry: Mapping[str, Any], places: PlaceText) -> list[Line]:
    """The worst transmission and the mechanical advantage, where they are defined."""
    lines = [worst_transmission(entry, places)] if "group" in entry else []
    if "unseen" in entry:
        lines.append(Line("transmission", entry["unseen"]))
    ratio = entry.get("mechanical_advantage", {})
    if "minimum" in ratio:
        low, high = (
            f"{quantity_text(ratio[end]['value'], ratio['unit'])} {places.where(ratio[end])}"
            for end in ("minimum", "maximum")
        )
        if "infinite_at" in ratio:
            high = f"infinite {', '.join(places.where(place) for place in ratio['infinite_at'])}"
        lines.append(Line("advantage", f"{low} to {high}, {ratio['driver']} to {ratio['output']}"))
    elif ratio:
        lines.append(Line("advantage", f"not defined: {ratio['driver']} does not move"))
    return lines


def worst_transmission(entry: Mapping[str, Any], places: PlaceText) -> Line:
    """The worst transmission angle, or the smallest singular value where there is none, with its instant and group."""
    where = f"worst {places.where(entry)}, {entry['group']}"
    if entry["measure"] != "angle":
        value = 0.0 if entry["minimum"] < NO_QUALITY else entry["minimum"]
        mark = LOOK if value < entry["near_singular_below"] else ""
        return Line("transmission", f"quality {value:.4g} (1 best, 0 singular), {where}", mark)
    degrees = math.degrees(Units(angle=entry["unit"]).angle_factor())
    low, high = (degrees * end for end in entry["range"])
    straight = 180 - high < low - 1e-9 and high < 179.95  # as poor as the same angle beside 0
    folded = f"180 - {high:.4g}; " if straight else ""
    span = f" ({folded}it is {low:.4g} to {high:.4g} deg)" if high > low else ""
    least = degrees * entry["minimum"]
    poor = least < POOR_TRANSMISSION
    rule = f"; below {POOR_TRANSMISSION:g} deg" if poor else ""
    text = f"angle {least:.4g} deg{span}, {where}{rule}"
    return Line("transmission", text, LOOK if poor else "")


def _cams(summary: Mapping[str, Any], places: PlaceText) -> list[Line]:
    """Pressure angles of every cam along the run, and its least radii of curvature."""
    lines = []
    for name, entry in summary.get("cams", {}).items():
        ends = summary.get("extremes", {}).get(f"{name}.pressure_angle")
        if ends:
            largest = max(abs(ends[end][0]) for end in ("min", "max"))
            degrees = largest * math.degrees(Units(angle=entry["unit"]).angle_factor())
            rule = f"; above {STEEP_CAM:g} deg" if degrees > STEEP_CAM else ""
            text = f"{name}: pressure angle {places.ends({**clear_extremes(ends), 'unit': entry['unit']})}{rule}"
            lines.append(Line("cam", text, LOOK if rule else ""))
        lines.append(Line("cam", f"{name}: {entry['message']}"))
    return lines


def _clearances(summary: Mapping[str, Any], places: PlaceText) -> list[Line]:
    """How a journal knocks in its bearing: touches, the fastest of them, the largest force, the energy that is lost."""
    lines = []
    for name, entry in summary.get("clearances", {}).items():
        units, touches = entry["units"], entry["touches"]
        text = f"{name}: {touches} touch{'es' * (touches != 1)}"
        if "fastest" in entry:
            text += f", the fastest {quantity_text(entry['fastest'], units['speed'])} {places.at(entry['fastest_at'])}"
        force = quantity_text(entry["largest_force"], units["force"])
        text += f"; {force} at most in the rows, {places.at(entry['largest_at'])}"
        if "energy_lost" in entry:
            text += f"; {quantity_text(entry['energy_lost'], units['energy'])} lost"
        lines.append(Line("clearance", text))
    return lines


def _forces(summary: Mapping[str, Any], places: PlaceText) -> list[Line]:
    """The actuator forces, torques and powers, and the largest joint reactions; none where all are zero."""
    if not has_forces(summary):
        return []
    extremes = {name: clear_extremes(entry) for name, entry in summary["extremes"].items()}
    lines = []
    for name, entry in extremes.items():
        driver, _, quantity = name.rpartition(".")
        if quantity in ("effort", "power"):
            label = entry.get("holds", quantity) if quantity == "effort" else quantity
            infinite = not all(math.isfinite(entry[end][0]) for end in ("min", "max"))
            lines.append(Line(label, f"{driver}: {places.ends(entry)}", BAD if infinite else ""))
    return lines + _contacts(extremes, places) + _pins(summary, extremes, places)


def _contacts(extremes: Mapping[str, Any], places: PlaceText) -> list[Line]:
    """Least and greatest normal force of every contact, and the coefficient of friction that it needs."""
    lines = []
    for name, entry in extremes.items():
        contact, _, quantity = name.rpartition(".")
        needed = extremes.get(f"{contact}.friction_needed")
        if quantity not in ("normal", "force") or (quantity == "force" and needed is None):
            continue
        text = f"{contact}: normal force {places.ends(entry)}"
        if needed is not None:
            text += f"; needs a friction of {places.end(needed, 'max')}"
        lines.append(Line("contact", text, LOOK if entry["min"][0] < 0 else ""))
    return _first(lines)


def _pins(summary: Mapping[str, Any], extremes: Mapping[str, Any], places: PlaceText) -> list[Line]:
    """The largest joint reactions, largest first; the moment too where they carry one."""
    pins = [name.removesuffix(".f") for name in extremes if ".on_" in name and name.endswith(".f")]
    pins.sort(key=lambda pin: (-extremes[f"{pin}.f"]["max"][0], pin.endswith(".on_ground")))
    same = {(pin.partition(".")[0], *extremes[f"{pin}.f"]["max"]): pin for pin in reversed(pins)}
    pins = [pin for pin in pins if pin in same.values()]  # of two bodies that feel the opposite, one
    lines = []
    for pin in pins[:MOST_PINS]:
        parts = [places.end(extremes[name], "max") for name in (f"{pin}.f", f"{pin}.moment") if name in extremes]
        open_ = any(component.startswith(f"{pin}.") for component in summary["reactions"]["indeterminate"])
        infinite = not math.isfinite(extremes[f"{pin}.f"]["max"][0])
        text = f"{pin}: at most {', '.join(parts)}" + " (indeterminate)" * open_
        lines.append(Line("reaction", text, BAD if infinite else ""))
    more = len(pins) - MOST_PINS
    return lines + [Line("reaction", f"{more} more, smaller, with --json")] * (more > 0)


def describe_law_data(notes: Mapping[str, Any]) -> list[str]:
    """Phrases that describe the data of a law."""
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
