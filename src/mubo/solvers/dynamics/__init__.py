"""Motion from forces and initial conditions."""
