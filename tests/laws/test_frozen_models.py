"""True for every model: nothing changes one that was built, and whoever asks again after a change gets another."""

import copy
import pickle
from dataclasses import FrozenInstanceError, fields, replace

import pytest
from conftest import EXAMPLES

import mubo
from mubo.model import Analysis, Units

CHANGES = {
    "setitem": lambda held, key: held.__setitem__(key, held[key]),
    "delitem": lambda held, key: held.__delitem__(key),
    "ior": lambda held, key: held.__ior__({key: held[key]}),
    "clear": lambda held, key: held.clear(),
    "pop": lambda held, key: held.pop(key),
    "popitem": lambda held, key: held.popitem(),
    "setdefault": lambda held, key: held.setdefault("new", held[key]),
    "update": lambda held, key: held.update({key: held[key]}),
}


def four_bar():
    return mubo.load(EXAMPLES / "four_bar.toml")


@pytest.mark.parametrize("way", CHANGES)
@pytest.mark.parametrize("part", ["bodies", "joints", "drivers", "points", "points of a body", "options of a joint"])
def test_no_dictionary_of_a_model_can_be_changed(part, way):
    """Every method by which a dict changes is refused, with the cure."""
    model = mubo.load(EXAMPLES / "slider_crank.toml").build()
    held = {
        "points of a body": model.bodies["crank"].points,
        "options of a joint": model.joints["cylinder"].options,
    }.get(part) or getattr(model, part)
    before = dict(held)
    with pytest.raises(TypeError, match=r"a model definition is frozen; use model\.replace"):
        CHANGES[way](held, next(iter(held)))
    assert held == before


def test_no_field_of_a_model_can_be_set():
    model = four_bar().build()
    with pytest.raises(FrozenInstanceError):
        model.name = "other"
    with pytest.raises(FrozenInstanceError):
        model.bodies["crank"].angle = 1.0


def test_copies_are_equal_and_frozen_too():
    model = four_bar().build()
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert other == model
        with pytest.raises(TypeError, match="frozen"):
            other.bodies["crank"] = other.bodies["rocker"]


def change_body(model):
    model.bodies["crank"] = replace(model.bodies["crank"], angle=0.1)


BUILT_ANEW = {
    "a body": change_body,
    "a point of a body": lambda model: model.ground.point("new", (1, 2)),
    "a new body": lambda model: model.body("new"),
    "a joint": lambda model: model.joints.pop("A"),
    "a driver": lambda model: model.drivers.clear(),
    "a point": lambda model: model.point("new", "crank", (1, 2)),
    "a force": lambda model: model.force("new", "spring", "ground.A", "rocker.C", stiffness=1, length=1),
    "the name": lambda model: setattr(model, "name", "other"),
    "units": lambda model: setattr(model, "units", Units("mm")),
    "gravity": lambda model: setattr(model, "gravity", (0.0, -1.0)),
    "the times": lambda model: setattr(model, "analysis", Analysis("kinematics", {"end": 9.0})),
}


@pytest.mark.parametrize("what", BUILT_ANEW)
def test_a_change_is_in_the_next_model_and_not_in_the_last(what):
    """Without a change the same model; after one another, and the first is as it was."""
    builder = four_bar()
    first = builder.build()
    assert builder.build() is first
    told = [repr(getattr(first, part.name)) for part in fields(first)]
    BUILT_ANEW[what](builder)
    second = builder.build()
    assert second != first
    assert [repr(getattr(first, part.name)) for part in fields(first)] == told
    assert builder.build() is second


def test_a_run_keeps_the_model_it_was_made_of():
    """A crank made longer afterwards: the old run has the old length, the next one the new."""
    model = four_bar()
    old = model.kinematics()
    length = old.model.bodies["crank"].points["B"][0]
    body = model.bodies["crank"]
    model.bodies["crank"] = replace(body, points={**body.points, "B": (1.1 * length, 0.0)})
    assert model.kinematics().model.bodies["crank"].points["B"][0] == 1.1 * length
    assert old.model.bodies["crank"].points["B"][0] == length
