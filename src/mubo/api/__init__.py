"""The names that `import mubo` gives: models with their verbs, runs with their pictures. Heavy rooms load when used."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from mubo import formats
from mubo.api.models import Model, model_of
from mubo.docstrings import documented
from mubo.results import Run

if TYPE_CHECKING:
    from mubo.applications.compare.comparison import Comparison


@documented(
    path="File of the model.", format="Name of the format, where the ending is another one.", returns="The model."
)
def load(path: str | Path, format: str | None = None) -> Model:
    """Reads a model: .toml native (.json likewise), .dat KABIOS, .deck O'Kins' cards, .urdf robots.

    `format` overrides the ending. A file with another ending, such as .txt, is recognised by its content, and a
    warning states as what.

    >>> mubo.load("four_bar.toml")
    Model "four bar" in the plane: 3 bodies, 4 joints, 1 driver, 1 point
    """
    return model_of(formats.load(path, format))


@documented(
    result="Run, or the file of a table.",
    reference="Run or table to compare with.",
    mapping="Names in the reference of columns that have another name there.",
    path="Picture to write, .png, .svg or .pdf; none is written without it.",
    returns="Differences by column.",
)
def compare(
    result: str | Path | Run,
    reference: str | Path | Run,
    mapping: Mapping[str, str] | None = None,
    *,
    path: str | Path | None = None,
) -> Comparison:
    """Two results, runs or table files, on their common columns; print the answer.

    `mapping` gives the names in `reference` of columns that are called differently there. With `path` a picture of
    the differences over time is written.

    >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.1)
    >>> run.save("first.csv")
    >>> mubo.compare(run, "first.csv").exceeding(1e-12)
    []
    """
    from mubo.applications.compare.compare import compare

    found = compare(result, reference, mapping)
    if path is not None:
        from mubo.view.compare import draw_comparison

        draw_comparison(found, path)
    return found


__all__ = ["Model", "Run", "compare", "load"]
