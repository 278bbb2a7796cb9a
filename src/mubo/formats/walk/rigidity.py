"""Clusters of markers against the trial standing still: exchanged throughout, of another person, moved on the skin.

The distances d_ij of the markers of one segment are those D_ij of the trial standing still but for skin that moves by
some millimetres. Over all clusters k = Σ d D/Σ D², medians over the frames, is 1 within a few hundredths for one
person. A frame is wrong where the root mean square of d_ij − D_ij over a cluster is above WRONG; two markers are
exchanged there where exchanging them makes it at least CURES times smaller. Clusters of alike distances are shown by
the joints: both segments that meet there carry its centre to one place, within APART.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from itertools import combinations

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.walk.registration import LEAST, is_flat, register
from mubo.lazy_dataclass import dataclass

Clusters = Mapping[str, Mapping[str, Array]]  # segment → marker → place in the trial standing still
WRONG = 0.01  # m, rms: skin moves as much, but no exchange of markers cures that
CURES = 3.0
FEW = 0.1  # of the frames: where fewer are wrong a marker is lost or jumps, which other tests name
SIZE = 0.08  # by which distances of one person differ at most, over all clusters
MOVED = 0.015  # m, rms over the distances of one marker: it was put elsewhere
PERSON = 1.0  # m: farther apart no markers of one leg are, but in another unit, which its length shows
APART = 0.07  # m: skin moves a joint centre by a third of it


@dataclass(frozen=True, eq=False)
class JointPlace:
    """A joint centre in the trial standing still, and the two segments that carry it."""

    name: str
    segments: tuple[str, str]
    place: Array


@dataclass(frozen=True, eq=False)
class StandingBody:
    """A person in the static trial: clusters of markers and the joints between them."""

    clusters: Clusters = field(default_factory=dict)
    joints: tuple[JointPlace, ...] = ()


def cluster_notes(
    path: object, known: StandingBody, places: Mapping[str, Array], metre: float, check: str
) -> list[str]:
    """Notes on markers that sit elsewhere than in the trial standing still; refuses exchanged ones and another size.

    `metre` is one metre in the unit of the places; with `check` "note" exchanged markers are noted too.
    """
    _require_size(path, known.clusters, places)
    notes = _distance_notes(path, known.clusters, places, metre, check)
    for joint in known.joints:
        if text := _joint_text(joint, known.clusters, places, metre):
            if check == "refuse":
                raise ModelError(
                    f"{path}: {text}",
                    suggestion="Exchange markers in one of the files, give the static trial of the same session, or "
                    'write marker_check = "note".',
                )
            notes.append(f"{path}: {text}")
    return notes


def _distance_notes(
    path: object, clusters: Clusters, places: Mapping[str, Array], metre: float, check: str
) -> list[str]:
    """Notes by the distances inside each cluster."""
    notes = []
    for segment, known in clusters.items():
        names = list(known)
        if len(names) < LEAST:
            continue
        still = np.array([known[name] for name in names])
        seen = np.stack([places[name] for name in names], axis=1)
        off = _changes(still, seen)
        if pair := _exchanged(still, seen, metre):
            text = (
                f"{path}: by their distances the markers {names[pair[0]]} and {names[pair[1]]} of {segment} are "
                f"exchanged against the static trial"
            )
            if check == "refuse":
                raise ModelError(
                    text,
                    names=[names[k] for k in pair],
                    suggestion='Exchange them in one of the files, or write marker_check = "note".',
                )
            notes.append(text)
            continue
        for k, name in enumerate(names):
            others = [i for i in range(len(names)) if i != k]
            far, rest = (_median_size(off[:, rows][:, :, others]) for rows in ([k], others))
            if far > MOVED * metre and far > 2 * rest:
                notes.append(
                    f"{path}: marker {name} of {segment} sits elsewhere than in the static trial: its distances from "
                    f"the others differ by {1e3 * far / metre:.0f} mm (rms): was it lost and put on again?"
                )
    return notes


def _joint_text(joint: JointPlace, clusters: Clusters, places: Mapping[str, Array], metre: float) -> str:
    """Why the segments that meet at a joint do not carry it to one place; empty where they do."""
    still, seen = [], []
    for segment in joint.segments:
        names = list(clusters.get(segment, ()))
        if len(names) < LEAST:
            return ""
        still.append(np.array([clusters[segment][name] for name in names]))
        seen.append(np.stack([places[name] for name in names], axis=1))
    if any(map(is_flat, still)):
        return ""
    carried = [register(a, b).carried(joint.place) for a, b in zip(still, seen, strict=True)]
    far = np.linalg.norm(carried[0] - carried[1], axis=1)
    wrong = (far > APART * metre) & (far < PERSON * metre)
    if not np.mean(wrong) > FEW:
        return ""
    best, least = "", float(np.median(far[wrong])) / CURES
    for k, segment in enumerate(joint.segments):
        names = list(clusters[segment])
        for pair in combinations(range(len(names)), 2):
            order = _swapped_order(len(names), pair)
            now = register(still[k], seen[k][wrong][:, order]).carried(joint.place)
            left = float(np.median(np.linalg.norm(now - carried[1 - k][wrong], axis=1)))
            if left < least:
                best, least = f"the markers {names[pair[0]]} and {names[pair[1]]} of {segment} are exchanged", left
    return (
        f"the clusters of {' and '.join(joint.segments)} carry the {joint.name} to places "
        f"{1e3 * float(np.median(far[wrong])) / metre:.0f} mm apart"
        + (f": by the static trial {best}" if best else ": their markers are not those of the static trial")
    )


def _swapped_order(count: int, pair: tuple[int, int]) -> list[int]:
    order = list(range(count))
    order[pair[0]], order[pair[1]] = pair[1], pair[0]
    return order


def _changes(still: Array, seen: Array) -> Array:
    """The distances in the walk less those standing still: frames × markers × markers."""
    now, then = (np.linalg.norm(at[..., :, None, :] - at[..., None, :, :], axis=-1) for at in (seen, still))
    return np.asarray(now - then)


def _median_size(values: Array) -> float:
    """The root mean square of the medians over the frames; 0 where nothing is seen."""
    seen = values.reshape(len(values), -1)
    middle = np.nanmedian(seen[:, np.isfinite(seen).any(axis=0)], axis=0)
    return float(np.sqrt(np.mean(middle**2))) if middle.size else 0.0


def _frame_sizes(changes: Array) -> Array:
    """The root mean square of every frame in which the cluster is whole."""
    return np.asarray(np.sqrt(np.mean(changes**2, axis=(1, 2))))


def _exchanged(still: Array, seen: Array, metre: float) -> tuple[int, int] | None:
    """The numbers of two markers that are exchanged in more than a few frames."""
    sizes = _frame_sizes(_changes(still, seen))
    wrong = sizes > WRONG * metre
    if not np.mean(wrong) > FEW:
        return None
    best, least = None, float(np.median(sizes[wrong])) / CURES
    for pair in combinations(range(len(still)), 2):
        order = _swapped_order(len(still), pair)
        left = float(np.median(_frame_sizes(_changes(still, seen[wrong][:, order]))))
        if left < least:
            best, least = pair, left
    return best


def _require_size(path: object, clusters: Clusters, places: Mapping[str, Array]) -> None:
    """Refuses a walk whose clusters are all larger or smaller than in the trial standing still."""
    pairs = []
    for known in clusters.values():
        for first, second in combinations(known, 2):
            now = np.linalg.norm(places[first] - places[second], axis=1)
            if np.isfinite(now).any():
                pairs.append((float(np.nanmedian(now)), float(np.linalg.norm(known[first] - known[second]))))
    if not pairs:
        return
    now, then = np.array(pairs).T
    ratio = float(np.median(now / then))
    if abs(ratio - 1) > SIZE:
        raise ModelError(
            f"{path}: the markers of one segment are {ratio:.3g} times as far apart as in the static trial (median of "
            f"{len(pairs)} distances): another person, or another unit",
            suggestion="Give the static trial of the same session.",
        )
