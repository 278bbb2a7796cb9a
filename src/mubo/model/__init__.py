"""What people write: bodies, joints, drivers and points by name, in their units."""

from mubo.model.builder import Builder
from mubo.model.check import check
from mubo.model.coordinates import Target, target_of
from mubo.model.definition import ModelDefinition
from mubo.model.parts import (
    GROUND,
    Analysis,
    Body,
    Driver,
    EventDefinition,
    Force,
    Initial,
    InitialBody,
    Joint,
    Measure,
    Origin,
    Point,
)
from mubo.quantities.units import Units

__all__ = [
    "GROUND",
    "Analysis",
    "Body",
    "Builder",
    "Driver",
    "EventDefinition",
    "Force",
    "Initial",
    "InitialBody",
    "Joint",
    "Measure",
    "ModelDefinition",
    "Origin",
    "Point",
    "Target",
    "Units",
    "check",
    "target_of",
]
