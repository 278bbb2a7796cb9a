"""A coupler curve that follows targets under a hand: `optimize` fits the lengths of the links to the places drawn.

Every number of the file that places a joined pin, or the point itself, varies by half the mechanism's size; the path
error of the point from the targets is minimised from the design in hand. What `optimize` answers was run and verified.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mubo.errors import ModelError
from mubo.model import ModelDefinition
from mubo.model.coordinates import grounded
from mubo.studies import STUDIES
from mubo.studio.answers import read_text
from mubo.studio.construction import Draft
from mubo.studio.edits import patched, replace_value, respelled, scanned
from mubo.studio.references import make_parameter
from mubo.studio.spans import Spans

SPAN = 0.5  # of the mechanism's size: how far a number may go
MOST_NUMBERS = 24
LEAST_TARGETS = 3
Path_ = tuple[str | int, ...]


def followed(text: str, path: Path, point: str, targets: Sequence[Sequence[float]], decimals: int) -> tuple[str, str]:
    """The text with the lengths that bring a point's path nearest to the targets, and a sentence on the error left."""
    model, _ = read_text(text, path)
    if model is None or point not in model.points or model.dimension != 2:
        raise ModelError("targets are set at a traced point of the plane", suggestion="Trace a point first.")
    if len(targets) < LEAST_TARGETS:
        raise ModelError(f"a path needs at least {LEAST_TARGETS} targets")
    numbers = _numbers(model, scanned(text), point)
    if not numbers:
        raise ModelError("no number of this file places a joined pin: its lengths are formulas")
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = _optimum(text, Path(folder), model, numbers, point, targets)
    spans, patches = scanned(text), []
    for k, (where, _) in enumerate(numbers):
        value = found.parameters[f"follow_{k}"][1]
        new = respelled(spans.value(where), value, lambda unit: _length(model, unit), decimals)
        patches += replace_value(spans, where, new)
    error = next(iter(found.numbers.values()))
    unit = model.units.unit_of("length")
    words = f"path error of {point}: {error[0]:.4g} → {error[1]:.4g} {unit}".rstrip()
    return patched(text, patches), words


def _numbers(model: ModelDefinition, spans: Spans, point: str) -> list[tuple[Path_, float]]:
    """Coordinates of joined pins and of the point that stand in the file as numbers, with their values.

    Of every link but the ground the first pin stays: it only says where the link's axes are.
    """
    joined = {end for joint in model.joints.values() for end in joint.between}
    fixed = {*grounded(model)}
    out: list[tuple[Path_, float]] = []
    for body in model.bodies.values():
        pins = [name for name in body.points if f"{body.name}.{name}" in joined]
        for name in pins if body.name in fixed else pins[1:]:
            out += [(("body", body.name, "points", name, k), body.points[name][k]) for k in (0, 1)]
    out += [(("point", point, "at", k), model.points[point].at[k]) for k in (0, 1)]
    return [(where, value) for where, value in out if where in spans.entries and _plain(spans.value(where))][
        :MOST_NUMBERS
    ]


def _plain(literal: str) -> bool:
    try:
        respelled(literal, 1.0, lambda unit: 1.0)
    except ModelError:
        return False
    return True


def _length(model: ModelDefinition, unit: str) -> float:
    return model.units.read(f"1 {unit}", "length") if unit else 1.0


def _optimum(
    text: str,
    folder: Path,
    model: ModelDefinition,
    numbers: Sequence[tuple[Path_, float]],
    point: str,
    targets: Sequence[Sequence[float]],
) -> Any:
    """The answer of `optimize` for the same mechanism with parameters in place of the numbers."""
    spans = scanned(text)
    rows = "\n".join(f"{float(x)!r}, {float(y)!r}" for x, y in targets)
    (folder / "targets.csv").write_text(rows + "\n", encoding="utf-8")
    source = folder / "model.toml"
    for k, (where, _) in enumerate(numbers):
        before, _ = read_text(text, source)
        text = make_parameter(Draft(text, before, {}), list(where), f"follow_{k}")
    variable, problems = read_text(text, source)
    if variable is None:
        raise ModelError(problems[0].text)
    size = max((max(map(abs, at[:2])) for body in model.bodies.values() for at in body.points.values()), default=1.0)
    vary = {}
    for k, (where, value) in enumerate(numbers):
        reach = SPAN * (size or 1.0)
        ends = [
            respelled(spans.value(where), end, lambda unit: _length(model, unit))
            for end in (value - reach, value + reach)
        ]
        vary[f"follow_{k}"] = [end.strip("\"'") for end in ends]
    study = STUDIES["optimize"]
    asked = {"vary": vary, "fit": [f"path error of {point} from targets.csv"], "starts": 1, "workers": 1}
    return study.function(variable, study.read(variable, asked))
