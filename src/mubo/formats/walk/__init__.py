"""Walking from measurements: [markers] become segments, joints and drivers, [plate.NAME] become forces on the feet."""

from mubo.formats.walk.markers import MARKER_KEYS, add_markers
from mubo.formats.walk.plates import PLATE_KEYS, add_plate, missing_of

__all__ = ["MARKER_KEYS", "PLATE_KEYS", "add_markers", "add_plate", "missing_of"]
