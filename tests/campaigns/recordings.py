"""Public gait recordings against reference results: `python tests/campaigns/recordings.py FOLDER [PART …]`, with the
parts in_plane, by_markers, by_skeletons and as_they_come.

The folder has the recordings of OpenSim's subject01, walking5.c3d and BMClab's walks, as their laboratories wrote them;
licences differ, so that they are no part of the project. Moments are compared as root mean squares in per cent of the
reference's range, angles as root mean squares in degrees.

OpenSim's subject01 from its markers: the hip of its scaled model lies 89 mm behind and 106 mm below the front spines,
that of Harrington's regression 58 and 89 mm; its inverse kinematics leaves the markers of the left thigh 18 to 29 mm
from where they were measured, ours 7 mm. So the same walk is compared from markers alone, with the hip of that model as
an own centre, with its weights too, with all its joint centres given, and with its skeleton.
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
from opensim_skeleton import differences

import mubo
from mubo.formats.motion_data import read_motion_data

MASS = 72.6  # kg of OpenSim's subject01
JOINTS = {"hip_flexion": 1.0, "knee_angle": -1.0, "ankle_angle": 1.0}  # signs of OpenSim's coordinates
PLATES = """
[plate.right]
file = "{folder}/subject01_walk1_grf.mot"
force = "ground_force_v"
point = "ground_force_p"
torque = "ground_torque_"
[plate.left]
file = "{folder}/subject01_walk1_grf.mot"
force = "1_ground_force_v"
point = "1_ground_force_p"
torque = "1_ground_torque_"
"""
CENTRES = """
gravity = [0, -9.80665]
subject = {{ mass = 72.6 }}
[markers]
file = "{folder}/gait10dof/joint_centres.trc"
smooth = {{ butterworth = "6 Hz" }}
right = {{ hip = "RHJC", knee = "RKJC", ankle = "RAJC", heel = "RHEE", toe = "RMT2" }}
left = {{ hip = "LHJC", knee = "LKJC", ankle = "LAJC", heel = "LHEE", toe = "LMT2" }}
trunk = {{ shoulder = "SHO" }}
"""
LEG = (
    'hip = "harrington", knee = ["{s}.Knee.Lat", "{s}.Knee.Med"], ankle = ["{s}.Ankle.Lat", "{s}.Ankle.Med"], '
    'heel = "{s}.Heel", toe = ["{s}.Toe.Lat", "{s}.Toe.Med"]'
)
MARKERS = f"""
gravity = [0, -9.80665]
subject = {{{{ mass = 72.6 }}}}
[markers]
file = "{{folder}}/subject01_walk1.trc"
static = "{{folder}}/subject01_static.trc"
smooth = {{{{ butterworth = "6 Hz" }}}}
right = {{{{ {LEG.format(s="R")} }}}}
left = {{{{ {LEG.format(s="L")} }}}}
trunk = {{{{ shoulder = ["R.Acromium", "L.Acromium"] }}}}
pelvis = {{{{ asis = ["R.ASIS", "L.ASIS"], psis = "V.Sacral" }}}}
"""
WALKING5 = """
gravity = [0, -9.81]
subject = {{ mass = 63 }}
[markers]
file = "{folder}/walking5.c3d"
smooth = {{ butterworth = "6 Hz" }}
right = {{ hip = "RHJC", knee = "RKJC", ankle = "RAJC", heel = "RCAL", toe = "RMT2" }}
left = {{ hip = "LHJC", knee = "LKJC", ankle = "LAJC", heel = "LCAL", toe = "LMT2" }}
trunk = {{ shoulder = "C7" }}
[plate.first]
file = "{folder}/walking5.c3d"
plate = 1
[plate.second]
file = "{folder}/walking5.c3d"
plate = 2
"""


OWN_HIP = '{ x = "-89 mm", y = "-106 mm", z = "85 mm" }'  # of OpenSim's scaled model, from its front spines
WEIGHTS = 'weights = { "R.ASIS" = 10, "L.ASIS" = 10, "V.Sacral" = 10, "R.Heel" = 10, "L.Heel" = 10 }\n'  # as OpenSim's
HINGE = 'locked = ["knee_adduction", "knee_rotation", "ankle_rotation"]\n'  # the knee of gait2354 is a hinge
SPACE = """
dimension = 3
gravity = [0, -9.81, 0]
subject = {{ mass = {mass} }}
[markers]
file = "{file}"
smooth = {{ butterworth = "6 Hz" }}
right = {{ {right} }}
left = {{ {left} }}
{more}
"""
SPACE_LEG = (
    'hip = "{hip}", knee = ["{knee[0]}", "{knee[1]}"], ankle = ["{ankle[0]}", "{ankle[1]}"], heel = "{heel}", '
    'toe = "{toe}"'
)
SKELETON = """
dimension = 3
gravity = [0, -9.80665, 0]
subject = {{ mass = 72.6 }}
[markers]
file = "{folder}/subject01_walk1.trc"
skeleton = "{folder}/{model}/subject01.osim"
smooth = {{ butterworth = "6 Hz" }}
{more}
"""
# Its inverse kinematics leaves pelvis and feet 5 to 9 mm from their markers, thighs 15 to 29 mm, shoulders 62 to 78 mm.
ONE_LEG = """
units = {{ length = "m", angle = "deg", time = "s", mass = "kg", force = "N" }}
gravity = [0, -9.81]
subject = {{ mass = 83 }}
[markers]
file = "{folder}/BiomecII2018_gait_d.txt"
units = {{ length = "mm" }}
right = {{ hip = "FH", knee = ["LE", "ME"], ankle = ["LM", "MM"], heel = "CA", toe = ["FM", "VM"] }}
[plate.one]
file = "{folder}/BiomecII2018_gait_d.txt"
force = "F"
point = "COP"
units = {{ length = "mm" }}
"""
PARTS_OF_LEG = ("Thigh", "Shank")
SUBTALAR = 'locked = ["subtalar_angle"]\n'
LIKE_OPENSIM = SUBTALAR + (
    'weights = { "R.ASIS" = 10, "L.ASIS" = 10, "V.Sacral" = 10, "R.Heel" = 10, "L.Heel" = 10, "R.Toe.Tip" = 10, '
    '"L.Toe.Tip" = 10, Sternum = 1, "Top.Head" = 1, "R.Acromium" = 0.1, "L.Acromium" = 0.1, '
    + ", ".join(f'"{s}.{part}.{end}" = 1' for s in "RL" for part in PARTS_OF_LEG for end in ("Upper", "Front", "Rear"))
    + " }"
)
BOGERT = {  # mass, inertia about the centre, centre as a part of the way from the near joint
    "thigh": (6.85, 0.145361267, 0.4323725),
    "shank": (2.86, 0.042996389, 0.4334975),
    "foot": (1.00, 0.0200, 0.0),
}


def load(text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "walk.toml"
        path.write_text(text)
        return mubo.load(path)


def own_masses(folder):
    """The masses of the model of OpenSim, by segments.json."""
    planar = json.loads((folder / "gait10dof" / "segments.json").read_text())["planar"]
    out = f"[body.trunk]\nmass = {planar.pop('trunk')['mass']}\n"
    for kind, one in planar.items():
        for side in "rl":
            out += f"[body.{kind}_{side}]\nmass = {one['mass']}\ncenter = {one['center']}\ninertia = {one['inertia']}\n"
    return out


def compared(found, reference, start, end):
    """Root mean squares of all moments in per cent of the reference's range, by joint and side."""
    inside = (reference.time >= start) & (reference.time <= end)
    out = {}
    for joint, sign in JOINTS.items():
        for side in "rl":
            name = f"{joint}_{side}_moment"
            known = reference.column(name)[inside]
            mine = sign * MASS * np.interp(reference.time[inside], found.run["t"], found.run[name])
            out[f"{joint}_{side}"] = 100 * float(np.sqrt(np.mean((mine - known) ** 2)) / np.ptp(known))
    return out


def in_space(found, reference, angles, start, end, knee=-1.0):
    """All components that OpenSim's inverse dynamics in space has too: per cent of the range, and angles in degrees.

    `knee` is the sign of flexion against OpenSim's.
    """
    inside = (reference.time >= start) & (reference.time <= end)
    t, out = reference.time[inside], {}
    for column in reference.columns:
        name = column.removesuffix("_moment").removesuffix("_force")
        mine = name if f"{name}.effort" in found.run.columns else name.replace("subtalar_angle", "ankle_inversion")
        if f"{mine}.effort" not in found.run.columns:
            continue
        sign = knee if name.startswith("knee") else 1.0
        known = reference.column(column)[inside]
        off = sign * np.interp(t, found.run["t"], found.run[f"{mine}.effort"]) - known
        out[name] = [float(np.sqrt(np.mean(off**2))), 100 * float(np.sqrt(np.mean(off**2)) / np.ptp(known))]
        if name == mine and name in angles.columns and name in found.run.columns:
            other = np.interp(t, angles.time, angles.column(name))
            turn = sign * np.degrees(np.interp(t, found.run["t"], found.run[name])) - other
            out[name].append(float(np.sqrt(np.mean(turn**2))))
    return out


def told_in_space(name, values):
    print(f"{name}, in space:")
    for key, (size, part, *angle) in values.items():
        turn = f", angle {angle[0]:.1f}°" if angle else ""
        print(f"    {key:18} {size:6.2f} = {part:5.1f} % of the range{turn}", flush=True)


def bogert(root):
    """Van den Bogert's simulated run, whose moments are known: one leg, from tables without headers."""
    kin, force, known = (np.loadtxt(root / f"all.{word}") for word in ("kin", "frc", "mom"))
    hip, knee, ankle, toe = (kin[:, k : k + 2] for k in (0, 2, 4, 6))
    line = (toe - ankle) / np.linalg.norm(toe - ankle, axis=1, keepdims=True)
    held = {"H": hip, "K": knee, "A": ankle, "C": ankle - 0.05 * line, "T": toe}
    t = 1e-4 * np.arange(len(kin))
    lengths = {"thigh": np.linalg.norm(hip - knee, axis=1).mean(), "shank": np.linalg.norm(knee - ankle, axis=1).mean()}
    text = """gravity = [0, -9.81]
subject = { mass = 70 }
[markers]
file = "kin.csv"
right = { hip = "H", knee = "K", ankle = "A", heel = "C", toe = "T" }
[plate.one]
file = "forces.csv"
foot = "right"
force = ["fx", "fy"]
point = ["px"]
"""
    for kind, (mass, inertia, part) in BOGERT.items():
        center = [0.0, -part * float(lengths.get(kind, 0.0))]
        text += f"[body.{kind}_r]\nmass = {mass}\ninertia = {inertia}\ncenter = {center}\n"
    with tempfile.TemporaryDirectory() as folder:
        header = ["time", *(f"{name}.{axis}" for name in held for axis in "xy")]
        rows = np.column_stack([t, *held.values()])
        np.savetxt(Path(folder) / "kin.csv", rows, delimiter=",", header=",".join(header), comments="", fmt="%.12g")
        np.savetxt(
            Path(folder) / "forces.csv",
            np.column_stack([t, force]),
            delimiter=",",
            header="time,fx,fy,px",
            comments="",
            fmt="%.12g",
        )
        path = Path(folder) / "run.toml"
        path.write_text(text)
        run = mubo.load(path).gait().run
    out = {}
    for k, (joint, sign) in enumerate(JOINTS.items()):
        mine = 70 * sign * np.interp(t, run["t"], run[f"{joint}_r_moment"])
        off = (mine - known[:, k])[20:-20]
        out[joint] = 100 * float(np.sqrt(np.mean(off**2)) / np.ptp(known[:, k]))
    return out


def laboratories(root):
    """Full sets of markers without a static trial, in space; those that have forces with them."""
    bmc = {
        side: SPACE_LEG.format(
            hip="harrington",
            knee=(f"{s}.Knee", f"{s}.Knee.Medial"),
            ankle=(f"{s}.Ankle", f"{s}.Ankle.Medial"),
            heel=f"{s}.Heel",
            toe=f"{s}.MT2",
        )
        for side, s in (("right", "R"), ("left", "L"))
    }
    spines = 'pelvis = { asis = ["R.ASIS", "L.ASIS"], psis = ["R.PSIS", "L.PSIS"] }'
    for name in ("walk.trc", "walk1.trc"):
        more = spines + '\nhand = "left"' * (name == "walk1.trc")  # its z points to the left, x forwards and y up
        yield name, SPACE.format(mass=70, file=root / "bmc" / name, more=more, **bmc)
    five = {
        side: SPACE_LEG.format(
            hip=f"{s}HJC", knee=(f"{s}LFC", f"{s}MFC"), ankle=(f"{s}LMAL", f"{s}MMAL"), heel=f"{s}CAL", toe=f"{s}MT2"
        )
        for side, s in (("right", "R"), ("left", "L"))
    }
    file = root / "opensim_walking5" / "walking5.c3d"
    more = 'pelvis = { asis = ["RASI", "LASI"], psis = ["RPSI", "LPSI"] }\ntrunk = { shoulder = "C7" }'
    plates = "".join(f'[plate.p{k}]\nfile = "{file}"\nplate = {k}\n' for k in (1, 2))
    yield file.name, SPACE.format(mass=63, file=file, more=more, **five) + plates


def told(name, values):
    print(f"{name:36}" + "  ".join(f"{key} {value:.2f} %" for key, value in values.items()), flush=True)


def in_plane(root):
    """Moments in the plane of walking."""
    subject = root / "opensim_subject01"
    plates = PLATES.format(folder=subject)
    known = read_motion_data(subject / "gait10dof" / "id.sto")
    centres = CENTRES.format(folder=subject)
    told("centres, Winter's masses", compared(load(centres + plates).gait(), known, 0.15, 2.35))
    told("centres, own masses", compared(load(centres + plates + own_masses(subject)).gait(), known, 0.15, 2.35))
    known = read_motion_data(subject / "gait2354" / "id.sto")
    text = MARKERS.format(folder=subject)
    for hip in ("harrington", "bell", "leardini"):
        one = text.replace("harrington", hip)
        told(f"markers and static trial, {hip}", compared(load(one + plates).gait(), known, 0.45, 1.55))
    chain = text.replace("[markers]\n", '[markers]\nkinematics = "chain"\n')
    told("… by the chain", compared(load(chain + plates).gait(), known, 0.45, 1.55))
    own = text.replace('hip = "harrington"', f"hip = {OWN_HIP}")
    told("… own hip", compared(load(own + plates).gait(), known, 0.45, 1.55))
    theirs = centres.replace("gait10dof", "gait2354")
    told("… all centres of gait2354", compared(load(theirs + plates).gait(), known, 0.45, 1.55))
    told("van den Bogert", bogert(root / "van_den_bogert"))


def by_markers(root):
    """A person in space whose segments are found from markers."""
    subject = root / "opensim_subject01"
    plates, text = PLATES.format(folder=subject), MARKERS.format(folder=subject)
    known, angles = (read_motion_data(subject / "gait2354" / name) for name in ("id.sto", "ik.mot"))
    own = text.replace('hip = "harrington"', f"hip = {OWN_HIP}")
    for name, one in (("markers", text), ("own hip", own), ("own hip, hinges and weights of OpenSim", own)):
        more = WEIGHTS + HINGE if "weights" in name else ""
        deep = one.replace("gravity = [0, -9.80665]", "dimension = 3\ngravity = [0, -9.80665, 0]")
        found = load(deep.replace("[markers]\n", f"[markers]\n{more}") + plates).gait()
        told_in_space(name, in_space(found, known, angles, 0.45, 1.55))


def by_skeletons(root):
    """Skeletons of OpenSim, by markers and by its own motion: legs within 5 % of the range of the moments, and 3°."""
    subject = root / "opensim_subject01"
    plates = PLATES.format(folder=subject)
    known, angles = (read_motion_data(subject / "gait2354" / name) for name in ("id.sto", "ik.mot"))
    flat, bent = (read_motion_data(subject / "gait10dof" / name) for name in ("id.sto", "ik.mot"))
    cases = {
        "gait2354": ("gait2354", SUBTALAR, known, angles, 0.45, 1.55),
        "gait2354, weights like OpenSim's": ("gait2354", LIKE_OPENSIM, known, angles, 0.45, 1.55),
        "gait10dof": ("gait10dof", "", flat, bent, 0.15, 2.35),
    }
    for name, (model, more, moments, turns, start, end) in cases.items():
        found = load(SKELETON.format(folder=subject, model=model, more=more) + plates).gait()
        values = in_space(found, moments, turns, start, end, 1.0)
        told_in_space(f"skeleton of {name}", values)
        legs = [part for key, part in values.items() if key.startswith(("hip", "knee", "ankle"))]
        assert all(moment < 5 and angle < 3 for _, moment, angle in legs), name
    same = differences(subject / "gait2354", subject / "subject01_walk1_grf.mot", 0.45, 1.55)
    told_in_space("OpenSim's own skeleton and motion", same)
    assert all(part[1] < 1 for part in same.values())


def as_they_come(root):
    """Recordings of laboratories, with and without forces."""
    for name, deep in laboratories(root):
        found = load(deep).gait()
        print(f"{name} in space:", "; ".join(found.notes), flush=True)
    found = load(WALKING5.format(folder=root / "opensim_walking5")).gait()
    print("walking5.c3d:", "; ".join(found.notes))
    found = load(ONE_LEG.format(folder=root / "bmc")).gait()
    print("BiomecII2018_gait_d.txt:", "; ".join(found.notes))
    for name in ("walk.trc", "walk1.trc", "Gait.c3d"):
        data = read_motion_data(root / "bmc" / name)
        print(
            f"{name}: {len(data.time)} frames, {len(data.columns) // 3} markers, step {np.ptp(np.diff(data.time)):.1e}"
        )


PARTS = (in_plane, by_markers, by_skeletons, as_they_come)

if __name__ == "__main__":
    wanted = sys.argv[2:] or [part.__name__ for part in PARTS]
    for part in PARTS:
        if part.__name__ in wanted:
            part(Path(sys.argv[1]))
