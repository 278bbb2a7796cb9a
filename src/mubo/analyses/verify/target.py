"""The target of a verification: a run, and its table as states of the equations in absolute coordinates.

States consist of the table's own columns. So what is verified is what people have in their hands, not what the solver
had in its memory.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import product
from mubo.laws.law import breaks_of
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property, found_once
from mubo.mechanism import Absolute, absolute, mechanism_of
from mubo.mechanism.formulations.absolute import EquationScales
from mubo.results import Columns, Run
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_mechanism_start


def start_of_run(run: Run) -> StartAnalysis:
    """The analysis of the first position of a run; that of a simulation, which needs none, is made once and kept."""
    record = run.record
    if record.inspection is not None:
        return cast(StartAnalysis, record.inspection)
    start, form = record.times.start, record.form
    known = form is not None and form.mechanism.model is run.model
    mechanism = form.mechanism if known else mechanism_of(run.model)
    return found_once(
        run.model.derived_values, f"simulation from {start!r}", lambda: analyse_mechanism_start(mechanism, start)
    )


@dataclass(frozen=True, eq=False)
class Subject:
    """A run, and its table as states."""

    run: Run

    @property
    def t(self) -> Array:
        return self.run.columns.raw("t")

    def time_text(self, row: int) -> str:
        """The time of a row with its unit."""
        return self.run.units.time_text(self.t[row], 6)

    @cached_property
    def form(self) -> Absolute:
        """The model in absolute coordinates; a motion obeys the equations on velocities, such as rolling, too."""
        form = start_of_run(self.run).form
        mechanism = form.mechanism
        moves = mechanism.positions_only and self.run.record.study == "simulate"
        return absolute(replace(mechanism, positions_only=False)) if moves else form

    @cached_property
    def states(self) -> Array:
        """times × 3 × unknowns, from the columns of the bodies."""
        return states_of(self.form, self.run.columns)

    @cached_property
    def motion(self) -> Array:
        """The motion of the drivers at the rows; drivers that the study locks have no rates."""
        motion = self.form.motion(self.t)
        if self.is_static:
            motion[:, 1::3] = motion[:, 2::3] = 0.0
        return motion

    @cached_property
    def error_growth(self) -> list[Array]:
        """Growth of errors up to every row, by pairs of other runs at two tolerances, one entry a pair."""
        return []

    @property
    def is_static(self) -> bool:
        return self.run.record.study == "statics"

    @property
    def of_equilibria(self) -> bool:
        """Whether rows are equilibria, not a motion."""
        return "equilibria" in self.run.summary

    @cached_property
    def scales(self) -> EquationScales:
        return self.form.equation_scales

    @cached_property
    def sizes(self) -> tuple[float, float, float]:
        """The largest position, rate and acceleration, lengths in sizes of the mechanism, angles in radians."""
        largest = np.max(np.abs(self.states * self.form.weight), axis=(0, 2), initial=0.0)
        return 1.0, float(largest[1]), float(largest[2])

    def looks(self, most: int) -> list[int]:
        """Numbers of rows to look at, evenly spread, the first and the last among them."""
        count = len(self.t)
        return sorted({int(k) for k in np.linspace(0, count - 1, min(most, count))}) if count else []

    @cached_property
    def corners(self) -> Array:
        """Times at which a law of a driver has a corner."""
        if not len(self.t):
            return np.zeros(0)
        laws = [driver.motion for driver in self.run.model.drivers.values()]
        ends = float(self.t[0]), float(self.t[-1])
        return np.array(sorted({float(t) for law in laws for t in breaks_of(law, *ends)}))


def forward(run: Run) -> Run:
    """A run without the rows of its return, whose laws are those of the model: where it was not reversed, itself."""
    settings, t = run.record.settings, run.columns.raw("t")
    if not getattr(settings, "reverse", False):
        return run
    turned = np.flatnonzero(np.diff(t) <= 0)
    count = int(turned[0]) + 1 if len(turned) else len(t)
    columns = run.columns.replaced({name: run.columns.raw(name)[:count] for name in run.columns})
    return replace(run, columns=columns, record=replace(run.record, settings=replace(settings, reverse=False)))


def states_of(form: Absolute, columns: Columns) -> Array:
    """Positions, rates and accelerations of the unknowns; in space ṗ = ω p / 2 and p̈ = (α p + ω ṗ) / 2."""
    parts = [(_plane if form.mechanism.dimension == 2 else _space)(columns, name) for name in form.free]
    return np.ascontiguousarray(np.concatenate(parts, axis=2))


def _take(columns: Columns, name: str, words: str) -> Array:
    return np.stack([columns.raw(f"{name}.{word}") for word in words.split()], axis=1)


def _plane(columns: Columns, name: str) -> Array:
    return np.stack([_take(columns, name, words) for words in ("x y phi", "vx vy omega", "ax ay alpha")], axis=1)


def _space(columns: Columns, name: str) -> Array:
    p = _take(columns, name, "qw qx qy qz")
    spin, change = (_pure(_take(columns, name, words)) for words in ("wx wy wz", "alphax alphay alphaz"))
    rate = product(spin, p) / 2
    turns = (p, rate, (product(change, p) + product(spin, rate)) / 2)
    places = (_take(columns, name, words) for words in ("x y z", "vx vy vz", "ax ay az"))
    return np.stack([np.concatenate(pair, axis=1) for pair in zip(places, turns, strict=True)], axis=1)


def _pure(vector: Array) -> Array:
    return np.concatenate([np.zeros((len(vector), 1)), vector], axis=1)
