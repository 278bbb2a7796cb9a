"""Painters: each reads a scene and nothing else. matplotlib in plane and space, glTF, Blender."""
