"""A line of the table that is signed: what was found, what is allowed, and the safety between them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class StrengthCheck:
    """One thing that was looked at: its value with what it `holds`, the limit, and by what factor it is safe.

    Where there is no limit, the value is reported alone. `asked` is the safety factor asked for, 1 if nothing was said.
    """

    table: str  # "pin", "section", "keepout" or "clearance"
    name: str
    what: str
    value: float
    holds: str
    limit: float | None = None
    safety: float | None = None
    asked: float = 1.0
    t: float | None = None
    where: str = ""
    how: str = ""  # formula and source
    fits: bool | None = None  # of a distance, which has no safety factor

    @property
    def ok(self) -> bool | None:
        """Whether it is as safe as asked for; None where nothing limits it."""
        return self.fits if self.safety is None else self.safety >= self.asked

    @property
    def margin(self) -> float:
        """Safety over what is asked for: the least of a part governs it."""
        return float("inf") if self.safety is None else self.safety / self.asked

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "ok": self.ok}


def against(limit: float | None, value: float) -> float | None:
    """The safety of a value against a limit; None without one."""
    if limit is None:
        return None
    return limit / value if value > 0 else float("inf")


def governing(checks: list[StrengthCheck]) -> StrengthCheck | None:
    """The check with the least margin of those that have a limit."""
    limited = [check for check in checks if check.safety is not None]
    return min(limited, key=lambda check: check.margin, default=None)
