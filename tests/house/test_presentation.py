"""What results look up by name exists."""

import pytest

from mubo.results.presentation import REGISTERED, presented_by
from mubo.solvers.dynamics import tree_motion


@pytest.mark.parametrize("name", REGISTERED)
def test_every_registered_function_exists(name):
    assert callable(presented_by(name))


@pytest.mark.parametrize("place", tree_motion.REGISTERED.values())
def test_every_registered_formulation_exists(place):
    module, name = place.split(":")
    assert callable(getattr(__import__(module, fromlist=[name]), name))
