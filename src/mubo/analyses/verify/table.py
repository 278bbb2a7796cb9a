"""The table of a verification: what was compared, the figures found and allowed, the verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mubo.errors import ResultError
from mubo.lazy_dataclass import dataclass
from mubo.results.presentation import Presented, presented_by

VERDICTS = {True: "holds", False: "FAILS", None: "not judged"}


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
        """The word "holds", "FAILS" or "not judged"."""
        return VERDICTS[self.holds]

    def as_dict(self) -> dict[str, Any]:
        return {
            "check": self.name,
            "compared": self.compared,
            "found": self.found,
            "allowed": self.allowed,
            "verdict": self.verdict.lower(),
            "note": self.note,
        }


@dataclass(frozen=True, repr=False)
class Verification(Presented):
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
        """The verdict on all checks, with how many hold."""
        judged = [check.holds for check in self.checks if check.holds is not None]
        aside = len(self.checks) - len(judged)
        parts = [f"{sum(judged)} of {len(judged)} hold"] if judged else []
        parts += [f"{aside} not judged"] if aside else []
        lead = "holds" if self.holds else "FAILS" if judged else "nothing was judged"
        return f"{lead}: {', '.join(parts)}" if parts else lead

    @property
    def count(self) -> str:
        """How many of the checks that were judged hold.

        >>> mubo.load("four_bar.toml").verify().count
        '10 of 10 checks hold'
        """
        judged = [check.holds for check in self.checks if check.holds is not None]
        return f"{sum(judged)} of {len(judged)} check{'s' * (len(judged) != 1)} hold{'s' * (len(judged) == 1)}"

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

    def save(self, path: str | Path) -> None:
        """Writes the table; the ending decides: .json, .csv or .txt.

        >>> mubo.load("four_bar.toml").verify().save("proof.json")
        """
        presented_by("Verification.save")(self, path)
