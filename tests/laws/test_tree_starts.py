"""A start may be said by joints, by bodies or by the drawing: for every joint of a tree the three are the same."""

import numpy as np
import pytest

import mubo
from mubo.elements import SPATIAL_JOINTS
from mubo.model.coordinates import column_names, holds_of, joint_dofs

HINGES = [name for name, element in SPATIAL_JOINTS.items() if element.hinge and element.dofs]
PLACES = ("x", "y", "z", "qw", "qx", "qy", "qz")
SPEEDS = ("vx", "vy", "vz", "wx", "wy", "wz")


def chain(kind, turned, euler=""):
    """A body on a driven turntable, by a joint of some kind, written from either side."""
    element = SPATIAL_JOINTS[kind]
    model = mubo.Model(kind, dimension=3, gravity=(0, 0, 0))
    model.ground.point("O", (0.3, -0.2, 0.1))
    model.body("table", points={"O": (0, 0, 0.2), "J": (0.5, 0.1, -0.4)}, mass=1, inertia=(1, 1, 1))
    model.body("body", points={"J": (-0.2, 0.6, 0.3)}, mass=1, inertia=(1, 1.2, 1.4))
    model.revolute("turntable", "ground.O", "table.O", axis=(0.6, 0, 0.8))
    model.driver("motor", "turntable", "0.4 + 0.7*t")
    options = {option.name: option.example for option in element.options if option.example is not None}
    options |= {"euler": euler} if euler else {}
    options["axis"] = (0.6, 0.0, 0.8) if "along" in options else options.get("axis")  # along is square to it
    options = {name: value for name, value in options.items() if value is not None}
    ends = ("body.J", "table.J") if turned else ("table.J", "body.J")
    model.joint("J", kind, *ends, **options)
    return model


def state(model, rng):
    """Random coordinates and rates of the joint."""
    joint = model.joints["J"]
    q, v = [], []
    for dof in joint_dofs(model, joint):
        one = rng.uniform(-0.9, 0.9, len(dof.q))
        q += list(one / np.linalg.norm(one) if len(one) == 4 else one)
        v += list(rng.uniform(-1, 1, len(dof.v)))
    return q, v


def first_row(run, names):
    """Values of the body's columns; of the two quaternions of a turn the one with w ≥ 0."""
    values = np.array([run[f"body.{name}"][0] for name in names])
    if len(values) == 7 and values[3] < 0:
        values[3:] *= -1
    return values


def joint_state(run, model):
    joint = model.joints["J"]
    letters = [(letter, len(holds_of(model, joint, letter == "v"))) for letter in "qv"]
    return np.array([run[f"J.{name}"][0] for letter, count in letters for name in column_names(count, letter)])


CASES = [(kind, turned, "") for kind in HINGES for turned in (False, True)]
CASES += [("spherical", False, "zxz"), ("spherical", True, "xyz"), ("free", False, "zxz"), ("free", True, "xyz")]


@pytest.mark.parametrize(("kind", "turned", "euler"), CASES)
def test_a_body_says_the_same_as_its_joint(kind, turned, euler):
    rng = np.random.default_rng(len(kind) + turned)
    by_joint = chain(kind, turned, euler)
    q, v = state(by_joint, rng)
    by_joint.initial("J", q, v)
    run = by_joint.simulate(0, 0, 1)
    place, speed = first_row(run, PLACES), first_row(run, SPEEDS)
    by_body = chain(kind, turned, euler)
    by_body.initial("body", position=place[:3], orientation=place[3:], velocity=speed[:3], omega=speed[3:])
    again = by_body.simulate(0, 0, 1)
    np.testing.assert_allclose(first_row(again, SPEEDS), speed, atol=1e-9)
    expected, found = joint_state(run, by_joint), joint_state(again, by_body)
    if len(q) > len(v) and np.dot(expected[: len(q)][-4:], found[: len(q)][-4:]) < 0:
        expected[len(q) - 4 : len(q)] *= -1  # p and −p are the same turn
    np.testing.assert_allclose(found, expected, atol=1e-8)


@pytest.mark.parametrize(("kind", "turned", "euler"), CASES)
def test_a_drawn_body_starts_where_it_is_drawn(kind, turned, euler):
    rng = np.random.default_rng(2 * len(kind) + turned)
    by_joint = chain(kind, turned, euler)
    by_joint.initial("J", state(by_joint, rng)[0])
    place = first_row(by_joint.simulate(0, 0, 1), PLACES)
    drawn = chain(kind, turned, euler).build()
    drawn = drawn.replace("body.position", place[:3]).replace("body.orientation", place[3:])
    run = mubo.Model.from_definition(drawn).simulate(0, 0, 1)
    np.testing.assert_allclose(first_row(run, PLACES), place, atol=1e-9)
    assert "J: no initial condition given; starts as drawn, at rest" in run.summary["warnings"]


@pytest.mark.parametrize("kind", [kind for kind in HINGES if kind != "screw"])
def test_a_place_alone_is_met_where_the_joint_can(kind):
    """Only the position is drawn: the origin of the body comes there, by one of the ways there are."""
    rng = np.random.default_rng(7)
    by_joint = chain(kind, False)
    by_joint.initial("J", state(by_joint, rng)[0])
    place = first_row(by_joint.simulate(0, 0, 1), PLACES)
    drawn = mubo.Model.from_definition(chain(kind, False).build().replace("body.position", place[:3]))
    np.testing.assert_allclose(first_row(drawn.simulate(0, 0, 1), PLACES[:3]), place[:3], atol=1e-6)
