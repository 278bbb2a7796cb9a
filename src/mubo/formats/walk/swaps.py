"""Markers that change places or jump: a segment cannot change its length at once.

Two markers are reported as swapped, and refused, where exchanging them gives all segments their length of the frame
before. A segment that differs from its usual length by more than STRETCH and JUMP in some frame has a marker elsewhere:
no answer would mean anything, and it is refused too. Smaller jumps, of more than JUMP, are noted: those that change a
length at once, and those of one marker against both of its neighbours in time, |x₊ − 2x + x₋|/2. The marker to blame
is the one with the largest of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass

STRETCH = 0.3  # of a length: skin and clothes move by a few per cent
JUMP = 0.04  # m from one frame to the next
SAME = 0.08  # of a length: within this, segments are as long as usual
CHECKS = ("refuse", "note")

Places = Mapping[str, Array]  # of every marker: frames × axes


@dataclass(frozen=True)
class Span:
    """A segment between two markers."""

    name: str
    markers: tuple[str, str]

    def length(self, places: Places) -> Array:
        first, second = (places[marker] for marker in self.markers)
        return np.asarray(np.linalg.norm(first - second, axis=1))


def jump_notes(
    path: object, time: Array, places: Places, spans: Sequence[Span], metre: float, check: str = "refuse"
) -> list[str]:
    """Notes on markers that jump; refuses those that change places, or are elsewhere, unless `check` is "note".

    `metre` is one metre in the unit of the places.
    """
    if check not in CHECKS:
        raise ModelError(f'marker_check is {" or ".join(CHECKS)}; found "{check}"')
    # Where a marker is not visible its segment keeps its last length: the marker itself moves on meanwhile.
    lengths = {span: _kept(span.length(places)) for span in spans}
    usual = {span: float(np.nanmedian(length)) for span, length in lengths.items()}
    steps = {span: np.abs(np.diff(length, prepend=length[:1])) for span, length in lengths.items()}
    wrong = {
        span: np.abs(length - usual[span]) > max(STRETCH * usual[span], JUMP * metre)
        for span, length in lengths.items()
    }
    leaps = {span: (step > JUMP * metre) | (step > SAME * usual[span]) for span, step in steps.items()}
    notes: dict[str, list[int]] = {}
    kept = {name: _kept(values) for name, values in places.items()}
    for frame in map(int, np.flatnonzero(np.any([leaps[span] | wrong[span] for span in spans], axis=0))):
        off = [span for span in spans if leaps[span][frame] or wrong[span][frame]]
        before = {span: float(length[frame - 1]) if frame else usual[span] for span, length in lengths.items()}
        pair = _swapped(kept, before, off, frame)
        marker = pair[0] if pair else _blamed(kept, off, spans, frame)
        if check == "refuse" and (pair or any(wrong[span][frame] for span in off)):
            span = next(span for span in off if marker in span.markers)
            raise _refusal(path, (marker, pair[1] if pair else ""), (frame, float(time[frame])), span, lengths[span])
        if any(steps[span][frame] > JUMP * metre for span in off):
            notes.setdefault(marker, []).append(frame)
    for marker, place in places.items():
        for frame in _leaps(place, JUMP * metre):
            if not any(abs(frame - known) <= 1 for known in notes.get(marker, ())):
                notes.setdefault(marker, []).append(frame)
    together: dict[tuple[int, ...], list[str]] = {}
    for marker, frames in notes.items():
        together.setdefault(tuple(sorted(frames)), []).append(marker)
    return [_note(path, markers, frames, time) for frames, markers in together.items()]


def _leaps(place: Array, far: float) -> list[int]:
    """The frames in which a marker is farther than `far` from the middle of its neighbours, each the worst about."""
    off = np.pad(0.5 * np.linalg.norm(np.diff(place, 2, axis=0), axis=1), 1)
    worst = (off > far) & (off >= np.roll(off, 1)) & (off > np.roll(off, -1))
    return [int(frame) for frame in np.flatnonzero(worst)]


def _refusal(path: object, markers: tuple[str, str], at: tuple[int, float], span: Span, length: Array) -> ModelError:
    marker, other = markers
    return ModelError(
        f"{path}: marker {marker} jumps in frame {at[0] + 1} (t = {at[1]:g}): {span.name} is "
        f"{length[at[0]]:.4g} long there, {np.nanmedian(length):.4g} else",
        names=[marker],
        numbers={"t": at[1]},
        suggestion=f"It looks swapped with {other}: exchange them."
        if other
        else 'Leave its cells blank in the frames where it is wrong, or write marker_check = "note".',
    )


def _note(path: object, markers: Sequence[str], frames: Sequence[int], time: Array) -> str:
    first = f"in frame {frames[0] + 1} (t = {time[frames[0]]:g})"
    more = f" and {len(frames) - 1} more" if len(frames) > 1 else ""
    named = f"marker {markers[0]} jumps" if len(markers) == 1 else f"the markers {', '.join(markers)} jump"
    return f"{path}: {named} {first}{more}: blank cells there would be filled by a spline"


def _kept(values: Array) -> Array:
    """Places or lengths with those that are missing as they were last known."""
    known = np.all(np.isfinite(values.reshape(len(values), -1)), axis=1)
    last = np.maximum.accumulate(np.where(known, np.arange(len(values)), 0))
    return np.asarray(values[last])


def _blamed(places: Places, off: Sequence[Span], spans: Sequence[Span], frame: int) -> str:
    """The marker of most wrong segments; of several, that with the largest acceleration of its own there."""
    markers = dict.fromkeys(marker for span in off for marker in span.markers)

    def part(marker: str) -> tuple[float, float]:
        mine = [span for span in spans if marker in span.markers]
        return sum(span in off for span in mine) / len(mine), _acceleration(places[marker], frame)

    return max(markers, key=part)


def _acceleration(place: Array, frame: int) -> float:
    """The largest second difference of a marker in the frames about one."""
    near = place[max(frame - 2, 0) : frame + 3]
    return float(np.max(np.linalg.norm(np.diff(near, 2, axis=0), axis=1), initial=0.0))


def _swapped(places: Places, usual: Mapping[Span, float], off: Sequence[Span], frame: int) -> tuple[str, str] | None:
    """Two markers that have changed places in a frame: exchanged, all their segments are as long as usual."""
    suspects = {marker for span in off for marker in span.markers}
    for first, second in combinations(places, 2):
        if not {first, second} & suspects:
            continue
        other = {first: second, second: first}
        now = {marker: places[other.get(marker, marker)][frame : frame + 1] for marker in places}
        mine = [span for span in usual if set(other) & set(span.markers)]
        right = all(abs(span.length(now)[0] - usual[span]) <= SAME * usual[span] for span in mine)
        if right and all(span in mine for span in off):
            return (first, second) if first in suspects else (second, first)
    return None
