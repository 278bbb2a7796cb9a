"""Static equilibria, holding efforts and quasi-static motion."""
