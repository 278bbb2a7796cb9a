"""Structure of a mechanism: structural groups, assembly modes, circuits, the loop table."""
