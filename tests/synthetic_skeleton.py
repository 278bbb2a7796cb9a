"""The synthetic person in space as a skeleton file of OpenSim, written here: custom joints, splines, a kneecap.

Its coordinates are those of synthetic_walker_space, so that motion and moments of the same walk are known. The kneecap
slides in the thigh along a parabola of the knee's angle, by a coordinate of its own that a constraint couples.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import synthetic_walker as plane
import synthetic_walker_space as walker

KNOTS = np.array([-1.4, -0.6, 0.0, 0.6, 1.4])  # rad
LINE = "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>"
ZERO = "<Constant><value>0</value></Constant>"
TURNS = ("0 0 1", "1 0 0", "0 1 0")


def parabola(angle):
    """Where the kneecap is before the knee, in m."""
    return 0.05 - 0.01 * angle**2


def numbers(values):
    return " ".join(f"{float(value):.12g}" for value in values)


def frames(parent, child, at):
    return f"""<socket_parent_frame>near</socket_parent_frame><socket_child_frame>far</socket_child_frame><frames>
<PhysicalOffsetFrame name="near"><socket_parent>{parent}</socket_parent><translation>{numbers(at)}</translation>
</PhysicalOffsetFrame><PhysicalOffsetFrame name="far"><socket_parent>/bodyset/{child}</socket_parent>
</PhysicalOffsetFrame></frames>"""


def axis(name, direction, function, of=""):
    return f"""<TransformAxis name="{name}"><coordinates>{of}</coordinates><axis>{direction}</axis>{function}
</TransformAxis>"""


def joint(name, parent, child, at, turns, signs=(1, 1, 1), slides=(), locked=()):
    """A custom joint that turns about z, x and y, after slides along x, y and z."""
    axes = [
        axis(f"rotation{k + 1}", numbers(sign * np.array(TURNS[k].split(), float)), LINE, of)
        for k, (of, sign) in enumerate(zip(turns, signs, strict=True))
    ]
    axes += [axis(f"translation{k + 1}", numbers(np.eye(3)[k]), LINE, of) for k, of in enumerate(slides)]
    coordinates = "".join(
        f"<Coordinate name='{of}'><locked>{str(of in locked).lower()}</locked></Coordinate>" for of in (*turns, *slides)
    )
    return f"""<CustomJoint name="{name}">{frames(parent, child, at)}<coordinates>{coordinates}</coordinates>
<SpatialTransform>{"".join(axes)}</SpatialTransform></CustomJoint>"""


def kneecap(side):
    """A body that slides by a spline of a coordinate that follows the knee."""
    values = numbers(parabola(KNOTS))
    spline = f"<SimmSpline><x>{numbers(KNOTS)}</x><y>{values}</y></SimmSpline>"
    turn = axis("rotation1", "0 0 1", LINE, f"knee_angle_{side}_beta")
    slide = axis("translation1", "1 0 0", spline, f"knee_angle_{side}_beta")
    ends = frames(f"/bodyset/thigh_{side}", f"kneecap_{side}", walker.LINES["thigh"])
    return f"""<CustomJoint name="kneecap_{side}">{ends}
<coordinates><Coordinate name="knee_angle_{side}_beta"/></coordinates><SpatialTransform>{turn}{slide}</SpatialTransform>
</CustomJoint>"""


def coupling(side):
    return f"""<CoordinateCouplerConstraint name="cap_{side}"><coupled_coordinates_function>{LINE}
</coupled_coordinates_function><independent_coordinate_names>knee_angle_{side}</independent_coordinate_names>
<dependent_coordinate_name>knee_angle_{side}_beta</dependent_coordinate_name></CoordinateCouplerConstraint>"""


def body(name):
    kind = name.partition("_")[0]
    if kind in ("pelvis", "kneecap"):
        return f'<Body name="{name}"><mass>0</mass></Body>'
    at, around = plane.SEGMENTS[kind], walker.inertia(kind)
    moments = [*np.diag(around), around[0, 1], around[0, 2], around[1, 2]]
    return f"""<Body name="{name}"><mass>{at.mass:.12g}</mass><mass_center>{numbers((*at.center, 0))}</mass_center>
<inertia>{numbers(moments)}</inertia></Body>"""


def skeleton_text(knee=-1, locked=()):
    """The file; the knee flexes about −z, or about z where `knee` is 1."""
    names = ["pelvis", "trunk", *(f"{kind}_{side}" for side in "rl" for kind in ("thigh", "shank", "foot", "kneecap"))]
    root = ("pelvis_tilt", "pelvis_list", "pelvis_rotation")
    joints = [
        joint("root", "/ground", "pelvis", (0, 0, 0), root, slides=[f"pelvis_t{axis}" for axis in "xyz"]),
        joint("back", "/bodyset/pelvis", "trunk", (*walker.HIP, 0), [f"lumbar_{w}" for w in walker.JOINTS["lumbar"]]),
    ]
    for side, s in (("r", 1), ("l", -1)):
        near = ("pelvis", f"thigh_{side}", f"shank_{side}")
        at = ((*walker.HIP, s * walker.WIDE), walker.LINES["thigh"], walker.LINES["shank"])
        for k, (word, far) in enumerate((("hip", "thigh"), ("knee", "shank"), ("ankle", "foot"))):
            turns = [f"{word}_{one}_{side}" for one in walker.JOINTS[word]]
            signs = (knee if word == "knee" else 1, s, s)
            joints.append(
                joint(f"{word}_{side}", f"/bodyset/{near[k]}", f"{far}_{side}", at[k], turns, signs, locked=locked)
            )
        joints.append(kneecap(side))
    markers = "".join(
        f"""<Marker name="{name}"><socket_parent_frame>/bodyset/{on}</socket_parent_frame>
<location>{numbers(at)}</location></Marker>"""
        for name, (on, at) in [*walker.sites().items(), ("CAP.R", ("kneecap_r", (0, 0, 0)))]
    )
    return f"""<?xml version="1.0"?><OpenSimDocument Version="40000"><Model name="person"><gravity>0 -9.81 0</gravity>
<BodySet><objects>{"".join(map(body, names))}</objects></BodySet>
<JointSet><objects>{"".join(joints)}</objects></JointSet>
<ConstraintSet><objects>{coupling("r")}{coupling("l")}</objects></ConstraintSet>
<MarkerSet><objects>{markers}</objects></MarkerSet></Model></OpenSimDocument>"""


def markers(t):
    """All markers of the walk, with one on the right kneecap: in the thigh before the knee, along the parabola."""
    out = walker.markers(t)
    axes, origin = walker.poses(t)[0]["thigh_r"]
    before = np.column_stack([parabola(walker.coordinates(t)["knee_angle_r"]), *np.zeros((2, len(t)))])
    out["CAP.R"] = origin + np.einsum("tij,tj->ti", axes, before + walker.LINES["thigh"])
    return out


MODEL = f"""name = "person with a skeleton"
dimension = 3
units = {{ length = "m", angle = "deg", mass = "kg", time = "s" }}
gravity = [0, -9.81, 0]
subject = {{ mass = "70 kg" }}
[markers]
file = "walk.trc"
skeleton = "person.osim"
{walker.PLATES}"""


def generic_text(factors, mass=None, text=None):
    """The same person as a skeleton of other lengths: those of each body are divided by its factor, or three of them.

    The integral of r rᵀ dm, J = ½ tr(I) 1 − I, becomes S⁻¹ J S⁻¹; masses are divided by a factor of their own.
    """
    root = ET.fromstring(text or skeleton_text())
    size = {name: np.ones(3) * np.array(factor, float) for name, factor in factors.items()}

    def divide(node, name):
        node.text = numbers(np.array(node.text.split(), float) / size.get(name, np.ones(3)))

    for part in root.iter("Body"):
        name, along = part.get("name"), np.diag(1 / size.get(part.get("name"), np.ones(3)))
        if part.find("inertia") is None:
            continue
        divide(part.find("mass_center"), name)
        xx, yy, zz, xy, xz, yz = map(float, part.findtext("inertia").split())
        own = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        spread = along @ (0.5 * np.trace(own) * np.eye(3) - own) @ along / (mass or 1.0)
        moments = np.trace(spread) * np.eye(3) - spread
        part.find("inertia").text = numbers([*np.diag(moments), moments[0, 1], moments[0, 2], moments[1, 2]])
        part.find("mass").text = repr(float(part.findtext("mass")) / (mass or 1.0))
    for frame in root.iter("PhysicalOffsetFrame"):
        if frame.find("translation") is not None:
            divide(frame.find("translation"), frame.findtext("socket_parent").rpartition("/")[2])
    for hinge in root.iter("CustomJoint"):
        parent = next(hinge.iter("PhysicalOffsetFrame")).findtext("socket_parent").rpartition("/")[2]
        for spline in hinge.iter("SimmSpline"):  # it slides along x of the parent
            values = np.array(spline.findtext("y").split(), float)
            spline.find("y").text = numbers(values / size.get(parent, np.ones(3))[0])
    for marker in root.iter("Marker"):
        divide(marker.find("location"), marker.findtext("socket_parent_frame").rpartition("/")[2])
    return ET.tostring(root, encoding="unicode")


def write(folder, t, text=MODEL, skeleton=None, held=None):
    """Writes walk, forces, skeleton and model; answers the model."""
    walker.write(folder, t, model=text, held=held or markers(t))
    (folder / "person.osim").write_text(skeleton or skeleton_text())
    return folder / "walk.toml"
