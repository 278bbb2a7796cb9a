"""Joints in space, one file each."""
