"""Applications that use the analyses as a user would: strength, clearance, gait, control, check, compare."""
