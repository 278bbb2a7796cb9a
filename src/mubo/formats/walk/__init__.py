"""Walking from measurements: [markers] become segments, joints and drivers, [plate.NAME] become forces on the feet."""

from mubo.formats.walk.markers import OF_MARKERS, add_markers, segment_bodies
from mubo.formats.walk.plates import add_plate

__all__ = ["OF_MARKERS", "add_markers", "add_plate", "segment_bodies"]
