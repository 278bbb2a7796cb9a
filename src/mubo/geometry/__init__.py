"""Rotations, polygons, figures and solids; here the constants that are needed before anything is computed."""

UNIT = (1.0, 0.0, 0.0, 0.0)  # the unit quaternion: no rotation
LARGEST = 1e60  # length in any unit: its square and fourth power must be numbers too
FIGURE = ("lengths", "angles", "right")  # keys that place the points of a body without coordinates
