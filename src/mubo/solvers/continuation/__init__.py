"""Predictor-corrector steps along a motion, and the linear algebra of the constraint Jacobian."""
