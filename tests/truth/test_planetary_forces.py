"""Tooth and bearing forces of a planetary gear by free bodies: sun 20, planet 10, ring 40, all pinned to the frame.

A torque −T brakes the arm; the sun drives. With F the force of the sun's teeth, T = 2 F · 30 (both meshes push the
planet alike, so that its pin carries 2F at the arm's radius 30), the motor gives 20 F and the ring is held with 40 F.
"""

import numpy as np
import pytest

import mubo

TORQUE, SUN, PLANET, RING = 3.0, 0.020, 0.010, 0.040
ARM = SUN + PLANET
TOOTH = TORQUE / (2 * ARM)
FRAMES = {
    "the frame is the ring": {},
    "the ring is welded to the frame": {"ring": "weld"},
    "the ring turns on its own pin and is held": {"ring": "pin"},
    "one pin of three": {"composite": True},
    "the wheels stand on another body of the frame": {"frame": "base"},
    "the arm stands on a body of the frame that is turned": {"turned": True},
    "the planet's pin is on a bracket welded to the arm": {"bracket": ("arm", "bracket")},
    "the same, the weld written the other way": {"bracket": ("bracket", "arm")},
}


def _seen(vector, turn):
    """A vector in axes that are turned counter-clockwise."""
    c, s = np.cos(turn), np.sin(turn)
    return c * vector[0] + s * vector[1], c * vector[1] - s * vector[0]


def _beside(model, bracket, turn=0.7):
    """A body turned against the arm and welded to it at K, with the planet's axis C."""
    at = _seen((ARM - 0.01, -0.005), turn)  # from K, in its own axes
    model.body("bracket", position=(0.01, 0.005), angle=turn, points={"K": (0, 0), "C": at})
    model.joint("weld", "fixed", *(f"{end}.K" for end in bracket), angle=turn if bracket[0] == "arm" else -turn)


def _gear(ring="", composite=False, frame="ground", turned=False, bracket=()):
    model = mubo.Model("planetary gear", units={"length": "m", "angle": "rad"})
    if frame == "ground":
        model.ground.point("O", (0, 0))
        model.ground.point("W", (0.05, 0))
    else:
        model.body(frame, points={"O": (0.1, 0), "W": (0.15, 0)}, position=(-0.1, 0))
        model.joint("still", "ground", frame)
    for name in ("sun", "arm"):
        model.body(name, points={"O": (0, 0), "C": (ARM, 0), "K": (0.01, 0.005)})
    model.body("planet", position=(ARM, 0), points={"C": (0, 0)})
    if composite:
        model.revolute("shafts", f"{frame}.O", "sun.O", "arm.O")
    else:
        model.revolute("sun_shaft", f"{frame}.O", "sun.O")
        stand = "stand" if turned else frame
        if turned:
            model.body(stand, position=(0.2, 0.1), angle=0.5, points={"O": _seen((-0.2, -0.1), 0.5)})
            model.joint("still", "ground", stand)
        model.revolute("arm_shaft", f"{stand}.O", "arm.O")
    if bracket:
        _beside(model, bracket)
    model.revolute("pin", "bracket.C" if bracket else "arm.C", "planet.C")
    outer = "ground"
    if ring:
        outer = "ring"
        turn = 0.6 if ring == "weld" else 0.0
        at = (0.05 * np.cos(turn), -0.05 * np.sin(turn))
        model.body("ring", angle=turn, points={"O": (0, 0), "W": at})
        if ring == "weld":
            model.joint("weld", "fixed", f"{frame}.W", "ring.W", angle=turn)
        else:
            model.revolute("ring_shaft", f"{frame}.O", "ring.O")
            model.driver("hold", "ring_shaft", 0.0)
    model.joint("sun_mesh", "gears", "sun", "planet", radii=(SUN, PLANET), carrier="arm", pressure_angle=0)
    model.joint(
        "ring_mesh", "gears", "planet", outer, radii=(PLANET, RING), mesh="internal", carrier="arm", pressure_angle=0
    )
    model.driver("motor", "sun.phi", "2*t")
    model.force("brake", "body_torque", "arm", torque=-TORQUE)
    return model.inverse(0, 1, step=0.25)


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_bearings_carry_the_tooth_forces(frame):
    run = _gear(**frame)
    sun, arm = ("shafts", "shafts") if frame.get("composite") else ("sun_shaft", "arm_shaft")
    np.testing.assert_allclose(run["motor.effort"], TOOTH * SUN, rtol=1e-12)
    for column, size in {
        "sun_mesh.on_planet.f": TOOTH,
        f"ring_mesh.on_{'ring' if 'ring' in frame else 'ground'}.f": TOOTH,
        "pin.on_planet.f": 2 * TOOTH,
        f"{sun}.on_sun.f": TOOTH,
        f"{arm}.on_arm.f": 2 * TOOTH,
    }.items():
        np.testing.assert_allclose(run[column], size, rtol=1e-11, err_msg=column)
    # Across the arm, in the sense in which it turns: both meshes push the planet on, its pin holds it back.
    angle = run["arm.phi"]
    across = -np.sin(angle) * run[f"{arm}.on_arm.fx"] + np.cos(angle) * run[f"{arm}.on_arm.fy"]
    np.testing.assert_allclose(across, -2 * TOOTH, rtol=1e-11)
    np.testing.assert_allclose(run["shaking.m"], -TORQUE, rtol=1e-11)  # the frame holds all of it against the brake
    assert run.summary["newton_euler"]["largest"] < 1e-12
    assert not any("lack its force" in note for note in run.summary["warnings"])


def test_the_weld_of_the_ring_carries_force_and_moment():
    """On the ring: F by the planet at 40 along the arm, so that its weld at (50, 0) feels −F and r × −F about it."""
    run = _gear(ring="weld")
    angle = run["arm.phi"]
    on_ring = -TOOTH * np.stack([-np.sin(angle), np.cos(angle)])  # the planet pushes the ring back
    np.testing.assert_allclose([run["weld.on_ring.fx"], run["weld.on_ring.fy"]], -on_ring, atol=1e-10)
    at = RING * np.stack([np.cos(angle), np.sin(angle)]) - np.array([[0.05], [0.0]])
    moment = at[0] * on_ring[1] - at[1] * on_ring[0]
    np.testing.assert_allclose(run["weld.on_ring.m"], -moment, atol=1e-11)


def test_a_ring_held_on_its_own_pin_takes_its_torque():
    run = _gear(ring="pin")
    np.testing.assert_allclose(run["hold.effort"], TOOTH * RING, rtol=1e-11)
    np.testing.assert_allclose(run["ring_shaft.on_ring.f"], TOOTH, rtol=1e-11)


@pytest.mark.parametrize("place", [(1, 1), (0, 0)])
def test_wheels_without_two_axes_on_the_carrier_say_that_pins_lack_the_pull(place):
    """The second wheel turns about a pin that is not where the arm's is, or both about one: no place for the force."""
    model = mubo.Model("loose")
    model.ground.point("O", (0, 0))
    model.ground.point("Q", place)
    for name, at in (("first", "O"), ("arm", "O"), ("second", "Q")):
        model.body(name, points={"C": (0, 0)}, position=(0, 0) if at == "O" else place)
        model.revolute(f"{name}_pin", f"ground.{at}", f"{name}.C")
    model.joint("mesh", "gears", "first", "second", radii=(1, 1), carrier="arm", pressure_angle=0)
    model.driver("motor", "first.phi", "t")
    model.driver("hold", "arm.phi", 0.0)
    run = model.inverse(0, 1, step=0.5)
    assert any("gear pair mesh" in note and "lack its force" in note for note in run.summary["warnings"])


def test_three_planets_share_what_no_equilibrium_divides():
    """Ratios of two planets repeat that of the first: tooth forces are indeterminate, and of least norm alike."""
    count = 3
    model = mubo.Model("three planets", units={"length": "m", "angle": "rad"})
    model.ground.point("O", (0, 0))
    places = {f"C{k}": ARM * np.array([np.cos(k * 2.1), np.sin(k * 2.1)]) for k in range(count)}
    model.body("sun", points={"O": (0, 0)})
    model.body("arm", points={"O": (0, 0), **places})
    model.revolute("sun_shaft", "ground.O", "sun.O")
    model.revolute("arm_shaft", "ground.O", "arm.O")
    for k in range(count):
        model.body(f"planet{k}", position=places[f"C{k}"], points={"C": (0, 0)})
        model.revolute(f"pin{k}", f"arm.C{k}", f"planet{k}.C")
        model.joint(f"sun_mesh{k}", "gears", "sun", f"planet{k}", radii=(SUN, PLANET), carrier="arm", pressure_angle=0)
        ring = {"radii": (PLANET, RING), "mesh": "internal", "carrier": "arm", "pressure_angle": 0}
        model.joint(f"ring_mesh{k}", "gears", f"planet{k}", "ground", **ring)
    model.driver("motor", "sun.phi", "2*t")
    model.force("brake", "body_torque", "arm", torque=-TORQUE)
    run = model.inverse(0, 1, step=0.25)
    np.testing.assert_allclose(run["motor.effort"], TOOTH * SUN, rtol=1e-11)
    assert run.columns.column("motor.effort").unique
    for name in ("sun_mesh0.on_planet0", "pin0.on_planet0", "sun_shaft.on_sun", "arm_shaft.on_arm"):
        assert not run.columns.column(f"{name}.f").unique, name
        assert not run.reaction(*name.split(".on_")).unique["fx"], name
    np.testing.assert_allclose(run["sun_mesh1.on_planet1.f"], TOOTH / count, rtol=1e-9)
    assert run.summary["newton_euler"]["largest"] < 1e-12
