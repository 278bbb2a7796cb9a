"""True for every joint of the registry: its rows and degrees of freedom add up, and it lets its degrees of freedom
through.

A new joint is tested by being in the registry; its options have examples in their declaration.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

import mubo
from mubo.elements import CLOSING, DRIVERS, JOINTS
from mubo.laws import law_of
from mubo.mechanism import ROW_KINDS, absolute, mechanism_of
from mubo.solvers.assembly.assemble import assemble
from mubo.solvers.assembly.mobility import analyse_mobility
from mubo.solvers.assembly.start_analysis import analyse_start

PROPER = sorted(name for name, joint in JOINTS.items() if joint.key == "between" and not joint.couples)
COUPLINGS = sorted(name for name, joint in JOINTS.items() if joint.couples)
NONE = np.zeros(0)
AXIS = (0.6, 0.8)


def on_ground(kind: str) -> mubo.Model:
    """One body held by one joint with the options its declaration gives as examples."""
    model = mubo.Model(kind)
    model.ground.point("P", (1.0, 0.5))
    model.body("link", (0.7, -0.4), 0.9, {"P": (0.3, 0.2)})
    ends = ("ground.P", "link.P") if JOINTS[kind].ends == "point" else ("ground", "link")
    options = {o.name: o.example for o in JOINTS[kind].options if o.example is not None}
    if any(option.name == "lift" for option in JOINTS[kind].options):
        options["lift"] = law_of("0.1*cos(2*t)")
    model.joint("J", kind, *ends, **options)
    return model


def closed(kind: str):
    """The form model and a position at which the joint is closed."""
    form = absolute(mechanism_of(on_ground(kind).build()))
    found = assemble(form, NONE, 1e-13, 20)
    assert found.gap < 1e-12
    return form, found.q


def moved(kind: str, q: np.ndarray, dof: str, amount: float) -> np.ndarray:
    """The body after a finite motion: turn about its own point, slide along the axis (x) or across it (y), swing about
    the other point; or its point at a place of the path that the declaration states."""
    x, y, phi = q
    dof, _, letter = dof.partition(" ")
    if dof == "slide":
        u = {"x": AXIS, "y": (-AXIS[1], AXIS[0])}[letter or "x"]
        return np.array([x + amount * u[0], y + amount * u[1], phi])
    if dof == "follow":
        place = JOINTS[kind].path(on_ground(kind).joints["J"].options, amount)
        arm = np.array([[math.cos(phi), -math.sin(phi)], [math.sin(phi), math.cos(phi)]]) @ (0.3, 0.2)
        return np.array([*(np.array((1.0, 0.5)) + place - arm), phi])
    own = (x + 0.3 * math.cos(phi) - 0.2 * math.sin(phi), y + 0.3 * math.sin(phi) + 0.2 * math.cos(phi))
    px, py = {"turn": own, "swing": (1.0, 0.5)}[dof]
    c, s = math.cos(amount), math.sin(amount)
    return np.array([px + c * (x - px) - s * (y - py), py + s * (x - px) + c * (y - py), phi + amount])


@pytest.mark.parametrize("kind", PROPER)
def test_rows_and_freedoms_make_three(kind):
    rows = sum(ROW_KINDS[row.kind][1] for row in JOINTS[kind].rows)
    assert rows + len(JOINTS[kind].dofs) == 3


@pytest.mark.parametrize("kind", PROPER)
def test_a_body_on_this_joint_has_its_freedoms(kind):
    form, q = closed(kind)
    found = analyse_mobility(form, q, NONE)
    assert found.mobility == found.gruebler == len(JOINTS[kind].dofs)


@pytest.mark.parametrize("kind", COUPLINGS)
def test_a_coupling_takes_one_freedom_for_each_equation(kind):
    """A wheel that rolls has an equation for touching and one for rolling; of velocities, none is of positions."""
    start = analyse_start(on_ground(kind).build(), 0.0)
    rows = JOINTS[kind].rows
    assert start.diagnosis.mobility == 3 - sum(not row.on_velocities for row in rows)
    assert (start.velocities or start.diagnosis).mobility == 3 - len(rows)


@pytest.mark.parametrize("kind", JOINTS)
def test_declarations_say_which_rows_are_on_velocities(kind):
    for row in JOINTS[kind].rows:
        assert row.on_velocities == ROW_KINDS[row.kind][4]


@pytest.mark.parametrize("kind", PROPER)
@pytest.mark.parametrize("amount", [-0.8, 0.0, 0.3, 1.7])
def test_the_joint_stays_closed_on_its_own_motion(kind, amount):
    form, q = closed(kind)
    for dof in JOINTS[kind].dofs:
        there = moved(kind, q, dof, amount)
        assert np.max(np.abs(form.system.phi(there, NONE)), initial=0.0) < 1e-12
        h = 1e-5
        S = (moved(kind, q, dof, amount + h) - moved(kind, q, dof, amount - h)) / (2 * h)
        assert np.max(np.abs(form.system.jacobian(there, NONE) @ S), initial=0.0) < 1e-9


@pytest.mark.parametrize("kind", JOINTS)
def test_every_equation_has_a_word(kind):
    for row in JOINTS[kind].rows:
        assert len(row.words) == ROW_KINDS[row.kind][1]


@pytest.mark.parametrize("kind", PROPER)
def test_left_out_constants_close_the_joint_at_the_estimates(kind):
    """Options that may be left out are taken from the estimates, so that their own row is closed there."""
    model = on_ground(kind)
    joint, taken = model.joints["J"], {option.name for option in JOINTS[kind].options if option.default is CLOSING}
    kept = {name: value for name, value in joint.options.items() if name not in taken}
    model.joints["J"] = replace(joint, options=kept)
    form = absolute(mechanism_of(model.build()))
    phi = form.system.phi(form.estimate, NONE)
    for equation, value in zip(form.equations, phi, strict=True):
        if any(f"joint J: {equation.word} = " in str(note) for note in form.mechanism.notes):
            assert abs(value) < 1e-14


def driven(kind: str) -> mubo.Model:
    """Two bodies and a driver of the given kind."""
    model = mubo.Model(kind)
    model.body("first", (0.2, 0.1), 0.4, {"P": (0.3, 0.2)})
    model.body("second", (1.2, 0.7), -0.3, {"P": (0.1, -0.2)})
    model.revolute("A", "first.P", "second.P")
    model.translational("T", "first.P", "second.P", AXIS, 0.0)
    target = {
        "body_coordinate": "second.phi",
        "point_coordinate": "second.P.y",
        "joint_angle": "A",
        "joint_slide": "T",
        "point_distance": ("first.P", "second.P"),
    }[kind]
    model.driver("D", target, "0.25")
    return model


@pytest.mark.parametrize("kind", DRIVERS)
def test_a_driver_measures_what_its_columns_say(kind):
    """Φ of a driver is the driven coordinate minus f: compared with the coordinate computed by hand."""
    form = absolute(mechanism_of(driven(kind).build()))
    value = form.system.phi(form.estimate, form.motion(np.zeros(1))[0])[-1] + 0.25

    def place(x, y, phi, u, w):
        return np.array([x + u * np.cos(phi) - w * np.sin(phi), y + u * np.sin(phi) + w * np.cos(phi)])

    p, s = place(0.2, 0.1, 0.4, 0.3, 0.2), place(1.2, 0.7, -0.3, 0.1, -0.2)
    axis = np.array([np.cos(0.4) * 0.6 - np.sin(0.4) * 0.8, np.sin(0.4) * 0.6 + np.cos(0.4) * 0.8])
    expected = {
        "body_coordinate": -0.3,
        "point_coordinate": s[1],
        "joint_angle": -0.3 - 0.4,
        "joint_slide": axis @ (s - p),
        "point_distance": np.hypot(*(s - p)),
    }[kind]
    assert value == pytest.approx(expected, abs=1e-14)
