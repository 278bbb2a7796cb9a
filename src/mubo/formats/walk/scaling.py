"""A generic skeleton is scaled to a person: lengths by pairs of markers in a trial standing still, and all masses.

The factor of a body is the mean ratio of the distances of its pairs, measured and of the skeleton as it is drawn; the
markers are then placed as in that trial, in the pose that inverse kinematics finds. Source: S. L. Delp et al., IEEE
Transactions on Biomedical Engineering 54 (2007) 1940-1950; OpenSim's documentation, How Scaling Works.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.formats.motion_data.data import MotionData
from mubo.formats.robots.body_scales import BodyScales
from mubo.formats.walk.axes import find_axes, in_model_axes
from mubo.formats.walk.chain import pose
from mubo.formats.walk.chain_fit import LOOSE, fit
from mubo.formats.walk.reference_skeleton import ReferenceSkeleton
from mubo.formats.walk.space import read_locked, read_weights
from mubo.formats.walk.stillness import read_standing
from mubo.quantities.unit_algebra import FACTORS

WIDEST = 2.0  # by which a person is larger or smaller than a generic skeleton
UNSURE = 0.1  # weight of markers that measure no length: a laboratory puts them elsewhere than on the generic skeleton
FAR_OFF = 0.1  # m from the place of a generic marker: named
AXES = "xyz"
FORM = 'Write scale = { femur = [["R.ASIS", "R.Knee.Lat"], ["L.ASIS", "L.Knee.Lat"]] }, or a number, or { y = [[…]] }.'


def scaled_skeleton(
    reference: ReferenceSkeleton, walk: MotionData, given: Mapping[str, Any], folder: Path, mass: float
) -> ReferenceSkeleton:
    """The skeleton with the lengths and markers of the static trial, and the masses of the person."""
    axes = find_axes(walk, given, reference.named)
    still = read_standing(folder / str(given["static"]))
    metre = FACTORS["length"][still.length_unit or "m"]
    still = in_model_axes(still, axes)
    generic = ReferenceSkeleton(reference.path, still, metre)
    standing = {name: _standing(still, name) * metre for name in generic.markers}
    names = [body for body in generic.model.bodies if body != "ground"]
    factors = dict(_factors(given.get("scale", {}), names, generic, standing))
    scales = BodyScales(factors, mass)
    scaled = ReferenceSkeleton(reference.path, still, metre, scales)
    places, apart = _placed(scaled, standing, given)
    out = ReferenceSkeleton(reference.path, walk, reference.scale, scales, places)
    out.standing_only = tuple(name for name in places if name not in out.markers)
    out.more_notes = _notes(factors, apart, still.path.name)
    return out


def _standing(still: MotionData, name: str) -> Array:
    """The place of a marker, the median of the frames that show it."""
    return np.array([np.nanmedian(still.column(f"{name}.{axis}")) for axis in AXES])


def _factors(
    given: Any, names: Sequence[str], generic: ReferenceSkeleton, standing: Mapping[str, Array]
) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield each body that is scaled, and its factors along x, y and z."""
    if not isinstance(given, Mapping):
        raise ModelError(f"scale has pairs of markers by body; found {given!r}", suggestion=FORM)
    drawn = generic.drawn_markers
    for word, value in given.items():
        mine = [name for name in names if name == word or name[:-2] == word]
        if not mine:
            raise ModelError(f'scale: the skeleton has no body "{word}". {nearest(str(word), names)}')
        if isinstance(value, Mapping):
            if wrong := [axis for axis in value if axis not in AXES]:
                raise ModelError(f'scale: {word}: axes are x, y and z; found "{wrong[0]}"', suggestion=FORM)
            along = [_factor(f"{word}.{axis}", value[axis], drawn, standing) if axis in value else 1.0 for axis in AXES]
        else:
            along = [_factor(str(word), value, drawn, standing)] * 3
        yield from ((name, tuple(along)) for name in mine)


def _factor(what: str, value: Any, drawn: Mapping[str, Array], standing: Mapping[str, Array]) -> float:
    """A number, or the mean ratio of the distances of pairs of markers."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        factor, how = float(value), "given"
    else:
        pairs = value if isinstance(value, list | tuple) else []
        if not pairs or not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs):
            raise ModelError(f"scale: {what} needs pairs of markers, or a number; found {value!r}", suggestion=FORM)
        for name in (name for pair in pairs for name in pair):
            if name not in standing:
                near = nearest(str(name), sorted(standing))
                raise ModelError(f'scale: {what}: "{name}" is no marker of both skeleton and static trial. {near}')
        ratios = []
        for first, second in pairs:
            measured, own = (np.linalg.norm(at[first] - at[second]) for at in (standing, drawn))
            if not own > 0:
                raise ModelError(f"scale: {what}: {first} and {second} are at one place of the skeleton")
            ratios.append(float(measured / own))
        factor, how = float(np.mean(ratios)), "by its markers"
    if not 1 / WIDEST < factor < WIDEST:
        raise ModelError(
            f"scale: {what} is {factor:.4g} times that of the skeleton, {how}: no person is",
            suggestion="Look at the unit of the static trial, and at the names of the markers.",
        )
    return factor


def _placed(
    skeleton: ReferenceSkeleton, standing: Mapping[str, Array], given: Mapping[str, Any]
) -> tuple[dict[str, Array], dict[str, float]]:
    """Where the markers sit on the links in the pose that fits them best, and how far that is from before, in m."""
    measured = {name: place[None] for name, place in standing.items()}
    known = {name for value in given.get("scale", {}).values() for name in _names(value)}
    weights = {name: 1.0 if name in known else UNSURE for name in standing}
    weights |= {name: LOOSE for name, one in skeleton.weights.items() if one == LOOSE} | read_weights(
        given, [*standing]
    )
    locked = [*skeleton.locked, *read_locked(given, skeleton.coordinates)]
    found = fit(skeleton.links, measured, skeleton.guess(measured), weights, locked)
    placed = pose(skeleton.links, found.coordinates)
    places = {
        name: placed.axes[k][0].T @ (standing[name] - placed.places[k][0])
        for k, link in enumerate(skeleton.links)
        for name in link.markers
    }
    return places, {name: float(far[0]) for name, far in found.distances.items()}


def _names(value: Any) -> Iterator[str]:
    """Yield the names of the markers of pairs."""
    if isinstance(value, Mapping):
        value = list(value.values())
    for one in value if isinstance(value, list | tuple) else ():
        yield from [one] if isinstance(one, str) else _names(one)


def _notes(factors: Mapping[str, Sequence[float]], apart: Mapping[str, float], trial: str) -> list[str]:
    """Notes on the factors, and on markers that stand far from those of the skeleton."""
    listed = ", ".join(
        f"{name} " + ("/".join(f"{one:.4g}" for one in along) if len(set(along)) > 1 else f"{along[0]:.4g}")
        for name, along in factors.items()
    )
    out = [f"lengths by {trial}: {listed}; other bodies stay" if factors else "lengths stay as they are"]
    rms = 1e3 * float(np.sqrt(np.mean(np.square(list(apart.values())))))
    worst = max(apart, key=apart.__getitem__)
    out.append(
        f"markers were {rms:.0f} mm (rms) from those of the scaled skeleton, {worst} most "
        f"({1e3 * apart[worst]:.0f} mm); they are placed as in the static trial"
    )
    if far := [name for name, one in apart.items() if one > FAR_OFF]:
        out.append(f"farther than {1e3 * FAR_OFF:.0f} mm: {', '.join(far)}: swapped, or another place of the body?")
    return out
