"""Branch, circuit and order of many linkages by closed forms, before the few to be shown are run.

Branch defect: some positions lie on the other side of a toggle position of the crank. Circuit defect: some can only be
had by taking the linkage apart. Order defect: the crank meets them in another order (Chase and Mirth 1993;
Waldron 1977).
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.design.synthesis.family import SAMPLES, Family
from mubo.lazy_dataclass import dataclass

TURN = 2 * np.pi
SLENDER = 20.0  # times the shortest link: a longer one makes no linkage to build


@dataclass(frozen=True)
class Screened:
    """Properties of every linkage of a family by closed forms."""

    full: Booleans  # the crank turns round
    circuit: Booleans  # all positions are in one circuit
    branch: Booleans  # and on one branch
    order: Booleans  # and met one after the other
    crank: Array  # angles of the crank at the positions, one after the other without jumps
    sine: Array  # least sine of the transmission angle along the motion

    @property
    def sound(self) -> Booleans:
        return np.asarray(self.circuit & self.branch & self.order)

    def tally(self) -> dict[str, int]:
        """How many have which defect."""
        parts = {"circuit": ~self.circuit, "branch": self.circuit & ~self.branch}
        parts["order"] = self.circuit & self.branch & ~self.order
        return {name: int(part.sum()) for name, part in parts.items() if part.any()}

    def defects(self, k: int) -> tuple[str, ...]:
        """The defects of one linkage, the gravest first; an order means nothing across branches."""
        if not self.circuit[k]:
            return ("circuit",)
        if not self.branch[k]:
            return ("branch",)
        return () if self.order[k] else ("order",)


def screened(family: Family, whole_turn: bool = False) -> Screened:
    """Judges all linkages. A crank that turns round may meet the positions in either direction; with `whole_turn` its
    transmission is looked at over the whole turn."""
    far, gap_far, gap_near = family.gaps()
    full = ~gap_far & ~gap_near
    side, circuit = family.side, family.circuit()
    one_circuit = np.all(circuit == circuit[:, :1], axis=1)
    one_branch = np.all(side == side[:, :1], axis=1) & np.all(side != 0, axis=1)
    chi = np.remainder(family.crank - far[:, None], TURN)
    chi = np.where((gap_near & ~gap_far)[:, None], np.remainder(chi + np.pi, TURN) - np.pi, chi)
    turning = _round(chi, full)
    steps = np.diff(turning, axis=1)
    order = np.all(steps > 0, axis=1) | np.all(steps < 0, axis=1)
    order &= np.abs(turning[:, -1] - turning[:, 0]) < TURN
    crank = turning + far[:, None]
    crank -= np.round((crank[:, :1] - family.crank[:, :1]) / TURN) * TURN  # as drawn at the first position
    return Screened(full, one_circuit, one_branch, order, crank, _least(family, crank, full & whole_turn))


def _round(chi: Array, full: Booleans) -> Array:
    """Angles without jumps: of a crank that turns round always forward, or always backward if that is shorter."""
    steps = np.diff(chi, axis=1)
    ahead, behind = np.cumsum(np.remainder(steps, TURN), axis=1), -np.cumsum(np.remainder(-steps, TURN), axis=1)
    turned = np.where(np.abs(ahead[:, -1:]) <= np.abs(behind[:, -1:]), ahead, behind)
    return np.where(full[:, None], np.concatenate([chi[:, :1], chi[:, :1] + turned], axis=1), chi)


def _least(family: Family, crank: Array, whole: Booleans) -> Array:
    part = np.linspace(0.0, 1.0, SAMPLES)
    ends = np.where(whole, crank[:, 0] + TURN, crank[:, -1])
    between = crank[:, :1] + part * (ends - crank[:, 0])[:, None]
    return np.asarray(np.min(np.nan_to_num(family.sines(between)), axis=1))  # what cannot be assembled has none


def built(family: Family) -> Booleans:
    """Which linkages have links at all: none that vanishes beside another."""
    places = [family.A[:, None], family.B, family.C]
    finite = np.all([np.all(np.isfinite(part), axis=1) for part in places], axis=0)
    bars = np.nan_to_num(family.links(), posinf=0.0)
    return np.asarray(finite & (SLENDER * bars.min(axis=1) > bars.max(axis=1)))
