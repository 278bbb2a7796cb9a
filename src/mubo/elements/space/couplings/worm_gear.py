"""Worm gear, and crossed helical gears.

What moves:   the thread of a worm drives the teeth of a wheel on a shaft that crosses at a distance.
Zero:         the teeth mesh where both turns are zero, or where the second is `phase` with the first at zero.
Positive:     the sense of each turn is that of its joint; the sense of the wheel follows from the hand of the thread
              and from where the wheel is.
DOF:          none of its own. Rows: 1.
Formula:      n · (V_j − V_i) = 0 at the pitch point P, n square to the thread: z_i θ_i ± z_j θ_j = const
Sizes:        P is `radius` from the axis of the worm on the common perpendicular of the shafts, r_j = a − r_i from the
              axis of the wheel; of shafts at right angles the lead angle is tan λ = z_i r_j/(z_j r_i).
Forces:       along n, with F tan α along the common perpendicular, α the `pressure_angle` in the normal section, which
              parts worm and wheel. The bearings carry both.
Degenerate:   shafts that meet or are parallel, and a worm that reaches the axis of its wheel, are refused.
Checked in:   tests/truth/test_bevel_and_worm.py
Source:       Budynas and Nisbett, Shigley's Mechanical Engineering Design (2015), 13-11 and 13-17

    [joint.mesh]
    type = "worm_gear"
    between = ["worm.O", "wheel.O"]
    of = ["A", "B"]
    teeth = [2, 40]
    radius = 0.02
"""

from mubo.elements.declare import Element, Option, Row
from mubo.elements.space.options import OF_SHAFTS, PHASE, pressure_angle, wheel_radius, wheel_teeth

WORM_GEAR = Element(
    name="worm_gear",
    key="between",
    rows=(Row("tooth", ("first", "second", "mesh"), ("teeth",), ("i", "j", "k")),),
    options=(
        OF_SHAFTS,
        wheel_teeth("number of threads of the worm and number of teeth of the wheel", (2, 40)),
        wheel_radius("pitch radius of the worm"),
        Option("hand", ("right", "left"), "hand of the thread", "right", required=False),
        pressure_angle("of the thread in its normal section, which pushes worm and wheel apart"),
        PHASE,
    ),
    summary="a worm that drives the wheel on a shaft across",
    word="worm gear",
    glyph="worm",
    couples=True,
    on_shafts="cross",
)
