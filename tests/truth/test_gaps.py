"""Gaps of mechanisms that cannot close are geometry: triangles say how far points stay apart and where drivers end.

A chain of links of lengths b and c over a distance r lacks r − b − c. The gap is the same however the mechanism is
drawn, turned or shifted, and in every unit.
"""

import math

import numpy as np
import pytest

import mubo
from mubo.solvers.assembly.closest_position import OpenMechanism

LACKING, CRANK, COUPLER, GROUND = 0.088, 1.0, 2.0, 3.0


def plate(angle, turn=0.0, at=(0.0, 0.0), size=1.0, unit="m"):
    """Pins 1.3 apart on ground pins 1.0 apart, drawn at an angle; all turned and shifted."""
    model = mubo.Model("plate", {"length": unit})
    x, y = at
    model.ground.point("B", (x, y))
    model.ground.point("D", (x + size * math.cos(turn), y + size * math.sin(turn)))
    model.body("plate", (x + 0.1 * size, y), angle + turn, {"B": (0, 0), "D": (1.3 * size, 0)})
    model.revolute("B", "ground.B", "plate.B")
    model.revolute("D", "ground.D", "plate.D")
    return model


@pytest.mark.parametrize("degrees", [0, 5, 35, 90, 133, -70])
def test_a_plate_of_wrong_spread_lacks_the_difference_however_it_is_drawn(degrees):
    error = plate(math.radians(degrees)).check().error
    assert isinstance(error, mubo.RedundancyError)
    assert str(error).startswith("joints B and D contradict each other by 0.3 m\n")
    assert error.numbers["gap"] == pytest.approx(0.3, rel=1e-9)


@pytest.mark.parametrize(("turn", "at"), [(0.0, (0, 0)), (0.6, (0, 0)), (2.3, (7, -4)), (-1.57, (-100, 30))])
def test_the_gap_is_the_same_turned_and_shifted(turn, at):
    assert plate(0.6, turn, at).check().gap == pytest.approx(0.3, rel=1e-8)


@pytest.mark.parametrize(("unit", "size"), [("m", 1.0), ("mm", 1e3), ("km", 1e-3)])
def test_the_gap_is_the_same_length_in_every_unit(unit, size):
    report = plate(0.6, 0.3, size=size, unit=unit).check()
    assert report.gap == pytest.approx(0.3 * size, rel=1e-9)
    assert f"closure       open by {0.3 * size:g} {unit} at joint D" in str(report)


def four_bar(turn=0.0, at=(0.0, 0.0), size=1.0, unit="m"):
    """With the crank at 180 degrees coupler and rocker lack 0.088 to span the distance of 4."""
    rocker = CRANK + GROUND - COUPLER - LACKING

    def place(x, y):
        c, s = math.cos(turn), math.sin(turn)
        return at[0] + size * (c * x - s * y), at[1] + size * (s * x + c * y)

    degrees = math.degrees(turn)
    model = mubo.Model("four bar", {"length": unit, "angle": "deg"})
    model.ground.point("A", place(0, 0))
    model.ground.point("D", place(GROUND, 0))
    model.body("crank", place(0, 0), degrees + 180, {"A": (0, 0), "B": (CRANK * size, 0)})
    model.body("coupler", place(-CRANK, 0), degrees + 20, {"B": (0, 0), "C": (COUPLER * size, 0)})
    model.body("rocker", place(GROUND, 0), degrees + 120, {"D": (0, 0), "C": (rocker * size, 0)})
    for name, first, second in (("A", "ground", "crank"), ("B", "crank", "coupler"), ("C", "coupler", "rocker")):
        model.revolute(name, f"{first}.{name}", f"{second}.{name}")
    model.revolute("D", "ground.D", "rocker.D")
    model.driver("motor", "crank.phi", repr(degrees + 180))
    return model


@pytest.mark.parametrize(
    ("turn", "at", "size", "unit"),
    [(0, (0, 0), 1, "m"), (0, (0, 0), 1e3, "mm"), (0.7, (3, -2), 1, "m"), (2.1, (30, 5), 1e3, "mm")],
)
def test_a_loop_that_is_too_short_lacks_what_it_lacks(turn, at, size, unit):
    """The crank's end of range follows from the triangle of ground, crank and the stretched coupler and rocker."""
    error = four_bar(turn, at, size, unit).check().error
    assert isinstance(error, mubo.AssemblyError)
    assert f"stays open by {LACKING * size:g} {unit} while the rest closes" in str(error)
    stretched = CRANK + GROUND - LACKING
    end = math.degrees(math.acos((CRANK**2 + GROUND**2 - stretched**2) / (2 * CRANK * GROUND)))
    asked, low, high = _range_of(str(error))
    middle = math.degrees(turn) + 360 * round((low + high) / 2 / 360 - turn / 2 / math.pi)
    assert asked == pytest.approx(math.degrees(turn) + 180, abs=1e-3)
    assert (low - middle, high - middle) == pytest.approx((-end, end), abs=2e-3)


def _range_of(text):
    line = next(line for line in text.splitlines() if "can reach" in line)
    words = line.replace(" and can reach", "").replace("−", "-").split(" asks for ")[1].split(" ")
    return float(words[0]), float(words[2]), float(words[4])


@pytest.mark.parametrize("cylinder", [False, True], ids=["distance", "slide"])
def test_a_ram_that_is_asked_to_be_too_short(cylinder):
    """Pins 1638.28 and 600 from the boom's: the ram's length lies between the difference and the sum."""
    base, arm = 1638.28, 600.0
    model = mubo.Model("ram", {"length": "mm", "angle": "deg"})
    model.ground.point("O", (0, 0))
    model.ground.point("N", (-base, 0))
    model.body("boom", (0, 0), 60, {"O": (0, 0), "M": (arm, 0)})
    model.revolute("O", "ground.O", "boom.O")
    if cylinder:
        model.body("cylinder", (-base, 0), 20, {"N": (0, 0)})
        model.body("rod", (300, 500), 20, {"M": (0, 0)})
        model.revolute("N", "ground.N", "cylinder.N")
        model.revolute("M", "boom.M", "rod.M")
        model.translational("S", "cylinder.N", "rod.M", axis=(1, 0), angle=0)
    model.driver("ram", "S" if cylinder else ("ground.N", "boom.M"), "900")
    error = model.check().error
    assert f"stays open by {base - arm - 900:.4g} mm" in str(error)
    assert f"driver ram asks for 900 mm and can reach {base - arm:g} to {base + arm:g} mm" in str(error)


def test_a_massless_rod_that_is_too_long():
    """A rod from the ground to the end of a crank of 1 whose pin is 3 away: 2 to 4 would do."""
    model = mubo.Model("rod")
    model.ground.point("O", (0, 0))
    model.ground.point("G", (3, 0))
    model.body("arm", (0, 0), 0.5, {"O": (0, 0), "P": (1, 0)})
    model.revolute("O", "ground.O", "arm.O")
    model.joint("rod", "distance", "ground.G", "arm.P", length=4.5)
    error = model.check().error
    assert "stays open by 0.5 " in str(error)
    assert "joint rod asks for 4.5 and can reach 2 to 4" in str(error)


def test_a_trammel_that_is_asked_to_go_beyond_its_rod():
    """A rod of 2 between a slide on the x axis and one that is driven along the y axis: |y| is at most 2."""
    model = mubo.Model("trammel")
    model.ground.point("O", (0, 0))
    model.body("across", (1, 0), 0, {"P": (0, 0)})
    model.body("up", (0, 1.5), 0, {"Q": (0, 0)})
    model.body("rod", (1, 0), 2.2, {"P": (0, 0), "Q": (2, 0)})
    model.translational("X", "ground.O", "across.P", axis=(1, 0), angle=0)
    model.translational("Y", "ground.O", "up.Q", axis=(0, 1), angle=0)
    model.revolute("P", "across.P", "rod.P")
    model.revolute("Q", "up.Q", "rod.Q")
    model.driver("lift", "Y", "3")
    error = model.check().error
    assert error.numbers["gap"] == pytest.approx(1.0, rel=1e-9)
    assert "driver lift asks for 3 and can reach −2 to 2" in str(error)


def test_a_ram_whose_other_end_has_no_limit():
    """A slide on the x axis, and a ram from a point 2 beside it: at least 2, and as long as one likes."""
    model = mubo.Model("endless")
    model.ground.point("O", (0, 0))
    model.ground.point("N", (0, 2))
    model.body("slide", (1, 0), 0, {"P": (0, 0)})
    model.translational("X", "ground.O", "slide.P", axis=(1, 0), angle=0)
    model.driver("ram", ("ground.N", "slide.P"), "1.5")
    error = model.check().error
    assert error.numbers["gap"] == pytest.approx(0.5, rel=1e-9)
    assert "driver ram asks for 1.5 and can reach 2 and more" in str(error)


def test_the_first_group_that_cannot_close_is_named():
    """A good four-bar carries a dyad that is too short: neither the four-bar nor what hangs on the dyad is blamed."""
    model = mubo.Model("six bar")
    for name, x in (("A", 0), ("D", 3), ("G", 9)):
        model.ground.point(name, (x, 0))
    model.body("crank", (0, 0), 1.0, {"A": (0, 0), "B": (1, 0)})
    model.body("coupler", (0.5, 0.8), 0.3, {"B": (0, 0), "C": (3, 0)})
    model.body("rocker", (3, 0), 1.5, {"D": (0, 0), "C": (2, 0)})
    model.body("link", (3, 2), 0.0, {"C": (0, 0), "E": (1, 0)})
    model.body("lever", (9, 0), 2.5, {"G": (0, 0), "E": (1, 0), "F": (0.5, 0.5)})
    model.body("tail", (9, 1), 2.5, {"F": (0, 0)})
    for name, first, second in (
        ("A", "ground", "crank"),
        ("B", "crank", "coupler"),
        ("C", "coupler", "rocker"),
        ("D", "ground", "rocker"),
        ("E", "link", "lever"),
        ("G", "ground", "lever"),
        ("F", "lever", "tail"),
    ):
        model.revolute(name, f"{first}.{name}", f"{second}.{name}")
    model.revolute("H", "rocker.C", "link.C")
    model.driver("motor", "crank.phi", "1")
    model.driver("spin", "tail.phi", "2.5")
    error = model.check().error
    assert "joints E, G and H place link and lever" in str(error)
    # C by the intersection of the circles about B (radius 3) and D (radius 2), the upper one
    B, D = np.array([math.cos(1), math.sin(1)]), np.array([3.0, 0.0])
    r = float(np.linalg.norm(D - B))
    along = (r**2 + 9 - 4) / (2 * r)
    u = (D - B) / r
    C = B + along * u + math.sqrt(9 - along**2) * np.array([-u[1], u[0]])
    assert error.numbers["gap"] == pytest.approx(float(np.linalg.norm(np.array([9, 0]) - C)) - 2, rel=1e-9)


def test_two_drivers_of_one_freedom_differ_by_what_the_triangle_says():
    """Equal cranks turn alike: the second driver asks for 0.25 rad more than it gets."""
    model = mubo.Model("parallelogram", {"angle": "deg"})
    for name, x in (("A", 0), ("B", 2)):
        model.ground.point(name, (x, 0))
        model.body(name, (x, 0), 60, {"O": (0, 0), "C": (1, 0)})
        model.revolute(name, f"ground.{name}", f"{name}.O")
    model.body("coupler", (0.5, 0.8), 0, {"A": (0, 0), "B": (2, 0)})
    for name in "AB":
        model.revolute(f"C{name}", f"{name}.C", f"coupler.{name}")
    model.driver("first", "A.phi", "60")
    model.driver("second", "B.phi", "75")
    error = model.check().error
    assert "drivers first and second contradict each other by 15 deg" in str(error)
    assert "Suggested fix (tested): remove driver second" in str(error)


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_where_the_bending_of_a_gap_is_no_number_the_search_ends(value, monkeypatch):
    """Products of finite numbers may not be: what was reached is told, with its joints."""
    monkeypatch.setattr(
        OpenMechanism, "_curvature", lambda self, q, phi, A, slope, Z: np.full((Z.shape[1],) * 2, value)
    )
    error = plate(0.6).check().error
    assert isinstance(error, mubo.MuboError)
    assert "joints B and D" in str(error)
