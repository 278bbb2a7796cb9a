"""A cam laid out for one sense and one line of travel says when a motion uses it otherwise."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo


def cam(turns="clockwise", rate=-60, offset=-12.0, line=12.0):
    """A roller that rises along y on the line x = `line`, over a cam that turns at `rate` rpm."""
    m = mubo.Model("cam", units={"length": "mm", "angle": "deg"})
    m.ground.point("O", (0, 0))
    m.ground.point("G", (line, 0))
    m.body("cam", points={"O": (0, 0)})
    m.body("follower", position=(line, 48), points={"R": (0, 0)})
    m.revolute("O", "ground.O", "cam.O")
    m.joint("guide", "translational", "ground.G", "follower.R", axis=(0, 1), angle=0)
    rises = [{"law": "cycloidal", "lasts": 180, "rise": rise} for rise in (20, -20)]
    shape = {"base": 40, "roller": 10, "turns": turns, "travel": 90, "offset": offset, "lift": {"program": rises}}
    m.joint("contact", "cam_roller", "cam.O", "follower.R", **shape)
    m.driver("motor", "cam.phi", {"rate": f"{rate} rpm"})
    return m


def notes(model):
    return model.kinematics(0, 1, step=0.05).summary["warnings"]


@pytest.mark.parametrize(
    "right",
    [
        {},
        {"turns": "counter-clockwise", "rate": 60, "offset": 12.0},  # the edge moves up on the right
        {"turns": "counter-clockwise", "rate": 60, "offset": -12.0, "line": -12.0},
        {"offset": 0.0, "line": 0.0},
    ],
)
def test_nothing_to_tell(right):
    assert notes(cam(**right)) == []


def test_the_other_sense_runs_the_lift_backwards():
    told = 'joint contact: turns = "clockwise", but the cam turns counter-clockwise: its lift is run through backwards'
    assert notes(cam(rate=60)) == [told]


def test_a_line_of_another_offset():
    assert notes(cam(offset=12.0)) == [
        "joint contact: its follower moves on a line of offset -12 mm, not 12 mm: it does not rise by the lift given"
    ]


def test_a_follower_that_swings_does_not_rise_by_the_lift():
    m = mubo.Model("swinging", units={"length": "mm", "angle": "deg"})
    m.ground.point("O", (0, 0))
    m.ground.point("Q", (100, 50))
    m.body("cam", points={"O": (0, 0)})
    m.body("lever", position=(100, 50), angle=180, points={"Q": (0, 0), "R": (100, 0)})
    m.revolute("O", "ground.O", "cam.O")
    m.revolute("Q", "ground.Q", "lever.Q")
    shape = {"base": 40, "roller": 10, "turns": "clockwise", "travel": 90, "lift": "5 - 5*cos(theta*pi/180)"}
    m.joint("contact", "cam_roller", "cam.O", "lever.R", **shape)
    m.driver("motor", "cam.phi", {"rate": "-60 rpm"})
    assert any("does not move along its travel" in note for note in notes(m))


@pytest.mark.parametrize(("travel", "told"), [(90, []), (60, ["its face looks along 90 deg, not along its travel"])])
def test_a_face_that_looks_elsewhere(travel, told):
    m = mubo.Model("tappet", units={"length": "mm", "angle": "deg"})
    m.ground.point("O", (0, 0))
    m.body("cam", points={"O": (0, 0)})
    m.body("tappet", position=(0, 40), points={"F": (0, 0)})
    m.revolute("O", "ground.O", "cam.O")
    m.joint("guide", "translational", "ground.O", "tappet.F", axis=(0, 1), angle=0)
    shape = {"normal": (0, 1), "base": 40, "turns": "clockwise", "travel": travel, "lift": "5 - 5*cos(theta*pi/180)"}
    m.joint("contact", "cam_flat", "cam.O", "tappet.F", **shape)
    m.driver("motor", "cam.phi", {"rate": "-60 rpm"})
    assert notes(m) == [f"joint contact: {text}" for text in told]


def test_a_contact_that_another_one_holds_has_no_pressure_angle_and_says_so():
    """Two equal cams push one follower: neither contact can open alone, so that no direction of motion is its own."""
    model = mubo.load(EXAMPLES / "indexing_cam.toml")
    model.joints["twin"] = replace(model.joints["contact"], name="twin")
    run = model.kinematics(0, 0.4, 0.1)
    told = [note for note in run.summary["warnings"] if "pressure_angle" in note]
    assert told[0] == "column contact.pressure_angle has no finite number at all 5 rows, first at t = 0 s: NaN"
    assert np.isnan(run["contact.pressure_angle"]).all()
