"""Pareto fronts against closed forms: a slider-crank's rod and transmission, the hollow front of Fonseca and Fleming,
the eighth of a sphere of Deb and others (DTLZ2), and choices against all of their combinations."""

import math
from pathlib import Path

import numpy as np
import pytest

import mubo
from mubo.design.pareto.search import dominated, lattice

EXAMPLE = Path(__file__).parents[2] / "examples" / "parameters.toml"
CRANK = 0.1


def slider_crank(**parameters):
    """A crank of 0.1, a rod of length b and a slide at the height e."""
    model = mubo.Model("slider crank", units={"length": "m", "angle": "deg", "time": "s"})
    for name, value in {"b": 0.35, "e": 0.02, **parameters}.items():
        model.parameter(name, value)
    model.ground.point("A", (0, 0))
    model.ground.point("S", (0, "e"))
    model.body("crank", angle=0, points={"A": (0, 0), "B": (CRANK, 0)})
    model.body("rod", position=(CRANK, 0), angle=3, points={"B": (0, 0), "C": ("b", 0)})
    model.body("slide", position=(CRANK + 0.35, 0.02), points={"C": (0, 0)})
    model.revolute("A", "ground.A", "crank.A")
    model.revolute("B", "crank.B", "rod.B")
    model.revolute("C", "rod.C", "slide.C")
    model.translational("guide", "ground.S", "slide.C", axis=(1, 0), angle=0)
    model.driver("motor", "crank.phi", "360*t")
    model.analysis = mubo.model.Analysis("kinematics", {"start": 0.0, "end": 1.0, "step": 0.05})
    return model


def test_a_slider_crank_of_short_rod_and_good_transmission():
    """The rod is least steep with the slide at the crank's height: e = 0, cos μ = a/b."""
    front = slider_crank().pareto(
        {"b": [0.2, 0.5], "e": [0.0, 0.05]}, minimize="b", maximize="transmission", designs=5, starts=1, workers=1
    )
    assert len(front) == 5
    assert front["b"][[0, -1]] == pytest.approx([0.2, 0.5], rel=1e-6)
    mu = np.degrees(np.arccos(CRANK / front["b"]))
    assert front["transmission"] == pytest.approx(mu, rel=1e-5)
    assert np.max(np.abs(front["e"])) < 1e-5
    assert all(design.proof.holds for design in front.designs)


FONSECA = [f"1 - exp(-(x {sign} 1/sqrt(2))^2 - (y {sign} 1/sqrt(2))^2)" for sign in "-+"]


def test_a_hollow_front_is_found_and_evenly(tmp_path):
    """Fonseca and Fleming (1995): f₂ = 1 − exp(−(2 − √(−ln(1 − f₁)))²), of which a weighted sum has the ends alone."""
    model = slider_crank(x=0.3, y=-0.2)
    front = model.pareto({"x": [-2, 2], "y": [-2, 2]}, minimize=FONSECA, designs=6, starts=1, workers=1, start=0, end=0)
    first, second = (front[text] for text in FONSECA)
    assert len(front) == 6
    assert second == pytest.approx(1 - np.exp(-((2 - np.sqrt(-np.log(1 - first))) ** 2)), abs=1e-5)
    assert front["x"] == pytest.approx(front["y"], abs=1e-3)
    along = np.hypot(np.diff(first), np.diff(second))
    assert along.max() < 1.6 * along.min()
    assert front.save(tmp_path / "designs")[-1].endswith("front.csv")
    with pytest.warns(UserWarning, match="nothing uses this parameter"):
        again = mubo.load(tmp_path / "designs" / "design_3.toml")
    assert again.parameters["x"].value == pytest.approx(front["x"][2], rel=1e-12)


def test_three_goals_on_a_sphere():
    """DTLZ2 (Deb, Thiele, Laumanns and Zitzler 2002): the front is Σf² = 1 in the positive octant, where z = 1/2."""
    goals = [
        "(1 + (z - 0.5)^2)*cos(u*pi/2)*cos(v*pi/2)",
        "(1 + (z - 0.5)^2)*cos(u*pi/2)*sin(v*pi/2)",
        "(1 + (z - 0.5)^2)*sin(u*pi/2)",
    ]
    model = slider_crank(u=0.4, v=0.6, z=0.3)
    vary = {key: [0.0, 1.0] for key in "uvz"}
    front = model.pareto(vary, minimize=goals, designs=6, starts=1, workers=1, start=0, end=0)
    found = np.array([front[text] for text in goals])
    assert 4 <= len(front) <= 6
    assert np.sum(found**2, axis=0) == pytest.approx(np.ones(len(front)), abs=1e-4)


def test_what_is_dominated():
    goals = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5], [0.6, 0.6], [0.5, 0.5]])
    assert dominated(goals, np.ones(2)).tolist() == [False, False, False, True, True]
    assert lattice(3, 10).shape == (10, 3)  # ten points in a triangle of side three


@pytest.mark.parametrize(
    ("goals", "words"),
    [
        ({"minimize": "mass"}, "two or more different goals; found mass"),
        ({"minimize": ["mass", "mass"]}, "two or more different goals"),
        ({"minimize": ["mass"], "maximize": ["stroke of Z"]}, "no output is called so"),
    ],
    ids=str,
)
def test_goals_that_make_no_front_are_refused(goals, words):
    with pytest.raises(mubo.ModelError, match=words):
        mubo.load(EXAMPLE).pareto({"c": [0.1, 0.12]}, starts=1, workers=1, **goals)


def swing(a, c, d):
    """Of the rocker of parameters.toml, whose coupler is three times the crank, in degrees."""
    ends = [math.acos((c**2 + d**2 - (3 * a + s * a) ** 2) / (2 * c * d)) for s in (1, -1)]
    return math.degrees(ends[0] - ends[1])


def test_the_best_of_all_combinations_of_choices(tmp_path):
    """Of stock lengths for rocker and ground, all combinations by the law of cosines."""
    stock = [0.1, 0.11, 0.115, 0.125, 0.14]
    (tmp_path / "stock.csv").write_text("c,d\n" + "\n".join(f"{c:g},{d}" for c in stock for d in stock))
    target = 47.0
    best = min(((c, d) for c in stock for d in stock), key=lambda pair: abs(swing(0.04, *pair) - target))
    model = mubo.load(EXAMPLE)
    by_lists = {"choices": {"c": stock, "d": stock}}
    by_table = {"choices": f"@{tmp_path / 'stock.csv'}"}
    for choices in (by_lists, by_table):
        found = model.optimize(fit={"swing": f"{target} deg"}, starts=3, workers=1, start=0, end=1, step=0.1, **choices)
        assert (found.parameters["c"][1], found.parameters["d"][1]) == best
        assert found.numbers["swing"][1] == pytest.approx(swing(0.04, *best), rel=1e-9)


def test_what_varies_is_best_for_the_chosen_length():
    """Of three stock lengths of the ground, the lightest crank, of mass 2 (4a + c), for a swing of 50 deg."""
    model = mubo.load(EXAMPLE)
    found = model.optimize(
        {"a": [0.03, 0.05]}, minimize="mass", constraints=["swing >= 50 deg"], choices={"d": [0.11, 0.12, 0.13]},
        starts=3, workers=1, start=0, end=1, step=0.1,
    )  # fmt: skip
    from scipy.optimize import brentq

    cranks = {d: brentq(lambda a, d=d: swing(a, 0.11, d) - 50, 0.03, 0.05) for d in (0.11, 0.12, 0.13)}
    best = min(cranks, key=cranks.get)
    assert found.parameters["d"][1] == best
    assert found.parameters["a"][1] == pytest.approx(cranks[best], rel=1e-6)
    assert set(found.sensitivities["mass"]) == {"a"}  # there is nothing between two choices


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"a": [0.03, 0.04]}, "a varies between bounds too"),
        ({"e": [1, 2]}, 'there is no parameter "e"'),
        ({"d": [0.12]}, "d = 0.12 is the only value"),
        ({"d": []}, "choices are values of parameters"),
        ("bearings.csv", '"@bearings.csv"'),
        ("@nowhere.csv", "there is no table of variants"),
    ],
    ids=str,
)
def test_choices_that_are_none_are_refused(choices, words):
    with pytest.raises(mubo.ModelError, match=words):
        mubo.load(EXAMPLE).optimize({"a": [0.03, 0.05]}, minimize="mass", choices=choices, starts=1, workers=1)


def test_choices_are_read_and_written_with_the_model(tmp_path):
    text = EXAMPLE.read_text() + '\n[optimize]\nminimize = "mass"\nchoices = [{ d = [0.12, 0.14] }, "@c.csv"]\n'
    (tmp_path / "model.toml").write_text(text)
    (tmp_path / "c.csv").write_text("c\n0.1\n0.105\n")
    model = mubo.load(tmp_path / "model.toml")
    found = model.optimize(starts=1, workers=1, start=0, end=1, step=0.1)
    assert found.parameters["c"][1] == 0.1
    found.save(tmp_path / "better.toml")
    assert mubo.load(tmp_path / "better.toml").build().optimization.choices == ({"d": [0.12, 0.14]}, "@c.csv")
