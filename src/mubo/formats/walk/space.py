"""Markers of a walking person become a model in space: seven segments and a trunk that a chain of joints connects.

Between two segments sits a body without mass, so that every joint is a hinge about z of the near segment and a
universal joint about the floating axis and y of the far segment: the coordinates of Grood and Suntay, each with a
driver of its own that follows the inverse kinematics. The pelvis moves by pelvis_tx, _ty, _tz and turns by tilt, list
and rotation in the same order, as OpenSim's does. The effort of a driver is the moment along its axis, by the near on
the far segment.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.formats.motion_data.gaps import Filled
from mubo.formats.motion_data.source import Source
from mubo.formats.walk.chain import pose
from mubo.formats.walk.chain_fit import Fit, fit
from mubo.formats.walk.names import with_own
from mubo.formats.walk.places import Markers
from mubo.formats.walk.reference_skeleton import ReferenceSkeleton
from mubo.formats.walk.skeleton import FAR, LEG, ROOT, Skeleton
from mubo.laws import Polynomial
from mubo.lazy_dataclass import dataclass
from mubo.model import GROUND, Builder

Z, AXES = (0.0, 0.0, 1.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
FAR_OFF = 0.05  # m, rms over the walk: a segment whose markers are farther from the chain is named


@dataclass(frozen=True, eq=False)
class SpaceWalk:
    """The skeleton of a recording and its coordinates over the frames, in the model's unit of length and radians."""

    skeleton: Skeleton | ReferenceSkeleton
    fit: Fit
    method: str

    @property
    def names(self) -> tuple[str, ...]:
        return self.skeleton.coordinates

    def column(self, name: str) -> Array:
        return np.asarray(self.fit.coordinates[:, self.names.index(name)])

    def notes(self, metre: float) -> list[str]:
        """Notes on the distances of the markers from the chain, in mm; `metre` is one metre in the model's unit."""
        apart = {link.name: 1e3 * self.fit.rms(list(link.markers)) / metre for link in self.skeleton.links}
        rigid = [link.name for link in self.skeleton.rigid]
        legs = {name: value for name, value in apart.items() if math.isfinite(value) and name in rigid}
        listed = ", ".join(f"{name} {value:.1f}" for name, value in legs.items())
        out = [f"inverse kinematics by {self.method}: markers fit within (rms, mm) {listed}"]
        for link in self.skeleton.rigid:
            if apart[link.name] > 1e3 * FAR_OFF:
                worst = max(link.markers, key=lambda name: self.fit.rms([name]))
                out.append(
                    f"{link.name}: its markers are {apart[link.name]:.0f} mm (rms) from where the chain has them, "
                    f"{worst} most ({1e3 * self.fit.rms([worst]) / metre:.0f} mm): swapped, or of another segment?"
                )
        return out


def follow(source: Source, skeleton: Skeleton | ReferenceSkeleton, given: Mapping[str, Any]) -> SpaceWalk:
    """Inverse kinematics of a recording in the model's axes."""
    names = skeleton.coordinates
    method = str(given.get("kinematics", skeleton.methods[0]))
    if method not in skeleton.methods:
        raise ModelError(f'kinematics is {" or ".join(skeleton.methods)}; found "{method}"')
    markers = [name for link in skeleton.links for name in link.markers]
    measured = {
        name: np.column_stack([source.column(f"{name}.{axis}", "length").value for axis in "xyz"]) for name in markers
    }
    weights = skeleton.weights | read_weights(given, [*markers, *skeleton.standing_only])
    locked = [*skeleton.locked, *read_locked(given, names)]
    found = fit(skeleton.links, measured, skeleton.guess(measured), weights, locked, method == "chain")
    return SpaceWalk(skeleton, found, method)


def read_weights(given: Mapping[str, Any], markers: Sequence[str]) -> dict[str, float]:
    """How much the distance of each marker counts; 1 unless given."""
    weights = given.get("weights", {})
    if not isinstance(weights, Mapping):
        raise ModelError('weights are numbers by marker: { "R.Heel" = 10 }')
    for name, value in weights.items():
        if name not in markers:
            raise ModelError(f'weights: no segment is followed by a marker "{name}". {nearest(name, markers)}')
        if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
            raise ModelError(f"weights: that of {name} is a number that is not negative; found {value!r}")
    return {name: float(value) for name, value in weights.items()}


def read_locked(given: Mapping[str, Any], names: Sequence[str]) -> list[int]:
    """Numbers of the coordinates that stay zero: of a hinge knee, knee_adduction and knee_rotation."""
    out = []
    for word in given.get("locked", ()):
        mine = [k for k, name in enumerate(names) if name == word or name[:-2] == word]
        if not mine:
            raise ModelError(f'locked: there is no coordinate "{word}". {nearest(str(word), names)}')
        out += mine
    return out


def add_chain(model: Builder, walk: SpaceWalk, markers: Markers) -> None:
    """Adds segments, joints, drivers and measures of a person in space."""
    assert isinstance(walk.skeleton, Skeleton)
    for name, own in walk.skeleton.points.items():
        _segment(model, name, own)
    for name in ("root_slide", "root_axes", *(f"{joint_of(link.name)}_axes" for link in walk.skeleton.links[1:])):
        model.body(name, points={"origin": (0.0, 0.0, 0.0)})
    if "origin" not in model.bodies[GROUND].points:
        model.ground.point("origin", (0.0, 0.0, 0.0))
    model.joint("root_z", "prismatic", "ground.origin", "root_slide.origin", axis=Z)
    model.joint("root_plane", "planar", "root_slide.origin", "root_axes.origin", axis=Z, along=AXES[0])
    model.joint("root_turn", "universal", "root_axes.origin", "pelvis.asis", axes=AXES)
    targets = ("root_plane.q1", "root_plane.q2", "root_z", "root_plane.q3", "root_turn.q1", "root_turn.q2")
    for name, of in zip(ROOT, targets, strict=True):
        drive_coordinate(model, walk, markers, name, of, name not in ROOT[:3])
    for number in range(1, len(walk.skeleton.links)):
        _join(model, walk, markers, number)


def joint_of(segment: str) -> str:
    """The joint at the origin of a segment: hip_r of thigh_r."""
    kind, _, letter = segment.partition("_")
    joint = next(joint for joint, far in FAR.items() if far == kind)
    return f"{joint}_{letter}" if letter else joint


def _segment(model: Builder, name: str, at: Mapping[str, Array]) -> None:
    """A body with its points; masses by the table, but for the pelvis, whose mass is part of the trunk's."""
    own = model.bodies.pop(name, None)
    points = {word: tuple(float(x) for x in place) for word, place in at.items()}
    kind = name.partition("_")[0]
    model.body(name, points=points, segment=None if kind == "pelvis" else {"kind": kind})
    if own is not None:
        model.bodies[name] = with_own(model.bodies[name], own)


def _join(model: Builder, walk: SpaceWalk, markers: Markers, number: int) -> None:
    """The joint of a segment with its parent, and its three drivers."""
    links = walk.skeleton.links
    link, near = links[number], links[links[number].parent].name
    joint = joint_of(link.name)
    word = joint.partition("_")[0]
    end = joint if near == "pelvis" else word
    start = "hip" if word not in LEG else word
    s = [float(np.sum(motion.axis)) for motion in link.motions]
    model.joint(joint, "revolute", f"{near}.{end}", f"{joint}_axes.origin", axis=(0.0, 0.0, s[0]))
    model.joint(
        f"{joint}_turn",
        "universal",
        f"{joint}_axes.origin",
        f"{link.name}.{start}",
        axes=((s[1], 0.0, 0.0), (0.0, s[2], 0.0)),
    )
    names = walk.names[3 + 3 * number : 6 + 3 * number]
    for name, of in zip(names, (joint, f"{joint}_turn.q1", f"{joint}_turn.q2"), strict=True):
        drive_coordinate(model, walk, markers, name, of, name not in ROOT[:3])


def drive_coordinate(model: Builder, walk: SpaceWalk, markers: Markers, name: str, of: str, turns: bool) -> None:
    """Adds a driver that follows a coordinate of the walk."""
    value = walk.column(name)
    if turns:
        value = value / model.units.angle_factor()
    known = value[np.isfinite(value)]
    stays = bool(np.all(known == known[0]))  # a coordinate that is locked
    law = Polynomial((float(known[0]),)) if stays else markers.law(Filled(value, np.zeros(len(value), dtype=bool)))
    model.driver(name, of, law)


def chain_places(walk: SpaceWalk) -> dict[str, Array]:
    """Joint centres, heels and toes by the chain, by "right hip (chain)": frames × 3 in the model's axes."""
    placed = pose(walk.skeleton.links, walk.fit.coordinates)
    return {f"{name} (chain)": placed.places[k] + placed.axes[k] @ at for name, (k, at) in walk.skeleton.sites.items()}
