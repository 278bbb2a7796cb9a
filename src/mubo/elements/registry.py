"""Every joint, coupling and driver there is, by the name users write. Laws and house tests run over these."""

from mubo.elements.couplings.belt import BELT
from mubo.elements.couplings.cam_flat import CAM_FLAT
from mubo.elements.couplings.cam_roller import CAM_ROLLER
from mubo.elements.couplings.gears import GEARS
from mubo.elements.couplings.rack import RACK
from mubo.elements.declare import Element
from mubo.elements.drivers.body_coordinate import BODY_COORDINATE
from mubo.elements.drivers.joint_angle import JOINT_ANGLE
from mubo.elements.drivers.joint_slide import JOINT_SLIDE
from mubo.elements.drivers.point_coordinate import POINT_COORDINATE
from mubo.elements.drivers.point_distance import POINT_DISTANCE
from mubo.elements.joints.circle import CIRCLE
from mubo.elements.joints.coordinate import COORDINATE
from mubo.elements.joints.distance import DISTANCE
from mubo.elements.joints.fixed import FIXED
from mubo.elements.joints.ground import GROUND
from mubo.elements.joints.revolute import REVOLUTE
from mubo.elements.joints.slot import SLOT
from mubo.elements.joints.translational import TRANSLATIONAL


def _by_name(*elements: Element) -> dict[str, Element]:
    return {element.name: element for element in elements}


# Couplings are joints to the user: both are written as [joint.NAME].
JOINTS = _by_name(
    REVOLUTE,
    TRANSLATIONAL,
    FIXED,
    SLOT,
    DISTANCE,
    CIRCLE,
    GROUND,
    COORDINATE,
    GEARS,
    BELT,
    RACK,
    CAM_ROLLER,
    CAM_FLAT,
)
DRIVERS = _by_name(BODY_COORDINATE, POINT_COORDINATE, JOINT_ANGLE, JOINT_SLIDE, POINT_DISTANCE)
