"""Rotations, polygons, and mass properties of simple solids."""
