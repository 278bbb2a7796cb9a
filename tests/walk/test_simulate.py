"""mubo simulate and mubo run on a spatial tree, as a person would use them, wrong files included."""

import json

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

CHAIN = (EXAMPLES / "five_body_chain.toml").read_text()


def test_simulate_prints_its_proof_and_writes_a_table(command, tmp_path):
    done = command("simulate", EXAMPLES / "five_body_chain.toml", "-o", "chain.csv")
    assert done.returncode == 0
    assert "energy error" in done.stdout
    table = (tmp_path / "chain.csv").read_text().splitlines()
    assert len(table) == 502
    assert table[0].startswith("t [s],upper.x [m]")


def test_run_does_what_the_file_asks(command, tmp_path):
    done = command("run", EXAMPLES / "five_body_chain.toml", "--json")
    summary = json.loads(done.stdout)
    assert summary["formulation"] == "tree"
    assert summary["energy"]["relative"] < 1e-8
    assert (tmp_path / "five_body_chain_results" / "energy.png").exists()


def test_model_file_reads_back(tmp_path):
    model = mubo.load(EXAMPLES / "five_body_chain.toml")
    model.save(tmp_path / "again.toml")
    assert mubo.load(tmp_path / "again.toml") == model


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("gravity = [0, 0, -9.81]", "", "gravity is not stated"),
        ("mass = 2\n", "", "body cross: has no mass"),
        ("inertia = [4, 4, 2.4]", "inertia = [4, 4, 24]", "the largest exceeds the sum of the other two by 16"),
        ("inertia = [4, 4, 2.4]", "inertia = [[4, 1, 0], [0, 4, 0], [0, 0, 2.4]]", "not symmetric"),
        ("q = [1, 2, 1]", "q = [1, 2]", "initial elbow: q of a spherical joint needs 3 numbers; found 2"),
        ("axis = [0, 0, 1]", "axis = [0, 0, 0]", "joint spin: axis has zero length"),
        ("[initial.spin]", "[initial.spinn]", 'Did you mean "spin"?'),
        ("gravity = [0, 0, -9.81]", "gravity = [0, -9.81]", "gravity: expected three numbers"),
        ('euler = "zxz"\n\n[joint.spin]', "\n[joint.spin]", "initial elbow: q of a spherical joint needs 4 numbers"),
        (
            "q = [1, 2, 1]",
            'q = [1, 2, 1]\n[joint.ball]\ntype = "spherical"\nbetween = ["left.end", "tip.P"]\n[body.tip]\n'
            "points = { P = [0, 0, 0] }\nmass = 1\ninertia = [1, 1, 1]\n[initial.ball]\nq = [0, 0, 0, 0]",
            "initial ball: the quaternion has length 0",
        ),
        (
            "[analysis]",
            '[driver.d]\nof = "spin"\nmotion = "where(t < 1, 0, 1)"\n[analysis]',
            "driver d: its value jumps by 1 rad at t = 1 s",
        ),
        ("[analysis]", '[joint.extra]\ntype = "spherical"\nbetween = ["left.end", "right.end"]\n[analysis]', "extra"),
        ('euler = "zxz"', 'euler = "zzx"', '"zzx" is not one of'),
        ("mass = 2\n", "mass = 2\ncolour = 1\n", 'there is no key "colour"'),
        ("mass = 2\n", 'mass = 2\nshape = { kind = "ball", radius = 1 }\n', 'there is no shape "ball"'),
        ("mass = 2\n", "mass = 2\norientation = [1, 1, 0, 0]\n", "the quaternion has length 1.41421356"),
        ("[analysis]", '[force.f]\ntype = "spring"\nbetween = ["ground.O", "left.end"]\n[analysis]', "do nothing"),
        ("[analysis]", '[force.f]\ntype = "joint_effort"\nof = "elbow"\neffort = 1\n[analysis]', "has 3 coordinates"),
        ("[analysis]", '[force.f]\ntype = "joint_effort"\nof = "spin"\neffort = "1/(1-t)"\n[analysis]', "force f"),
        (
            "[analysis]",
            '[event.e]\nof = "spin"\nvalue = 1\ndirection = "left"\n[analysis]',
            'there is no direction "left"',
        ),
        ('type = "simulate"', 'type = "dance"', 'there is no type "dance"'),
    ],
)
def test_wrong_files_are_refused_by_name(command, tmp_path, old, new, words):
    assert old in CHAIN
    (tmp_path / "wrong.toml").write_text(CHAIN.replace(old, new, 1))
    done = command("simulate", "wrong.toml")
    assert done.returncode == 1
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_chain_that_ends_without_inertia_names_the_joint(command, tmp_path):
    head, _, tail = CHAIN.rpartition("mass = 1.5\ninertia = [0.5, 0.5, 0.3]")
    (tmp_path / "wrong.toml").write_text(f"{head}mass = 0\ninertia = [0, 0, 0]{tail}")
    done = command("simulate", "wrong.toml")
    assert done.returncode == 1
    assert "joint left_hinge: nothing resists its motion" in done.stderr


def test_a_model_without_masses_is_refused(command):
    done = command("simulate", EXAMPLES / "four_bar.toml")
    assert done.returncode == 1
    assert "body crank: has no mass" in done.stderr


def test_wrong_tolerances_and_methods(command):
    for wrong in (("--rtol", "-1"), ("--rtol", "0"), ("--atol", "0")):
        assert command("simulate", EXAMPLES / "five_body_chain.toml", *wrong).returncode == 1
    assert command("simulate", EXAMPLES / "five_body_chain.toml", "--method", "RK4").returncode == 2


def test_a_run_that_blows_up_keeps_what_it_reached(command, tmp_path):
    """A negative spring cannot be written, but a force may feed itself: q'' = 40 q² runs away in finite time."""
    model = mubo.Model("runaway", dimension=3, gravity=(0, 0, 0))
    model.ground.point("O", (0, 0, 0))
    model.body("mass", points={"O": (0, 0, 0)}, mass=1.0, inertia=(1, 1, 1))
    model.joint("guide", "prismatic", "ground.O", "mass.O", axis=(0, 0, 1))
    model.initial("guide", 1.0)
    with pytest.warns(UserWarning, match="the simulation stops at t ="):
        run = model.simulate(0, 5, 0.01, force=lambda t, q, v: 40 * q**2)
    assert run.summary["status"] == "stopped"
    assert 0 < len(run) < 501
    assert np.all(np.isfinite(run["guide.q"]))
    # x'' = 40 x² from rest at 1: blow-up time ∫ dx / sqrt(80/3 (x³ − 1)) from 1 to ∞ = 0.4703
    from scipy.integrate import quad

    end = quad(lambda s: 2 / np.sqrt(80 / 3 * ((1 + s * s) ** 2 + (1 + s * s) + 1)), 0, np.inf)[0]
    assert run.events[-1].t == pytest.approx(end, rel=1e-3)


def test_the_example_of_the_page_runs(command, tmp_path):
    page = (EXAMPLES.parent / "docs" / "simulate.md").read_text()
    (tmp_path / "cart.toml").write_text(page.split("```toml\n")[1].split("```")[0])
    done = command("run", "cart.toml", "--json")
    summary = json.loads(done.stdout)
    assert summary["energy"]["relative"] < 1e-8
    assert summary["events"][0]["kind"] == "crossing"
    assert "rail: no initial condition given; starts at zero, at rest" in summary["warnings"]


def test_what_does_nothing_is_told():
    model = mubo.load(EXAMPLES / "five_body_chain.toml")
    model.force("push", "point_force", "ground.O", direction=(0, 0, 1), force="1")
    told = model.simulate(0, 0.1, 0.04).summary["warnings"]
    assert "force push: acts on the ground only: it moves nothing" in told


def test_a_force_on_a_free_joint_written_child_first_says_what_to_do():
    model = mubo.Model("float", dimension=3, gravity=(0, 0, 0))
    model.ground.point("O", (0, 0, 0))
    model.body("mass", points={"O": (0, 0, 0)}, mass=1.0, inertia=(1, 1, 1))
    model.joint("air", "free", "mass.O", "ground.O")
    model.force("pull", "joint_spring", "air.q1", stiffness=1.0)
    with pytest.raises(mubo.ModelError, match="Exchange the ends of joint air"):
        model.simulate(0, 1, 0.1)


def test_a_body_hangs_on_a_massless_link(form):
    """A joint that is no hinge closes the loop of a body that floats; its energy is kept, v² / 2 + g z."""
    model = mubo.Model("hung", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("A", (0, 0, 0))
    model.body("arm", (0, 0, -1), points={"A": (0, 0, 0)}, orientation=(1, 0, 0, 0), mass=1, inertia=(1, 1, 1))
    model.joint("A", "distance", "ground.A", "arm.A", length=1)
    model.initial("arm", velocity=(1, 0.5, 0))
    run = model.simulate(0, 1, 0.1, formulation=form)
    assert run["arm.x"] ** 2 + run["arm.y"] ** 2 + run["arm.z"] ** 2 == pytest.approx(np.ones(11), abs=1e-9)
    squares = run["arm.vx"] ** 2 + run["arm.vy"] ** 2 + run["arm.vz"] ** 2
    assert squares / 2 + 9.81 * run["arm.z"] == pytest.approx(np.full(11, 1.25 / 2 - 9.81), abs=1e-8)


def test_a_function_may_answer_a_list_and_is_told_what_is_wrong():
    """The damper −0.3 v as a list and as an array is the same; two numbers for one rate are refused."""
    model = mubo.Model("arm", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("O", (0, 0, 0))
    model.body("arm", mass=1, inertia=(1, 1, 1), center=(0.5, 0, 0), points={"O": (0, 0, 0)})
    model.joint("O", "revolute", "ground.O", "arm.O", axis=(0, 1, 0))
    one = model.simulate(0, 1, 0.5, force=lambda t, q, v: (-0.3 * v).tolist())
    other = model.simulate(0, 1, 0.5, force=lambda t, q, v: -0.3 * v)
    assert np.array_equal(one["O.q"], other["O.q"])
    for wrong, says in (
        (lambda t, q, v: [1, 2], "must return 1 number, one per rate; found 2 numbers"),
        (lambda t, q, v: None, "returns nothing"),
        (lambda t, q, v: ["fast"], "does not return numbers"),
    ):
        with pytest.raises(mubo.ModelError, match=says):
            model.simulate(0, 1, 0.5, force=wrong)


def test_a_simulation_again_is_the_same():
    """The model keeps its compiled tree: the second run, of the same model and of a fresh one, is equal bit by bit."""
    model = mubo.load(EXAMPLES / "andrews_squeezer.toml")
    first, again, fresh = (one.simulate() for one in (model, model, mubo.load(EXAMPLES / "andrews_squeezer.toml")))
    for name in first.columns:
        assert np.array_equal(first[name], again[name])
        assert np.array_equal(first[name], fresh[name])


def test_a_python_function_is_asked_again():
    """What a function answers may differ at another time: a driver by one is compiled anew for every run."""
    rate = [1.0]
    model = mubo.load(EXAMPLES / "loaded_four_bar.toml").replace("hold", lambda t: 1.0 + rate[0] * t)
    runs = []
    for rate[0] in (1.0, 2.0):
        runs.append(model.simulate(0, 0.01, 0.01)["hold.rate"][-1])
    assert np.allclose(runs, [1.0, 2.0])
