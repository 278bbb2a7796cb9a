"""Strength over a mission: several kinds of runs, each so many times, as a table states them.

    runs,load [N]
    200000,40
    5000,120

Every kind of run is judged by itself, with the parameters of its line. What is largest is taken from the worst of them;
what adds up over time is added: cycles of stress (Miner), the revolutions of rolling bearings, which a mean effective
load weighs, (Σ n u P^p / Σ n u)^(1/p), and the sliding of plain ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mubo.applications.strength.checks import StrengthCheck
from mubo.applications.strength.fatigue_life import life_checks
from mubo.applications.strength.links import range_check
from mubo.applications.strength.mission_damage import Kind, mission_life, mission_range
from mubo.applications.strength.pins import PinDuty, pin_checks
from mubo.applications.strength.report import Mission, MissionCase, Strength
from mubo.design.ranges import TABLE, points_of_lines
from mubo.errors import ModelError
from mubo.formats.cell_table import Lines, read_cells
from mubo.formats.column_units import split_unit
from mubo.model import ModelDefinition

RUNS = "runs"  # the column that counts
SUMMED = (  # checks of pins that follow from the whole mission
    "mean effective load",
    "life L10 in revolutions",
    "life L10 in missions",
    "life L10 in time",
    "mean pressure × speed",
    "sliding distance of a mission",
)
EXAMPLE = "Give the kinds of runs as lines: a column runs with a whole number each, and columns of parameters."
Key = tuple[str, str, str]


def cases_of(model: ModelDefinition, given: Mapping[str, Any] | str | Path) -> list[tuple[int, dict[str, float], str]]:
    """How often each kind of run occurs, its parameters, and these as they are written."""
    if isinstance(given, Mapping):
        lines, place = _lines_of(given), "mission"
    else:
        path = Path(str(given).removeprefix(TABLE))
        lines, place = read_cells(path, "runs"), str(path)
    heads = [split_unit(cell) for cell in lines[0][1]] if lines else []
    if RUNS in model.parameters:
        raise ModelError(f'{place}: the parameter "{RUNS}" has the name of the column that counts: rename it')
    if [name for name, _ in heads].count(RUNS) != 1:
        raise ModelError(f'{place}: there is no column "{RUNS}"', suggestion=EXAMPLE)
    points = points_of_lines(model, lines, place, RUNS)
    out = []
    for (line, cells), values in zip(lines[1:], points.values.tolist(), strict=True):
        entries = dict(zip(points.names, values, strict=True))
        count = entries.pop(RUNS)
        if not (count >= 1 and count == int(count)):
            raise ModelError(f"{place}, line {line}: {RUNS} must be a whole number from 1; found {count:g}")
        written = (f"{name} = {cell} {unit}".strip() for (name, unit), cell in zip(heads, cells, strict=True))
        label = ", ".join(text for text in written if not text.startswith(f"{RUNS} ="))
        out.append((int(count), entries, label or "as in the file"))
    return out


def _lines_of(given: Mapping[str, Any]) -> Lines:
    columns = [list(map(str, values)) if isinstance(values, Sequence) else [str(values)] for values in given.values()]
    if len({len(column) for column in columns}) > 1:
        raise ModelError("mission: all columns need one length", suggestion=EXAMPLE)
    return [(1, list(given)), *((k, list(row)) for k, row in enumerate(zip(*columns, strict=True), 2))]


def strength_of_mission(cases: Sequence[MissionCase]) -> Strength:
    """The strength over all cases: the run is that of the case which governs."""
    _require_same_parts(cases)
    summed, shares = _summed_checks(cases)
    names: dict[Key, StrengthCheck] = {}
    for key in dict.fromkeys(_key(check) for case in cases for check in case.found.checks):
        names[key] = summed[key] if key in summed else _worst_of(cases, key)
    checks = tuple(names.values())
    refused = {part: why for case in cases for part, why in case.found.refused.items()}
    governing = _governing(cases, checks)
    time = sum(case.runs * _duration(case) for case in cases)
    notes = dict.fromkeys(f"case {case.number}: {note}" for case in cases for note in case.found.notes)
    base = governing.found
    return replace(
        base, checks=checks, notes=tuple(notes), refused=refused, mission=Mission(tuple(cases), shares, time)
    )


def _duration(case: MissionCase) -> float:
    t = case.found.clearance.sample.t
    return float(t[-1] - t[0])


def _key(check: StrengthCheck) -> Key:
    """A check by its part and by what it looks at, as the whole mission has it."""
    return check.table, check.name, _OF_MISSION.get(check.what, check.what)


_OF_MISSION = {
    "fatigue: cycles of a run": "fatigue: cycles of a mission",
    "fatigue: life in runs": "fatigue: life in missions",
    "life L10 in cycles": "life L10 in missions",
    "sliding distance of a cycle": "sliding distance of a mission",
}


def _require_same_parts(cases: Sequence[MissionCase]) -> None:
    """Refuses parameters that change what is judged."""
    first = cases[0].found
    for case in cases[1:]:
        for table in ("pins", "sections", "materials", "struts"):
            here, there = getattr(case.found.run.model, table), getattr(first.run.model, table)
            changed = [name for name in here if dict(here[name].options) != dict(there[name].options)]
            if changed:
                raise ModelError(
                    f"case {case.number} changes the {table.rstrip('s')} {changed[0]}: a mission changes loads and "
                    "motions of one machine",
                    suggestion="Compare different parts by a sweep, or by --set @table.",
                    names=changed,
                )
        for name, link in case.found.links.items():
            if name in first.links and abs(link.beam.length - first.links[name].beam.length) > 1e-12 * link.beam.length:
                raise ModelError(
                    f"case {case.number} changes the length of {name}: a mission changes loads and motions of one "
                    "machine",
                    names=[name],
                )


def _summed_checks(
    cases: Sequence[MissionCase],
) -> tuple[dict[Key, StrengthCheck], dict[str, tuple[float, ...]]]:
    """The checks of pins and links that follow from the whole mission, and the shares of the cases in their damage."""
    found, runs = [case.found for case in cases], [case.runs for case in cases]
    model = found[0].run.model
    out: list[StrengthCheck] = []
    shares: dict[str, tuple[float, ...]] = {}
    for owner, (pin, _) in found[0].pins.items():
        if not all(owner in one.pins for one in found):
            continue
        duties = [one.pins[owner][1] for one in found]
        whole = _added(duties, runs)
        out += [check for check in pin_checks(model, pin, whole, "mission") if check.what in SUMMED]
        if pin.rolling and whole.weighted > 0:
            part = tuple(n * duty.weighted / whole.weighted for n, duty in zip(runs, duties, strict=True))
            shares[f"pin {pin.name(model)}"] = part
    for owner, link in found[0].links.items():
        if not all(owner in one.links for one in found):
            continue
        kinds: list[Kind] = [(one.links[owner], one.clearance.history, one.clearance.sample) for one in found]
        if (ranged := mission_range(kinds)) is not None:
            out.append(range_check(model.units, link, *ranged))
        life = mission_life(kinds, runs)
        if life is not None and link.endurance is not None:
            out += life_checks(life.life, model.units, link.endurance, "mission")
            shares[f"section {owner}"] = life.shares
    return {_key(check): check for check in out}, shares


def _added(duties: Sequence[PinDuty], runs: Sequence[int]) -> PinDuty:
    """The duty of a pin over a mission: sums over all runs, and the greatest values of any."""

    def total(name: str) -> float:
        return sum(n * float(getattr(duty, name)) for n, duty in zip(runs, duties, strict=True))

    peaks = {word: max((duty.peaks[word] for duty in duties), key=lambda pair: pair[0]) for word in duties[0].peaks}
    loose = max(duty.loose for duty in duties)
    return PinDuty(total("turned"), total("friction_work"), total("weighted"), total("time"), peaks, loose)


def _worst_of(cases: Sequence[MissionCase], key: Key) -> StrengthCheck:
    """The check of the case where it is worst: the least margin, of distances the least, else the greatest value."""
    pairs = [(case, check) for case in cases for check in case.found.checks if _key(check) == key]

    def badness(pair: tuple[MissionCase, StrengthCheck]) -> tuple[bool, float, float]:
        check = pair[1]
        return check.ok is not False, check.margin, check.value if check.fits is not None else -abs(check.value)

    case, check = min(pairs, key=badness)
    return replace(check, where="; ".join(filter(None, (f"case {case.number}", check.where))))


def _governing(cases: Sequence[MissionCase], checks: Sequence[StrengthCheck]) -> MissionCase:
    """The case that has the check with the least margin of those that belong to one case."""
    named = {f"case {case.number}": case for case in cases}
    limited = [check for check in checks if check.safety is not None and check.where.partition(";")[0] in named]
    worst = min(limited, key=lambda check: check.margin, default=None)
    return cases[0] if worst is None else named[worst.where.partition(";")[0]]
