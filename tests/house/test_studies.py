"""Every declared study gives a method, a command, and a stub that says the same."""

import ast
import inspect
import runpy

import pytest
from conftest import ROOT

import mubo
from mubo.cli.main import cli
from mubo.studies import STUDIES


def test_the_stub_is_what_the_declarations_give():
    """`make format` writes it."""
    made = runpy.run_path(str(ROOT / "tools" / "write_stubs.py"))["stub"]()
    kept = (ROOT / "src" / "mubo" / "api" / "questions.pyi").read_text()
    assert ast.dump(ast.parse(made)) == ast.dump(ast.parse(kept))


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_has_its_function_method_and_command(name):
    study = STUDIES[name]
    assert callable(study.function)
    assert list(inspect.signature(getattr(mubo.Model, name)).parameters)[1:] == list(study.options)
    given = {option.name for option in cli.commands[name].params}
    assert {one.name for one in study.options.values() if one.flag != ""} <= given


@pytest.mark.parametrize("name", STUDIES)
def test_a_docstring_has_every_parameter(name):
    text = inspect.getdoc(getattr(mubo.Model, name))
    for option in STUDIES[name].options:
        assert f"\n{option} : " in text
    assert all(f"\n{heading}\n---" in text for heading in ("Parameters", "Returns", "Examples"))
