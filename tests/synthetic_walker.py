"""A synthetic person who walks: nobody was measured. Motion in closed form, forces by Newton and Euler, without mubo.

Joint angles, root and trunk are Fourier series whose coefficients were chosen so that angles resemble those of people
who walk, the standing foot hardly slips, and the centre of pressure goes from heel to ball; a slow sine makes strides
differ. The ground reaction is what the whole body needs: F = Σ m (a − g), moment about the origin
Σ (r × m (a − g) + I α); in double support it is shared between the feet by a smooth weight. Joint forces and moments
follow from the free body of each segment, the foot first. So the root residual is zero but for rounding.

Run it to write the files of the example: python tests/synthetic_walker.py
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

MASS, HEIGHT, CYCLE, SPEED, G = 70.0, 1.75, 1.1, 1.22, 9.81
OMEGA = 2 * np.pi / CYCLE
DURATION, RATE, LEAD = 4.3, 50.0, 0.25  # s, frames per s, s before the first right heel strike
THIGH, SHANK, TRUNK = 0.245 * HEIGHT, 0.246 * HEIGHT, 0.288 * HEIGHT  # Drillis and Contini
HEEL, TOE = (-0.0665, -0.06825), (0.133, -0.06825)  # in the foot, from the ankle; the toe is the metatarsal head
DOUBLE = 0.12  # of the cycle, both feet stand
APART = 0.46  # m between the centres of pressure of both feet then


@dataclass(frozen=True)
class Series:
    """A Fourier series of the stride with its derivatives, and a slow sine of two thirds of its frequency."""

    offset: float
    cos: tuple[float, ...]
    sin: tuple[float, ...]
    even: bool = False
    slow: float = 0.0

    def __call__(self, t):
        k = np.arange(1, len(self.cos) + 1) * (2 if self.even else 1)
        w = k * OMEGA
        angle = np.outer(t, w)
        a, b, v = np.array(self.cos), np.array(self.sin), 2 * OMEGA / 3
        value = self.offset + np.cos(angle) @ a + np.sin(angle) @ b + self.slow * np.sin(v * t)
        rate = np.cos(angle) @ (b * w) - np.sin(angle) @ (a * w) + self.slow * v * np.cos(v * t)
        bend = -np.cos(angle) @ (a * w**2) - np.sin(angle) @ (b * w**2) - self.slow * v**2 * np.sin(v * t)
        return np.array([value, rate, bend])


SERIES = {
    "hip": Series(
        0.16402,
        (0.32446, -0.08284, -0.00397, -0.00993, 0.00254, -2e-05, 0.0017),
        (-0.06076, -0.00997, 0.01825, -0.00877, -0.00206, -0.00115, 0.00257),
        slow=0.018,
    ),
    "knee": Series(
        0.39799,
        (-0.05508, -0.2848, -0.02356, -0.00602, 0.00178, -0.00267, 0.0036),
        (-0.36605, 0.12377, 0.06099, 0.00634, -0.00307, 0.00646, 0.00729),
        slow=0.03,
    ),
    "ankle": Series(
        0.0134,
        (-0.04237, 0.06108, -0.06339, 0.05876, 0.0114, 0.01563, 0.01828),
        (0.12041, -0.13382, -0.00325, 0.00479, -0.02167, 0.01609, -0.00152),
        slow=-0.022,
    ),
    "x": Series(-0.29237, (-0.00377, 0.00071, -8e-05), (0.01178, 0.00202, 0.00041), even=True),
    "y": Series(0.90898, (-0.01073, 0.00033, -0.00012), (-0.00925, 0.00065, 0.0002), even=True),
    "trunk": Series(-0.01433, (0.00212, 0.00648, 0.00027), (0.01076, 0.00548, 0.00211), even=True),
}
LEFT = {"hip": 0.01, "knee": 0.03, "ankle": 0.02}  # rad by which the left leg bends more: nobody is symmetric


@dataclass(frozen=True)
class Segment:
    """Mass, centre from the proximal joint, inertia: Winter's fractions."""

    mass: float
    center: tuple[float, float]
    inertia: float


def _segment(fraction, center, gyration, way):
    mass, length = fraction * MASS, np.hypot(*way)
    return Segment(mass, (center * way[0], center * way[1]), mass * (gyration * length) ** 2)


SEGMENTS = {
    "trunk": _segment(0.678, 0.626, 0.496, (0, TRUNK)),
    "thigh": _segment(0.1, 0.433, 0.323, (0, -THIGH)),
    "shank": _segment(0.0465, 0.433, 0.302, (0, -SHANK)),
    "foot": _segment(0.0145, 0.5, 0.475, TOE),
}


def carried(origin, turn, at):
    """A point of a body: place, velocity and acceleration from those of its origin and its angle; 3 × 2 × times."""
    c, s = np.cos(turn[0]), np.sin(turn[0])
    r = np.array([c * at[0] - s * at[1], s * at[0] + c * at[1]])
    across = np.array([-r[1], r[0]])
    return origin + np.array([r, turn[1] * across, turn[2] * across - turn[1] ** 2 * r])


def motion(t):
    """Origin (3 × 2 × times) and angle (3 × times) of every segment."""
    t = t - LEAD
    x, y, trunk = (SERIES[word](t) for word in ("x", "y", "trunk"))
    x = x + np.array([SPEED * t, np.full(len(t), SPEED), np.zeros(len(t))])
    hip = np.stack([x, y], 1)
    out = {"trunk": (hip, trunk)}
    for side, later in (("r", 0.0), ("l", CYCLE / 2)):
        flexion, knee, ankle = (SERIES[word](t + later) for word in ("hip", "knee", "ankle"))
        if side == "l":
            flexion[0], knee[0], ankle[0] = flexion[0] + LEFT["hip"], knee[0] + LEFT["knee"], ankle[0] + LEFT["ankle"]
        thigh = trunk + flexion
        shank = thigh - knee
        foot = shank + ankle
        out[f"thigh_{side}"] = (hip, thigh)
        out[f"shank_{side}"] = (carried(hip, thigh, (0, -THIGH)), shank)
        out[f"foot_{side}"] = (carried(out[f"shank_{side}"][0], shank, (0, -SHANK)), foot)
    return out


def cross(r, f):
    return r[0] * f[1] - r[1] * f[0]


def needed(bodies, names):
    """Force m (a − g) of segments and its moment about the origin of the ground."""
    force, moment = 0.0, 0.0
    for name in names:
        segment, (origin, turn) = SEGMENTS[name.split("_")[0]], bodies[name]
        center = carried(origin, turn, segment.center)
        mine = segment.mass * (center[2] + np.array([[0.0], [G]]))
        force, moment = force + mine, moment + cross(center[0], mine) + segment.inertia * turn[2]
    return force, moment


def smooth(u):
    """0 to 1 with two derivatives that vanish at both ends."""
    u = np.clip(u, 0, 1)
    return u**3 * (10 - 15 * u + 6 * u**2)


def bears(t):
    """The part of the ground reaction that the right foot bears: it strikes at 0 and leaves at 62 % of each cycle."""
    part = ((t - LEAD) / CYCLE) % 1.0
    return np.where(part < 0.5, smooth(part / DOUBLE), 1 - smooth((part - 0.5) / DOUBLE))


def ground(t, bodies):
    """Force on each foot and its moment about the origin, and the centre of pressure: by side."""
    force, moment = needed(bodies, list(bodies))
    x, w = moment / force[1], bears(t)
    part = ((t - LEAD) / CYCLE) % 1.0
    before = np.where((part < 0.25) | (part >= 0.75), 1.0, -1.0)  # where the right foot is in front
    places = {"r": x + (1 - w) * before * APART, "l": x - w * before * APART}
    return {
        side: (part * force, places[side] * part * force[1], places[side]) for side, part in (("r", w), ("l", 1 - w))
    }


def joints(t):
    """Angle, its rate, moment (along the angle) and force by the near on the far segment, of every joint."""
    bodies = motion(t)
    feet = ground(t, bodies)
    out = {}
    for side in "rl":
        chain, total, moment = [], 0.0, 0.0
        for joint, far, near, sign in (
            ("ankle", "foot", "shank", 1),
            ("knee", "shank", "thigh", -1),
            ("hip", "thigh", "trunk", 1),
        ):
            chain.append(f"{far}_{side}")
            total, moment = needed(bodies, chain)
            force, about = total - feet[side][0], moment - feet[side][1]
            origin = bodies[f"{far}_{side}"][0][0]
            turn = about - cross(origin, force)
            first = bodies[near if near == "trunk" else f"{near}_{side}"][1]
            angle = sign * (bodies[f"{far}_{side}"][1] - first)
            out[f"{joint}_{side}"] = {"angle": angle, "moment": sign * turn / MASS, "force": force / MASS}
            out[f"{joint}_{side}"]["power"] = out[f"{joint}_{side}"]["moment"] * angle[1]
    return out


def markers(t):
    """Every marker in metres, times × 3: x forwards, y up, z to the right."""
    bodies, out = motion(t), {}
    for side, z in (("R", 0.09), ("L", -0.09)):
        letter = side.lower()
        for name, body, at in (
            ("HIP", f"thigh_{letter}", (0, 0)),
            ("KNE", f"shank_{letter}", (0, 0)),
            ("ANK", f"foot_{letter}", (0, 0)),
            ("HEE", f"foot_{letter}", HEEL),
            ("TOE", f"foot_{letter}", TOE),
            ("SHO", "trunk", (0, TRUNK)),
        ):
            place = carried(*bodies[body], at)[0]
            wide = 2 * z if name == "SHO" else z
            out[side + name] = np.column_stack([*place, np.full(len(t), wide)])
    return out


def times():
    return np.arange(round(DURATION * RATE) + 1) / RATE


def trc(held, t, rate=RATE, decimals=2, count=None):
    """A .trc file of markers in metres, which has millimetres."""
    names = list(held)
    lines = [
        "PathFileType\t4\t(X/Y/Z)\twalk.trc",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
        f"{rate:g}\t{rate:g}\t{len(t)}\t{count or len(names)}\tmm\t{rate:g}\t1\t{len(t)}",
        "Frame#\tTime\t" + "\t\t\t".join(names) + "\t\t",
        "\t\t" + "\t".join(f"X{k}\tY{k}\tZ{k}" for k in range(1, len(names) + 1)),
        "",
    ]
    rows = 1000 * np.concatenate([held[name] for name in names], axis=1)
    for k, row in enumerate(rows):
        cells = ["" if np.isnan(x) else f"{x:.7f}" for x in row]
        lines.append("\t".join([f"{k + 1}", f"{t[k]:.{decimals}f}", *cells]))
    return "\n".join(lines) + "\n"


def marker_text(name="walker.trc", frames=None):
    """The markers as a .trc file in millimetres, of so many frames."""
    t = times()[:frames]
    held = markers(t)
    count = len(held)
    lines = [
        f"PathFileType\t4\t(X/Y/Z)\t{name}",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
        f"{RATE:g}\t{RATE:g}\t{len(t)}\t{count}\tmm\t{RATE:g}\t1\t{len(t)}",
        "Frame#\tTime\t" + "\t\t\t".join(held) + "\t\t",
        "\t\t" + "\t".join(f"X{k}\tY{k}\tZ{k}" for k in range(1, count + 1)),
        "",
    ]
    rows = 1000 * np.concatenate(list(held.values()), axis=1)
    for k, row in enumerate(rows):
        lines.append(f"{k + 1}\t{t[k]:.2f}\t" + "\t".join(f"{x:.4f}" for x in row))
    return "\n".join(lines) + "\n"


def force_text(name="walker_forces.mot", frames=None):
    """The ground reactions as a .mot file: forces, centres of pressure and free moments of right and left foot."""
    t = times()[:frames]
    feet = ground(t, motion(t))
    words, held, none = ["time"], [t], np.zeros(len(t))
    for side, head in (("r", ""), ("l", "1_")):
        force, _, x = feet[side]
        stands = force[1] > 0
        for tail, values in zip(
            ("v", "p"), ((force[0], force[1], none), (np.where(stands, x, 0.0), none, none)), strict=True
        ):
            words += [f"{head}ground_force_{tail}{axis}" for axis in "xyz"]
            held += values
        words += [f"{head}ground_torque_{axis}" for axis in "xyz"]
        held += [none] * 3
    lines = [name, "version=1", f"nRows={len(t)}", f"nColumns={len(words)}", "inDegrees=yes", "endheader"]
    lines.append("\t".join(words))
    lines += ["\t".join(f"{x:.6f}".rstrip("0").rstrip(".") or "0" for x in row) for row in np.column_stack(held)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    folder = Path(__file__).parent.parent / "examples"
    (folder / "walker.trc").write_text(marker_text())
    (folder / "walker_forces.mot").write_text(force_text())
