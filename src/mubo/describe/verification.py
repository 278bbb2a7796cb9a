"""The table of a verification as text and as files."""

from __future__ import annotations

import csv
import io
import json
import textwrap
from pathlib import Path

from mubo.analyses.verify.table import Check, Verification
from mubo.describe.layout import NO_HEADER, Tables, label_lines
from mubo.errors import ResultError
from mubo.formats.files import write_text
from mubo.results.table import plain

ENDINGS = (".json", ".csv", ".txt")
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
    rows = [
        (
            c.name,
            format_figure(c.found),
            format_figure(c.allowed),
            c.verdict,
            "; ".join(filter(None, (c.compared, c.note))),
        )
        for c in proof.checks
    ]
    return [[NO_HEADER, ("verdict", proof.verdict)], [("check", "found", "allowed", "verdict", "compared"), *rows]]


def _check_lines(check: Check, wide: int) -> list[str]:
    found, allowed = format_figure(check.found), format_figure(check.allowed)
    start = f"{check.name:<{wide}}  {found:>8}  {allowed:>8}  {check.verdict:<10}  "
    text = f"{check.compared}; {check.note}" if check.note else check.compared
    lines = textwrap.wrap(text, WIDTH - len(start))
    return [start + lines[0], *(" " * len(start) + line for line in lines[1:])]


def format_figure(value: float | None) -> str:
    """A figure of the table with two digits, or a dash where there is none."""
    return "-" if value is None else f"{value:.1e}"


def require_table_ending(path: str | Path) -> None:
    """Refuses a file whose ending names no format of the table, before any work."""
    if Path(path).suffix not in ENDINGS:
        raise ResultError(f'cannot write "{Path(path).name}": the ending must be {", ".join(ENDINGS)}')


def save_verification(proof: Verification, path: str | Path) -> None:
    """Writes the table, as the ending says."""
    path = Path(path)
    require_table_ending(path)
    if path.suffix == ".json":
        text = json.dumps(plain(proof.as_dict()), indent=1)
    elif path.suffix == ".txt":
        text = f"{proof}\n"
    else:
        out = io.StringIO()
        writer = csv.DictWriter(out, list(Check("", "").as_dict()), lineterminator="\n")
        writer.writeheader()
        for check in proof.checks:
            cells = check.as_dict().items()
            writer.writerow({key: f"{cell:.17g}" if isinstance(cell, float) else cell for key, cell in cells})
        text = out.getvalue()
    write_text(path, text)
