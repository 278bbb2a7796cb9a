"""Markers that change places: a segment cannot change its length at once.

A frame is refused where the distance of two markers of a segment changes from one frame to the next by more than a part
of it (JUMP), or differs from its median by more than STRETCH: skin moves by a few per cent, and not in one frame. Two
markers are reported as swapped where exchanging them gives all segments their length of the frame before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass

STRETCH, JUMP = 0.15, 0.08  # of a length

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
    """Refuses the first frame at which a segment changes its length, with the marker that is to blame."""
    filled = {marker: _kept(values) for marker, values in places.items()}
    # Where a marker is not visible its segment keeps its last length: the marker itself moves on meanwhile.
    lengths = {span: _kept(span.length(places)) for span in spans}
    jumps = {span: np.abs(np.diff(length)) > JUMP * length[:-1] for span, length in lengths.items()}
    if frames := [int(np.argmax(jump)) + 1 for jump in jumps.values() if np.any(jump)]:
        frame = min(frames)
        off = [span for span in spans if jumps[span][frame - 1]]
        usual = {span: float(length[frame - 1]) for span, length in lengths.items()}
    else:
        usual = {span: float(np.nanmedian(length)) for span, length in lengths.items()}
        bad = {span: np.abs(length - usual[span]) > STRETCH * usual[span] for span, length in lengths.items()}
        if not (frames := [int(np.argmax(found)) for found in bad.values() if np.any(found)]):
            return
        frame = min(frames)
        off = [span for span in spans if bad[span][frame]]
    pair = _swapped(filled, usual, off, frame)
    marker = pair[0] if pair else _blamed(off, spans)
    span = next(span for span in off if marker in span.markers)
    raise ModelError(
        f"{path}: marker {marker} jumps in frame {frame + 1} (t = {time[frame]:g}): {span.name} is "
        f"{lengths[span][frame]:.4g} long there, {usual[span]:.4g} else",
        names=[marker],
        numbers={"t": float(time[frame])},
        suggestion=f"It looks swapped with {pair[1]}: exchange them."
        if pair
        else "Leave its cells blank in the frames where it is wrong.",
    )


def _kept(values: Array) -> Array:
    """Places or lengths with those that are missing as they were last known."""
    known = np.all(np.isfinite(values.reshape(len(values), -1)), axis=1)
    last = np.maximum.accumulate(np.where(known, np.arange(len(values)), 0))
    return np.asarray(values[last])


def _blamed(off: Sequence[Span], spans: Sequence[Span]) -> str:
    """The marker of which most segments have a wrong length."""
    markers = dict.fromkeys(marker for span in off for marker in span.markers)

    def part(marker: str) -> float:
        mine = [span for span in spans if marker in span.markers]
        return sum(span in off for span in mine) / len(mine)

    return max(markers, key=part)


def _swapped(places: Places, usual: Mapping[Span, float], off: Sequence[Span], frame: int) -> tuple[str, str] | None:
    """Two markers that have changed places in a frame: exchanged, all their segments are as long as usual."""
    suspects = {marker for span in off for marker in span.markers}
    for first, second in combinations(places, 2):
        if not {first, second} & suspects:
            continue
        other = {first: second, second: first}
        now = {marker: places[other.get(marker, marker)][frame : frame + 1] for marker in places}
        mine = [span for span in usual if set(other) & set(span.markers)]
        right = all(abs(span.length(now)[0] - usual[span]) <= JUMP * usual[span] for span in mine)
        if right and all(span in mine for span in off):
            return (first, second) if first in suspects else (second, first)
    return None
