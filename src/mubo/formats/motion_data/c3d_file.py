"""Marker files (.c3d) of motion capture, read by ezc3d (the extra `mocap`).

POINT:LABELS name the markers, POINT:RATE the frames per second, POINT:UNITS the unit. Time is 0 at frame 1, so that a
trimmed recording begins later; samples with a negative residual are missing. Labels that occur again are numbered,
RKNE_2. Force plates of types 1 to 4 are columns plate1.fx, .fy, .fz (the force on the foot), plate1.px … (the centre of
pressure) and plate1.tx … (the free moment there), in the axes of the laboratory, by the corners and the calibration of
the file; analog channels are columns analog.NAME, as recorded. Both have the rate of the analog channels. EVENT:LABELS,
CONTEXTS and TIMES are the events that somebody marked, "Foot Strike" of "Right" at a time.
Source: The C3D File Format: User Guide, Motion Lab Systems.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.formats.files import require_file
from mubo.formats.motion_data.data import MotionData, distinct
from mubo.quantities.unit_algebra import FACTORS

AXES = ("x", "y", "z")
_SECONDS = 60  # for one file
_FORCES = re.compile(r"plate\d+\.|analog\.")  # how columns of force plates and analog channels begin
_NO_FOOT = 20.0  # N: a plate on which less acts has no centre of pressure


def read_c3d(path: Path, used: Sequence[str] | None = None) -> MotionData:
    """The markers of a file, as columns MARKER.x, MARKER.y, MARKER.z; its forces where `used` names such columns."""
    forces = [bool(_FORCES.match(name)) for name in used or ()]
    if any(forces) and not all(forces):
        raise ModelError(f"{path}: markers and forces have times of their own: one motion takes columns of one kind")
    content = _content(path, plates=any(forces))
    if any(forces):
        return _force_data(path, content)
    rate = float(content["rate"][0]) if len(content["rate"]) else 0.0
    if not (np.isfinite(rate) and rate > 0):
        raise ModelError(f"{path}: POINT:RATE, the frames per second, should be positive; found {rate:g}")
    unit = str(content["unit"][0]).lower() if len(content["unit"]) else ""
    if unit not in FACTORS["length"]:
        raise ModelError(f'{path}: POINT:UNITS "{unit}" is not a unit of length. {nearest(unit, FACTORS["length"])}')
    points, missing = content["points"], content["residuals"] < 0
    markers = _labels(path, [str(label) for label in content["labels"]], points.shape[1])
    columns: dict[str, Array] = {}
    for k, marker in enumerate(markers):
        for axis, values in zip(AXES, points[:, k], strict=True):
            columns[f"{marker}.{axis}"] = np.where(missing[k] | ~np.isfinite(values), np.nan, values)
    time = (int(content["first"]) + np.arange(points.shape[2])) / rate  # the first frame is counted from 0
    if len(time) < 2 or not columns:
        raise ModelError(f"{path} has {len(markers)} markers in {len(time)} frames: no motion")
    words = zip(content["event_sides"], content["event_labels"], content["event_times"], strict=True)
    events = tuple((str(side), str(label), float(t)) for side, label, t in words)
    return MotionData(path, time, columns, length_unit=unit, time_unit="s", kind="markers", events=events)


def _force_data(path: Path, content: Mapping[str, Array]) -> MotionData:
    """Force plates and analog channels over their own times."""
    rate = float(content["analog_rate"][0]) if len(content["analog_rate"]) else 0.0
    if not rate > 0:
        raise ModelError(f"{path}: it has no analog channels, and no force plates")
    columns: dict[str, Array] = {}
    units: dict[str, str] = {}
    number = 0
    while f"plate{(number := number + 1)}.f" in content:
        _add_plate(columns, units, content, number)
    labels = distinct([str(label) for label in content["analog_labels"]])
    columns |= {f"analog.{label}": values for label, values in zip(labels, content["analogs"], strict=False)}
    count = content["analogs"].shape[1]
    start = int(content["first"]) / float(content["rate"][0])
    return MotionData(
        path, start + np.arange(count) / rate, columns, time_unit="s", kind="channels", column_units=units
    )


def _add_plate(columns: dict[str, Array], units: dict[str, str], content: Mapping[str, Array], number: int) -> None:
    """The nine columns of a plate; its centre of pressure is unknown where nothing stands on it."""
    empty = np.linalg.norm(content[f"plate{number}.f"], axis=0) < _NO_FOOT
    for word, unit in zip("fpt", content[f"units{number}"], strict=True):
        for axis, values in zip(AXES, content[f"plate{number}.{word}"], strict=True):
            name = f"plate{number}.{word}{axis}"
            columns[name] = np.where(empty, np.nan, values) if word == "p" else values
            units[name] = {"Nmm": "N mm", "Nm": "N m"}.get(str(unit), str(unit))


def _content(path: Path, plates: bool) -> Mapping[str, Array]:
    """The content of the file, read by a child process."""
    if "ezc3d" not in sys.modules and find_spec("ezc3d") is None:
        raise ModelError(
            f"{path}: C3D files are read by ezc3d, which is not installed",
            suggestion='Install it with: pip install "mubo[gait]"',
        )
    try:
        require_file(path)
        child = [sys.executable, "-P", str(Path(__file__).with_name("c3d_child.py")), str(path)]
        child += ["--plates"] * plates
        done = subprocess.run(child, capture_output=True, timeout=_SECONDS, check=False)
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise ModelError(f"{path}: reading it takes more than {_SECONDS} s: it must be damaged") from None
    if done.returncode < 0:
        raise ModelError(f"{path} is damaged: the C3D reader crashed on it")
    if done.returncode:
        printed = done.stderr.decode(errors="replace").strip().splitlines()
        raise ModelError(f"cannot read {path}: {printed[-1] if printed else 'it is no C3D file'}")
    return dict(np.load(io.BytesIO(done.stdout)))


def _labels(path: Path, labels: list[str], count: int) -> list[str]:
    """Names of the markers; those that occur again are numbered."""
    if len(labels) < count:
        raise ModelError(f"{path}: POINT:LABELS has {len(labels)} names for {count} markers")
    if not all(labels[:count]):
        raise ModelError(f"{path}: a marker has no name")
    return distinct(labels[:count])
