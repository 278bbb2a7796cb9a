"""Which assembly branch a text leads to: after a drag it is the one under the hand, or the drag is taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.model import GROUND, ModelDefinition
from mubo.model.coordinates import grounded
from mubo.solvers.assembly.start_analysis import analyse_start
from mubo.studio.answers import read_text
from mubo.studio.drag import Drag
from mubo.studio.edits import Patch, patched, put_key, replace_value, respelled, scanned, spell
from mubo.studio.spans import Spans

NEAR = 1e-4  # of the mechanism's size: positions of one branch, whose numbers were rounded


def kept_branch(drag: Drag, text: str, path: Path) -> str:
    """The text with estimates that lead to the branch under the hand, where its own would lead to another."""
    assert drag.last is not None
    if drag.last.poses is None:
        return text
    first = {name: pose[0] for name, pose in drag.last.poses.items() if np.isfinite(pose[0]).all()}
    if _starts_at(text, path, first):
        return text
    model, _ = read_text(text, path)
    if model is None:
        return text
    spans = scanned(text)
    kept = patched(text, estimate_patches(spans, model, first, drag.decimals + 1))
    if not _starts_at(kept, path, first):
        raise ModelError("this place leads to another assembly branch: the drag is taken back")
    return kept


def _starts_at(text: str, path: Path, poses: Mapping[str, Array]) -> bool:
    """Whether the model of a text is assembled where the hand left it."""
    model, _ = read_text(text, path)
    if model is None:
        return True
    look = analyse_start(model, model.start_time)
    found = dict(zip(look.form.free, look.assembly.q.reshape(-1, 3), strict=True))
    near = NEAR * look.form.mechanism.size
    return all(np.hypot(*(found[name][:2] - pose[:2])) < near for name, pose in poses.items() if name in found)


def standing_text(text: str, model: ModelDefinition, bodies: Mapping[str, Sequence[float]]) -> str:
    """The text with the estimates of moving bodies at poses (x, y, radians)."""
    standing = {*grounded(model), GROUND}
    poses = {name: np.array(pose) for name, pose in bodies.items() if name not in standing}
    spans = scanned(text)
    return patched(text, estimate_patches(spans, model, poses, 6))


def estimate_patches(spans: Spans, model: ModelDefinition, poses: Mapping[str, Array], decimals: int) -> list[Patch]:
    """Estimates of bodies that select a branch: positions and angles written as they stand at the start."""
    out: list[Patch] = []
    factor = model.units.angle_factor()
    for body, (x, y, phi) in poses.items():
        table = ("body", body)
        position = f"[{spell(x, decimals)}, {spell(y, decimals)}]"
        out += put_key(spans, table, "position", position)
        path = (*table, "angle")
        if path in spans.entries:
            text = respelled(spans.value(path), float(phi), partial(_angle_size, model), 4)
            out += replace_value(spans, path, text)
        else:
            out += put_key(spans, table, "angle", float(spell(float(phi) / factor, 4)))
    return _joined(out)


def _joined(patches: list[Patch]) -> list[Patch]:
    """Insertions at one place as one patch, in their order."""
    out: dict[tuple[int, int], str] = {}
    for patch in patches:
        out[patch.start, patch.end] = out.get((patch.start, patch.end), "") + patch.insert
    return [Patch(start, end, text) for (start, end), text in out.items()]


def _angle_size(model: ModelDefinition, unit: str) -> float:
    """Radians of one of a unit; of a plain number for ""."""
    return model.units.read(f"1 {unit}", "angle") if unit else model.units.angle_factor()
