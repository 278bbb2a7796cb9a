"""help(mubo) is true: every public name has a docstring with an example, and the examples run as they stand."""

import doctest
import inspect
import shutil

import numpy as np
import pytest
from conftest import ROOT

import mubo
from mubo.analyses.linearize.linearization import Linearization
from mubo.api.state_equations import StateEquations
from mubo.model.bodies import BodyHandle
from mubo.studies import STUDIES

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def members(kind):
    """Public methods and properties of a class, inherited ones included, each with its text."""
    for name, value in inspect.getmembers_static(kind):
        if name.startswith("_") or not (callable(value) or isinstance(value, property | classmethod | staticmethod)):
            continue
        home = next(base for base in kind.__mro__ if name in vars(base))
        if home.__module__.startswith("mubo"):
            yield f"{kind.__name__}.{name}", value


def public():
    yield "mubo", mubo
    for name in mubo.__all__:
        value = getattr(mubo, name)
        yield name, value
        if inspect.isclass(value) and not issubclass(value, Exception):
            yield from members(value)
    yield "ground", BodyHandle
    yield from members(BodyHandle)
    yield "Linearization", Linearization
    yield from members(Linearization)


PUBLIC = {name: value for name, value in public() if not name.startswith("Linkage.")}  # it has those of Model


@pytest.fixture(scope="module")
def workshop(tmp_path_factory):
    """A folder with the shipped examples, and the arm that the docstrings of tree dynamics speak of."""
    folder = tmp_path_factory.mktemp("workshop")
    for path in (ROOT / "examples").iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    return folder


def examples_of(name, value):
    text = inspect.getdoc(value) or ""
    return doctest.DocTestParser().get_doctest(text, {"mubo": mubo, "np": np}, name, None, 0)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_has_an_example(name):
    assert ">>>" in (inspect.getdoc(PUBLIC[name]) or ""), name


@pytest.mark.parametrize("name", PUBLIC)
def test_examples_run(name, workshop, monkeypatch):
    monkeypatch.chdir(workshop)
    if not (workshop / "arm.toml").exists():
        run(examples_of("StateEquations", StateEquations))
    run(examples_of(name, PUBLIC[name]))


def run(test):
    told = []
    doctest.DocTestRunner(optionflags=FLAGS, verbose=False).run(test, out=told.append)
    assert not told, "".join(told)


def test_help_names_every_verb():
    for name, value in PUBLIC.items():
        kind, _, method = name.partition(".")
        if kind == "Model" and callable(value) and method not in ("build", "of", "vector"):
            assert method in mubo.__doc__, method
    for name in STUDIES:  # methods that come with their first use
        assert name in mubo.__doc__, name
