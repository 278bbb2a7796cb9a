"""Designs that are better than the one in hand, and proved to run."""
