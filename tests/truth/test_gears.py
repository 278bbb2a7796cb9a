"""Gears, belts and racks against their ratios."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.elements.plane.couplings.belt import wheel_radii


def test_planetary_gear_by_willis():
    """Ring 40 stands, sun 20 drives: arm = sun · 20 / (20 + 40); planet 10 = arm · (1 − 40/10)."""
    run = mubo.load(EXAMPLES / "planetary_gear.toml").kinematics()
    sun = 360 * run["t"]
    np.testing.assert_allclose(run["arm.phi"], sun / 3, atol=1e-10)
    np.testing.assert_allclose(run["planet.phi"], -sun, atol=1e-10)
    np.testing.assert_allclose(run["arm.omega"], 120, rtol=1e-12)
    np.testing.assert_allclose(run["planet.x"], 30 * np.cos(np.radians(sun / 3)), atol=1e-11)


def wheels(kind: str, **options) -> mubo.Model:
    model = mubo.Model(kind)
    for name, x in (("A", 0.0), ("B", 3.0)):
        model.ground.point(name, (x, 0))
        model.body(name, (x, 0), 0.2 * x, {name: (0, 0)})
        model.revolute(f"shaft_{name}", f"ground.{name}", f"{name}.{name}")
    model.joint("mesh", kind, "A", "B", **options)
    model.driver("motor", "A.phi", "t + t**2")
    return model


@pytest.mark.parametrize(
    ("kind", "options", "ratio"),
    [
        ("gears", {"radii": (2, 1)}, -2.0),
        ("gears", {"radii": (2, 1), "mesh": "internal"}, 2.0),
        ("gears", {"radii": (1, 3)}, -1 / 3),
        ("belt", {"radii": (2, 1)}, 2.0),
        ("belt", {"radii": (2, 1), "run": "crossed"}, -2.0),
        ("belt", {"teeth": (34, 17), "pitch": 0.1}, 2.0),  # of a chain: teeth count, not the circles of its pins
    ],
)
def test_wheels_on_fixed_shafts(kind, options, ratio):
    run = wheels(kind, **options).kinematics(0, 1, 0.1)
    t = run["t"]
    np.testing.assert_allclose(run["B.phi"], 0.6 + ratio * (t + t**2), atol=1e-13)
    np.testing.assert_allclose(run["B.omega"], ratio * (1 + 2 * t), atol=1e-13)
    np.testing.assert_allclose(run["B.alpha"], ratio * 2, atol=1e-12)


def test_belt_drive_turns_the_wheel_at_a_third():
    run = mubo.load(EXAMPLES / "belt_drive.toml").kinematics()
    theta = np.radians((30 + 720 * run["t"]) / 3)
    np.testing.assert_allclose(run["wheel.phi"], np.degrees(theta), atol=1e-10)
    # The slider-crank of radius 40 and rod 120 on that wheel.
    np.testing.assert_allclose(
        run["pin.x"], 40 * np.cos(theta) + np.sqrt(120**2 - (40 * np.sin(theta)) ** 2), atol=1e-9
    )


def test_rack_moves_by_radius_times_angle():
    """A wheel above the rack that turns counter-clockwise pushes the rack to the right."""
    run = mubo.load(EXAMPLES / "rack_and_pinion.toml").kinematics()
    angle = np.radians(120) * np.sin(np.pi * run["t"])
    np.testing.assert_allclose(run["rack.x"], 15 * angle, atol=1e-11)
    np.testing.assert_allclose(run["rack.vx"], 15 * np.radians(120) * np.pi * np.cos(np.pi * run["t"]), atol=1e-10)


def test_a_wheel_on_the_right_side_pushes_the_other_way():
    model = mubo.load(EXAMPLES / "rack_and_pinion.toml").replace("mesh.side", "right")
    run = model.kinematics()
    np.testing.assert_allclose(run["rack.x"], -15 * np.radians(run["pinion.phi"]), atol=1e-11)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"radii": (0, 1)}, "must be positive"),
        ({"radii": (1, -1)}, "must be positive"),
        ({"radii": (1, 1), "mesh": "internal"}, "two different radii"),
        ({"radii": (1, 2), "mesh": "inner"}, "is not one of external, internal"),
        ({"radii": (1, 2), "carrier": "arm"}, 'there is no body "arm"'),
        ({"radii": (1, 2), "carrier": "A"}, "cannot carry"),
        ({}, '"gears" takes "radii", or "teeth" with "module"'),
        ({"radii": 2}, "expected two numbers"),
    ],
)
def test_wrong_gears_are_refused(options, says):
    with pytest.raises(mubo.ModelError, match=says):
        wheels("gears", **options).kinematics(0, 1, 0.5)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, '"belt" takes "radii", or "teeth" with "pitch"'),
        ({"teeth": (20, 10)}, 'with "pitch"; found teeth'),
        ({"teeth": (20, 10), "pitch": 1, "radii": (2, 1)}, "found radii and teeth and pitch"),
        ({"teeth": (20, 4), "pitch": 1}, "6 teeth or more; found 4"),
        ({"teeth": (20, 10), "pitch": -1}, "pitch: must be positive"),
    ],
)
def test_wrong_chains_are_refused(options, says):
    with pytest.raises(mubo.ModelError, match=says):
        wheels("belt", **options).kinematics(0, 1, 0.5)


def test_sprockets_are_drawn_with_the_circle_of_the_pins():
    """Pins at the distance p stand on the circle p/(2 sin(π/z)): neighbours on it are p apart."""
    first, second = wheel_radii({"teeth": (21, 7), "pitch": 12.7})
    for radius, teeth in ((first, 21), (second, 7)):
        assert abs(radius * (np.exp(2j * np.pi / teeth) - 1)) == pytest.approx(12.7)
    assert first / second != pytest.approx(3, rel=1e-2)


@pytest.mark.parametrize("formulation", ["loops", "absolute"])
@pytest.mark.parametrize("phase", [40, "40 deg", "0.69813170079773179 rad"])
@pytest.mark.parametrize(
    ("kind", "options", "ratio"),
    [
        ("gears", {"radii": (20, 8)}, -2.5),
        ("gears", {"radii": (20, 8), "mesh": "internal"}, 2.5),
        ("belt", {"radii": (20, 8)}, 2.5),
        ("belt", {"radii": (20, 8), "run": "crossed"}, -2.5),
    ],
)
def test_phase_is_the_angle_of_the_second_wheel(kind, options, ratio, phase, formulation):
    """On an arm: φ_j − φ_c = phase + ratio (φ_i − φ_c). A plain number is in the model's unit of angle."""
    model = mubo.Model("wheels", units={"length": "mm", "angle": "deg"})
    model.ground.point("O", (0, 0))
    for name, x in (("arm", 0.0), ("A", 0.0), ("B", 30.0)):
        model.body(name, (x, 0), 0.0, {"O": (0, 0), "B": (30, 0)})
    model.revolute("hub", "ground.O", "arm.O")
    model.revolute("shaft_A", "ground.O", "A.O")
    model.revolute("shaft_B", "arm.B", "B.O")
    model.joint("mesh", kind, "A", "B", carrier="arm", phase=phase, **options)
    model.driver("motor", "A.phi", "10 + 90*t")
    model.driver("swing", "arm.phi", "25*t")
    run = model.kinematics(0, 1, 0.1, formulation=formulation)
    np.testing.assert_allclose(run["B.phi"] - run["arm.phi"], 40 + ratio * (run["A.phi"] - run["arm.phi"]), atol=1e-11)


def test_a_phase_that_was_left_out_is_told_as_an_angle():
    model = wheels("gears", radii=(2, 1))
    assert "joint mesh: phase = 0.6, taken from the estimates" in model.kinematics(0, 1, 0.5).summary["warnings"]


def test_a_phase_in_length_is_refused():
    with pytest.raises(mubo.ModelError, match=r'phase: "0\.3 m" is no angle'):
        wheels("gears", radii=(2, 1), phase="0.3 m")


@pytest.mark.parametrize(("radii", "per", "slow", "rate"), [((2, 1), "B", "A", -1 / 2), ((1, 3), "A", "B", -1 / 3)])
def test_wheels_that_nothing_drives_turn_against_each_other(radii, per, slow, rate):
    """The degree of freedom left is stated per unit of the faster wheel, which itself turns by one."""
    model = wheels("gears", radii=radii)
    model.drivers.clear()
    report = model.check()
    (motion,) = report.diagnosis.free
    assert motion.per == f"{per}.phi"
    assert motion.rates[per] == pytest.approx((0, 0, 1), abs=1e-12)
    assert motion.rates[slow] == pytest.approx((0, 0, rate), abs=1e-12)
    assert f"{slow} turns {rate:.3g}".replace("-", "−") in str(report)


def test_a_long_train_that_nothing_drives_alternates():
    """Of 150 equal wheels the one that is named turns by one, its neighbours back by one, and so on."""
    model = mubo.Model("train")
    for k in range(150):
        model.ground.point(f"A{k}", (2 * k, 0))
        model.body(f"w{k}", (2 * k, 0), 0, {"O": (0, 0)})
        model.revolute(f"shaft{k}", f"ground.A{k}", f"w{k}.O")
        if k:
            model.joint(f"mesh{k}", "gears", f"w{k - 1}", f"w{k}", radii=(1, 1))
    (motion,) = model.check().diagnosis.free
    named = int(motion.per.removeprefix("w").removesuffix(".phi"))
    turns = [motion.rates[f"w{k}"][2] for k in range(150)]
    np.testing.assert_allclose(turns, (-1.0) ** (np.arange(150) - named), atol=1e-12)


def by_teeth(apart, teeth=(24, 36), mesh="external", **sizes):
    """Two wheels on pins of the ground, `apart` from each other in mm."""
    model = mubo.Model("teeth", units={"length": "mm", "angle": "deg"})
    model.ground.point("A", (0, 0))
    model.ground.point("B", (apart, 0))
    model.body("pinion", points={"A": (0, 0)})
    model.body("wheel", position=(apart, 0), points={"B": (0, 0)})
    model.revolute("A", "ground.A", "pinion.A")
    model.revolute("B", "ground.B", "wheel.B")
    model.joint("mesh", "gears", "pinion", "wheel", teeth=teeth, mesh=mesh, **(sizes or {"module": 2.5}))
    model.driver("motor", "A", "360*t")
    return model


@pytest.mark.parametrize(("mesh", "apart", "ratio"), [("external", 75.0, -24 / 36), ("internal", 15.0, 24 / 36)])
def test_gears_by_teeth_and_module(tmp_path, mesh, apart, ratio):
    """r = m z/2 and a = m (z1 ± z2)/2 (Norton, Design of Machinery, chapter 9): 2.5 (24 + 36)/2 = 75 mm."""
    model = by_teeth(apart, mesh=mesh)
    run = model.kinematics(0, 1, step=0.25)
    np.testing.assert_allclose(run["wheel.omega"], 360 * ratio, rtol=1e-12)
    assert not [note for note in run.summary["warnings"] if "pitch circles" in note]
    other = by_teeth(apart + 0.5, mesh=mesh).kinematics(0, 1, step=0.25).summary["warnings"]
    (note,) = [note for note in other if "pitch circles" in note]
    assert f"{apart + 0.5:g} mm apart" in note
    assert f"touch at {apart:g} mm" in note
    model.save(tmp_path / "teeth.toml")
    assert mubo.load(tmp_path / "teeth.toml") == model
    assert "module = 2.5" in (tmp_path / "teeth.toml").read_text()


def test_the_axes_of_a_planetary_train_are_checked_on_its_arm():
    model = mubo.load(EXAMPLES / "planetary_gear.toml").build().replace("arm.C", (31, 0))
    from mubo.mechanism.gear_centers import center_distance_notes

    notes = list(center_distance_notes(model))
    assert [note.split(":")[0] for note in notes] == ["gear pair sun_mesh", "gear pair ring_mesh"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"teeth": (24, 36), "radii": (30, 45)}, "found radii and teeth"),
        ({"teeth": (24, 36)}, "found teeth"),
        ({"teeth": (24.5, 36), "module": 2}, "two whole numbers"),
        ({"teeth": (24, 36), "module": -2}, "must be positive"),
    ],
)
def test_teeth_that_do_not_make_gears_are_refused(options, says):
    with pytest.raises(mubo.ModelError, match=says):
        by_teeth(75, options.pop("teeth"), **(options or {"phase": 0})).kinematics(0, 1, step=0.5)
