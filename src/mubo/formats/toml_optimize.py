"""[optimize] in a native file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mubo.formats.motion_file import inline, quoted
from mubo.model.optimization import KEYS, METHODS, STARTS, Optimization, bounds_of, limit_of, term_of
from mubo.model.read_optimization import optimization_of

if TYPE_CHECKING:
    from mubo.formats.toml import Reader

WHERE = ("optimize",)


def read_optimize(reader: Reader, given: Mapping[str, Any]) -> None:
    """Its form, and every name and unit in it, each problem with its line."""
    if not reader.keys(WHERE, given, KEYS):
        return
    asked = optimization_of(given)
    model = reader.model
    for name, pair in asked.vary.items():
        reader.attempt((*WHERE, "vary", name), lambda n=name, p=pair: bounds_of(model.units, n, p))  # type: ignore[misc]
    for text in asked.of:
        reader.attempt((*WHERE, asked.goal), lambda t=text: term_of(model, t))  # type: ignore[misc]
    for text in asked.constraints:
        reader.attempt((*WHERE, "constraints"), lambda t=text: limit_of(model, t))  # type: ignore[misc]
    model.optimization = asked


def optimize_block(asked: Optimization) -> str:
    """The table as text that reads back to the same."""
    bounds = (f"{name} = [{inline(low)}, {inline(high)}]" for name, (low, high) in asked.vary.items())
    lines = ["[optimize]", f"vary = {{ {', '.join(bounds)} }}"]
    if asked.goal == "fit":
        targets = (f"{quoted(text)} = {inline(target)}" for text, target in asked.of.items())
        lines.append(f"fit = {{ {', '.join(targets)} }}")
    else:
        lines += [f"{asked.goal} = {quoted(text)}" for text in asked.of]
    if asked.constraints:
        lines.append(f"constraints = [{', '.join(quoted(text) for text in asked.constraints)}]")
    lines += [f"starts = {asked.starts}"] * (asked.starts != STARTS)
    lines += [f"method = {quoted(asked.method)}"] * (asked.method != METHODS[0])
    lines += [f"seed = {asked.seed}"] * (asked.seed != 0)
    return "\n".join(lines)
