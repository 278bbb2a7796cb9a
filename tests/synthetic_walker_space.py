"""The synthetic person in space: the Fourier series of the plane, with adduction, rotation and a pelvis that turns.

Nobody was measured. The motion is closed form by matrices written here, rates by central differences of fourth order;
forces follow from Newton's and Euler's laws of every segment, without mubo. The ground exerts on each foot its part of
what the whole body needs, F = Σ m (a − g) and Σ (r × m (a − g) + d(I ω)/dt), at a place under its ankle with a moment
there, so that the root residual is zero but for the differences.
"""

from __future__ import annotations

import numpy as np
import synthetic_walker as plane

STEP = 2e-3  # s, of the differences: their error is of fourth order
WIDE = 0.085  # m from the middle to a hip
SHOULDER = 0.2
AXIAL = {"trunk": 0.191, "thigh": 0.149, "shank": 0.103, "foot": 0.124}  # longitudinal radii of gyration, de Leva
GYRATION = {"trunk": 0.496, "thigh": 0.323, "shank": 0.302, "foot": 0.475}
SPINES = {"RASI": (0.0, 0.0, 0.12), "LASI": (0.0, 0.0, -0.12), "SACR": (-0.16, 0.0, 0.0)}
HIP = (-0.05, -0.09)  # of the hips in the pelvis, from the middle of the front spines
CLUSTER = ((0.05, -0.3, 0.05), (-0.04, -0.5, 0.06), (0.03, -0.7, -0.05))  # by the length along the segment
LINES = {"trunk": (0, plane.TRUNK, 0), "thigh": (0, -plane.THIGH, 0), "shank": (0, -plane.SHANK, 0)}
LINES["foot"] = (*plane.TOE, 0)


def about(axis, angle):
    """Rotation matrices about x, y or z: times × 3 × 3."""
    i, k = (axis + 1) % 3, (axis + 2) % 3
    out = np.zeros((len(angle), 3, 3))
    out[:, axis, axis] = 1
    out[:, i, i] = out[:, k, k] = np.cos(angle)
    out[:, i, k], out[:, k, i] = -np.sin(angle), np.sin(angle)
    return out


def coordinates(t):
    """All coordinates by name, in rad and m: the series of the plane, and sines of the stride out of it."""
    w = plane.OMEGA
    later = t - plane.LEAD
    out = {}
    for word in ("x", "y"):
        out[f"pelvis_t{word}"] = plane.SERIES[word](later)[0] - HIP["xy".index(word)]
    out["pelvis_tx"] += plane.SPEED * later
    out["pelvis_tz"] = 0.02 * np.sin(w * later)
    out["pelvis_tilt"] = 0.02 * np.sin(2 * w * later)
    out["pelvis_list"], out["pelvis_rotation"] = 0.06 * np.sin(w * later), 0.08 * np.cos(w * later)
    out["lumbar_extension"] = plane.SERIES["trunk"](later)[0]
    out["lumbar_bending"], out["lumbar_rotation"] = -0.05 * np.sin(w * later), -0.1 * np.cos(w * later)
    for side, shift in (("r", 0.0), ("l", plane.CYCLE / 2)):
        at = later + shift
        for joint, word in (("hip", "hip_flexion"), ("knee", "knee_angle"), ("ankle", "ankle_angle")):
            out[f"{word}_{side}"] = plane.SERIES[joint](at)[0] + (plane.LEFT[joint] if side == "l" else 0.0)
        out[f"hip_adduction_{side}"], out[f"hip_rotation_{side}"] = 0.09 * np.sin(w * at), 0.07 * np.cos(w * at + 0.4)
        out[f"knee_adduction_{side}"], out[f"knee_rotation_{side}"] = 0.03 * np.sin(w * at), 0.05 * np.sin(w * at + 1)
        out[f"ankle_inversion_{side}"], out[f"ankle_rotation_{side}"] = 0.06 * np.cos(w * at), 0.04 * np.sin(2 * w * at)
    return out


JOINTS = {"lumbar": ("extension", "bending", "rotation"), "hip": ("flexion", "adduction", "rotation")}
JOINTS |= {"knee": ("angle", "adduction", "rotation"), "ankle": ("angle", "inversion", "rotation")}


def poses(t):
    """Axes (times × 3 × 3) and origin of every segment, and the three axes of every joint."""
    q = coordinates(t)
    root = about(2, q["pelvis_tilt"]) @ about(0, q["pelvis_list"]) @ about(1, q["pelvis_rotation"])
    place = np.column_stack([q[f"pelvis_t{letter}"] for letter in "xyz"])
    bodies, axes = {"pelvis": (root, place)}, {}

    def hang(joint, near, far, at, tail=""):
        side = -1.0 if tail == "_l" else 1.0
        signs = (-1.0 if joint == "knee" else 1.0, side, side)
        turns = [s * q[f"{joint}_{word}{tail}"] for s, word in zip(signs, JOINTS[joint], strict=True)]
        own, origin = bodies[near]
        first = own @ about(2, turns[0])
        second = first @ about(0, turns[1])
        bodies[far] = (second @ about(1, turns[2]), origin + own @ np.array(at))
        lines = (own[:, :, 2], first[:, :, 0], second[:, :, 1])
        axes[joint + tail] = [s * line for s, line in zip(signs, lines, strict=True)]

    hang("lumbar", "pelvis", "trunk", (*HIP, 0.0))
    for tail, side in (("_r", 1), ("_l", -1)):
        hang("hip", "pelvis", f"thigh{tail}", (*HIP, side * WIDE), tail)
        hang("knee", f"thigh{tail}", f"shank{tail}", LINES["thigh"], tail)
        hang("ankle", f"shank{tail}", f"foot{tail}", LINES["shank"], tail)
    return bodies, axes


def inertia(kind):
    """Inertia about the centre of mass in body axes."""
    line = np.array(LINES[kind], float)
    square, outer = line @ line * np.eye(3), np.outer(line, line)
    return plane.SEGMENTS[kind].mass * (GYRATION[kind] ** 2 * (square - outer) + AXIAL[kind] ** 2 * outer)


def needed(t):
    """Of every segment: m (a − g) and the moment about the origin of the ground that its motion needs; times × 3."""

    def center(name, at):
        axes, origin = poses(at)[0][name]
        kind = name.split("_")[0]
        return axes, origin + axes @ np.array([*plane.SEGMENTS[kind].center, 0.0])

    def spin(name, at):
        """Angular momentum about the centre: ω from dA/dt Aᵀ."""
        later, before = (center(name, at + k * STEP)[0] for k in (1, -1))
        far, back = (center(name, at + k * STEP)[0] for k in (2, -2))
        axes = center(name, at)[0]
        turn = (8 * (later - before) - (far - back)) / (12 * STEP) @ np.swapaxes(axes, 1, 2)
        rate = np.stack([turn[:, 2, 1], turn[:, 0, 2], turn[:, 1, 0]], axis=1)
        return np.einsum("tij,jk,tlk,tl->ti", axes, inertia(name.split("_")[0]), axes, rate)

    out = {}
    for name in poses(t)[0]:
        if name == "pelvis":
            continue
        shifts = (-2, -1, 0, 1, 2)
        places = [center(name, t + k * STEP)[1] for k in shifts]
        bend = np.einsum("k,ktj->tj", np.array([-1, 16, -30, 16, -1]) / (12 * STEP**2), np.array(places))
        spins = [spin(name, t + k * STEP) for k in (-2, -1, 1, 2)]
        torque = np.einsum("k,ktj->tj", np.array([1, -8, 8, -1]) / (12 * STEP), np.array(spins))
        force = plane.SEGMENTS[name.split("_")[0]].mass * (bend + np.array([0.0, plane.G, 0.0]))
        out[name] = (force, np.cross(places[2], force) + torque)
    return out


def ground(t):
    """Force on each foot, its moment about the origin, its centre of pressure and the free moment there: by side."""
    wanted, bodies = needed(t), poses(t)[0]
    force, moment = (np.sum([pair[k] for pair in wanted.values()], axis=0) for k in (0, 1))
    part = plane.bears(t)[:, None]
    ankles = {side: bodies[f"foot_{side}"][1] * [1.0, 0.0, 1.0] for side in "rl"}
    out, held = {}, {"r": part, "l": 1 - part}
    rest = moment - np.sum([np.cross(ankles[side], held[side] * force) for side in "rl"], axis=0)
    for side in "rl":
        mine = held[side] * force
        out[side] = (mine, np.cross(ankles[side], mine) + held[side] * rest, ankles[side], held[side] * rest)
    return out


def moments(t):
    """The moment along every joint axis by the near on the far segment, per kg: by coordinate."""
    wanted, feet = needed(t), ground(t)
    bodies, axes = poses(t)
    out = {}
    for side in "rl":
        force, about_origin = -feet[side][0], -feet[side][1]
        for joint, far in (("ankle", "foot"), ("knee", "shank"), ("hip", "thigh")):
            force, about_origin = (force + wanted[f"{far}_{side}"][0], about_origin + wanted[f"{far}_{side}"][1])
            at = about_origin - np.cross(bodies[f"{far}_{side}"][1], force)
            for word, line in zip(JOINTS[joint], axes[f"{joint}_{side}"], strict=True):
                out[f"{joint}_{word}_{side}"] = np.einsum("ti,ti->t", at, line) / plane.MASS
    return out


def sites():
    """Body and place of every marker."""
    on = {name: ("pelvis", at) for name, at in SPINES.items()}
    on |= {"RSHO": ("trunk", (0, plane.TRUNK, SHOULDER)), "LSHO": ("trunk", (0, plane.TRUNK, -SHOULDER))}
    for side, way in (("R", 1), ("L", -1)):
        tail = f"_{side.lower()}"
        for kind, joint in (("thigh", "KNE"), ("shank", "ANK")):
            for k, (x, part, z) in enumerate(CLUSTER):
                on[f"{side}{kind[:2].upper()}{k}"] = (kind + tail, (x, -part * LINES[kind][1], way * z))
            for word, off in (("L", 0.05), ("M", -0.05)):
                on[f"{side}{joint}{word}"] = (kind + tail, (0, LINES[kind][1], way * off))
        on[f"{side}HEE"], on[f"{side}TOE"] = (f"foot{tail}", (*plane.HEEL, 0)), (f"foot{tail}", (*plane.TOE, 0))
        on[f"{side}MET"] = (f"foot{tail}", (0.08, -0.05, way * 0.04))
    return on


def markers(t, still=False):
    """Every marker in metres, times × 3; standing still all coordinates but the place are zero."""
    bodies = poses(t)[0]
    if still:
        origin, up = np.zeros((len(t), 3)), np.array([0.0, 1.0, 0.0])
        bodies = {name: (np.broadcast_to(np.eye(3), (len(t), 3, 3)), origin) for name in bodies}
        hip = np.array([*HIP, 0.0]) + up
        places = {"pelvis": up, "trunk": hip}
        for tail, side in (("_r", 1), ("_l", -1)):
            places[f"thigh{tail}"] = hip + np.array([0.0, 0.0, side * WIDE])
            places[f"shank{tail}"] = places[f"thigh{tail}"] + LINES["thigh"]
            places[f"foot{tail}"] = places[f"shank{tail}"] + LINES["shank"]
        bodies = {name: (axes, origin + places[name]) for name, (axes, origin) in bodies.items()}
    return {name: bodies[body][1] + bodies[body][0] @ np.array(at, float) for name, (body, at) in sites().items()}


LEG = 'hip = {hip}, knee = ["{s}KNEL", "{s}KNEM"], ankle = ["{s}ANKL", "{s}ANKM"], heel = "{s}HEE", toe = "{s}TOE"'
OWN = '{ x = "-50 mm", y = "-90 mm", z = "85 mm" }'
MODEL = """name = "synthetic person in space"
dimension = 3
units = {{ length = "m", angle = "deg", mass = "kg", time = "s" }}
gravity = [0, -9.81, 0]
subject = {{ mass = "70 kg" }}
[markers]
file = "walk.trc"
static = "static.trc"
right = {{ {right} }}
left = {{ {left} }}
trunk = {{ shoulder = ["RSHO", "LSHO"] }}
pelvis = {{ asis = ["RASI", "LASI"], psis = "SACR" }}
"""
PLATES = """
[plate.right]
file = "forces.mot"
force = "f1_"
point = "p1_"
torque = "m1_"
[plate.left]
file = "forces.mot"
force = "f2_"
point = "p2_"
torque = "m2_"
"""


def model_text(hip=OWN, more=""):
    """The model file of the walk; `more` are lines of [markers]."""
    legs = {part: LEG.format(s=s, hip=hip) for part, s in (("right", "R"), ("left", "L"))}
    return MODEL.format(**legs) + more + PLATES


def force_text(t):
    """The forces, centres of pressure and moments of both feet as a .mot file."""
    words, held = ["time"], [t]
    for side, number in (("r", 1), ("l", 2)):
        force, _, place, free = ground(t)[side]
        for head, values in (("f", force), ("p", place), ("m", free)):
            words += [f"{head}{number}_{letter}" for letter in "xyz"]
            held += list(values.T)
    rows = ("\t".join(f"{x:.9g}" for x in row) for row in np.column_stack(held))
    head = ["forces", "version=1", f"nRows={len(t)}", f"nColumns={len(words)}", "inDegrees=yes", "endheader"]
    return "\n".join([*head, "\t".join(words), *rows]) + "\n"


def write(folder, t, model=None, held=None, forces=None):
    """Writes walk, static trial, forces and model; the walk has no markers at knees and ankles. Answers the model."""
    seen = held or {name: at for name, at in markers(t).items() if "KNE" not in name and "ANK" not in name}
    (folder / "walk.trc").write_text(plane.trc(seen, t, rate=1 / (t[1] - t[0]), decimals=6))
    (folder / "static.trc").write_text(plane.trc(markers(t[:5], still=True), t[:5], rate=1 / (t[1] - t[0]), decimals=6))
    (folder / "forces.mot").write_text(forces or force_text(t))
    (folder / "walk.toml").write_text(model or model_text())
    return folder / "walk.toml"
