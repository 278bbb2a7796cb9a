"""Discs, spheres and ellipsoids that roll on planes, turntables and spheres; vehicles with wheels in space."""

import math

import numpy as np
import pytest
from rolling_cases import FINE, FORMULATIONS, case, stacked, table

import mubo

G = 9.81
XYZ = ("x", "y", "z")


def disc(center, lean, joint="", **initial):
    """The disc of the references: forward along x, axle along y (left); positive lean moves its top to the right."""
    given = case("disc_general")["model"]
    about = (given["inertia_diameter"], given["inertia_axle"], given["inertia_diameter"])
    model = mubo.Model("disc", dimension=3, gravity=(0, 0, -G))
    model.ground.point("O", (0, 0, 0))
    turned = (math.cos(lean / 2), math.sin(lean / 2), 0, 0)
    model.body("disc", center, points={"C": (0, 0, 0)}, mass=given["mass"], inertia=about, orientation=turned)
    model.joint("road", "rolling", "ground.O", "disc.C", axis=(0, 0, 1), radius=given["radius"], axle=(0, 1, 0))
    if joint:
        model.joint("place", "free", "ground.O", "disc.C", euler=joint)
    if initial:
        model.initial("disc", **initial)
    return model


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.truth("beyond_rolling/disc_general")
def test_disc_in_general_motion(formulation):
    """Euler's equations in 34 digits; the contact wanders, and its acceleration enters."""
    rows = case("disc_general")["rows"]
    model = disc(tuple(rows[0]["center"]), 0.3, omega=tuple(rows[0]["omega"]))
    run = model.simulate(end=2, step=0.2, formulation=formulation, reactions=True, **FINE)
    np.testing.assert_allclose(stacked(run, *(f"disc.{x}" for x in XYZ)), table(rows, "center"), atol=1e-9)
    np.testing.assert_allclose(stacked(run, *(f"disc.w{x}" for x in XYZ)), table(rows, "omega"), atol=1e-7)
    force = stacked(run, *(f"road.on_disc.f{x}" for x in XYZ))
    np.testing.assert_allclose(force, table(rows, "force"), rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(stacked(run, *(f"road.on_disc.m{x}" for x in XYZ)), 0, atol=1e-9)
    contact = run.reaction("road").point
    np.testing.assert_allclose(contact[:, :2], table(rows, "contact"), atol=1e-9)
    np.testing.assert_allclose(contact[:, 2], 0, atol=1e-10)
    np.testing.assert_allclose(run["road.friction_needed"], np.hypot(*force[:, :2].T) / force[:, 2], rtol=1e-9)
    assert abs(run["energy.error"]).max() < 1e-9


def test_disc_counts_positions_and_velocities_apart():
    report = disc((0, 0, 0.25), 0.0).check()
    assert (report.diagnosis.mobility, report.velocities.mobility) == (5, 3)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.truth("beyond_rolling/disc_steady")
def test_disc_on_a_circle(formulation):
    """heading rate² = m g r sin/((C + m r²) cos (R/r − sin) + A sin cos); one turn comes back."""
    asked = case("disc_steady")
    lean, r = asked["model"]["lean"], asked["model"]["radius"]
    heading, spin = asked["heading_rate"], asked["spin_rate"]
    axle = np.array([0, math.cos(lean), math.sin(lean)]) * -1  # to the right of the heading x
    center = np.array([0, -r * math.sin(lean), r * math.cos(lean)])
    omega = heading * np.array([0, 0, 1]) + spin * axle
    model = disc(tuple(center), lean, omega=tuple(omega))
    period = asked["period"]
    run = model.simulate(end=period, step=period / 8, formulation=formulation, reactions=True, **FINE)
    np.testing.assert_allclose(run["road.force"], asked["normal_force"], rtol=1e-8)
    np.testing.assert_allclose(run["road.friction_needed"], asked["friction_needed"], rtol=1e-7)
    away = stacked(run, "disc.x", "disc.y") - [0, -asked["model"]["contact_circle_radius"]]
    np.testing.assert_allclose(np.linalg.norm(away, axis=1), asked["center_circle_radius"], rtol=1e-8)
    np.testing.assert_allclose(away[-1], away[0], atol=1e-7)


@pytest.mark.parametrize("row", case("disc_stability")["rows"], ids=lambda row: f"v{row['v']}")
@pytest.mark.truth("beyond_rolling/disc_stability")
def test_disc_straight_on_is_stable_above_its_critical_speed(row):
    """λ² = (m g r − C (C + m r²) (v/r)²/A)/(A + m r²); heading and spin have zero roots."""
    model = disc((0, 0, 0.25), 0.0, joint="zxy")
    model.initial("place", v=(0, 0, 0, 0, 0, row["v"] / 0.25))
    linear = model.linearize(about="steady")
    expected = sorted((complex(*pair) for pair in row["eigenvalues"] if any(pair)), key=lambda z: (z.real, z.imag))
    found = sorted((z for z in linear.eigenvalues if abs(z) > 1e-3), key=lambda z: (z.real, z.imag))
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-6)
    assert any("ignorable" in note for note in linear.notes)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("name", ["sphere_turntable", "sphere_tilted_turntable"])
@pytest.mark.truth("beyond_rolling/sphere_turntable", "beyond_rolling/sphere_tilted_turntable")
def test_sphere_on_a_turntable(name, formulation):
    """Circles at 2/7 of the table's rate; on a tilted table they drift across the slope."""
    asked = case(name)
    given, rows = asked["model"], asked["rows"]
    model = mubo.Model(name, dimension=3, gravity=tuple(given["gravity_in_table_axes"]))
    model.ground.point("O", (0, 0, 0))
    model.body("table", (0, 0, 0), points={"O": (0, 0, 0)}, mass=1, inertia=(1, 1, 1))
    start = given["start"]
    inertia = (given["inertia"],) * 3
    model.body("ball", tuple(start["center"]), points={"C": (0, 0, 0)}, mass=given["mass"], inertia=inertia)
    model.joint("shaft", "revolute", "ground.O", "table.O", axis=(0, 0, 1))
    model.driver("motor", "shaft", f"{given['table_rate']}*t")
    model.joint("roll", "rolling", "table.O", "ball.C", axis=(0, 0, 1), radius=given["radius"])
    model.initial("ball", velocity=tuple(start["velocity"]), omega=tuple(start["omega"]))
    step = rows[1]["t"]
    run = model.simulate(end=rows[-1]["t"], step=step, formulation=formulation, reactions=True, **FINE)
    np.testing.assert_allclose(stacked(run, *(f"ball.{x}" for x in XYZ)), table(rows, "center"), atol=1e-8)
    force = stacked(run, *(f"roll.on_ball.f{x}" for x in XYZ))
    np.testing.assert_allclose(force, table(rows, "force"), rtol=1e-7, atol=1e-7)


def cart(wheel_mass=0.5):
    """A body on a planar joint with two wheels on one axle; whole mass and yaw inertia are those of the reference."""
    given = case("cart_two_wheels")["model"]
    b, r, spin = given["half_track"], given["wheel_radius"], given["wheel_spin_inertia"]
    model = mubo.Model("cart", dimension=3, gravity=(0, 0, -G))
    model.ground.point("O", (0, 0, 0))
    turn = given["yaw_inertia_total"] - 2 * (wheel_mass * b * b + 0.006)
    points = {"O": (0, 0, 0), "left": (0, b, 0), "right": (0, -b, 0)}
    mass = given["mass_total"] - 2 * wheel_mass
    model.body("cart", (0, 0, r), points=points, mass=mass, inertia=(turn, turn, turn))
    model.ground.point("axle", (0, 0, r))
    model.joint("floor", "planar", "ground.axle", "cart.O", axis=(0, 0, 1), along=(1, 0, 0))
    for side, sign in (("left", 1), ("right", -1)):
        inertia = (0.006, spin, 0.006)
        model.body(side, (0, sign * b, r), points={"C": (0, 0, 0)}, mass=wheel_mass, inertia=inertia)
        model.joint(f"hub_{side}", "revolute", f"cart.{side}", f"{side}.C", axis=(0, 1, 0))
        model.joint(f"road_{side}", "rolling", "ground.O", f"{side}.C", axis=(0, 0, 1), radius=r, axle=(0, 1, 0))
        model.force(f"motor_{side}", "joint_effort", f"hub_{side}", effort=given[f"torque_{side}"])
    return model


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.truth("beyond_rolling/cart_two_wheels")
def test_cart_with_two_driven_wheels(formulation):
    """An arc of radius v̇/yaw̋; the two wheels share the lateral force, of which only the sum is unique."""
    rows = case("cart_two_wheels")["rows"]
    model = cart()
    report = model.check()
    assert (report.diagnosis.mobility, report.velocities.mobility) == (5, 2)
    run = model.simulate(end=rows[-1]["t"], step=rows[1]["t"], formulation=formulation, reactions=True, **FINE)
    np.testing.assert_allclose(stacked(run, "cart.x", "cart.y"), table(rows, "position"), atol=1e-8)
    np.testing.assert_allclose(run["floor.v3"], table(rows, "yaw_rate"), atol=1e-8)
    np.testing.assert_allclose(run["hub_left.v"], table(rows, "left_wheel_rate"), atol=1e-7)
    force = sum(stacked(run, f"road_{one}.on_{one}.fx", f"road_{one}.on_{one}.fy") for one in ("left", "right"))
    heading = table(rows, "heading")
    lateral = force[:, 1] * np.cos(heading) - force[:, 0] * np.sin(heading)
    np.testing.assert_allclose(lateral, table(rows, "lateral_force"), rtol=1e-7, atol=1e-8)
    assert "road_left.on_left.fy" in run.summary["reactions"]["indeterminate"]


def car(trailer_angle, steer):
    """A car as a bicycle that cannot fall, its rear wheel driven and its front wheel steered, with a trailer."""
    given = case("car_trailer")["model"]
    length, hitch, r = given["wheelbase"], given["trailer_length"], 0.3
    model = mubo.Model("car", dimension=3, gravity=(0, 0, -G))
    model.ground.point("O", (0, 0, 0))
    model.ground.point("axle", (0, 0, r))
    solid = {"mass": 1, "inertia": (1, 1, 1)}
    model.body("car", (0, 0, r), points={"rear": (0, 0, 0), "front": (length, 0, 0)}, **solid)
    model.body("fork", (length, 0, r), points={"C": (0, 0, 0)}, **solid)
    turned = (math.cos(trailer_angle / 2), 0, 0, math.sin(trailer_angle / 2))
    points = {"hitch": (0, 0, 0), "axle": (-hitch, 0, 0)}
    model.body("trailer", (0, 0, r), points=points, orientation=turned, **solid)
    for name, at in (("rear", (0, 0, r)), ("front", (length, 0, r))):
        model.body(name, at, points={"C": (0, 0, 0)}, **solid)
        model.joint(f"road_{name}", "rolling", "ground.O", f"{name}.C", axis=(0, 0, 1), radius=r, axle=(0, 1, 0))
    model.joint("floor", "planar", "ground.axle", "car.rear", axis=(0, 0, 1), along=(1, 0, 0))
    model.joint("steer", "revolute", "car.front", "fork.C", axis=(0, 0, 1))
    model.joint("hub_rear", "revolute", "car.rear", "rear.C", axis=(0, 1, 0))
    model.joint("hub_front", "revolute", "fork.C", "front.C", axis=(0, 1, 0))
    model.joint("hitch", "revolute", "car.rear", "trailer.hitch", axis=(0, 0, 1))
    model.joint("axle", "knife_edge", "ground.O", "trailer.axle", axis=(0, 0, 1), edge=(1, 0, 0))
    model.driver("motor", "hub_rear", f"{given['rear_axle_speed'] / r!r}*t")
    model.driver("wheel", "steer", steer)
    return model


@pytest.mark.parametrize("study", ["kinematics", "inverse"])
def test_car_with_trailer_on_a_circle(study):
    """R = wheelbase/tan(steer). Both drivers together determine all velocities: kinematics integrates them."""
    asked = case("car_trailer")
    rows = asked["circle"]["rows"]
    model = car(asked["model"]["trailer_angle_start"], str(asked["model"]["steer"]))
    model.initial("floor", q=(0, 0, 0))
    model.initial("hitch", q=asked["model"]["trailer_angle_start"])
    run = getattr(model, study)(end=rows[-1]["t"], step=rows[1]["t"])
    np.testing.assert_allclose(stacked(run, "car.x", "car.y"), table(rows, "rear_axle"), atol=1e-8)
    np.testing.assert_allclose(run["floor.q3"], table(rows, "heading"), atol=1e-8)
    np.testing.assert_allclose(run["floor.q3"] + run["hitch.q"], table(rows, "trailer_angle"), atol=1e-8)
    assert any("integrated from the initial position" in note for note in run.summary["warnings"])


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.truth("beyond_rolling/car_trailer")
def test_car_with_trailer_that_weaves(formulation):
    asked = case("car_trailer")["sinusoidal"]
    rows = asked["rows"]
    model = car(0.0, f"{asked['amp']}*sin({asked['omega']}*t)")
    run = model.simulate(end=rows[-1]["t"], step=rows[1]["t"], formulation=formulation, **FINE)
    np.testing.assert_allclose(stacked(run, "car.x", "car.y"), table(rows, "rear_axle"), atol=1e-7)
    np.testing.assert_allclose(run["floor.q3"] + run["hitch.q"], table(rows, "trailer_angle"), atol=1e-7)


@pytest.mark.parametrize("side", ["outside", "inside"])
def test_sphere_on_a_sphere_swings_in_its_plane(side):
    """½ (1 + k) m d² θ̇² = m g d (z₀ − z)/d with d = R ± r the distance of the centres and k = 2/5."""
    R, r, m, k = 1.0, 0.2, 0.7, 0.4
    d, sign = (R + r, 1) if side == "outside" else (R - r, -1)
    model = mubo.Model("bowl", dimension=3, gravity=(0, 0, -G))
    model.ground.point("O", (0, 0, 0))
    start = np.array([math.sin(0.4) * 0.6, math.sin(0.4) * 0.8, sign * math.cos(0.4)]) * d
    model.body("ball", tuple(start), points={"C": (0, 0, 0)}, mass=m, inertia=(k * m * r * r,) * 3)
    model.joint("bowl", "rolling_on_sphere", "ground.O", "ball.C", axis=(0, 0, sign), radii=(R, r), side=side)
    for formulation in FORMULATIONS:
        run = model.simulate(end=0.5, step=0.1, formulation=formulation, reactions=True, **FINE)
        speed = np.linalg.norm(stacked(run, *(f"ball.v{x}" for x in XYZ)), axis=1)
        np.testing.assert_allclose(0.5 * (1 + k) * speed**2, G * (start[2] - run["ball.z"]), atol=1e-8)
        spin = np.linalg.norm(stacked(run, *(f"ball.w{x}" for x in XYZ)), axis=1)
        np.testing.assert_allclose(spin * r, speed, atol=1e-8)
        normal = sign * (m * G * run["ball.z"] / d - m * speed**2 / d)
        np.testing.assert_allclose(run["bowl.force"], normal, rtol=1e-7)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_ellipsoid_of_equal_axes_is_a_sphere_and_any_keeps_its_energy(formulation):
    """A ball on an incline has a = g sin/(1 + k); an ellipsoid whose contact wanders keeps its energy."""
    m, r, slope = 1.0, 0.1, 0.3
    for axes, inertia in (((r, r, r), (0.4 * m * r * r,) * 3), ((0.1, 0.04, 0.03), (0.0006, 0.0022, 0.0026))):
        model = mubo.Model("stone", dimension=3, gravity=(G * math.sin(slope), 0, -G * math.cos(slope)))
        model.ground.point("O", (0, 0, 0))
        model.body("stone", (0, 0, axes[2]), points={"C": (0, 0, 0)}, mass=m, inertia=inertia)
        model.joint("table", "rolling", "ground.O", "stone.C", axis=(0, 0, 1), semi_axes=axes)
        if axes[1] != r:
            model.initial("stone", omega=(0.3, -0.2, 4.0))
        run = model.simulate(end=0.4, step=0.1, formulation=formulation, reactions=True, **FINE)
        assert abs(run["energy.error"]).max() < 1e-9
        if axes[1] == r:
            np.testing.assert_allclose(run["stone.x"], 0.5 * G * math.sin(slope) / 1.4 * run["t"] ** 2, atol=1e-9)


def test_a_disc_that_lies_flat_is_refused():
    model = disc((0, 0, 0), math.pi / 2)
    with pytest.raises(mubo.MuboError, match="joint road: the disc lies flat") as refused:
        model.simulate(end=1)
    assert "contact" in str(refused.value)


def test_a_gap_to_the_plane_is_stated_where_it_is_closed():
    """A wheel drawn above its plane is put onto it, and the gap is noted."""
    model = disc((0, 0, 0.30), 0.0)
    run = model.simulate(end=0.1, step=0.1)
    assert run["disc.z"][0] == pytest.approx(0.25, abs=1e-12)
    assert any("joint road" in note and "0.05" in note for note in run.summary["warnings"])
