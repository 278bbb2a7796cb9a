"""The directed graph of a tree as the book draws it: bodies as circles, hinges as arrows from i⁺ to i⁻."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.legacy.wittenburg.graph import DirectedGraph
from mubo.legacy.wittenburg.report import WittenburgReport
from mubo.model import GROUND
from mubo.view.painters.style import figure_style, picture_target, save_figure
from mubo.view.scene.colours import COLOURS, INK, QUIET

RADIUS = 0.22  # of a circle; inches like all lengths here
LETTER = 0.085  # width of a letter
LEVEL = 0.8  # least free length between two circles along an arrow
LINE = 0.75  # between bodies of one level
SLOPE = 1.5  # least length along the levels per length across them: labels on steep arrows would collide
MOST_PIXELS = 30_000  # on a side of a picture
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def draw_report(report: WittenburgReport, path: str | Path | None = None) -> Any:
    """Draws the directed graph of a report; with `path` the picture is written there, its ending decides its kind."""
    graph, title = report.graph, report.model.name
    target = picture_target(path)
    places = layout(graph)
    low, high = places.min(axis=0), places.max(axis=0)
    names = max(len(name) for name in graph.bodies) * LETTER / 2
    left, right = low[0] - max(RADIUS, names) - 0.25, high[0] + RADIUS + 2 * names + 0.25
    right = max(right, left + 0.3 + 1.35 * LETTER * len(title))  # room for the title
    bottom, top = low[1] - RADIUS - 0.45, high[1] + RADIUS + 0.6
    with figure_style() as figure_class:
        figure = figure_class(figsize=(right - left, top - bottom), layout="none")
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(left, right)
        axes.set_ylim(bottom, top)
        axes.axis("off")
        axes.text(left + 0.2, top - 0.2, title.replace("$", r"\$"), fontsize=11, weight="bold", va="top")
        for a, name in enumerate(graph.arcs):
            _arrow(axes, places[graph.plus[a]], places[graph.minus[a]], f"u{_sub(a + 1)} {name}")
        for i, (name, (x, y)) in enumerate(zip(graph.bodies, places, strict=True)):
            rises = i > 0 and bool(y > places[graph.parents[i - 1], 1] + 1e-9)
            where = "behind" if i not in graph.parents else "right" if rises else "below"
            _body(axes, float(x), float(y), f"s{_sub(i)}", name, where)
        dpi = min(150.0, MOST_PIXELS / max(right - left, top - bottom))
        save_figure(figure, target, dpi=dpi)
    return figure


def layout(graph: DirectedGraph) -> Array:
    """Places of the bodies: a level per step from the ground, leaves under each other, inner bodies between theirs."""
    n = len(graph.bodies)
    parents = graph.parents
    children: list[list[int]] = [[] for _ in range(n)]
    for child, parent in enumerate(parents, 1):
        children[parent].append(child)
    level, line = np.zeros(n), np.zeros(n)
    for child, parent in enumerate(parents, 1):  # parents come before their children
        level[child] = level[parent] + 1
    for number, body in enumerate(_leaves_from_the_top(children)):
        line[body] = -number
    for body in reversed(range(n)):
        if children[body]:
            ends = [line[child] for child in children[body]]
            line[body] = (max(ends) + min(ends)) / 2
    reach = np.zeros(int(level.max()) + 1)  # of each level from the one before it
    for child, (name, parent) in enumerate(zip(graph.arcs, parents, strict=True), 1):
        wide = LETTER * len(f"u{child} {name}") + 0.5
        across = SLOPE * LINE * abs(line[child] - line[parent])
        at = int(level[child])
        reach[at] = max(reach[at], 2 * RADIUS + max(LEVEL, wide), across)
    return np.column_stack([np.cumsum(reach)[level.astype(int)], line * LINE])


def _leaves_from_the_top(children: list[list[int]]) -> list[int]:
    """Leaves in the order of a walk that takes the first child first."""
    found, waiting = [], [0]
    while waiting:
        body = waiting.pop()
        if not children[body]:
            found.append(body)
        waiting += reversed(children[body])
    return found


def _arrow(axes: Any, start: Array, end: Array, label: str) -> None:
    line = end - start
    along = line / np.hypot(*line)
    axes.annotate(
        "",
        end - along * RADIUS,
        start + along * RADIUS,
        arrowprops={
            "arrowstyle": "-|>",
            "color": COLOURS[0],
            "lw": 1.4,
            "shrinkA": 0,
            "shrinkB": 1,
            "mutation_scale": 13,
        },
    )
    # Written along the arrow and above it, on the outer half, where arrows of one body have parted.
    inner, outer = (start, end) if start[0] < end[0] else (end, start)
    place = inner + 0.56 * (outer - inner)
    angle = math.degrees(math.atan2(*(outer - inner)[::-1]))
    normal = np.array([-(outer - inner)[1], (outer - inner)[0]]) / np.hypot(*line)
    axes.text(
        *(place + 0.05 * normal),
        label,
        rotation=angle,
        rotation_mode="anchor",
        ha="center",
        va="bottom",
        fontsize=9,
        color=INK,
    )


# Where the name of a body stands: behind one that ends its branch, since no arrow goes on there; below another, and
# below to the right where the arrow comes from below. Shift in inches, horizontal and vertical alignment.
NAMES = {
    "behind": (RADIUS + 0.06, 0.0, "left", "center"),
    "below": (0.0, -RADIUS - 0.05, "center", "top"),
    "right": (-0.6 * RADIUS, -RADIUS - 0.05, "left", "top"),
}


def _body(axes: Any, x: float, y: float, symbol: str, name: str, where: str) -> None:
    from matplotlib.patches import Circle
    from matplotlib.patheffects import withStroke

    face = "#dddddd" if name == GROUND else "white"
    axes.add_patch(Circle((x, y), RADIUS, facecolor=face, edgecolor=INK, lw=1.4, zorder=3))
    axes.text(x, y, symbol, ha="center", va="center", fontsize=10, zorder=4)
    right, up, ha, va = NAMES[where]
    halo = [withStroke(linewidth=3, foreground="white")]
    axes.text(x + right, y + up, name, ha=ha, va=va, fontsize=9, color=QUIET, zorder=4, path_effects=halo)


def _sub(number: int) -> str:
    return str(number).translate(SUBSCRIPTS)
