"""The picture of a batch: columns of all variants over time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo.errors import ResultError
from mubo.view.charts import plot_rows
from mubo.view.painters.style import axis_text, figure_style, picture_target, save_figure, title
from mubo.view.scene.colours import COLOURS

if TYPE_CHECKING:
    from mubo.design.batch import Batch

MOST_CHARTS = 4  # where no column is asked for
MOST_LINES = 200  # in one chart


def plot_batch(batch: Batch, columns: Sequence[str], path: str | Path | None) -> Any:
    """Draws a chart for each column with a line for each variant; the first few columns where none is asked for."""
    target = picture_target(path)
    names = list(columns) or list(batch.names[:MOST_CHARTS])
    if not names or not len(batch):
        raise ResultError("there is nothing to draw: the batch has no columns or no variants")
    shown = min(len(batch), MOST_LINES)
    with figure_style() as figure_class:
        figure = figure_class(figsize=(7.2, 1.2 + 1.8 * len(names)))
        stack = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
        for axes, name in zip(stack, names, strict=True):
            for line in batch[name][:shown]:
                plot_rows(axes, batch.t, line, color=COLOURS[0], lw=1.0, alpha=max(0.15, shown**-0.5))
            axes.set_ylabel(axis_text(name, batch.unit(name)))
        stack[-1].set_xlabel(axis_text("t", batch.model.units.time))
        more = f", the first {shown} of {len(batch)}" if shown < len(batch) else f", {shown} variants"
        stack[0].set_title(title(batch.model.name) + more)
        save_figure(figure, target)
    return figure
