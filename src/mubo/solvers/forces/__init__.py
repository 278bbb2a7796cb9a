"""What forces a motion takes, and where a mechanism rests: efforts, reactions, equilibrium."""
