"""Linearised motion about an equilibrium, a position or a steady motion: vibration modes and state space."""
