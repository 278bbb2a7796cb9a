"""Options that several spatial joints share."""

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
