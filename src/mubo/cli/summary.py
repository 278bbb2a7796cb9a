"""A run's summary: short lines for people, JSON for programs."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from mubo.cli.terminal import STATUS_COLOURS, coloured
from mubo.errors import MuboError
from mubo.model import Units
from mubo.results.record import FORMULATIONS
from mubo.results.rounding import clear_extremes
from mubo.results.table import plain

if TYPE_CHECKING:
    from mubo.results import Run

MOST_PINS = 6
FILE = f"{'file':<15}"  # label of the files that were written


def print_answer(
    text: Any, facts: Mapping[str, Any], files: list[str], as_json: bool, quiet: bool = False, label: str = FILE
) -> None:
    """Prints an answer as text, or its facts as JSON, with the files that were written."""
    if as_json:
        click.echo(json.dumps(plain({**facts, "files": files}), indent=1))
    elif not quiet:
        click.echo("\n".join([str(text), *(f"{label} {file}" for file in files)]))


def finish(result: Run, as_json: bool, quiet: bool) -> None:
    """Prints the summary of a run; one that stopped early ends the command with exit code 3."""
    if as_json:
        click.echo(json.dumps(plain(result.summary), indent=1))
    elif not quiet:
        click.echo(summary_text(result.summary))
    leave_if_stopped(result, say=quiet)


def leave_if_stopped(result: Run, say: bool = True) -> None:
    """Ends the command with exit code 3 where the motion stopped early, and prints the reason."""
    if result.summary["status"] != "ok":
        if say:
            click.echo(result.events[-1].message, err=True)
        sys.exit(3)


def summary_text(summary: Mapping[str, Any]) -> str:
    """The summary in aligned lines."""
    from mubo.solvers.kinematics.run_notes import describe_law_data

    lines = _simulation(summary) if "energy" in summary else _kinematics(summary)
    if "balance" in summary:
        from mubo.cli.equilibria import balance_lines

        lines += balance_lines(summary)
    lines += extreme_lines(summary)
    for name, notes in summary.get("motion", {}).items():
        lines.append((name, ", ".join(describe_law_data(notes))))
    lines += [("event", event["message"]) for event in summary["events"]]
    lines += [("note", warning) for warning in summary["warnings"]]
    lines += [("file", file) for file in summary["files"]]
    return "\n".join(f"{label:<15} {text}" for label, text in lines)


def _loops(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The closure of the loops of a simulation."""
    loops = summary.get("loops")
    if loops is None:
        return []
    left = f", {len(loops['left_out'])} of them redundant" if loops["left_out"] else ""
    closed = f"{loops['equations']} equation{'s' * (loops['equations'] != 1)}{left}, "
    return [("loops", f"{closed}closed to {loops['gap']:.1e}, their rates to {loops['gap_rate']:.1e}")]


def _simulation(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    energy, steps, tolerance = summary["energy"], summary["steps"], summary["tolerance"]
    count = summary["dofs"]
    lines = [
        ("model", summary["model"]),
        ("status", f"{_status(summary)}, {_rows(summary['rows'])}, by {FORMULATIONS[summary['formulation']]}"),
        ("DOF", f"{count}"),
        *_loops(summary),
        (
            "energy error",
            "not known: forces or drivers exchange energy, which this formulation does not count"
            if energy["error"] is None
            else f"{energy['error']:.1e}, {energy['relative']:.1e} of the largest exchanged",
        ),
        (
            "integration",
            f"{summary['method']}, rtol {tolerance['rtol']:g}, atol {tolerance['atol']:g}; "
            + (f"{steps['taken']} steps, {steps['rejected']} rejected" if steps["taken"] else _evaluations(steps)),
        ),
    ]
    if "linear_momentum" in energy:
        lines.append(
            (
                "momentum",
                f"drifts by {energy['linear_momentum']:.1e} (linear), {energy['angular_momentum']:.1e} (angular)",
            )
        )
    return lines


def _status(summary: Mapping[str, Any]) -> str:
    return coloured(summary["status"], STATUS_COLOURS[summary["status"]])


def _evaluations(steps: dict[str, Any]) -> str:
    """The count of evaluations, for methods without steps and for runs of one row."""
    return f"{steps['evaluations']} evaluations" if steps["evaluations"] else "steps not counted"


def _kinematics(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    residual, mobility = summary["residual"], summary["mobility"]
    lines = [
        ("model", summary["model"]),
        ("status", f"{_status(summary)}, {_rows(summary['rows'])}, by {FORMULATIONS[summary['formulation']]}"),
        (
            "mobility",
            f"{mobility['gruebler']} by Grübler's count, {mobility['rank']} by rank; {mobility['loops']} "
            f"loop{'s' * (mobility['loops'] != 1)}",
        ),
        ("residual", ", ".join(f"{name} {value:.1e}" for name, value in residual.items())),
    ]
    if "equilibria" in summary:
        from mubo.cli.equilibria import equilibrium_lines

        return lines + equilibrium_lines(summary)
    reversal = summary["there_and_back"]
    lines += [
        ("reversibility", f"{reversal:.1e}"),
        *_transmission(summary.get("transmission", {})),
        *_cams(summary),
        ("Newton", f"{summary['newton_iterations']} iteration{'s' * (summary['newton_iterations'] != 1)}"),
    ]
    lines += _forces(summary)
    if summary.get("mode", 1) != 1:
        lines.append(("mode", f"{summary['mode']}, an assembly mode other than that of the estimates"))
    return lines


def _forces(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The largest efforts and pin loads, and the verification of the forces."""
    if "power_residual" not in summary:
        return []
    ends = {name: entry for name, entry in summary["extremes"].items() if name.endswith(".effort")}
    lines = [("effort", f"{name.removesuffix('.effort')}: {_least_to_greatest(entry)}") for name, entry in ends.items()]
    lines += _pins(summary)
    work = f", virtual work {summary['virtual_work']:.1e}" if "virtual_work" in summary else ""
    largest = summary["newton_euler"]["largest"]
    checks = f"power balance {summary['power_residual']:.1e}, Newton–Euler {largest:.1e}{work}, relative"
    return [*lines, ("force check", checks)]


def _pins(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The largest joint reactions, largest first; the moment too where they carry one."""
    extremes = summary["extremes"]
    pins = [name.removesuffix(".f") for name in extremes if ".on_" in name and name.endswith(".f")]
    pins.sort(key=lambda pin: (-extremes[f"{pin}.f"]["max"][0], pin.endswith(".on_ground")))
    same = {(pin.partition(".")[0], *extremes[f"{pin}.f"]["max"]): pin for pin in reversed(pins)}
    pins = [pin for pin in pins if pin in same.values()]  # of two bodies that feel the opposite, one
    lines = []
    for pin in pins[:MOST_PINS]:
        parts = [_peak(extremes[name], "max") for name in (f"{pin}.f", f"{pin}.moment") if name in extremes]
        open_ = any(component.startswith(f"{pin}.") for component in summary["reactions"]["indeterminate"])
        lines.append(("reaction", f"{pin}: at most {', '.join(parts)}" + " (indeterminate)" * open_))
    more = len(pins) - MOST_PINS
    return lines + [("reaction", f"{more} more, smaller, with --json")] * (more > 0)


def _least_to_greatest(entry: dict[str, Any]) -> str:
    return f"{_peak(entry, 'min')} to {_peak(entry, 'max')}"


def _peak(entry: dict[str, Any], end: str) -> str:
    value, t = clear_extremes(entry)[end]
    size = f"{value:.5g} {entry.get('unit', '')}".strip() if math.isfinite(value) else "infinite"
    return f"{size} at t = {t:.6g}"


def _rows(count: int) -> str:
    return f"{count} row{'s' * (count != 1)}"


def _transmission(entry: dict[str, Any]) -> list[tuple[str, str]]:
    """The worst transmission and the mechanical advantage, where they are defined."""
    lines = []
    if "group" in entry:
        value = f"singular value {entry['minimum']:.4g}"
        if entry["measure"] == "angle":
            degrees = math.degrees(Units(angle=entry["unit"]).angle_factor())
            low, high = (degrees * end for end in entry["range"])
            straight = 180 - high < low - 1e-9 and high < 179.95  # as poor as the same angle beside 0
            folded = f"180 - {high:.4g}; " if straight else ""
            value = f"angle {degrees * entry['minimum']:.4g} deg ({folded}it is {low:.4g} to {high:.4g} deg)"
        lines.append(("transmission", f"smallest {value} {_where(entry)}, {entry['group']}"))
    if "unseen" in entry:
        lines.append(("transmission", entry["unseen"]))
    ratio = entry.get("mechanical_advantage", {})
    if "minimum" in ratio:
        unit = f" {ratio['unit']}" if ratio["unit"] else ""
        low, high = (f"{ratio[end]['value']:.4g}{unit} {_where(ratio[end])}" for end in ("minimum", "maximum"))
        if "infinite_at" in ratio:
            high = f"infinite {', '.join(_where(place) for place in ratio['infinite_at'])}"
        lines.append(("advantage", f"{low} to {high}, {ratio['driver']} to {ratio['output']}"))
    elif ratio:
        lines.append(("advantage", f"not defined: {ratio['driver']} does not move"))
    return lines


def _cams(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Pressure angles of every cam along the run, and its least radii of curvature."""
    lines = []
    for name, entry in summary.get("cams", {}).items():
        ends = summary.get("extremes", {}).get(f"{name}.pressure_angle")
        if ends:
            low, high = (f"{ends[end][0]:.4g} {entry['unit']} at t = {ends[end][1]:.6g}" for end in ("min", "max"))
            lines.append(("cam", f"{name}: pressure angle {low} to {high}"))
        lines.append(("cam", f"{name}: {entry['message']}"))
    return lines


def _where(entry: dict[str, Any]) -> str:
    # Extremes are located to about 1e-8 of a radian or a length: what is below that is zero.
    drivers = ", ".join(f"{name} = {round(value, 7) + 0.0:.6g}" for name, value in entry["drivers"].items())
    return f"at t = {entry['t']:.6g} ({drivers})"


def fail(error: MuboError, as_json: bool) -> None:
    """Ends the command; with --json the failure is a summary too."""
    if as_json:
        click.echo(json.dumps({"status": "failed", "error": type(error).__name__, "message": str(error)}, indent=1))
        sys.exit(error.exit_code)
    raise error


MOST_LINES = 6
WORDS = {"angle": "swing", "length": "stroke"}


def extreme_lines(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Label and text of each line; lines beyond the first few are counted."""
    extremes = {name: clear_extremes(entry) for name, entry in summary.get("extremes", {}).items()}
    lines = [(name, _span("range", entry)) for name, entry in extremes.items() if "." not in name]
    for name, output in summary.get("outputs", {}).items():
        if name in extremes:
            lines.append((name, _output(extremes, name, output)))
    lines += [("four-bar", _bars(entry)) for entry in summary.get("four_bars", ())]
    for name, entry in extremes.items():
        if name.endswith(".speed"):
            point = name.removesuffix(".speed")
            fastest = extremes.get(f"{point}.acceleration", {"max": [0.0, 0.0]})
            text = f"speed at most {_at(entry, 'max')}, acceleration {_at(fastest, 'max')}"
            lines.append((point, text))
    more = len(lines) - MOST_LINES
    left = summary.get("extremes_left_out", 0)
    notes = [("extremes", f"of {left} more quantities are not searched")] if left else []
    return lines[:MOST_LINES] + ([("extremes", f"{more} more with --json")] if more > 0 else []) + notes


def _bars(entry: dict[str, Any]) -> str:
    return f"{entry['class']} ({', '.join(entry['joints'])})"


def _output(extremes: dict[str, Any], name: str, output: dict[str, Any]) -> str:
    entry = extremes[name]
    word = WORDS.get(entry.get("holds", ""), "range") if output["toggle_positions"] else "range"
    text = _span(word, entry)
    if "time_ratio" in output:
        text += f"; time ratio of the strokes {output['time_ratio']:.6g}"
    return text


def _span(word: str, entry: dict[str, Any]) -> str:
    unit = _unit(entry)
    if entry["range"] == 0:
        return f"constant, {_number(entry['min'][0])}{unit}"
    return f"{word} {_number(entry['range'])}{unit}, {_at(entry, 'min')} to {_at(entry, 'max')}"


def _at(entry: dict[str, Any], end: str) -> str:
    value, t = entry[end]
    return f"{_number(value)}{_unit(entry) if math.isfinite(value) else ''} at t = {t:.6g}"


def _number(value: float) -> str:
    return f"{value:.6g}" if math.isfinite(value) else "infinite"


def _unit(entry: dict[str, Any]) -> str:
    return f" {entry['unit']}" if entry.get("unit") else ""
