"""Forces on the page: reactions, efforts of drivers, loads, shaking forces, their check; extremes of all columns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mubo.model import Units
from mubo.results import Run
from mubo.results.record import Place
from mubo.solvers.search.reported_quantities import ReportedQuantity, joint_moments
from mubo.view.charts import values_over
from mubo.view.report.markup import (
    Markup,
    facts,
    heading,
    instant,
    number,
    paragraph,
    part_link,
    prefixed,
    section,
    table,
    unit_bracket,
    unit_of,
    unit_text,
    vector,
    with_unit,
    zero_rounding,
)
from mubo.view.vectors import determinacy

AXES = "Reactions are forces by the other body on the one named, at the joint point of the second body, in ground axes."
Peak = tuple[float, float]  # a value and its time
MOST_DRIVERS = 3  # whose values stand beside the largest force of a joint


def forces_section(run: Run) -> Markup:
    """The section of forces; empty for a run without forces."""
    if run.record.forces is None:
        return Markup("")
    return section(
        "reactions",
        "Forces",
        heading("Reactions", Markup(_reactions(run) + paragraph(AXES))),
        heading("Drivers", _drivers(run)),
        heading("Loads", _sizes(run, "load")),
        heading("Contact forces of couplings", _sizes(run, "contact")),
        heading("On the frame", _shaking(run)),
        heading("Not determined by equilibrium", facts(_labels(run))),
        heading("Force check (relative)", facts(_proof(run))),
    )


def is_force_quantity(run: Run, name: str) -> bool:
    """Whether a quantity is listed in the section of forces."""
    if run.record.forces is None:
        return False
    if name not in run.columns:
        return any(name == f"{place.owner}.moment" for place in run.record.forces.places)
    column = run.columns.column(name)
    effort = column.kind == "driver" and column.quantity in ("effort", "power")
    return effort or column.kind in ("reaction", "contact", "load", "shaking")


def peak(run: Run, name: str, end: str = "max") -> Peak:
    """The least or greatest value of a column with its time: as found between rows, else of the rows."""
    found = run.summary.get("extremes", {}).get(name, {}).get(end)
    if found:
        return float(found[0]), float(found[1])
    values = run[name]
    known = np.where(np.isfinite(values), values, -np.inf if end == "max" else np.inf)
    k = int(np.argmax(known) if end == "max" else np.argmin(known))
    return float(values[k]), float(run["t"][k])


def _reactions(run: Run) -> Markup:
    assert run.record.forces is not None
    units, drivers, places = run.units, list(run.model.drivers), run.record.forces.places
    drivers = drivers if len(drivers) <= MOST_DRIVERS else []  # the time leads to the position of many
    times = [peak(run, f"{place.owner}.f") for place in places]
    peaks = list(zip(zero_rounding(value for value, _ in times), (t for _, t in times), strict=True))
    values = [values_over(run, f"{name}.value", np.array([t for _, t in peaks])) for name in drivers]
    carried = {size.name: size for size in joint_moments(run.model, run.columns)}
    rows = []
    for k, (place, (value, t)) in enumerate(zip(places, peaks, strict=True)):
        given = [number(float(driver[k]), 4) for driver in values]
        found = (
            part_link("joint", place.joint),
            " and ".join(place.others),
            place.body,
            _point(run, place),
            _size(value),
            instant(t),
            *given,
        )
        rows.append((*found, *_moment(run, carried.get(f"{place.owner}.moment")), determinacy(run, place.owner)))
    names = [f"{name}{_bracket(run.unit(f'{name}.value'))}" for name in drivers]
    force, time = unit_bracket(units, "force"), unit_bracket(units, "time")
    head = ("joint", "by", "on", "at", f"largest |F|{force}", f"at t{time}", *names)
    moment = (f"largest |M|{unit_bracket(units, 'torque')}", f"at t{time}")
    right = (4, 5, *range(6, 8 + len(drivers)))
    return table((*head, *moment, "label"), rows, numeric=right)


def _point(run: Run, place: Place) -> str:
    """The name of a joint point, else its place on its body; of what rolls the contact."""
    if place.wanders:
        return "the contact"
    points = run.model.bodies[place.carrier].points
    named = next((name for name, at in points.items() if np.allclose(at, place.point, rtol=0, atol=1e-12)), None)
    return f"{place.carrier}.{named}" if named else f"{place.carrier} {vector(place.point)}"


def _moment(run: Run, size: ReportedQuantity | None) -> tuple[str, str]:
    """The largest moment of a reaction with its time, of the rows where it was not searched between them."""
    if size is None:
        return "", ""
    if size.name in run.summary.get("extremes", {}):
        value, t = run.summary["extremes"][size.name]["max"]
        return _size(float(value)), instant(t)
    values = np.nan_to_num(size.value(run.columns)) / run.units.factor(size.holds, size.order)
    k = int(np.argmax(values))
    return _size(float(values[k])), instant(float(run["t"][k]))


def _drivers(run: Run) -> Markup:
    rows = []
    for name in run.model.drivers:
        effort, power = f"{name}.effort", f"{name}.power"
        if effort not in run.columns:
            continue
        (low, early), (high, late) = peak(run, effort, "min"), peak(run, effort)
        least, most = peak(run, power, "min")[0], peak(run, power)[0]
        (low, high, rms), unit = prefixed((low, high, _rms(run, effort)), run.unit(effort))
        (least, most, mean), watt = prefixed((least, most, _mean(run, power)), run.unit(power))
        found = (_size(low), instant(early), _size(high), instant(late), *map(_size, (rms, least, most, mean)))
        rows.append((part_link("driver", name), *found, f"{unit}; {watt}".strip("; ")))
    at = f"at t{unit_bracket(run.units, 'time')}"
    head = ("driver", "least effort", at, "greatest effort", at, "rms", "least power", "peak power", "mean power")
    return table((*head, "units"), rows, numeric=range(1, 9))


def _mean(run: Run, name: str, power: int = 1) -> float:
    """The mean over time of a power of a column, by trapezoids."""
    t, y = run["t"], run[name] ** power
    known = np.isfinite(y)
    t, y = t[known], y[known]
    if len(t) < 2 or t[-1] == t[0]:
        return float(y[0]) if len(y) else float("nan")
    return float(np.sum(np.diff(t) * (y[1:] + y[:-1]) / 2) / (t[-1] - t[0]))


def _rms(run: Run, name: str) -> float:
    return float(np.sqrt(_mean(run, name, 2)))


def _sizes(run: Run, kind: str) -> Markup:
    """Least and greatest of loads or contact forces, and what they put in or take out."""
    rows = []
    for column in run.columns.of_kind(kind):
        if column.quantity != "power":
            (low, early), (high, late) = peak(run, column.name, "min"), peak(run, column.name)
            power = f"{column.owner}.power"
            work: Any = ""
            if power in run.columns:
                (mean,), watt = prefixed([_mean(run, power)], run.unit(power), run.columns.scale(power))
                work = Markup(with_unit(_size(mean), watt))
            (low, high), unit = prefixed((low, high), run.unit(column.name), run.columns.scale(column.name))
            rows.append((column.name, _size(low), instant(early), _size(high), instant(late), unit, work))
    at = f"at t{unit_bracket(run.units, 'time')}"
    head = ("of", "least", at, "greatest", at, "unit", "mean power")
    return table(head, rows, numeric=(1, 2, 3, 4, 6))


def _shaking(run: Run) -> Markup:
    """The shaking force and moment on the ground, about the origin."""
    rows = []
    for column in run.columns.of_kind("shaking"):
        (low, early), (high, late) = peak(run, column.name, "min"), peak(run, column.name)
        (low, high), unit = prefixed((low, high), run.unit(column.name), run.columns.scale(column.name))
        rows.append((column.name, _size(low), instant(early), _size(high), instant(late), unit))
    at = f"at t{unit_bracket(run.units, 'time')}"
    return table(("shaking", "least", at, "greatest", at, "unit"), rows, numeric=(1, 2, 3, 4))


def _labels(run: Run) -> Iterator[tuple[str, str]]:
    found = run.summary.get("reactions", {})
    if not found.get("indeterminate"):
        return
    yield "indeterminate", ", ".join(found["indeterminate"])
    if "weighting" in found:
        yield "their values", found["weighting"]
    for names in found.get("sharing", ()):
        yield "share a load", ", ".join(names)
    for text in found.get("unique_sums", ()):
        yield "unique together", text


def _proof(run: Run) -> Iterator[tuple[str, str]]:
    """Residuals, each relative to the largest of its kind."""
    summary = run.summary
    if "power_residual" in summary:
        yield (
            "power balance",
            f"{number(summary['power_residual'], 2)} of the largest power",
        )
    if "newton_euler" in summary:
        worst = max(((v, k) for k, v in summary["newton_euler"].items() if k != "largest"), default=(0.0, ""))
        of = f", largest of {worst[1]}" if worst[1] else ""
        yield "Newton–Euler, every body", f"{number(worst[0], 2)} of the largest force{of}"
    if "virtual_work" in summary:
        yield "virtual work, every driver", f"{number(summary['virtual_work'], 2)} of the largest effort"
    record = run.record.forces
    if record is not None and summary.get("reactions", {}).get("indeterminate"):
        scale = with_unit(number(record.length_scale), unit_of(run.units, "length"))
        yield "length scale of least norms", scale


def _bracket(unit: str) -> str:
    return f" [{unit_text(unit)}]" if unit else ""


def extremes_section(run: Run) -> Markup:
    """The section of extremes; empty for a run without them."""
    summary = run.summary
    found = summary.get("extremes", {})
    if not found:
        return Markup("")
    shown = {name: entry for name, entry in found.items() if not is_force_quantity(run, name)}
    scale = {name: run.columns.scale(name) for name in shown if name in run.columns}
    rows = [(name, *_ends(entry, scale.get(name, 0.0))) for name, entry in shown.items()]
    left = summary.get("extremes_left_out", 0)
    at = f"at t{unit_bracket(run.units, 'time')}"
    head = ("quantity", "least", at, "greatest", at, "range", "unit")
    omitted = [("not searched", f"{left} more quantities")] if left else []
    return section(
        "extremes",
        "Extremes",
        facts([*_outputs(summary), *_transmission(run), *_four_bars(summary), *omitted]),
        Markup(table(head, rows, numeric=(1, 2, 3, 4, 5)).replace("<table", "<table data-extremes", 1)),
        heading("Toggle positions", _toggle_positions(run)),
    )


def _ends(entry: dict[str, Any], scale: float) -> tuple[str, str, str, str, str, str]:
    """Least and greatest with their times, the range and the unit; rounding against the motion's sizes is zero."""
    low, high = entry.get("min"), entry["max"]
    values, unit = prefixed([high[0], *((low[0], entry["range"]) if low else ())], entry.get("unit", ""), scale)
    most, *others = map(_size, values)
    least = (others[0], instant(low[1])) if low else ("", "")
    return (*least, most, instant(high[1]), others[1] if low else "", unit)


def _size(value: float) -> str:
    """Four digits; a copy has them all."""
    if not math.isfinite(value):
        return "infinite" if value > 0 else "−infinite"
    return Markup(f'<span data-value="{value!r}">{number(float(f"{value:.4g}"))}</span>')


def _outputs(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    outputs = summary.get("outputs", {})
    return [(f"time ratio of {name}", number(o["time_ratio"], 4)) for name, o in outputs.items() if "time_ratio" in o]


def _transmission(run: Run) -> list[tuple[str, str]]:
    found, rows = run.summary.get("transmission") or {}, []
    if "range" in found:
        degrees = math.degrees(Units(angle=found["unit"]).angle_factor())
        low, high = (f"{number(degrees * end, 4)}°" for end in found["range"])
        rows.append(("transmission angle", f"{low} to {high}, {found['group']}"))
    ratio = found.get("mechanical_advantage", {})
    if "minimum" in ratio:
        unit = f" {ratio['unit']}" if ratio["unit"] else ""
        places = ", ".join(f"t = {run.units.time_text(place['t'], 4)}" for place in ratio.get("infinite_at", ()))
        most = f"infinite at {places}" if places else f"{number(ratio['maximum']['value'], 4)}{unit}"
        least = f"{number(ratio['minimum']['value'], 4)}{unit} at t = {run.units.time_text(ratio['minimum']['t'], 4)}"
        rows.append((f"mechanical advantage, {ratio['driver']} to {ratio['output']}", f"{least} to {most}"))
    return rows


def _four_bars(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(f"four-bar {', '.join(entry['joints'])}", entry["class"]) for entry in summary.get("four_bars", ())]


def _toggle_positions(run: Run) -> Markup:
    rows: list[tuple[Any, ...]] = []
    for name, output in run.summary.get("outputs", {}).items():
        for place in output["toggle_positions"]:
            units = {driver: unit_text(run.unit(f"{driver}.value")) for driver in place["drivers"]}
            drivers = ", ".join(with_unit(f"{d} = {number(v, 4)}", units[d]) for d, v in place["drivers"].items())
            value = with_unit(number(place["value"], 4), unit_text(run.unit(name)))
            rows.append((name, instant(place["t"]), value, drivers))
        if "toggle_positions_left_out" in output:
            rows.append((name, "", f"{output['toggle_positions_left_out']} more", ""))
    return table(("output", f"t{unit_bracket(run.units, 'time')}", "value", "drivers"), rows, numeric=(1,))
