"""What results look up by name exists."""

import re
from types import SimpleNamespace

import pytest

from mubo.errors import ResultError
from mubo.results.presentation import REGISTERED, presented_by
from mubo.results.table import ENDINGS
from mubo.solvers.dynamics import tree_motion


@pytest.mark.parametrize("name", REGISTERED)
def test_every_registered_function_exists(name):
    assert callable(presented_by(name))


@pytest.mark.parametrize("place", tree_motion.REGISTERED.values())
def test_every_registered_formulation_exists(place):
    module, name = place.split(":")
    assert callable(getattr(__import__(module, fromlist=[name]), name))


@pytest.mark.parametrize("name", [name for name in REGISTERED if name.endswith(".save")])
def test_a_result_refuses_endings_of_other_files_before_it_writes_anything(name, tmp_path):
    kind, model = name.partition(".")[0], SimpleNamespace(source="")
    found = SimpleNamespace(model=model, run=SimpleNamespace(model=model))
    more = ((), ()) if kind == "Linearization" else ()
    with pytest.raises(ResultError, match=f"the ending must be {re.escape(', '.join(ENDINGS[kind]))}"):
        presented_by(name)(found, tmp_path / "result.pdf", *more)
    assert not list(tmp_path.iterdir())
