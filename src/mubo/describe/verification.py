"""The table of a verification as text and as files."""

from __future__ import annotations

import textwrap
from pathlib import Path

from mubo.analyses.verify.table import Check, Verification
from mubo.describe.layout import NO_HEADER, Tables, label_lines
from mubo.results.table import Writers, save_by_ending, write_entries
from mubo.results.table_files import LINES, write_lines

HEAD = ("check", "found", "allowed", "verdict", "compared")
WIDTH = 118  # of the printed table


def describe_verification(proof: Verification) -> str:
    """The verdict, and a line for every check."""
    count = f"{proof.rows} row{'s' * (proof.rows != 1)}"
    head = [
        ("model", proof.model),
        ("verified", f"{proof.study}, {count}, formulation {proof.formulation}"),
        ("verdict", proof.verdict),
    ]
    wide = max([len(check.name) for check in proof.checks], default=0)
    lines = [f"{'check':<{wide}}  {'found':>8}  {'allowed':>8}  {'verdict':<10}  compared"]
    for check in proof.checks:
        lines += _check_lines(check, wide)
    return "\n".join([*label_lines(head), "", *lines])


def verification_cells(proof: Verification) -> Tables:
    """A line for every check."""
    return [[NO_HEADER, ("verdict", proof.verdict)], [HEAD, *map(check_cells, proof.checks)]]


def check_cells(check: Check) -> tuple[str, str, str, str, str]:
    """The cells of a check: its name, what was found and allowed, the verdict, and what was compared."""
    compared = "; ".join(filter(None, (check.compared, check.note)))
    return check.name, format_figure(check.found), format_figure(check.allowed), check.verdict, compared


def _check_lines(check: Check, wide: int) -> list[str]:
    name, found, allowed, verdict, compared = check_cells(check)
    start = f"{name:<{wide}}  {found:>8}  {allowed:>8}  {verdict:<10}  "
    lines = textwrap.wrap(compared, WIDTH - len(start))
    return [start + lines[0], *(" " * len(start) + line for line in lines[1:])]


def format_figure(value: float | None) -> str:
    """A figure of the table with two digits, or a dash where there is none."""
    return "-" if value is None else f"{value + 0.0:.1e}"  # + 0.0: no minus before a zero


def save_verification(proof: Verification, path: str | Path) -> None:
    """Writes the table, as the ending says."""

    def write_checks(to: Path) -> None:
        lines = (list(check.as_dict().values()) for check in proof.checks)
        write_lines(to, list(Check("", "").as_dict()), lines, "verification")

    writers: Writers = {
        ".json": lambda to: write_entries(to, proof.as_dict()),
        **dict.fromkeys(LINES, write_checks),
    }
    save_by_ending("Verification", proof, path, writers)
