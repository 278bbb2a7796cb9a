"""Reads a C3D file in a process of its own and writes its arrays to standard output: `python c3d_child.py walk.c3d`.

A damaged file can crash the reading library, or keep it busy for ever; neither may end the session of a user.
"""

from __future__ import annotations

import io
import sys
from typing import Any

import numpy as np


def main(path: str, plates: bool) -> None:
    """The markers, rate, unit, labels and first frame of the file, and its force plates, as an .npz archive."""
    import ezc3d

    content = ezc3d.c3d(path, extract_forceplat_data=plates)
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
        **_events(content["parameters"].get("EVENT", {})),
        **(_plates(content) if plates else {}),
    )
    sys.stdout.buffer.write(stream.getvalue())


def _events(event: Any) -> dict[str, Any]:
    """Labels, contexts and times in seconds of the events that somebody marked; TIMES has minutes and seconds."""
    times = np.array(event["TIMES"]["value"] if "TIMES" in event else [], float)
    if times.ndim != 2 or times.shape[0] != 2:
        times = np.zeros((2, 0))
    words = {
        key: [str(text).strip() for text in (event[name]["value"] if name in event else [])]
        for key, name in (("event_labels", "LABELS"), ("event_sides", "CONTEXTS"))
    }
    count = min(times.shape[1], *(len(listed) for listed in words.values()))
    named = {key: np.array(listed[:count], dtype=str) for key, listed in words.items()}
    return {"event_times": (60 * times[0] + times[1])[:count], **named}


def _plates(content: Any) -> dict[str, Any]:
    """Force, centre of pressure and free moment of each plate, in the laboratory's axes, and the analog channels."""
    analog, platforms = content["parameters"].get("ANALOG", {}), content["data"]["platform"]
    words = {"force": "f", "center_of_pressure": "p", "Tz": "t"}
    labels = sorted((name for name in analog if name.startswith("LABELS")), key=len)
    return {
        **{f"plate{n}.{w}": plate[key] for n, plate in enumerate(platforms, 1) for key, w in words.items()},
        **{
            f"units{n}": np.array([plate[f"unit_{word}"] for word in ("force", "position", "moment")], dtype=str)
            for n, plate in enumerate(platforms, 1)
        },
        "analog_rate": np.array(analog["RATE"]["value"] if "RATE" in analog else [], float),
        "analogs": content["data"]["analogs"][0],
        "analog_labels": np.array(
            [str(label).strip() for name in labels for label in analog[name]["value"]], dtype=str
        ),
    }


if __name__ == "__main__":
    try:
        main(sys.argv[1], plates="--plates" in sys.argv[2:])
    except Exception as error:  # its last line is what the reader says
        sys.exit(f"{error}")
