"""Equilibria and balancing of a statics run, in short lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mubo.laws.number_text import number, quantity_text
from mubo.results.rounding import clear_number

MOST_COORDINATES = 4


def equilibrium_lines(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """One line for each equilibrium: its place and its stability."""
    lines: list[tuple[str, str]] = []
    alike: dict[str, list[Mapping[str, Any]]] = {}  # by the coordinates that are shown, to eight digits
    for entry in summary["equilibria"]:
        alike.setdefault(f"{entry['stability']}{_coordinates(entry, 8)}{_how(entry)}", []).append(entry)
    for same in alike.values():
        first, numbers = same[0], ", ".join(str(entry["number"]) for entry in same)
        more = f" ({len(same)} that differ in other coordinates: {numbers})" if same[1:] else ""
        text = f"{first['stability']} at {_coordinates(first, 4)}{_how(first)}{more}"
        lines.append((f"equilibrium {first['number']}", text))
    return [*_undriven_line(summary), *lines]


def _coordinates(entry: Mapping[str, Any], digits: int) -> str:
    """The first coordinates of an equilibrium, and how many more there are."""
    coordinates = [
        f"{name} = {number(round(value, 9) + 0.0, digits)} {entry['units'][name]}".rstrip()
        for name, value in entry["coordinates"].items()
    ]
    more = f" and {len(coordinates) - MOST_COORDINATES} more" if len(coordinates) > MOST_COORDINATES else ""
    return ", ".join(coordinates[:MOST_COORDINATES]) + more


def _undriven_line(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """A line on several degrees of freedom without a driver, which is seldom what a designer expects."""
    dofs = max((len(entry["stiffness"]) for entry in summary["equilibria"]), default=0)
    if dofs < 2:
        return []
    return [("undriven", f"{dofs} degrees of freedom: if you expected fewer, a driver or a joint is missing")]


def _how(entry: Mapping[str, Any]) -> str:
    parts = []
    if "potential" in entry:
        parts.append(f"potential {quantity_text(entry['potential'], entry['units']['potential'])}")
    if "stiffness_of" in entry:
        ((name, value),) = entry["stiffness_of"].items()
        parts.append(f"stiffness {quantity_text(value, entry['stiffness_unit'])} along {name}")
    elif entry["unstable_motions"]:
        parts.append(f"{entry['unstable_motions']} of {len(entry['stiffness'])} motions unstable")
    return "".join(f"; {part}" for part in parts)


def balance_lines(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The balancing numbers that were chosen, and the largest efforts with and without them."""
    entry = summary["balance"]
    forces = [one["max"][0] for name, one in summary.get("extremes", {}).items() if name.endswith(".f")]
    lines = [
        ("balance", f"{name}: {number(value['after'], 9)} instead of {number(value['before'], 9)}")
        for name, value in entry["parameters"].items()
    ]
    return lines + [
        ("largest effort", f"{name}: {number(after, 4)} instead of {number(before, 4)}")
        for name, value in entry["largest_effort"].items()
        for after, before in [[clear_number(value[when], *forces, *value.values()) for when in ("after", "before")]]
    ]
