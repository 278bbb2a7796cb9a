"""Solvers of a mechanism: from a Mechanism to typed facts."""
