"""How a simulation begins: bodies thrown freely, drawn pendulums, contradictions, runs of one row; pins of three ends,
added masses, directions of a planar joint."""

import numpy as np
import pytest

import mubo

G = 9.81


def ball():
    model = mubo.Model("ball", units={"length": "m", "angle": "deg"}, dimension=3, gravity=(0, 0, -G))
    model.ground.point("O", (0, 0, 0))
    model.body("ball", points={"O": (0.1, 0, 0)}, mass=2.0, inertia=(0.3, 0.3, 0.3))
    model.joint("fly", "free", "ground.O", "ball.O")
    return model


def test_a_thrown_ball():
    """r = r₀ + v t + g t²/2 of its origin, which is its centre of mass; a ball of equal inertias goes on turning."""
    model = ball()
    model.initial("ball", position=(1, 2, 3), velocity=(4, 0, 5), omega=(0, 90, 0))
    run = model.simulate(0, 2, 0.25)
    t = run["t"]
    place = np.array([run[f"ball.{x}"] for x in "xyz"])
    np.testing.assert_allclose(place, [1 + 4 * t, 2 + 0 * t, 3 + 5 * t - G * t**2 / 2], atol=1e-9)
    np.testing.assert_allclose(run["ball.wy"], 90, atol=1e-8)  # degrees per second
    np.testing.assert_allclose(run["ball.qy"], np.sin(np.pi / 4 * t), atol=1e-9)


def pendulum(**drawn):
    model = mubo.Model("pendulum", dimension=3, gravity=(0, 0, -G))
    model.ground.point("O", (0, 0, 0))
    model.body("rod", points={"P": (0, 0, 0.5)}, mass=1.0, inertia=(0.1, 0.1, 0.02), **drawn)
    model.revolute("hinge", "ground.O", "rod.P", axis=(0, 1, 0))
    return model


ANGLE = 0.6  # about y: the centre hangs at (−l sin, 0, −l cos)
HANGING = (-0.5 * np.sin(ANGLE), 0, -0.5 * np.cos(ANGLE))
TURNED = (np.cos(ANGLE / 2), 0, np.sin(ANGLE / 2), 0)


@pytest.mark.parametrize(
    "drawn", [{"position": HANGING}, {"orientation": TURNED}, {"position": HANGING, "orientation": TURNED}]
)
def test_a_drawn_pendulum_starts_as_drawn(drawn):
    """θ″ = −m g l sin θ / (J + m l²) at the start."""
    run = pendulum(**drawn).simulate(0, 1, 0.1)
    assert run["hinge.q"][0] == pytest.approx(ANGLE, abs=1e-7)
    assert run["hinge.a"][0] == pytest.approx(-G * 0.5 * np.sin(ANGLE) / (0.1 + 0.25), abs=1e-6)
    assert "hinge: no initial condition given; starts as drawn, at rest" in run.summary["warnings"]


def test_a_rounded_drawing_is_told():
    run = pendulum(position=(-0.28, 0, -0.41), orientation=TURNED).simulate(0, 0.1, 0.1)
    (told,) = [text for text in run.summary["warnings"] if "away from where it is drawn" in text]
    assert told.startswith("body rod: starts 0.00")
    assert told.endswith("where its joint allows")


def test_a_drawing_that_contradicts_is_refused():
    model = pendulum(position=HANGING, orientation=TURNED)
    model.initial("hinge", -0.3)
    away = 2 * 0.5 * np.sin((ANGLE + 0.3) / 2)  # chord of the circle that the centre runs on
    with pytest.raises(mubo.ModelError, match=r"\[initial.hinge\] puts it .* away from where it is drawn") as caught:
        model.simulate(0, 1, 0.1)
    assert caught.value.numbers["away"] == pytest.approx(away, rel=1e-12)
    assert caught.value.numbers["turned"] == pytest.approx(0.9, rel=1e-12)


def test_places_and_velocities_that_a_joint_forbids_are_refused():
    model = pendulum()
    model.initial("rod", position=(0, 0.2, -0.5))
    with pytest.raises(mubo.ModelError, match="joint hinge does not allow the place"):
        model.simulate(0, 1, 0.1)
    model = pendulum()
    model.initial("rod", velocity=(0, 1, 0))
    with pytest.raises(mubo.ModelError, match="joint hinge does not allow its velocity"):
        model.simulate(0, 1, 0.1)
    model.initial("rod", velocity=(-1, 0, 0))  # hanging: v = ω × r, so ω = 2 about y
    assert model.simulate(0, 0.1, 0.1)["hinge.v"][0] == pytest.approx(2, rel=1e-12)


def test_one_row_with_laws_of_time():
    """The torque 3 + t at t = 1 turns the hanging rod by 4 / (J + m l²); a driver is where its law is."""
    model = pendulum()
    model.force("motor", "joint_effort", "hinge", effort="3 + t")
    run = model.simulate(1, 1, 0.1)
    assert len(run) == 1
    assert run["hinge.a"][0] == pytest.approx(4 / 0.35, rel=1e-12)
    model = pendulum()
    model.driver("motor", "hinge", "sin(2*t)")
    run = model.simulate(0.5, 0.5, 0.1)
    found = [run[f"hinge.{x}"][0] for x in "qva"]
    np.testing.assert_allclose(found, [np.sin(1), 2 * np.cos(1), -4 * np.sin(1)], rtol=1e-12)


def three_ends(*, one_pin, kind="revolute"):
    """Two pendulums on one pin, or on a pin each."""
    model = mubo.Model("pin", dimension=3, gravity=(0, 0, -G))
    model.ground.point("O", (0, 0, 0))
    for name, length in (("long", 0.8), ("short", 0.3)):
        model.body(name, points={"P": (0, 0, length)}, mass=1.0, inertia=(0.02, 0.02, 0.01))
    axis = {"axis": (0, 1, 0)} if kind == "revolute" else {}
    if one_pin:
        model.joint("pin", kind, "ground.O", "long.P", "short.P", **axis)
    else:
        model.joint("one", kind, "ground.O", "long.P", **axis)
        model.joint("two", kind, "ground.O", "short.P", **axis)
    return model


def test_a_pin_of_three_ends_is_a_pin_for_each():
    shared, apart = three_ends(one_pin=True), three_ends(one_pin=False)
    shared.initial("pin", (0.5, -0.9), (0.1, 0.2))
    apart.initial("one", 0.5, 0.1)
    apart.initial("two", -0.9, 0.2)
    for model, joint in ((shared, "pin.q2"), (apart, "two")):
        model.force("spring", "joint_spring", joint, stiffness=2.0)
    one, two = (model.simulate(0, 2, 0.1) for model in (shared, apart))
    for pair in (("pin.q1", "one.q"), ("pin.q2", "two.q"), ("pin.v2", "two.v"), ("short.x", "short.x")):
        np.testing.assert_allclose(one[pair[0]], two[pair[1]], atol=1e-9)


def test_a_ball_of_three_ends():
    shared, apart = three_ends(one_pin=True, kind="spherical"), three_ends(one_pin=False, kind="spherical")
    tilted = (np.cos(0.2), np.sin(0.2), 0, 0)
    shared.initial("pin", (1, 0, 0, 0, *tilted), (1, 0, 0, 0, 0.4, 0))
    apart.initial("one", v=(1, 0, 0))
    apart.initial("two", tilted, (0, 0.4, 0))
    one, two = (model.simulate(0, 2, 0.1) for model in (shared, apart))
    for name in ("long.x", "long.wz", "short.x", "short.y", "short.wy"):
        np.testing.assert_allclose(one[name], two[name], atol=1e-9)


def test_a_pin_of_three_ends_is_driven_end_by_end():
    """In kinematics too: every end has its own angle against the first."""
    model = three_ends(one_pin=True)
    model.driver("first", "pin.q1", "0.2 + t")
    model.driver("second", "pin.q2", "-0.5*t")
    for run in (model.kinematics(0, 1, 0.25), model.simulate(0, 1, 0.25)):
        np.testing.assert_allclose(run["long.x"], -0.8 * np.sin(0.2 + run["t"]), atol=1e-9)
        np.testing.assert_allclose(run["short.x"], 0.3 * np.sin(0.5 * run["t"]), atol=1e-9)
        np.testing.assert_allclose(run["pin.q2"], -0.5 * run["t"], atol=1e-9)


def test_a_body_joined_to_itself_is_named(tmp_path):
    """A file that once ended in a traceback."""
    path = tmp_path / "three.toml"
    path.write_text(
        "dimension = 3\n[body.a]\npoints = { A = [0, 0, 0] }\n[body.ground]\npoints = { O = [0, 0, 0] }\n"
        '[joint.j]\ntype = "revolute"\nbetween = ["ground.O", "a.A", "a.A"]\naxis = [0, 0, 1]\n'
        '[driver.d]\nof = "j.q1"\nmotion = "t"\n'
    )
    with pytest.raises(mubo.ModelError, match='joins "a" to itself'):
        mubo.load(path)
    path.write_text(path.read_text().replace("j.q1", "j"))
    with pytest.raises(mubo.ModelError, match='joint "j" has 2 coordinates'):
        mubo.load(path)


def test_the_slides_of_a_planar_joint_go_where_they_are_told():
    """On a plane tilted by 30° about y a block slides down the steepest line with g sin 30°; q1 is along that line."""
    tilt = np.pi / 6
    down, normal = np.array([np.cos(tilt), 0, -np.sin(tilt)]), np.array([np.sin(tilt), 0, np.cos(tilt)])
    model = mubo.Model("slope", dimension=3, gravity=(0, 0, -G))
    model.ground.point("O", (0, 0, 0))
    model.body("block", points={"O": (0, 0, 0)}, mass=1.0, inertia=(1, 1, 1))
    model.joint("slope", "planar", "ground.O", "block.O", axis=normal, along=down)
    model.initial("slope", (0, 0, 0), (0, 0.7, 0))
    run = model.simulate(0, 1, 0.25)
    np.testing.assert_allclose(run["slope.q1"], G / 2 * run["t"] ** 2 / 2, atol=1e-9)
    np.testing.assert_allclose(run["slope.q2"], 0.7 * run["t"], atol=1e-9)  # along normal × down = y
    np.testing.assert_allclose(run["block.y"], 0.7 * run["t"], atol=1e-9)
    model = mubo.Model("slope", dimension=3)
    model.ground.point("O", (0, 0, 0))
    model.body("block", points={"O": (0, 0, 0)})
    model.joint("slope", "planar", "ground.O", "block.O", axis=normal, along=(1, 0, 0))
    with pytest.raises(mubo.ModelError, match="along must be square to the axis"):
        model.check()


def test_an_added_mass_swings_with_its_body():
    """θ″ = −g (m c + M L) sin θ / (J + m c² + M L²) with M at the distance L."""
    model = mubo.Model("clock", dimension=3, gravity=(0, 0, -G))
    model.ground.point("O", (0, 0, 0))
    points = {"P": (0, 0, 0.5), "tip": (0, 0, -0.4)}
    model.body("rod", points=points, mass=1.2, inertia=(0.1, 0.1, 0.02), added_masses={"tip": 0.7})
    model.revolute("hinge", "ground.O", "rod.P", axis=(0, 1, 0))
    model.initial("hinge", 0.8)
    pull = G * (1.2 * 0.5 + 0.7 * 0.9) * np.sin(0.8)
    for formulation in ("tree", "wittenburg"):
        run = model.simulate(0, 0.2, 0.1, formulation=formulation)
        assert run["hinge.a"][0] == pytest.approx(-pull / (0.1 + 1.2 * 0.25 + 0.7 * 0.81), rel=1e-12)
        assert run.summary["energy"]["relative"] < 1e-9


def test_point_masses_alone_make_a_body():
    """Two masses 2 and 1, at 0.3 and 0.6 from the axis, above and below: J = 2 · 0.09 + 0.36."""
    model = mubo.Model("dumb-bell", dimension=3, gravity=(0, 0, 0))
    model.ground.point("O", (0, 0, 0))
    points = {"O": (0, 0, 0), "a": (0.3, 0, 0.5), "b": (-0.6, 0, -0.2)}
    model.body("bar", points=points, added_masses={"a": 2, "b": 1})
    model.revolute("axle", "ground.O", "bar.O", axis=(0, 0, 1))
    model.force("turn", "joint_effort", "axle", effort="1.08")
    assert model.simulate(0, 0, 1)["axle.a"][0] == pytest.approx(2, rel=1e-12)


def test_everything_new_is_kept_in_files(tmp_path):
    text = """
name = "all"
dimension = 3
gravity = [0, 0, -9.81]
units = { length = "m", angle = "deg" }
[body.ground]
points = { O = [0, 0, 0] }
[body.a]
points = { O = [0, 0, 0.5], tip = [0, 0, -0.5] }
mass = 1
inertia = [0.1, 0.1, 0.1]
added_masses = { tip = 0.25 }
[body.b]
points = { O = [0, 0, 0.5] }
mass = 1
inertia = [0.1, 0.1, 0.1]
[body.c]
points = { O = [0, 0, 0] }
mass = 1
inertia = [0.1, 0.1, 0.1]
[joint.pin]
type = "spherical"
between = ["ground.O", "a.O", "b.O"]
[joint.face]
type = "planar"
between = ["a.tip", "c.O"]
axis = [0, 0, 1]
along = [0, 1, 0]
[force.motor]
type = "torque_between"
between = ["a", "b"]
direction = [1, 0, 0]
axes = "second"
torque = "sin(t)"
[initial.a]
orientation = { euler = "xyz", angles = [20, 0, 0] }
omega = [0, 0, 30]
[initial.c]
velocity = [0.1, 0.2, 0]
"""
    (tmp_path / "all.toml").write_text(text)
    model = mubo.load(tmp_path / "all.toml")
    for ending in ("toml", "json"):
        model.save(tmp_path / f"again.{ending}")
        again = mubo.load(tmp_path / f"again.{ending}")
        for part in ("bodies", "joints", "forces", "initial_joints", "initial_bodies"):
            assert getattr(again.build(), part) == getattr(model.build(), part)
    (start,) = [s for s in again.build().initial_bodies.values() if s.body == "a"]
    assert start.omega == pytest.approx((0, 0, np.pi / 6))
    assert start.orientation == pytest.approx((np.cos(np.pi / 18), np.sin(np.pi / 18), 0, 0))
    assert again.build().bodies["a"].added == {"tip": 0.25}


def test_wittenburgs_report_begins_as_drawn():
    """A q̈ = B at the drawn position: A = J + m l², B = −m g l sin θ."""
    report = pendulum(position=HANGING, orientation=TURNED).wittenburg()
    assert report.q == pytest.approx([ANGLE])
    assert report.A[0, 0] == pytest.approx(0.35)
    assert report.B[0] == pytest.approx(-G * 0.5 * np.sin(ANGLE))
