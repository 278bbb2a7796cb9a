"""Robot descriptions: URDF, MJCF and SDF, in SI units. Each reader makes a `Robot`, and `robot_model` a model of it."""
