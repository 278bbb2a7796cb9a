"""Beads on curves, hung plates, flight and drag, and a coupler without mass, in simulations with their forces.

Source of `beyond_curves.json` and `beyond_massless.json`: elliptic integrals and closed forms, else 34-digit
Gragg-Bulirsch-Stoer integration, each case with its model, formula, numbers and tolerances.
"""

import json

import numpy as np
import pytest
from conftest import DATA

import mubo
from mubo.errors import ModelError

CASES = {
    case["name"]: case
    for name in ("curves", "massless")
    for case in json.loads((DATA / f"beyond_{name}.json").read_text())["cases"]
}
FINE = {"rtol": 1e-11, "atol": 1e-12, "reactions": True}


def _run(model, rows, form, **options):
    return model.simulate(0, rows[-1]["t"], step=rows[1]["t"] - rows[0]["t"], formulation=form, **(FINE | options))


def _column(rows, key):
    return np.array([row[key] for row in rows], float)


def _bead(mass, at, velocity):
    model = mubo.Model("bead", gravity=(0, -9.81))
    model.ground.point("O", (0, 0))
    model.body("bead", tuple(at), 0, points={"P": (0, 0)}, mass=mass, inertia=1e-3)
    model.initial("bead", velocity=list(velocity), omega=0)
    return model


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.truth(f"beyond_curves/{name}"))
        for name in ("bead_circle_swings", "bead_circle_turns")
    ],
)
def test_bead_on_a_circle(name, form):
    case = CASES[name]
    data, rows = case["model"], case["rows"]
    radius, angle = data["radius"], data["angle_from_bottom"]
    c, s = np.cos(angle), np.sin(angle)
    speed = radius * data["rate"]
    model = _bead(data["mass"], (radius * s, -radius * c), (speed * c, speed * s))
    model.joint("wire", "circle", "ground.O", "bead.P", radius=radius)
    run = _run(model, rows, form)
    assert run["bead.x"] == pytest.approx(_column(rows, "x"), abs=1e-8)
    assert run["bead.y"] == pytest.approx(_column(rows, "y"), abs=1e-8)
    toward = -(run["wire.on_bead.fx"] * run["bead.x"] + run["wire.on_bead.fy"] * run["bead.y"]) / radius
    largest = np.max(np.abs(_column(rows, "force_to_center")))
    assert toward == pytest.approx(_column(rows, "force_to_center"), abs=1e-7 * largest)
    around = model.simulate(0, case["period"], step=case["period"], formulation=form, rtol=1e-11, atol=1e-12)
    assert around["bead.x"][-1] == pytest.approx(run["bead.x"][0], abs=1e-8)


@pytest.mark.parametrize(
    ("name", "curve", "slope"),
    [
        pytest.param("bead_parabola", "1.5*x^2", 0, marks=pytest.mark.truth("beyond_curves/bead_parabola")),
        pytest.param("bead_wave", "0.25*cos(4*x)", 0, marks=pytest.mark.truth("beyond_curves/bead_wave")),
    ],
)
def test_bead_on_a_curve(name, curve, slope, form):
    case = CASES[name]
    rows, start = case["rows"], case["model"]["start"]
    model = _bead(case["model"]["mass"], (start["x"], rows[0]["y"]), (start["vx"], slope))
    model.joint("wire", "curve_slot", "ground.O", "bead.P", y=curve, range=(-1, 6))
    run = _run(model, rows, form)
    assert run["bead.x"] == pytest.approx(_column(rows, "x"), abs=1e-8)
    largest = np.max(np.abs(_column(rows, "normal_force")))
    force = np.stack([run["wire.on_bead.fx"], run["wire.on_bead.fy"]], 1)
    assert force == pytest.approx(_column(rows, "force"), abs=1e-7 * largest)


@pytest.mark.truth("beyond_curves/bead_helix")
def test_bead_on_a_helix(form):
    """A carrier without inertia on a screw joint holds the bead beside its axis."""
    case = CASES["bead_helix"]
    data, rows = case["model"], case["rows"]
    model = mubo.Model("helix", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("O", (0, 0, 0))
    thin = (1e-3, 1e-3, 1e-13)  # about the axis alone it turns
    far = data["radius"]
    model.body("bead", (far, 0, 0), points={"O": (-far, 0, 0)}, mass=data["mass"], inertia=thin)
    model.joint("wire", "screw", "ground.O", "bead.O", axis=(0, 0, 1), lead=-data["pitch"])
    run = _run(model, rows, form)
    place = np.stack([run["bead.x"], run["bead.y"], run["bead.z"]], 1)
    assert place == pytest.approx(_column(rows, "position"), abs=1e-8)
    force = np.stack([run[f"wire.on_bead.f{x}"] for x in "xyz"], 1)
    assert force == pytest.approx(_column(rows, "force"), abs=1e-7 * np.max(np.abs(force)))


@pytest.mark.truth("beyond_curves/body_on_parabola")
def test_body_hung_on_a_parabola(form):
    case = CASES["body_on_parabola"]
    data, rows = case["model"], case["rows"]
    x = data["start"]["pin_x"]
    model = mubo.Model("hung", gravity=(0, -9.81))
    model.ground.point("O", (0, 0))
    model.body(
        "body", (x, data["a"] * x * x), data["start"]["angle_from_hanging"], points={"P": (0, 0)},
        mass=data["mass"], inertia=data["inertia_about_center"], center=(0, -data["pin_to_center"]),
    )  # fmt: skip
    model.initial("body", velocity=[0, 0], omega=0)
    model.joint("wire", "curve_slot", "ground.O", "body.P", y=f"{data['a']}*x^2", range=(-1, 1))
    run = _run(model, rows, form)
    assert np.stack([run["body.x"], run["body.y"]], 1) == pytest.approx(_column(rows, "pin"), abs=1e-7)
    assert run["body.phi"] == pytest.approx(_column(rows, "angle"), abs=1e-7)
    force = np.stack([run["wire.on_body.fx"], run["wire.on_body.fy"]], 1)
    assert force == pytest.approx(_column(rows, "force"), abs=1e-6 * np.max(np.abs(force)))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.truth(f"beyond_curves/{name}"))
        for name in ("bifilar_parallel", "bifilar_trapezium")
    ],
)
def test_plate_on_two_links(name, form):
    case = CASES[name]
    data, rows = case["model"], case["rows"]
    model = mubo.Model("plate", gravity=(0, -9.81))
    start = data["start"]
    points = {name: tuple(at) for name, at in zip("AB", data["plate_points_from_center"], strict=True)}
    inertia = data["inertia_about_center"]
    model.body("plate", tuple(start["center"]), start["angle"], points=points, mass=data["mass"], inertia=inertia)
    for name, at, length in zip("AB", data["ground_points"], data["link_lengths"], strict=True):
        model.ground.point(name, tuple(at))
        model.joint(name, "distance", f"ground.{name}", f"plate.{name}", length=length)
    run = _run(model, rows, form)
    assert np.stack([run["plate.x"], run["plate.y"]], 1) == pytest.approx(_column(rows, "center"), abs=1e-7)
    assert run["plate.phi"] == pytest.approx(_column(rows, "angle"), abs=1e-7)
    for number, name in enumerate("AB", 1):
        tension = _column(rows, f"link{number}_tension")
        assert run[f"{name}.on_plate.f"] == pytest.approx(tension, abs=1e-6 * np.max(tension))


@pytest.mark.truth("beyond_curves/bifilar_torsion")
def test_bifilar_torsion(form):
    case = CASES["bifilar_torsion"]
    data, rows = case["model"], case["rows"]
    half, length, twist = data["half_spacing"], data["length"], data["start_twist"]
    model = mubo.Model("torsion", dimension=3, gravity=(0, 0, -9.81))
    turned = (float(np.cos(twist / 2)), 0, 0, float(np.sin(twist / 2)))
    points = {"A": (half, 0, 0), "B": (-half, 0, 0)}
    inertia = (1e-3, 0.06, data["inertia_about_vertical"])
    place = (0, 0, rows[0]["rise"] - length)
    model.body("rod", place, orientation=turned, points=points, mass=data["mass"], inertia=inertia)
    for name, x in (("A", half), ("B", -half)):
        model.ground.point(name, (x, 0, 0))
        model.joint(name, "distance", f"ground.{name}", f"rod.{name}", length=length)
    run = _run(model, rows, form)
    assert 2 * np.arctan2(run["rod.qz"], run["rod.qw"]) == pytest.approx(_column(rows, "twist"), abs=1e-7)
    assert run["rod.z"] + length == pytest.approx(_column(rows, "rise"), abs=1e-7)


@pytest.mark.truth("beyond_curves/free_flight_spin")
def test_free_flight_with_spin(form):
    case = CASES["free_flight_spin"]
    data, rows = case["model"], case["rows"]
    start, (cx, cy) = data["start"], data["center"]
    model = mubo.Model("flight", gravity=(0, -9.81))
    c, s = np.cos(start["angle"]), np.sin(start["angle"])
    arm = np.array([c * cx - s * cy, s * cx + c * cy])
    model.body(
        "body", tuple(rows[0]["origin"]), start["angle"], mass=data["mass"], inertia=data["inertia"], center=(cx, cy)
    )
    velocity = np.array(start["velocity"]) - start["omega"] * np.array([-arm[1], arm[0]])
    model.initial("body", velocity=list(velocity), omega=start["omega"])
    run = _run(model, rows, form, reactions=False)
    assert np.stack([run["body.x"], run["body.y"]], 1) == pytest.approx(_column(rows, "origin"), abs=1e-9)
    assert run["body.phi"] == pytest.approx(_column(rows, "angle"), abs=1e-9)


@pytest.mark.truth("beyond_curves/drag")
def test_drag_in_still_and_moving_air(form):
    case = CASES["drag"]
    data = case["model"]
    start = data["start"]
    for part, law in (("linear", "linear"), ("quadratic_in_wind", "quadratic")):
        model = _bead(data["mass"], start["position"], start["velocity"])
        model.force("air", "drag", "bead.P", medium=data["medium_velocity"], **{law: data[law]})
        rows = case[part]["rows"]
        run = _run(model, rows, form, reactions=False)
        assert np.stack([run["bead.x"], run["bead.y"]], 1) == pytest.approx(_column(rows, "position"), abs=1e-8)
        assert np.stack([run["bead.vx"], run["bead.vy"]], 1) == pytest.approx(_column(rows, "velocity"), abs=1e-8)
    gust, rows = data["gust"], case["gust"]["rows"]
    model = _bead(data["mass"], (0, 0), (0, 0))
    law = f"-{data['linear']}*(bead.vx - {gust['amplitude']}*sin({gust['omega']}*t))"
    model.force("gust", "point_force", "bead.P", direction=(1, 0), force=law)
    run = _run(model, rows, form, reactions=False)
    assert run["bead.x"] == pytest.approx(_column(rows, "x"), abs=1e-8)
    up = _bead(data["mass"], (0, 0), (0, start["velocity"][1]))
    up.force("air", "drag", "bead.P", quadratic=data["quadratic"])
    wanted = case["vertical_quadratic"]
    both = wanted["rise_time"] + wanted["fall_time"]
    run = up.simulate(0, both, step=both, formulation=form, rtol=1e-11, atol=1e-12)
    assert run["bead.y"][-1] == pytest.approx(0, abs=1e-8)
    assert -run["bead.vy"][-1] == pytest.approx(wanted["speed_at_return"], abs=1e-8)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.truth(f"beyond_massless/{name}"))
        for name in ("four_bar_released", "four_bar_released_viscous")
    ],
)
@pytest.mark.parametrize("coupler", ["distance", "body"])
def test_four_bar_with_a_coupler_without_mass(name, coupler, form):
    """The coupler is a distance, or a body without mass and inertia: the same motion and the same forces."""
    case = CASES[name]
    data, rows = case["model"], case["rows"]
    model = mubo.Model("four bar", gravity=(0, -9.81))
    start = data["start"]
    places = {"crank": (data["A"], start["crank_angle"], "B"), "rocker": (data["D"], start["rocker_angle"], "C")}
    for body, (at, angle, end) in places.items():
        pin = "A" if body == "crank" else "D"
        model.ground.point(pin, tuple(at))
        model.body(
            body, tuple(at), angle, mass=data[f"{body}_mass"], center=tuple(data[f"{body}_center"]),
            inertia=data[f"{body}_inertia_about_center"], points={pin: (0, 0), end: (data[body], 0)},
        )  # fmt: skip
        model.joint(pin, "revolute", f"ground.{pin}", f"{body}.{pin}")
    if coupler == "distance":
        model.joint("C", "distance", "crank.B", "rocker.C", length=data["coupler"])
    else:
        angle = start["crank_angle"]
        at = (data["crank"] * np.cos(angle), data["crank"] * np.sin(angle))
        points = {"B": (0, 0), "C": (data["coupler"], 0)}
        model.body("coupler", at, rows[0]["coupler_angle"], mass=0, inertia=0, points=points)
        model.joint("B", "revolute", "crank.B", "coupler.B")
        model.joint("C", "revolute", "coupler.C", "rocker.C")
    model.initial("A", q=start["crank_angle"], v=0)
    if data["viscous_torque_rocker"]:
        model.force("drag", "friction", "D", viscous=data["viscous_torque_rocker"])
    run = _run(model, rows, form)
    assert run["crank.phi"] == pytest.approx(_column(rows, "crank_angle"), abs=1e-6)
    assert run["rocker.phi"] == pytest.approx(_column(rows, "rocker_angle"), abs=1e-6)
    tension = _column(rows, "coupler_tension")
    largest = np.max(np.abs(tension))
    assert run["C.on_rocker.f"] == pytest.approx(np.abs(tension), abs=1e-5 * largest)
    for pin, body in (("A", "crank"), ("D", "rocker")):
        force = np.stack([run[f"{pin}.on_{body}.fx"], run[f"{pin}.on_{body}.fy"]], 1)
        assert force == pytest.approx(_column(rows, f"pin_{pin}"), abs=1e-5 * np.max(np.abs(force)))


def _crank_and_link(link_mass, closed=True):
    """A crank, a link and a block in space: the link hangs between two balls and may spin about its own axis."""
    model = mubo.Model("rod", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("O", (0, 0, 0))
    points = {"O": (0, 0, 0), "B": (0.2, 0, 0)}
    model.body("crank", (0, 0, 0), mass=1, inertia=(0.01,) * 3, center=(0.1, 0, 0), points=points)
    ends = {"B": (0, 0, 0), "C": (0.6, 0, 0)}
    model.body("link", (0.2, 0, 0), mass=link_mass, inertia=(0, 0, 0), points=ends)
    model.joint("O", "revolute", "ground.O", "crank.O", axis=(0, 1, 0))
    model.joint("B", "spherical", "crank.B", "link.B")
    if closed:
        model.ground.point("G", (0.8, 0, 0))
        model.body("block", (0.8, 0, 0), mass=2, inertia=(0.01,) * 3, points={"C": (0, 0, 0)})
        model.joint("C", "spherical", "link.C", "block.C")
        model.joint("guide", "prismatic", "ground.G", "block.C", axis=(1, 0, 0))
    return model


@pytest.mark.parametrize("closed", [True, False])
def test_a_link_without_mass_that_may_spin_is_refused_by_name(closed, form):
    """Nothing resists the spin about the line of its two balls: no acceleration of it follows from the equations."""
    with pytest.raises(ModelError, match=r"joint [BC]: nothing resists its motion(.|\n)*Give the body"):
        _crank_and_link(0, closed).simulate(0, 0.1, step=0.05, formulation=form)


def test_a_massless_coupler_has_the_small_motions_of_a_distance():
    """The frequency of a parallelogram that hangs: both links swing as pendulums, whose coupler has no mass."""
    roots = []
    for coupler in ("distance", "body"):
        model = mubo.Model("parallelogram", gravity=(0, -9.81))
        for pin, x in (("A", 0.0), ("D", 0.4)):
            model.ground.point(pin, (x, 0))
            name = f"link_{pin}"
            model.body(
                name, (x, 0), -np.pi / 2, mass=2, inertia=0.01, center=(0.15, 0), points={pin: (0, 0), "E": (0.3, 0)}
            )
            model.joint(pin, "revolute", f"ground.{pin}", f"{name}.{pin}")
        if coupler == "distance":
            model.joint("rod", "distance", "link_A.E", "link_D.E", length=0.4)
        else:
            model.body("rod", (0, -0.3), 0, mass=0, inertia=0, points={"B": (0, 0), "C": (0.4, 0)})
            model.joint("B", "revolute", "link_A.E", "rod.B")
            model.joint("C", "revolute", "rod.C", "link_D.E")
        roots.append(np.max(model.linearize(about="equilibrium").eigenvalues.imag))
    own = np.sqrt(2 * 9.81 * 0.15 / (0.01 + 2 * 0.15**2))
    assert roots == pytest.approx([own, own], rel=1e-8)
