"""What a mechanism is made of: groups, assembly modes, circuits, the loop table."""
