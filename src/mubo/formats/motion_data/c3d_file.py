"""Marker files (.c3d) of motion capture, read by ezc3d (the extra `mocap`).

POINT:LABELS name the markers, POINT:RATE the frames per second, POINT:UNITS the unit. Time is 0 at frame 1, so that a
trimmed recording begins later; samples with a negative residual are missing. Analog channels and force plates are
not read. Source: The C3D File Format: User Guide, Motion Lab Systems.
"""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.formats.files import require_file
from mubo.formats.motion_data.data import MotionData
from mubo.quantities.unit_algebra import FACTORS

AXES = ("x", "y", "z")
_SECONDS = 60  # for one file


def read_c3d(path: Path) -> MotionData:
    """The markers of a file, as columns MARKER.x, MARKER.y, MARKER.z."""
    content = _content(path)
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
    return MotionData(path, time, columns, length_unit=unit, time_unit="s", kind="markers")


def _content(path: Path) -> Mapping[str, Array]:
    """The content of the file, read by a child process."""
    if "ezc3d" not in sys.modules and find_spec("ezc3d") is None:
        raise ModelError(
            f"{path}: C3D files are read by ezc3d, which is not installed",
            suggestion='Install it with: pip install "mubo[mocap]"',
        )
    try:
        require_file(path)
        child = [sys.executable, "-P", str(Path(__file__).with_name("c3d_child.py")), str(path)]
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
    """Names of the markers, each once."""
    if len(labels) < count:
        raise ModelError(f"{path}: POINT:LABELS has {len(labels)} names for {count} markers")
    for label in labels[:count]:
        if not label or labels[:count].count(label) > 1:
            raise ModelError(f'{path}: there are two markers "{label}"' if label else f"{path}: a marker has no name")
    return labels[:count]
