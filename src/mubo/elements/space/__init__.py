"""Joints of rigid bodies in space: rows, and the stack of unit motions that a tree walks. Drivers of them."""
