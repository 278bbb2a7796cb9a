"""The assembly modes of a model: how many, in which circuits, and the range of the driver in each."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.elements import COORDINATES
from mubo.errors import ModelError, nearest
from mubo.laws.number_text import number
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.note import Note
from mubo.results.presentation import DrawnResult
from mubo.solvers.structure.assembly_modes import AssemblyModes, find_modes
from mubo.solvers.structure.circuits import Circuit, Circuits, RangeEnd, find_circuits
from mubo.solvers.structure.group_solver import GroupSearch
from mubo.solvers.structure.mode_problem import ModeProblem, UnlockedDriver, mode_problem

OTHER_ENDS = ("far", "zero", "knot", "stuck")  # ends of ranges that are no limit positions


@dataclass(frozen=True)
class Mode:
    """One assembly mode. Angles and the driver's range are in the model's units."""

    number: int
    circuit: int
    low: RangeEnd
    high: RangeEnd
    bodies: dict[str, tuple[float, ...]]  # x, y, phi
    other: str  # the groups whose position differs from that in mode 1
    path: Array  # coordinates of the free bodies along the circuit, in radians
    row: int  # where on the path the mode is

    @property
    def full_turn(self) -> bool:
        """Whether the driver can turn through a full revolution."""
        return self.low.kind == "turn"

    def describe_range(self, unit: str) -> str:
        """The range of the driver: "full turn", "-118.3 to 118.3 mm", "no limit"."""
        if self.full_turn:
            return "full turn"
        if self.low.kind == self.high.kind == "endless":
            return "no limit"
        low, high = (
            "no limit" if end.kind == "endless" else number(end.value + 0.0, 4) for end in (self.low, self.high)
        )
        return f"{low} to {high}{unit}"

    def as_dict(self) -> dict[str, Any]:
        ends = [None if end.kind in ("turn", "endless", "") else end.value for end in (self.low, self.high)]
        return {
            "mode": self.number,
            "circuit": self.circuit,
            "full_turn": self.full_turn,
            "range": ends,
            "range_ends": [self.low.kind, self.high.kind],
            "bodies": {name: dict(zip(COORDINATES, pose, strict=True)) for name, pose in self.bodies.items()},
        }


@dataclass(frozen=True, repr=False)
class ModeReport(DrawnResult):
    """All assembly modes of a model at its start; printing it gives the table."""

    subject: ModeProblem
    driver: UnlockedDriver | None
    value: float  # of the undriven driver, in the model's units, as limits and change points are
    unit: str
    locked: dict[str, str]  # values of the other drivers, which are locked
    modes: tuple[Mode, ...]
    circuits: tuple[Circuit, ...]
    searches: tuple[GroupSearch, ...]
    notes: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        driver = {"name": self.driver.name, "of": self.driver.of, "value": self.value} if self.driver else None
        return {
            "status": "ok",
            "model": self.subject.model.name,
            "t": self.subject.time,
            "driver": driver,
            "locked": list(self.locked),
            "modes": [mode.as_dict() for mode in self.modes],
            "circuits": [
                {
                    "circuit": number,
                    "modes": [mode + 1 for mode in circuit.modes],
                    "limits": circuit.limits,
                    "change_points": circuit.change_points,
                }
                for number, circuit in enumerate(self.circuits, 1)
            ],
            "searches": [{"unknowns": list(s.unknowns), "starts": s.starts, "found": s.found} for s in self.searches],
            "notes": list(self.notes),
        }


def mode_report(model: ModelDefinition, driver: str | None = None) -> ModeReport:
    """The assembly modes of a model at its start, with `driver` (default: the first) undriven to find the circuits."""
    if driver is not None and driver not in model.drivers:
        raise ModelError(f'there is no driver "{driver}". {nearest(driver, model.drivers)}', names=[driver])
    subject = mode_problem(model)
    modes = find_modes(subject)
    number = list(model.drivers).index(driver) if driver else 0
    undriven = subject.drivers[number] if subject.drivers else None
    circuits = find_circuits(modes, number) if undriven else _fixed_circuits(modes)
    factor = undriven.factor if undriven else 1.0
    units = [_unit(model, each.turns) for each in subject.drivers]
    others = [(k, each) for k, each in enumerate(subject.drivers) if k != number]
    locked = {each.name: f"{subject.motion[3 * k] / each.factor:.9g}{units[k]}" for k, each in others}
    found = tuple(_mode(modes, circuits, k, factor) for k in range(len(modes.found)))
    return ModeReport(
        subject=subject,
        driver=undriven,
        value=circuits.value / factor,
        unit=units[number] if units else "",
        locked=locked,
        modes=found,
        circuits=tuple(_in_units(circuit, factor, circuits.turning) for circuit in circuits.circuits),
        searches=_sum_searches(modes.searches),
        notes=tuple(map(str, (*_free_notes(modes.free), *_end_notes(found, units[number] if units else "")))),
    )


def _fixed_circuits(modes: AssemblyModes) -> Circuits:
    """The circuits of a structure without a driver: every mode is one of its own."""
    still = RangeEnd(0.0, "")
    count = range(len(modes.found))
    paths = {k: (modes.absolute(modes.found[k].x, modes.subject.motion)[None], 0) for k in count}
    return Circuits("", 0.0, False, [Circuit([k]) for k in count], dict.fromkeys(count, (still, still)), paths)


def _unit(model: ModelDefinition, turns: bool) -> str:
    """The unit behind a value of a driver: " deg", " mm", or nothing where the model declares no length."""
    label = model.units.unit_of("angle" if turns else "length") or ("rad" if turns else "")
    return f" {label}" if label else ""


def _mode(modes: AssemblyModes, circuits: Circuits, k: int, factor: float) -> Mode:
    q = modes.absolute(modes.found[k].x, modes.subject.motion)
    low, high = (RangeEnd(end.value / factor, end.kind) for end in circuits.ranges[k])
    path, row = circuits.paths[k]
    return Mode(k + 1, circuits.circuit_of(k) + 1, low, high, modes.subject.places(q), _other(modes, k), path, row)


def _other(modes: AssemblyModes, k: int) -> str:
    """The groups whose position differs from that in mode 1: "coupler-rocker", "a-b-c-d (3)" for the third solution."""
    groups = []
    if k and not modes.found[k].choice:
        return "found by following the motion"
    for (_, unknowns), choice in zip(modes.loops.blocks, modes.found[k].choice, strict=True):
        if choice > 1:
            names = dict.fromkeys(modes.loops.unknown_names[u].split(" of ", 1)[1] for u in unknowns)
            groups.append("-".join(names) + (f" ({choice})" if choice > 2 else ""))
    return ", ".join(groups)


def _in_units(circuit: Circuit, factor: float, turning: bool) -> Circuit:
    """Limits and change points in the model's units; change points of a turning driver within one turn from zero."""
    turn = 2 * math.pi
    crossed = [(value + 1e-5) % turn - 1e-5 if turning else value for value in circuit.change_points]
    return Circuit(
        circuit.modes,
        _unique_values(circuit.limits, factor, 1e-7),
        _unique_values(crossed, factor, 1e-5),
        circuit.meeting,
    )


def _unique_values(values: list[float], factor: float, tolerance: float) -> list[float]:
    """Values in the model's units, sorted, each once."""
    out: list[float] = []
    for value in sorted(values):
        if not out or not math.isclose(value / factor, out[-1], rel_tol=tolerance, abs_tol=tolerance / factor):
            out.append(value / factor)
    return out


def _sum_searches(searches: list[GroupSearch]) -> tuple[GroupSearch, ...]:
    """The searches of each group, summed over the solutions of the groups before it."""
    sums: dict[tuple[str, ...], tuple[int, int]] = {}
    for search in searches:
        starts, found = sums.get(search.unknowns, (0, 0))
        sums[search.unknowns] = (starts + search.starts, found + search.found)
    return tuple(GroupSearch(names, *counts) for names, counts in sums.items())


def _free_notes(free: list[str]) -> list[Note]:
    """Notes on groups that are left out because they have infinitely many positions."""
    return [Note("runs.group_turns_freely", unknowns=names, count=count) for names, count in Counter(free).items()]


def _end_notes(modes: tuple[Mode, ...], unit: str) -> list[Note]:
    """Notes on the ends of ranges that are no limit positions, each once."""
    numbers: dict[tuple[float, str], dict[int, None]] = {}
    for mode in modes:
        for end in (mode.low, mode.high):
            if end.kind in OTHER_ENDS:
                numbers.setdefault((float(f"{np.round(end.value, 6) + 0.0:.4g}"), end.kind), {})[mode.number] = None
    return [Note("runs.range_ends", modes=[*n], value=at, unit=unit, kind=kind) for (at, kind), n in numbers.items()]
