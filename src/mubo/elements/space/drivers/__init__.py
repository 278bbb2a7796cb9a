"""Drivers of spatial mechanisms."""
