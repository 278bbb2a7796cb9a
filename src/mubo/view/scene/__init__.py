"""The scene of a run as plain data: primitive shapes fixed in bodies or reaching between them, and their motion.

Pictures, films, pages and exports read only this (docs/scene.md).
"""

from mubo.view.scene.actions import ArrowScale, BodyPoint, Load
from mubo.view.scene.build import scene_of
from mubo.view.scene.data import Dot, Kind, Paint, Scene, SceneBody, SceneJoint, SceneReach, SceneShape, Stretch, Text
from mubo.view.scene.motion import place, pose_at, poses_at

__all__ = [
    "ArrowScale",
    "BodyPoint",
    "Dot",
    "Kind",
    "Load",
    "Paint",
    "Scene",
    "SceneBody",
    "SceneJoint",
    "SceneReach",
    "SceneShape",
    "Stretch",
    "Text",
    "place",
    "pose_at",
    "poses_at",
    "scene_of",
]
