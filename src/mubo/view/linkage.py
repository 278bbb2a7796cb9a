"""The vector polygons of a deck: its first position, and thin the last one, as in figure 16 of the thesis."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.results import Trajectory
from mubo.view.linkage_scene import Arrow, linkage_scene
from mubo.view.style import COLOURS, INK, QUIET


def draw_linkage(axes: Any, run: Trajectory, rows: tuple[int, ...] | None = None) -> None:
    """Vectors as arrows, one colour per link; the first of the rows full and named, the others thin and dashed."""
    first, *others = rows if rows is not None else _rows(run)
    behind = [arrow for row in others for arrow in linkage_scene(run, row) if not arrow.fixed]
    for arrow in behind:
        _draw(axes, arrow, {"lw": 1.1, "ls": (0, (4, 2)), "alpha": 0.75})
    scene = linkage_scene(run, first)
    for arrow in scene:
        _draw(axes, arrow, {"lw": 2.6 if not arrow.fixed else 1.6})
    pins = {(round(p.real, 9), round(p.imag, 9)) for arrow in scene for p in (arrow.tail, arrow.head)}
    axes.plot(*np.array(sorted(pins)).T, "o", ms=4.5, mfc="white", mec=INK, mew=1.1, zorder=5)
    _names(axes, scene, [*scene, *behind])
    if others:
        word = "s" * (len(others) > 1)
        told = ", ".join(f"t = {run['t'][row]:g}" for row in others)
        axes.plot([], [], color=QUIET, lw=1.1, ls=(0, (4, 2)), label=f"position{word} at {told} s")
        axes.plot([], [], color=QUIET, lw=2.6, label=f"position at t = {run['t'][first]:g} s")
        axes.figure.legend(frameon=False, loc="outside lower center", ncols=2, reverse=True)
    axes.set_aspect("equal")
    ends = np.array([p for arrow in (*scene, *behind) for p in (arrow.tail, arrow.head)])
    pad = 0.1 * max(np.ptp(ends.real), np.ptp(ends.imag))
    axes.set_xlim(ends.real.min() - pad, ends.real.max() + pad)
    axes.set_ylim(ends.imag.min() - pad, ends.imag.max() + pad)
    axes.set_xlabel("x")
    axes.set_ylabel("y")


def _rows(run: Trajectory) -> tuple[int, ...]:
    """The first row and the one where the driver is furthest from it."""
    name = "z1.r" if "ram" in run.model.drivers else "z1.theta"
    far = int(np.argmax(np.abs(run[name] - run[name][0])))
    return (0, far) if far else (0,)


def linkage_extent(run: Trajectory) -> Array:
    """Width and height of what is drawn."""
    ends = [p for row in _rows(run) for arrow in linkage_scene(run, row) for p in (arrow.tail, arrow.head)]
    return np.array([np.ptp(np.real(ends)), np.ptp(np.imag(ends))])


def _colour(arrow: Arrow) -> str:
    if arrow.fixed:
        return QUIET
    return INK if arrow.driven else COLOURS[arrow.link % len(COLOURS)]


def _draw(axes: Any, arrow: Arrow, look: dict[str, Any]) -> None:
    style = {"color": _colour(arrow), "shrinkA": 0, "shrinkB": 0, "mutation_scale": 11, "zorder": 3, **look}
    ends = [(p.real, p.imag) for p in (arrow.head, arrow.tail)]
    axes.annotate("", *ends, arrowprops={"arrowstyle": "-|>", "joinstyle": "miter", **style})


def _names(axes: Any, scene: list[Arrow], everything: list[Arrow]) -> None:
    """Each name beside its vector, where it is furthest from other vectors and names."""
    from matplotlib.patheffects import withStroke

    ends = np.array([p for arrow in scene for p in (arrow.tail, arrow.head)])
    away = 0.028 * max(np.ptp(ends.real), np.ptp(ends.imag))
    taken: list[complex] = []
    for arrow in sorted(scene, key=lambda arrow: abs(arrow.head - arrow.tail)):
        along = (arrow.head - arrow.tail) / abs(arrow.head - arrow.tail)
        places = [
            (arrow.tail + part * (arrow.head - arrow.tail), side)
            for part in (0.5, 0.35, 0.65)
            for side in (-1j * along, 1j * along)
        ]

        def room(place: tuple[complex, complex], own: Arrow = arrow) -> float:
            at = place[0] + away * place[1]
            others = [_distance(at, other) for other in everything if other is not own]
            return float(min(2.0 * away, *others, *(abs(at - name) / 2 for name in taken)))

        at, side = max(places, key=room)
        taken.append(at + away * side)
        axes.annotate(
            arrow.name + (" (driver)" if arrow.driven else " (frame)" if arrow.fixed else ""),
            (at.real, at.imag),
            (7 * side.real, 7 * side.imag),
            textcoords="offset points",
            ha="left" if side.real > 0.3 else "right" if side.real < -0.3 else "center",
            va="bottom" if side.imag > 0.3 else "top" if side.imag < -0.3 else "center",
            color=_colour(arrow),
            fontsize=9,
            zorder=7,
            path_effects=[withStroke(linewidth=2.5, foreground="white")],
        )


def _distance(at: complex, arrow: Arrow) -> float:
    """From a place to the nearest point of a vector."""
    step = arrow.head - arrow.tail
    part = min(max(((at - arrow.tail) * step.conjugate()).real / abs(step) ** 2, 0.0), 1.0)
    return abs(at - arrow.tail - part * step)
