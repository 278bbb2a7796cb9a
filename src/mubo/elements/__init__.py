"""The elements of a mechanism, declarations only. A joint is a short list of constraint equations of the core.

Joints, couplings, drivers and loads are registered by the name that users write; laws and house tests run over these
registries.
"""

from collections.abc import Mapping
from functools import cache

from mubo.elements.contacts import CONTACT, SURFACE
from mubo.elements.declare import CLOSING, COORDINATES, Element, LoadFormula, Option, Row
from mubo.elements.details import DESIGN_TABLES, TableSchema
from mubo.lazy_dataclass import dataclass
from mubo.mappings import Registry

__all__ = [
    "AMBIENTS",
    "CLOSING",
    "COORDINATES",
    "DRIVERS",
    "JOINTS",
    "LOADS",
    "PLANE_LOADS",
    "SPATIAL_DRIVERS",
    "SPATIAL_JOINTS",
    "TABLES",
    "Ambient",
    "Element",
    "LoadFormula",
    "Option",
    "Row",
    "TableSchema",
    "driver_of",
    "joints_of",
    "loads_of",
]

TABLES = {table.name: table for table in (*DESIGN_TABLES, SURFACE, CONTACT)}


def _declared(**folders: str) -> Registry[Element]:
    """Return the registry of elements whose files NAME.py lie in the given folders and declare NAME in capitals."""
    return Registry(
        {
            name: f"mubo.elements.{folder.replace('__', '.')}.{name}:{name.upper()}"
            for folder, names in folders.items()
            for name in names.split()
        }
    )


# Couplings are joints to the user: both are written as [joint.NAME].
JOINTS = _declared(
    plane__joints="revolute translational fixed slot oldham distance circle curve_slot free ground coordinate",
    plane__couplings="gears belt rack cam_roller cam_flat rolling rolling_on_circle knife_edge geneva",
)
# Joints that code outside this folder names.
REVOLUTE, TRANSLATIONAL, OLDHAM, FIXED = "revolute", "translational", "oldham", "fixed"
DRIVERS = _declared(plane__drivers="body_coordinate point_coordinate joint_angle joint_slide point_distance")
SPATIAL_JOINTS = _declared(
    space__joints="revolute prismatic cylindrical universal constant_velocity spherical planar screw free fixed "
    "point_on_line point_on_plane distance",
    space__couplings="coupler bevel_gears worm_gear rolling rolling_on_sphere knife_edge",
)
SPATIAL_DRIVERS = _declared(space__drivers="joint_turn joint_slide joint_screw point_coordinate point_distance")
_SHARED_LOADS = "spring cubic_spring force_between stop joint_spring joint_effort joint_stop friction drag"
PLANE_LOADS = _declared(
    loads=_SHARED_LOADS, plane__loads="point_force body_torque torque_between torsion_spring journal_film"
)
LOADS = _declared(loads=_SHARED_LOADS, space__loads="point_force body_torque torque_between")
POINT_FORCE, BODY_TORQUE = "point_force", "body_torque"  # named outside this folder like the joints above


@dataclass(frozen=True)
class Ambient:
    """Plane or space: the elements that a mechanism may have there, the words in which it is written, and what the
    numbers of a pose, a velocity and a force are. Lengths and forces come before turns and moments."""

    joints: Mapping[str, Element]
    drivers: Mapping[str, Element]
    loads: Mapping[str, Element]
    words: str  # how it moves
    vector: str  # what a place or direction is
    coordinates: tuple[str, ...]  # of a body: a point cannot be called so
    pose: tuple[str, ...]  # columns of a body: its origin, and angle or unit quaternion
    twist: tuple[str, ...]  # its velocity and angular velocity
    wrench: tuple[str, ...]  # components of a force with its moment
    dimension: int

    @property
    def spin(self) -> tuple[str, ...]:
        """The columns of the angular velocity."""
        return self.twist[self.dimension :]

    @property
    def is_rotation(self) -> tuple[bool, ...]:
        """Whether each component of a twist or wrench belongs to a rotation."""
        return tuple(k >= self.dimension for k in range(len(self.twist)))


AMBIENTS = {
    2: Ambient(
        JOINTS,
        DRIVERS,
        PLANE_LOADS,
        "in the plane",
        "two numbers [x, y]",
        COORDINATES,
        pose=COORDINATES,
        twist=("vx", "vy", "omega"),
        wrench=("fx", "fy", "m"),
        dimension=2,
    ),
    3: Ambient(
        SPATIAL_JOINTS,
        SPATIAL_DRIVERS,
        LOADS,
        "in space",
        "three numbers [x, y, z]",
        ("x", "y", "z"),
        pose=("x", "y", "z", "qw", "qx", "qy", "qz"),
        twist=("vx", "vy", "vz", "wx", "wy", "wz"),
        wrench=("fx", "fy", "fz", "mx", "my", "mz"),
        dimension=3,
    ),
}


@cache
def driver_of(dimension: int, moves: str) -> Element:
    """The driver of the plane or of space that moves something."""
    return next(element for element in AMBIENTS[dimension].drivers.values() if element.moves == moves)


def joints_of(dimension: int) -> Mapping[str, Element]:
    """The joints of the plane or of space."""
    return AMBIENTS[dimension].joints


def loads_of(dimension: int) -> Mapping[str, Element]:
    """The loads of the plane or of space."""
    return AMBIENTS[dimension].loads
