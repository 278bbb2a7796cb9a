"""Gait: the seven-segment walker of gait.json, and a synthetic person from markers to joint moments.

Sources: tests/data/forces/gait.json (bottom-up Newton-Euler in 40 digits, see its `check`); the closed-form walker
of tests/synthetic_walker.py, which knows nothing of mubo.
"""

import json
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
import synthetic_walker as walker
from conftest import DATA, EXAMPLES

import mubo
from mubo.applications.gait.ground import ground_columns, residual_of
from mubo.applications.gait.legs import Leg
from mubo.elements import AMBIENTS
from mubo.elements.anthropometry import WINTER
from mubo.elements.details import ANTHROPOMETRIES
from mubo.laws import Table
from mubo.model.moment_law import MomentLaw

TRUTH = json.loads((DATA / "forces" / "gait.json").read_text())
AT = np.array(TRUTH["times"])
LEG = Leg("r", {"foot": "foot"}, {}, "trunk")


def law(given):
    """Fourier series of the reference as an expression of t."""
    terms = [repr(given["offset"]), f"({given['rate']!r})*t"]
    for k, (a, b) in enumerate(zip(given["cos"], given["sin"], strict=True), 1):
        terms.append(f"({a!r})*cos({k}*{given['omega']!r}*t) + ({b!r})*sin({k}*{given['omega']!r}*t)")
    return " + ".join(terms)


@cache
def reference_model(relative=True):
    """The walker of the reference: masses by segments, its own laws, ground reactions at the listed times.

    Its knees are joints from thigh to shank, its segments have their x axis to the distal joint; its hips are pins."""
    model = mubo.Model("reference", gravity=(0, -9.81))
    model.set_subject(mass=TRUTH["body"]["mass"], height=TRUTH["body"]["height"])
    kinds = {"trunk": "trunk", "thigh": "thigh", "shank": "shank", "foot": "foot"}
    for body in TRUTH["model"]["bodies"][1:]:
        *place, angle = body["initial_exact"]
        kind = next(kind for kind in kinds if body["name"].startswith(kind))
        points = {name.rstrip("RL"): at for name, at in body["local_points"].items()}
        ends = ("ankle", "metatarsal") if kind == "foot" else WINTER.ends[kind]
        model.body(body["name"], place, angle, points, segment={"kind": kind, "ends": ends})
    for joint in TRUTH["model"]["joints"]:
        word = joint["name"][:-1]
        first, second = joint["between"]
        model.revolute(joint["name"], f"{first}.{word}", f"{second}.{word}")
    for driver in TRUTH["model"]["drivers"]:
        model.driver(driver["name"], driver["of"], law(driver["law"]))
    for side in "RL":
        fx, fy, x = np.array(TRUTH["ground_reaction"][f"foot{side}"]).T
        fx, fy, m = (Table(tuple(AT), tuple(v)) for v in (fx, fy, x * fy))
        for word, way, size in (("fx", (1, 0), fx), ("fy", (0, 1), fy)):
            model.force(f"{word}{side}", "point_force", f"foot{side}.ankle", direction=way, force=size)
        model.force(f"m{side}", "body_torque", f"foot{side}", torque=MomentLaw(f"foot{side}", fx, fy, m))
    return model


@cache
def reference():
    return reference_model().gait(0, 1.1, 0.022)


def test_segments_have_the_masses_of_the_reference():
    model = reference_model()
    for body in TRUTH["model"]["bodies"][1:]:
        own = model.bodies[body["name"]].own
        assert own.mass == pytest.approx(body["mass"], rel=1e-12)
        assert own.inertia[0] == pytest.approx(body["inertia"], rel=1e-12)
        np.testing.assert_allclose(own.center, body["center"], atol=1e-12)


@pytest.mark.parametrize("side", "RL")
def test_moments_and_forces_of_the_reference(side):
    """Joint moments are efforts of relative drivers there; ours have the sign of OpenSim's angles, per kilogram."""
    run, mass, letter = reference().run, TRUTH["body"]["mass"], side.lower()
    for joint, sign in (("hip_flexion", 1), ("knee_angle", -1), ("ankle_angle", 1)):
        word = joint.split("_")[0]
        expected = np.array(TRUTH["columns"][f"{word}{side}_m.effort"])
        found = mass * sign * run[f"{joint}_{letter}_moment"]
        np.testing.assert_allclose(found, expected, atol=TRUTH["tolerances"]["moment"])
        rate = np.array(TRUTH["columns"][f"{word}{side}_m.rate"])
        np.testing.assert_allclose(mass * run[f"{joint}_{letter}_power"], expected * rate, atol=1e-6)
        far = {"hip": "thigh", "knee": "shank", "ankle": "foot"}[word]
        for axis in "xy":
            known = np.array(TRUTH["columns"][f"{word}{side}.on_{far}{side}.f{axis}"])
            told = mass * run[f"{word}_{letter}_force_{axis}"]
            np.testing.assert_allclose(told, known, atol=TRUTH["tolerances"]["force"])


def test_the_root_residual_of_the_reference_is_zero():
    run = reference().run
    for word in ("fx", "fy", "m"):
        assert np.max(np.abs(run[f"residual.{word}"])) < TRUTH["tolerances"]["root_residual"]


def test_angles_are_those_of_upright_axes():
    """The hip of the reference is the thigh's way down minus the trunk's way up: flexion is that plus half a turn."""
    run = reference().run
    thigh, trunk = (np.array(TRUTH["columns"][f"{body}.phi"]) for body in ("thighR", "trunk"))
    np.testing.assert_allclose(run["hip_flexion_r"], thigh - trunk + np.pi, atol=1e-9)
    shank, foot = (np.array(TRUTH["columns"][f"{body}.phi"]) for body in ("shankR", "footR"))
    np.testing.assert_allclose(run["knee_angle_r"], thigh - shank, atol=1e-9)
    np.testing.assert_allclose(run["ankle_angle_r"], foot - shank - np.pi / 2, atol=1e-9)


@cache
def walked():
    return mubo.load(EXAMPLES / "walker.toml").gait()


def inner(run, margin=0.25):
    """Rows away from the ends of the record, where a spline knows less."""
    t = run["t"]
    return (t > t[0] + margin) & (t < t[-1] - margin)


@pytest.mark.parametrize(
    ("name", "text", "head", "digits"),
    [("walker.trc", walker.marker_text, 6, 4), ("walker_forces.mot", walker.force_text, 7, 6)],
)
def test_the_files_of_the_example_are_those_of_the_formula(name, text, head, digits):
    """A sine of another processor may differ in its last bit, and the last digit written by one."""
    stored, made = (EXAMPLES / name).read_text().splitlines(), text().splitlines()
    assert stored[:head] == made[:head]
    numbers = [np.array([line.split("\t") for line in lines[head:]], float) for lines in (stored, made)]
    np.testing.assert_allclose(*numbers, rtol=0, atol=1.01 * 10.0**-digits)


@pytest.mark.parametrize("side", "rl")
def test_from_markers_to_moments(side):
    """Markers of 1e-4 mm and a quintic spline: moments as Newton and Euler have them in closed form."""
    run = walked().run
    keep = inner(run)
    exact = walker.joints(run["t"])
    for joint, column in (("hip", "hip_flexion"), ("knee", "knee_angle"), ("ankle", "ankle_angle")):
        known, name = exact[f"{joint}_{side}"], f"{column}_{side}"
        np.testing.assert_allclose(run[name], np.degrees(known["angle"][0]), atol=2e-4)
        np.testing.assert_allclose(run[f"{name}.rate"][keep], np.degrees(known["angle"][1])[keep], atol=0.02)
        np.testing.assert_allclose(run[f"{name}.rate2"][keep], np.degrees(known["angle"][2])[keep], atol=2.0)
        np.testing.assert_allclose(run[f"{name}_moment"][keep], known["moment"][keep], atol=3e-3)
        np.testing.assert_allclose(run[f"{name}_power"][keep], known["power"][keep], atol=1e-2)
        for k, axis in enumerate("xy"):
            np.testing.assert_allclose(run[f"{joint}_{side}_force_{axis}"][keep], known["force"][k][keep], atol=1e-2)


def test_segments_of_the_walker_are_measured():
    bodies = walked().run.model.bodies
    for name, body in bodies.items():
        if body.segment is not None:
            known = walker.SEGMENTS[name.split("_")[0]]
            assert body.own.mass == pytest.approx(known.mass, rel=1e-12)
            assert body.own.inertia[0] == pytest.approx(known.inertia, rel=1e-5)
            np.testing.assert_allclose(body.own.center, known.center, atol=1e-6)


def test_the_walkers_residual_is_small():
    run = walked().run
    keep = inner(run)
    assert np.max(np.hypot(run["residual.fx"], run["residual.fy"])[keep]) < 1.0  # N, of 687 N of weight
    assert np.max(np.abs(run["residual.m"])[keep]) < 1.0


def test_heel_strikes_and_toe_offs_are_those_of_the_formula():
    """The upward force of a foot is known at any time: where it passes 20 N."""
    t = np.linspace(0, walker.DURATION, 43001)
    for side in "rl":
        above = walker.ground(t, walker.motion(t))[side][0][1] > 20
        heel, toe = (t[np.flatnonzero(np.diff(above.astype(int)) == sign)] for sign in (1, -1))
        strikes = walked().strikes[side]
        assert strikes.rule == "force"
        np.testing.assert_allclose(strikes.heel, heel, atol=1e-3)  # a spline through forces 20 ms apart
        np.testing.assert_allclose(strikes.toe, toe, atol=1e-3)


def test_strikes_by_coordinates_are_extremes_of_heel_and_toe():
    """Zeni's rule: the heel farthest before the hip, the toe farthest behind it, from the closed form."""
    found = mubo.load(EXAMPLES / "walker.toml").gait(0.1, 2.5, 0.02, events="coordinate")
    t = np.linspace(0.1, 2.5, 24001)
    bodies, places = walker.motion(t), walker.markers(t)
    hip = bodies["trunk"][0][0][0]
    for side in "RL":
        strikes = found.strikes[side.lower()]
        assert strikes.rule == "coordinate"
        for sign, marker, told in ((1, "HEE", strikes.heel), (-1, "TOE", strikes.toe)):
            way = sign * (places[side + marker][:, 0] - hip)
            top = t[1:-1][(way[1:-1] > way[:-2]) & (way[1:-1] >= way[2:]) & (way[1:-1] > 0.15)]
            assert len(told) >= 1
            for time in told:
                assert np.min(np.abs(top - time)) < 2e-3


def test_cycles_are_means_of_the_formula():
    found = walked()
    cycles = found.cycles["r"]
    assert len(cycles.times) == 3
    each = [walker.joints(a + np.linspace(0, 1, 101) * (b - a))["knee_r"]["angle"][0] for a, b in cycles.times]
    np.testing.assert_allclose(found.mean("knee_angle_r"), np.degrees(np.mean(each, axis=0)), atol=1e-3)
    np.testing.assert_allclose(found.deviation("knee_angle_r"), np.degrees(np.std(each, axis=0, ddof=1)), atol=1e-3)


def test_fractions_of_a_table_are_of_a_body():
    """No segment is longer than the body, and those of both legs and the trunk weigh as much as it (Winter)."""
    for table in ANTHROPOMETRIES.values():
        for kind, of in table.segments.items():
            assert 0 < of.mass < 1
            assert 0 < of.center < 1
            assert 0 < of.gyration < 0.6
            assert 0 < of.length < 0.3
            assert kind in table.ends
    legs = sum(WINTER.segments[kind].mass for kind in ("thigh", "shank", "foot"))
    assert 2 * legs + WINTER.segments["trunk"].mass == pytest.approx(1.0)


def laboratory(place, wrench):
    """A sample of one instant: a foot at a place with the wrench of all its loads about that place."""
    loads = SimpleNamespace(on=np.array([[wrench]], float))
    form = SimpleNamespace(free=("foot",), fixed=())
    at = {letter: np.array([value]) for letter, value in zip("xy", place, strict=True)}
    places = {f"{body}.{letter}": value for body in ("foot", LEG.trunk) for letter, value in at.items()}
    return SimpleNamespace(
        t=np.zeros(1),
        solver=SimpleNamespace(form=form),
        forces=SimpleNamespace(loads=loads, columns=SimpleNamespace(raw=places.__getitem__)),
    )


def test_the_centre_of_pressure_is_where_the_force_meets_the_floor():
    """A force (5, 700) N at x = 0.45 m of the floor has about a foot at (0.3, 0.1) the moment 0.15 · 700 + 0.1 · 5."""
    sample = laboratory((0.3, 0.1), (5.0, 700.0, 0.15 * 700 + 0.1 * 5))
    columns = {column.name: values for column, values in ground_columns(sample, LEG, 20.0)}
    np.testing.assert_allclose(columns["ground_r_point_x"], 0.45, rtol=1e-12)


def test_the_moment_of_the_residual_is_about_the_trunk():
    """A force at the origin of the trunk has no moment about it, and x fy − y fx about that of the laboratory."""
    (x, y), (fx, fy) = (0.4, 0.9), (12.0, -30.0)
    sample = laboratory((x, y), (0.0, 700.0, 0.0))
    model = SimpleNamespace(dimension=2, ambient=AMBIENTS[2])
    shaking = {"shaking.fx": -fx, "shaking.fy": -fy, "shaking.m": -(x * fy - y * fx)}
    run = SimpleNamespace(columns=SimpleNamespace(raw=lambda name: np.array([shaking[name]])), model=model)
    found = residual_of(run, sample, [LEG, LEG], 700.0, np.array([True]))
    np.testing.assert_allclose(found.force, [[fx, fy]], rtol=1e-12)
    np.testing.assert_allclose(found.moment, 0.0, atol=1e-12)
