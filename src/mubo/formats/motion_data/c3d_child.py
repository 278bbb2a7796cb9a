"""Reads a C3D file in a process of its own and writes its arrays to standard output: `python c3d_child.py walk.c3d`.

A damaged file can crash the reading library, or keep it busy for ever; neither may end the session of a user.
"""

from __future__ import annotations

import io
import sys

import numpy as np


def main(path: str) -> None:
    """The markers, rate, unit, labels and first frame of the file, as the bytes of an .npz archive."""
    import ezc3d

    content = ezc3d.c3d(path)
    point = content["parameters"].get("POINT", {})
    labels = sorted((name for name in point if name.startswith("LABELS")), key=len)  # LABELS, LABELS2, …
    units = point["UNITS"]["value"] if "UNITS" in point else []
    stream = io.BytesIO()
    np.savez(
        stream,
        points=content["data"]["points"][:3],
        residuals=content["data"]["meta_points"]["residuals"][0],
        rate=np.array(point["RATE"]["value"] if "RATE" in point else [], float),
        unit=np.array([str(unit).strip() for unit in units], dtype=str),
        labels=np.array([str(label).strip() for name in labels for label in point[name]["value"]], dtype=str),
        first=content["header"]["points"]["first_frame"],
    )
    sys.stdout.buffer.write(stream.getvalue())


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except Exception as error:  # its last line is what the reader says
        sys.exit(f"{error}")
