"""Couplings of space: coordinates that follow others, contacts that roll, knife edges."""
