"""`mubo check x.deck --makeup` writes a deck whose loops close, by MAKEUP or by turning links."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo


def gap(path):
    return mubo.load(path).check().as_dict()["gap"]


@pytest.mark.parametrize("name", ["closure", "eleven_bar", "type2"])
def test_the_written_deck_closes(command, tmp_path, name):
    """The cards have ten decimals, and at most nine vectors in a loop."""
    done = command("check", EXAMPLES / f"{name}.deck", "--makeup", "-o", "closed.deck")
    assert done.returncode == 0, done.stderr
    assert gap(EXAMPLES / f"{name}.deck") > 1e-6
    assert gap(tmp_path / "closed.deck") < 1e-8


def test_only_the_make_up_vectors_change(command, tmp_path):
    """No make-up vector of the closure deck stands in two loops: each takes the values of CLOSURE's own table."""
    command("check", EXAMPLES / "closure.deck", "--makeup", "-o", "closed.deck")
    before, after = (
        mubo.load(path).origin.data.linkage for path in (EXAMPLES / "closure.deck", tmp_path / "closed.deck")
    )
    changed = {k for k in before.vectors if abs(after.lengths[k - 1] - before.lengths[k - 1]) > 1e-9}
    assert changed == {abs(m) for m in before.makeup}
    for loop in mubo.load(EXAMPLES / "closure.deck").check().loops:
        (m,) = loop.makeup
        k = int(m.vector[1:])
        np.testing.assert_allclose([after.lengths[k - 1], after.angles[k - 1]], [m.RAD, m.ANGLE], atol=1e-8)


def test_other_models_are_refused(command):
    done = command("check", EXAMPLES / "four_bar.toml", "--makeup")
    assert done.returncode == 1
    assert "--makeup is for card decks" in done.stderr
