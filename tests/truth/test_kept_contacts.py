"""Contacts that a prescribed motion keeps: their forces against closed forms, and where they would pull or slip.

Blocks and boxes on shaken tables: N = m g, |T| = m |a|, so that the friction needed is |a|/g; the pressure lies at
x = −h a/g from below the centre of mass (moments about it). It leaves the base b where |a|/g = b/(2 h). The cam is
that of beyond_contact/cam_follower_spring: N = F0 + m g − (m ω² − k) e sin θ. The brake is a short shoe: moments about
its pin give N (a ∓ μ h) = F l (Shigley, Mechanical Engineering Design, short-shoe drum brakes).
"""

import math

import numpy as np
import pytest
from conftest import EXAMPLES
from scipy.optimize import brentq

import mubo
from mubo.errors import ModelError, MuboError, SimulationError

G = 9.81


def table_with_block(height=0.4, friction=0.5, amplitude=0.05, dimension=2):
    """A block of 0.3 m on a table that is shaken with amplitude · sin(8 t)."""
    model = mubo.Model("block on a table", dimension=dimension)
    plane = dimension == 2
    model.gravity = (0, -G) if plane else (0, 0, -G)
    up = (0, 1) if plane else (0, 0, 1)
    at = np.array(up) * height / 2
    turn = {"angle": 0} if plane else {}
    inertia = 0.05 if plane else (0.05, 0.05, 0.05, 0, 0, 0)
    zero = (0, 0) if plane else (0, 0, 0)
    model.ground.point("O", zero)
    model.body("table", position=zero, mass=5, inertia=inertia, points={"O": zero}, **turn)
    model.body("block", position=tuple(at), mass=2, inertia=inertia, points={"C": zero}, **turn)
    axis = (1, 0) if plane else (1, 0, 0)
    model.joint("guide", "translational" if plane else "prismatic", "ground.O", "table.O", axis=axis)
    model.driver("shaker", "guide", f"{amplitude}*sin(8*t)")
    model.surface("top", body="table", shape="plane", normal=up)
    model.surface("box", body="block", shape="box", size=(0.3, height) if plane else (0.3, 0.2, height))
    model.contact("rest", between=["box", "top"], friction=friction)
    return model


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_block_on_a_shaken_table_needs_the_friction_of_its_acceleration(dimension):
    run = table_with_block(dimension=dimension).inverse(0, 1, step=0.01)
    a = -0.05 * 64 * np.sin(8 * run["t"])
    assert np.allclose(run["rest.normal"], 2 * G, rtol=1e-12)
    assert np.allclose(run["rest.friction_needed"], np.abs(a) / G, rtol=0, atol=1e-12)
    assert np.allclose(run["rest.fx"], 2 * a, rtol=0, atol=1e-11)
    assert np.allclose(run["shaker.effort"], 7 * a, rtol=0, atol=1e-10)
    if dimension == 2:  # in space the pressure of four corners is not determined
        assert np.allclose(run["rest.x"] - run["block.x"], -0.2 * a / G, rtol=0, atol=1e-12)
    assert run.columns.column("rest.normal").unique
    assert run.columns.column("rest.friction").unique
    assert not [event for event in run.events if event.kind == "slip"]
    assert "kept closed and sticks" in str(run.summary["warnings"])


def test_slip_is_located_where_the_friction_needed_reaches_the_static_one():
    run = table_with_block(friction=0.2).inverse(0, 0.35, step=0.02)
    kinds = [(event.kind, event.t) for event in run.events]
    slips = math.asin(0.2 * G / (0.05 * 64)) / 8
    assert [kind for kind, _ in kinds] == ["slip", "stick"]
    assert [t for _, t in kinds] == pytest.approx([slips, math.pi / 8 - slips], abs=1e-12)


def test_a_tall_block_parts_where_the_pressure_leaves_its_base():
    height, base = 1.2, 0.3
    run = table_with_block(height=height, friction=0.9).inverse(0, 0.3, step=0.02)
    first = next(event for event in run.events if event.kind == "part")
    assert first.t == pytest.approx(math.asin(base / height * G / (0.05 * 64)) / 8, abs=1e-12)
    assert "contact rest" in first.message
    assert first.drivers["shaker"] == pytest.approx(0.05 * math.sin(8 * first.t), rel=1e-12)


E_CAM, R_CAM, RATE, MASS, K = 0.012, 0.03, 100.0, 0.4, 500.0


def tappet(friction=0.0, gap=0.0, **law):
    """The follower of examples/jumping_tappet.toml, drawn with a gap."""
    model = mubo.load(EXAMPLES / "jumping_tappet.toml")
    model.contacts.clear()
    model.initial_joints.clear()
    del model.bodies["follower"]
    model.body("follower", position=(0, R_CAM + gap), angle=0, mass=MASS, inertia=1e-3, points={"F": (0, -gap)})
    model.contact("lift", between=["disc", "face"], **({"friction": friction} if friction else {}), **law)
    return model


def cam_normal(t):
    """F0 + m g − (m ω² − k) e sin θ."""
    return 20 + MASS * G - (MASS * RATE**2 - K) * E_CAM * np.sin(RATE * t)


def test_the_normal_force_of_a_cam_follows_its_closed_form_and_its_lift_off_is_located():
    run = mubo.load(EXAMPLES / "jumping_tappet.toml").inverse(0, 0.06, step=0.001)
    normal = cam_normal(run["t"])
    assert np.allclose(run["lift.normal"], normal, rtol=0, atol=1e-11 * 66)
    assert np.allclose(run["lift.x"], E_CAM * np.cos(RATE * run["t"]), rtol=0, atol=1e-14)
    assert np.allclose(run["lift.y"], R_CAM + E_CAM * np.sin(RATE * run["t"]), rtol=0, atol=1e-14)
    effort = normal * E_CAM * np.cos(RATE * run["t"])
    assert np.allclose(run["motor.effort"], effort, rtol=0, atol=1e-11)
    parts = [event for event in run.events if event.kind == "part"]
    assert parts[0].t == pytest.approx(0.0060604228360827605, abs=1e-13)  # beyond_contact.json, lift-off
    assert math.degrees(parts[0].drivers["motor"]) == pytest.approx(34.7237, abs=1e-4)
    touch = next(event for event in run.events if event.kind == "touch")
    assert touch.t == pytest.approx((math.pi - RATE * parts[0].t) / RATE, abs=1e-13)


def test_friction_of_a_cam_costs_its_moment_about_the_shaft():
    """The cam slides under the face against +x where it turns counter-clockwise: μ N acts at the height of the face."""
    mu = 0.15
    run = tappet(friction=mu).inverse(0, 0.06, step=0.0005)
    theta = RATE * run["t"]
    normal = cam_normal(run["t"])
    rubbed = mu * np.maximum(normal, 0)
    assert np.allclose(run["lift.normal"], normal, rtol=0, atol=1e-10)
    assert np.allclose(run["lift.friction"], rubbed, rtol=0, atol=1e-10)
    assert np.allclose(run["lift.fx"], rubbed, rtol=0, atol=1e-10)  # on the disc, which is named first
    effort = normal * E_CAM * np.cos(theta) + rubbed * (R_CAM + E_CAM * np.sin(theta))
    assert np.allclose(run["motor.effort"], effort, rtol=0, atol=1e-11)
    assert run.summary["power_residual"] < 1e-11
    assert run.summary["newton_euler"]["largest"] < 1e-11


def brake(sense, friction, load=40.0):
    """A drum that turns, and a shoe on an arm about (−a, −h) below the contact: F at the distance l presses it down."""
    a, h, length, radius = 0.2, 0.05, 0.5, 0.15
    model = mubo.Model("brake")
    model.gravity = (0, 0)
    model.ground.point("O", (0, 0))
    model.ground.point("P", (-a, radius + h))
    model.body("drum", position=(0, 0), angle=0, mass=4, inertia=0.1, points={"O": (0, 0)})
    points = {"P": (-a, h), "F": (length - a, h)}
    model.body("shoe", position=(0, radius), angle=0, mass=0.5, inertia=0.01, points=points)
    model.revolute("shaft", "ground.O", "drum.O")
    model.revolute("pin", "ground.P", "shoe.P")
    model.driver("motor", "shaft", f"{sense * 10}*t")
    model.force("press", "point_force", "shoe.F", direction=(0, -1), force=load)
    model.surface("rim", body="drum", shape="circle", radius=radius)
    model.surface("tip", body="shoe", shape="point")
    model.contact("shoe_on_drum", between=["tip", "rim"], friction=friction)
    return model, load * length, a, h, radius


@pytest.mark.parametrize("sense", [1, -1])
def test_friction_changes_the_normal_force_of_a_brake_shoe(sense):
    """The arm's pin lies h above the contact: the drum drags the shoe with μ N to the left where it turns
    counter-clockwise, which turns the arm about its pin by −μ N h and presses it on: N (a − μ h) = F l."""
    mu = 0.4
    model, moment, a, h, radius = brake(sense, mu)
    run = model.inverse(0, 0.1, step=0.05)
    normal = moment / (a - sense * mu * h)
    assert np.allclose(run["shoe_on_drum.normal"], normal, rtol=1e-12)
    assert np.allclose(run["shoe_on_drum.fx"], -sense * mu * normal, rtol=1e-12)
    assert np.allclose(run["motor.effort"], sense * mu * normal * radius, rtol=1e-11)


def test_a_brake_that_jams_is_refused():
    model, *_ = brake(1, 4.5)  # a − μ h = −0.025
    with pytest.raises(SimulationError, match=r"contact shoe_on_drum: .* jams\n  Take a smaller coefficient"):
        model.inverse(0, 0.1, step=0.05)


def test_a_roller_between_two_plates_rolls_on_both():
    """Under a plate with acceleration a the roller has a/2 and −a/(2 r): F_top + F_bottom = m a/2 and
    (F_bottom − F_top) r = −J a/(2 r)."""
    r, m, inertia, top = 0.1, 3.0, 0.02, 6.0
    model = mubo.Model("roller")
    model.gravity = (0, -G)
    model.body("roller", position=(0, r), angle=0, mass=m, inertia=inertia, points={"C": (0, 0)})
    model.body("plate", position=(0, 2 * r), angle=0, mass=top, inertia=1, points={"C": (0, 0)})
    model.driver("push", "plate.x", "0.5*0.8*t^2")
    model.driver("level", "plate.phi", "0")
    model.surface("rim", body="roller", shape="circle", radius=r)
    model.surface("under", body="plate", shape="plane", normal=(0, -1))
    model.surface("floor", body="ground", shape="plane", normal=(0, 1))
    model.contact("above", between=["rim", "under"], friction=0.3)
    model.contact("below", between=["rim", "floor"], friction=0.3)
    run = model.inverse(0, 1, step=0.1)
    a = 0.8
    assert np.allclose(run["roller.x"], run["plate.x"] / 2, rtol=0, atol=1e-12)
    upper = m * a / 4 + inertia * a / (4 * r**2)
    lower = m * a / 4 - inertia * a / (4 * r**2)
    assert np.allclose(run["above.fx"], upper, rtol=0, atol=1e-11)
    assert np.allclose(run["below.fx"], lower, rtol=0, atol=1e-11)
    assert np.allclose(run["above.normal"], top * G, rtol=1e-12)
    assert np.allclose(run["below.normal"], (top + m) * G, rtol=1e-12)
    assert np.allclose(run["above.friction_needed"], upper / (top * G), rtol=1e-11)
    assert np.allclose(run["above.x"], run["roller.x"], rtol=0, atol=1e-12)
    assert np.allclose(run["above.y"], 2 * r, rtol=0, atol=1e-12)
    reaction = run.reaction("above", on="roller")
    assert np.allclose(reaction.point[:, 1], 2 * r, rtol=0, atol=1e-12)
    assert np.allclose(reaction.m, 0, atol=1e-10)


def test_a_ball_between_two_plates_of_space_rolls_on_both():
    """The same in space, where rolling is on velocities, so that the motion is integrated."""
    r, m, top = 0.1, 3.0, 6.0
    inertia = 0.4 * m * r**2
    model = mubo.Model("ball", dimension=3)
    model.gravity = (0, 0, -G)
    model.ground.point("O", (0, 0, 2 * r))
    model.body("ball", position=(0, 0, r), mass=m, inertia=(inertia,) * 3 + (0, 0, 0), points={"C": (0, 0, 0)})
    model.body("plate", position=(0, 0, 2 * r), mass=top, inertia=(1, 1, 1, 0, 0, 0), points={"C": (0, 0, 0)})
    model.joint("push", "prismatic", "ground.O", "plate.C", axis=(1, 0, 0))
    model.driver("motor", "push", "0.5*0.8*t^2")
    model.surface("skin", body="ball", shape="sphere", radius=r)
    model.surface("under", body="plate", shape="plane", normal=(0, 0, -1))
    model.surface("floor", body="ground", shape="plane", normal=(0, 0, 1))
    model.contact("above", between=["skin", "under"], friction=0.3)
    model.contact("below", between=["skin", "floor"], friction=0.3)
    with pytest.raises(MuboError, match="not driven"):
        model.inverse(0, 1, step=0.1)  # the ball may spin about the vertical: nothing drives that


def test_a_hoisted_weight_hangs_on_its_rope_until_it_falls_freely():
    """Tension m (g + a) of a rope that is lifted by h = 0.3 sin(7 t); slack from sin(7 t) = g/(0.3 · 49)."""
    model = mubo.Model("hoist")
    model.gravity = (0, -G)
    model.ground.point("O", (0, 0))
    model.body("trolley", position=(0, 2), angle=0, mass=1, inertia=1, points={"H": (0, 0)})
    model.body("weight", position=(0, 0.5), angle=0, mass=3, inertia=1, points={"E": (0, 0)})
    model.translational("lift", "ground.O", "trolley.H", axis=(0, 1))
    model.translational("guide", "ground.O", "weight.E", axis=(0, 1))
    model.driver("winch", "lift", "2 + 0.3*sin(7*t)")
    model.contact("rope", rope=["weight.E", "trolley.H"], length=1.5)
    run = model.inverse(0, 0.4, step=0.01)
    tension = 3 * (G - 0.3 * 49 * np.sin(7 * run["t"]))
    assert np.allclose(run["rope.normal"], tension, rtol=0, atol=1e-10)
    slack = next(event for event in run.events if event.kind == "part")
    assert slack.t == pytest.approx(math.asin(G / (0.3 * 49)) / 7, abs=1e-12)


def test_a_rolling_joint_that_would_pull_is_named():
    """A wheel (m, r) on top of a drum R, carried by an arm without mass at φ = 1.25 t² from the vertical, free along
    it: on its path of radius ρ = R + r along the arm N = m (g cos φ − ρ φ'²), which ends where cos φ = ρ φ'²/g."""
    m, radius, r, rate = 2.0, 1.0, 0.2, 1.25
    path = radius + r
    model = mubo.Model("crest")
    model.gravity = (0, -G)
    model.ground.point("O", (0, 0))
    model.body("arm", position=(0, 0), angle=0, mass=0, inertia=0, points={"O": (0, 0)})
    model.body("wheel", position=(0, path), angle=0, mass=m, inertia=0.04, points={"C": (0, 0)})
    model.revolute("shaft", "ground.O", "arm.O")
    model.driver("motor", "shaft", f"{rate}*t^2")
    model.joint("hub", "slot", "arm.O", "wheel.C", axis=(0, 1))
    model.joint("crest", "rolling_on_circle", "ground.O", "wheel.C", radii=(radius, r))
    run = model.inverse(0, 1, step=0.01)
    phi, speed = rate * run["t"] ** 2, 2 * rate * run["t"]
    normal = m * (G * np.cos(phi) - path * speed**2)
    assert np.allclose(run["crest.force"], normal, rtol=0, atol=1e-7)
    ends = brentq(lambda t: G * math.cos(rate * t**2) - path * (2 * rate * t) ** 2, 0.1, 1)
    (note,) = (note for note in run.summary["warnings"] if "would have to pull" in note)
    first, last = (0.01 * math.floor(ends / 0.01 + k) for k in (0, 1))
    assert note.startswith(f"joint crest: from a time between t = {first:g} and {last:g} on")


def test_what_cannot_be_kept_is_refused_with_its_cure():
    with pytest.raises(
        MuboError, match=r"Draw cam and follower touching at contact lift, which is drawn open by 0.001"
    ):
        tappet(gap=0.001).inverse(0, 0.1, step=0.01)
    with pytest.raises(MuboError, match="Make contact lift rigid"):
        tappet(stiffness=1e7).inverse(0, 0.1, step=0.01)
    with pytest.raises(ModelError, match="restitution"):
        tappet(restitution=2.0).inverse(0, 0.1, step=0.01)


def test_contacts_of_a_driven_mechanism_are_stated_as_unused():
    model = mubo.load(EXAMPLES / "jumping_tappet.toml")
    model.driver("held", "follower.y", "0.03")
    run = model.kinematics(0, 0.01, step=0.001)
    assert any("knows no contacts" in note for note in run.summary["warnings"])
