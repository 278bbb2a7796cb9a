"""Soft end stop of a joint.

What acts:    pushes a coordinate of a joint back that goes below `lower` or above `upper`. It only pushes back: where
              the damper would pull, the stop lets go.
Positive:     the effort acts on the second body along its coordinate: positive below `lower`, negative above `upper`.
Formula:      τ = −k s − c v with s = q − lower below it, q − upper above it, as far as τ s < 0; else 0
Checked in:   tests/truth/test_stops.py
Source:       Kelvin–Voigt contact, as in Flores, Ambrósio, Claro and Lankarani, Kinematics and Dynamics of Multibody
              Systems with Imperfect Joints (2008)

    [force.end]
    type = "joint_stop"
    of = "A"
    upper = "120 deg"
    stiffness = 500
"""

from mubo.elements.declare import Element, LoadFormula, Option
from mubo.elements.loads.stop import in_order

JOINT_STOP = Element(
    name="joint_stop",
    key="of",
    rows=(),
    formula=LoadFormula("stop", ("lower", "upper", "stiffness", "damping"), lets_go=True),
    options=(
        Option("lower", "coordinate", "below it, it pushes", default=float("-inf"), required=False, example=-0.01),
        Option("upper", "coordinate", "above it, it pushes", default=float("inf"), required=False, example=0.01),
        Option(
            "stiffness",
            "number",
            "effort per unit of the coordinate, per radian of a turn",
            measures="effort/coordinate",
            positive=True,
            example=3.0,
        ),
        Option(
            "damping",
            "number",
            "effort per rate",
            measures="effort*time/coordinate",
            default=0.0,
            required=False,
            least=0.0,
            example=0.1,
        ),
    ),
    summary="soft end stop of a joint",
    word="stop",
    glyph="coil",
    either=("lower", "upper"),
    derive=in_order,
)
