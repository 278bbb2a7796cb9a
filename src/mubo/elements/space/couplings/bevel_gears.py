"""Bevel gears.

What moves:   two wheels on shafts that meet in a point turn in the ratio of their teeth, seen from the body that
              carries both shafts.
Zero:         the teeth mesh where both turns are zero, or where the second is `phase` with the first at zero.
Positive:     the sense of each turn is that of its joint; the senses of the wheels follow from where they are:
              the pitch cones roll on each other between the shafts.
DOF:          none of its own. Rows: 1.
Formula:      t · (V_j − V_i) = 0 at the pitch point P: z_i θ_i ± z_j θ_j = const
Sizes:        cones with tan δ_i = sin Σ / (z_j/z_i + cos Σ), Σ the angle of the shafts on the side of the wheels; P is
              `radius` from the first shaft, the middle of the teeth.
Forces:       tooth force F along t, square to both shafts, and the teeth part the wheels by |F| tan α in the plane of
              the shafts, α the `pressure_angle`: F tan α cos δ towards the shaft and F tan α sin δ along it, away from
              where they meet. The bearings carry both.
Degenerate:   shafts that do not meet, or are parallel, are refused.
Checked in:   tests/truth/test_bevel_and_worm.py
Source:       Uicker, Pennock and Shigley, Theory of Machines and Mechanisms (2011), 8.9; Budynas and Nisbett, Shigley's
              Mechanical Engineering Design (2015), 13-15

    [joint.mesh]
    type = "bevel_gears"
    between = ["pinion.O", "crown.O"]
    of = ["A", "B"]
    teeth = [16, 40]
    radius = 0.02
"""

from mubo.elements.declare import Element, Row
from mubo.elements.space.options import OF_SHAFTS, PHASE, pressure_angle, wheel_radius, wheel_teeth

BEVEL_GEARS = Element(
    name="bevel_gears",
    key="between",
    rows=(Row("tooth", ("first", "second", "mesh"), ("teeth",), ("i", "j", "k")),),
    options=(
        OF_SHAFTS,
        wheel_teeth("numbers of teeth of the two wheels", (16, 40)),
        wheel_radius("mean pitch radius of the first wheel, in the middle of its teeth"),
        pressure_angle("of the teeth, which push the wheels apart"),
        PHASE,
    ),
    summary="two wheels on shafts that meet, which turn in the ratio of their teeth",
    word="bevel gears",
    glyph="bevel",
    couples=True,
    on_shafts="meet",
)
