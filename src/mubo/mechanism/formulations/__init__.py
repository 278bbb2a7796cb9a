"""How a mechanism is solved: absolute coordinates, vector loops, a tree of joint coordinates."""
