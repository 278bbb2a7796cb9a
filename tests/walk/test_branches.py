"""No silent jump to another branch: coarse steps, two loops at once, change points, dead centres, far starts."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import EXAMPLES, MOVED_EXAMPLES

import mubo
from mubo._core import Status
from mubo.solvers.assembly.start_analysis import analyse_start
from mubo.solvers.continuation.continuation import CORRECTION_RATIO
from mubo.solvers.continuation.steppers import Settings
from mubo.solvers.kinematics.formulations import choose_formulation

FORMULATIONS = ["absolute", "loops"]


def four_bar(model: mubo.Model, name: str, links: tuple, start: float, x: float = 0.0) -> None:
    """Crank, coupler, rocker and ground of given lengths, pin C above the line B–D; one turn of the crank a second."""
    a, b, c, d = links
    bx, by = a * np.cos(start), a * np.sin(start)
    reach = np.hypot(d - bx, by)
    angle = np.arctan2(-by, d - bx) + np.arccos((b * b + reach * reach - c * c) / (2 * b * reach))
    cx, cy = bx + b * np.cos(angle), by + b * np.sin(angle)
    model.ground.point(name + "A", (x, 0))
    model.ground.point(name + "D", (x + d, 0))
    model.body(name + "crank", (x, 0), start, {"A": (0, 0), "B": (a, 0)})
    model.body(name + "coupler", (x + bx, by), angle, {"B": (0, 0), "C": (b, 0)})
    model.body(name + "rocker", (x + d, 0), np.arctan2(cy, cx - d), {"D": (0, 0), "C": (c, 0)})
    model.revolute(name + "A", f"ground.{name}A", f"{name}crank.A")
    model.revolute(name + "B", f"{name}crank.B", f"{name}coupler.B")
    model.revolute(name + "C", f"{name}coupler.C", f"{name}rocker.C")
    model.revolute(name + "D", f"{name}rocker.D", f"ground.{name}D")
    model.driver(name + "motor", f"{name}crank.phi", f"{start!r} + 2*pi*t")


def rocker(links: tuple, theta: np.ndarray) -> np.ndarray:
    """Angle of the rocker in closed form, on the branch with C above B–D."""
    a, b, c, d = links
    bx, by = a * np.cos(theta), a * np.sin(theta)
    dx, dy = d - bx, -by
    r2 = dx**2 + dy**2
    foot = (b**2 - c**2 + r2) / (2 * r2)
    height = np.sqrt(b**2 / r2 - foot**2)
    return np.unwrap(np.arctan2(by + foot * dy + height * dx, bx + foot * dx - height * dy - d))


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("links", [(1, 2, 2, 1.2), (1, 2.99, 3, 1.02), (1, 1.9, 2, 1.11), (1, 3.25, 3.257, 1.01)])
@pytest.mark.parametrize("degrees", [30, 40, 60, 120, 180])
def test_two_loops_at_coarse_steps(links, degrees, formulation):
    """Both loops pass near a change point together: the sign of one determinant could not tell.

    With the last links at 40 degrees both go over to the other branch and come back to their start on it, where Newton
    may correct a body by half of its own motion.
    """
    model = mubo.Model("two four-bars")
    four_bar(model, "p", links, 1.0)
    four_bar(model, "q", links, 1.0, 10.0)
    run = model.kinematics(0, 1, degrees / 360, formulation=formulation)
    fine = rocker(links, 1.0 + 2 * np.pi * np.linspace(0, 1, 3601))
    expected = np.interp(run["t"], np.linspace(0, 1, 3601), fine)
    assert run.summary["status"] == "ok"
    for name in "pq":
        offset = run[f"{name}rocker.phi"][0] - expected[0]
        np.testing.assert_allclose(run[f"{name}rocker.phi"] - offset, expected, atol=1e-4)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("links", [(1, 2, 2, 1.2), (1, 2.99, 3, 1.02), (1, 3.25, 3.257, 1.01)])
def test_steps_that_fail_as_a_whole_are_divided(links, formulation):
    """Steps of 40 degrees: some fail; in parts all lead to the closed form, and nothing is left out or taken twice."""
    model, parts = mubo.Model("four-bar"), 4096
    four_bar(model, "", links, 1.0)
    look = analyse_start(model.build(), 0.0)
    _, stepper, _ = choose_formulation(look, Settings(look.tolerance, formulation=formulation, scale=look.form.scale))
    times = np.linspace(0, 1, 9 * parts + 1)
    laws = look.form.motion(times)
    _, state = stepper.start(look.assembly.q, laws[0])
    status, done, _, _ = stepper.sweep(times[::parts], laws[::parts], state, CORRECTION_RATIO)
    assert (status, done < 9) == (Status.other_branch, True)
    status, done, states, _ = stepper.sweep(times, laws, state, CORRECTION_RATIO, parts, 1e-6)
    assert (status, done, len(states)) == (Status.done, 9, 10)
    angles = stepper.bodies(states, laws[::parts])[:, 0, 8]
    expected = rocker(links, 1.0 + 2 * np.pi * times)[::parts]
    np.testing.assert_allclose(angles - angles[0], expected - expected[0], atol=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize(("links", "steps"), [((1, 2, 2, 1.2), 7), ((1, 1.2, 1.3, 1.25), 8)])
def test_a_whole_step_that_its_parts_do_not_confirm_is_not_taken(links, steps, formulation):
    """Newton's method from the prediction of a whole step closes every loop, but whole turns away from the closed form,
    which the parts of the step follow."""
    model, parts = mubo.Model("four-bar"), 4096
    four_bar(model, "", links, 1.0)
    look = analyse_start(model.build(), 0.0)
    _, stepper, _ = choose_formulation(look, Settings(look.tolerance, formulation=formulation, scale=look.form.scale))
    times = np.linspace(0, 1, steps * parts + 1)
    laws = look.form.motion(times)
    _, state = stepper.start(look.assembly.q, laws[0])
    status, done, states, _ = stepper.sweep(times, laws, state, CORRECTION_RATIO, parts, 1e-6)
    assert (status, done) == (Status.done, steps)
    angles = stepper.bodies(states, laws[::parts])[:, 0, 8]
    expected = rocker(links, 1.0 + 2 * np.pi * times)[::parts]
    np.testing.assert_allclose(angles - angles[0], expected - expected[0], atol=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("step", [0.001, 0.006, 0.02, 0.12, 0.4])
def test_a_parallelogram_is_never_left_in_silence(step, formulation):
    model = mubo.Model("parallelogram")
    four_bar(model, "", (1, 3, 1, 3), 2.0)
    run = model.kinematics(0, 1, step, formulation=formulation)
    assert run.summary["status"] == "ok"
    assert np.max(np.abs(run["coupler.phi"])) < 1e-6
    assert run.events[0].kind == "bifurcation"
    assert [event.drivers["motor"] for event in run.events] == pytest.approx([np.pi, 2 * np.pi], abs=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("step", [0.01, 0.1, 0.25, 0.5])
def test_a_dead_centre_on_a_row_is_seen(step, formulation):
    """The piston of a slider-crank is pushed exactly to its dead centre at t = 1 and pulled back."""
    model = mubo.Model("ram drive")
    model.ground.point("O", (0, 0))
    model.body("crank", (0, 0), 1.0, {"O": (0, 0), "A": (1, 0)})
    model.body("rod", (0.54, 0.84), -0.28, {"A": (0, 0), "B": (3, 0)})
    model.body("piston", (3.4, 0), 0, {"B": (0, 0)})
    model.revolute("O", "ground.O", "crank.O")
    model.revolute("A", "crank.A", "rod.A")
    model.revolute("B", "rod.B", "piston.B")
    model.translational("T", "ground.O", "piston.B", (1, 0), 0)
    model.driver("ram", "piston.x", "4 - (1 - t)**2")
    with pytest.warns(UserWarning, match="the motion stops"):
        run = model.kinematics(0, 2, step, formulation=formulation)
    assert run.summary["status"] == "stopped"
    assert run.events[0].t == pytest.approx(1, abs=1e-5)
    assert run["t"][-1] <= 1


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_corner_of_the_law_is_followed(formulation):
    """The crank stands, rises and falls at 2 rad/s, and stands: no step however short predicts that; nothing stops."""
    links = (1, 2, 2, 1.2)
    model = mubo.Model("corner")
    four_bar(model, "", links, 1.0)
    model.drivers.clear()
    model.driver("motor", "crank.phi", "1.0 + max(0, 1 - 2*abs(t - 500.3))")
    run = model.kinematics(0, 1000, 10, formulation=formulation)
    assert run.summary["status"] == "ok"
    assert run["motor.value"][50] == pytest.approx(1.4)
    np.testing.assert_allclose(run["rocker.phi"], rocker(links, run["motor.value"]), atol=1e-10)


@pytest.mark.parametrize(("start", "coupler", "other"), [(5.482, 0.898, -0.055), (4.585, 0.141, -1.141), (1.0, 0, 0.9)])
def test_an_assembly_stays_near_its_estimates(start, coupler, other):
    """Angles off by up to 1.2 rad: bodies are turned by less than half a turn, not round and round."""
    model = mubo.Model("estimates")
    four_bar(model, "", (1, 3, 2.5, 3), start)
    for name, off in (("coupler", coupler), ("rocker", other)):
        model.bodies[name] = replace(model.bodies[name], angle=model.bodies[name].angle + off)
    run = model.kinematics(0, 0, 1)
    for name in ("coupler", "rocker"):
        assert abs(run[f"{name}.phi"][0] - model.bodies[name].angle) < np.pi
    b, d = (np.array([run[f"{name}.x"][0], run[f"{name}.y"][0]]) for name in ("coupler", "rocker"))
    c = b + 3 * np.array([np.cos(run["coupler.phi"][0]), np.sin(run["coupler.phi"][0])])
    assert np.hypot(*(c - d)) == pytest.approx(2.5, abs=1e-12)


@pytest.mark.parametrize("turns", [1.5, 3.5, 5.5])
def test_a_late_start_is_on_the_branch_of_the_estimates(turns):
    """Whole turns of the crank after the estimates, the mechanism is where a run from the estimates would bring it."""
    model = mubo.load(EXAMPLES / "four_bar.toml")
    late = model.kinematics(turns, turns, 1.0)
    way = model.kinematics(0, turns, 0.05)
    for column in ("P.x", "P.y", "coupler.phi", "rocker.phi"):
        assert late[column][0] == pytest.approx(way[column][-1], abs=1e-9)


@pytest.mark.parametrize("scale", [1e-9, 1e-6, 1e-3, 1e3, 1e6])
def test_size_does_not_decide_correctness(scale):
    """The same linkage a billion times smaller or a million times larger turns by the same angles."""
    links = (2.0, 4.0, 4.0, 2.5)
    model = mubo.Model("scaled")
    four_bar(model, "", tuple(scale * length for length in links), 1.0)
    run = model.kinematics(0, 1, 0.025)
    expected = rocker(links, 1.0 + 2 * np.pi * run["t"])
    np.testing.assert_allclose(run["rocker.phi"], expected, atol=1e-11)


def test_drivers_that_agree_in_position_only_are_refused():
    model = mubo.Model("fight")
    model.body("a")
    model.joint("x", "coordinate", "a.x", value=0)
    model.joint("y", "coordinate", "a.y", value=0)
    model.driver("turn", "a.phi", "t")
    model.driver("push", "a.x", "sin(2*pi*t)")
    with pytest.raises(
        mubo.RedundancyError, match=r"joint x and driver push contradict each other by 6\.283 in velocity"
    ):
        model.kinematics(0, 3, 0.5)


@pytest.mark.parametrize("path", MOVED_EXAMPLES, ids=lambda p: p.stem)
def test_two_formulations_agree_on_every_example(path):
    """Absolute coordinates and vector loops, two ways to write the same physics; in space there are no vector loops."""
    model = mubo.load(path)
    if model.dimension == 3:
        with pytest.raises(mubo.ModelError, match="it is in space"):
            model.kinematics(formulation="loops")
        return
    absolute = model.kinematics(formulation="absolute")
    if any(joint.kind.startswith("cam_") or joint.kind == "geneva" for joint in model.joints.values()):
        with pytest.raises(mubo.ModelError, match="which is no vector"):
            model.kinematics(formulation="loops")
        return
    loops = model.kinematics(formulation="loops")
    assert loops.summary["formulation"] == "loops"
    assert list(loops.columns) == list(absolute.columns)
    limits = {"x": 1e-10, "y": 1e-10, "phi": 1e-10, "vx": 1e-9, "vy": 1e-9, "omega": 1e-9}
    for name, values in absolute.columns.items():
        size = max(1.0, float(np.max(np.abs(values))))
        limit = limits.get(name.rpartition(".")[2], 1e-8)
        np.testing.assert_allclose(loops[name], values, rtol=0, atol=limit * size, err_msg=name)
