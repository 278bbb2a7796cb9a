"""The mission behind a strength result: its kinds of runs, what governs each, and their shares in the damage."""

from __future__ import annotations

from mubo.applications.strength.checks import format_value, governing
from mubo.applications.strength.report import Strength

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
    """A line for every kind of run, and one for what its changes add; nothing where there is no mission."""
    if found.mission is None:
        return []
    shares = found.mission.shares
    head = ("case", "runs", "parameters", "governed by", "safety")
    out: list[Line] = [(*head, *(f"damage of {part}" for part in shares))]
    for k, case in enumerate(found.mission.cases):
        worst = governing(list(case.found.checks))
        governs = ("", "") if worst is None else (f"{worst.table} {worst.name}: {worst.what}", f"{worst.safety:.3g}")
        parts = (_percent(share[k]) for share in shares.values())
        out.append((str(case.number), f"{case.runs:,}", case.label, *governs, *parts))
    rest = [1 - sum(share) for share in shares.values()]
    if any(part > NOTHING for part in rest):
        out.append(("", "", "changes from one kind of run to the next", "", "", *map(_percent, rest)))
    return out


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %" if share > NOTHING else "0"
