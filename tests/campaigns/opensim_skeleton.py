"""OpenSim's gait2354 as a model of mubo, moved by the coordinates of its inverse kinematics: inverse dynamics in space.

Every custom joint becomes slides and hinges one after the other, with bodies without mass between them; a slide that
depends on the angle of the knee is driven by its spline, and its force counts in the knee's generalised force by the
slope of the spline. So all components of OpenSim's inverse dynamics can be compared, with the same skeleton and motion.
"""

import xml.etree.ElementTree as ET

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.signal import butter, filtfilt

import mubo
from mubo.formats.motion_data import read_motion_data
from mubo.laws import Table

FINE = 400.0  # samples per second of the driven coordinates
CUTOFF = 6.0  # Hz, of OpenSim's inverse dynamics


def numbers(text):
    return np.array(text.split(), float)


class Coordinates:
    """The coordinates of a .mot file, in m and rad, filtered as OpenSim does, on a fine grid."""

    def __init__(self, path):
        data = read_motion_data(path)
        step = float(np.median(np.diff(data.time)))
        low = butter(3, CUTOFF * 2 * step)
        self.time = np.arange(data.time[0], data.time[-1], 1 / FINE)
        self.values = {}
        for name, values in data.columns.items():
            turned = values if name.startswith("pelvis_t") and name[-1] in "xyz" else np.radians(values)
            smooth = filtfilt(*low, turned, padtype="odd", padlen=len(turned) // 2)
            self.values[name] = CubicSpline(data.time, smooth, bc_type="natural")(self.time)

    def law(self, values):
        return Table(tuple(self.time.tolist()), tuple(np.asarray(values).tolist()), "none")


def skeleton(folder, forces):
    """The model, and the slides that belong to a coordinate: name → [(driver, slope over time)]."""
    root = ET.parse(folder / "subject01.osim").getroot()
    found = Coordinates(folder / "ik.mot")
    model = mubo.Model("gait2354", dimension=3, gravity=(0, -9.80665, 0))
    model.ground.point("origin", (0, 0, 0))
    points = {}
    joints = [(joint, _frames(joint)) for joint in root.iter("CustomJoint")]
    for _, (parent, place, _) in joints:
        points.setdefault(parent, {"origin": (0.0, 0.0, 0.0)})[f"p{len(points[parent])}"] = tuple(place)
    for body in root.iter("Body"):
        name = body.get("name")
        inertia = numbers(body.findtext("inertia"))
        model.body(
            name,
            mass=float(body.findtext("mass")),
            center=tuple(numbers(body.findtext("mass_center"))),
            inertia=tuple(inertia),
            points=points.get(name, {"origin": (0.0, 0.0, 0.0)}),
        )
    slides = {}
    for joint, (parent, place, child) in joints:
        at = next((word for word, where in points.get(parent, {}).items() if np.allclose(where, place)), "origin")
        _chain(model, found, joint, f"{parent}.{at}", child, slides)
    for side, head in (("r", ""), ("l", "1_")):
        words = {"force": f"{head}ground_force_v", "point": f"{head}ground_force_p", "torque": f"{head}ground_torque_"}
        model.plate(f"plate_{side}", forces, f"calcn_{side}", **words)
    return model, slides, found


def _frames(joint):
    """Parent, place of the joint in it, and child."""
    frames = {frame.get("name"): frame for frame in joint.iter("PhysicalOffsetFrame")}
    near = frames[joint.findtext("socket_parent_frame")]
    far = frames[joint.findtext("socket_child_frame")]
    named = [frame.findtext("socket_parent").rpartition("/")[2] for frame in (near, far)]
    return named[0], numbers(near.findtext("translation")), named[1]


def _chain(model, found, joint, start, child, slides):
    """Slides along translation1 … 3, then turns about rotation1 … 3, as far as they move."""
    axes = {axis.get("name"): axis for axis in joint.iter("TransformAxis")}
    steps = []
    for word in ("translation1", "translation2", "translation3", "rotation1", "rotation2", "rotation3"):
        moved = (axes[word].findtext("coordinates") or "").strip()
        if moved:
            steps.append((word, moved, tuple(numbers(axes[word].findtext("axis")))))
    last = start
    for k, (word, coordinate, axis) in enumerate(steps):
        slides_here = word.startswith("translation")
        own = slides_here and axes[word].find(".//SimmSpline") is not None
        name = f"{coordinate}_{word}" if own else coordinate
        end = f"{child}.origin" if k == len(steps) - 1 else f"{name}_body.origin"
        if k < len(steps) - 1:
            model.body(f"{name}_body", points={"origin": (0.0, 0.0, 0.0)})
        model.joint(f"{name}_joint", "prismatic" if slides_here else "revolute", last, end, axis=axis)
        values = found.values[coordinate]
        if own:
            spline = axes[word].find(".//SimmSpline")
            scale = float(axes[word].findtext(".//scale") or 1.0)
            curve = CubicSpline(numbers(spline.findtext("x")), scale * numbers(spline.findtext("y")))
            slides.setdefault(coordinate, []).append((name, curve(values, 1)))
            values = curve(values)
        model.driver(name, f"{name}_joint", found.law(values))
        last = end


def differences(folder, forces, start, end):
    """Root mean square of all components against id.sto: N or N m, and per cent of the range."""
    model, slides, found = skeleton(folder, forces)
    known = read_motion_data(folder / "id.sto")
    run = model.inverse(float(found.time[0]), float(found.time[-1]) - 1e-3, step=0.01)
    inside = (known.time >= start) & (known.time <= end)
    out = {}
    for column in known.columns:
        name = column.removesuffix("_moment").removesuffix("_force")
        effort = run[f"{name}.effort"].copy()
        for driver, slope in slides.get(name, ()):
            effort += run[f"{driver}.effort"] * np.interp(run["t"], found.time, slope)
        mine = CubicSpline(run["t"], effort)(known.time[inside])
        off = float(np.sqrt(np.mean((mine - known.column(column)[inside]) ** 2)))
        out[name] = [off, 100 * off / float(np.ptp(known.column(column)[inside]))]
    return out
