"""Options that several spatial joints share."""

import math

from mubo.elements.declare import Option

SEQUENCES = ("xyx", "xyz", "xzx", "xzy", "yxy", "yxz", "yzx", "yzy", "zxy", "zxz", "zyx", "zyz")
AXIS = Option("axis", "direction", "axis of the joint, in the first body's axes", example=(0.48, 0.6, 0.64))
ALONG = Option(
    "along",
    "direction",
    "direction of the first slide, square to the axis, in the first body's axes",
    required=False,
    example=(0.8, 0.0, -0.6),
)
AXES = Option(
    "axes",
    "directions",
    "axis fixed in the first body and axis fixed in the second, both in the first body's axes at zero",
    example=((0.6, 0.8, 0.0), (0.0, 0.0, 1.0)),
)
ZERO = Option(
    "zero",
    "orientation",
    "orientation of the second body in the first where the joint's coordinates are zero",
    default=(1.0, 0.0, 0.0, 0.0),
    required=False,
    example=(0.8, 0.0, 0.6, 0.0),
)
EULER = Option(
    "euler",
    SEQUENCES,
    "Euler angles used as coordinates: axes of the body in the order in which it turns about them",
    required=False,
)
# Of wheels on two shafts, whose joints to the body that carries them say where they are.
OF_SHAFTS = Option(
    "of", "names", "the bearings of the two shafts: revolute joints to the body that carries both", example=("A", "B")
)
PHASE = Option(
    "phase", "angle", "turn of the second bearing where the first stands at zero; zero if left out", 0.0, required=False
)


def wheel_radius(meaning: str, example: float = 0.02) -> Option:
    """Pitch radius of the first wheel."""
    return Option("radius", "length", meaning, example=example, positive=True)


def wheel_teeth(meaning: str, example: tuple[int, int]) -> Option:
    """Numbers of teeth, or of threads and teeth."""
    return Option("teeth", "counts", meaning, example=example)


def pressure_angle(meaning: str) -> Option:
    """The pressure angle of a tooth in its normal section."""
    return Option(
        "pressure_angle", "angle", f"{meaning}; 20 deg if left out", math.radians(20), required=False, least=0.0
    )
