"""Loads of models in absolute coordinates: an effort in a joint has the power effort · rate, whatever the joint."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo._core import Along, PlaneLoads, SpaceLoads, Status
from mubo.mechanism.formulations.absolute_loads import NUMBERS, absolute_loads
from mubo.model.coordinates import coordinate_names, reported_dofs
from mubo.solvers.forces.applied_loads import applied_loads

MODELS = [
    "four_bar.toml",
    "whitworth.toml",
    "scotch_yoke.toml",
    "slider_crank.toml",
    "oldham.toml",
    "four_bar_in_space.toml",
    "hooke_joint.toml",
    "screw_jack.toml",
    "spatial_slider_crank.toml",
    "swash_plate_pump.toml",
]
EFFORT = 1.7


def coordinates_of(model):
    """Coordinates of joints that take an effort, as users write them, and the column of the rate of each."""
    for joint in model.joints.values():
        names = coordinate_names(model, joint)
        kinds = [dof.kind for dof in reported_dofs(model, joint) for _ in dof.q]
        kept = kinds.index("ball") if "ball" in kinds else len(kinds)
        yield from ((f"{joint.name}.{q}", f"{joint.name}.{q.replace('q', 'v')}") for q in names[:kept])


def states_of(form, run):
    """The absolute states of a run, put together of its columns; in space ṗ = ½ ω p."""
    columns = run.columns
    parts = []
    for name in form.free:
        if form.model.dimension == 2:
            words = (("x", "y", "phi"), ("vx", "vy", "omega"), ("ax", "ay", "alpha"))
            parts.append(np.stack([np.stack([columns.raw(f"{name}.{w}") for w in line], 1) for line in words], 1))
            continue
        r, v = (np.stack([columns[f"{name}.{head}{x}"] for x in "xyz"], 1) for head in ("", "v"))
        p = np.stack([columns[f"{name}.q{x}"] for x in "wxyz"], 1)
        w = np.stack([columns.raw(f"{name}.w{x}") for x in "xyz"], 1)
        rate = 0.5 * np.column_stack([-np.sum(w * p[:, 1:], axis=1), p[:, :1] * w + np.cross(w, p[:, 1:])])
        parts.append(np.stack([np.column_stack([r, p]), np.column_stack([v, rate]), np.zeros((len(r), 7))], 1))
    return np.concatenate(parts, axis=2)


@pytest.mark.parametrize("name", MODELS)
def test_an_effort_in_a_joint_has_the_power_effort_times_rate(name):
    """And nothing of it is left on the two bodies together."""
    model = mubo.load(EXAMPLES / name)
    model.forces.clear()
    rates = dict(coordinates_of(model))
    assert rates
    for k, of in enumerate(rates):
        model.force(f"f{k}", "joint_effort", of, effort=EFFORT)
    asked = model.build().output_times()
    run = model.kinematics(asked.start, asked.end, step=(asked.end - asked.start) / 8)
    form = run.record.inspection.form
    loads = applied_loads(form, states_of(form, run), run.columns)
    for k, rate in enumerate(rates.values()):
        v = run.columns.raw(rate)
        np.testing.assert_allclose(loads.power[f"f{k}"], EFFORT * v, atol=1e-9 * max(1.0, np.abs(v).max()))
        np.testing.assert_array_equal(loads.values[f"f{k}"], EFFORT)
    force = loads.on[:, :, : model.dimension].sum(axis=1)
    np.testing.assert_allclose(force, 0, atol=1e-11)
    np.testing.assert_array_equal(loads.external, 0)


@pytest.mark.parametrize("dimension", [2, 3])
def test_rows_are_moments_one_after_the_other(dimension):
    """`along` says of every row what `evaluate` says of that moment; twists follow from quaternion rates."""
    rng = np.random.default_rng(dimension)
    width, wide, rows = (3, 3, 4) if dimension == 2 else (7, 6, 4)
    kind = NUMBERS[dimension]
    spring, push = kind["spring"], kind["point_force"]
    numbers = [*rng.normal(size=2 * dimension), 40.0, 0.5, 0.3, *rng.normal(size=2 * dimension), 1.0]
    loads = (PlaneLoads if dimension == 2 else SpaceLoads)(
        np.array([spring, push], np.int32),
        np.array([Along.distance, Along.body], np.int32),
        np.array([[2, 0], [1, 1]], np.int32),
        np.array([-1, 0], np.int32),
        np.array(numbers),
    )
    states, fixed = rng.normal(size=(rows, 3, 2 * width)), rng.normal(size=(1, width))
    laws = rng.normal(size=(rows, 1))
    status, _, _, on, outside, sizes, energies = loads.along(states, fixed, laws)
    assert status == Status.done
    for r in range(rows):
        poses = np.vstack([states[r, 0].reshape(2, width), fixed])
        twists = np.zeros((3, wide))
        for body in range(2):
            rate = states[r, 1].reshape(2, width)[body]
            twists[body] = rate if dimension == 2 else [*rate[:3], *angular_velocity(poses[body, 3:], rate[3:])]
        _, _, wrenches, energy = loads.evaluate(poses, twists, laws[r])
        np.testing.assert_allclose(energies[r], energy, rtol=1e-12)
        np.testing.assert_allclose(on[r], [wrenches[0, 1], wrenches[1, 0], wrenches[0, 0]], rtol=1e-12)
        np.testing.assert_allclose(outside[r], [0 * wrenches[0, 0], wrenches[1, 0], 0 * wrenches[0, 0]], rtol=1e-12)
        assert sizes[r, 1] == laws[r, 0]


def angular_velocity(p, rate):
    """2 ṗ p⁻¹ by the product of quaternions as a matrix."""
    w, x, y, z = rate
    left = np.array([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]])
    return 2 * (left @ (p * [1, -1, -1, -1]))[1:] / (p @ p)


def test_the_springs_of_a_model_pull_with_their_tension():
    """F = k (l − length): a lever from (0, 0) to (cos t, sin t), a spring from there to (2, 0)."""
    model = mubo.Model("lever")
    model.ground.point("A", (0, 0))
    model.ground.point("S", (2, 0))
    model.body("lever", points={"A": (0, 0), "B": (1, 0)})
    model.revolute("A", "ground.A", "lever.A")
    model.driver("turn", "A", "t")
    model.force("strut", "spring", "ground.S", "lever.B", stiffness=30, length=0.4)
    run = model.kinematics(0, 1, step=0.25)
    form = run.record.inspection.form
    loads = applied_loads(form, states_of(form, run), run.columns)
    t = run["t"]
    length = np.sqrt(5 - 4 * np.cos(t))
    np.testing.assert_allclose(loads.values["strut"], 30 * (length - 0.4), rtol=1e-12)
    np.testing.assert_allclose(loads.power["strut"], -30 * (length - 0.4) * 2 * np.sin(t) / length, atol=1e-12)
    np.testing.assert_allclose(loads.on[:, 0, :2] + loads.on[:, 1, :2], 0, atol=1e-12)
    assert absolute_loads(form.mechanism).loads[0].holds == "force"
