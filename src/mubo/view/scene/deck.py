"""The scene of a card deck: every vector is a bar that moves, the ram a cylinder, the frame lines that stand.

A deck tells which vectors a loop has, but only a path tells their order. Vectors that no path holds are put where they
close their loop, in the order of the cards.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.legacy.okins1964.vectors import Vectors, step_names
from mubo.mechanism.formulations.deck import DEGREE, DeckLoops
from mubo.model import GROUND
from mubo.model.linkage import vector_name
from mubo.results import Run
from mubo.view.scene.ambient import require_drawable
from mubo.view.scene.colours import GROUND_COLOUR, INK, colours_of
from mubo.view.scene.data import Dot, End, Kind, Paint, Reach, Scene, SceneBody, Shape, Stretch, Text

THICK = 0.011  # half the width of a bar, of the size of the drawing
STAND = 3.4  # height of a stand, of half the width of a bar
LAYER = 1.8  # height of a bar, of half its width
Moving = dict[int, Array]  # by vector: z and its rate at every row, complex


def deck_scene(run: Run, events: tuple[dict[str, object], ...]) -> Scene:
    """Vectors of a run, where they lie at every row. The row at which the driver turns back stands once."""
    deck: DeckLoops = run.record.inspection
    rows = np.concatenate([[True], np.diff(run["t"]) > 0])
    z = _vectors(run, rows)
    tails = _tails(deck, z)
    ends = np.concatenate([end for n, tail in tails.items() for end in (tail[:, 0], tail[:, 0] + z[n][:, 0])])
    low, high = np.array([ends.real.min(), ends.imag.min()]), np.array([ends.real.max(), ends.imag.max()])
    size = float(np.max(high - low)) or deck.size
    require_drawable(size, ((vector_name(n), float(np.max(np.abs(z[n][:, 0])))) for n in tails))
    low = low - 1.5 * STAND * THICK * size  # stands are below
    moving = [n for n in tails if n not in deck.linkage.frame]
    thick = THICK * size
    return Scene(
        name=run.model.name,
        dimension=2,
        units={"length": "", "time": "s", "angle": "deg"},
        size=size,
        thick=thick,
        up=(0.0, 1.0),
        box=((float(low[0]), float(low[1])), (float(high[0]), float(high[1]))),
        times=run["t"][rows],
        bodies=_bodies(deck, moving),
        poses={vector_name(n): _pose(tails[n][:, 0], run, n, "theta", rows) for n in moving},
        reaches=_ram(deck, z),
        shapes=tuple(_shapes(deck, z, tails, moving, thick)),
        points=_points(deck),
        texts=tuple(Text(vector_name(n), "body", vector_name(n), _anchors(z[n]), 1.5 * thick) for n in moving),
        events=events,
        rates={vector_name(n): _pose(tails[n][:, 1], run, n, "omega", rows) for n in moving},
    )


def _vectors(run: Run, rows: Array) -> Moving:
    """z = r e^{iθ} and ż of every vector."""
    linkage = run.record.inspection.linkage
    solved = np.zeros((int(rows.sum()), 6, len(linkage.lengths)))
    for n in linkage.vectors:
        for row, word in ((0, "r"), (3, "theta"), (4, "omega")):
            solved[:, row, n - 1] = run.columns.solved(f"{vector_name(n)}.{word}")[rows]
    if "ram" in run.model.drivers:
        solved[:, 1, 0] = run.columns.solved("ram.rate")[rows]
    moving = Vectors(solved).moving()
    return {n: moving[:, :2, n - 1] for n in linkage.vectors}


def _tails(deck: DeckLoops, z: Moving) -> Moving:
    """Where every vector begins, and how fast that moves: walked along the paths first, then around the loops."""
    tails: Moving = {}
    origin = np.zeros_like(z[1])
    for path in deck.linkage.paths:
        _walk(path.vectors, origin, z, tails)
    left = [tuple(loop.vectors) for loop in deck.linkage.loops]
    while left:
        left.sort(key=lambda loop: (-sum(abs(v) in tails for v in loop), len(loop)))
        _close(deck, left.pop(0), z, tails)
    return tails


def _walk(vectors: tuple[int, ...], at: Array, z: Moving, tails: Moving) -> None:
    for vector in vectors:
        step = z[abs(vector)] if vector > 0 else -z[abs(vector)]
        tails.setdefault(abs(vector), at if vector > 0 else at + step)
        at = at + step


def _close(deck: DeckLoops, loop: tuple[int, ...], z: Moving, tails: Moving) -> None:
    """The vectors of a loop that have no place yet, behind the end of the chain of those that have one."""
    ends = []  # (from, to) of the placed ones, in the sense of the loop
    for vector in loop:
        if abs(vector) in tails:
            pair = (tails[abs(vector)], tails[abs(vector)] + z[abs(vector)])
            ends.append(pair if vector > 0 else pair[::-1])
    starts = [start[0, 0] for start, _ in ends]
    free = [end for _, end in ends if all(abs(end[0, 0] - start) > 1e-6 * deck.size for start in starts)]
    new = sorted((v for v in loop if abs(v) not in tails), key=lambda v: abs(v) in deck.linkage.frame)
    _walk(tuple(new), free[0] if free else np.zeros_like(z[1]), z, tails)


def _pose(place: Array, run: Run, n: int, word: str, rows: Array) -> Array:
    return np.column_stack([place.real, place.imag, run.columns.solved(f"{vector_name(n)}.{word}")[rows]])


def _bodies(deck: DeckLoops, moving: list[int]) -> tuple[SceneBody, ...]:
    """Vectors of one link have one colour; a driven crank is black."""
    links = colours_of([name for name in deck.free if name != "z1" or deck.driver != "crank"])
    owner = {n: deck.free[k] for k, group in enumerate(deck.turning) for n in group}
    bodies = [SceneBody(vector_name(n), links.get(owner.get(n, ""), INK), False) for n in moving]
    return (SceneBody(GROUND, GROUND_COLOUR, True), *bodies)


def _ram(deck: DeckLoops, z: Moving) -> tuple[Reach, ...]:
    if deck.driver != "ram":
        return ()
    along = np.column_stack([z[1][:, 0].real, z[1][:, 0].imag])
    return (Reach("ram", End("z1", (0.0, 0.0)), along=along),)


def _shapes(deck: DeckLoops, z: Moving, tails: Moving, moving: list[int], thick: float) -> list[Shape]:
    """Bars of the vectors with pins at both ends, the ram, and the frame."""
    shapes = []
    for number, n in enumerate(moving):
        name, length = vector_name(n), float(abs(z[n][0, 0]))
        heights = (LAYER * thick * (number % 4), LAYER * thick * (number % 4 + 0.9))
        if n == 1 and deck.driver == "ram":
            least = float(np.min(np.abs(z[1][:, 0])))
            barrel = {"length": 0.72 * least, "radius": 1.5 * thick}
            shapes.append(Shape(Kind.ROD, "ram", "ram", {"radius": 0.75 * thick}, Paint.STEEL, Stretch.ALONG))
            shapes.append(Shape(Kind.RAM, "ram barrel", "ram", barrel, Paint.STEEL, heights=heights))
            places = [(0.0, 0.0)]
        else:
            points = np.array([[0.0, 0.0], [length, 0.0]])
            shapes.append(Shape(Kind.BAR, name, name, {"points": points, "radius": thick}, heights=heights))
            places = [(0.0, 0.0), (length, 0.0)]
        for end, at in zip(("tail", "head"), places, strict=False):
            pin = {"at": np.array(at), "radius": 0.72 * thick}
            shapes.append(Shape(Kind.PIN, f"{name} {end}", name, pin, Paint.INK, heights=heights))
    for n in deck.linkage.frame:
        if n in tails:
            ends = np.array([tails[n][0, 0], tails[n][0, 0] + z[n][0, 0]])
            line = {"points": np.column_stack([ends.real, ends.imag]), "width": 0.4 * thick}
            shapes.append(Shape(Kind.LINE, vector_name(n), GROUND, line, Paint.FRAME))
    return [*shapes, *_stands(deck, z, tails, moving, thick)]


def _stands(deck: DeckLoops, z: Moving, tails: Moving, moving: list[int], thick: float) -> list[Shape]:
    """A stand where a vector that moves has an end that stands still: at the origin or at an end of the frame."""
    out: dict[tuple[float, float], Shape] = {}
    for n in moving:
        for end in (tails[n][:, 0], tails[n][:, 0] + z[n][:, 0]):
            if np.max(np.abs(end - end[0])) < 1e-6 * deck.size:
                at = (float(end[0].real), float(end[0].imag))
                numbers = {"at": at, "way": np.array([0.0, -1.0]), "high": STAND * thick}
                key = (round(at[0] / deck.size, 6), round(at[1] / deck.size, 6))
                out.setdefault(key, Shape(Kind.STAND, f"support {vector_name(n)}", GROUND, numbers, Paint.FRAME))
    return list(out.values())


def _anchors(z: Array) -> tuple[tuple[float, ...], ...]:
    return tuple((part * float(abs(z[0, 0])), 0.0) for part in (0.5, 0.35, 0.65, 0.2, 0.8))


def _points(deck: DeckLoops) -> tuple[Dot, ...]:
    """Where the paths of the deck end, and its coupler points, on their last vectors; unnamed the points on the way,
    where a path asks for them."""
    dots = []
    for number, path in enumerate(deck.linkage.paths, 1):
        for name, vector in zip(step_names(number, path), path.vectors[:-1] if path.every else (), strict=False):
            if abs(vector) not in deck.linkage.frame:
                dots.append(Dot(name, vector_name(vector), (_reach(deck, vector), 0.0), named=False))
        last = path.vectors[-1]
        if abs(last) in deck.linkage.frame:
            continue  # a path that ends in the frame stands still
        length = _reach(deck, last)
        dots.append(Dot(f"path{number}", vector_name(last), (length, 0.0)))
        if path.coupler is not None:
            turn = path.coupler.angle * DEGREE
            reach = complex(length) + path.coupler.length * np.exp(1j * turn)
            dots.append(Dot(f"coupler{number}", vector_name(last), (float(reach.real), float(reach.imag))))
    return tuple(dots)


def _reach(deck: DeckLoops, vector: int) -> float:
    """How far along a vector the point lies that it leads to: at its end, or at its tail where it is walked back."""
    return float(deck.linkage.lengths[vector - 1]) if vector > 0 else 0.0
