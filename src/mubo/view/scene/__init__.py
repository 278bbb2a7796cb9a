"""What to draw, as plain data: shapes fixed in bodies, poses over time, joints as glyphs. Pictures read only this."""

from mubo.view.scene.build import scene_of
from mubo.view.scene.data import Dot, End, Load, Scene, SceneBody, SceneJoint, Shape, Spring
from mubo.view.scene.motion import place, poses_at

__all__ = [
    "Dot",
    "End",
    "Load",
    "Scene",
    "SceneBody",
    "SceneJoint",
    "Shape",
    "Spring",
    "place",
    "poses_at",
    "scene_of",
]
