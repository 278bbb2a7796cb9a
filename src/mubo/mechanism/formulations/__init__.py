"""Formulations of a mechanism: absolute coordinates, vector loops, a tree of joint coordinates."""
