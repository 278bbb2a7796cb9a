"""A skeleton that is given as a model, such as a scaled one of OpenSim: its joints, masses and markers are taken as
they are, and the coordinates of its joints follow the markers of the walk.

Bodies beyond the last turn of hip, knee and ankle are thigh, shank and foot, by the names of coordinates that OpenSim's
models of walking have: hip_flexion_r, knee_angle_r, ankle_angle_r, subtalar_angle_r.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.files import load
from mubo.formats.motion_data.data import MotionData
from mubo.formats.robots.body_scales import BodyScales
from mubo.formats.walk.axes import Named
from mubo.formats.walk.chain import ChainLink, ChainMotion, CoordinateCurve, Poses, pose
from mubo.formats.walk.chain_fit import LOOSE, SKIN, guess_as_drawn
from mubo.formats.walk.names import JOINT_WORDS, SIDES
from mubo.geometry import UNIT
from mubo.geometry.cubic_splines import spline_pieces
from mubo.geometry.rotation import matrix
from mubo.model import GROUND, Joint, ModelDefinition

TIMES = 2.0  # by which people who walk are wider than they stand, at most
SOFT = {"hip": "thigh", "knee": "shank"}  # segments whose skin moves, by the joint above
KINDS = {"revolute": True, "prismatic": False, "fixed": False}  # of joints that a chain has: whether they turn


class ReferenceSkeleton:
    """The links of a given model, with the markers that it shares with a recording; in m, kg and s."""

    methods = ("chain",)
    static: MotionData | None = None

    def __init__(
        self,
        path: Path,
        data: MotionData,
        scale: float,
        scales: BodyScales | None = None,
        places: Mapping[str, Array] | None = None,
    ) -> None:
        self.path, self.scale, self.more_notes = path, scale, list[str]()
        self.placed = places or {}  # of markers on their links, in place of those of the file
        self.standing_only: tuple[str, ...] = ()  # markers of the trial standing still that the walk has not
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # muscles and other forces take no part in inverse dynamics
            self.model: ModelDefinition = load(path, "osim", robot={"scales": scales})
        assert self.model.origin is not None
        names = self.model.origin.data
        self.markers = self._shared(names["points"], data)
        self._couplers = {str(one.options["of"][1]): one for one in self.model.joints.values() if one.kind == "coupler"}
        self.joints = self._ordered()
        own = [joint.name for joint in self.joints if joint.kind != "fixed"]
        self.coordinates = tuple(name for name in own if name not in self._couplers)
        locked = {names["joints"][name] for name in names.get("locked", ())}
        self.links = [self._link(joint, [_ends(one)[1] for one in self.joints]) for joint in self.joints]
        carry = {k for number, link in enumerate(self.links) if link.markers for k in self._below(number)}
        shown = {motion.coordinate for k in carry for motion in self.links[k].motions}
        self._fixed = {
            "locked by the skeleton": [k for k, name in enumerate(self.coordinates) if name in locked],
            "shown by no marker, as drawn": [k for k in range(len(self.coordinates)) if k not in shown],
        }
        self.still = pose(self.links, self.drawn_coordinates[None])
        self.feet = {side: self._foot(letter) for side, letter in SIDES.items()}

    @property
    def locked(self) -> list[int]:
        """Numbers of the coordinates that stay as drawn."""
        return [k for numbers in self._fixed.values() for k in numbers]

    def _shared(self, points: Mapping[str, str], data: MotionData) -> dict[str, tuple[str, Array]]:
        """Body and place of the markers that the recording shows."""
        out = {}
        for name, reference in points.items():
            column = data.columns.get(f"{name}.x")
            if column is not None and np.isfinite(column).any():
                place = self.placed.get(name)
                out[name] = (reference.partition(".")[0], self._point(reference) if place is None else place)
        if not out:
            names = sorted({column.rpartition(".")[0] for column in data.columns})
            raise ModelError(
                f"no marker of the skeleton {self.path.name} is in {data.path}. It has {_some([*points])}; "
                f"the recording {_some(names)}",
                suggestion="Name the markers of the skeleton as the laboratory does.",
            )
        return out

    def _ordered(self) -> list[Joint]:
        """Joints of the tree, each after that which moves its first body."""
        left = [joint for joint in self.model.joints.values() if joint.kind != "coupler"]
        for joint in left:
            if joint.kind not in KINDS or joint.options.get("role") == "cut":
                raise ModelError(f'skeleton {self.path.name}: joint {joint.name} ("{joint.kind}") is none of a chain')
        known, out = {GROUND}, list[Joint]()
        while left:
            ready = [joint for joint in left if _ends(joint)[0] in known]
            known |= {_ends(joint)[1] for joint in ready}
            out += ready
            left = [joint for joint in left if joint not in ready]
        return out

    def _link(self, joint: Joint, order: list[str]) -> ChainLink:
        near, far = _ends(joint)
        motions: tuple[ChainMotion, ...] = ()
        if joint.kind != "fixed":
            axis = np.array(joint.options["axis"], float)
            leader, curves = self._followed(joint.name)
            number = self.coordinates.index(leader)
            motions = (ChainMotion(KINDS[joint.kind], axis / np.linalg.norm(axis), number, curves),)
        return ChainLink(
            far,
            order.index(near) if near != GROUND else -1,
            self._point(joint.between[0]),
            motions,
            {name: at for name, (body, at) in self.markers.items() if body == far},
            np.asarray(matrix(joint.options.get("zero", UNIT))),
            self._point(joint.between[1]),
        )

    def _followed(self, name: str) -> tuple[str, tuple[CoordinateCurve, ...]]:
        """The coordinate that a joint follows, and the functions between them."""
        if name not in self._couplers:
            return name, ()
        given = self._couplers[name].options
        leader, curves = self._followed(str(given["of"][0]))
        if "points" in given:
            knots, lines = spline_pieces(np.array(given["points"], float))
        else:
            lines = np.array([given.get("polynomial") or (given.get("offset", 0.0), given.get("ratio", 1.0))], float)
            knots = np.zeros(1)
        return leader, (*curves, CoordinateCurve(knots, lines))

    def _point(self, reference: str) -> Array:
        body, _, point = reference.partition(".")
        return np.array(self.model.bodies[body].points[point], float)

    @property
    def drawn_coordinates(self) -> Array:
        """The coordinates in which the skeleton is drawn."""
        starts = self.model.initial_joints
        return np.array([float(starts[name].q[0]) if name in starts else 0.0 for name in self.coordinates])

    @property
    def drawn_markers(self) -> dict[str, Array]:
        """The places of the markers as the skeleton is drawn."""
        return {
            name: _placed(self.still, k, at) for k, link in enumerate(self.links) for name, at in link.markers.items()
        }

    def guess(self, measured: Mapping[str, Array]) -> Array:
        """The coordinates as drawn in every frame in which the pelvis is seen."""
        self._require_alike(measured)
        return guess_as_drawn(self.links, measured, self.drawn_coordinates)

    def _require_alike(self, measured: Mapping[str, Array]) -> None:
        """Refuses markers that are many times as far apart as those of the skeleton, or its mirror image.

        Forwards from heels to toes, up from feet to body and to the right from the left side are right-handed.
        """
        names = [name for link in self.rigid for name in link.markers]
        own = np.array([self.drawn_markers[name] for name in names])
        seen = np.stack([measured[name] for name in names], axis=1)
        wide = np.sqrt(np.nanmean(np.nanvar(seen, axis=1).sum(axis=1)) / own.var(axis=0).sum())
        if not 1 / TIMES < wide < TIMES:
            raise ModelError(
                f"the markers are {wide:.3g} times as far apart as those of the skeleton {self.path.name}: the unit of "
                "the file looks wrong",
                suggestion="Look at the unit of the markers (Units of .trc, POINT:UNITS of .c3d).",
            )
        heels, toes = ([names.index(foot.ends[end][0]) for foot in self.feet.values()] for end in ("heel", "toe"))
        ends = ((toes, heels), (own[:, 1] > np.median(own[:, 1]), heels), (own[:, 2] > 0, own[:, 2] < 0))
        axes = [np.nanmean(seen[:, one], axis=1) - np.nanmean(seen[:, other], axis=1) for one, other in ends]
        if np.nanmedian(np.einsum("fi,fi->f", np.cross(axes[0], axes[1]), axes[2])) < 0:
            raise ModelError(
                "the markers are the mirror image of the skeleton's: right and left are exchanged, or the laboratory "
                "is left-handed",
                suggestion='Exchange the names of right and left, or write hand = "left" in [markers].',
            )

    def moved_by(self, words: tuple[str, ...], tail: str = "") -> int:
        """The number of the link beyond the last coordinate whose name begins with one of some words; −1 of none."""
        mine = {k for k, name in enumerate(self.coordinates) if name.startswith(words) and name.endswith(tail)}
        own = [
            k for k, link in enumerate(self.links) for one in link.motions if one.coordinate in mine and not one.curves
        ]
        return own[-1] if own else -1

    def _foot(self, letter: str) -> FootOfSkeleton:
        """The links of a leg, heel and toe: the rearmost and the foremost marker of the foot as it is drawn."""
        numbers = []
        for joint, words in JOINT_WORDS.items():
            numbers.append(self.moved_by(words, f"_{letter}"))
            if numbers[-1] < 0:
                raise ModelError(
                    f"skeleton {self.path.name}: the {joint} needs a coordinate {words[0]}…_{letter}, as OpenSim's "
                    f"models of walking have it; found {_some(self.coordinates)}"
                )
        thigh, shank, foot = numbers
        ankle = next(k for k in self._below(foot) if self.links[k].parent == shank or k == foot)
        found = [
            (float(_placed(self.still, k, at)[0]), name, (k, at))
            for k, link in enumerate(self.links)
            if foot in self._below(k)
            for name, at in link.markers.items()
        ]
        if len(found) < 2:
            raise ModelError(
                f"skeleton {self.path.name}: {self.links[foot].name} needs two markers of the walk, at heel and toe"
            )
        heel, toe = min(found, key=lambda one: one[0]), max(found, key=lambda one: one[0])
        sites = {name: (k, np.zeros(3)) for name, k in (("hip", thigh), ("knee", shank), ("ankle", ankle))}
        return FootOfSkeleton(foot, {"heel": (heel[1],), "toe": (toe[1],)}, sites | {"heel": heel[2], "toe": toe[2]})

    def _below(self, number: int) -> Iterator[int]:
        """Yield a link and those that carry it, down to the root."""
        while number >= 0:
            yield number
            number = self.links[number].parent

    @property
    def sites(self) -> dict[str, tuple[int, Array]]:
        """Joint centres, heels and toes by side, "right hip": the number of the link and the place in its axes."""
        return {f"{side} {name}": at for side, foot in self.feet.items() for name, at in foot.sites.items()}

    @property
    def named(self) -> Named:
        """Heels, toes and all markers above the feet, which show where the laboratory has forwards and up."""
        feet = {foot.number for foot in self.feet.values()}
        upper = [name for k, link in enumerate(self.links) if not feet & set(self._below(k)) for name in link.markers]
        return {**{side: foot.ends for side, foot in self.feet.items()}, "pelvis": {"asis": tuple(upper)}}

    @property
    def foot_bodies(self) -> dict[str, str]:
        """The bodies of the feet by side."""
        return {side: self.links[foot.number].name for side, foot in self.feet.items()}

    @property
    def rigid(self) -> list[ChainLink]:
        """The links whose markers keep their distances: all but the trunk, which bends."""
        trunk = self.moved_by(("lumbar_",))
        return [link for k, link in enumerate(self.links) if trunk < 0 or trunk not in self._below(k)]

    @property
    def weights(self) -> dict[str, float]:
        """How much the markers of trunk, thighs and shanks count, unless given otherwise; others count 1."""
        rigid = {link.name for link in self.rigid}
        loose = {name: LOOSE for link in self.links if link.name not in rigid for name in link.markers}
        soft = [(foot.sites[joint][0], kind) for foot in self.feet.values() for joint, kind in SOFT.items()]
        return loose | {name: SKIN[kind] for number, kind in soft for name in self.links[number].markers}

    def points_of_legs(self) -> Iterator[tuple[str, dict[str, Array]]]:
        """Yield thigh, shank and foot with the points at both ends, in the axes of each, as the skeleton is drawn."""
        for foot in self.feet.values():
            ends = {name: _placed(self.still, *at) for name, at in foot.sites.items()}
            links = (foot.sites["hip"][0], foot.sites["knee"][0], foot.number)
            for k, names in zip(links, (("hip", "knee"), ("knee", "ankle"), ("ankle", "heel", "toe")), strict=True):
                axes, origin = self.still.axes[k][0], self.still.places[k][0]
                yield self.links[k].name, {name: axes.T @ (ends[name] - origin) for name in names}

    @property
    def notes(self) -> list[str]:
        """The mass of the skeleton, its shared markers, and the coordinates that its file locks."""
        mass = sum(body.mass or 0.0 for body in self.model.bodies.values())
        missing = [name for name in self.model.origin.data["points"] if name not in self.markers]  # type: ignore
        more = f"; it has not {_some(missing)}" if missing else ""
        out = [f"skeleton {self.path.name}: {mass:.4g} kg, {len(self.markers)} of its markers are in the walk{more}"]
        fixed = {why: [self.coordinates[k] for k in numbers] for why, numbers in self._fixed.items() if numbers}
        return [*out, *(f"{why}: {', '.join(names)}" for why, names in fixed.items()), *self.more_notes]


@dataclass(frozen=True, eq=False)
class FootOfSkeleton:
    """A leg of a given skeleton: number of the link that is the foot, markers of heel and toe, places of its joints."""

    number: int
    ends: Mapping[str, tuple[str, ...]]
    sites: dict[str, tuple[int, Array]]


def _ends(joint: Joint) -> tuple[str, str]:
    """Both bodies of a joint."""
    first, second = (reference.partition(".")[0] for reference in joint.between)
    return first, second


def _placed(still: Poses, number: int, at: Array) -> Array:
    """A place of a link in the laboratory."""
    return np.asarray(still.places[number][0] + still.axes[number][0] @ at)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + " …" * (len(names) > 5)
