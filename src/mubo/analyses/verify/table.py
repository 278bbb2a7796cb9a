"""The table of a verification: what was compared, the figure found, the figure allowed, the verdict."""

from __future__ import annotations

import json
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mubo.errors import ResultError
from mubo.formats.atomic import write_text
from mubo.formats.tables import plain

ENDINGS = (".json", ".csv", ".txt")
WORDS = {True: "holds", False: "FAILS", None: "not judged"}
WIDTH = 118  # of the printed table


@dataclass(frozen=True)
class Check:
    """One comparison. Figures are relative to the largest of their kind; `holds` is None where nothing was judged.

    >>> Check("residual", "the equations at the table's rows", 1e-15, 1e-10).verdict
    'holds'
    """

    name: str
    compared: str
    found: float | None = None
    allowed: float | None = None
    note: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether the figure found is allowed; one that is no number is not."""
        if self.found is None or self.allowed is None:
            return None
        return bool(self.found <= self.allowed)

    @property
    def verdict(self) -> str:
        return WORDS[self.holds]

    def as_dict(self) -> dict[str, Any]:
        return {
            "check": self.name,
            "compared": self.compared,
            "found": self.found,
            "allowed": self.allowed,
            "verdict": self.verdict.lower(),
            "note": self.note,
        }


@dataclass(frozen=True)
class Verification:
    """All checks of a run, and whether they hold.

    >>> proof = mubo.load("four_bar.toml").verify()
    >>> proof.holds, proof["residual of positions"].verdict
    (True, 'holds')
    """

    model: str
    study: str
    formulation: str
    rows: int
    checks: tuple[Check, ...]

    @property
    def holds(self) -> bool:
        """Whether something was judged and nothing fails."""
        judged = [check.holds for check in self.checks if check.holds is not None]
        return bool(judged) and all(judged)

    @property
    def verdict(self) -> str:
        """All of it in a few words."""
        judged = [check.holds for check in self.checks if check.holds is not None]
        aside = len(self.checks) - len(judged)
        parts = [f"{sum(judged)} of {len(judged)} hold"] if judged else []
        parts += [f"{aside} not judged"] if aside else []
        lead = "holds" if self.holds else "FAILS" if judged else "nothing was judged"
        return f"{lead}: {', '.join(parts)}" if parts else lead

    def __getitem__(self, name: str) -> Check:
        for check in self.checks:
            if check.name == name:
                return check
        raise ResultError(f'there is no check "{name}"; there are {", ".join(check.name for check in self.checks)}')

    def as_dict(self) -> dict[str, Any]:
        """The entries that `--json` prints."""
        return {
            "status": "ok" if self.holds else "failed",
            "model": self.model,
            "analysis": self.study,
            "formulation": self.formulation,
            "rows": self.rows,
            "verdict": self.verdict,
            "checks": [check.as_dict() for check in self.checks],
        }

    def __str__(self) -> str:
        head = [
            f"{'model':<15} {self.model}",
            f"{'verified':<15} {self.study}, {self.rows} row{'s' * (self.rows != 1)}, formulation {self.formulation}",
            f"{'verdict':<15} {self.verdict}",
            "",
        ]
        wide = max([len(check.name) for check in self.checks], default=0)
        lines = [f"{'check':<{wide}}  {'found':>8}  {'allowed':>8}  {'verdict':<10}  compared"]
        for check in self.checks:
            lines += self._lines(check, wide)
        return "\n".join(head + lines)

    __repr__ = __str__

    def _lines(self, check: Check, wide: int) -> list[str]:
        start = f"{check.name:<{wide}}  {figure(check.found):>8}  {figure(check.allowed):>8}  {check.verdict:<10}  "
        text = f"{check.compared}; {check.note}" if check.note else check.compared
        lines = textwrap.wrap(text, WIDTH - len(start))
        return [start + lines[0], *(" " * len(start) + line for line in lines[1:])]

    def save(self, path: str | Path) -> None:
        """Writes the table; the ending decides: .json, .csv or .txt.

        >>> mubo.load("four_bar.toml").verify().save("proof.json")
        """
        path = Path(path)
        require_table_ending(path)
        if path.suffix == ".json":
            write_text(path, json.dumps(plain(self.as_dict()), indent=1))
        elif path.suffix == ".txt":
            write_text(path, f"{self}\n")
        else:
            rows = [list(Check("", "").as_dict()), *([*check.as_dict().values()] for check in self.checks)]
            write_text(path, "".join(",".join(_cell(value) for value in row) + "\n" for row in rows))


def figure(value: float | None) -> str:
    """A figure of the table."""
    return "-" if value is None else f"{value:.1e}"


def require_table_ending(path: str | Path) -> None:
    """The ending of a name says how the table is written; others are refused before any work."""
    if Path(path).suffix not in ENDINGS:
        raise ResultError(f'cannot write "{Path(path).name}": the ending must be {", ".join(ENDINGS)}')


def _cell(value: Any) -> str:
    """As a spreadsheet reads it: text in quotes where it needs them, nothing where nothing is."""
    text = "" if value is None else f"{value:.17g}" if isinstance(value, float) else str(value)
    return '"' + text.replace('"', '""') + '"' if any(letter in text for letter in ',"\n') else text
