"""What `mubo.synthesize` gives: a function per task, each answering designs that draw and save themselves."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mubo.api.synthesized_machines import MachineSynthesis, Progress, Size, length_units
from mubo.design.synthesis import (
    formula_task,
    function_task,
    motion_task,
    path_task,
    quick_return,
    requirements,
    toggle_positions,
)
from mubo.design.synthesis.result import Synthesis
from mubo.docstrings import documented
from mubo.errors import ModelError, nearest
from mubo.formats.task_file import is_table, read_rows, read_task
from mubo.model import Units

Rows = Sequence[Sequence[Any]] | str  # or the name of a table
TASKS = ("function", "formula", "motion", "path", "swing", "quick_return", "cognates", "planetary", "cam", "dwell")


def _read(units: Units, value: Any, kind: str) -> float | None:
    return None if value is None else units.read(value, kind)


def _rows(units: Units, given: Rows, names: Sequence[str], kinds: Sequence[str], optional: Sequence[str] = ()) -> Any:
    """Lines of numbers, from a table or as they are, angles in radians."""
    lines = read_rows(Path(str(given)), names, optional) if is_table(given) else given
    if isinstance(lines, str):
        raise ModelError(f'expected lines of {", ".join(names)}, or the name of a table such as "points.csv"')
    widths = {len(line) for line in lines}
    if len(widths) > 1 or not widths <= {len(names), len(names) + len(optional)}:
        raise ModelError(f"every line has {', '.join(names)}: {len(names)} numbers; found lines of {sorted(widths)}")
    return np.array([[units.read(cell, kind) for cell, kind in zip(line, kinds, strict=False)] for line in lines])


class Synthesize(MachineSynthesis):
    """Linkages from what they are to do: a function per task, or `mubo.synthesize("task.toml")`.

    Angles are degrees, or text with a unit such as "0.5 rad"; lengths are in the unit `length`, or text with a unit.
    Points, poses and pairs may be the name of a table (.csv) with a header. Every design shown has been run.

    Examples
    --------
    >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
    >>> found[1].errors["angle"] < 1e-9
    True
    """

    @documented(
        path="File of the task, .toml.",
        returns="The designs.",
        raises={"ModelError": "If the task is unknown, or a key is unknown or missing."},
    )
    def __call__(self, path: str | Path) -> Synthesis:
        """The task of a file: `task = "path"` and what its function takes, by name."""
        given = read_task(Path(path))
        task = str(given.pop("task", "")).replace("-", "_").replace(" ", "_")
        if task not in TASKS:
            raise ModelError(f'{path}: task = "{task}" is none. {nearest(task, TASKS)}')
        function = getattr(self, task)
        allowed = [name for name in inspect.signature(function).parameters if name != "progress"]
        for key in given:
            if key not in allowed:
                raise ModelError(f'{path}: a task "{task}" has no "{key}". {nearest(key, allowed)}')
        needed = [n for n in allowed if inspect.signature(function).parameters[n].default is inspect.Parameter.empty]
        for key in needed:
            if key not in given:
                raise ModelError(f'{path}: a task "{task}" needs "{key}"')
        answer: Synthesis = function(**given)
        return answer

    @documented(
        pairs="Pairs of a crank angle and an output, or a table (.csv) of them.",
        linkage='"four-bar", "slider-crank", "inverted-slider", "watt" or "stephenson" (six-bars).',
        ground="Length of the ground link.",
        crank_start="Crank angle at the first pair, in degrees; free by default.",
        rocker_start="Output angle at the first pair, in degrees; free by default.",
        length="Unit of lengths.",
        seed="Seed of the random six-bars.",
        most="Largest number of designs to report.",
        returns="The designs.",
    )
    def function(
        self,
        pairs: Rows,
        *,
        linkage: str = "four-bar",
        ground: Size = 1.0,
        crank_start: Size | None = None,
        rocker_start: Size | None = None,
        length: str = "",
        seed: int = 0,
        most: int = 12,
    ) -> Synthesis:
        """Linkages whose output follows the crank through pairs of crank angle and output, from the first on.

        The output is the angle of a four-bar's rocker, of a six-bar's or inverted slider-crank's output link, or the
        displacement of a slider-crank's slide. Three to five pairs are met exactly, by Watt's six-bar up to 9, by
        Stephenson's up to 11; of more the nearest linkages are found (least squares).

        >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
        >>> round(found[1].lengths["coupler"], 4)
        0.6845
        """
        units = length_units(length)
        slides = linkage == requirements.SLIDER_CRANK
        requirements.require_linkages([linkage], requirements.FUNCTION_LINKAGES)
        kinds = ("angle", "length" if slides else "angle")
        starts = {
            "crank_start": _read(units, crank_start, "angle"),
            "rocker_start": _read(units, rocker_start, "angle"),
        }
        found = function_task.function(
            _rows(units, pairs, ("crank", "output"), kinds),
            linkage=linkage,
            seed=int(seed),
            ground=units.read(ground, "length"),
            units=units,
            most=most,
            **starts,
        )
        return found

    @documented(
        formula='Formula y = f(x), such as "log(x)".',
        x="First and last x.",
        crank="Range of the crank over x, in degrees; negative clockwise.",
        output="Range of the output over y: of a rocker in degrees, of a slide a length.",
        points="Precision points by Chebyshev's spacing: 3 to 5, of Watt's six-bar to 9, of Stephenson's to 11.",
        linkage='"four-bar", "slider-crank", "inverted-slider", "watt" or "stephenson" (six-bars).',
        ground="Length of the ground link.",
        length="Unit of lengths.",
        seed="Seed of the random six-bars.",
        most="Largest number of designs to report.",
        returns="The designs, the least structural error first.",
        raises={"ModelError": "If the formula, a range or the number of points makes no task."},
    )
    def formula(
        self,
        formula: str,
        x: Sequence[float],
        *,
        crank: Size,
        output: Size,
        points: int = 3,
        linkage: str = "four-bar",
        ground: Size = 1.0,
        length: str = "",
        seed: int = 0,
        most: int = 12,
    ) -> Synthesis:
        """Linkages that generate a function y = f(x), exact at Chebyshev's precision points, run over the whole range.

        >>> found = mubo.synthesize.formula("log(x)", (1, 2), crank=60, output=90, points=4, most=3)
        >>> found[1].errors["angle"] < 1e-9, found[1].errors["structural"] < 0.5
        (True, True)
        """
        units = length_units(length)
        requirements.require_linkages([linkage], requirements.FUNCTION_LINKAGES)
        slides = linkage == requirements.SLIDER_CRANK
        if not isinstance(x, Sequence) or len(x) != 2:
            raise ModelError(f"x is its first and its last value, (1, 2); found {x!r}")
        turns = units.read(crank, "angle"), units.read(output, "length" if slides else "angle")
        if not turns[0] or not turns[1]:
            raise ModelError("the ranges of crank and output must not be zero")
        ends = float(x[0]), float(x[1])
        base = units.read(ground, "length")
        how: dict[str, Any] = {"units": units, "seed": int(seed), "most": most}
        return formula_task.formula(str(formula), ends, turns, int(points), linkage, ground=base, **how)

    @documented(
        poses="Poses x, y, angle, or a table (.csv) of them.",
        pivots="Two fixed pins x, y, for two or three poses.",
        linkages='Kinds of linkages: "four-bar", "slider-crank".',
        length="Unit of lengths.",
        most="Largest number of designs to report.",
        returns="The designs.",
    )
    def motion(
        self,
        poses: Rows,
        *,
        pivots: Rows | None = None,
        linkages: Sequence[str] = ("four-bar",),
        length: str = "",
        most: int = 12,
    ) -> Synthesis:
        """Linkages whose coupler goes through two to five poses x, y, angle (Burmester's points).

        Five poses have finitely many solutions, which are all found; of fewer many are tried. `pivots` are two fixed
        pins for two or three poses.

        >>> found = mubo.synthesize.motion([(0, 0, 0), (1, 0.5, 20), (2, 0.6, 50)], pivots=[(0, -2), (2, -2)])
        >>> max(found[1].errors.values()) < 1e-9
        True
        """
        units = length_units(length)
        read = _rows(units, poses, ("x", "y", "angle"), ("length", "length", "angle"))
        pins = None if pivots is None else _rows(units, pivots, ("x", "y"), ("length", "length")) @ [1, 1j]
        return motion_task.motion(read, pivots=pins, linkages=linkages, units=units, most=most)

    @documented(
        points="Points x, y, with or without a crank angle, or a table (.csv) of them.",
        linkages='Kinds: "four-bar", "slider-crank", "inverted-slider", "watt", "stephenson", "geared-five-bar".',
        length="Unit of lengths.",
        most="Largest number of designs to report.",
        rounds="Rounds of starts that are tried.",
        seed="Seed of the random starts.",
        progress="Called with the work done and the whole work.",
        returns="The designs.",
    )
    def path(
        self,
        points: Rows,
        *,
        linkages: Sequence[str] = ("four-bar",),
        length: str = "",
        most: int = 12,
        rounds: int = path_task.ROUNDS,
        seed: int = 0,
        progress: Progress = lambda done, total: None,
    ) -> Synthesis:
        """Linkages whose coupler point goes through points x, y in their order; a third number is the crank's angle.

        `rounds` of starts are tried until some linkage meets the points exactly; else the nearest are answered. `seed`
        begins elsewhere.

        >>> found = mubo.synthesize.path([(0, 0), (1, 0), (2, 0.5), (1, 1), (0.2, 1)], rounds=1, most=3)
        >>> found[1].errors["place"] < 1e-9
        True
        """
        units = length_units(length)
        read = _rows(units, points, ("x", "y"), ("length", "length", "angle"), ("crank",))
        crank = read[:, 2] if read.ndim == 2 and read.shape[1] == 3 else None
        places = read[:, 0] + 1j * read[:, 1] if read.ndim == 2 else np.zeros(0, complex)
        how: dict[str, Any] = {"rounds": rounds, "seed": seed, "progress": progress, "most": most}
        return path_task.path(places, crank=crank, linkages=linkages, units=units, **how)

    @documented(
        swing="Swing of the rocker, in degrees or with a unit.",
        ratio="Time ratio of the slow to the quick stroke.",
        rocker="Length of the rocker.",
        length="Unit of lengths.",
        most="Largest number of designs to report.",
        returns="The designs.",
    )
    def swing(
        self, swing: Size, ratio: float = 1.0, *, rocker: Size = 1.0, length: str = "", most: int = 12
    ) -> Synthesis:
        """Crank-rockers whose rocker swings by an angle, with the time ratio of a quick return.

        >>> found = mubo.synthesize.swing(60, 1.2)
        >>> round(found[1].transmission, 1)
        40.3
        """
        units = length_units(length)
        angle, size = units.read(swing, "angle"), units.read(rocker, "length")
        return toggle_positions.swing(angle, float(ratio), rocker=size, units=units, most=most)

    @documented(
        stroke="Stroke of the output.",
        ratio="Time ratio of the slow to the quick stroke.",
        length="Unit of lengths.",
        most="Largest number of designs to report.",
        returns="The designs.",
    )
    def quick_return(self, stroke: Size, ratio: float, *, length: str = "", most: int = 12) -> Synthesis:
        """Slider-cranks, a shaper and a Whitworth drive of given stroke and time ratio.

        >>> found = mubo.synthesize.quick_return(100, 1.5, length="mm", most=4)
        >>> sorted({design.label for design in found.designs})
        ['Whitworth drive', 'shaper', 'slider-crank']
        """
        units = length_units(length)
        return quick_return.quick_return(units.read(stroke, "length"), float(ratio), units=units, most=most)


synthesize = Synthesize()
