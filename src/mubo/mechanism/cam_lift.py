"""The profile of a cam from the lift of its follower.

Without `turns`, lift is a law of the angle θ in the cam's own axes. With it, as in textbooks, a law of the angle α by
which the cam has turned; the cam is laid out by inversion (Norton, Design of Machinery, section 8.6): the follower,
which rises along `travel` where α = 0, moves around the cam in the opposite sense. Its roller centre is then at

    r = √(e² + y²),  θ = travel ∓ (α + atan(e / y)),  y = √(R² − e²) + lift(α),  R = base + roller

(− where the cam turns counter-clockwise), e the offset of its line of travel, positive on the side where the cam's edge
moves along with the rise. A flat face is at the distance base + lift(α), its normal at θ = travel ∓ α.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mubo.arrays import Array, distinct
from mubo.errors import ModelError
from mubo.laws.law import Law, breaks_of, jumps_of
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.profiles import TURN, CamProfile, join_pieces
from mubo.model import Units
from mubo.note import Note

PIECES = 1440  # a quarter degree each: the quintic through f, f', f'' at both ends is then exact to rounding
CLOCKWISE, COUNTER_CLOCKWISE = "clockwise", "counter-clockwise"


@dataclass(frozen=True)
class CamLayout:
    """Layout of a follower around its cam: radius of the prime circle, offset, direction of its rise, sense."""

    radius: float
    offset: float
    travel: float
    falling: bool  # whether contact moves towards smaller angles: the cam turns counter-clockwise

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> CamLayout:
        radius, offset = float(options["base"]) + float(options.get("roller", 0.0)), float(options.get("offset") or 0.0)
        if abs(offset) >= radius > 0:
            raise ModelError(f"its offset {offset:g} is not smaller than the radius {radius:g} from which it rises")
        travel = float(options.get("travel") or 0.0)
        return cls(radius, offset, travel, options.get("turns") == COUNTER_CLOCKWISE)

    def polar(self, angle: Array, lift: Array) -> tuple[Array, Array]:
        """Angle of the follower around the cam at a cam angle, and its distance beyond the prime circle, with two
        derivatives."""
        if self.offset == 0.0:
            return angle, lift
        e, (s, slope, second) = self.offset, lift.T
        y = np.sqrt(self.radius**2 - e**2) + s
        r = np.hypot(e, y)
        # Derivatives of r and of the angle u = α + atan(e / y) by α, then of r by u.
        r1 = y * slope / r
        r2 = (slope**2 + y * second - r1**2) / r
        u1 = 1 - e * slope / r**2
        u2 = -e * (second - 2 * slope * r1 / r) / r**2
        if np.min(u1) <= 0:
            worst = float(np.degrees(angle[np.argmin(u1)]))
            raise ModelError(
                f"its follower outruns the cam at {worst:.4g} deg: raise the base radius or lower the offset"
            )
        by_u = r1 / u1
        return angle + np.arctan2(e, y), np.column_stack([r - self.radius, by_u, (r2 - by_u * u2) / u1**2])


def lift_profile(options: Mapping[str, Any], units: Units) -> CamProfile:
    """Distance of the roller centre, or of the flat face, from the cam's centre, over the angle in the cam's axes."""
    law, factor = options["lift"], units.angle_factor()
    turn = TURN / factor  # a full turn in the model's unit of angle
    first, last = law.domain
    if first > 0 or last < turn * (1 - 1e-9):
        raise ModelError(f"its lift must cover angles from 0 to {turn:g}; it covers {first:g} to {last:g}")
    knots, middles = knots_of(law, turn)
    # Both ends are evaluated by the formula of their own piece: at corners they are its limits.
    left, right = law.at(knots[:-1], middles), law.at(knots[1:], middles)
    if not np.isfinite([left, right]).all():
        raise ModelError("its lift is not a finite number at every angle")
    _require_smooth(law, turn, knots, left, right)
    scale = np.array([1.0, 1 / factor, 1 / factor**2])
    left, right = left * scale, right * scale
    size = max(float(np.ptp(left[:, 0])), 1e-6 * float(options["base"]), 1e-12)
    if abs(right[-1, 0] - left[0, 0]) > 1e-6 * size:
        raise ModelError(f"its lift does not close: {left[0, 0]:g} at 0, {right[-1, 0]:g} after a full turn")
    layout = CamLayout.from_options(options)
    start, left = layout.polar(knots[:-1] * factor, left)
    end, right = layout.polar(knots[1:] * factor, right)
    first = -start[0] if layout.falling else start[0]
    rise = join_pieces(layout.travel + first, end - start, left, right, falling=layout.falling)
    return CamProfile(rise.knots, rise.coefficients + layout.radius * np.eye(6)[0])


def knots_of(law: Law, turn: float) -> tuple[Array, Array]:
    """Ends of the pieces, corners of the lift among them, and the middles of the pieces."""
    corners = distinct(breaks_of(law, 0.0, turn))
    plain = np.linspace(0, turn, PIECES + 1)
    near = np.min(np.abs(plain[:, None] - corners), axis=1, initial=np.inf) < 1e-6 * turn
    knots = distinct(np.concatenate([plain[~near | (plain == 0) | (plain == turn)], corners]))
    return knots, (knots[:-1] + knots[1:]) / 2


def _require_smooth(law: Law, turn: float, knots: Array, left: Array, right: Array) -> None:
    """Refuse a lift that jumps, or varies faster than the pieces of the profile can follow."""
    for jump in jumps_of(law, 0.0, turn):
        if jump.order == 0 and jump.gross:
            raise ModelError(f"its lift jumps by {jump.size:.4g} at an angle of {jump.t:.6g}: no follower can do that")
    h, between = np.diff(knots), law((knots[:-1] + knots[1:]) / 2)[:, 0]
    # The quintic through f, f', f'' at both ends of a piece, at its middle.
    middle = (left[:, 0] + right[:, 0]) / 2 + 5 * h * (left[:, 1] - right[:, 1]) / 32
    off = np.abs(middle + h**2 * (left[:, 2] + right[:, 2]) / 64 - between)
    if np.max(off) > 1e-6 * max(float(np.ptp(between)), 1e-12):
        worst = float(knots[int(np.argmax(off))])
        raise ModelError(
            f"its lift varies too fast to be followed: at an angle of {worst:.6g} it changes within a quarter degree"
        )


def lift_corners(joint: str, law: Law, units: Units) -> list[Note]:
    """Notes on the corners of a lift with the size of the jump by radians, the seam of the full turn among them."""
    turn, jumps = TURN / units.angle_factor(), {"joint": joint, "units": units}
    return [
        Note("mechanism.lift_jumps", order=jump.order, size=jump.size, angle=jump.t, **jumps)
        for jump in jumps_of(law, 0.0, turn, closed=True)
    ]
