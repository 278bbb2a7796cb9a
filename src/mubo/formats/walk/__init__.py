"""Walking from measurements: [markers] become segments, joints and drivers, [plate.NAME] become forces on the feet."""

from mubo.formats.walk.markers import add_markers
from mubo.formats.walk.plates import add_plate

__all__ = ["add_markers", "add_plate"]
