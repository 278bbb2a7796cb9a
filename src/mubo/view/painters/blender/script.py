"""The script for Blender: the program `film.py` of this folder with the film written into it as plain numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.formats.files import write_text
from mubo.geometry.rotation import about, matrix, product
from mubo.results.table_files import write_columns
from mubo.view.painters.actors import Actor, SolidFilm, upright, whole_rows
from mubo.view.scene import Scene
from mubo.view.scene.colours import linear_rgb

EMPTY = "FILM: dict[str, Any] = {}\n"
MOST_FPS, LEAST_FPS, USUAL_FPS = 60, 10, 30
ON_FRAME = 1e-6  # of a frame: how near a row must be to count as on it
DIGITS = 9
SAMPLES = 200  # rows that the camera looks at
TOGETHER = 10_000  # corners that are compared at a time


def write_script(film: SolidFilm, path: Path, fps: float | None = None) -> None:
    """Writes the script; `fps` frames a second, by default a rate at which frames fall on rows of the result."""
    program = (Path(__file__).parent / "film.py").read_text(encoding="utf-8")
    assert EMPTY in program
    lines = [f"    {key!r}: {_literal(value)},\n" for key, value in film_of(film, fps).items()]
    write_text(path, program.replace(EMPTY, "FILM: dict[str, Any] = {\n" + "".join(lines) + "}\n"))


def require_rate(fps: float) -> None:
    """Refuses a number of frames a second that no film has."""
    if not 1 <= fps <= 1000:
        raise ResultError(f"the frame rate must be from 1 to 1000 frames a second; found {fps:g}")


def film_of(film: SolidFilm, fps: float | None = None) -> dict[str, Any]:
    """The data of the script, as plain lists and numbers."""
    rate = fps if fps is not None else fitting_rate(film.seconds)
    require_rate(rate)
    frames = film.seconds * rate
    rows = _key_rows(frames)
    root = product(about((1.0, 0.0, 0.0), np.pi / 2), upright(film.up))  # Blender has z upwards
    corners = _outermost_corners(corner @ matrix(root).T for corner in _corners(film))
    extent = float(np.linalg.norm(np.ptp(corners, axis=0)))
    whole = round(rate)
    parts = [part for actor in film.actors for part in actor.parts]
    return {
        "name": film.name,
        "fps": (whole, float(Fraction(whole) / Fraction(rate).limit_denominator(10**6))),
        "frames": int(np.floor(frames[-1] + ON_FRAME)),
        "metre": film.metre,
        "upright": root,
        "view": "plane" if film.flat else "space",
        "extent": extent,
        "floor": float(corners[:, 2].min()) - 0.02 * extent,
        "corners": corners,
        "colours": {part.colour: list(linear_rgb(part.colour)) for part in parts},
        "actors": [_actor(actor, frames, rows) for actor in film.actors],
    }


def fitting_rate(seconds: Array) -> float:
    """The largest rate up to 60 that divides the rate of the rows, so that frames show computed rows; else 30."""
    if len(seconds) < 2:
        return USUAL_FPS
    rows = 1 / float(np.median(np.diff(seconds)))
    for every in range(1, int(np.ceil(rows / LEAST_FPS)) + 1):
        rate = rows / every
        if LEAST_FPS <= rate <= MOST_FPS + 1e-9 and abs(rate - round(rate)) < 1e-6 * rate:
            return float(round(rate))
    return USUAL_FPS


def _key_rows(frames: Array) -> Any:
    """Rows that become keys: those on frames, if every frame has one; else all."""
    on = np.abs(frames - np.round(frames)) < ON_FRAME * np.maximum(1.0, frames)
    whole = np.unique(np.round(frames[on])).size == int(np.floor(frames[-1] + ON_FRAME)) + 1
    return np.flatnonzero(on) if whole else np.arange(len(frames))


def _actor(actor: Actor, frames: Array, rows: Any) -> dict[str, Any]:
    keys = [np.round(frames[:, None], 6), actor.place, actor.turn]
    if actor.scale is not None:
        keys.append(actor.scale)
    table = np.hstack(keys)[rows]
    parts = [
        {"name": p.name, "colour": p.colour, "places": p.mesh.places, "triangles": p.mesh.triangles}
        for p in actor.parts
    ]
    return {"name": actor.name, "parts": parts, "keys": table[:1] if actor.stands else table}


def _corners(film: SolidFilm) -> Iterator[Array]:
    """Corners of the boxes around all solids along the motion, in the model's axes, part after part."""
    sample = np.unique(np.linspace(0, len(film.seconds) - 1, SAMPLES).astype(int))
    picks = np.array(list(np.ndindex(2, 2, 2)))
    for actor in film.actors:
        rows = sample[:1] if actor.stands else sample
        place, turn = actor.place[rows], matrix(actor.turn[rows])
        for part in actor.parts:
            box = np.where(picks, part.mesh.places.max(axis=0), part.mesh.places.min(axis=0))[:, None]
            stretched = np.tile(box, (1, len(rows), 1)) * (1.0 if actor.scale is None else actor.scale[rows])
            yield (place + np.einsum("nij,cnj->cni", turn, stretched)).reshape(-1, 3)


def _outermost_corners(pieces: Iterable[Array]) -> Array:
    """The corners that are farthest in any of many directions: a camera needs no others. Six of these directions are
    those of the axes."""
    turn, rise = np.meshgrid(np.linspace(0, 2 * np.pi, 48, endpoint=False), np.linspace(-1, 1, 25))
    across = np.sqrt(1 - rise**2)
    directions = np.stack([across * np.cos(turn), across * np.sin(turn), rise], -1).reshape(-1, 3)

    def farthest(corners: Array) -> Array:
        return np.asarray(corners[np.unique(np.argmax(directions @ corners.T, axis=1))])

    kept, count = [np.zeros((0, 3))], 0
    for piece in pieces:
        kept.append(piece)
        count += len(piece)
        if count > TOGETHER:
            kept = [farthest(np.concatenate(kept))]
            count = len(kept[0])
    return farthest(np.concatenate(kept))


def _literal(value: Any) -> str:
    """Python text of numbers, lists and dictionaries, with as many digits as single precision holds."""
    if isinstance(value, np.ndarray):
        return _table(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        inner = ", ".join(_literal(item) for item in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else repr(value)


def _table(values: Any) -> str:
    """An array of numbers, or of rows of them, all written by one format."""
    form = f"%.{DIGITS}g" if values.dtype.kind == "f" else "%d"
    row = ", ".join([form] * values.shape[-1])
    rows = row if values.ndim == 1 else ", ".join([f"[{row}]"] * len(values))
    return f"[{rows}]" % tuple(values.ravel().tolist())


IMPORTER = Path(__file__).parent / "import_poses.py"


def write_poses(scene: Scene, path: Path) -> tuple[str, ...]:
    """Writes the table with all digits, in the model's units; returns notes for the user."""
    times, poses, notes = whole_rows(scene)
    columns: dict[str, Array] = {"t": times}
    for name in scene.poses:
        columns |= {f"{name}.{c}": poses[name][:, k] for k, c in enumerate("xyz")}
        columns |= {f"{name}.q{c}": poses[name][:, 3 + k] for k, c in enumerate("wxyz")}
    write_columns(path, columns)
    return notes
