"""Forces and torques of space: declarations only; the formulas are in core/loads."""
