"""What hangs on contact, against closed forms: ropes, clutches, ratchets, backlash, clearance of guides."""

import numpy as np
import pytest

import mubo

FORMULATIONS = pytest.mark.parametrize("formulation", ["tree", "absolute"])


def _events(run, *kinds):
    return [entry for entry in run.summary["contacts"] if entry["event"] in kinds]


def _shaft(model, name, inertia, at=(0, 0)):
    """A wheel on a pin of the ground."""
    model.ground.point(f"O_{name}", at)
    model.body(name, position=list(at), angle=0, mass=1, inertia=inertia, points={"O": (0, 0)})
    model.joint(name + "_pin", "revolute", f"ground.O_{name}", f"{name}.O")


@FORMULATIONS
def test_a_rope_becomes_taut_and_swings(formulation):
    """A stone falls a = 0.6 m beside its hook until 0.6² + (g t²/2)² = 1; the jerk takes its radial velocity."""
    model = mubo.Model("rope", gravity=[0, -9.81])
    model.ground.point("hook", (0, 0))
    model.body("stone", position=[0.6, 0], angle=0, mass=2, inertia=0.01, points={"C": (0, 0)})
    model.contact("rope", rope=["stone.C", "ground.hook"], length=1.0)
    run = model.simulate(0, 2, step=0.01, formulation=formulation, reactions=True)
    jerk = _events(run, "impact")[0]
    t, speed = np.sqrt(2 * 0.8 / 9.81), np.sqrt(2 * 9.81 * 0.8)
    assert jerk["t"] == pytest.approx(t, abs=1e-10)
    assert jerk["speed_before"] == pytest.approx(-0.8 * speed, rel=1e-9)  # radial: cos of the rope's slope
    assert jerk["impulse"] == pytest.approx(2 * 0.8 * speed, rel=1e-9)
    kept = 0.6 * speed  # along the circle: it swings below the hook, and comes back as often as energy lasts
    taut = run["t"] > t + 1e-9
    height = run["stone.y"][taut]
    squared = kept**2 - 2 * 9.81 * (height + 0.8)
    assert run["stone.vx"][taut] ** 2 + run["stone.vy"][taut] ** 2 == pytest.approx(squared, abs=1e-8)
    tension = 2 * (squared - 9.81 * height)  # m (v²/L + g cos)
    assert run["rope.normal"][taut] == pytest.approx(tension, rel=1e-8)
    assert np.all(run["rope.gap"] > -1e-10)


@FORMULATIONS
def test_a_freewheel_clutch_locks_and_overruns(formulation):
    """Hub rate sin t, wheel with drag k J: it is carried along until cos t + k sin t = 0, then decays by itself."""
    k, inertia = 0.5, 0.2
    model = mubo.Model("freewheel", gravity=[0, 0])
    _shaft(model, "hub", 0.1)
    model.body("wheel", position=[0, 0], angle=0, mass=1, inertia=inertia, points={"O": (0, 0)})
    model.joint("clutch", "revolute", "hub.O", "wheel.O")
    model.driver("motor", "hub_pin", "1 - cos(t)")
    model.force("drag", "body_torque", "wheel", torque=f"-{k * inertia}*wheel.omega")
    model.contact("freewheel", of="clutch", freewheel="forward")
    run = model.simulate(0, 8, step=0.05, formulation=formulation)
    t0 = np.pi - np.arctan(1 / k)
    (released, *_), locked = _events(run, "part"), _events(run, "rest")
    assert released["t"] == pytest.approx(t0, abs=1e-8)
    caught = locked[-1]["t"]
    assert np.sin(t0) * np.exp(-k * (caught - t0)) == pytest.approx(np.sin(caught), abs=1e-8)
    t = run["t"]
    free = (t > t0) & (t < caught)
    assert run["wheel.omega"][free] == pytest.approx(np.sin(t0) * np.exp(-k * (t[free] - t0)), abs=1e-9)
    carried = t < t0
    assert run["wheel.omega"][carried] == pytest.approx(np.sin(t[carried]), abs=1e-9)
    torque = inertia * np.cos(t[carried]) + k * inertia * np.sin(t[carried])
    assert run["freewheel.normal"][carried][1:] == pytest.approx(torque[1:], abs=1e-8)


@FORMULATIONS
def test_a_ratchet_holds_the_last_tooth(formulation):
    """A wheel thrown forward against a torque turns by ω² J/2T = 2.5 rad, falls back to tooth 4 of 12 and is held."""
    model = mubo.Model("ratchet", gravity=[0, 0])
    _shaft(model, "wheel", 0.2)
    model.initial("wheel_pin", q=0, v=5)
    model.force("weight", "joint_effort", "wheel_pin", effort=-1.0)
    model.contact("pawl", of="wheel_pin", freewheel="forward", teeth=12)
    run = model.simulate(0, 3, step=0.1, formulation=formulation, reactions=True)
    tooth = 4 * 2 * np.pi / 12
    top = 5 * 0.2
    hit = _events(run, "impact")[0]
    assert hit["t"] == pytest.approx(top + np.sqrt(2 * (2.5 - tooth) * 0.2), abs=1e-8)
    assert np.max(run["wheel.phi"]) <= 2.5 + 1e-9
    assert run["wheel.phi"][-1] == pytest.approx(tooth, abs=1e-10)
    assert run["pawl.normal"][-1] == pytest.approx(1.0, rel=1e-9)


@FORMULATIONS
def test_backlash_is_crossed_before_the_teeth_carry(formulation):
    """The driven wheel crosses half the play, b/2 = r ω t; the other leaves with 1 + e times the ratio."""
    model = mubo.Model("gears", gravity=[0, 0])
    _shaft(model, "pinion", 0.1)
    _shaft(model, "gear", 0.4, (0.3, 0))
    options = {"radii": (0.1, 0.2), "backlash": 0.002, "restitution": 0.5}
    model.joint("mesh", "gears", "pinion", "gear", **options)
    model.driver("motor", "pinion_pin", {"rate": 2})
    run = model.simulate(0, 0.04, step=0.001, formulation=formulation)
    hit = _events(run, "impact")[0]
    assert hit["t"] == pytest.approx(0.001 / 0.2, abs=1e-10)
    assert hit["speed_before"] == pytest.approx(-0.2, rel=1e-9)
    assert hit["impulse"] == pytest.approx(1.5 * 0.4 / 0.2, rel=1e-9)  # J Δω / r
    later = run["t"] > hit["t"] + 1e-9
    assert run["gear.omega"][later][0] == pytest.approx(-1.5, rel=1e-9)
    assert np.all(run["mesh.gap"] > -1e-12)


@FORMULATIONS
def test_teeth_on_a_free_carrier_push_it_too(formulation):
    """Impulse P of the teeth: r P on each wheel, and (r + r') P back on the carrier, where e leaves e r ω of slip."""
    r, other, sun, planet, mass, arm = 0.1, 0.2, 0.02, 0.03, 0.5, 0.04
    model = mubo.Model("planet gear", gravity=[0, 0])
    model.ground.point("O", (0, 0))
    model.body("sun", [0, 0], 0, {"O": (0, 0)}, mass=1, inertia=sun)
    model.body("arm", [0, 0], 0, {"O": (0, 0), "C": (0.3, 0)}, mass=1, inertia=arm)
    model.body("planet", [0.3, 0], 0, {"C": (0, 0)}, mass=mass, inertia=planet)
    model.joint("S", "revolute", "ground.O", "sun.O")
    model.joint("A", "revolute", "ground.O", "arm.O")
    model.joint("C", "revolute", "arm.C", "planet.C")
    options = {"radii": (r, other), "carrier": "arm", "backlash": 0.002, "restitution": 0.5}
    model.joint("mesh", "gears", "sun", "planet", **options)
    model.initial("S", v=2.0)
    run = model.simulate(0, 0.006, step=0.0005, formulation=formulation)
    carried = arm + mass * (r + other) ** 2
    P = 1.5 * r * 2.0 / (r**2 / sun + other**2 / planet + (r + other) ** 2 / carried)
    hit = _events(run, "impact")[0]
    assert hit["impulse"] == pytest.approx(P, rel=1e-9)
    after = [2.0 - r * P / sun, -other * P / planet, (r + other) * P / carried]
    assert [run[f"{name}.omega"][-1] for name in ("sun", "planet", "arm")] == pytest.approx(after, rel=1e-9)


def test_backlash_of_a_mesh_is_ideal_elsewhere():
    """Kinematics takes the ratio."""
    model = mubo.Model("gears", gravity=[0, 0])
    _shaft(model, "pinion", 0.1)
    _shaft(model, "gear", 0.4, (0.3, 0))
    model.joint("mesh", "gears", "pinion", "gear", radii=(0.1, 0.2), backlash=0.002)
    model.driver("motor", "pinion_pin", {"rate": 2})
    assert model.kinematics(0, 1, step=0.5)["gear.omega"] == pytest.approx([-1, -1, -1])


@FORMULATIONS
def test_a_slide_with_clearance_tilts_until_its_corners_rest(formulation):
    """Its weight a = 30 mm before the middle of a guide of 40 mm: both faces press, m g (a ± l/2)/l."""
    model = mubo.Model("guide", gravity=[0, -9.81])
    model.ground.point("O", (0, 0))
    model.body("slide", position=[0, 0], angle=0, mass=2, center=[0.03, 0], inertia=1e-3, points={"P": (0, 0)})
    guide = {"axis": [1, 0], "clearance": 1e-4, "guide_length": 0.04, "restitution": 0.0, "friction": 0.3}
    model.joint("guide", "translational", "ground.O", "slide.P", **guide)
    run = model.simulate(0, 0.5, step=0.05, formulation=formulation)
    assert run["slide.phi"][-1] == pytest.approx(-2 * 1e-4 / 0.04, rel=1e-4)
    assert run["guide.fy"][-1] == pytest.approx(2 * 9.81, rel=1e-9)
    pressed = 2 * 9.81 * ((0.03 + 0.02) + (0.03 - 0.02)) / 0.04  # both corners: front up, back down
    assert run["guide.normal"][-1] == pytest.approx(pressed, rel=1e-3)


@FORMULATIONS
def test_reactions_with_a_contact_at_rest(formulation):
    """A bar on a pin that lies on a corner at its end: each carries half its weight, and friction needs no part."""
    model = mubo.Model("bar", gravity=[0, -9.81])
    model.ground.point("A", (0, 0))
    model.body("bar", position=[0, 0], angle=0, mass=3, center=[0.5, 0], inertia=0.25, points={"A": (0, 0)})
    model.joint("A", "revolute", "ground.A", "bar.A")
    model.surface("edge", body="bar", shape="point", at=[1, 0])
    model.surface("table", body="ground", shape="plane", normal=[0, 1])
    model.contact("table", between=["edge", "table"])
    model.initial("A", q=0, v=0)
    run = model.simulate(0, 0.2, step=0.1, formulation=formulation, reactions=True)
    assert run["A.on_bar.fy"] == pytest.approx([3 * 9.81 / 2] * 3, rel=1e-12)
    assert run["table.normal"] == pytest.approx([3 * 9.81 / 2] * 3, rel=1e-12)
    assert run.summary["newton_euler"]["largest"] < 1e-12


@FORMULATIONS
def test_reactions_with_friction_that_sticks(formulation):
    """A block that its guide's friction holds on a slope: the guide carries m g cos, the friction m g sin."""
    slope = 0.3
    model = mubo.Model("block", gravity=[-9.81 * np.sin(slope), -9.81 * np.cos(slope)])
    model.ground.point("O", (0, 0))
    model.body("block", position=[0, 0], angle=0, mass=2, inertia=0.1, points={"P": (0, 0)})
    model.joint("guide", "translational", "ground.O", "block.P", axis=[1, 0])
    model.initial("guide", q=0, v=0)
    model.force("hold", "friction", "guide", coulomb=0.5)
    run = model.simulate(0, 0.2, step=0.1, formulation=formulation, reactions=True)
    assert run["guide.on_block.fy"] == pytest.approx([2 * 9.81 * np.cos(slope)] * 3, rel=1e-12)
    assert run["hold.force"] == pytest.approx([2 * 9.81 * np.sin(slope)] * 3, rel=1e-12)
    assert run.summary["newton_euler"]["largest"] < 1e-12


def test_loads_that_contacts_share_are_labelled():
    """A table on two feet with friction: the normal forces are unique, how the feet divide the friction is not."""
    model = mubo.Model("block", gravity=[0, -9.81])
    model.body("block", position=[0, 0.5], angle=0, mass=2, inertia=0.1)
    model.surface("base", body="block", shape="box", size=[1, 1])
    model.surface("floor", body="ground", shape="plane", normal=[0, 1])
    model.surface("wall", body="ground", shape="plane", at=[-0.5, 0], normal=[1, 0])
    model.contact("floor", between=["base", "floor"], friction=0.4)
    model.contact("wall", between=["base", "wall"], friction=0.4)
    columns = model.simulate(0, 0.2, step=0.1).columns
    assert columns.column("floor.gap").unique
    assert not columns.column("floor.normal").unique or not columns.column("wall.friction").unique
    alone = mubo.Model("block", gravity=[0, -9.81])
    alone.body("block", position=[0, 0.5], angle=0, mass=2, inertia=0.1)
    alone.surface("base", body="block", shape="box", size=[1, 1])
    alone.surface("floor", body="ground", shape="plane", normal=[0, 1])
    alone.contact("floor", between=["base", "floor"], friction=0.4)
    columns = alone.simulate(0, 0.2, step=0.1).columns
    assert columns.column("floor.normal").unique
    assert columns.column("floor.friction").unique  # the sum of both corners is
