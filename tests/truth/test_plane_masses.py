"""Masses of planar bodies: textbook solids by formula, polygons by a second formula, and what is refused."""

import dataclasses
import math

import numpy as np
import pytest

import mubo
from mubo.errors import ModelError
from mubo.geometry.polygons import hull, moments


def whole(**fields):
    model = mubo.Model("part", units=fields.pop("units", None))
    model.body("part", **fields)
    return model.bodies["part"].whole


def test_a_bar_between_two_points():
    points = {"A": (0.1, 0.2), "B": (0.4, 0.6)}  # 0.5 long
    bar = whole(points=points, mass=3, shape={"kind": "bar", "between": ["A", "B"]})
    assert (bar.mass, bar.center) == (3, pytest.approx((0.25, 0.4)))
    assert bar.inertia == pytest.approx((3 * 0.25 / 12,))
    shape = {"kind": "bar", "between": ["A", "B"], "width": 0.04, "thickness": "10 mm"}
    wide = whole(points=points, density="7850 kg/m^3", shape=shape, units={"length": "m"})
    assert wide.mass == pytest.approx(7850 * 0.5 * 0.04 * 0.01)
    assert wide.inertia == pytest.approx((wide.mass * (0.25 + 0.0016) / 12,))


def test_a_bar_by_its_length_sits_at_the_centre_given():
    bar = whole(mass=2, center=(0.3, 0), shape={"kind": "bar", "length": 0.6, "width": 0.1})
    assert (bar.center, bar.inertia) == ((0.3, 0), pytest.approx((2 * (0.36 + 0.01) / 12,)))


def test_a_disc_at_a_point_or_at_the_origin():
    disc = {"kind": "disc", "radius": 0.2, "thickness": 0.01}
    wheel = whole(points={"O": (1, 2)}, density=8000, shape=disc | {"at": "O"})
    assert wheel.mass == pytest.approx(8000 * math.pi * 0.04 * 0.01)
    assert (wheel.center, wheel.inertia) == ((1, 2), pytest.approx((wheel.mass * 0.02,)))
    assert whole(mass=1, shape=disc).center == ()


def test_a_rectangular_plate():
    points = {"A": (1, 1), "B": (4, 1), "C": (4, 3), "D": (1, 3), "inside": (2, 2), "edge": (2, 1)}
    plate = whole(points=points, mass=5, shape={"kind": "plate"})
    assert plate.center == pytest.approx((2.5, 2))
    assert plate.inertia == pytest.approx((5 * (9 + 4) / 12,))
    thick = whole(points=points, density=2, shape={"kind": "plate", "thickness": 0.5})
    assert thick.mass == pytest.approx(2 * 6 * 0.5)


@pytest.mark.parametrize("seed", range(5))
def test_moments_of_a_hull_are_those_of_its_triangles(seed):
    """The hull cut into triangles from one corner: ∫ r² dA of a triangle about its centroid is A (a² + b² + c²)/36 of
    its sides, shifted by Steiner; far from the origin as well."""
    rng = np.random.default_rng(seed)
    ring = hull(rng.normal(size=(12, 2)) + rng.uniform(-1e3, 1e3, 2))
    triangles = [np.array([ring[0], ring[k], ring[k + 1]]) for k in range(1, len(ring) - 1)]
    areas = np.array([np.linalg.det(t[1:] - t[0]) / 2 for t in triangles])
    middles = np.array([t.mean(axis=0) for t in triangles])
    center = areas @ middles / areas.sum()
    sides = np.array([sum(np.sum((t[i] - t[i - 1]) ** 2) for i in range(3)) for t in triangles])
    polar = np.sum(areas * sides / 36 + areas * np.sum((middles - center) ** 2, axis=1))
    found = moments(ring)
    assert found.area == pytest.approx(areas.sum(), rel=1e-12)
    assert found.center == pytest.approx(center, rel=1e-13)
    assert found.polar == pytest.approx(polar, rel=1e-10)


def test_added_masses_join_the_shape():
    """A bar of 2 kg with 1 kg at its end: c = L/6 beyond the middle, I = mL²/12 + 2 (L/6)² + 1 (L/3)²."""
    points = {"A": (0, 0), "B": (1, 0)}
    bar = whole(points=points, mass=2, shape={"kind": "bar", "between": ["A", "B"]}, added_masses={"B": 1})
    assert (bar.mass, bar.center) == (3, pytest.approx((1 / 2 + 1 / 6, 0)))
    assert bar.inertia == pytest.approx((2 / 12 + 2 / 36 + 1 / 9,))


def test_mass_follows_points_that_change():
    model = mubo.Model("part")
    model.body("rod", points={"A": (0, 0), "B": (1, 0)}, mass=12, shape={"kind": "bar", "between": ["A", "B"]})
    longer = model.replace("rod.B", (2, 0)).bodies["rod"].whole
    assert (longer.center, longer.inertia) == (pytest.approx((1, 0)), pytest.approx((4.0,)))
    heavier = model.replace("rod.mass", 24).bodies["rod"].whole
    assert heavier.inertia == pytest.approx((2.0,))


def test_what_is_given_stands():
    bar = {"kind": "bar", "between": ["A", "B"]}
    points = {"A": (0, 0), "B": (1, 0)}
    measured = whole(points=points, mass=2, center=(0.4, 0.01), inertia=0.2, shape=bar)
    assert (measured.center, measured.inertia) == ((0.4, 0.01), (0.2,))
    assert whole(points=points).mass is None
    assert whole(mass=1).inertia is None


PART = """
[body.part]
points = {{ A = [0, 0], B = [2, 0], C = [1, 0] }}
{}
[joint.A]
type = "ground"
body = "part"
"""


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("shape = { kind = 'plate' }\nmass = 1", "not on a line; the body has A, B, C"),
        ("shape = { kind = 'box', a = 1, b = 1, c = 1 }\nmass = 1", 'there is no shape "box" in the plane'),
        ("shape = { kind = 'bar' }\nmass = 1", 'a bar has a "length", or stands "between" two points'),
        ("shape = { kind = 'bar', length = 1, between = ['A', 'B'] }", 'a bar has a "length", or stands "between"'),
        (
            "shape = { kind = 'bar', between = ['A', 'D'] }\nmass = 1",
            'the bar is at "D", which is no point of the body',
        ),
        ("shape = { kind = 'bar', between = ['A', 'B'] }\ndensity = 1", "a density needs a shape with a volume"),
        ("shape = { kind = 'disc', radius = 1 }\ndensity = 1", "plate, disc or link with thickness"),
        ("shape = { kind = 'disc' }\nmass = 1", 'a disc needs "radius"'),
        ("shape = { kind = 'disc', radius = -1 }\nmass = 1", "radius must be positive"),
        ("shape = { kind = 'disc', radius = 1, width = 1 }\nmass = 1", 'a disc has no "width"'),
        ("shape = { kind = 'disc', radius = 1 }\nmass = 1\ndensity = 1", 'give "mass" or "density"'),
        ("density = 1", "a density needs a shape"),
        ("shape = { kind = 'bar', between = ['A', 'B'] }\ncenter = [0.5, 0]\nmass = 1", "is 0.5 away from that of the"),
        ("mass = 1\nadded_masses = { D = 1 }", 'a mass is added at "D", which is no point of the body'),
    ],
)
def test_refused_with_the_cure(lines, words, tmp_path):
    path = tmp_path / "part.toml"
    path.write_text(PART.format(lines))
    with pytest.raises(ModelError) as told:
        mubo.load(path)
    assert words in str(told.value)
    assert "part" in str(told.value)


def test_written_and_read_again(tmp_path):
    model = mubo.Model("parts", units={"length": "mm"})
    points = {"A": (0, 0), "B": (30, 0), "C": (10, 20)}
    model.body("plate", points=points, density=2e-6, shape={"kind": "plate", "thickness": 5})
    model.body("bar", points=points, mass=1, shape={"kind": "bar", "between": ["A", "B"], "width": 2})
    model.body("rod", mass=1, shape={"kind": "bar", "length": "3 cm"})
    model.body("disc", points=points, mass=1, shape={"kind": "disc", "radius": 4, "at": "C"})
    for name in model.bodies:
        if name != "ground":
            model.joint(name, "ground", name)
    model.save(tmp_path / "parts.toml")
    again = mubo.load(tmp_path / "parts.toml")
    assert again == model
    for name, body in model.bodies.items():
        assert again.bodies[name].whole == body.whole


def test_bodies_without_mass_are_named_and_no_others():
    """A pendulum on a hanger: the note of a run of forces names the massless one, and goes away with its mass."""
    model = mubo.Model("pendulum", gravity=(0, -9.81))
    model.ground.point("O", (0, 0))
    model.body("hanger", points={"O": (0, 0), "P": (0, -1)})
    model.body("bob", position=(0, -1), points={"P": (0, 0)}, mass=1, inertia=0.1)
    model.revolute("O", "ground.O", "hanger.O")
    model.revolute("P", "hanger.P", "bob.P")
    model.driver("swing", "hanger.phi", "0.1*t")
    model.driver("turn", "bob.phi", "0.2*t")

    def notes():
        return [note for note in model.inverse(0, 1, 0.5).summary["warnings"] if "mass" in note]

    assert notes() == ["hanger has no mass"]
    model.bodies["hanger"] = dataclasses.replace(model.bodies["hanger"], mass=1.0, inertia=(0.1,))
    assert notes() == []


def test_a_body_that_cannot_rotate_needs_no_inertia():
    """A block on a rail with a spring along it: x = a cos(√(k/m) t) in both formulations and in linearisation."""
    model = mubo.Model("slide", gravity=(0, 0))
    model.ground.point("O", (0, 0))
    model.ground.point("W", (-1, 0))
    model.body("block", points={"P": (0, 0)}, mass=2)
    model.translational("rail", "ground.O", "block.P", axis=(1, 0), angle=0)
    model.force("s", "spring", "ground.W", "block.P", stiffness=50, length=1)
    model.initial("rail", 0.1)
    for formulation in ("tree", "absolute"):
        run = model.simulate(0, 1, 0.1, formulation=formulation)
        np.testing.assert_allclose(run["rail.q"], 0.1 * np.cos(5 * run["t"]), atol=1e-8)
    assert model.linearize(about="position").modes[0].frequency == pytest.approx(5 / (2 * np.pi))
    model.body("arm", points={"P": (0, 0)}, mass=1)
    model.revolute("pin", "block.P", "arm.P")
    with pytest.raises(
        mubo.ModelError, match=r"body arm has mass and can rotate, but has no moment of inertia: write inertia = 0"
    ):
        model.simulate(0, 1, 0.1)


def parallelogram(rocker: float) -> mubo.Model:
    """Two cranks of length 0.3 and masses 1 on pins 0.5 apart, a coupler of mass 2 without inertia; released."""
    model = mubo.Model("parallelogram", gravity=(0, -9.81))
    start = (0.3 * math.cos(-1.0), 0.3 * math.sin(-1.0))
    model.body("coupler", start, points={"B0": (0, 0), "B1": (0.5, 0)}, mass=2, center=(0.2, 0.1))
    for k, length in enumerate((0.3, rocker)):
        model.ground.point(f"A{k}", (0.5 * k, 0))
        ends = {"A": (0, 0), "B": (length, 0)}
        model.body(f"crank{k}", (0.5 * k, 0), -1.0, ends, mass=1, inertia=0.01, center=(0.1, 0))
        model.revolute(f"A{k}", f"ground.A{k}", f"crank{k}.A")
        model.revolute(f"B{k}", f"crank{k}.B", f"coupler.B{k}")
    return model


@pytest.mark.parametrize("formulation", ["tree", "absolute"])
def test_a_coupler_that_is_only_shifted_needs_no_inertia(formulation):
    """All points of the coupler move on circles of radius r: (2 (J + m c²) + M r²) φ″ = −(2 m c + M r) g cos φ, whose
    energy ½ I φ′² + (2 m c + M r) g sin φ stays; with J = 0.01, c = 0.1, m = 1, M = 2, r = 0.3."""
    run = parallelogram(0.3).simulate(0, 1, 0.05, formulation=formulation)
    inertia, weight = 2 * (0.01 + 0.01) + 2 * 0.09, (0.2 + 0.6) * 9.81
    energy = 0.5 * inertia * run["crank0.omega"] ** 2 + weight * np.sin(run["crank0.phi"])
    np.testing.assert_allclose(energy, weight * math.sin(-1.0), rtol=1e-8)
    np.testing.assert_allclose(run["coupler.phi"], 0, atol=1e-9)


def test_a_coupler_that_rotates_needs_its_inertia():
    with pytest.raises(mubo.ModelError, match="body coupler has mass and can rotate, but has no moment of inertia"):
        parallelogram(0.35).simulate(0, 1, 0.05)
