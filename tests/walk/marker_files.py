"""Small motion files from formulas: a leg whose knee circles its hip, in the three axes of a laboratory."""

import numpy as np

RATE, LENGTH = 6.0, 400.0  # rad/s, mm
MM = {"m": 1000.0, "cm": 10.0, "mm": 1.0}


def markers(t, unit="mm"):
    """HIP walks along x at 1.2 m/s; KNEE turns about it in the plane xy, φ = −1.5 + RATE t; z is out of that plane."""
    phi = -1.5 + RATE * t
    hip = np.column_stack([1200 * t, 900 + 0 * t, 50 + 30 * t])
    knee = hip + np.column_stack([LENGTH * np.cos(phi), LENGTH * np.sin(phi), 80 * np.sin(2 * t)])
    return {"HIP": hip / MM[unit], "KNEE": knee / MM[unit]}


def trc_text(t, unit="mm", missing=(), blank=""):
    """A marker file; `missing` has (column, first, last): samples left out of "KNEE.x", or of all of "KNEE"."""
    found = markers(t, unit)
    cells = {f"{m}.{a}": [repr(v) for v in found[m][:, k].tolist()] for m in found for k, a in enumerate("xyz")}
    for column, first, last in missing:
        for name in cells:
            if name == column or name.split(".")[0] == column:
                cells[name][first : last + 1] = [blank] * (last + 1 - first)
    lines = [
        "PathFileType\t4\t(X/Y/Z)\twalk.trc",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
        f"100\t100\t{len(t)}\t2\t{unit}\t100\t1\t{len(t)}",
        "Frame#\tTime\tHIP\t\t\tKNEE\t\t",
        "\t\tX1\tY1\tZ1\tX2\tY2\tZ2",
        "",
    ]
    for k, time in enumerate(t.tolist()):
        lines.append("\t".join([str(k + 1), repr(time), *(column[k] for column in cells.values())]))
    return "\n".join(lines) + "\n"


def mot_text(t, degrees="yes"):
    """A storage file: knee = 0.3 + 0.5 sin 4t rad, in degrees if asked for, and tx = 0.1 + 1.2 t m."""
    knee = 0.3 + 0.5 * np.sin(4 * t)
    knee = np.degrees(knee) if degrees == "yes" else knee
    lines = ["Coordinates", "version=1", f"nRows={len(t)}", "nColumns=3", f"inDegrees={degrees}", "", "Units are S.I."]
    lines += ["endheader", "time\tknee\ttx"]
    lines += ["\t".join(map(repr, row)) for row in np.column_stack([t, knee, 0.1 + 1.2 * t]).tolist()]
    return "\n".join(lines) + "\n"
