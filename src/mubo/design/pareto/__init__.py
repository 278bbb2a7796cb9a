"""Designs for several goals, none of which is better in every goal."""
