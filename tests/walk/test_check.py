"""The checker explains: what is missing, what repeats, what contradicts, what does not close."""

import math
from dataclasses import replace

import pytest
from conftest import EXAMPLES

import mubo


def four_bar() -> mubo.Model:
    return mubo.load(EXAMPLES / "four_bar.toml")


def parallelogram(third_crank: float = 1.0) -> mubo.Model:
    """Two cranks of length 1 and a coupler of length 2; a third crank in the middle repeats them."""
    model = mubo.Model("parallelogram")
    for name, x in (("A", 0), ("B", 2), ("M", 1)):
        model.ground.point(name, (x, 0))
    model.body("left", (0, 0), 1.0, {"A": (0, 0), "C": (1, 0)})
    model.body("right", (2, 0), 1.0, {"B": (0, 0), "D": (1, 0)})
    model.body("coupler", (0.54, 0.84), 0.0, {"C": (0, 0), "D": (2, 0), "N": (1, 0)})
    model.body("middle", (1, 0), 1.0, {"M": (0, 0), "N": (third_crank, 0)})
    model.revolute("A", "ground.A", "left.A")
    model.revolute("B", "ground.B", "right.B")
    model.revolute("C", "left.C", "coupler.C")
    model.revolute("D", "right.D", "coupler.D")
    model.revolute("M", "ground.M", "middle.M")
    model.revolute("N", "middle.N", "coupler.N")
    model.driver("motor", "left.phi", "1 + t")
    return model


@pytest.mark.parametrize("angle", [1e-7, 1e-6, 1e-3])
def test_a_position_close_to_a_change_point_has_its_full_rank(angle):
    """Cranks 1 and coupler 2 at a small angle α: det J is sin α times lengths, which is small but not zero."""
    model = mubo.Model("parallelogram")
    for name, x in (("A", 0), ("B", 2)):
        model.ground.point(name, (x, 0))
        model.body(name, (x, 0), angle, {"O": (0, 0), "C": (1, 0)})
        model.revolute(name, f"ground.{name}", f"{name}.O")
    model.body("coupler", (math.cos(angle), math.sin(angle)), 0, {"A": (0, 0), "B": (2, 0)})
    for name in "AB":
        model.revolute(f"C{name}", f"{name}.C", f"coupler.{name}")
    model.driver("motor", "A.phi", angle)
    report = model.check()
    assert (report.ok, report.diagnosis.rank, report.diagnosis.mobility) == (True, 9, 1)


def stretched(angle: float) -> mubo.Model:
    """A parallelogram 1, 3, 1, 3 driven by its first crank, at an angle at which it starts."""
    model = mubo.Model("parallelogram")
    for name, x in (("A", 0), ("B", 3)):
        model.ground.point(name, (x, 0))
        model.body(name, (x, 0), angle, {"O": (0, 0), "C": (1, 0)})
        model.revolute(name, f"ground.{name}", f"{name}.O")
    model.body("coupler", (math.cos(angle), math.sin(angle)), 0, {"A": (0, 0), "B": (3, 0)})
    for name in "AB":
        model.revolute(f"C{name}", f"{name}.C", f"coupler.{name}")
    model.driver("motor", "A.phi", f"{angle!r} + t")
    return model


def test_a_start_on_a_change_point_is_a_dead_one():
    """With the crank held no link can really move: the degree of freedom that the rank shows is lost a step away from
    here."""
    with pytest.raises(mubo.SingularityError, match="the start is a singular position: B and coupler can move while"):
        stretched(math.pi).kinematics(0, 1, 0.1)


def test_a_freedom_hidden_by_a_redundant_joint_is_a_real_one():
    """Three equal cranks without a motor have as many equations as coordinates, and turn all the same."""
    model = parallelogram()
    model.drivers.clear()
    report = model.check()
    assert report.diagnosis.constraints == report.diagnosis.coordinates
    assert "1 degree of freedom is not driven" in str(report)


def test_a_body_that_moves_little_moves():
    """Wheels of 1 and 20: one turns 0.05 where the other turns 1."""
    model = mubo.Model("wheels")
    for name, x in (("A", 0.0), ("B", 21.0)):
        model.ground.point(name, (x, 0))
        model.body(name, (x, 0), 0, {name: (0, 0)})
        model.revolute(f"shaft_{name}", f"ground.{name}", f"{name}.{name}")
    model.joint("mesh", "gears", "A", "B", radii=(1, 20))
    assert "it moves A and B (mobility 1, 0 drivers)\n" in str(model.check())
    assert "A turns 1 rad, B turns −0.05 rad" in str(model.check())


def test_stretched_links_that_do_not_reach_are_no_contradiction():
    """3 + 4 < 10, all in one line: there the equations depend on each other, but nowhere else."""
    model = mubo.Model("too short")
    model.ground.point("A", (0, 0))
    model.ground.point("D", (10, 0))
    model.body("first", (0, 0), 0, {"A": (0, 0), "B": (3, 0)})
    model.body("second", (6, 0), 0, {"B": (0, 0), "D": (4, 0)})
    model.revolute("A", "ground.A", "first.A")
    model.revolute("B", "first.B", "second.B")
    model.revolute("D", "second.D", "ground.D")
    report = model.check()
    assert isinstance(report.error, mubo.AssemblyError)
    assert "cannot be assembled" in str(report.error)


def test_cranks_that_agree_at_the_start_only_are_refused():
    """The third crank meets its pin at 1 rad, and is parallel. At a speed of 1 the pin's accelerations along it are
    1/0.7 and 1/1; across it they can be made equal."""
    model = parallelogram(third_crank=0.7)
    x, y = 1 + 0.3 * math.cos(1.0), 0.3 * math.sin(1.0)
    model.bodies["ground"] = replace(model.bodies["ground"], points={**model.bodies["ground"].points, "M": (x, y)})
    model.bodies["middle"] = replace(model.bodies["middle"], position=(x, y))
    with pytest.raises(mubo.RedundancyError, match=r"contradict each other by 0\.4286 in acceleration"):
        model.kinematics(0, 1, 0.1)


def geared(second: str) -> mubo.Model:
    """Wheels of 20 and 10 driven at both ends; the small one turns −2 times as fast as the large one."""
    model = mubo.Model("gears", {"length": "mm", "angle": "rad"})
    for name, x in (("A", 0.0), ("B", 30.0)):
        model.ground.point(name, (x, 0))
        model.body(name, (x, 0), 0, {name: (0, 0)})
        model.revolute(f"shaft_{name}", f"ground.{name}", f"{name}.{name}")
    model.joint("mesh", "gears", "A", "B", radii=(20, 10))
    model.driver("input", "A.phi", "t")
    model.driver("output", "B.phi", second)
    return model


def test_rates_that_contradict_each_other_through_a_joint_are_refused():
    """Told by the check and by kinematics: both drivers, what they ask for and what the gears make of it."""
    said = (
        "joint mesh and drivers input and output contradict each other by 0.1 rad/s in velocity: "
        "input asks for 1 rad/s, output asks for −1.9 rad/s where −2 rad/s follows\n"
        "  Suggested fix (tested): remove driver output; the mobility is then 1."
    )
    model = geared("-1.9*t")
    report = model.check()
    assert not report.ok
    assert str(report.error) == said
    with pytest.raises(mubo.RedundancyError) as caught:
        model.kinematics(0, 1, 0.1)
    assert str(caught.value) == said


def test_rates_that_agree_pass():
    report = geared("-2*t").check()
    assert report.ok
    assert "Suggested fix (tested): remove driver output; the mobility is then 1." in str(report)


def test_accelerations_that_contradict_each_other_are_refused():
    """−2 t + t² agrees in position and velocity at t = 0; its acceleration is 2 where 0 follows."""
    said = str(geared("-2*t + t^2").check().error)
    assert "by 2 rad/s² in acceleration: input asks for 0 rad/s², output asks for 2 rad/s² where 0 rad/s²" in said


def test_a_weld_that_closes_exactly_at_the_start_is_refused():
    """A parallelogram whose rocker is welded where it stands: the motor asks for a rate that nothing can have."""
    model = stretched(math.pi / 2)
    model.joints["B"] = replace(model.joints["B"], kind="fixed", options={"angle": math.pi / 2})
    report = model.check()
    assert isinstance(report.error, mubo.RedundancyError)
    assert "joints A, B, CA and CB and driver motor contradict each other by 1 rad/s in velocity" in str(report.error)
    assert "Suggested fix (tested): replace" in str(
        report.error
    )  # the motor is the only driver: it is not the one to go
    with pytest.raises(mubo.RedundancyError):
        model.kinematics(0, 1, 0.1)


def test_what_a_simulation_would_refuse_is_not_ready():
    """Without gravity, without masses: `check` says what `simulate` says."""
    model = mubo.Model("pendulum")
    model.ground.point("A", (0, 0))
    model.body("bob", points={"A": (-1, 0)}, mass=1, inertia=0.1)
    model.revolute("A", "ground.A", "bob.A")
    model.analysis = mubo.model.Analysis("simulate", {"start": 0.0, "end": 1.0, "step": 0.1})
    loop = mubo.load(EXAMPLES / "four_bar.toml")
    loop.analysis = replace(loop.analysis, type="simulate")
    for refused in (model, loop):
        with pytest.raises(mubo.ModelError) as caught:
            refused.simulate()
        report = refused.check()
        assert not report.ok
        assert str(report.error) == str(caught.value)
    model.gravity = (0.0, -9.81)
    for ready in (mubo.load(EXAMPLES / "five_body_chain.toml"), model):
        assert "ready to simulate: " in str(ready.check())


def test_too_few_drivers():
    model = four_bar()
    del model.drivers["motor"]
    report = model.check()
    assert not report.ok
    assert "1 degree of freedom is not driven; it moves crank, coupler and rocker" in str(report)
    with pytest.raises(mubo.RedundancyError):
        model.kinematics()


def test_a_freedom_that_moves_one_body_only():
    model = four_bar()
    model.body("pendulum", (0, 0), 0, {"A": (0, 0)})
    model.revolute("E", "ground.A", "pendulum.A")
    assert "1 degree of freedom is not driven; it moves pendulum" in str(model.check())


def test_two_freedoms_are_told_apart():
    model = four_bar()
    for name in ("first", "second"):
        model.body(name, (0, 0), 0, {"A": (0, 0)})
        model.revolute(f"pin_{name}", "ground.A", f"{name}.A")
    said = str(model.check())
    assert "2 degrees of freedom are not driven" in said
    assert "one moves first" in said
    assert "one moves second" in said


def test_a_repeated_joint_is_named_and_solved():
    run = parallelogram().kinematics(0, 1, 0.1)
    repeats = "joint N repeats what joints A, B, C, D and M already impose"
    assert run.summary["warnings"] == [f"{repeats}, everywhere along the motion"]
    assert run.summary["mobility"]["redundant"] == [repeats]
    assert run.summary["mobility"]["gruebler"] == 0
    assert run.summary["mobility"]["rank"] == 1
    assert run["middle.phi"] == pytest.approx(1 + run["t"], abs=1e-12)


def test_contradiction_is_named_with_its_gap():
    with pytest.raises(mubo.RedundancyError) as caught:
        parallelogram(1.01).kinematics(0, 1, 0.1)
    said = str(caught.value)
    assert "contradict each other by" in said
    assert "N" in caught.value.names[0]
    assert 0.001 < caught.value.numbers["gap"] < 0.02


def test_two_pins_of_different_spread_contradict_by_the_difference():
    """A body pinned at two points 1 apart to ground points 1.3 apart: the gap is 0.3."""
    model = mubo.Model("two pins")
    model.ground.point("B", (0, 0))
    model.ground.point("D", (1.3, 0))
    model.body("bar", (0, 0), 0, {"B": (0, 0), "D": (1, 0)})
    model.revolute("B", "ground.B", "bar.B")
    model.revolute("D", "ground.D", "bar.D")
    with pytest.raises(mubo.RedundancyError) as caught:
        model.kinematics(0, 1, 0.5)
    assert "joints B and D contradict each other by 0.3" in str(caught.value)


def test_links_too_short_to_meet():
    """Coupler and rocker of length 1 cannot span from B to D: no redundancy, but no assembly either."""
    model = four_bar().replace("coupler.B", (-0.5, 0)).replace("coupler.C", (0.5, 0))
    model = model.replace("rocker.C", (0.5, 0)).replace("rocker.D", (-0.5, 0))
    model = model.replace("motor", "pi")
    with pytest.raises(mubo.AssemblyError) as caught:
        model.kinematics(0, 1, 0.1)
    assert "cannot be assembled" in str(caught.value)
    assert caught.value.exit_code == 3
    assert caught.value.names[0] in "ABCD"
    assert "closer estimates" in caught.value.suggestion


def test_rough_estimates_assemble():
    model = four_bar()
    for body, position, angle in (("crank", (3, -2), 4.0), ("coupler", (-1, 5), -2.0), ("rocker", (0, 0), 3.0)):
        model = model.replace(f"{body}.position", position).replace(f"{body}.angle", angle)
    report = model.check()
    assert report.ok, str(report)
    assert report.gap < 1e-10


@pytest.mark.parametrize("size", [1e-3, 25.4, 1e3])
def test_rough_estimates_assemble_alike_in_every_unit(size):
    """The same machine with its lengths in another unit takes the same steps to the same branch."""
    reached = []
    for factor in (1.0, size):
        model = four_bar()
        bodies = (("crank", (3, -2), 1.5), ("coupler", (-1, 5), -2.0), ("rocker", (0, 0), 3.0))
        for body, (x, y), angle in bodies:
            part = model.bodies[body]
            points = {name: tuple(factor * c for c in at) for name, at in part.points.items()}
            model.bodies[body] = replace(part, position=(factor * x, factor * y), angle=angle, points=points)
        ground = model.bodies["ground"]
        points = {name: tuple(factor * c for c in at) for name, at in ground.points.items()}
        model.bodies["ground"] = replace(ground, points=points)
        model.points.clear()
        run = model.kinematics(0, 0.1, 0.1)
        reached.append((run["rocker.phi"][0], run["coupler.x"][0] / factor, model.check().corrections))
    assert reached[1][:2] == pytest.approx(reached[0][:2], abs=1e-9)
    assert reached[1][2] == reached[0][2] > 5  # damped steps, not led by the driver


def test_python_api_of_the_interface():
    m = mubo.Model("four bar")
    m.ground.point("A", (0, 0))
    m.ground.point("D", (2.5, 0))
    m.body("crank", position=(0.5, 0.8), angle=1.047, points={"A": (-1, 0), "B": (1, 0)})
    m.body("coupler", position=(2.6, 2.6), angle="30 deg", points={"B": (-2, 0), "C": (2, 0)})
    m.body("rocker", position=(3.5, 1.8), angle=1.0, points={"C": (2, 0), "D": (-2, 0)})
    m.revolute("A", "ground.A", "crank.A")
    m.revolute("B", "crank.B", "coupler.B")
    m.revolute("C", "coupler.C", "rocker.C")
    m.revolute("D", "rocker.D", "ground.D")
    m.driver("motor", "crank.phi", lambda t: 1.0472 + 6.2832 * t)
    m.point("P", "coupler", (0.5, 1.5))
    run = m.kinematics(0, 1, step=0.025)
    text = m.copy()
    text.drivers.clear()
    text.driver("motor", "crank.phi", "1.0472 + 6.2832*t")
    same = text.kinematics(0, 1, step=0.025)
    assert run["P.ax"] == pytest.approx(same["P.ax"], rel=1e-6)
    assert list(run.table()["P.x"]) == list(run["P.x"])
    variant = m.replace("coupler.B", (-2.1, 0))
    assert variant.kinematics(0, 1, step=0.1)["P.x"][0] != run["P.x"][0]
    assert m.bodies["coupler"].points["B"] == (-2, 0)
    with pytest.raises(mubo.ResultError, match=r'Did you mean "P\.x"'):
        run["p.x"]


def test_check_finds_a_first_row_that_is_not_finite():
    """A point at 1e308 m assembles, and no velocity of it is a number: `check` says what `kinematics` would."""
    model = mubo.load(EXAMPLES / "four_bar.toml")
    model.point("far", "rocker", (1e308, 0))
    found = model.check()
    assert not found.ok
    with pytest.raises(mubo.MuboError) as refused:
        model.kinematics()
    assert str(found.error) == str(refused.value)
