"""matplotlib in the style of mubo: fonts, lines and layout of every figure."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mubo.errors import ResultError
from mubo.formats.files import replacing
from mubo.laws.number_text import unit_text
from mubo.view.scene.colours import GRID, INK, QUIET

ENDINGS = (".png", ".svg", ".pdf")
SETTINGS: dict[Any, Any] = {
    "font.size": 10,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": GRID,
    "lines.linewidth": 1.6,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "savefig.dpi": 150,
    "figure.constrained_layout.use": True,
    "figure.constrained_layout.w_pad": 0.12,
    "figure.constrained_layout.h_pad": 0.08,
}


@contextmanager
def figure_style() -> Iterator[Any]:
    """matplotlib in mubo's style, drawing without a display."""
    from matplotlib import rc_context

    from mubo.view.painters.shown_figure import ShownFigure

    with rc_context(SETTINGS):
        yield ShownFigure


def title(text: str) -> str:
    """A name as it stands above a picture: no formula, and no control characters, which SVG cannot hold."""
    return "".join(letter if letter.isprintable() else " " for letter in text).replace("$", r"\$")


def axis_text(name: str, unit: str) -> str:
    """The label of an axis: "x [m]", or "x" where there is no unit."""
    return f"{name} [{unit_text(unit)}]" if unit else name


def label_plane(axes: Any, unit: str) -> None:
    """Labels the axes x and y of a drawing in the plane."""
    axes.set(xlabel=axis_text("x", unit), ylabel=axis_text("y", unit))


def picture_target(path: str | Path | None) -> Path | None:
    """The path of a picture, whose ending decides its format; other endings are refused. None stays None."""
    if path is None:
        return None
    target = Path(path)
    if target.suffix not in ENDINGS:
        raise ResultError(f'cannot draw "{target.name}": the ending must be {", ".join(ENDINGS)}')
    return target


def save_figure(figure: Any, target: Path | None, **options: Any) -> None:
    """The figure is written whole to the target, or not at all; without a target nothing is written."""
    if target is not None:
        with replacing(target) as temporary:
            figure.savefig(temporary, **options)
