"""Measured motion from files: one reader per kind of file, the filling of gaps, and the laws defined by columns.

Every reader answers a `MotionData`; missing samples are NaN there.
"""

from mubo.formats.motion_data.data import MotionData
from mubo.formats.motion_data.read import read_motion_data

__all__ = ["MotionData", "read_motion_data"]
