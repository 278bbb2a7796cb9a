"""Poses of all bodies as a table that anything can read: t and B.x B.y B.z B.qw B.qx B.qy B.qz, planar models too."""

from __future__ import annotations

from pathlib import Path

from mubo.arrays import Array
from mubo.formats.tables import write_csv
from mubo.model import GROUND
from mubo.results import Trajectory
from mubo.view.solids.poses import poses_of

IMPORTER = Path(__file__).parent / "import_poses.py"


def write_poses(run: Trajectory, path: Path) -> tuple[str, ...]:
    """Writes the table with all digits, in the model's units; answers what is to be told."""
    poses = poses_of(run)
    columns: dict[str, Array] = {"t": poses.times}
    for name in poses.names:
        if name != GROUND:
            columns |= {f"{name}.{c}": poses.place[name][:, k] for k, c in enumerate("xyz")}
            columns |= {f"{name}.q{c}": poses.turn[name][:, k] for k, c in enumerate("wxyz")}
    write_csv(path, columns)
    return poses.notes
