"""OpenSim skeletons of our own making: stacks of axes, splines as couplers, frames, refusals."""

import warnings

import numpy as np
import pytest

import mubo
from mubo.geometry.cubic_splines import spline_value

X, Y = (-2.0, -1.0, -0.4, 0.1, 1.0), (0.01, 0.02, 0.0, -0.03, -0.02)


def document(joints, bodies="", more="", version=40000):
    return f"""<?xml version="1.0"?><OpenSimDocument Version="{version}"><Model name="leg"><gravity>0 -9.81 0</gravity>
<BodySet><objects><Body name="thigh"><mass>8</mass><mass_center>0 -0.17 0</mass_center>
<inertia>0.13 0.03 0.13 0 0 0</inertia></Body><Body name="shank"><mass>3.5</mass><mass_center>0 -0.18 0</mass_center>
<inertia>0.05 0.005 0.05 0 0 0</inertia></Body>{bodies}</objects></BodySet>
<JointSet><objects>{joints}</objects></JointSet>{more}</Model></OpenSimDocument>"""


def coordinate(name, value=0):
    return f"<Coordinate name='{name}'><default_value>{value}</default_value><range>-2 1</range></Coordinate>"


def frames(parent, child, at="0 0 0", turn="0 0 0"):
    return f"""<socket_parent_frame>near</socket_parent_frame><socket_child_frame>far</socket_child_frame><frames>
<PhysicalOffsetFrame name="near"><socket_parent>{parent}</socket_parent><translation>{at}</translation>
<orientation>{turn}</orientation></PhysicalOffsetFrame><PhysicalOffsetFrame name="far">
<socket_parent>/bodyset/{child}</socket_parent><translation>0 0.02 0</translation></PhysicalOffsetFrame></frames>"""


def axis(name, direction, function, of=""):
    return f"""<TransformAxis name="{name}"><coordinates>{of}</coordinates><axis>{direction}</axis>{function}
</TransformAxis>"""


LINE = "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>"
ZERO = "<Constant><value>0</value></Constant>"
SPLINE = f"""<MultiplierFunction><function><SimmSpline><x>{" ".join(map(str, X))}</x><y>{" ".join(map(str, Y))}</y>
</SimmSpline></function><scale>1.5</scale></MultiplierFunction>"""
HIP = f"""<PinJoint name="hip">{frames("/ground", "thigh", "0 1 0", "0 0.3 0")}<coordinates>
{coordinate("hip_angle", 0.4)}</coordinates></PinJoint>"""
KNEE = f"""<CustomJoint name="knee">{frames("/bodyset/thigh", "shank", "0 -0.4 0")}<coordinates>
{coordinate("knee_angle", -0.5)}</coordinates><SpatialTransform>{axis("rotation1", "0 0 1", LINE, "knee_angle")}
{axis("rotation2", "0 1 0", ZERO)}{axis("translation1", "1 0 0", SPLINE, "knee_angle")}
{axis("translation2", "0 1 0", "<Constant><value>0.01</value></Constant>")}</SpatialTransform></CustomJoint>"""
MARKER = """<MarkerSet><objects><Marker name="toe"><socket_parent_frame>/bodyset/shank</socket_parent_frame>
<location>0.1 -0.4 0</location></Marker></objects></MarkerSet>"""
MUSCLE = "<ForceSet><objects><Thelen2003Muscle name='vasti'/></objects></ForceSet>"


def load(tmp_path, text, **options):
    (tmp_path / "leg.osim").write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return mubo.load(tmp_path / "leg.osim", **options)


def old_text(version=20303):
    """The same leg as files of versions 2 and 3 have it: joints in their bodies, six numbers of inertia, a ground."""

    def body(name, mass, center, moments, joint):
        words = zip(("xx", "yy", "zz", "xy", "xz", "yz"), moments, strict=True)
        inertia = "".join(f"<inertia_{word}>{one}</inertia_{word}>" for word, one in words)
        return f"""<Body name="{name}"><mass>{mass}</mass><mass_center>{center}</mass_center>{inertia}<Joint>{joint}
</Joint></Body>"""

    def ends(parent, at, turned="0 0 0"):
        return f"""<parent_body>{parent}</parent_body><location_in_parent>{at}</location_in_parent>
<orientation_in_parent>{turned}</orientation_in_parent><location>0 0.02 0</location><orientation>0 0 0</orientation>
<reverse>false</reverse>"""

    def held(text):
        return f"<CoordinateSet><objects>{text}</objects></CoordinateSet>"

    transform = KNEE[KNEE.index("<SpatialTransform>") : KNEE.index("</CustomJoint>")]
    for function in (SPLINE, LINE, ZERO, "<Constant><value>0.01</value></Constant>"):
        transform = transform.replace(function, f"<function>{function}</function>")
    transform = transform.replace("<function><function>", "<function>").replace("</function></function>", "</function>")
    hip = f'<PinJoint name="hip">{ends("ground", "0 1 0", "0 0.3 0")}{held(coordinate("hip_angle", 0.4))}</PinJoint>'
    knee = f'<CustomJoint name="knee">{ends("thigh", "0 -0.4 0")}{held(coordinate("knee_angle", -0.5))}{transform}'
    marker = MARKER.replace("socket_parent_frame", "body").replace("/bodyset/", "")
    return f"""<?xml version="1.0"?><OpenSimDocument Version="{version}"><Model name="leg"><gravity>0 -9.81 0</gravity>
<BodySet><objects><Body name="ground"><mass>0</mass><Joint/></Body>
{body("thigh", 8, "0 -0.17 0", (0.13, 0.03, 0.13, 0, 0, 0), hip)}
{body("shank", 3.5, "0 -0.18 0", (0.05, 0.005, 0.05, 0, 0, 0), knee + "</CustomJoint>")}</objects></BodySet>
{marker}</Model></OpenSimDocument>"""


@pytest.mark.parametrize("version", [20303, 30000])
def test_joints_that_stand_in_their_bodies(tmp_path, version):
    """Versions 2 and 3: the same bodies, joints, marker and motion as the file of version 4."""
    new = load(tmp_path, document(HIP + KNEE, more=MARKER))
    old = load(tmp_path, old_text(version))
    assert old.bodies == new.bodies
    assert old.joints == new.joints
    q = {"hip_angle": 0.4, "knee_angle": -0.5, "knee_translation1": 0.01}
    assert old.mass_matrix(q) == pytest.approx(new.mass_matrix(q), abs=0)


def turn(q):
    return np.array([[np.cos(q), -np.sin(q), 0], [np.sin(q), np.cos(q), 0], [0, 0, 1]])


def test_a_knee_that_slides(tmp_path):
    """The shank is at hip + R_y R_z(hip) (near + slides − far turned); its slide is the spline of the knee's angle."""
    model = load(tmp_path, document(HIP + KNEE, more=MARKER + MUSCLE))
    assert set(model.joints) >= {"hip_angle", "knee_angle", "knee_translation1"}
    assert any("vasti" in note for note in model.notes)
    hip, knee = 0.4, -0.5
    slide = spline_value(np.column_stack([X, 1.5 * np.array(Y)]), knee)
    about_y = np.array([[np.cos(0.3), 0, np.sin(0.3)], [0, 1, 0], [-np.sin(0.3), 0, np.cos(0.3)]])
    thigh = np.array([0, 1, 0]) - about_y @ turn(hip) @ [0, 0.02, 0]
    shank = thigh + about_y @ turn(hip) @ ([slide, -0.4 + 0.01, 0] - turn(knee) @ [0, 0.02, 0])
    toe = shank + about_y @ turn(hip + knee) @ [0.1, -0.4, 0]
    q = {"hip_angle": hip, "knee_angle": knee, "knee_translation1": slide}
    assert model.forward_kinematics("shank.toe", q) == pytest.approx(toe, abs=1e-14)
    run = model.simulate(0, 0.3, step=0.1)
    assert run["knee_angle.q"][0] == pytest.approx(-0.5, abs=1e-15)
    follows = [spline_value(np.column_stack([X, 1.5 * np.array(Y)]), x) for x in run["knee_angle.q"]]
    assert run["knee_translation1.q"] == pytest.approx(follows, abs=1e-10)
    assert run["energy.total"] == pytest.approx(run["energy.total"][0], abs=1e-8)


def test_splines_reproduce_cubics():
    """Their end conditions take the cubic through the outer four points; beyond the ends they are straight."""
    x = np.array([-1.0, 0.0, 0.3, 1.1, 2.0])
    points = np.column_stack([x, 1 - x + 2 * x**2 - 0.5 * x**3])
    assert spline_value(points, 0.7) == pytest.approx(1 - 0.7 + 2 * 0.49 - 0.5 * 0.343, rel=1e-14)
    assert spline_value(points, 3.0) - spline_value(points, 2.5) == pytest.approx(0.5 * (-1 + 8 - 6), rel=1e-12)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (document(HIP + KNEE, version=10905), "version 10905: save it by OpenSim 4"),
        (old_text().replace("<reverse>false", "<reverse>true"), "joint knee: a reversed joint cannot be read"),
        (old_text().replace("<parent_body>thigh", "<parent_body>tigh"), 'there is no body "tigh"'),
        (document(HIP.replace("PinJoint", "ScapulothoracicJoint")), 'joint type "ScapulothoracicJoint" cannot be read'),
        (document(HIP.replace("bodyset/thigh", "bodyset/tigh")), 'there is no body "/bodyset/tigh"'),
        (document(KNEE.replace("SimmSpline", "StepFunction")), "this function cannot be read: <StepFunction>"),
        (document(KNEE.replace("-2.0 -1.0", "-1.0 -2.0")), "a spline needs as many x, which ascend, as y"),
        (document(HIP)[:900], "this is not XML"),
        (document(HIP).replace("<mass>8", "<mass>nan"), "body thigh: mass needs a number"),
        ("<Model/>", "This is no OpenSim model"),
    ],
)
def test_wrong_files(tmp_path, text, word):
    with pytest.raises(mubo.ModelError) as caught:
        load(tmp_path, text)
    assert word in str(caught.value)
