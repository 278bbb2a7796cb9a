"""A simulation in steps, its inputs constant over each: for control in Python and for other simulators."""
