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
from dataclasses import dataclass, field

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.motion_data.data import MotionData
from mubo.formats.walk.axes import Named
from mubo.formats.walk.centres import Centres
from mubo.formats.walk.chain import ChainLink, ChainMotion, ball, root_motions
from mubo.formats.walk.chain_fit import LOOSE, SKIN, guess_by_segments
from mubo.formats.walk.hips import METHODS, require_upright
from mubo.formats.walk.posture import TILTED, require_sides

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
WEIGHED = ("trunk", *SKIN)
MIRRORED = 'Name the right marker first in asis; of a mirrored laboratory write hand = "left".'
KINEMATICS = ("chain", "segments")
HOMES = {"knee": "thigh", "ankle": "shank", "heel": "foot", "toe": "foot"}  # of markers that the walk has too


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
    standing_only: tuple[str, ...] = ()  # markers that only inverse kinematics of the static trial follows

    def __post_init__(self) -> None:
        if "pelvis" not in self.named:
            raise ModelError(
                "a chain of segments needs the markers of the pelvis",
                suggestion='Write pelvis = { asis = ["RASI", "LASI"], psis = "SACR" } in [markers], right first.',
            )
        self._find_frames()
        self._require_sides()
        self._add("pelvis", -1, np.zeros(3), root_motions())
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

    @property
    def methods(self) -> tuple[str, ...]:
        """Kinds of inverse kinematics that it has."""
        return KINEMATICS

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of all coordinates, in the order of the links."""
        out = list(ROOT)
        for link in self.links[1:]:
            kind, _, letter = link.name.partition("_")
            joint = next(joint for joint, far in FAR.items() if far == kind)
            out += [f"{name}_{letter}" if letter else name for name in COORDINATES[joint][0]]
        return tuple(out)

    @property
    def sites(self) -> dict[str, tuple[int, Array]]:
        """Joint centres, heels and toes by side, "right hip": the number of the link and the place in its axes."""
        out = {}
        for k, link in enumerate(self.links):
            kind, _, letter = link.name.partition("_")
            side = next((word for word, tail in SIDES.items() if tail == letter), "")
            for point, at in self.points[link.name].items():
                if (side and kind == "foot") or point in LEG:
                    out[f"{side} {point}".strip()] = (k, at)
        return out

    @property
    def rigid(self) -> list[ChainLink]:
        """The links whose markers keep their distances: all but the trunk, which bends."""
        return [link for link in self.links if link.name != "trunk"]

    @property
    def weights(self) -> dict[str, float]:
        """How much the markers of trunk, thighs and shanks count, unless given otherwise; others count 1."""
        parts = [(link, link.name.partition("_")[0]) for link in self.links]
        return {name: SKIN.get(kind, LOOSE) for link, kind in parts if kind in WEIGHED for name in link.markers}

    @property
    def locked(self) -> list[int]:
        """One marker shows where the trunk points, not how it turns about its length."""
        lone = [link for link in self.links if link.name == "trunk" and len(link.markers) == 1]
        return [self.coordinates.index("lumbar_rotation")] if lone else []

    @property
    def notes(self) -> list[str]:
        """Notes on joint centres, and on what the markers of the trunk do not show."""
        alone = "trunk: one marker does not show its rotation about its length; lumbar_rotation is taken as 0"
        return [*self.centres.notes, *([alone] if self.locked else [])]

    @property
    def static(self) -> MotionData | None:
        """The trial standing still."""
        return self.centres.static

    def guess(self, measured: Mapping[str, Array]) -> Array:
        """Coordinates by every segment for itself; those that are locked are zero."""
        return guess_by_segments(self.links, measured)

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
        require_upright(y[:, 1], MIRRORED)
        self._require_upright_walk()
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
        if all(side in self.named for side in SIDES):
            apart = {joint: self.place("right", joint) - self.place("left", joint) for joint in ("knee", "ankle")}
            require_sides(apart, self.frames["pelvis"].axes[:, :, 2])

    def _require_upright_walk(self) -> None:
        """Refuses spines that are exchanged in the walk, where a trial standing still defines the skeleton."""
        spines = [name for joint in ("asis", "psis") for name in self.named["pelvis"][joint]]
        if self.centres.static is None or not all(map(self.centres.in_walk, spines)):
            return
        data = self.centres.data
        places = [np.column_stack([data.column(f"{name}.{axis}") for axis in "xyz"]) for name in spines]
        ahead = 0.5 * (places[0] + places[1]) - np.mean(places[2:], axis=0)
        require_upright(np.cross(places[0] - places[1], ahead)[:, 1], MIRRORED)

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
        turns = ball(3 + 3 * len(self.links), (signs[0], aside * signs[1], aside * signs[2]))
        self._add(far, parent, at, turns)
        name = joint if joint in LEG else "hip"
        self.points[near][name if near not in ("pelvis",) else f"{joint}{tail}"] = at
        self.points[far] = {name: np.zeros(3)}
        return len(self.links) - 1

    def _add(self, name: str, parent: int, at: Array, motions: tuple[ChainMotion, ...]) -> None:
        markers = {marker: self.frames[name].local_place(self.marker(marker)) for marker in self.members(name)}
        self.links.append(ChainLink(name, parent, at, motions, markers))

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
