"""Numbers of motion laws in files: plain ones are in the model's units, text carries its own."""

import re
from math import pi

import pytest
from conftest import ROOT

import mubo
from mubo.errors import ModelError
from mubo.formats.motion_file import read_motion
from mubo.laws import Harmonic, Polynomial, Program, Segment, Table
from mubo.model import Units

DEG, RAD, MM = Units(angle="deg"), Units(angle="rad"), Units(length="mm", time="ms")


@pytest.mark.parametrize(
    ("given", "units", "holds", "law"),
    [
        ({"polynomial": ["30 deg", 2]}, DEG, "angle", Polynomial((30.0, 2.0))),
        ({"polynomial": ["30 deg", 2]}, RAD, "angle", Polynomial((0.5235987755982988, 2.0))),
        ({"polynomial": ["30 deg", 2]}, Units(), "angle", Polynomial((0.5235987755982988, 2.0))),
        ({"polynomial": [30, "1 rev"]}, DEG, "angle", Polynomial((30.0, 360.0))),
        ({"polynomial": ["-59e0deg", " .5 rev "]}, DEG, "angle", Polynomial((-59.0, 180.0))),
        ({"polynomial": ["12 mm"]}, MM, "length", Polynomial((12.0,))),
        ({"polynomial": ["12 mm"]}, Units(), "length", Polynomial((0.012,))),
        ({"polynomial": ["12 mm"]}, Units(length="m"), "length", Polynomial((0.012,))),
        ({"rate": 6.28, "start": 0}, Units(), "angle", Polynomial((0.0, 6.28))),
        ({"rate": 6.28}, DEG, "angle", Polynomial((0.0, 6.28))),
        ({"rate": "1 rev", "start": "30 deg"}, RAD, "angle", Polynomial((0.5235987755982988, 2 * pi))),
        ({"rate": "1 rev", "start": "30 deg"}, DEG, "angle", Polynomial((30.0, 360.0))),
        ({"rate": "1.2 m", "start": 5}, MM, "length", Polynomial((5.0, 1200.0))),
        ({"harmonic": {"amplitude": "20 deg", "rate": 5}}, DEG, "angle", Harmonic(20.0, 5.0)),
        (
            {"harmonic": {"amplitude": "180 deg", "rate": 5, "mean": "1 rev", "phase": "90 deg"}},
            RAD,
            "angle",
            Harmonic(pi, 5.0, 2 * pi, pi / 2),
        ),
        (
            {"harmonic": {"amplitude": "2 cm", "rate": 5, "mean": 3, "phase": "90 deg"}},
            Units(length="mm", angle="deg"),
            "length",
            Harmonic(20.0, 5.0, 3.0, pi / 2),
        ),
        ({"harmonic": {"amplitude": 1, "rate": 5, "phase": 0.5}}, DEG, "angle", Harmonic(1.0, 5.0, 0.0, 0.5)),
        ({"time": [0, "1 s"], "value": ["1 m", 2]}, MM, "length", Table((0.0, 1000.0), (1000.0, 2.0))),
        ({"time": [0, 1], "value": ["1 rev", "59 deg"]}, DEG, "angle", Table((0.0, 1.0), (360.0, 59.0))),
        ({"time": [0, 1], "value": [1, 2], "filled": 1}, DEG, "angle", Table((0.0, 1.0), (1.0, 2.0), filled=1)),
        (
            {"program": [{"law": "cycloidal", "lasts": "2 s", "rise": "1 cm"}], "start": "1 s", "value": 4},
            MM,
            "length",
            Program((Segment("cycloidal", 2000.0, 10.0),), 1000.0, 4.0),
        ),
        (3, DEG, "angle", Polynomial((3.0,))),
    ],
)
def test_laws_hold_the_units_of_the_model(given, units, holds, law):
    assert read_motion(given, ROOT, units, holds) == law


@pytest.mark.parametrize(
    ("given", "law"),
    [
        ({"time": [0, "0.5 rev", 360], "value": [0, "1 cm", 0]}, Table((0.0, 180.0, 360.0), (0.0, 10.0, 0.0))),
        (
            {"program": [{"law": "dwell", "lasts": "1 rev"}], "start": "30 deg", "value": "1 cm"},
            Program((Segment("dwell", 360.0),), 30.0, 10.0),
        ),
        ({"table": "cam.csv", "column": "s"}, Table((0.0, 180.0, 360.0), (0.0, 10.0, 0.0))),
    ],
)
def test_the_lift_of_a_cam_is_a_length_over_an_angle(tmp_path, given, law):
    (tmp_path / "cam.csv").write_text("theta [rev],s [cm]\n0,0\n0.5,1\n1,0\n")
    assert read_motion(given, tmp_path, Units(length="mm", angle="deg"), "length", "angle") == law


def test_the_lift_of_a_cam_has_no_gaps_unless_allowed(tmp_path):
    (tmp_path / "cam.csv").write_text("theta,s\n0,0\n90,\n180,2\n")
    given = {"table": "cam.csv", "column": "s"}
    with pytest.raises(ModelError, match=re.escape("no data from t = 0 to 180 (180 deg), longer than max_gap = 0")):
        read_motion(given, tmp_path, DEG, "length", "angle")
    law = read_motion({**given, "max_gap": "0.5 rev"}, tmp_path, DEG, "length", "angle")
    assert law.value == pytest.approx((0.0, 1.0, 2.0))


@pytest.mark.parametrize(
    ("driver", "angle"),
    [('of = "O"', "deg"), ('of = "O"', "rad"), ('of = "arm.phi"', "deg"), ('of = "arm.tip.y"', "deg")],
)
def test_the_kind_of_the_driver_decides(tmp_path, driver, angle):
    """An arm of 20 mm at 30° has its tip 10 mm high, whichever way it is driven."""
    text = f"""units = {{ length = "mm", angle = "{angle}" }}
    [body.ground]
    points = {{ O = [0, 0] }}
    [body.arm]
    angle = "25 deg"
    points = {{ O = [0, 0], tip = [20, 0] }}
    [joint.O]
    type = "revolute"
    between = ["ground.O", "arm.O"]
    [driver.motor]
    {driver}
    motion = {{ polynomial = ["{"1 cm" if "tip" in driver else "30 deg"}"] }}
    """
    (tmp_path / "arm.toml").write_text(text)
    run = mubo.load(tmp_path / "arm.toml").kinematics(0, 1, step=1)
    assert run["arm.phi"] == pytest.approx([30 if angle == "deg" else pi / 6] * 2, rel=1e-12)


@pytest.mark.parametrize("angle", ["deg", "rad", "rev"])
@pytest.mark.parametrize(
    "motion",
    [
        '{ polynomial = ["30 deg", "1 rev"] }',
        '{ rate = "1 rev", start = "30 deg" }',
        '{ time = [0, 0.5, 1], value = ["30 deg", "210 deg", "390 deg"] }',
    ],
)
def test_the_same_motion_in_every_declared_unit(tmp_path, motion, angle):
    """30° + 360° t, whatever unit the answer is in."""
    text = f"""units = {{ angle = "{angle}" }}
    [body.arm]
    [joint.x]
    type = "coordinate"
    of = "arm.x"
    [joint.y]
    type = "coordinate"
    of = "arm.y"
    [driver.motor]
    of = "arm.phi"
    motion = {motion}
    """
    (tmp_path / "arm.toml").write_text(text)
    run = mubo.load(tmp_path / "arm.toml").kinematics(0, 1, step=0.25)
    per_degree = {"deg": 1.0, "rad": pi / 180, "rev": 1 / 360}[angle]
    assert run["arm.phi"] == pytest.approx((30 + 360 * run["t"]) * per_degree, rel=1e-12)
    assert run["arm.omega"] == pytest.approx([360 * per_degree] * 5, rel=1e-12)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"polynomial": ["30 mm"]}, 'polynomial: "30 mm" is no'),
        ({"polynomial": ["fast"]}, 'polynomial: expected a number, or text such as "1 rad"; found "fast"'),
        ({"polynomial": ["30 deg/s"]}, 'polynomial: "30 deg/s" is no angle: write a number, or text such as "1 rad"'),
        ({"polynomial": [True]}, "polynomial: expected a number; found True"),
        ({"polynomial": 3}, "polynomial needs a list of numbers"),
        ({"rate": [1]}, "rate: expected a number; found [1]"),
        ({"rate": 1, "begin": 2}, 'a motion by rate has no "begin"'),
        ({"start": 1}, 'a motion has no "start"'),
        (
            {"harmonic": {"amplitude": 1, "rate": "2 rad"}},
            'rate: "2 rad" is no angle per time: write a number, or text such as "1 rad/s"',
        ),
        ({"harmonic": {"amplitude": "1 mm", "rate": 2}}, 'amplitude: "1 mm" is no'),
        ({"harmonic": {"amplitude": 1, "rate": 2, "phase": "1 s"}}, 'phase: "1 s" is no'),
        ({"time": ["1 mm", 2], "value": [1, 2]}, 'time: "1 mm" is no time'),
        ({"time": [1, 2], "value": [1, 2], "filled": -1}, "filled should be how many of the samples were filled in"),
    ],
)
def test_wrong_quantities(given, says):
    with pytest.raises(ModelError, match=re.escape(says)):
        read_motion(given, ROOT, Units(), "angle")
