"""Tolerances in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mubo.design.tolerances import Tolerances


def text_lines(found: Tolerances) -> list[str]:
    """The table as people read it: of each measure what contributes most first."""
    out: list[str] = []
    for k, name in enumerate(found.measures):
        unit, told = found.stack.slopes.units[name], found[name]
        out.append(f"{name} = {told['nominal']:.6g} {unit}".rstrip())
        out.append(f"  worst case      ± {told['worst']:.4g} {unit}".rstrip())
        out.append(f"  three sigma     ± {told['three sigma']:.4g} {unit}".rstrip())
        if found.spread is not None:
            low, high = told["low"] - told["nominal"], told["high"] - told["nominal"]
            limits = f"{low:+.4g} to {high:+.4g} {unit}".rstrip()
            out.append(f"  Monte Carlo     {limits}, sigma {told['sigma']:.4g}")
        order = np.argsort(-found.shares[k], kind="stable")
        parts = [f"{found.sources[j]} {100 * found.shares[k, j]:.3g} %" for j in order]
        out.append(f"  from            {', '.join(parts)}")
    if found.spread is not None and found.spread.ran < len(found.spread.status):
        lost = counted([status for status in found.spread.status if not status.startswith("ran")])
        why, count = "; ".join(list(lost)[:3]), len(found.spread.status)
        out.append(f"{count - found.spread.ran} of {count} samples did not run: {why}")
    return out


def counted(status: Sequence[str]) -> dict[str, int]:
    """How many went how."""
    return {one: list(status).count(one) for one in dict.fromkeys(status)}
