"""Markers that change places: a segment cannot change its length at once.

A frame is refused where the distance of two markers of a segment differs from its median by more than a part of it
(STRETCH), or changes from one frame to the next by more than JUMP of it: skin moves by a few per cent, and not in one
frame. Two markers are told to be swapped where exchanging them puts the lengths right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from mubo.arrays import Array
from mubo.errors import ModelError

STRETCH, JUMP = 0.15, 0.08  # of the median length

Places = Mapping[str, Array]  # of every marker: frames × axes


@dataclass(frozen=True)
class Span:
    """A segment between two markers."""

    name: str
    markers: tuple[str, str]

    def length(self, places: Places) -> Array:
        first, second = (places[marker] for marker in self.markers)
        return np.asarray(np.linalg.norm(first - second, axis=1))


def require_no_swap(path: object, time: Array, places: Places, spans: Sequence[Span]) -> None:
    """Refuses the first frame at which a segment has another length, with the marker that is to blame."""
    middles = {span: float(np.nanmedian(span.length(places))) for span in spans}
    bad = {span: _bad(span.length(places), middles[span]) for span in spans}
    frames = [int(np.argmax(found)) for found in bad.values() if np.any(found)]
    if not frames:
        return
    frame = min(frames)
    off = [span for span in spans if bad[span][frame]]
    span = off[0]
    found = span.length(places)[frame]
    marker = _blamed(off, spans, bad, frame)
    swapped = _swapped(places, spans, middles, frame, marker)
    cure = (
        f"It looks swapped with {swapped}: exchange them from there on."
        if swapped
        else "Look at the frames around it; leave its cells blank where the marker is wrong."
    )
    raise ModelError(
        f"{path}: marker {marker} jumps in frame {frame + 1} (t = {time[frame]:g}): {span.name} is {found:.4g} long "
        f"there, {middles[span]:.4g} else",
        names=[marker],
        numbers={"t": float(time[frame])},
        suggestion=cure,
    )


def _bad(length: Array, middle: float) -> NDArray[np.bool_]:
    """Frames whose length is off, or has jumped there and not come back from a jump."""
    off = np.abs(length - middle) > STRETCH * middle
    jump = np.abs(np.diff(length, prepend=length[:1])) > JUMP * middle
    return np.asarray((off | jump) & np.isfinite(length))


def _blamed(off: Sequence[Span], spans: Sequence[Span], bad: Mapping[Span, NDArray[np.bool_]], frame: int) -> str:
    """The marker that all segments with a wrong length share, and that belongs to no right one if there is such."""
    shared = [m for m in off[0].markers if all(m in span.markers for span in off)] or list(off[0].markers)
    right = {m for span in spans if not bad[span][frame] for m in span.markers}
    return next((m for m in shared if m not in right), shared[0])


def _swapped(
    places: Places, spans: Sequence[Span], middles: Mapping[Span, float], frame: int, marker: str
) -> str | None:
    """The marker with which another has changed places in a frame, if exchanging them puts all lengths right."""
    for first, second in combinations(places, 2):
        if marker not in (first, second):
            continue
        other = second if marker == first else first
        mine = [span for span in spans if {first, second} & set(span.markers)]
        now = {m: places[{first: second, second: first}.get(m, m)][frame : frame + 1] for m in places}
        if all(abs(span.length(now)[0] - middles[span]) <= JUMP * middles[span] for span in mine):
            return other
    return None
