"""The result of a strength analysis: a table to sign, and everything behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.applications.clearance.clearance import ClearanceResult
from mubo.applications.strength.beams import pieces_of
from mubo.applications.strength.checks import StrengthCheck, governing
from mubo.applications.strength.links import Link, WorstInstant
from mubo.applications.strength.pins import Pin, PinDuty
from mubo.applications.strength.stresses import SIDES, normal_stress
from mubo.arrays import Array
from mubo.docstrings import documented
from mubo.errors import ResultError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.results import Run
from mubo.results.presentation import DrawnResult, presented_by

if TYPE_CHECKING:
    import pandas


PER_FORCE = ("shear of the pin", "bearing pressure", "static load")  # checks of a pin that grow with its force


@dataclass(frozen=True, eq=False)
class MissionCase:
    """One kind of run of a mission: how often it occurs, its parameters, as numbers and as they are written, and its
    strength."""

    number: int
    runs: int
    values: Mapping[str, float]
    label: str
    found: Strength


@dataclass(frozen=True, eq=False)
class Mission:
    """The kinds of runs of a mission, its time, and by part the share of each kind in the damage that it does.

    >>> mission = mubo.load("strong_four_bar.toml").strength(mission={"runs": [9, 1]}).mission
    >>> [round(share, 6) for share in mission.shares["pin A"]]
    [0.9, 0.1]
    """

    cases: tuple[MissionCase, ...]
    shares: dict[str, tuple[float, ...]]
    time: float


@dataclass(frozen=True, eq=False, repr=False)
class Strength(DrawnResult):
    """Checks of pins, links and clearances along a run, in the model's units; print it for the table.

    >>> found = mubo.load("strong_four_bar.toml").strength()
    >>> found.governs("section coupler").what, found.ok
    ('largest stress', True)
    """

    run: Run
    checks: tuple[StrengthCheck, ...]
    pins: dict[str, tuple[Pin, PinDuty]]  # by "A.on_crank"
    links: dict[str, Link]  # by body
    worst: dict[str, WorstInstant | None]  # by body: at its largest stress
    clearance: ClearanceResult
    notes: tuple[str, ...]
    refused: dict[str, str]  # "pin A": why nothing is reported for it
    mission: Mission | None = None  # of several kinds of runs; the run is then that of the case which governs

    @property
    def ok(self) -> bool:
        """Whether the motion was solved to its end, all was reported, and all is as safe as asked for.

        >>> mubo.load("strong_four_bar.toml").strength().ok
        True
        """
        runs = [self.run] if self.mission is None else [case.found.run for case in self.mission.cases]
        whole = all(run.summary["status"] == "ok" for run in runs) and not self.refused
        return whole and all(check.ok is not False for check in self.checks)

    @property
    def parts(self) -> dict[str, list[StrengthCheck]]:
        """The checks of every part, by "pin A" or "section coupler".

        >>> list(mubo.load("strong_four_bar.toml").strength().parts)[:2]
        ['pin A', 'pin B']
        """
        out: dict[str, list[StrengthCheck]] = {}
        for check in self.checks:
            out.setdefault(f"{check.table} {check.name}", []).append(check)
        return out

    def governs(self, part: str) -> StrengthCheck | None:
        """The check that governs a part; None where nothing limits it.

        >>> mubo.load("strong_four_bar.toml").strength().governs("pin C").what
        'bearing pressure'
        """
        return governing(self.parts[part])

    def check(self, part: str, what: str) -> StrengthCheck:
        """One line of the table.

        >>> round(mubo.load("strong_four_bar.toml").strength().check("pin A", "largest load").value)
        95587
        """
        return next(check for check in self.parts[part] if check.what == what)

    @documented(
        body="Link with a section.",
        t="Time within the run, in the model's unit of time.",
        s="Lengths from the start of the beam, in the model's unit; 41 even ones by default.",
        returns="A table with s, N, V, M and the stresses on both sides, each an array in the model's units.",
        raises={"ResultError": "If there is no such beam, time or place."},
    )
    def section_forces(self, body: str, t: float, s: Sequence[float] | None = None) -> dict[str, Array]:
        """Section forces and stresses of a link at any instant and place: solved there, not interpolated.

        >>> found = mubo.load("strong_four_bar.toml").strength()
        >>> cut = found.section_forces("coupler", 0.3, [0.0, 2.0, 4.0])
        >>> list(cut), cut["N"].shape
        (['s', 'N', 'V', 'M', 'left', 'right'], (3,))
        """
        units = self.run.units
        if body not in self.links:
            raise ResultError(f'there is no beam "{body}". {nearest(body, self.links)}')
        link = self.links[body]
        length = link.beam.length
        at = np.linspace(0, length, 41) if s is None else np.asarray(s, float) * units.factor("length")
        sample = self.clearance.history.at(np.array([t * units.factor("time")]))
        if not len(sample.t) or np.any((at < 0) | (at > length * (1 + 1e-12))):
            size = f"{length / units.factor('length'):.4g}"
            raise ResultError(f"{body}: the run has no time {t:g}, or its beam no such place: it is {size} long")
        n, v, m = (part[0] for part in pieces_of(link.beam, sample).at(at))
        sides = {word: normal_stress(link.beam.section, n, m, side) for side, word in SIDES.items()}
        kinds = {"s": "length", "N": "force", "V": "force", "M": "torque", "left": "stress", "right": "stress"}
        found = {"s": at, "N": n, "V": v, "M": m, **sides}
        return {key: values / units.factor(kinds[key]) for key, values in found.items()}

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and text.

        >>> mubo.load("strong_four_bar.toml").strength().as_dict()["status"]
        'ok'
        """
        entries: dict[str, Any] = presented_by("Strength.as_dict")(self)
        return entries

    def table(self) -> pandas.DataFrame:
        """The checks as a pandas table.

        >>> len(mubo.load("strong_four_bar.toml").strength().table()) > 20
        True
        """
        table: pandas.DataFrame = presented_by("Strength.table")(self)
        return table

    def save(self, path: str | Path) -> None:
        """Writes the table; the ending decides: .csv, .json, .txt for the text, .svg or .dxf for the envelopes.

        >>> mubo.load("strong_four_bar.toml").strength().save("table.csv")
        """
        presented_by("Strength.save")(self, path)


def allowed_columns(found: Strength) -> list[tuple[str, str, str, float]]:
    """Limits of columns, each with "body" or "joint" and its name: for links the stress that is allowed, for pins the
    force at which a check that grows with it would fail."""
    out: list[tuple[str, str, str, float]] = []
    for owner in found.links:
        check = found.check(f"section {owner}", "largest stress")
        if check.limit is not None:
            out.append(("body", owner, f"{owner}.stress", check.limit / check.asked))
    for owner, (pin, _) in found.pins.items():
        part = f"pin {pin.name(found.run.model)}"
        margins = [check.margin for check in found.parts[part] if check.what in PER_FORCE and check.safety is not None]
        load = found.check(part, "largest load").value
        if margins and np.isfinite(min(margins)) and load > 0:
            out.append(("joint", owner.partition(".on_")[0], f"{owner}.f", load * min(margins)))
    return out
