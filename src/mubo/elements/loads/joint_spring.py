"""Spring and damper in a joint.

What acts:    drives a coordinate of a joint back to its rest value and brakes it.
Positive:     the effort acts on the second body along its coordinate: preload − k (q − rest) − c v.
Formula:      τ = preload − k (q − rest) − c v
Checked in:   tests/truth/test_space_forces.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), chapters 9 and 11

    [force.friction]
    type = "joint_spring"
    of = "A"
    damping = 0.1
"""

from mubo.elements.declare import Element, LoadFormula, Option
from mubo.elements.loads.options import coefficient, preload
from mubo.elements.loads.spring import without_force

JOINT_SPRING = Element(
    name="joint_spring",
    key="of",
    rows=(),
    formula=LoadFormula("spring", ("stiffness", "free", "damping")),
    options=(
        coefficient("stiffness", "effort per unit of the coordinate, per radian of a turn", "effort/coordinate", 3.0),
        Option(
            "rest", "coordinate", "value of the coordinate without effort", default=0.0, required=False, example=0.2
        ),
        coefficient("damping", "effort per rate", "effort*time/coordinate", 0.1),
        preload("rest", "effort", "effort", 0.4),
    ),
    summary="spring and damper in a joint",
    word="joint spring",
    glyph="coil",
    either=("stiffness", "damping"),
    derive=without_force("rest", -1.0),
)
