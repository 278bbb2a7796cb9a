"""The figure that every picture is: one of matplotlib that shows itself in a notebook, without pyplot."""

from __future__ import annotations

import io
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

SHOWN_DPI = 100  # in a notebook


class ShownFigure(Figure):
    """A matplotlib figure, drawn without a display; a notebook shows it as PNG, with or without `%matplotlib`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        FigureCanvasAgg(self)

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=SHOWN_DPI)
        return buffer.getvalue()

    def _repr_html_(self) -> None:
        return None  # that of matplotlib asks which backend pyplot has
