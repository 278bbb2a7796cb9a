"""Expressions as programs of the core: the same numbers as numpy, over every function that an expression knows."""

import numpy as np
import pytest

import mubo
from mubo import _core
from mubo.laws.expression import evaluate, parse
from mubo.laws.jet import FUNCTIONS, Jet

EXPRESSIONS = [
    *(f"{name}(A.q)" if name not in ("min", "max") else f"{name}(A.q, 0.4*t)" for name in FUNCTIONS),
    "A.q + 2*t - A.v/3",
    "-A.q^2",
    "(1 + A.q)**-1.5",
    "2^A.q",
    "where(A.q < 0.5, 1*A.q, -1*t)",
    "where(A.q <= 0.5, 1, 2) + where(t > 0.2, 3, 4)*where(t >= 0.3, 5, 6)",
    "where(t == 0.25, 1, 0) + where(t != 0.25, 2, 0)",
    "pi*e*A.q",
]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_programs_are_expressions(text):
    """A motor on a rotor: at the start its acceleration is effort / inertia."""
    model = mubo.Model("rotor", gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.body("rotor", points={"A": (0, 0)}, mass=1, inertia=2)
    model.revolute("A", "ground.A", "rotor.A")
    model.force("motor", "joint_effort", "A", effort=f"1*({text}) + 0*A.q")
    for q, v, t in ((0.3, 0.7, 0.25), (0.9, -0.4, 0.31)):
        model.initial("A", q=q, v=v)
        run = model.simulate(t, t, 1)
        names = {name: Jet(*(np.array([x]) for x in (value, 0.0, 0.0))) for name, value in
                 {"t": t, "A.q": q, "A.v": v}.items()}  # fmt: skip
        expected = evaluate(parse(text), names, text).v[0]
        assert 2 * run["A.a"][0] == pytest.approx(expected, rel=1e-14, abs=1e-15)


def test_every_function_has_an_operation():
    assert set(FUNCTIONS) <= set(_core.operations())


def test_rates_of_expressions_follow_by_the_chain_rule():
    """f.rate of f = g(q) is g'(q) v, against central differences of g."""
    for g in (
        "sin(A.q)",
        "A.q^3/(1 + t)",
        "sqrt(1 + A.q^2)*exp(-A.q)",
        "max(A.q, 0.1)*log(2 + A.q)",
        "tan(A.q) + atan(t)",
    ):
        model = mubo.Model("rotor", gravity=(0, 0))
        model.ground.point("A", (0, 0))
        model.body("rotor", points={"A": (0, 0)}, mass=1, inertia=2)
        model.revolute("A", "ground.A", "rotor.A")
        model.measure("g", value=g)
        model.force("motor", "joint_effort", "A", effort="1*g.rate")
        model.initial("A", q=0.4, v=0.7)
        run = model.simulate(0.3, 0.3, 1)

        def value(s, g=g):
            at = {"t": 0.3 + s, "A.q": 0.4 + 0.7 * s}
            return evaluate(parse(g), {k: Jet(*(np.array([y]) for y in (x, 0.0, 0.0))) for k, x in at.items()}, g).v[0]

        slope = (value(1e-6) - value(-1e-6)) / 2e-6
        assert 2 * run["A.a"][0] == pytest.approx(slope, rel=1e-8)
