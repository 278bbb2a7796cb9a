"""Poses of all bodies as a table that anything can read: t and B.x B.y B.z B.qw B.qx B.qy B.qz, planar models too."""

from __future__ import annotations

from pathlib import Path

from mubo.arrays import Array
from mubo.formats.tables import write_csv
from mubo.view.painters.actors import whole_rows
from mubo.view.scene import Scene

IMPORTER = Path(__file__).parent / "import_poses.py"


def write_poses(scene: Scene, path: Path) -> tuple[str, ...]:
    """Writes the table with all digits, in the model's units; answers what is to be told."""
    times, poses, notes = whole_rows(scene)
    columns: dict[str, Array] = {"t": times}
    for name in scene.poses:
        columns |= {f"{name}.{c}": poses[name][:, k] for k, c in enumerate("xyz")}
        columns |= {f"{name}.q{c}": poses[name][:, 3 + k] for k, c in enumerate("wxyz")}
    write_csv(path, columns)
    return notes
