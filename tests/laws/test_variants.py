"""A variant shares the structure of its model, and gives the numbers of a model that is compiled anew, bit by bit."""

import dataclasses

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.analyses.kinematics import kinematics
from mubo.errors import MuboError
from mubo.mechanism.lengths import typical_length


def first_parameter(path):
    """First parameter of an example of prescribed motion that is no expression of others, or None where it has none."""
    if "[parameters" not in path.read_text():
        return None
    model = mubo.load(path).build()
    if model.analysis is not None and model.analysis.type not in ("kinematics", "inverse"):
        return None
    return next((name for name, one in model.parameters.items() if not one.text), None)


PARAMETERS = {path.name: name for path in sorted(EXAMPLES.glob("*.toml")) if (name := first_parameter(path))}
ROWS = 13


def answered(model):
    """The columns of a few rows, or the first line of the message where the motion is not determined."""
    times = model.output_times()
    try:
        return dict(kinematics(model, dataclasses.replace(times, step=(times.end - times.start) / (ROWS - 1))).columns)
    except MuboError as error:
        return str(error).splitlines()[0]


def same(one, two):
    if isinstance(one, str) or isinstance(two, str):
        return one == two
    return one.keys() == two.keys() and all(np.array_equal(one[name], two[name], equal_nan=True) for name in one)


def test_some_examples_have_parameters():
    assert len(PARAMETERS) >= 3


@pytest.mark.parametrize("example", PARAMETERS)
def test_a_variant_is_a_model_compiled_anew(example):
    """Forwards, by another value, and back again: what the structure keeps of one variant never reaches another."""
    model = mubo.load(EXAMPLES / example).build()
    first = answered(model)
    value = model.parameters[PARAMETERS[example]].value
    for factor in (1.001, 0.999):
        variant = model.replace(**{PARAMETERS[example]: factor * value})
        assert variant.structure is model.structure
        anew = variant.changed()
        assert anew.structure is not model.structure
        assert same(answered(variant), answered(anew))
    assert same(answered(model.changed()), first)


@pytest.mark.parametrize("what", ["coupler.C", "motor", "P"])
def test_other_points_and_laws_are_not_mixed_up(what):
    model = mubo.load(EXAMPLES / "four_bar.toml").build()
    values = {"coupler.C": [(2.0, 0.01), (2.0, 0.0)], "motor": ["1 + 2*t", "1 + 3*t"], "P": [(0.5, 1.0), (0.7, 1.0)]}
    for value in values[what]:
        variant = model.replace(what, value)
        assert same(answered(variant), answered(variant.changed()))


def test_a_law_of_python_is_asked_again():
    rate = [1.0]
    model = mubo.load(EXAMPLES / "four_bar.toml").replace("motor", lambda t: 1.0 + rate[0] * t)
    found = []
    for rate[0] in (1.0, 2.0):
        found.append(model.kinematics(0, 0.1, 0.05)["motor.rate"][-1])
    assert np.allclose(found, [1.0, 2.0])


def first_point(path):
    """Body and point of an example of prescribed motion that a joint uses, or None where there is none."""
    model = mubo.load(path).build()
    if model.dimension == 3 or model.problems or not model.drivers or len(model.bodies) > 20:
        return None
    ends = [end.partition(".")[::2] for joint in model.joints.values() for end in joint.between]
    used = (end for end in ends if end[0] in model.bodies and end[1] in model.bodies[end[0]].points)
    return next((end for end in used if end[0] != "ground"), None)


POINTS = {path.name: point for path in sorted(EXAMPLES.glob("*.toml")) if (point := first_point(path))}


def test_many_examples_have_points():
    assert len(POINTS) >= 40


@pytest.mark.parametrize("example", POINTS)
def test_a_point_elsewhere_is_a_model_compiled_anew(example):
    """Rows of other joints, their vectors, lengths and laws are those of the variant before: bit by bit the same."""
    model, (body, point) = mubo.load(EXAMPLES / example).build(), POINTS[example]
    first, at = answered(model), model.bodies[body].points[point]
    for factor in (1 + 1e-4, 1 - 1e-4):
        variant = model.replace(f"{body}.{point}", tuple(factor * x for x in at))
        assert variant.structure is model.structure
        anew = variant.changed()
        assert same(answered(variant), answered(anew))
        assert variant.problems or typical_length(variant) == typical_length(anew)
    assert same(answered(model.changed()), first)


def test_a_faster_driver_ends_its_turn_earlier():
    """Variants share the output times of the same drivers alone: a turn takes as long as its own law says."""
    model = mubo.load(EXAMPLES / "four_bar.toml")
    ends = [model.replace("motor", law).build().output_times({"end": "1 rev"}).end for law in ("2*pi*t", "4*pi*t")]
    assert ends == [pytest.approx(1.0), pytest.approx(0.5)]
