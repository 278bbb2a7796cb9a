"""A start is on the branch of its estimates: led there by the driver, whatever the units, whole turns left out.

The pin of a four-bar is where two circles meet, on the side of the line between their centres that the drawing has it.
"""

import numpy as np
import pytest
from conftest import DATA

import mubo

CRANK, COUPLER, ROCKER, GROUND = 1.0, 3.0, 2.5, 3.5  # 1 + 3.5 < 3 + 2.5: the crank turns round, no side is ever left


def pin(angle, side):
    """B and C: C = B + d (k + i side h), d from B to the rocker's ground pin, k and h by the cosine rule."""
    b = CRANK * np.exp(1j * angle)
    d = GROUND - b
    k = (abs(d) ** 2 + COUPLER**2 - ROCKER**2) / (2 * abs(d) ** 2)
    return b, b + d * (k + 1j * side * np.sqrt(COUPLER**2 / abs(d) ** 2 - k**2))


def four_bar(drawn, law, side=1, size=1.0, turns=(0, 0, 0), lean=1.0):
    """Drawn with the crank at an angle; `lean` below 1 draws the pin C nearer to the line between its centres."""
    b, c = pin(drawn, side)
    d = GROUND - b
    c = b + d * complex(((c - b) / d).real, lean * ((c - b) / d).imag)
    model = mubo.Model("four-bar")
    model.ground.point("A", (0, 0))
    model.ground.point("D", (GROUND * size, 0))
    links = {"crank": (0, b, CRANK), "coupler": (b, c, COUPLER), "rocker": (GROUND, c, ROCKER)}
    for (name, (p, q, length)), whole in zip(links.items(), turns, strict=True):
        at, angle = complex(p) * size, float(np.angle(q - p)) + 2 * np.pi * whole
        model.body(name, (at.real, at.imag), angle, {"P": (0, 0), "Q": (length * size, 0)})
    model.revolute("A", "ground.A", "crank.P")
    model.revolute("B", "crank.Q", "coupler.P")
    model.revolute("C", "coupler.Q", "rocker.Q")
    model.revolute("D", "ground.D", "rocker.P")
    model.driver("motor", "crank.phi", law)
    return model


def pin_of(run, size=1.0):
    return (run["coupler.x"] + 1j * run["coupler.y"]) / size + COUPLER * np.exp(1j * run["coupler.phi"])


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("start", [0.3, 1.2, 2.5, 4.4, 40.0])
def test_a_later_start_is_led_to(start, side, size):
    """The same machine in millimetres, in metres and in kilometres."""
    run = four_bar(0.4, "0.4 + t", side, size).kinematics(start, start + 0.5, 0.1)
    np.testing.assert_allclose(pin_of(run, size), pin(0.4 + run["t"], side)[1], atol=1e-9)


@pytest.mark.parametrize("turns", [(1, 0, 0), (-1, 0, 0), (3, -2, 1), (0, 5, -5)])
@pytest.mark.parametrize("side", [1, -1])
def test_whole_turns_are_none_to_a_drawing(turns, side):
    run = four_bar(2.0, "2 + t", side, turns=turns).kinematics(0, 1, 0.25)
    assert run["crank.phi"][0] == pytest.approx(2, abs=1e-12)  # as its driver counts
    np.testing.assert_allclose(pin_of(run), pin(2.0 + run["t"], side)[1], atol=1e-9)


def test_a_rocker_that_cannot_turn_round_starts_a_whole_turn_off():
    """Driven at the rocker there is no way round: a lock lies on it."""
    model = four_bar(1.0, "0", 1)
    b, c = pin(1.0, 1)
    model.drivers.clear()
    model.driver("motor", "rocker.phi", f"{float(np.angle(c - GROUND)) - 2 * np.pi!r} + 0.01*t")
    run = model.kinematics(0, 0, 1)
    assert complex(run["coupler.x"][0], run["coupler.y"][0]) == pytest.approx(b, abs=1e-9)


@pytest.mark.parametrize("turns", [-1, 0, 1])
def test_the_fixed_angle_of_a_guide_counts_no_turns(turns):
    """A slider-crank whose block is drawn whole turns away from the angle that its guide gives it."""
    model = mubo.Model("slider-crank")
    model.ground.point("O", (0, 0))
    b = np.exp(1j * 2.2)
    x = b.real + np.sqrt(9 - b.imag**2)
    model.body("crank", (0, 0), 2.2, {"O": (0, 0), "B": (1, 0)})
    model.body("rod", (b.real, b.imag), float(np.angle(x - b)), {"B": (0, 0), "C": (3, 0)})
    model.body("block", (x, 0), 2 * np.pi * turns, {"C": (0, 0)})
    model.revolute("O", "ground.O", "crank.O")
    model.revolute("B", "crank.B", "rod.B")
    model.revolute("C", "rod.C", "block.C")
    model.translational("guide", "ground.O", "block.C", (1, 0), 0.0)
    model.driver("motor", "crank.phi", "2.2 + t")
    run = model.kinematics(0, 3, 0.5)
    angle = 2.2 + run["t"]
    np.testing.assert_allclose(run["block.x"], np.cos(angle) + np.sqrt(9 - np.sin(angle) ** 2), atol=1e-9)
    np.testing.assert_allclose(run["block.phi"], 0, atol=1e-12)


@pytest.mark.parametrize("side", [1, -1])
def test_two_branches_about_equally_near_are_told(side):
    """The pin drawn a fiftieth of its height from the line on which the two branches mirror each other."""
    runs = [four_bar(1.5, "1.5", side, lean=lean).kinematics(0, 0, 1) for lean in (0.02, 0.9)]
    told = [[note for note in run.summary["warnings"] if "equally near" in note] for run in runs]
    assert [len(notes) for notes in told] == [1, 0]
    assert told[0][0].startswith("two assembly modes are about equally near to the estimates")
    run = four_bar(1.5, "1.5", side, lean=0.02).kinematics(0, 0, 1)
    assert pin_of(run)[0] == pytest.approx(pin(1.5, side)[1], abs=1e-9)
    assert "about equally near" in str(four_bar(1.5, "1.5", side, lean=0.02).check())


def test_a_bar_behind_a_belt_stays_where_it_is_drawn_though_its_driver_is_a_turn_off():
    """A crank drawn a whole turn ahead takes the wheel of its belt round by 2π r₁/r₂; the bar that the wheel's arm
    slides through the crank's pin is drawn within a hundredth of where it closes, and its other branch is a radian off.
    """
    model = mubo.Model("belt")
    model.ground.point("g0", (-0.4525, -0.1553))
    model.ground.point("g1", (-2.2988, -4.1969))
    model.body("crank", (-2.0947, 2.1343), 4.2010, {"p": (1.1842, 2.5649), "q": (3.6708, 2.6272)})
    model.body("wheel", (-4.2659, -3.1717), -0.27576, {"p": (2.1720, -0.4508), "q": (3.4335, -0.5823)})
    model.body("bar", (-2.6205, -3.9124), 2.2707, {"p": (0.5871, 0.6851), "line": (1.6150, -1.1948)})
    model.revolute("A", "ground.g0", "crank.p")
    model.revolute("B", "ground.g1", "wheel.p")
    model.joint("belt", "belt", "crank", "wheel", radii=(1.48, 2.82), run="crossed")
    model.revolute("C", "wheel.q", "bar.p")
    model.joint("slot", "slot", "bar.line", "crank.q", axis=(-0.8774, -0.4798))
    model.driver("motor", "crank.phi", "-2.0814 - t")
    run = model.kinematics(0, 0, 1)
    assert run["wheel.phi"][0] == pytest.approx(-0.27576 + (4.2010 + 2.0814) * 1.48 / 2.82, abs=1e-3)
    assert run["bar.phi"][0] == pytest.approx(2.2707, abs=0.01)


def test_estimates_that_ask_a_ram_for_too_much_are_led_too():
    """What starts later begins where the motion from the drawing comes by: it locks nowhere before."""
    model = mubo.load(DATA / "starts" / "ram_beside_lock.toml")
    start = 0.272634214129362
    way = model.kinematics(0, start, start / 60)
    assert way.summary["status"] == "ok"
    later = model.kinematics(start, start + 0.001, 0.001)
    for column in way.columns:
        if column.endswith((".x", ".y")):
            assert later[column][0] == pytest.approx(way[column][-1], abs=1e-9), column
