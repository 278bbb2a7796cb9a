"""Measured motion from files: one reader per kind of file, the filling of gaps, and the laws made of columns.

Every reader answers a `MotionData`; missing samples are NaN there. DATA_FORMS are the forms of a law in a model file
that turn columns into tables in the model's units.
"""

from mubo.formats.motion_data.data import MotionData
from mubo.formats.motion_data.laws import DATA_FORMS
from mubo.formats.motion_data.read import read_motion_data

__all__ = ["DATA_FORMS", "MotionData", "read_motion_data"]
