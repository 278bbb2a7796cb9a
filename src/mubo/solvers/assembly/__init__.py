"""The first position: assembled, inspected, diagnosed, repaired."""
