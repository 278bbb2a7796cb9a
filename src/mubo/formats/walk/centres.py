"""Joint centres that no marker of the walk shows: carried from a static trial by clusters, or by regression.

A marker that only the static trial has (an epicondyle, a malleolus) moves with the clusters of the segments that meet
at its joint; where both have one, at the middle of the two places. The hip is found from the pelvis (hips.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.motion_data.data import MotionData
from mubo.formats.walk.axes import Named
from mubo.formats.walk.hips import FUNCTIONAL, GIVEN, METHODS, REGRESSIONS, functional_centre, pelvis_axes
from mubo.formats.walk.registration import LEAST, ClusterMotion, is_flat, register
from mubo.formats.walk.rigidity import JointPlace, StandingBody
from mubo.quantities.unit_algebra import FACTORS

SEGMENTS = {  # those that meet at a joint
    "hip": ("pelvis",),
    "knee": ("thigh", "shank"),
    "ankle": ("shank", "foot"),
    "heel": ("foot",),
    "toe": ("foot",),
    "shoulder": ("trunk",),
    "asis": ("pelvis",),
    "psis": ("pelvis",),
}
ENDS = {"thigh": ("hip", "knee"), "shank": ("knee", "ankle"), "foot": ("heel", "toe")}
LETTERS = {"right": "_r", "left": "_l", "trunk": "", "pelvis": ""}
NEAR = 0.3  # of the length of a segment: a marker of its cluster is not farther from its line
ALONG = (0.1, 0.95)  # where along its segment a marker of a cluster sits; near the ends it may be of the next


@dataclass
class Centres:
    """The markers of a walk, with those that a static trial and regressions add to them."""

    data: MotionData
    static: MotionData | None
    named: Named
    clusters: Mapping[str, Sequence[str]]
    up: str  # axis of the laboratory, "z" or "-z"
    given: Mapping[str, Sequence[float]] = field(default_factory=dict)  # hip centres by side in the pelvis, mm
    functional: MotionData | None = None  # a trial in which the legs circle, for hips by motion
    added: dict[str, Array] = field(default_factory=dict)  # marker → frames × 3, in the unit of the data
    notes: list[str] = field(default_factory=list)
    offsets: dict[tuple[str, str], Array] = field(default_factory=dict)

    def resolve(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """Finds every place that is no marker of the walk; answers the names by which `data` has them now."""
        out: dict[str, dict[str, tuple[str, ...]]] = {part: dict(joints) for part, joints in self.named.items()}
        motions: dict[str, ClusterMotion | None] = {}
        for part, joints in self.named.items():
            for joint, names in joints.items():
                if joint == "hip" and part == "trunk" and names[0] in METHODS:
                    out[part][joint] = tuple(
                        name for side in ("right", "left") for name in out.get(side, {}).get("hip", ())
                    )
                    continue
                if joint == "hip" and names[0] in METHODS:
                    out[part][joint] = (self._hip(part, names[0]),)
                    continue
                for name in names:
                    if name not in self.added and not self.in_walk(name):
                        self._carry(part, joint, name, motions)
        if motions:
            self.notes.append(self._residuals(motions))
        self.data = with_markers(self.data, self.added)
        return out

    def in_walk(self, name: str) -> bool:
        """Whether the walk shows a marker in some frame."""
        columns = [self.data.columns.get(f"{name}.{axis}") for axis in "xyz"]
        return any(column is not None and np.isfinite(column).any() for column in columns)

    def _carry(self, part: str, joint: str, name: str, motions: dict[str, ClusterMotion | None]) -> None:
        if self.static is None or f"{name}.x" not in self.static.columns:
            self.data.column(f"{name}.x")  # refuses the name with the nearest one
            raise ModelError(f"{self.data.path}: marker {name} is never visible")
        segments = [f"{segment}{LETTERS[part]}" for segment in SEGMENTS[joint]]
        for segment in segments:
            if segment not in motions:
                motions[segment] = self._motion(segment)
        found = [motion for segment in segments if (motion := motions[segment]) is not None]
        if not found:
            listed = {segment: self.members(segment) for segment in segments}
            seen = "; ".join(f"{segment}: {', '.join(names) or 'none'}" for segment, names in listed.items())
            raise ModelError(
                f"marker {name} is in the static trial only, and needs {LEAST} markers, not on one line, that are in "
                f"both files. Found {seen}",
                suggestion=f'Name them: clusters = {{ {segments[0]} = ["…", "…", "…"] }}.',
            )
        places = np.array([motion.carried(self.standing(name)) for motion in found])
        if len(places) > 1:
            apart = float(np.nanmedian(np.linalg.norm(places[0] - places[1], axis=1))) * self._millimetres
            self.notes.append(f"{name}: the clusters of {' and '.join(segments)} put it {apart:.0f} mm apart (median)")
        self.added[name] = np.asarray(places.mean(axis=0))

    def standing(self, name: str) -> Array:
        """The place of a marker in the static trial: the median of its frames."""
        assert self.static is not None
        return np.array([np.nanmedian(self.static.column(f"{name}.{axis}")) for axis in "xyz"])

    def _motion(self, segment: str, data: MotionData | None = None) -> ClusterMotion | None:
        names = self.members(segment)
        if len(names) < LEAST:
            return None
        static = np.array([self.standing(name) for name in names])
        frames = np.stack([_places(data or self.data, name) for name in names], axis=1)
        return None if is_flat(static) else register(static, frames)

    def members(self, segment: str) -> list[str]:
        """The markers of a cluster that both files have: those named, else those that sit along the segment."""
        if segment in self.clusters:
            for name in self.clusters[segment]:
                for data in (self.data, self.static or self.data):
                    data.column(f"{name}.x")
            return list(self.clusters[segment])
        if segment == "pelvis":
            names = [name for names in self.named.get("pelvis", {}).values() for name in names]
            return [name for name in names if self.in_walk(name) and name in self.standing_markers]
        ends = [name for name in self._ends(segment) if self.in_walk(name) and name in self.standing_markers]
        return list(dict.fromkeys([*ends, *(name for name, home in self._homes.items() if home == segment)]))

    def _ends(self, segment: str) -> list[str]:
        """The markers of heel and toe, which belong to the foot."""
        kind, _, letter = segment.partition("_")
        part = next((part for part, tail in LETTERS.items() if tail == f"_{letter}"), "")
        joints = self.named.get(part, {})
        return [name for end in ENDS["foot"] for name in joints.get(end, ())] if kind == "foot" else []

    def standing_body(self) -> StandingBody:
        """The markers of every segment that both files have, and the joint centres, in the trial standing still."""
        if self.static is None:
            return StandingBody()
        segments = [f"{kind}{LETTERS[part]}" for part in self.named for kind in ENDS if LETTERS[part]]
        members = {segment: self.members(segment) for segment in ("pelvis", *segments)}
        clusters = {segment: {name: self.standing(name) for name in names} for segment, names in members.items()}
        joints = [
            JointPlace(
                f"{part} {joint}", (near if near == "pelvis" else near + LETTERS[part], far + LETTERS[part]), place
            )
            for part in self.named
            if LETTERS[part]
            for joint, near, far in (("hip", "pelvis", "thigh"), ("knee", "thigh", "shank"), ("ankle", "shank", "foot"))
            if (place := self._joint_standing(part, joint)) is not None
        ]
        return StandingBody(clusters, tuple(joints))

    @property
    def standing_markers(self) -> set[str]:
        """The markers that the trial standing still has, or the walk where there is none."""
        return {
            column.rpartition(".")[0]
            for column, values in (self.static or self.data).columns.items()
            if np.isfinite(values).any() and column.endswith(".x")
        }

    @property
    def _homes(self) -> dict[str, str]:
        """The segment on which each marker of both files sits: the nearest one of which it is beside the line."""
        lines = dict(self._lines())
        out = {}
        for name in sorted(self.standing_markers):
            if not self.in_walk(name):
                continue
            place = self.standing(name)
            far = {segment: _beside(place, *ends) for segment, ends in lines.items()}
            home = min(far, key=far.__getitem__) if far else ""
            if home and np.isfinite(far[home]):
                out[name] = home
        return out

    def _lines(self) -> Iterable[tuple[str, tuple[Array, Array]]]:
        """Both ends of every segment in the static trial, as far as it shows them."""
        for part, joints in self.named.items():
            for segment, ends in ENDS.items():
                if part not in ("right", "left") or not all(end in joints for end in ends):
                    continue
                places = [place for end in ends if (place := self._joint_standing(part, end)) is not None]
                if len(places) == len(ends):
                    yield f"{segment}{LETTERS[part]}", (places[0], places[1])

    def _joint_standing(self, part: str, joint: str) -> Array | None:
        """The place of a joint, heel or toe in the static trial, as far as it shows it."""
        names = self.named[part].get(joint, ())
        if joint == "hip" and names and names[0] in METHODS:
            # The clusters of a hip by motion are found with another one.
            return self._hip_standing(part, "harrington" if names[0] == FUNCTIONAL else names[0])
        if not names or not all(name in self.standing_markers for name in names):
            return None
        return np.asarray(np.mean([self.standing(name) for name in names], axis=0))

    def _hip(self, part: str, method: str) -> str:
        name = f"{part} hip ({method})"
        axes, origin, _, _ = pelvis_axes(self._pelvis_places(self.data), self.up)
        self.added[name] = origin + np.einsum("fij,j->fi", axes, self.hip_offset(part, method))
        return name

    def _hip_standing(self, part: str, method: str) -> Array:
        assert self.static is not None
        axes, origin, _, _ = pelvis_axes(self._pelvis_places(self.static), self.up)
        places = origin + np.einsum("fij,j->fi", axes, self.hip_offset(part, method))
        return np.asarray(np.nanmedian(places, axis=0))

    def hip_offset(self, part: str, method: str) -> Array:
        """A hip centre in the axes of the pelvis, in the unit of the data; found once."""
        if (part, method) not in self.offsets:
            x, y, z = self._offset(part, method)
            self.offsets[part, method] = np.array([x, y, z if part == "right" or method == FUNCTIONAL else -z])
        return self.offsets[part, method]

    def _offset(self, part: str, method: str) -> Sequence[float]:
        scale = self._millimetres
        if method == GIVEN:
            return [value / scale for value in self.given[part]]
        if method == FUNCTIONAL:
            return self._functional(part)
        still = self.static or self.data
        axes, origin, width, depth = pelvis_axes(self._pelvis_places(still), self.up)
        leg = self._leg_length(part, still, axes, origin) if method == "leardini" else 0.0
        return [value / scale for value in REGRESSIONS[method](width * scale, depth * scale, leg * scale)]

    def _leg_length(self, part: str, still: MotionData, axes: Array, origin: Array) -> float:
        """From the front spine to the ankle marker that is nearest to the middle of the body, the inner one."""
        spine = _places(still, self.named["pelvis"]["asis"][part == "left"])
        ankles = [_places(still, name) for name in self.named[part]["ankle"] if f"{name}.x" in still.columns]
        if not ankles:
            raise ModelError(f'the {part} hip by "leardini" needs a marker of the ankle in the trial standing still')
        aside = [float(np.nanmedian(np.abs(np.einsum("fi,fi->f", at - origin, axes[:, :, 2])))) for at in ankles]
        return float(np.nanmedian(np.linalg.norm(ankles[int(np.argmin(aside))] - spine, axis=1)))

    def _functional(self, part: str) -> Sequence[float]:
        """The hip by the motion of the thigh against the pelvis, in the axes of the pelvis."""
        if self.static is None:
            raise ModelError(f"the {part} hip by motion needs static, a trial standing still")
        motions = []
        for segment in ("pelvis", f"thigh{LETTERS[part]}"):
            motion = self._motion(segment, self.functional or self.data)
            if motion is None:
                raise ModelError(
                    f"the {part} hip by motion needs {LEAST} markers of the {segment}, not on one line",
                    suggestion=f'Name them: clusters = {{ {segment} = ["…", "…", "…"] }}.',
                )
            motions.append(motion)
        place, apart = functional_centre(motions[0], motions[1], part)
        self.notes.append(f"{part} hip by motion: {apart * self._millimetres:.1f} mm (rms) between pelvis and thigh")
        axes, origin, _, _ = pelvis_axes(self._pelvis_places(self.static), self.up)
        return [float(x) for x in np.nanmedian(np.einsum("fij,fi->fj", axes, place - origin), axis=0)]

    @property
    def _millimetres(self) -> float:
        """Millimetres in the unit of the data; tables without a unit are in metres."""
        return 1e3 * FACTORS["length"][self.data.length_unit or "m"]

    def _pelvis_places(self, data: MotionData) -> tuple[Array, Array, Array]:
        """Right and left front spine, and the middle of the rear ones: each frames × 3."""
        named = self.named.get("pelvis", {})
        if len(named.get("asis", ())) != 2 or not named.get("psis"):
            raise ModelError(
                "a hip by regression needs the markers of the pelvis",
                suggestion='Write pelvis = { asis = ["RASI", "LASI"], psis = "SACR" } in [markers], right first.',
            )
        right, left = (_places(data, name) for name in named["asis"])
        return right, left, np.mean([_places(data, name) for name in named["psis"]], axis=0)

    def _residuals(self, motions: Mapping[str, ClusterMotion | None]) -> str:
        scale = self._millimetres
        parts = [
            f"{segment} {np.sqrt(np.nanmean(motion.residual**2)) * scale:.1f} mm"
            for segment, motion in motions.items()
            if motion is not None
        ]
        return f"clusters of the static trial fit the walk with residuals (rms): {', '.join(parts)}"


def _places(data: MotionData, name: str) -> Array:
    return np.column_stack([data.column(f"{name}.{axis}") for axis in "xyz"])


def _beside(place: Array, first: Array, second: Array) -> float:
    """Distance of a place from a segment by its length; infinite where it is not beside it."""
    line = second - first
    length = float(np.linalg.norm(line))
    along = float((place - first) @ line) / length**2
    far = float(np.linalg.norm(place - first - along * line)) / length
    return far if ALONG[0] <= along <= ALONG[1] and far <= NEAR else float("inf")


def with_markers(data: MotionData, added: Mapping[str, Array]) -> MotionData:
    """A recording with further markers."""
    columns = {f"{name}.{axis}": values[:, k] for name, values in added.items() for k, axis in enumerate("xyz")}
    return replace(data, columns={**data.columns, **columns})
