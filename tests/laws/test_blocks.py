"""A mechanism decomposed by its graph has the rank, redundant equations and degrees of freedom of the whole."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import mubo
from mubo.errors import MuboError
from mubo.model import ModelDefinition
from mubo.solvers.assembly.mobility import _rank_by_blocks, _rank_dense, scaled_jacobian
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_start

EXAMPLES = sorted(path for path in (Path(mubo.__file__).parent / "examples").glob("*.toml"))


def looked(model: ModelDefinition) -> StartAnalysis | None:
    """At its start, or None where the file is no mechanism that can be looked at."""
    try:
        return analyse_start(model, model.start_time)
    except MuboError:
        return None


def same(look: StartAnalysis) -> None:
    form, q, motion = look.form, look.assembly.q, look.motion
    whole, blocks = _rank_dense(form, q, motion), _rank_by_blocks(form, q, motion)
    assert blocks.independent == whole.independent
    assert [one.equation for one in blocks.dependent] == [one.equation for one in whole.dependent]
    for one, other in zip(blocks.dependent, whole.dependent, strict=True):
        assert one.describe() == other.describe()
        assert one.gap == pytest.approx(other.gap, abs=1e-9)
    left = len(form.weight) - len(whole.independent)
    listed = blocks.motions()
    assert len(listed) == min(left, 12)
    assert all(motion.among == left for motion in listed)
    J, _ = scaled_jacobian(form, q, motion)
    if form.model.dimension == 2:  # rates of the bodies are those of the unknowns
        for moved in listed:
            rates = np.array([moved.rates.get(body, (0.0,) * 3) for body in form.free]).ravel()
            assert np.abs(J @ (form.weight * rates)).max(initial=0.0) < 1e-8 * np.abs(form.weight * rates).max()


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_examples(path: Path) -> None:
    model = mubo.load(path).build()
    look = looked(model)
    if look is not None:
        same(look)
        undriven = looked(model.changed(drivers={})) if model.drivers else None
        if undriven is not None:
            same(undriven)


def test_a_body_that_hangs_with_an_equation_too_many() -> None:
    """A pendulum whose pin a slot holds again: three equations of one body, of rank two."""
    model = mubo.Model("twice")
    model.ground.point("O", (0, 0))
    model.body("bar", lengths={"AB": 1})
    model.revolute("pin", "ground.O", "bar.A")
    model.joint("again", "slot", "ground.O", "bar.A", axis=(1, 0))
    look = looked(model.build())
    assert look is not None
    assert [one.name for one in look.diagnosis.dependent] == ["joint again"]
    same(look)


def lift(stages: int) -> ModelDefinition:
    """Stages of two crossed bars of length 2, the lowest pinned and sliding on the ground: one degree of freedom."""
    across, up = math.cos(0.5), math.sin(0.5)
    model = mubo.Model("lift")
    model.ground.point("A", (0, 0))
    model.ground.point("B", (0, 0))
    for k in range(stages):
        for name, angle in ((f"a{k}", 0.5), (f"b{k}", math.pi - 0.5)):
            model.body(name, (across, (2 * k + 1) * up), angle, points={"low": (-1, 0), "mid": (0, 0), "high": (1, 0)})
        model.revolute(f"m{k}", f"a{k}.mid", f"b{k}.mid")
        if k:
            model.revolute(f"r{k}", f"a{k - 1}.high", f"b{k}.low")
            model.revolute(f"l{k}", f"b{k - 1}.high", f"a{k}.low")
    model.revolute("foot", "ground.A", "a0.low")
    model.joint("slide", "slot", "ground.B", "b0.low", axis=(1, 0))
    return model.build()


def test_a_large_core_that_nothing_drives() -> None:
    """At the angle α of the bars stage k rises by (2k + 1) cos α per radian: the mechanism has that motion alone."""
    look = looked(lift(30))
    assert look is not None
    same(look)
    (motion,) = look.diagnosis.free
    turned = motion.rates["a0"][2]
    for k in range(30):
        assert motion.rates[f"a{k}"] == pytest.approx(
            (-math.sin(0.5) * turned, (2 * k + 1) * math.cos(0.5) * turned, turned), abs=1e-9
        )


def test_a_large_core_with_an_equation_too_many() -> None:
    """A second slot under the same foot is the dependent one."""
    model = mubo.Model.from_definition(lift(25))
    model.joint("again", "slot", "ground.B", "b0.low", axis=(1, 0))
    look = looked(model.build())
    assert look is not None
    (one,) = look.diagnosis.dependent
    assert one.describe() == "joint again repeats what joint slide already imposes"
    same(look)
