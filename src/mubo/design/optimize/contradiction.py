"""Where no design meets all limits: the nearest one, which limits it misses by how much, and which hold it back.

At the nearest design the slopes of what is missed are balanced by those of limits and bounds that are just met: Farkas'
lemma. Those with a positive share are what contradicts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.arrays import Array
from mubo.design.optimize.asked import Asked
from mubo.design.optimize.problem import MET
from mubo.design.optimize.search import End
from mubo.errors import DesignError

NEAR = 1e-4  # of its size, of the box: where a limit or a bound counts as reached


def no_design(asked: Asked, ends: Sequence[End], fallen: Sequence[str]) -> DesignError:
    """The error that says why there is no answer."""
    problem = asked.problem
    best = min(ends, key=lambda end: problem.rank(end.trial))
    if not best.trial.ran:
        return DesignError(f"no start runs: {best.trial.status}")
    if problem.missed(best.trial) == 0:
        return DesignError(f"no design stands its proof: {fallen[0]}", suggestion="A shorter step may help.")
    place = ", ".join(f"{n} = {v:.6g}" for n, v in zip(problem.names, best.trial.values, strict=True))
    lines = [f"no design that meets all limits was found from {len(ends)} starts. The nearest one, {place}:"]
    beyond = problem.beyond(best.trial)
    short = np.where(problem.equal, np.abs(beyond), beyond)
    lines += [_missed(asked, best, k) for k in np.flatnonzero(short > MET).tolist()]
    lines += [f"  {text}: just met, and in the way" for text in _holding(asked, best, short)]
    missed = [problem.limits[k].text for k in np.flatnonzero(short > MET)]
    return DesignError("\n".join(lines), names=missed, suggestion="Give up or relax one of these, or widen the bounds.")


def _missed(asked: Asked, end: End, k: int) -> str:
    limit = asked.problem.limits[k]
    found = end.trial.numbers[limit.term.text]
    unit = f" {asked.units[limit.term.text]}" * bool(asked.units[limit.term.text])
    return f"  {limit.text}: {found:.6g}{unit}, missed by {abs(found - limit.value):.6g}{unit}"


def _holding(asked: Asked, end: End, short: Array) -> list[str]:
    """The limits and bounds that are reached and without which more could be met."""
    from scipy.optimize import nnls

    problem, here = asked.problem, end.here
    if here is None:
        return []
    wanted = np.where(short > MET, np.sign(here.beyond), 0.0) @ here.across  # where what is missed grows
    rows, texts = [], []
    for k in np.flatnonzero(np.abs(short) <= NEAR).tolist():
        if short[k] <= MET:
            rows.append(here.across[k])
            texts.append(problem.limits[k].text)
    for k, name in enumerate(problem.names):
        for side, at, bound in ((-1.0, 0.0, problem.low), (1.0, 1.0, problem.high)):
            if abs(here.x[k] - at) < NEAR:
                rows.append(side * np.eye(len(problem.names))[k])
                texts.append(f"the bound {name} {'>=' if side < 0 else '<='} {bound[k]:g}")
    if not rows:
        return []
    shares, _ = nnls(np.array(rows).T, -wanted)
    return [text for text, share in zip(texts, shares, strict=True) if share > 1e-6 * np.max(np.abs(wanted))]
