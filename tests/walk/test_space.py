"""Spatial models from file to table, and what goes wrong with them, as a person would meet it."""

import csv
import json
import re

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

HOOKE = (EXAMPLES / "hooke_joint.toml").read_text()
RSSR = (EXAMPLES / "rssr.toml").read_text()
JACK = (EXAMPLES / "screw_jack.toml").read_text()
STEWART = (EXAMPLES / "stewart_platform.toml").read_text()
BENNETT = (EXAMPLES / "bennett.toml").read_text()


def test_run_writes_table_charts_and_summary(command, tmp_path):
    done = command("run", EXAMPLES / "rssr.toml")
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "rssr_results"
    assert sorted(path.name for path in folder.iterdir()) == [
        "mechanism.png",
        "motion.png",
        "newton.png",
        "summary.json",
        "table.csv",
    ]
    header = next(csv.reader((folder / "table.csv").open()))
    body = [f"crank.{c} [m]" for c in "xyz"] + [f"crank.q{c}" for c in "wxyz"]
    body += [f"crank.v{c} [m/s]" for c in "xyz"] + [f"crank.w{c} [deg/s]" for c in "xyz"]
    body += [f"crank.a{c} [m/s^2]" for c in "xyz"] + [f"crank.alpha{c} [deg/s^2]" for c in "xyz"]
    assert header[: len(body) + 1] == ["t [s]", *body]
    assert header[-5:] == ["D.q [deg]", "D.v [deg/s]", "D.a [deg/s^2]", "motor.value [deg]", "motor.rate [deg/s]"]
    summary = json.loads((folder / "summary.json").read_text())
    assert (summary["status"], summary["formulation"]) == ("ok", "absolute")
    assert summary["residual_per_element"]["body crank"]["position"] < 1e-14


def test_units_of_every_coordinate():
    """A free joint has lengths and angles; a plain ball a quaternion without unit and rates with one."""
    run = mubo.load(EXAMPLES / "stewart_platform.toml").kinematics(0, 0.1, 0.1)
    assert [run.unit(f"pose.{c}") for c in ("q1", "q4", "v3", "v6", "a1", "a5")] == [
        *("m", "deg", "m/s", "deg/s", "m/s^2", "deg/s^2")
    ]
    run = mubo.load(EXAMPLES / "spatial_slider_crank.toml").kinematics(0, 0.1, 0.1)
    assert [run.unit(f"B.{c}") for c in ("q1", "q4", "v1", "a3")] == ["", "", "rad/s", "rad/s^2"]
    assert [run.unit(f"guide.{c}") for c in ("q1", "q2", "v1", "v2")] == ["rad", "m", "rad/s", "m/s"]


def test_degrees_change_the_labels_and_not_the_motion():
    run = mubo.load(EXAMPLES / "hooke_joint.toml").kinematics()
    np.testing.assert_allclose(run["input.wx"], 360, rtol=1e-13)
    np.testing.assert_allclose(run["motor.rate"], 360, rtol=1e-13)
    jack = mubo.load(EXAMPLES / "screw_jack.toml").kinematics()
    np.testing.assert_allclose(jack["handle.value"], 2 * jack["t"], atol=1e-15)  # revolutions
    assert jack.unit("thread.q") == "rev"


BAD = {
    "axis of zero length": (
        HOOKE.replace("axis = [1, 0, 0]", "axis = [0, 0, 0]"),
        "joint bearing: axis has zero length",
    ),
    "axes not square": (HOOKE.replace("[-0.5, 0.8660254037844386, 0]]", "[-0.5, 0.8, 0.1]]"), "two directions square"),
    "quaternion not unit": (
        RSSR.replace("[body.crank]", "[body.crank]\norientation = [1, 1, 0, 0]"),
        "the quaternion has length 1.41421356; it must be 1",
    ),
    "a lead of zero": (JACK.replace("lead = 6", "lead = 0"), "joint thread: lead: must not be zero"),
    "two numbers": (RSSR.replace("D = [3, 0, 1]", "D = [3, 0]"), "expected three numbers [x, y, z]"),
    "planar joint type": (RSSR.replace('"distance"', '"translational"'), 'there is no joint type "translational"'),
    "angle of a body": (RSSR.replace('of = "A"', 'of = "crank.phi"'), '"crank.phi" is not a coordinate of a body'),
    "a ball driven": (STEWART.replace('between = ["ground.B1", "plate.P1"]', 'of = "pose.q4"'), "cannot be driven"),
    "half a name": (HOOKE.replace('of = "bearing"', 'of = "cross."'), 'no coordinate "". Allowed: q1, q2.'),
    "several coordinates": (HOOKE.replace('of = "bearing"', 'of = "cross"'), 'write "cross.q1" to "cross.q2"'),
    "no place": (
        re.sub(r"\[(joint|initial)\.pose\][^\[]*\n(q = .*\n)?(between.*\n)?(euler.*\n)?", "", STEWART),
        "body plate is led by no joint from the ground, and its position is not given",
    ),
    "initial of wrong size": (STEWART.replace("q = [0, 0, 1, 0, 0, 0]", "q = [0, 0, 1]"), "needs 6 numbers; found 3"),
    "ground turned": (
        RSSR.replace("[body.ground]", "[body.ground]\norientation = [1, 0, 0, 0]"),
        "the ground is the origin",
    ),
    "too few drivers": (
        RSSR.split("[driver.motor]")[0] + "[analysis]\nstart = 0\nend = 1\nstep = 0.1\n",
        "not driven",
    ),
    "driven twice": (
        RSSR.replace("[point.pin]", '[driver.other]\nof = "D"\nmotion = "0"\n[point.pin]'),
        "driver other contradict each other",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_wrong_files_are_refused_with_one_message(command, tmp_path, case):
    text, says = BAD[case]
    (tmp_path / "model.toml").write_text(text)
    done = command("kinematics", "model.toml", "-o", "out.csv")
    assert says in done.stderr, done.stderr
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out.csv").exists()


def test_what_is_planar_is_refused_by_name(command, tmp_path):
    rssr = EXAMPLES / "rssr.toml"
    for words, says in (
        (("kinematics", rssr, "--formulation", "loops"), "cannot be solved by vector loops: it is in space"),
        (("check", rssr, "--loops"), "it is in space, and they lie in a plane"),
        (("convert", rssr, "-o", "a.dat"), "KABIOS models lie in a plane; this one is in space"),
        (("kinematics", rssr, "-o", "a.txt"), "the classic listing is planar"),
    ):
        done = command(*words)
        assert says in done.stderr
        assert done.returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_charts_and_paths_of_a_spatial_model(command, tmp_path):
    for name, columns in (("a", ("D.q", "rocker.wy")), ("b", ("pin.x", "pin.z")), ("c", ("pin.x", "pin.y"))):
        done = command("plot", EXAMPLES / "rssr.toml", *columns, "-o", f"{name}.png")
        assert done.returncode == 0, done.stderr
        assert (tmp_path / f"{name}.png").stat().st_size > 5000


def test_a_spatial_model_survives_being_written(command, tmp_path):
    assert command("convert", EXAMPLES / "bennett.toml", "-o", "copy.toml").returncode == 0
    assert mubo.load(tmp_path / "copy.toml") == mubo.load(EXAMPLES / "bennett.toml")


def test_an_assembly_with_a_body_the_wrong_way_round_is_refused():
    """Hinge axes stay square to the other body's x and y if it is turned over as well: the equations cannot tell."""
    model = mubo.Model("flap", dimension=3)
    model.ground.point("A", (0, 0, 0))
    model.body("flap", (0, 0, 0), orientation=(0, 1, 0, 0), points={"A": (0, 0, 0), "B": (1, 0, 0)})
    model.revolute("hinge", "ground.A", "flap.A", axis=(0, 0, 1))
    model.driver("motor", "hinge", "0.1*t")
    with pytest.raises(mubo.AssemblyError, match="reversed bodies at joint hinge"):
        model.kinematics(0, 1, 0.1)
    assert not model.check().ok


def test_estimates_far_from_the_driver_are_led_to_it():
    """The crank estimated at 0, driven at 100 degrees: the rocker keeps the branch that it was estimated on."""
    model = mubo.load(EXAMPLES / "rssr.toml").replace("motor", "100 + 0*t")
    far = model.kinematics(0, 1, 1)
    step = mubo.load(EXAMPLES / "rssr.toml").kinematics(0, 100 / 360, 100 / 360 / 20)
    assert far["D.q"][0] == pytest.approx(step["D.q"][-1], abs=1e-9)


def test_a_rank_that_changes_is_not_taken_for_mobility(command, tmp_path):
    """A Bennett linkage whose condition is missed in the sixth digit is rigid; it is said so, with the gap."""
    (tmp_path / "model.toml").write_text(BENNETT.replace("1.7320508075688772", "1.73205"))
    done = command("kinematics", "model.toml")
    assert done.returncode in (1, 3)
    assert "contradict each other" in done.stderr or "cannot be assembled" in done.stderr


def test_a_model_to_be_simulated_needs_no_drivers(command):
    done = command("check", EXAMPLES / "five_body_chain.toml")
    assert done.returncode == 0
    assert "mobility      9 by Grübler's count, 9 at the assembled position" in done.stdout
    assert "ready to simulate: 9 degrees of freedom" in done.stdout
