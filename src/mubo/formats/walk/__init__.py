"""Walking from measurements: [markers] become segments, joints and drivers, [plate.NAME] become forces on the feet."""

from mubo.formats.walk.markers import add_markers
from mubo.formats.walk.names import OF_MARKERS, segment_bodies
from mubo.formats.walk.plates import add_plate

__all__ = ["OF_MARKERS", "add_markers", "add_plate", "segment_bodies"]
