"""Every joint and driver there is, by the name users write. Laws and house tests run over these."""

from mubo.elements.declare import Element
from mubo.elements.drivers.body_coordinate import BODY_COORDINATE
from mubo.elements.joints.coordinate import COORDINATE
from mubo.elements.joints.ground import GROUND
from mubo.elements.joints.revolute import REVOLUTE
from mubo.elements.joints.translational import TRANSLATIONAL

JOINTS: dict[str, Element] = {e.name: e for e in (REVOLUTE, TRANSLATIONAL, GROUND, COORDINATE)}
DRIVERS: dict[str, Element] = {e.name: e for e in (BODY_COORDINATE,)}
