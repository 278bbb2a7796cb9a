"""The closure of a deck of O'Kins as text: the errors of loops, vectors that absorb them, and closing rotations."""

from __future__ import annotations

from mubo.describe.layout import label_lines
from mubo.legacy.okins1964.closure_report import ClosureReport
from mubo.legacy.okins1964.linkage import signed_names


def describe_closure(report: ClosureReport) -> str:
    """The deck, its loops with their errors, make-up vectors, rotations of the links, notes and verdict."""
    drive = report.linkage.drive
    lines = [report.model, *label_lines([("deck", _describe_deck(report))], 13, "  ")]
    width = max(len(signed_names(loop.vectors)) for loop in report.loops)
    lines += ["", f"  {'loop':<6}{'sum of vectors':<{width + 2}}{'error x':>10}{'error y':>10}"]
    for loop in report.loops:
        names, error = signed_names(loop.vectors), loop.error
        lines.append(f"  L{loop.number:<5}{names:<{width + 2}}{_number(error.real, 5)}{_number(error.imag, 5)}")
    lines += ["", "  a loop closes if one vector is changed [deg]:"]
    lines.append(f"  {'loop':<6}{'vector':<8}{'RERR':>10}{'RAD':>12}{'ANGERR':>10}{'ANGLE':>12}")
    for loop in report.loops:
        for m in loop.makeup:
            cells = f"{_number(m.RERR, 5)}{m.RAD:>12.5f}{_number(m.ANGERR, 4)}{_number(m.ANGLE, 4, 12)}"
            lines.append(f"  L{loop.number:<5}{m.vector:<8}{cells}")
    if report.rotations:
        lines += ["", "  all loops close if the links turn [deg]:"]
        turns = [f"{name:>5} {round(turn, 4) + 0.0:+8.4f}" for name, turn in report.rotations.items()]
        lines += ["".join(turns[k : k + 5]) for k in range(0, len(turns), 5)]
    ready = "ready: the motion is determined" if drive else "the loops close within their errors"
    last = ("verdict", ready) if report.ok else ("problem", str(report.error))
    return "\n".join([*lines, "", *label_lines([*(("note", note) for note in report.notes), last], 13, "  ")])


def _describe_deck(report: ClosureReport) -> str:
    """The program of the deck, its vectors and loops, and its driver."""
    drive, loops = report.linkage.drive, len(report.loops)
    what = f"{len(report.linkage.lengths)} vectors in {loops} loop{'s' * (loops > 1)}"
    if drive is None:
        return f"program CLOSURE: {what}"
    crank = " and the crank" if drive.kind == "crank" else ""
    per = "per second" if drive.kind == "ram" else "deg per second"
    links = len(report.linkage.links)
    return f"program MAIN: {what}; {links} links{crank} turn, driven by the {drive.kind} z1 at {drive.rate:g} {per}"


def _number(value: float, digits: int, width: int = 10) -> str:
    """A number aligned to the right, without a sign before zero."""
    return f"{round(value, digits) + 0.0:>{width}.{digits}f}"
