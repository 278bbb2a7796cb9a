"""The mission behind a strength result: its kinds of runs, what governs each, and their shares in the damage."""

from __future__ import annotations

from mubo.applications.strength.checks import format_value, governing
from mubo.applications.strength.report import Strength
from mubo.laws.number_text import number

Line = tuple[str, ...]
NOTHING = 1e-9  # of the damage: a share that is rounding


def describe_mission(found: Strength) -> str:
    """How many kinds of runs, how many runs, and how long they last together."""
    assert found.mission is not None
    cases, time = found.mission.cases, format_value(found.run.units, "time", found.mission.time)
    ended = ", ".join(f"case {case.number} {case.found.run.summary['status']}" for case in cases)
    count = f"{sum(case.runs for case in cases):,} runs of {len(cases)} kinds"
    return f"mission: {count}, {time}; {ended}"


def mission_lines(found: Strength) -> list[Line]:
    """A line for every kind of run; nothing where there is no mission."""
    if found.mission is None:
        return []
    out: list[Line] = [("case", "runs", "parameters", "governed by", "safety")]
    for case in found.mission.cases:
        worst = governing(list(case.found.checks))
        governs = ("", "") if worst is None else (f"{worst.table} {worst.name}: {worst.what}", f"{worst.safety:.3g}")
        out.append((str(case.number), f"{case.runs:,}", case.label, *governs))
    return out


def damage_lines(found: Strength) -> list[Line]:
    """A line for every part whose life ends: the shares of the kinds of runs in its damage, and of their changes."""
    if found.mission is None or not found.mission.shares:
        return []
    rest = {part: 1 - sum(shares) for part, shares in found.mission.shares.items()}
    changes = ("changes",) if any(share > NOTHING for share in rest.values()) else ()
    out: list[Line] = [("damage of", *(f"case {case.number}" for case in found.mission.cases), *changes)]
    for part, shares in found.mission.shares.items():
        out.append((part, *map(_percent, (*shares, rest[part])[: len(out[0]) - 1])))
    return out


def _percent(share: float) -> str:
    return f"{number(100 * share, 3)} %" if share > NOTHING else "0"
