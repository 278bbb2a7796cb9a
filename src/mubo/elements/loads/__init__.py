"""What pushes and pulls in the plane and in space alike: declarations only; the formulas are in core/loads."""
