"""Every joint, coupling and driver there is, by the name users write. Laws and house tests run over these."""

from collections.abc import Mapping
from dataclasses import dataclass

from mubo.elements.declare import COORDINATES, Element
from mubo.elements.loads.cubic_spring import CUBIC_SPRING
from mubo.elements.loads.drag import DRAG
from mubo.elements.loads.force_between import FORCE_BETWEEN
from mubo.elements.loads.friction import FRICTION
from mubo.elements.loads.joint_effort import JOINT_EFFORT
from mubo.elements.loads.joint_spring import JOINT_SPRING
from mubo.elements.loads.joint_stop import JOINT_STOP
from mubo.elements.loads.spring import SPRING
from mubo.elements.loads.stop import STOP
from mubo.elements.plane.couplings.belt import BELT
from mubo.elements.plane.couplings.cam_flat import CAM_FLAT
from mubo.elements.plane.couplings.cam_roller import CAM_ROLLER
from mubo.elements.plane.couplings.gears import GEARS
from mubo.elements.plane.couplings.rack import RACK
from mubo.elements.plane.drivers.body_coordinate import BODY_COORDINATE
from mubo.elements.plane.drivers.joint_angle import JOINT_ANGLE
from mubo.elements.plane.drivers.joint_slide import JOINT_SLIDE
from mubo.elements.plane.drivers.point_coordinate import POINT_COORDINATE
from mubo.elements.plane.drivers.point_distance import POINT_DISTANCE
from mubo.elements.plane.joints.circle import CIRCLE
from mubo.elements.plane.joints.coordinate import COORDINATE
from mubo.elements.plane.joints.curve_slot import CURVE_SLOT
from mubo.elements.plane.joints.distance import DISTANCE
from mubo.elements.plane.joints.fixed import FIXED
from mubo.elements.plane.joints.free import FREE
from mubo.elements.plane.joints.ground import GROUND
from mubo.elements.plane.joints.oldham import OLDHAM
from mubo.elements.plane.joints.revolute import REVOLUTE
from mubo.elements.plane.joints.slot import SLOT
from mubo.elements.plane.joints.translational import TRANSLATIONAL
from mubo.elements.plane.loads.body_torque import BODY_TORQUE as PLANE_BODY_TORQUE
from mubo.elements.plane.loads.point_force import POINT_FORCE as PLANE_POINT_FORCE
from mubo.elements.plane.loads.torque_between import TORQUE_BETWEEN as PLANE_TORQUE_BETWEEN
from mubo.elements.plane.loads.torsion_spring import TORSION_SPRING
from mubo.elements.space.drivers import joint_screw, joint_slide, joint_turn, point_coordinate, point_distance
from mubo.elements.space.joints import (
    constant_velocity,
    cylindrical,
    distance,
    fixed,
    free,
    planar,
    point_on_line,
    point_on_plane,
    prismatic,
    revolute,
    screw,
    spherical,
    universal,
)
from mubo.elements.space.loads.body_torque import BODY_TORQUE
from mubo.elements.space.loads.point_force import POINT_FORCE
from mubo.elements.space.loads.torque_between import TORQUE_BETWEEN


def _by_name(*elements: Element) -> dict[str, Element]:
    return {element.name: element for element in elements}


# Couplings are joints to the user: both are written as [joint.NAME].
JOINTS = _by_name(
    REVOLUTE,
    TRANSLATIONAL,
    FIXED,
    SLOT,
    OLDHAM,
    DISTANCE,
    CIRCLE,
    CURVE_SLOT,
    FREE,
    GROUND,
    COORDINATE,
    GEARS,
    BELT,
    RACK,
    CAM_ROLLER,
    CAM_FLAT,
)
DRIVERS = _by_name(BODY_COORDINATE, POINT_COORDINATE, JOINT_ANGLE, JOINT_SLIDE, POINT_DISTANCE)

SPATIAL_JOINTS = _by_name(
    revolute.REVOLUTE,
    prismatic.PRISMATIC,
    cylindrical.CYLINDRICAL,
    universal.UNIVERSAL,
    constant_velocity.CONSTANT_VELOCITY,
    spherical.SPHERICAL,
    planar.PLANAR,
    screw.SCREW,
    free.FREE,
    fixed.FIXED,
    point_on_line.POINT_ON_LINE,
    point_on_plane.POINT_ON_PLANE,
    distance.DISTANCE,
)
SPATIAL_DRIVERS = _by_name(
    joint_turn.JOINT_TURN,
    joint_slide.JOINT_SLIDE,
    joint_screw.JOINT_SCREW,
    point_coordinate.POINT_COORDINATE,
    point_distance.POINT_DISTANCE,
)
_SHARED_LOADS = (SPRING, CUBIC_SPRING, FORCE_BETWEEN, STOP, JOINT_SPRING, JOINT_EFFORT, JOINT_STOP, FRICTION, DRAG)
PLANE_LOADS = _by_name(*_SHARED_LOADS, PLANE_POINT_FORCE, PLANE_BODY_TORQUE, PLANE_TORQUE_BETWEEN, TORSION_SPRING)
LOADS = _by_name(*_SHARED_LOADS, POINT_FORCE, BODY_TORQUE, TORQUE_BETWEEN)


@dataclass(frozen=True)
class Ambient:
    """Where a mechanism moves: what it may be made of there, and the words in which it is written."""

    joints: Mapping[str, Element]
    drivers: Mapping[str, Element]
    loads: Mapping[str, Element]
    words: str  # how it moves
    vector: str  # what a place or direction is
    coordinates: tuple[str, ...]  # of a body: a point cannot be called so


AMBIENTS = {
    2: Ambient(JOINTS, DRIVERS, PLANE_LOADS, "in the plane", "two numbers [x, y]", COORDINATES),
    3: Ambient(SPATIAL_JOINTS, SPATIAL_DRIVERS, LOADS, "in space", "three numbers [x, y, z]", ("x", "y", "z")),
}


def driver_of(dimension: int, moves: str) -> Element:
    """The driver of the plane or of space that moves something."""
    return next(element for element in AMBIENTS[dimension].drivers.values() if element.moves == moves)


def joints_of(dimension: int) -> Mapping[str, Element]:
    """The joints of the plane or of space."""
    return AMBIENTS[dimension].joints


def loads_of(dimension: int) -> Mapping[str, Element]:
    """The loads of the plane or of space."""
    return AMBIENTS[dimension].loads
