"""The vector loops of a model as text: counts of degrees of freedom, vectors, the loop table and structural groups."""

from __future__ import annotations

import math

from mubo.analyses.loops import Counts, LoopReport
from mubo.describe.layout import align_columns
from mubo.mechanism.rows import join_words

BANK = 24  # columns of the table side by side
MOST_COLUMNS = 72  # beyond this the table is left to --json


def describe_loops(report: LoopReport) -> str:
    """Counts, vectors, loop table and groups of a model."""
    rank = len(report.loops) - len(report.dependent)
    verdict = f"yes, rank {rank} of the table below for {len(report.loops)} loop{'s' * (rank != 1)}"
    if report.dependent:
        verdict = "no: " + "; ".join(map(report.dependence, report.dependent))
    lines = [f"loops of {report.model}", *_count_lines(report.counts), f"  unknowns     {report.balance}"]
    if report.loops:
        lines += [f"  independent  {verdict}"]
    if report.outside:
        lines += [f"  in no loop   {join_words(report.outside)}"]
    lines += [*_vector_lines(report), *_table_lines(report), "", "groups, in the order in which they are solved"]
    width = max((len(kind) for kind, _ in report.groups), default=0)
    lines += [f"  {n:>3}  {kind:<{width}}  {', '.join(gives)}" for n, (kind, gives) in enumerate(report.groups, 1)]
    return "\n".join(lines)


def _count_lines(counts: Counts) -> list[str]:
    n, loops = counts.links, counts.loops
    gruebler = (
        f"F = 3 (N - 1) - C = 3*{n - 1} - {counts.equations} = {counts.gruebler}: "
        f"N = {n} links with the ground, C = {counts.equations} constraint equations of joints"
    )
    if counts.dofs == counts.joints and not counts.couplings and counts.parts == 1:
        paul = f"F = (N - 1) - 2 L = {n - 1} - 2*{loops} = {counts.paul}: "
        paul += f"L = J - N + 1 loops of J = {counts.joints} joints"
    else:
        parts = f" + 3*{counts.parts - 1}" if counts.parts > 1 else ""
        paul = (
            f"F = f - 3 L - K{' + 3 (parts - 1)' * (counts.parts > 1)} = {counts.dofs} - 3*{loops} - "
            f"{counts.couplings}{parts} = {counts.paul}: "
            f"f degrees of freedom of J = {counts.joints} joints, L = J - N + {counts.parts} loops, "
            "K gears and locked coordinates"
        )
    return [f"  Grübler      {gruebler}", f"  Paul         {paul}"]


def _vector_lines(report: LoopReport) -> list[str]:
    if not report.vectors:
        return []
    unit = f" [{report.unit}]" if report.unit else ""
    cells = [("vector", "link", "from", "to", f"length{unit}", "angle [deg]")]
    for v in report.vectors:
        link = {"slide": f"slide of {v.link}", "rod": f"rod {v.link}", "driver": f"driver {v.link}"}
        angle = round(math.degrees(v.angle), 9) + 0.0
        cells.append((v.name, link.get(v.kind, v.link), v.tail, v.head, f"{v.length:.6g}", f"{angle:.6g}"))
    return ["", *align_columns(cells, "<<<<>>", "  ")]


def _table_lines(report: LoopReport) -> list[str]:
    names = [vector.name for vector in report.vectors]
    first = max((len(loop.name) for loop in report.loops), default=0)
    equations = [f"  {loop.name:<{first}}  {loop.equation}, {loop.source}" for loop in report.loops]
    if len(names) > MOST_COLUMNS:
        return ["", *equations, f"  the table of {len(report.loops)} loops and {len(names)} vectors is in --json"]
    lines = []
    for bank in (names[k : k + BANK] for k in range(0, len(names), BANK)):
        lines += ["", f"  {'':<{first}} " + "".join(f"{name:>4}" for name in bank)]
        for loop in report.loops:
            signs = "".join(f"{loop.signs.get(name, 0):+4d}" if name in loop.signs else "    " for name in bank)
            lines.append(f"  {loop.name:<{first}} {signs}".rstrip())
    return [*lines, "", *equations] if report.loops else []
