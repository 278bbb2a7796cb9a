"""Many variants of one mechanism."""
