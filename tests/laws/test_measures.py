"""Measures of every kind, in the plane and in space, are what their points say; their rates are their derivatives."""

import re

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

PLANE = {
    "gap": {"distance": ("P", "ground.D")},
    "bodies": {"angle": ("crank", "rocker")},
    "corner": {"angle": ("crank.A", "crank.B", "coupler.C")},
    "lines": {"angle": ("ground.A", "ground.D", "coupler.B", "P")},
    "column": {"of": "coupler.y"},
    "rate": {"of": "rocker.omega"},
    "formula": {"value": "gap*sin(bodies) + P.x^2/(1 + t) - min(P.y, 0.1)*cos(rocker.phi)"},
    "of_measures": {"value": "where(gap < 3, gap, 3) + formula/2"},
}
SPACE = {
    "gap": {"distance": ("crank.B", "ground.D")},
    "bodies": {"angle": ("crank", "rocker")},
    "corner": {"angle": ("ground.A", "crank.B", "rocker.C")},
    "lines": {"angle": ("ground.A", "crank.B", "ground.D", "rocker.C")},
    "column": {"of": "pin.z"},
    "joint": {"of": "D.q"},
    "formula": {"value": "gap*cos(corner)/(2 + sin(t)) + pin.x*pin.z/gap"},
}
PENDULUM = {
    "gap": {"distance": ("cross.left", "ground.O")},
    "corner": {"angle": ("ground.O", "cross.left", "right.end")},
    "bodies": {"angle": ("upper", "right")},
    "column": {"of": "cross.z"},
    "formula": {"value": "gap^2 - 2*t*exp(-corner)"},
}


def with_measures(model, measures):
    for name, what in measures.items():
        model.measure(name, **what)
    return model


def plane(units=None):
    model = mubo.load(EXAMPLES / "four_bar.toml")
    if units:
        changed = mubo.Model("four bar", units)
        changed.bodies, changed.joints, changed.points = dict(model.bodies), dict(model.joints), dict(model.points)
        changed.driver("motor", "crank.phi", "60 + 360*t")
        return with_measures(changed, PLANE)
    return with_measures(model, PLANE)


def space():
    return with_measures(mubo.load(EXAMPLES / "rssr.toml"), SPACE)


def chain():
    model = mubo.load(EXAMPLES / "five_body_chain.toml")
    return with_measures(model, PENDULUM)


RUNS = {
    "plane": lambda end, step: plane().kinematics(0, end, step),
    "degrees": lambda end, step: plane({"angle": "deg", "length": "mm"}).kinematics(0, end, step),
    "absolute": lambda end, step: plane().kinematics(0, end, step, formulation="absolute"),
    "space": lambda end, step: space().kinematics(0, end, step),
    "simulated": lambda end, step: chain().simulate(0, end, step),
}


STEP = 2.5e-4


def slope(y, h):
    """Of the fourth order."""
    return (y[:-4] - 8 * y[1:-3] + 8 * y[3:-1] - y[4:]) / (12 * h)


@pytest.mark.parametrize("which", RUNS)
def test_rates_of_measures_are_their_derivatives(which):
    run = RUNS[which](0.4, STEP)
    told = 0
    for column in run.columns.of_kind("measure"):
        rate = run.columns.derivative(column.name)
        if rate is None:
            continue
        y, d = run[column.name], run[rate]
        bends = 2 if column.owner in ("formula", "of_measures") else 0  # min and where have corners
        close = np.isclose(slope(y, STEP), d[2:-2], atol=1e-6 * np.max(np.abs(d)) + 1e-9, rtol=1e-5)
        assert np.sum(~close) <= 8 * bends, (column.name, np.flatnonzero(~close))
        told += 1
    assert told >= 9


def test_planar_measures_are_what_their_points_say():
    run = RUNS["degrees"](1, 0.002)
    c, phi = run["crank.phi"], run["rocker.phi"]
    B = [run["crank.x"] + np.cos(np.radians(c)), run["crank.y"] + np.sin(np.radians(c))]
    C = [run["coupler.x"] + 2 * np.cos(np.radians(run["coupler.phi"]))]
    C.append(run["coupler.y"] + 2 * np.sin(np.radians(run["coupler.phi"])))
    gap = np.hypot(run["P.x"] - 2.5, run["P.y"])
    assert np.allclose(run["gap"], gap)
    assert np.allclose(run["bodies"], phi - c)
    one = np.angle(-B[0] - 1j * B[1])  # from B to A, which is the origin
    two = np.angle(C[0] - B[0] + 1j * (C[1] - B[1]))
    assert np.allclose(np.exp(1j * np.radians(run["corner"])), np.exp(1j * (two - one)))
    assert np.max(np.abs(np.diff(run["corner"]))) < 5  # it goes on over 180 degrees
    line = np.angle(run["P.x"] - B[0] + 1j * (run["P.y"] - B[1]))
    assert np.allclose(np.exp(1j * np.radians(run["lines"])), np.exp(1j * line))
    assert np.allclose(run["rate"], run["rocker.omega"])
    t = run["t"]
    formula = gap * np.sin(np.radians(phi - c)) + run["P.x"] ** 2 / (1 + t)
    formula -= np.minimum(run["P.y"], 0.1) * np.cos(np.radians(phi))
    assert np.allclose(run["formula"], formula)
    assert np.allclose(run["of_measures"], np.minimum(gap, 3) + formula / 2)
    units = {name: run.unit(name) for name in ("gap", "gap.rate2", "bodies.rate", "rate", "rate.rate", "column")}
    assert units == {
        "gap": "mm", "gap.rate2": "mm/s^2", "bodies.rate": "deg/s", "rate": "deg/s", "rate.rate": "deg/s^2",
        "column": "mm",
    }  # fmt: skip


def test_spatial_measures_are_what_their_points_say():
    run = RUNS["space"](1, 0.002)
    model = run.model

    def at(reference):
        body, point = reference.split(".")
        s = np.array(model.bodies[body].points[point])
        if body == "ground":
            return s[None]
        w, x, y, z = (run[f"{body}.q{k}"] for k in "wxyz")
        # v' = v + 2 w (u × v) + 2 u × (u × v), the turn by a quaternion without its matrix
        u = np.stack([x, y, z], 1)
        turned = s + 2 * w[:, None] * np.cross(u, s) + 2 * np.cross(u, np.cross(u, s))
        return np.stack([run[f"{body}.{k}"] for k in "xyz"], 1) + turned

    def between(one, two):
        cosine = np.sum(one * two, 1) / np.linalg.norm(one, axis=1) / np.linalg.norm(two, axis=1)
        return np.degrees(np.arccos(cosine))

    A, B, C, D = (at(r) for r in ("ground.A", "crank.B", "rocker.C", "ground.D"))
    assert np.allclose(run["gap"], np.linalg.norm(B - D, axis=1))
    assert np.allclose(run["corner"], between(A - B, C - B))
    assert np.allclose(run["lines"], between(B - A, C - D))
    p = [np.stack([run[f"{body}.q{k}"] for k in "wxyz"], 1) for body in ("crank", "rocker")]
    assert np.allclose(run["bodies"], np.degrees(2 * np.arccos(np.abs(np.sum(p[0] * p[1], 1)))), atol=1e-5)
    assert np.allclose(run["joint"], run["D.q"])


def test_measures_between_rows_are_those_of_a_finer_run():
    coarse, fine = (plane().kinematics(0, 1, step) for step in (0.05, 0.01))
    found = coarse.record.between(fine["t"][1::5])
    for column in coarse.columns.of_kind("measure"):
        assert np.allclose(found[column.name], fine[column.name][1::5], atol=1e-8 * (1 + np.ptp(fine[column.name])))


@pytest.mark.parametrize("ending", ["toml", "json"])
@pytest.mark.parametrize("build", [plane, space], ids=["plane", "space"])
def test_measures_read_back_as_they_were_written(build, ending, tmp_path):
    model = build()
    model.save(tmp_path / f"m.{ending}")
    again = mubo.load(tmp_path / f"m.{ending}")
    assert dict(again.measures) == dict(model.measures)
    assert list(again.measures) == list(model.measures)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ({"distance": ["crank.B", "ground.E"]}, 'body "ground" has no point "E"'),
        ({"distance": ["crank.B"]}, "distance needs two points"),
        ({"distance": ["crank.B", "crank.A"]}, "their distance cannot change"),
        ({"distance": "crank.B"}, "distance needs two points"),
        ({"angle": ["crank", "roker"]}, 'there is no body "roker". Did you mean "rocker"?'),
        ({"angle": ["crank.A", "crank.B"]}, "Of points three or four are needed"),
        ({"angle": ["crank", "crank"]}, "has no angle to itself"),
        ({"angle": ["crank.A", "crank.B", "crank.B"]}, "are the same point"),
        ({"of": "roker.phi"}, 'there is no column "roker.phi". Did you mean "rocker.phi"?'),
        ({"of": 3}, "of is a text"),
        ({"value": "P.x - Q.x"}, 'unknown name "Q.x" at position 7. Did you mean "P.x"?'),
        ({"value": "P.x - crank.phi"}, "a length and an angle cannot be added"),
        ({"value": "P.x -"}, "is not an expression of columns"),
        ({"value": "sinn(P.x)"}, 'unknown function "sinn". Did you mean "sin"?'),
        ({"value": "step(P.x)"}, 'unknown function "step". Did you mean "where"?'),
        ({"value": "if(P.x < 1, 0, P.x)"}, "Write a choice as where(a < b, yes, no)."),
        ({"value": "sin(P.x, 2)"}, "sin takes 1 argument"),
        ({"value": "one + P.x"}, "it is defined by itself: one → one"),
        ({"value": "two", "of": "P.x"}, "a measure has one of distance, angle, vector, of, value; found value, of"),
        ({"length": ["a", "b"]}, 'there is no key "length"'),
        ({}, "a measure has one of"),
    ],
)
def test_wrong_measures_are_refused_with_the_nearest_word(what, words, tmp_path):
    model = mubo.load(EXAMPLES / "four_bar.toml")

    def ask():
        model.measure("one", **what)
        model.kinematics(0, 0.1, 0.05)

    with pytest.raises(mubo.ModelError, match=re.escape(words)):
        ask()


def test_circles_and_taken_names_are_refused_with_their_lines(tmp_path):
    text = (EXAMPLES / "four_bar.toml").read_text()
    (tmp_path / "m.toml").write_text(text + '\n[measure.a]\nvalue = "2*b"\n[measure.b]\nof = "a.rate"\n')
    with pytest.raises(mubo.ModelError, match="a → b → a"):
        mubo.load(tmp_path / "m.toml")
    (tmp_path / "m.toml").write_text(text + '\n[measure.motor]\nof = "P.x"\n\n[measure.t]\nof = "P.y"\n')
    with pytest.raises(mubo.ModelError, match=r"line \d+: measure motor: .* driver too[\s\S]*measure t"):
        mubo.load(tmp_path / "m.toml")


def test_a_rate_that_cannot_be_told_is_left_out_and_said():
    model = mubo.load(EXAMPLES / "four_bar.toml")
    model.measure("lead", value="motor.value - rocker.phi")
    model.measure("stored", of="energy.kinetic")
    run = model.kinematics(0, 1, 0.1)
    assert "lead.rate" in run.columns
    assert "lead.rate2" not in run.columns
    assert "measure lead: lead.rate2 left out, the table has no derivative of motor.rate" in run.summary["warnings"]
    assert "measure stored is left out: this run has no column energy.kinetic" in run.summary["warnings"]


def test_a_deck_is_measured_by_its_columns():
    deck = mubo.load(EXAMPLES / "eleven_bar.deck")
    deck.measure("spread", value="z4.theta - z3.theta")
    run = deck.kinematics()
    assert np.allclose(run["spread"], run["z4.theta"] - run["z3.theta"])
    assert np.allclose(run["spread.rate2"], run["z4.alpha"] - run["z3.alpha"])
    assert run.unit("spread.rate") == "deg/s"
    old = deck.kinematics(scheme="1964")
    assert np.allclose(old["spread"], old["z4.theta"] - old["z3.theta"])
    assert "extremes" not in old.summary  # those of the exact motion are none of the scheme
    deck.measure("wrong", of="z44.theta")
    with pytest.raises(mubo.ModelError, match=r'no column "z44.theta"\. Did you mean'):
        deck.kinematics()


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("P.x*P.y", "mm^2"), ("P.vx*P.vy", "mm^2/s^2"), ("P.x/P.y", ""), ("P.x/t", "mm/s"),
        ("P.x*rocker.omega", "mm deg/s"),
        ("sqrt(P.x^2 + P.y^2)", "mm"), ("atan(P.y/P.x)", "deg"), ("rocker.phi - 90", "deg"), ("P.x + 2*t", ""),
        ("1/P.x", "1/mm"), ("exp(P.x/P.y)", ""), ("3*t", "s"),
    ],
)  # fmt: skip
def test_units_follow_the_expression(text, unit):
    model = plane({"angle": "deg", "length": "mm"})
    model.measure("it", value=text)
    run = model.kinematics(0, 0.1, 0.05)
    assert run.unit("it") == unit
    if text.startswith("atan"):
        assert np.allclose(run["it"], np.degrees(np.arctan(run["P.y"] / run["P.x"])))
