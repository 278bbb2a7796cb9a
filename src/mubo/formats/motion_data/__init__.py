"""Measured motion from files: one reader per kind of file, the filling of gaps, and the laws made of columns.

Every reader answers a `MotionData`; missing samples are NaN there. `column_law` and `segment_law` turn columns into
tables in the model's units.
"""

from mubo.formats.motion_data.data import MotionData
from mubo.formats.motion_data.laws import column_law, segment_law
from mubo.formats.motion_data.read import read_motion_data

__all__ = ["MotionData", "column_law", "read_motion_data", "segment_law"]
