"""Linearisation: linearised motion about an equilibrium, a position or a steady motion."""
