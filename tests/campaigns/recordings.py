"""Public gait recordings against reference results: `python tests/campaigns/recordings.py FOLDER`.

The folder has the recordings of OpenSim's subject01, walking5.c3d and BMClab's walks, as their laboratories wrote them;
licences differ, so that they are no part of the project. Moments are compared as root mean squares in per cent of the
reference's range.
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np

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


def told(name, values):
    print(f"{name:32}" + "  ".join(f"{key} {value:.2f} %" for key, value in values.items()), flush=True)


def main(root):
    subject = root / "opensim_subject01"
    plates = PLATES.format(folder=subject)
    known = read_motion_data(subject / "gait10dof" / "id.sto")
    centres = CENTRES.format(folder=subject)
    told("centres, Winter's masses", compared(load(centres + plates).gait(), known, 0.15, 2.35))
    told("centres, own masses", compared(load(centres + plates + own_masses(subject)).gait(), known, 0.15, 2.35))
    known = read_motion_data(subject / "gait2354" / "id.sto")
    text = MARKERS.format(folder=subject) + plates
    told("markers and static trial", compared(load(text).gait(), known, 0.45, 1.55))
    found = load(WALKING5.format(folder=root / "opensim_walking5")).gait()
    print("walking5.c3d:", "; ".join(found.notes))
    for name in ("walk.trc", "walk1.trc", "Gait.c3d"):
        data = read_motion_data(root / "bmc" / name)
        print(
            f"{name}: {len(data.time)} frames, {len(data.columns) // 3} markers, step {np.ptp(np.diff(data.time)):.1e}"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
