"""The assembly modes of a model in words: how many, in which circuits, how far the driver can go in each."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.elements import COORDINATES
from mubo.errors import ModelError, nearest
from mubo.model import ModelDefinition
from mubo.solvers.structure.assembly_modes import AssemblyModes, find_modes
from mubo.solvers.structure.circuits import Circuit, Circuits, RangeEnd, find_circuits
from mubo.solvers.structure.group_solver import GroupSearch
from mubo.solvers.structure.mode_problem import ModeProblem, UnlockedDriver, mode_problem

WORDS = {
    "far": "a slide grows beyond all bounds there",
    "zero": "the driven length is zero there",
    "knot": "links fall together there and many motions meet, which are not followed",
    "stuck": "the motion could not be followed beyond",
}


@dataclass(frozen=True)
class Mode:
    """One assembly mode. Angles and the driver's range are in the model's units."""

    number: int
    circuit: int
    low: RangeEnd
    high: RangeEnd
    bodies: dict[str, tuple[float, ...]]  # x, y, phi
    other: str  # what stands otherwise than in mode 1
    path: Array  # coordinates of the free bodies along the circuit, in radians
    row: int  # where on the path the mode is

    @property
    def full_turn(self) -> bool:
        return self.low.kind == "turn"

    def range_words(self, unit: str, digits: int = 9) -> str:
        """ "full turn", "-118.3 to 118.3 mm", "no limit"."""
        if self.full_turn:
            return "full turn"
        if self.low.kind == self.high.kind == "endless":
            return "no limit"
        low, high = (
            "no limit" if end.kind == "endless" else f"{end.value + 0.0:.{digits}g}" for end in (self.low, self.high)
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


@dataclass(frozen=True)
class ModeReport:
    """All assembly modes of a model at its start. Print it to read it."""

    subject: ModeProblem
    driver: UnlockedDriver | None
    value: float  # of the freed driver, in the model's units, as limits and change points are
    unit: str
    held: dict[str, str]
    modes: tuple[Mode, ...]
    circuits: tuple[Circuit, ...]
    searches: tuple[GroupSearch, ...]
    notes: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        freed = {"name": self.driver.name, "of": self.driver.of, "value": self.value} if self.driver else None
        return {
            "status": "ok",
            "model": self.subject.model.name,
            "t": self.subject.time,
            "driver": freed,
            "held": list(self.held),
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

    def __str__(self) -> str:
        count, circuits = len(self.modes), len(self.circuits)
        lines = [
            f"modes of {self.subject.model.name} at t = {self.subject.time:g}: "
            f"{count} way{'s' * (count != 1)} to assemble it"
            + (f", in {circuits} circuit{'s' * (circuits != 1)}" if self.driver else "")
        ]
        if self.driver:
            lines.append(f"  freed    {self.driver.name} ({self.driver.of}), now {self.value:.9g}{self.unit}")
        lines += [f"  held     {name} at {value}" for name, value in self.held.items()]
        reach = [mode.range_words(self.unit) if self.driver else "stands still" for mode in self.modes]
        head = f"range of {self.driver.name}" if self.driver else "motion"
        width = max(map(len, (head, *reach)))
        lines.append(f"  mode  circuit  {head:<{width}}  {'other than mode 1' if count > 1 else ''}".rstrip())
        for mode, words in zip(self.modes, reach, strict=True):
            lines.append(f"  {mode.number:>4}  {mode.circuit:>7}  {words:<{width}}  {mode.other}".rstrip())
        lines += [f"  circuit {n}  {words}" for n, c in enumerate(self.circuits, 1) if (words := self._on_the_way(c))]
        lines += [f"  search   {_search_words(s)}" for s in self.searches]
        return "\n".join([*lines, *(f"  note     {note}" for note in self.notes)])

    __repr__ = __str__

    def _on_the_way(self, circuit: Circuit) -> str:
        told = []
        crossed = [round(value, 6) for value in circuit.change_points]  # located less sharply than limits
        for word, values in (("limit position", circuit.limits), ("change point", crossed)):
            if values:
                shown = ", ".join(f"{value + 0.0:.9g}" for value in values)
                told.append(f"{word}{'s' * (len(values) > 1)} at {shown}{self.unit}")
        return "; ".join(told)


def mode_report(model: ModelDefinition, driver: str | None = None) -> ModeReport:
    """The assembly modes of a model at its start, with `driver` (default: the first) freed to find the circuits."""
    if driver is not None and driver not in model.drivers:
        raise ModelError(f'there is no driver "{driver}". {nearest(driver, model.drivers)}', names=[driver])
    subject = mode_problem(model)
    modes = find_modes(subject)
    number = list(model.drivers).index(driver) if driver else 0
    freed = subject.drivers[number] if subject.drivers else None
    circuits = find_circuits(modes, number) if freed else _standing(modes)
    factor = freed.factor if freed else 1.0
    units = [_unit(model, each.turns) for each in subject.drivers]
    others = [(k, each) for k, each in enumerate(subject.drivers) if k != number]
    held = {each.name: f"{subject.motion[3 * k] / each.factor:.9g}{units[k]}" for k, each in others}
    told = tuple(_mode(modes, circuits, k, factor) for k in range(len(modes.found)))
    return ModeReport(
        subject=subject,
        driver=freed,
        value=circuits.value / factor,
        unit=units[number] if units else "",
        held=held,
        modes=told,
        circuits=tuple(_in_units(circuit, factor, circuits.turning) for circuit in circuits.circuits),
        searches=_summed(modes.searches),
        notes=(*_free_notes(modes.free), *_end_notes(told, units[number] if units else "")),
    )


def _standing(modes: AssemblyModes) -> Circuits:
    """A structure: nothing moves, every mode is a circuit of its own."""
    still = RangeEnd(0.0, "")
    count = range(len(modes.found))
    paths = {k: (modes.absolute(modes.found[k].x, modes.subject.motion)[None], 0) for k in count}
    return Circuits("", 0.0, False, [Circuit([k]) for k in count], dict.fromkeys(count, (still, still)), paths)


def _unit(model: ModelDefinition, turns: bool) -> str:
    """The unit behind a value of a driver: " deg", " mm", or nothing where the model declares no length."""
    label = model.units.of("angle" if turns else "length") or ("rad" if turns else "")
    return f" {label}" if label else ""


def _mode(modes: AssemblyModes, circuits: Circuits, k: int, factor: float) -> Mode:
    q = modes.absolute(modes.found[k].x, modes.subject.motion)
    low, high = (RangeEnd(end.value / factor, end.kind) for end in circuits.ranges[k])
    path, row = circuits.paths[k]
    return Mode(k + 1, circuits.circuit_of(k) + 1, low, high, modes.subject.places(q), _other(modes, k), path, row)


def _other(modes: AssemblyModes, k: int) -> str:
    """The groups that stand otherwise than in mode 1: "coupler-rocker", "a-b-c-d (3)" for the third solution."""
    told = []
    if k and not modes.found[k].choice:
        return "found by following the motion"
    for (_, unknowns), choice in zip(modes.loops.blocks, modes.found[k].choice, strict=True):
        if choice > 1:
            names = dict.fromkeys(modes.loops.unknown_names[u].split(" of ", 1)[1] for u in unknowns)
            told.append("-".join(names) + (f" ({choice})" if choice > 2 else ""))
    return ", ".join(told)


def _in_units(circuit: Circuit, factor: float, turning: bool) -> Circuit:
    """Limits and change points in the model's units; change points of a turning driver within one turn from zero."""
    turn = 2 * math.pi
    crossed = [(value + 1e-5) % turn - 1e-5 if turning else value for value in circuit.change_points]
    return Circuit(circuit.modes, _once(circuit.limits, factor, 1e-7), _once(crossed, factor, 1e-5), circuit.meeting)


def _once(values: list[float], factor: float, apart: float) -> list[float]:
    """Values in the model's units, sorted, each once."""
    out: list[float] = []
    for value in sorted(values):
        if not out or not math.isclose(value / factor, out[-1], rel_tol=apart, abs_tol=apart / factor):
            out.append(value / factor)
    return out


def _summed(searches: list[GroupSearch]) -> tuple[GroupSearch, ...]:
    """One line per group, whatever the groups before it."""
    sums: dict[tuple[str, ...], tuple[int, int]] = {}
    for search in searches:
        starts, found = sums.get(search.unknowns, (0, 0))
        sums[search.unknowns] = (starts + search.starts, found + search.found)
    return tuple(GroupSearch(names, *counts) for names, counts in sums.items())


def _search_words(search: GroupSearch) -> str:
    names = ", ".join(search.unknowns)
    return f"{names}: {search.found} found from {search.starts} starts; a search may miss some"


def _free_notes(free: list[str]) -> list[str]:
    """Positions that are left out because they are infinitely many."""
    return [
        f"in {count} way{'s' * (count != 1)} to assemble the groups before, {names} can turn freely: left out"
        for names, count in Counter(free).items()
    ]


def _end_notes(modes: tuple[Mode, ...], unit: str) -> list[str]:
    """Ends of ranges that are no limit positions, reported once each."""
    told: dict[str, list[str]] = {}
    for mode in modes:
        for end in (mode.low, mode.high):
            if end.kind in WORDS:
                numbers = told.setdefault(f"at {np.round(end.value, 6) + 0.0:.7g}{unit}: {WORDS[end.kind]}", [])
                numbers += [] if str(mode.number) in numbers else [str(mode.number)]
    return [f"mode{'s' * (len(n) > 1)} {', '.join(n)} {text}" for text, n in told.items()]
