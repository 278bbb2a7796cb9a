"""The skeleton of a person in space: axes of the segments, joint centres and where the markers sit on them.

All in the model's axes, x forwards, y up, z to the right. Axes of the segments, after the recommendations of the
International Society of Biomechanics (G. Wu et al., Journal of Biomechanics 35 (2002) 543-548):

    pelvis   z from the left to the right front spine, y square to the plane of the spines; level in a static trial
    trunk    y from the middle of the hips to that of the shoulders, z in the plane with the line of the shoulders
    thigh    y from knee to hip, z in the plane with the line of the epicondyles, to the right
    shank    y from ankle to knee, z in the plane with the line of the malleoli, to the right
    foot     x from heel to toe, z square to the plane of heel, toe and ankle; in a static trial x and z are level

Origins: middle of the front spines, middle of the hips, hip, knee, ankle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.motion_data.data import MotionData
from mubo.formats.walk.axes import Axes, Named
from mubo.formats.walk.centres import Centres
from mubo.formats.walk.chain import ChainLink
from mubo.formats.walk.hips import METHODS

SIDES = {"right": "r", "left": "l"}
LEG = ("hip", "knee", "ankle")
COORDINATES = {  # about z of the near segment, the floating axis, y of the far one; signs of the right side
    "lumbar": (("lumbar_extension", "lumbar_bending", "lumbar_rotation"), (1.0, 1.0, 1.0)),
    "hip": (("hip_flexion", "hip_adduction", "hip_rotation"), (1.0, 1.0, 1.0)),
    "knee": (("knee_angle", "knee_adduction", "knee_rotation"), (-1.0, 1.0, 1.0)),
    "ankle": (("ankle_angle", "ankle_inversion", "ankle_rotation"), (1.0, 1.0, 1.0)),
}
ROOT = ("pelvis_tx", "pelvis_ty", "pelvis_tz", "pelvis_tilt", "pelvis_list", "pelvis_rotation")
FAR = {"lumbar": "trunk", "hip": "thigh", "knee": "shank", "ankle": "foot"}
TILTED = math.radians(25.0)  # of the line from heel to toe: a foot that is steeper does not stand
HOMES = {"knee": "thigh", "ankle": "shank", "heel": "foot", "toe": "foot"}  # of markers that the walk has too


def in_model_axes(data: MotionData, axes: Axes) -> MotionData:
    """Markers in the axes of the model: x forwards, y up, z to the right."""
    third, sign = axes.across
    turned = dict(zip("xyz", zip((*axes.letters, third), (*axes.signs, sign), strict=True), strict=True))
    names = dict.fromkeys(column.rpartition(".")[0] for column in data.columns)
    columns = {
        f"{name}.{letter}": factor * data.columns[f"{name}.{axis}"]
        for name in names
        for letter, (axis, factor) in turned.items()
        if f"{name}.{axis}" in data.columns
    }
    return replace(data, columns=columns)


def foot_slope(data: MotionData, leg: Mapping[str, tuple[str, ...]], axes: Axes) -> float | None:
    """The angle of the line from heel to toe from the floor in radians, the median; None where markers are missing."""
    ends = []
    for end in ("heel", "toe"):
        if not all(f"{name}.{axis}" in data.columns for name in leg[end] for axis in "xyz"):
            return None
        ends.append(np.mean([[data.columns[f"{name}.{axis}"] for axis in "xyz"] for name in leg[end]], axis=0))
    line = ends[1] - ends[0]
    up = axes.signs[1] * line["xyz".index(axes.letters[1])]
    return float(np.nanmedian(np.arcsin(up / np.linalg.norm(line, axis=0))))


@dataclass
class Frames:
    """Axes (frames × 3 × 3, in columns) and origin of one segment in the trial that defines the skeleton."""

    axes: Array
    origin: Array

    def local_place(self, place: Array) -> Array:
        """A place in the axes of the segment, the median over the frames."""
        local = np.einsum("fij,fi->fj", self.axes, place - self.origin)
        return np.asarray(np.nanmedian(local, axis=0))


@dataclass
class Skeleton:
    """The links of a person, found from the trial standing still, or from the walk where there is none.

    `scale` turns lengths of the recording into the model's.
    """

    centres: Centres
    scale: float
    frames: dict[str, Frames] = field(default_factory=dict)
    joints: dict[str, Array] = field(default_factory=dict)  # "hip_r" → frames × 3
    links: list[ChainLink] = field(default_factory=list)
    points: dict[str, dict[str, Array]] = field(default_factory=dict)  # of each segment, in its axes

    def __post_init__(self) -> None:
        if "pelvis" not in self.named:
            raise ModelError(
                "a chain of segments needs the markers of the pelvis",
                suggestion='Write pelvis = { asis = ["RASI", "LASI"], psis = "SACR" } in [markers], right first.',
            )
        self._find_frames()
        self._require_sides()
        self._add("pelvis", -1, np.zeros(3), (1.0, 1.0, 1.0))
        self.points["pelvis"] = {"asis": self.links[0].origin}
        if "trunk" in self.named:
            self._hang("lumbar", "", 0)
        for part, letter in SIDES.items():
            if part in self.named:
                above = 0
                for joint in LEG:
                    above = self._hang(joint, f"_{letter}", above)
                foot = self.points[f"foot_{letter}"]
                foot |= {
                    end: self.frames[f"foot_{letter}"].local_place(self.place(part, end)) for end in ("heel", "toe")
                }
        if "trunk" in self.named:
            self.points["trunk"]["shoulder"] = self.frames["trunk"].local_place(self.place("trunk", "shoulder"))

    @property
    def named(self) -> Named:
        return self.centres.named

    @property
    def still(self) -> MotionData:
        """The trial that defines the skeleton."""
        return self.centres.static or self.centres.data

    def marker(self, name: str) -> Array:
        """A marker of the defining trial in the model's unit; standing still, its median alone: frames × 3."""
        if self.centres.static is not None:
            return np.asarray(self.centres.standing(name)[None] * self.scale)
        return np.column_stack([self.still.column(f"{name}.{axis}") for axis in "xyz"]) * self.scale

    def place(self, part: str, joint: str) -> Array:
        """The middle of the markers of a joint."""
        return np.asarray(np.mean([self.marker(name) for name in self.named[part][joint]], axis=0))

    def pair(self, part: str, joint: str) -> tuple[Array, Array]:
        """Both markers of a joint, that on the left first."""
        names = self.named[part][joint]
        if len(names) < 2:
            raise ModelError(
                f"{part}.{joint}: in space the axis of a joint needs two markers, outside and inside; found {names[0]}",
                suggestion=f'Write {joint} = ["lateral", "medial"] with the names of both markers.',
            )
        first, second = self.marker(names[0]), self.marker(names[1])
        right = np.nanmean(np.einsum("fi,fi->f", second - first, self.frames["pelvis"].axes[:, :, 2])) > 0
        return (first, second) if right else (second, first)

    def _find_frames(self) -> None:
        asis = [self.marker(name) for name in self.named["pelvis"]["asis"]]
        middle = 0.5 * (asis[0] + asis[1])
        z = _unit(asis[0] - asis[1])
        y = _unit(np.cross(z, middle - self.place("pelvis", "psis")))
        self._require_upright(y)
        x = np.cross(y, z)
        plane = np.stack([x, y, z], axis=2)
        for part, letter in SIDES.items():
            if part in self.named:
                self.joints[f"hip_{letter}"] = self._hip(part, plane, middle)
        if self.centres.static is not None:  # the pelvis is level where the person stands
            x = _unit(np.cross(np.broadcast_to([0.0, 1.0, 0.0], z.shape), z))
            plane = np.stack([x, np.cross(z, x), z], axis=2)
        self.frames["pelvis"] = Frames(plane, middle)
        hips = np.mean([place for name, place in self.joints.items() if name.startswith("hip")], axis=0)
        if "trunk" in self.named:
            self._trunk(hips)
        for part, letter in SIDES.items():
            if part in self.named:
                self._leg(part, letter)

    def _require_sides(self) -> None:
        """Refuses legs that are on each other's side."""
        if not all(side in self.named for side in SIDES):
            return
        across = self.frames["pelvis"].axes[:, :, 2]
        for joint in ("knee", "ankle"):
            apart = self.place("right", joint) - self.place("left", joint)
            wide = float(np.nanmedian(np.einsum("fi,fi->f", apart, across)))
            if wide < 0:
                raise ModelError(
                    f"the right {joint} is {-wide:.3g} to the left of the left one: the legs are exchanged",
                    suggestion="Exchange the markers of right and left in [markers], or those of asis.",
                )

    def _require_upright(self, y: Array) -> None:
        if np.nanmedian(y[:, 1]) < 0:
            raise ModelError(
                "the pelvis is upside down: its right front spine is on the left, or the markers are mirrored",
                suggestion='Name the right marker first in asis; of a mirrored laboratory write hand = "left".',
            )

    def _hip(self, part: str, axes: Array, middle: Array) -> Array:
        names = self.named[part]["hip"]
        if names[0] not in METHODS:
            return self.place(part, "hip")
        offset = self.centres.hip_offset(part, names[0]) * self.scale
        return np.asarray(middle + np.einsum("fij,j->fi", axes, offset))

    def _trunk(self, hips: Array) -> None:
        names = self.named["trunk"]["shoulder"]
        y = _unit(self.place("trunk", "shoulder") - hips)
        across = self.frames["pelvis"].axes[:, :, 2]
        if len(names) > 1:
            left, right = self.pair("trunk", "shoulder")
            across = right - left
        x = _unit(np.cross(y, across))
        self.frames["trunk"] = Frames(np.stack([x, y, np.cross(x, y)], axis=2), hips)
        self.joints["lumbar"] = hips

    def _leg(self, part: str, letter: str) -> None:
        hip = self.joints[f"hip_{letter}"]
        knee, ankle, heel, toe = (self.place(part, joint) for joint in ("knee", "ankle", "heel", "toe"))
        for segment, above, below, joint in (("thigh", hip, knee, "knee"), ("shank", knee, ankle, "ankle")):
            left, right = self.pair(part, joint)
            y = _unit(above - below)
            x = _unit(np.cross(y, right - left))
            self.frames[f"{segment}_{letter}"] = Frames(np.stack([x, y, np.cross(x, y)], axis=2), above)
        x, up = _unit(toe - heel), ankle - heel
        if self.centres.static is not None and abs(math.asin(x[0, 1])) <= TILTED:
            # The foot is level where the person stands.
            up = np.broadcast_to([0.0, 1.0, 0.0], x.shape)
            x = _unit(x - x[:, 1:2] * up)
        z = _unit(np.cross(x, up))
        self.frames[f"foot_{letter}"] = Frames(np.stack([x, np.cross(z, x), z], axis=2), ankle)
        self.joints |= {f"knee_{letter}": knee, f"ankle_{letter}": ankle}

    def _hang(self, joint: str, tail: str, parent: int) -> int:
        """Adds the far segment of a joint; answers its number."""
        near, far = self.links[parent].name, f"{FAR[joint]}{tail}"
        at = self.frames[near].local_place(self.joints[f"{joint}{tail}"])
        signs = COORDINATES[joint][1]
        aside = -1.0 if tail == "_l" else 1.0
        self._add(far, parent, at, (signs[0], aside * signs[1], aside * signs[2]))
        name = joint if joint in LEG else "hip"
        self.points[near][name if near not in ("pelvis",) else f"{joint}{tail}"] = at
        self.points[far] = {name: np.zeros(3)}
        return len(self.links) - 1

    def _add(self, name: str, parent: int, at: Array, signs: tuple[float, float, float]) -> None:
        markers = {marker: self.frames[name].local_place(self.marker(marker)) for marker in self.members(name)}
        self.links.append(ChainLink(name, parent, at, signs, markers))

    def members(self, segment: str) -> list[str]:
        """The markers by which a segment is followed: those named of it that the walk has, and its cluster."""
        kind, _, letter = segment.partition("_")
        part = next((word for word, tail in SIDES.items() if tail == letter), kind)
        joints: Mapping[str, tuple[str, ...]] = self.named.get(part, {})
        homes = {"pelvis": ("asis", "psis"), "trunk": ("shoulder",)}.get(kind) or tuple(
            joint for joint, home in HOMES.items() if home == kind
        )
        named = [name for joint in homes for name in joints.get(joint, ())]
        known = set(self.centres.standing_markers)
        found = [name for name in named if self.centres.in_walk(name) and name in known]
        if segment in self.centres.clusters or (self.centres.static is not None and kind in ("thigh", "shank", "foot")):
            found += self.centres.members(segment)
        return list(dict.fromkeys(found))


def _unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
