"""Forces and torques of the plane: declarations only; the formulas are in core/loads."""
