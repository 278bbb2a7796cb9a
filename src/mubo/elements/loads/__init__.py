"""What pushes and pulls: declarations only; the formulas are in core/loads."""
