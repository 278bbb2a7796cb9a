"""Extremes of a run in a few lines: measures, outputs, four-bars, points of interest."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

MOST_LINES = 6
WORDS = {"angle": "swing", "length": "stroke"}


def extreme_lines(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Label and text of each line; lines beyond the first few are counted."""
    extremes = summary.get("extremes", {})
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
