"""A mechanism as solids in space with their motion: what glTF and Blender are written from."""

from mubo.view.solids.stage import Actor, Part, Stage, stage_of, upright

__all__ = ["Actor", "Part", "Stage", "stage_of", "upright"]
