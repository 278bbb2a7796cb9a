"""A model written as Python is the same model: a law over all shipped examples."""

import warnings

import pytest
from conftest import EXAMPLES

import mubo
from mubo.formats.python_write import python_text

MODELS = sorted(path for path in EXAMPLES.iterdir() if path.suffix in (".toml", ".deck", ".dat", ".urdf", ".xml"))


def built(text):
    """The definition that a program builds, without running its study."""
    names = {}
    exec(text[: text.index("\nrun = model.")], names)
    return names["model"].build()


def test_every_example_is_built_again_by_its_program(monkeypatch):
    monkeypatch.chdir(EXAMPLES)  # data files are named beside the model
    apart = {"analysis": None, "optimization": None, "origin": None, "source": ""}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path in MODELS:
            model = mubo.load(path.name).build()
            assert built(python_text(model)).changed(**apart) == model.changed(**apart), path.name


def test_a_program_runs_its_study():
    model = mubo.load(EXAMPLES / "slider_crank.toml")
    names = {"print": lambda *_: None}
    exec(python_text(model.build()), names)
    run = model.kinematics()
    assert (names["run"]["t"] == run["t"]).all()
    assert names["run"]["piston.x"] == pytest.approx(run["piston.x"], abs=1e-12)
