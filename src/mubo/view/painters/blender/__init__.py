"""Films for Blender: a script that builds and renders the mechanism, and a table of poses with its importer."""

from mubo.view.painters.blender.script import write_poses, write_script

__all__ = ["write_poses", "write_script"]
