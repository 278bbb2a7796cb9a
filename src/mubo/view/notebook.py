"""Results in a notebook: their tables and their picture as HTML."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo.describe.layout import Row
from mubo.errors import MuboError
from mubo.results.presentation import REGISTERED, presented_by
from mubo.view.plot import plot

if TYPE_CHECKING:
    from mubo.applications.gait.report import Gait
    from mubo.applications.strength.report import Strength

CELL = 'style="text-align:left;padding:2px 12px 2px 0;vertical-align:top;white-space:pre-line"'


def result_html(result: Any) -> str:
    """The tables of a result, or its text where it has none, and below them its picture."""
    name = type(result).__name__
    if f"{name}.tables" in REGISTERED:
        shown = "".join(_table(rows) for rows in presented_by(f"{name}.tables")(result))
    else:
        shown = f"<pre>{html.escape(str(result))}</pre>"
    return shown + (_picture(result) if f"{name}.plot" in REGISTERED else "")


def _table(rows: Sequence[Row]) -> str:
    """A table with its header, or with labels; nothing where it has no lines."""
    head, *lines = rows or [()]
    if not lines:
        return ""
    label = "td" if head else "th"
    body = "".join(f"<tr>{_cells(row[:1], label)}{_cells(row[1:], 'td')}</tr>" for row in lines)
    top = f"<tr>{_cells(head, 'th')}</tr>" if head else ""
    return f"<table>{top}{body}</table>"


def _cells(row: Row, tag: str) -> str:
    return "".join(f"<{tag} {CELL}>{html.escape(str(cell))}</{tag}>" for cell in row)


def _picture(result: Any) -> str:
    """The picture of a result, or the reason why there is none."""
    try:
        figure = result.plot()
    except MuboError as reason:
        return f"<p>no picture: {html.escape(str(reason))}</p>"
    encoded = base64.b64encode(figure._repr_png_()).decode()
    name = html.escape(type(result).__name__.lower(), quote=True)
    return f'<img alt="{name}" style="width:100%;max-width:620px" src="data:image/png;base64,{encoded}">'


def plot_strength(found: Strength, path: str | Path | None = None) -> Any:
    """Draws the links at their worst instants, of a mission the damage of its kinds of runs; the mechanism where no
    link has a section."""
    if found.mission is not None and found.mission.shares:
        from mubo.view.mission import plot_mission

        return plot_mission(found, path)
    return plot(found.run, [], path, "beams" if found.links else None)


def plot_gait(found: Gait, path: str | Path | None = None) -> Any:
    """Draws angles, moments and powers over the cycle; the walk where there is no whole cycle."""
    return plot(found.run, [], path, "gait" if any(cycles.times for cycles in found.cycles.values()) else "walk")
