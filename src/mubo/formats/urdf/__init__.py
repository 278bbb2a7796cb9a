"""URDF, the format of robots: trees of links and joints in SI units (ROS wiki, urdf/XML)."""

from mubo.formats.urdf.read import read_urdf
from mubo.formats.urdf.write import write_urdf

__all__ = ["read_urdf", "write_urdf"]
