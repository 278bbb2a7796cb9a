"""Closed loops in space against closed forms: four-bar on a slope, RSSR, slider-crank, Bennett, parallelogram."""

from functools import partial

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo._core import Status


def load(name: str) -> mubo.Model:
    return mubo.load(EXAMPLES / f"{name}.toml")


def test_a_planar_four_bar_moves_in_space_as_in_its_plane():
    """The same linkage in the plane; there φ of the bodies, here the hinge angles on the slope."""
    space, plane = load("four_bar_in_space").kinematics(), load("four_bar").kinematics()
    for letter, word, limit in (("q", "phi", 1e-12), ("v", "omega", 1e-11), ("a", "alpha", 1e-9)):
        np.testing.assert_allclose(space[f"D.{letter}"], plane[f"rocker.{word}"], atol=limit)
        coupler = space[f"A.{letter}"] + space[f"B.{letter}"]
        np.testing.assert_allclose(coupler, plane[f"coupler.{word}"], atol=limit)
    # Angular velocity in ground axes: along the hinge, (0, −0.6, 0.8).
    np.testing.assert_allclose(space["rocker.wy"], -0.6 * plane["rocker.omega"], atol=1e-11)
    np.testing.assert_allclose(space["rocker.alphaz"], 0.8 * plane["rocker.alpha"], atol=1e-9)


def test_the_redundant_rows_of_a_planar_loop_in_space_are_named():
    """6·4 coordinates; 5 equations a hinge and 6 of the weld: 24 − 26 = −2, and yet one degree of freedom. Three are
    too many."""
    report = load("four_bar_in_space").check()
    assert (report.diagnosis.coordinates, report.diagnosis.gruebler, report.diagnosis.mobility) == (24, -2, 1)
    assert report.as_dict()["mobility"]["redundant"] == [
        f"joint D repeats what joints A, B and C already impose ({row} of D)"
        for row in ("z", "tilt about y", "tilt about x")
    ]
    fix = "replace hinge D by a ball and replace hinge C by a cylindrical joint; the mobility is then 1."
    assert f"Suggested fix (tested): {fix}" in str(report)
    assert report.ok


def rssr(theta, rod=3.0, crank=0.5, rocker=1.5, branch=1):
    """|D + c (cos ψ, 0, −sin ψ) − a (cos θ, sin θ, 0)| = rod with D = (3, 0, 1) gives A sin ψ + B cos ψ = C."""
    x = 3 - crank * np.cos(theta)
    A, B = -2 * rocker, 2 * rocker * x
    C = rod**2 - x**2 - rocker**2 - (crank * np.sin(theta)) ** 2 - 1
    return np.arctan2(A, B) + branch * np.arccos(C / np.hypot(A, B))


@pytest.mark.parametrize("branch", [1, -1])
def test_rssr_output_angle(branch):
    """Both assemblies, by the estimate; rates by implicit differentiation through a fine difference of the formula."""
    model = load("rssr")
    model.initial("D", q=70 if branch > 0 else -115)
    run = model.kinematics()
    theta = 2 * np.pi * run["t"]
    np.testing.assert_allclose(np.radians(run["D.q"]), rssr(theta, branch=branch), atol=1e-13)
    h = 1e-4
    f = [rssr(theta + k * h, branch=branch) for k in (-2, -1, 0, 1, 2)]
    slope = (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h)
    bend = (-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / (12 * h * h)
    np.testing.assert_allclose(np.radians(run["D.v"]), 2 * np.pi * slope, atol=1e-10)
    np.testing.assert_allclose(np.radians(run["D.a"]), (2 * np.pi) ** 2 * bend, atol=1e-5)
    np.testing.assert_allclose(run["A.q"], 360 * run["t"], atol=1e-11)  # two turns, counted


def test_rssr_locks_where_its_discriminant_ends():
    """With a rod too short for a full turn, the crank stops where A² + B² = C²."""
    rod = 1.6
    model = load("rssr").replace("rod.length", rod).replace("motor", "180*t")
    model.initial("D", q=170)
    with pytest.warns(UserWarning, match="the mechanism locks"):
        run = model.kinematics(0, 2, 0.01)
    event = run.events[-1]
    assert event.kind == "limit"
    from scipy.optimize import brentq

    def left(theta):
        x = 3 - 0.5 * np.cos(theta)
        C = rod**2 - x**2 - 1.5**2 - (0.5 * np.sin(theta)) ** 2 - 1
        return 9 * (1 + x**2) - C**2

    assert left(0) > 0 > left(np.pi)
    assert np.radians(event.drivers["motor"]) == pytest.approx(brentq(left, 0, np.pi), abs=1e-7)
    assert set(event.bodies) == {"rocker"}


def test_the_idle_spin_of_a_rod_with_two_balls_is_told():
    """RSSR with a rod that is a body: Kutzbach counts 2, one of them the spin about the line between the balls."""
    model = load("rssr")
    del model.joints["rod"]
    model.body("bar", position=(1.5, 0, 0), orientation=(1, 0, 0, 0), points={"B": (0, 0, 0), "C": (3, 0, 0)})
    model.joint("S1", "spherical", "crank.B", "bar.B")
    model.joint("S2", "spherical", "rocker.C", "bar.C")
    with pytest.raises(
        mubo.RedundancyError,
        match=r"1 degree of freedom is not driven; it moves bar .*\n  for 1 deg of bar\.w[xyz]: bar turns \(",
    ):
        model.kinematics()
    assert model.check().diagnosis.gruebler == 2


def test_spatial_slider_crank():
    """s = r cos θ + √(L² − (e − r sin θ)² − h²) for a bar along x at y = e, z = h."""
    run = load("spatial_slider_crank").kinematics()
    theta, w = 2 * np.pi * run["t"], 2 * np.pi
    across = 0.1 - 0.3 * np.sin(theta)
    root = np.sqrt(1.2**2 - across**2 - 0.4**2)
    np.testing.assert_allclose(run["guide.q2"], 0.3 * np.cos(theta) + root, atol=1e-13)
    slope = across * 0.3 * np.cos(theta) / root
    np.testing.assert_allclose(run["guide.v2"], w * (-0.3 * np.sin(theta) + slope), atol=1e-12)
    # The collar turns so that the rod stays square to its hinge: tan q1 = −across / (h) with the rod below it.
    np.testing.assert_allclose(np.tan(run["guide.q1"]), -across / 0.4, atol=1e-12)
    np.testing.assert_allclose(run["collar.x"], run["guide.q2"], atol=1e-15)


def test_bennett_linkage_moves_through_full_turns():
    """tan(θ₁/2) tan(θ₂/2) = sin((α₂₃ + α₁₂)/2) / sin((α₂₃ − α₁₂)/2), θ₁ + θ₃ = θ₂ + θ₄ = 0 (Hunt 1978), modulo 2π."""
    run = load("bennett").kinematics(0, 3, 0.02)
    assert run.summary["status"] == "ok"
    assert run.summary["events"] == []
    assert run.summary["residual"]["acceleration"] < 1e-10
    one, two, three, four = (np.radians(run[f"{joint}.q"]) for joint in "ABCD")
    crank, coupler = np.radians(60), np.radians(30)  # twists of the links after the hinges A and B
    ratio = np.sin((coupler + crank) / 2) / np.sin((coupler - crank) / 2)
    # In the form without infinities: sin sin = ratio cos cos.
    np.testing.assert_allclose(np.sin(one / 2) * np.sin(two / 2), ratio * np.cos(one / 2) * np.cos(two / 2), atol=1e-12)
    np.testing.assert_allclose(np.cos(one + three), 1, atol=1e-14)
    np.testing.assert_allclose(np.cos(two + four), 1, atol=1e-14)
    # Two turns of the crank are two turns of the coupler.
    assert two[-1] - two[0] == pytest.approx(4 * np.pi, abs=1e-9)


@pytest.mark.parametrize("start", [0.4, 0.6, 0.7])
@pytest.mark.parametrize("before", [1e-3, 1e-5, 1e-7])
def test_rates_where_the_chosen_equations_lose_their_rank(start, before):
    """At t = 1.25 equations that are chosen before lose their rank, all together do not.

    θ₂' = θ₁' (∂F/∂θ₁) / (−∂F/∂θ₂) of F = sin(θ₁/2) sin(θ₂/2) − ratio cos(θ₁/2) cos(θ₂/2) = 0, and once more.
    """
    end = 1.25 - before
    run = load("bennett").kinematics(start, end, (end - start) / 2)
    ratio = np.sin(np.radians(45)) / np.sin(np.radians(-15))
    a, b = (np.radians(run[f"{joint}.q"][-1]) / 2 for joint in "AB")
    u, w = (np.radians(run[f"{joint}.v"][-1]) / 2 for joint in "AB")
    by_a = np.cos(a) * np.sin(b) + ratio * np.sin(a) * np.cos(b)
    by_b = np.sin(a) * np.cos(b) + ratio * np.cos(a) * np.sin(b)
    twice, mixed = (
        (ratio * np.cos(a) * np.cos(b) - np.sin(a) * np.sin(b)),
        np.cos(a) * np.cos(b) - ratio * np.sin(a) * np.sin(b),
    )
    assert w == pytest.approx(-by_a * u / by_b, rel=1e-11)
    bent = twice * (u**2 + w**2) + 2 * mixed * u * w  # the crank turns evenly
    assert np.radians(run["B.a"][-1]) / 2 == pytest.approx(-bent / by_b, rel=1e-9)
    assert run.summary["residual"]["acceleration"] < 1e-9


def test_bennett_linkage_is_overconstrained():
    report = load("bennett").check()
    assert (report.diagnosis.gruebler, report.diagnosis.mobility) == (-2, 1)
    assert len(report.diagnosis.dependent) == 3


def test_four_hinges_without_bennetts_condition_do_not_move():
    """A link that is a tenth too long: the loop is rigid, and its driver contradicts it as soon as it moves."""
    model = load("bennett").replace("crank.B", (1.9, 0, 0))
    with pytest.raises(mubo.MuboError) as error:
        model.kinematics()
    assert "contradict each other" in str(error.value) or "cannot be assembled" in str(error.value)


def parallelogram() -> mubo.Model:
    model = mubo.Model("parallelogram", dimension=3)
    model.ground.point("A", (0, 0, 0))
    model.ground.point("D", (2, 0, 0))
    model.body("crank", points={"A": (0, 0, 0), "B": (1, 0, 0)})
    model.body("coupler", points={"B": (0, 0, 0), "C": (2, 0, 0)})
    model.body("rocker", points={"D": (0, 0, 0), "C": (1, 0, 0)})
    axis = (0, -0.6, 0.8)
    for name, ends in {"A": "ground.A crank.A", "B": "crank.B coupler.B", "C": "coupler.C rocker.C"}.items():
        model.revolute(name, *ends.split(), axis=axis)
    model.revolute("D", "ground.D", "rocker.D", axis=axis)
    model.driver("motor", "A", "1 + t")
    model.initial("A", q=1.0)
    model.initial("B", q=-1.0)
    model.initial("D", q=1.0)
    return model


def test_change_points_of_a_parallelogram_in_space():
    """It lies flat at 180 degrees; smooth: the coupler does not turn; other: it turns into the antiparallelogram."""
    run = parallelogram().kinematics(0, 4, 0.05)
    assert [(e.kind, e.t) for e in run.events] == [("bifurcation", pytest.approx(np.pi - 1, abs=1e-8))]
    np.testing.assert_allclose(run["D.q"], 1 + run["t"], atol=1e-9)
    assert set(run.events[0].bodies) == {"coupler", "rocker"}
    other = parallelogram().kinematics(0, 4, 0.05, branch="other")
    assert other.summary["status"] == "ok"
    after = other["t"] > np.pi - 0.9
    # Antiparallelogram with crank a = 1 and base d = 2: tan(ψ/2) / tan(θ/2) = −(d + a) / (d − a).
    ratio = np.tan(other["D.q"][after] / 2) / np.tan(other["A.q"][after] / 2)
    np.testing.assert_allclose(ratio, -3, rtol=1e-9)
    assert "other: coupler turns at (0, -0.4, 0.5333), rocker turns at (0, 0.2, -0.2667)" in other.events[0].message


def test_equations_that_lose_their_rank_on_the_way_are_exchanged():
    """Bennett's linkage with the first equations that are independent at the start: at 180 degrees they no longer are,
    while all together still determine the motion. Others are selected, and no change point is reported."""
    from mubo.solvers.assembly.singular_positions import is_regular
    from mubo.solvers.assembly.start_analysis import analyse_start
    from mubo.solvers.continuation.continuation import continue_motion
    from mubo.solvers.continuation.steppers import Settings, absolute_stepper
    from mubo.solvers.kinematics.bifurcation import BranchSwitch
    from mubo.solvers.kinematics.redundant_rows import most_independent_rows

    look = analyse_start(load("bennett").build(), 0.0)
    form, grid = look.form, np.linspace(0, 1, 51)

    def regular(state, time):
        return is_regular(form, state[0], form.motion(np.array([time]))[0])

    for reselects in (False, True):
        select = partial(most_independent_rows, form) if reselects else None
        first = look.diagnosis.independent
        stepper = absolute_stepper(form, first, Settings(look.tolerance, scale=form.scale), select)
        _, state = stepper.start(look.assembly.q, look.motion)
        cross = BranchSwitch(form.motion, stepper, form.weight, False, form.scale, regular)
        path = continue_motion(form.motion, stepper, grid, state, regular=regular, cross=cross)
        assert not path.crossings
        assert (path.status == Status.done) == reselects
        assert path.reached == (len(grid) - 1 if reselects else np.searchsorted(grid, path.stopped_at) - 1)
        if reselects:
            largest = form.system.residuals(np.ascontiguousarray(path.states), form.motion(grid))
            assert np.max(largest[2]) < 1e-9


def test_a_joint_of_three_bodies_may_close_a_loop_with_one_arm_alone():
    """Two pendulums on one axis, the joint between them begun at the farther one: angles by body, absolute and tree.

    About the axis a uniform rod of length 1 has I = 1/3: released level it falls with φ″ = −(3/2) g cos φ, so that
    φ′² = 3 g (sin φ₀ − sin φ), whatever joints repeat what others say.
    """
    model = mubo.Model("two pendulums", dimension=3, gravity=(0, -9.81, 0))
    model.ground.point("O", (0, 0, 0))
    for name, at in (("a", 0.0), ("b", 0.5)):
        center = (0.5 * np.cos(at), 0.5 * np.sin(at), 0)
        model.body(name, points={"O": (0, 0, 0)}, mass=1, inertia=(1 / 12, 1 / 12, 1 / 12), center=center)
    model.joint("H", "revolute", "ground.O", "b.O", axis=(0, 0, 1))
    model.joint("J", "revolute", "a.O", "ground.O", "b.O", axis=(0, 0, 1))
    for form in ("tree", "absolute"):
        run = model.simulate(0, 0.4, 0.1, formulation=form)
        assert [name for name in run.columns if name.startswith("J.q")] == ["J.q1", "J.q2"]
        first, second = -run["J.q1"], run["J.q2"] - run["J.q1"] + 0.5
        np.testing.assert_allclose(run["J.v1"] ** 2, -3 * 9.81 * np.sin(first), atol=1e-8)
        rate = run["J.v2"] - run["J.v1"]
        np.testing.assert_allclose(rate**2, 3 * 9.81 * (np.sin(0.5) - np.sin(second)), atol=1e-8)
