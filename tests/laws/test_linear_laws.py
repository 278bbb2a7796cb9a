"""What small motions obey whatever the model: symmetry, independence of coordinates and units, the motion itself."""

import math
from pathlib import Path

import numpy as np
import pytest

import mubo
from mubo.analyses.linearize import reference
from mubo.solvers.linear import matrices

FOLDER = Path(__file__).parents[1] / "data" / "modes"
CASES = {
    "double_pendulum": {},
    "four_bar_on_spring": {},
    "frame_on_springs": {},
    "governor": {"about": "steady"},
}


def linear_of(name, **options):
    return mubo.load(FOLDER / f"{name}.toml").linearize(**{**CASES[name], **options})


@pytest.mark.parametrize("name", CASES)
def test_inertia_is_positive_and_conservative_stiffness_symmetric(name):
    linear = linear_of(name)
    assert np.array_equal(linear.M, linear.M.T)
    assert np.linalg.eigvalsh(linear.M).min() > 0
    assert np.array_equal(linear.K, linear.K.T)


@pytest.mark.parametrize("name", CASES)
def test_modes_solve_their_equation(name):
    linear = linear_of(name)
    for mode in linear.modes:
        left = (mode.root**2 * linear.M + mode.root * linear.C + linear.K) @ mode.shape
        assert np.abs(left).max() < 1e-9 * np.abs(linear.K).max()
        assert np.abs(mode.shape).max() == pytest.approx(1)


def test_a_following_force_makes_the_stiffness_unsymmetric():
    """Beck's column of two bars (Ziegler 1952): the force along the last bar turns with it and has no potential."""
    model = mubo.load(FOLDER / "double_pendulum.toml")
    model.force("push", "point_force", "bar2.P", direction=(-1, 0), axes="body", force=20)
    K = model.linearize(about="position", dofs=["bar1.phi", "bar2.phi"]).K
    assert abs(K[0, 1] - K[1, 0]) > 1


@pytest.mark.parametrize("dofs", [("bar1.phi", "bar2.phi"), ("bar2.phi", "O.q"), ("bar2.x", "bar2.phi")])
def test_frequencies_do_not_depend_on_coordinates(dofs):
    first, other = linear_of("double_pendulum"), linear_of("double_pendulum", dofs=dofs)
    assert set(other.dofs) == set(dofs)
    assert other.eigenvalues == pytest.approx(first.eigenvalues, rel=1e-9)
    for number in (1, 2):
        columns = ["bar1.phi", "bar2.phi", "bar2.x"]
        shapes = [list(one.shape(number, columns).values()) for one in (first, other)]
        assert shapes[0] == pytest.approx(shapes[1], abs=1e-8)


def test_redundant_equations_change_nothing():
    """A four-bar of four hinges has three redundant equations; with a ball and a sleeve it has none."""
    few, many = (
        mubo.load(FOLDER.parent / "forces" / f"{name}.toml").linearize(about="position", free="motor")
        for name in ("four_bar_rscr", "four_bar_of_hinges")
    )
    assert few.dofs == many.dofs == ("A.q",)
    for one, other in ((few.M, many.M), (few.K, many.K)):
        assert other == pytest.approx(one, rel=1e-8)


def tree_with_loads():
    """The double pendulum with dampers, a following force and a spring that is not along a joint."""
    model = mubo.load(FOLDER / "double_pendulum.toml")
    model.force("push", "point_force", "bar2.P", direction=(-1, 0), axes="body", force=20)
    model.force("brake", "joint_spring", "P", damping=0.3)
    model.ground.point("F", (0.7, 0.2))
    model.force("spring", "spring", "ground.F", "bar2.P", stiffness=50, length=0.4, damping=2)
    return model


EXAMPLES = Path(mubo.__file__).parent / "examples"
TREES = {
    "loads": tree_with_loads,
    "balls by Euler angles": lambda: mubo.load(EXAMPLES / "five_body_chain.toml"),
    "arm in space": lambda: mubo.load(EXAMPLES / "robot_arm.toml"),
    "slide and hinge": lambda: mubo.load(EXAMPLES / "cart_pole.toml"),
    "governor": lambda: mubo.load(FOLDER / "governor.toml"),
}


@pytest.mark.parametrize("name", TREES)
def test_exact_derivatives_of_a_tree_are_those_by_differences_in_absolute_coordinates(name, monkeypatch):
    """∂τ/∂(q, v, a) of a tree and the reduced equations of absolute coordinates are two formulations of M, C and K."""
    model, asked = TREES[name](), []

    def differences(reduced, accelerating=False):
        asked.append(reduced.names)
        return matrices.absolute_matrices(reduced, accelerating)

    free = tuple(model.drivers)
    exact = model.linearize(about="position", free=free)
    units, notes = exact.units, exact.notes  # found from its own reference
    monkeypatch.setattr(reference, "linear_matrices", differences)
    other = TREES[name]()
    monkeypatch.setattr("mubo.analyses.linearize.start.joint_equations", lambda *_: None)
    slow = other.linearize(about="position", free=free)
    assert asked == [exact.dofs]
    assert slow.dofs == exact.dofs
    scale = np.outer(exact.sizes, exact.sizes)
    largest = np.abs(exact.K * scale).max()
    for one, two in ((exact.M, slow.M), (exact.C, slow.C), (exact.K, slow.K)):
        most = max(np.abs(one * scale).max(), largest)
        assert np.abs((one - two) * scale).max() < 1e-10 * most
    assert slow.about == exact.about
    assert (slow.notes, slow.units) == (notes, units)


def pendulum(units, length, gravity, inertia, **options):
    model = mubo.Model("pendulum", units=units)
    model.gravity = (0, -gravity)
    model.ground.point("A", (0, 0))
    model.body(
        "arm", position=(0, 0), angle="-89 deg", points={"A": (0, 0)}, **options, inertia=inertia, center=(length, 0)
    )
    model.revolute("A", "ground.A", "arm.A")
    model.force("brake", "joint_spring", "A", damping="0.02 N m s/rad")
    return model


def test_frequencies_do_not_depend_on_units():
    """ω² = m g l/(I + m l²), 2 ζ ω = c/(I + m l²)."""
    metres = {"length": "m", "angle": "rad", "mass": "kg", "time": "s"}
    millimetres = {"length": "mm", "angle": "deg", "mass": "kg", "time": "s"}
    one = pendulum(metres, 0.4, 9.81, 0.03, mass=2).linearize()
    two = pendulum(millimetres, 400, 9810, 0.03e6, mass=2).linearize()
    whole = 0.03 + 2 * 0.4**2
    assert one.natural_frequencies[0] == pytest.approx(math.sqrt(2 * 9.81 * 0.4 / whole), rel=1e-10)
    assert one.damping[0] == pytest.approx(0.02 / whole / (2 * one.natural_frequencies[0]), rel=1e-9)
    assert two.eigenvalues == pytest.approx(one.eigenvalues, rel=1e-9)
    # A column is told in the model's unit: degrees per unit of torque.
    gains = [linear.state_space("A.q", "A.q").transfer(0)[0, 0].real for linear in (one, two)]
    assert gains[0] == pytest.approx(1 / (2 * 9.81 * 0.4), rel=1e-9)
    assert gains[1] * 1e6 == pytest.approx(math.degrees(gains[0]), rel=1e-9)  # torque in kg mm²/s²


def test_small_motions_are_those_of_the_simulation():
    """The governor pushed along a mode moves as Re(shape e^{λ t}) tells, to first order in the push."""
    model, push = mubo.load(FOLDER / "governor.toml"), 1e-5
    linear = model.linearize(about="steady")
    mode = linear.modes[0]
    for name, value, rate in zip(
        ("lift", "hinge1", "hinge2"),
        linear.values + push * mode.shape.real,
        push * (mode.root * mode.shape).real,
        strict=True,
    ):
        model.initial(name, q=float(value), v=float(rate))
    height, *angles = linear.values
    model = model.replace("slider.position", (0, 0, float(height)))
    for body, angle in zip(("rod1", "rod2"), angles, strict=True):
        model = model.replace(f"{body}.orientation", (math.cos(angle / 2), 0, math.sin(angle / 2), 0))
    run = model.simulate(0, 1.5, step=0.1, rtol=1e-12, atol=1e-13)
    for k, name in enumerate(linear.dofs):
        told = push * (mode.shape[k] * np.exp(mode.root * run["t"])).real
        assert run[name] - linear.values[k] == pytest.approx(told, abs=1e-3 * push)


def test_a_joint_put_elsewhere_is_linearised_there():
    """τ = I q̈ + m g l cos q of a pendulum, q from the horizontal: K = −m g l sin q; a point at its end moves along
    (−sin q, cos q)."""
    units = {"length": "m", "angle": "rad", "mass": "kg", "time": "s"}
    model = pendulum(units, 0.4, 9.81, 0.03, mass=2)
    model.point("end", "arm", (0.5, 0))
    for angle in (-30.0, -100.0, 20.0):
        linear = model.linearize(about="position", at={"A": f"{angle} deg"})
        q = math.radians(angle)
        assert linear.about == "the initial position"
        assert linear.values == pytest.approx([q])
        assert linear.K[0, 0] == pytest.approx(-2 * 9.81 * 0.4 * math.sin(q), rel=1e-12)
        assert linear.columns["end.x"][0] == pytest.approx([-0.5 * math.sin(q)], rel=1e-9)
        assert linear.columns["end.y"][0] == pytest.approx([0.5 * math.cos(q)], rel=1e-9)
    assert model.linearize(about="position").values == pytest.approx([math.radians(-89)])


def four_bar_off_balance(order):
    """A four-bar with masses, drawn where it is not in equilibrium; its joints are written in an order."""
    model = mubo.Model("four-bar", gravity=(0, -9.81))
    for name, at in {"A": (0, 0), "D": (0.5, 0)}.items():
        model.ground.point(name, at)
    for name, length, ends in (("crank", 0.2, "AB"), ("coupler", 0.5, "BC"), ("rocker", 0.4, "DC")):
        points = {ends[0]: (0, 0), ends[1]: (length, 0)}
        model.body(name, angle=1.0, points=points, mass=1, inertia=length**2 / 12, center=(length / 2, 0))
    joints = {
        "A": ("ground.A", "crank.A"),
        "B": ("crank.B", "coupler.B"),
        "C": ("coupler.C", "rocker.C"),
        "D": ("ground.D", "rocker.D"),
    }
    for name in order:
        model.revolute(name, *joints[name])
    return model


def test_roots_away_from_equilibrium_do_not_depend_on_the_order_of_joints():
    """Elsewhere than in equilibrium K depends on the coordinates, so that these are chosen by physics."""
    found = [four_bar_off_balance(order).linearize(about="position") for order in ("ABCD", "DCBA", "CADB")]
    assert len({linear.dofs for linear in found}) == 1
    assert all("not an equilibrium" in linear.notes[0] for linear in found)
    for linear in found[1:]:
        assert linear.eigenvalues == pytest.approx(found[0].eigenvalues, rel=1e-9)
    asked = four_bar_off_balance("ABCD").linearize(about="position", dofs="D.q")
    assert asked.dofs == ("D.q",)


def test_matrices_are_in_the_units_of_the_model():
    """K of a pendulum is m g l, M is I + m l², whatever units its length and mass have, in N m and radians."""
    units = {"length": "mm", "angle": "deg", "mass": "kg", "time": "s", "torque": "N m"}
    linear = pendulum(units, 400, 9810, 0.03e6, mass=2).linearize()
    assert linear.K[0, 0] == pytest.approx(2 * 9.81 * 0.4, rel=1e-12)
    assert linear.M[0, 0] == pytest.approx(0.03 + 2 * 0.4**2, rel=1e-12)
    assert linear.C[0, 0] == pytest.approx(0.02, rel=1e-9)
    assert linear.matrix_units("K") == (("N m/rad",),)
    assert linear.matrix_units("C") == (("N m/(rad/s)",),)
    assert (linear.units["A.q"], linear.dof_units) == ("deg", ("rad",))
    assert linear.state_space("A.q", "A.q").transfer(0)[0, 0] == pytest.approx(math.degrees(1 / linear.K[0, 0]))


def test_matrices_of_slides_and_hinges_stay_symmetric_in_units_of_force():
    """The equations of a cart with a pole in mm, kg and N: force along the slide, N mm about the hinge."""
    units = {"length": "mm", "angle": "rad", "mass": "kg", "time": "s", "force": "N"}
    model = mubo.Model("cart and pole", units=units, gravity=(0, -9810))
    model.ground.point("O", (0, 0))
    model.body("cart", points={"O": (0, 0)}, mass=2, inertia=0)
    model.body("pole", angle="-90 deg", points={"O": (0, 0)}, center=(500, 0), mass=1, inertia=0)
    model.translational("slide", "ground.O", "cart.O", axis=(1, 0), angle=0)
    model.revolute("hinge", "cart.O", "pole.O")
    linear = model.linearize()
    assert pytest.approx(np.array([[3e-3, 0.5], [0.5, 250.0]]), rel=1e-12) == linear.M  # N/(mm/s²), N s², N mm s²
    assert linear.K[1, 1] == pytest.approx(9.81 * 500, rel=1e-9)
    assert linear.matrix_units("M") == (
        ("N/(mm/s²)", "N/(rad/s²)"),
        ("N mm/(mm/s²)", "N mm/(rad/s²)"),
    )
