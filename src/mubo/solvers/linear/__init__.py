"""Linearisation: small motions about an equilibrium, a position or a steady motion."""
