"""Equilibria and balancing of a statics run, in short lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mubo.results.rounding import clear_number

MOST_COORDINATES = 4


def equilibrium_lines(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """One line for each equilibrium: its place and its stability."""
    lines: list[tuple[str, str]] = []
    numbers: dict[str, list[int]] = {}
    for entry in summary["equilibria"]:
        coordinates = [
            f"{name} = {round(value, 9) + 0.0:.8g} {entry['units'][name]}".rstrip()
            for name, value in entry["coordinates"].items()
        ]
        more = f" and {len(coordinates) - MOST_COORDINATES} more" if len(coordinates) > MOST_COORDINATES else ""
        where = ", ".join(coordinates[:MOST_COORDINATES]) + more
        numbers.setdefault(f"{entry['stability']} at {where}{_how(entry)}", []).append(entry["number"])
    for text, same in numbers.items():
        more = f" ({len(same)} that differ in other coordinates: {', '.join(map(str, same))})" if same[1:] else ""
        lines.append((f"equilibrium {same[0]}", f"{text}{more}"))
    return [*_undriven_line(summary), *lines]


def _undriven_line(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """A line on several degrees of freedom without a driver, which is seldom what a designer expects."""
    dofs = max((len(entry["stiffness"]) for entry in summary["equilibria"]), default=0)
    if dofs < 2:
        return []
    return [("undriven", f"{dofs} degrees of freedom: if you expected fewer, a driver or a joint is missing")]


def _how(entry: dict[str, Any]) -> str:
    parts = []
    if "potential" in entry:
        parts.append(f"potential {entry['potential']:.6g} {entry['units']['potential']}".rstrip())
    if "stiffness_of" in entry:
        ((name, value),) = entry["stiffness_of"].items()
        shown = f"{value:.6g} {entry['stiffness_unit']}".strip()
        parts.append(f"stiffness {shown} along {name}")
    elif entry["unstable_motions"]:
        parts.append(f"{entry['unstable_motions']} of {len(entry['stiffness'])} motions unstable")
    return "".join(f"; {part}" for part in parts)


def balance_lines(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The balancing numbers that were chosen, and the largest efforts with and without them."""
    entry = summary["balance"]
    forces = [one["max"][0] for name, one in summary.get("extremes", {}).items() if name.endswith(".f")]
    lines = [
        ("balance", f"{name}: {value['after']:.9g} instead of {value['before']:.9g}")
        for name, value in entry["parameters"].items()
    ]
    return lines + [
        ("largest effort", f"{name}: {after:.4g} instead of {before:.4g}")
        for name, value in entry["largest_effort"].items()
        for after, before in [[clear_number(value[when], *forces, *value.values()) for when in ("after", "before")]]
    ]
