"""Searches for extreme values and special positions of quantities along a motion."""
