"""The model file is declared once: its JSON Schema and its reference follow, and agree with what is read."""

import importlib.util
import json
import tomllib

import pytest
from conftest import EXAMPLES, ROOT
from jsonschema import Draft7Validator

import mubo
from mubo.elements import AMBIENTS
from mubo.formats.json_schema import KINDS, model_schema, schema_text
from mubo.model.tables import file_tables

spec = importlib.util.spec_from_file_location("write_reference", ROOT / "tools" / "write_reference.py")
writer = importlib.util.module_from_spec(spec)
spec.loader.exec_module(writer)

VALIDATOR = Draft7Validator(model_schema())
FOUR_BAR = tomllib.loads((EXAMPLES / "four_bar.toml").read_text())
MODELS = sorted(EXAMPLES.glob("*.toml"))


def test_the_shipped_schema_is_the_declared_one():
    assert writer.SCHEMA.read_text() == schema_text(), "run make format"
    Draft7Validator.check_schema(model_schema())


def test_the_reference_is_the_declared_one():
    assert writer.PAGE.read_text() == writer.page(), "run make format"


def test_every_kind_of_key_has_a_schema():
    elements = [e for ambient in AMBIENTS.values() for e in (*ambient.joints.values(), *ambient.loads.values())]
    options = [option for declared in (*elements, *file_tables().values()) for option in declared.options]
    assert {option.holds for option in options if isinstance(option.holds, str)} <= {*KINDS, "whole"}


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_examples_are_valid(path):
    assert not list(VALIDATOR.iter_errors(tomllib.loads(path.read_text())))


MISTAKES = {
    "misspelt table": {"bodies": {}},
    "misspelt key": {"body": {"crank": {"postion": [0, 0]}}},
    "wrong type of joint": {"joint": {"A": {"type": "revolut", "between": ["ground.A", "crank.A"]}}},
    "joint without ends": {"joint": {"A": {"type": "revolute"}}},
    "key of another joint": {"joint": {"A": {"type": "revolute", "between": ["ground.A", "crank.A"], "radii": [1, 2]}}},
    "joint of space in the plane": {"joint": {"A": {"type": "spherical", "between": ["ground.A", "crank.A"]}}},
    "driver without motion": {"driver": {"motor": {"of": "crank.phi"}}},
    "driver of two things": {"driver": {"motor": {"of": "A", "between": ["a.A", "b.B"], "motion": "t"}}},
    "unknown form of motion": {"driver": {"motor": {"of": "crank.phi", "motion": {"rpm": 3}}}},
    "unknown unit": {"units": {"length": "mile"}},
    "a number for a text": {"point": {"P": {"body": 3, "at": [0, 0]}}},
    "a list that is too long": {"gravity": [0, 0, 0, -9.81]},
    "wrong word": {"event": {"stop": {"of": "A", "value": 1, "direction": "upwards"}}},
    "two goals": {"optimize": {"vary": {"a": [0, 1]}, "minimize": "mass", "maximize": "transmission"}},
    "half a search": {"optimize": {"vary": {"a": [0, 1]}, "minimize": "mass", "starts": 0.5}},
    "unknown study": {"analysis": {"type": "dynamics", "start": 0, "end": 1, "step": 0.1}},
    "pin without width": {"pin": {"A": {"diameter": 0.02}}},
}


@pytest.mark.parametrize("name", MISTAKES)
def test_typical_mistakes_are_refused_by_schema_and_reader(tmp_path, name):
    data = {**FOUR_BAR, **MISTAKES[name]}
    assert list(VALIDATOR.iter_errors(data))
    (tmp_path / "model.json").write_text(json.dumps(data))
    with pytest.raises(mubo.ModelError):
        mubo.load(tmp_path / "model.json")


def test_a_json_model_may_name_its_schema(tmp_path):
    (tmp_path / "model.json").write_text(json.dumps({"$schema": "./mubo.schema.json", **FOUR_BAR}))
    assert mubo.load(tmp_path / "model.json").name == "four bar"
