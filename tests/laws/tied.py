"""A model whose every number depends on one parameter p, each in its own way: what follows from it must follow p."""

import ast
from dataclasses import replace

import numpy as np

from mubo.laws.dependent import Dependent
from mubo.laws.expression import Expression
from mubo.laws.polynomial import Polynomial
from mubo.mappings import FrozenDict
from mubo.model.read_parameters import with_parameters

FOUR = (-2, -1, 1, 2)
OPTIONS_KEPT = (
    "zero",
    "along",
    "slots",
    "teeth",
)  # a unit quaternion, what must stay square to the axis, whole numbers


MASSES = ("mass", "center", "inertia", "density", "added")


def tied(model, seed=0, size=0.1, weighing=False):
    """The model with x (1 + w (p − 1)) for every number x of points, joints, estimates and laws; w is random.

    Where it is `weighing`, also for those of masses; a shape keeps its sizes.
    """
    rng = np.random.default_rng(seed)
    units = with_parameters(model.units, {"p": 1.0})

    def walk(value):
        if isinstance(value, tuple):
            return tuple(walk(item) for item in value)
        if isinstance(value, bool) or not isinstance(value, float) or value == 0:
            return value
        text = f"{value!r}*(1 + {rng.uniform(-size, size)!r}*(p - 1))"
        return Dependent.from_tree(ast.parse(text, mode="eval").body, units.parameters.scope, text)

    def body(old):
        new = replace(old, points={name: walk(at) for name, at in old.points.items()}, figure={})
        drawn = old.name != "ground" and model.dimension == 2
        if weighing:
            given = {key: getattr(old, key) for key in MASSES if getattr(old, key)}
            heavy = {key: {n: walk(m) for n, m in x.items()} if key == "added" else walk(x) for key, x in given.items()}
            new = replace(new, **heavy)
        return replace(new, position=walk(old.position), angle=walk(old.angle)) if drawn else new

    def joint(old):
        kept = (*OPTIONS_KEPT, *(("axis",) if "along" in old.options else ()))
        options = {name: value if name in kept else walk(value) for name, value in old.options.items()}
        return replace(old, options=FrozenDict(options))

    def law(old):
        if isinstance(old, Polynomial):
            return replace(old, coefficients=walk(old.coefficients))
        if isinstance(old, Expression):
            return Expression(f"({old.text})*(1 + 0.05*(p - 1))", {**old.given, **units.parameters.named(["p"])})
        return old

    return model.changed(
        units=units,
        bodies={name: body(old) for name, old in model.bodies.items()},
        joints={name: joint(old) for name, old in model.joints.items()},
        points={name: replace(old, at=walk(old.at)) for name, old in model.points.items()},
        drivers={name: replace(old, motion=law(old.motion)) for name, old in model.drivers.items()},
    )


def by_differences(function, h=1e-3):
    """d/dp at p = 1 to fourth order in h, of a function of p."""
    low, less, more, high = (function(1 + k * h) for k in FOUR)
    return (low - 8 * less + 8 * more - high) / (12 * h)
