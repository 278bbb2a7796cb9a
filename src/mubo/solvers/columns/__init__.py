"""From the states of a motion to the named columns of a result."""
