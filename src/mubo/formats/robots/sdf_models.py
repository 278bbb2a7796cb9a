"""Models of an SDF file with the poses of their links, joints and frames, by `relative_to` and `attached_to`.

Source: SDFormat specification, 1.9; "Pose frame semantics": a link is placed in the frame of its model, a joint in that
of its child, a frame in the one that it is attached to, a model in the one around it, unless `relative_to` names
another.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.errors import ModelError, nearest
from mubo.formats.robots.poses import Pose
from mubo.formats.robots.robot import place_of
from mubo.formats.robots.xml import Node, Problems, sane_number
from mubo.geometry import UNIT
from mubo.geometry.rotation import of_euler

MODEL, WORLD, INSIDE = "__model__", "world", "::"


def text_of(node: Node | None, tag: str, absent: str = "") -> str:
    """The text of a child, without the blanks around it."""
    child = None if node is None else node.first(tag)
    return absent if child is None else child.text.strip()


def read_pose(node: Node | None, problems: Problems, what: str) -> Pose:
    """The numbers of a <pose>: x, y, z with roll, pitch and yaw about fixed axes, or a quaternion x, y, z, w."""
    if node is None or not node.text.strip():
        return Pose()
    quaternion = node.given.get("rotation_format", "euler_rpy") == "quat_xyzw"
    try:
        values = [sane_number(word) for word in node.text.split()]
    except ValueError:
        values = []
    if len(values) != (7 if quaternion else 6) or (quaternion and not any(values[3:])):
        problems.note(node, f'{what}: a pose has {7 if quaternion else 6} numbers; found "{node.text.strip()}"')
        return Pose()
    if quaternion:
        turn = np.array([values[6], *values[3:6]])
        return Pose(tuple(values[:3]), place_of(turn / np.linalg.norm(turn)))
    rpy = np.radians(values[3:]) if node.given.get("degrees") == "true" else np.array(values[3:])
    return Pose(tuple(values[:3]), place_of(of_euler("zyx", rpy[::-1])) if any(rpy) else UNIT)


class SdfModel:
    """A model with its links, joints, frames and the models in it; `scope` stands before the names of all."""

    def __init__(self, node: Node, problems: Problems, around: SdfModel | None = None) -> None:
        self.node, self.problems, self.around = node, problems, around
        own = node.given.get("name", "")
        inner = around is not None and around.node.tag == "model"
        self.scope: str = f"{around.scope}{own}{INSIDE}" if around is not None and inner else ""
        self.parts = {child.given.get("name", ""): child for child in node.children if child.tag in PLACED}
        self.models = {child.given.get("name", ""): SdfModel(child, problems, self) for child in node.all("model")}
        self._poses: dict[str, Pose | None] = {WORLD: Pose()}

    @property
    def fixed(self) -> bool:
        """Whether it, or the model around it, does not move."""
        own = text_of(self.node, "static", "false").lower() in ("true", "1")
        return own or (self.around is not None and self.around.fixed)

    def all(self) -> Iterator[SdfModel]:
        """This model, and all in it."""
        yield self
        for model in self.models.values():
            yield from model.all()

    def pose(self, name: str) -> Pose:
        """The pose of a link, joint, frame or model in the world, as the file draws it."""
        if name not in self._poses:
            self._poses[name] = None  # while it is found: who comes back here goes round in a circle
            self._poses[name] = self._find(name)
        found = self._poses[name]
        if found is None:
            raise ModelError(f'{self.node.file}: the pose of "{self.scope}{name}" depends on itself')
        return found

    def _find(self, name: str) -> Pose:
        if name == MODEL:
            return self._own_pose()
        if name in self.models:
            return self.models[name].pose(MODEL)
        first, inside, rest = name.partition(INSIDE)
        if inside and first in self.models:
            return self.models[first].pose(rest)
        node = self.parts.get(name)
        if node is None:
            known = [*self.parts, *self.models]
            raise ModelError(f'{self.node.file}: there is no frame "{self.scope}{name}". {nearest(name, known)}')
        own = node.first("pose")
        base = own.given.get("relative_to", "") if own is not None else ""
        return self.pose(base or self._usual(node)) @ read_pose(own, self.problems, f"{node.tag} {name}")

    def _usual(self, node: Node) -> str:
        """The frame in which an element stands where its pose names none."""
        if node.tag == "joint":
            return text_of(node, "child")
        return node.given.get("attached_to", "") or MODEL

    def _own_pose(self) -> Pose:
        """The pose of the model's frame: `placement_frame` names the frame of it that stands there."""
        own = self.node.first("pose")
        given = read_pose(own, self.problems, f"model {self.node.given.get('name', '')}")
        base = own.given.get("relative_to", "") if own is not None else ""
        around = Pose()
        if self.around is not None:
            around = self.around.pose(base or (MODEL if self.around.node.tag == "model" else WORLD))
        placed = self.node.given.get("placement_frame", "")
        if not placed:
            return around @ given
        self._poses[MODEL] = Pose()
        offset = self.pose(placed).inverse()
        self._poses = {WORLD: Pose()}
        return around @ given @ offset

    def link(self, name: str) -> str:
        """The link, with its scope, to which a name belongs: a link, a frame attached to one, or a model's first."""
        if name == WORLD:
            return ""
        first, inside, rest = name.partition(INSIDE)
        if inside and first in self.models:
            return self.models[first].link(rest)
        if name in self.models or name == MODEL:
            model = self.models.get(name, self)
            named = model.node.given.get("canonical_link", "")
            links = [node.given.get("name", "") for node in model.node.all("link")]
            return model.link(named or links[0]) if links else model.link(next(iter(model.models)))
        node = self.parts.get(name)
        if node is None:
            known = [*self.parts, *self.models]
            raise ModelError(f'{self.node.file}: there is no link "{self.scope}{name}". {nearest(name, known)}')
        if node.tag == "frame":
            return self.link(node.given.get("attached_to", "") or MODEL)
        return self.link(text_of(node, "child")) if node.tag == "joint" else self.scope + name


PLACED = ("link", "joint", "frame")
