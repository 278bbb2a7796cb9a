"""Positions, velocities and accelerations over time, never onto another branch in silence."""
