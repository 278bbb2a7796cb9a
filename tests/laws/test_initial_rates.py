"""Initial rates that nobody gave: those of least kinetic energy, in every unit of length and every order of tables."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import DATA, EXAMPLES

import mubo
from mubo.analyses.simulate import consistent_start, simulate
from mubo.model import Initial, InitialBody, target_of
from mubo.model.coordinates import holds_of
from mubo.quantities.output_times import OutputTimes
from mubo.solvers.dynamics.settings import SimulationSettings

FILES = sorted(
    path
    for path in (*EXAMPLES.glob("*.toml"), *(DATA / "dynamics").glob("*.toml"))
    if 'type = "simulate"' in path.read_text() and "[initial" in path.read_text()
)


def start_of(model):
    """Twists of the bodies at the start, a row each, with the kinetic energy."""
    tree, _ = consistent_start(model, 0.0, 1.0)
    q, v = tree.start()
    links = tree.system.forward(q[None], v[None], np.zeros((1, len(v))))
    twists = np.array([tree.body_motion(name, links)[0, 7:13] for name in sorted(tree.free)])
    return twists, 0.5 * v @ tree.system.crba(q) @ v


def scaled(model, s):
    """The same mechanism with lengths that are s times as large in number; forces do not matter at the start."""

    def longer(values):
        return tuple(s * x for x in values)

    def grown(name, values, rates=False):
        kinds = holds_of(model, model.joints[name], rates)
        return tuple(s * x if kind == "length" else x for kind, x in zip(kinds, values, strict=False))

    bodies = {}
    for name, body in model.bodies.items():
        whole = body.whole
        bodies[name] = replace(
            whole,
            position=longer(whole.position),
            points={point: longer(at) for point, at in whole.points.items()},
            center=longer(whole.center),
            inertia=None if whole.inertia is None else tuple(s * s * x for x in whole.inertia),
            shape=None,
            added={},
            figure={},
        )
    joints = {}
    for name, joint in model.joints.items():
        every = model.kinds[joint.kind].options
        lengths = {o.name for o in every if o.measures == "length" or o.holds in ("length", "lengths")}
        options = {
            key: value if key not in lengths else s * value if np.isscalar(value) else longer(value)
            for key, value in joint.options.items()
        }
        if joint.kind == "coupler":
            first, second = (s if target_of(model, of).holds == "length" else 1.0 for of in joint.options["of"])
            options["ratio"] = joint.options.get("ratio", 1.0) * second / first
            options["offset"] = joint.options.get("offset", 0.0) * second
        joints[name] = replace(joint, options=options)
    q = {n: replace(i, q=grown(n, i.q), v=grown(n, i.v, True)) for n, i in model.initial_joints.items()}
    moved = {
        n: replace(i, position=longer(i.position), velocity=longer(i.velocity)) for n, i in model.initial_bodies.items()
    }
    return model.changed(bodies=bodies, joints=joints, initial_joints=q, initial_bodies=moved, forces={}, events={})


def only_turned(model):
    """Whether no driver, curve or cam has a length in its law, which `scaled` would have to change."""
    laws = any(target_of(model, driver.of).holds == "length" for driver in model.drivers.values())
    return not laws and not any(joint.kind in ("point_on_curve", "cam") for joint in model.joints.values())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_start_depends_neither_on_the_unit_of_length_nor_on_the_order_of_tables(path):
    model = mubo.load(path).build()
    twists, energy = start_of(model)
    size = np.max(np.abs(twists)) or 1.0
    turned = model.changed(
        joints=dict(reversed(model.joints.items())), initial_joints=dict(reversed(model.initial_joints.items()))
    )
    again, same = start_of(turned)
    np.testing.assert_allclose(again, twists, atol=1e-9 * size)
    assert same == pytest.approx(energy, rel=1e-8, abs=1e-12)
    for s in (1e3, 1e6, 1e-3) if only_turned(model) else ():  # metres as millimetres, micrometres, kilometres
        other, energy_there = start_of(scaled(model, s))
        other[:, :3] /= s
        np.testing.assert_allclose(other, twists, atol=1e-7 * size, err_msg=f"{s}")
        assert energy_there / s**2 == pytest.approx(energy, rel=1e-6, abs=1e-12)


def test_an_rssr_starts_without_spin_of_its_rod():
    """One rate of two is given. The spin of a rod about its line adds ½ J s² and nothing else: the least is s = 0."""
    model = mubo.load(EXAMPLES / "released_rssr.toml")
    run = model.simulate(0, 0, 1)
    line = np.array([run[f"C.{x}"][0] - run[f"rod.{x}"][0] for x in "xyz"])
    assert abs(line @ [run[f"rod.w{x}"][0] for x in "xyz"]) < 1e-9
    assert run["A.v"][0] == pytest.approx(6, rel=1e-12)
    assert any(
        "velocity of rod: of all motions that fit, the one of least kinetic" in n for n in run.summary["warnings"]
    )


def test_a_joint_outside_loops_starts_at_rest():
    """A pendulum on the coupler of a four-bar whose crank has a rate: the pendulum turns with the coupler."""
    model = mubo.load(EXAMPLES / "released_four_bar.toml")
    model.initial("A", v=2.0)
    at = next(iter(model.build().bodies["coupler"].points))
    model.body("bob", model.build().bodies["coupler"].position, points={"P": (0, 0)}, mass=1, inertia=0.1)
    model.revolute("hang", f"coupler.{at}", "bob.P")
    run = model.simulate(0, 0, 1)
    assert run["A.v"][0] == pytest.approx(2.0)
    assert abs(run["hang.v"][0]) < 1e-12


@pytest.mark.parametrize("euler", ["", "zxz"])
@pytest.mark.parametrize("ball", ["B", "C"])
def test_rates_of_a_ball_in_a_loop_are_taken(ball, euler):
    """The angular velocity across one ball determines the motion of an RSSR: that of the crank and the rod's spin."""
    given = mubo.load(EXAMPLES / "released_rssr.toml").build()
    if euler:
        joint = given.joints[ball]
        joint = replace(joint, options={**joint.options, "euler": euler, "zero": (0.8, 0.36, 0.48, 0.0)})
        given = given.changed(joints={**given.joints, ball: joint})
    spinning = given.changed(initial_bodies={"rod": InitialBody("rod", omega=(1.0, 2.0, 3.0))})
    run = simulate(spinning, OutputTimes(0, 0, 1), SimulationSettings())
    rates = [run[f"{ball}.v{k}"][0] for k in (1, 2, 3)]
    initial = {"A": replace(given.initial_joints["A"], v=()), ball: Initial(ball, (), tuple(rates))}
    again = simulate(given.changed(initial_joints=initial), OutputTimes(0, 0, 1), SimulationSettings())
    for column in ("A.v", "D.v", "rod.wx", "rod.wy", "rod.wz", f"{ball}.v1", f"{ball}.v3"):
        assert again[column][0] == pytest.approx(run[column][0], abs=1e-9), column
    assert not any("least kinetic energy" in note for note in again.summary["warnings"])


def partly_driven_chain(bodies):
    """Pendulums in a row, the first joint driven at 0.7 rad/s."""
    model = mubo.Model("chain", gravity=(0, -9.81))
    model.ground.point("O", (0, 0))
    end = "ground.O"
    for k in range(bodies):
        model.body(f"b{k}", position=(k + 0.5, 0), points={"A": (-0.5, 0), "B": (0.5, 0)}, mass=1, inertia=0.1)
        model.revolute(f"j{k}", end, f"b{k}.A")
        end = f"b{k}.B"
    model.driver("motor", "j0", "0.7*t")
    return model


def test_an_open_chain_needs_no_matrix_for_the_rates_at_its_start(monkeypatch):
    """Without loops every rate that is not driven is zero: least energy, whose matrices grow with the square of the
    chain, has nothing to choose."""

    def refuse(*_):
        raise AssertionError("matrices of the whole chain")

    monkeypatch.setattr("mubo.solvers.dynamics.initial_velocities.twists_by_rates", refuse)
    monkeypatch.setattr("mubo.solvers.dynamics.initial_velocities._metric", refuse)
    tree, notes = consistent_start(partly_driven_chain(5).build(), 0.0, 1.0)
    rates = dict(zip((motion.joint for motion in tree.links.motions), tree.start()[1], strict=True))
    assert rates == {"j0": pytest.approx(0.7, rel=1e-15), "j1": 0.0, "j2": 0.0, "j3": 0.0, "j4": 0.0}
    assert notes == []
