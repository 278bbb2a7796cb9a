"""A simulation in steps, its inputs held over each: for control in Python and for other simulators."""
